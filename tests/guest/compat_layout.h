/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The layout of the user API: the members, offsets and sizes of each structure, and the numbers of
 * the ioctls. The file is compiled for 64 and for 32 bits, so that both must have this layout.
 *
 * What lives here: static assertions. The sum of the members' sizes must be the size of the
 * structure. So no member is missing here, and no structure has a hole. May use: only the uapi
 * header.
 */
#ifndef TESTS_GUEST_COMPAT_LAYOUT_H
#define TESTS_GUEST_COMPAT_LAYOUT_H

#include <stddef.h>

#include <uapi/smile_monitor.h>

#define LAYOUT_ADD(type, member, offset, bytes) +(bytes)
#define LAYOUT_MEMBER(type, member, offset, bytes)                                                 \
	_Static_assert(offsetof(type, member) == (offset), #type "." #member ": offset");          \
	_Static_assert(sizeof(((type *)0)->member) == (bytes), #type "." #member ": size");
#define LAYOUT(type, bytes, members)                                                               \
	_Static_assert(sizeof(type) == (bytes), #type ": size");                                   \
	_Static_assert((0 members(LAYOUT_ADD, type)) == (bytes), #type ": a member or a hole");    \
	members(LAYOUT_MEMBER, type)

#define LAYOUT_RECORD(M, type) M(type, word, 0, 16)

#define LAYOUT_CONFIG(M, type)                                                                     \
	M(type, size, 0, 4)                                                                        \
	M(type, node, 4, 4)                                                                        \
	M(type, filter, 8, 4)                                                                      \
	M(type, mode, 12, 4)                                                                       \
	M(type, max_range_bytes, 16, 4)                                                            \
	M(type, entries, 20, 4)                                                                    \
	M(type, phase_events, 24, 4)                                                               \
	M(type, reserved, 28, 4)                                                                   \
	M(type, timer_us, 32, 4)                                                                   \
	M(type, timer_event, 36, 4)                                                                \
	M(type, time_us, 40, 4)                                                                    \
	M(type, watermark_records, 44, 4)                                                          \
	M(type, latency_us, 48, 4)                                                                 \
	M(type, reserved2, 52, 12)

#define LAYOUT_STATIC(M, type)                                                                     \
	M(type, size, 0, 4)                                                                        \
	M(type, reserved, 4, 4)                                                                    \
	M(type, page, 8, 128)                                                                      \
	M(type, node, 136, 128)                                                                    \
	M(type, event, 264, 64)                                                                    \
	M(type, counter, 328, 64)

#define LAYOUT_INFO(M, type)                                                                       \
	M(type, size, 0, 4)                                                                        \
	M(type, abi, 4, 4)                                                                         \
	M(type, card_version, 8, 4)                                                                \
	M(type, entries_max, 12, 4)                                                                \
	M(type, static_counters, 16, 4)                                                            \
	M(type, card_ring_words, 20, 4)                                                            \
	M(type, ring_records, 24, 4)                                                               \
	M(type, page_bytes, 28, 4)                                                                 \
	M(type, status, 32, 4)                                                                     \
	M(type, features, 36, 4)                                                                   \
	M(type, config, 40, 64)

#define LAYOUT_STATISTICS(M, type)                                                                 \
	M(type, size, 0, 4)                                                                        \
	M(type, status, 4, 4)                                                                      \
	M(type, packets_seen, 8, 8)                                                                \
	M(type, packets_malformed, 16, 8)                                                          \
	M(type, packets_unmatched, 24, 8)                                                          \
	M(type, packets_filtered, 32, 8)                                                           \
	M(type, packets_event, 40, 8)                                                              \
	M(type, events_accepted, 48, 8)                                                            \
	M(type, events_lost, 56, 8)                                                                \
	M(type, events_delivered, 64, 8)                                                           \
	M(type, marks_lost, 72, 8)                                                                 \
	M(type, extensions, 80, 8)                                                                 \
	M(type, records_written, 88, 8)                                                            \
	M(type, clock_ns, 96, 8)                                                                   \
	M(type, records_drained, 104, 8)                                                           \
	M(type, interrupts, 112, 8)                                                                \
	M(type, ring_full, 120, 8)                                                                 \
	M(type, static_counted, 128, 8)                                                            \
	M(type, static_delivered, 136, 8)                                                          \
	M(type, resets, 144, 8)

#define LAYOUT_TIME(M, type)                                                                       \
	M(type, size, 0, 4)                                                                        \
	M(type, reserved, 4, 4)                                                                    \
	M(type, clock_ns, 8, 8)                                                                    \
	M(type, monotonic_raw_ns, 16, 8)                                                           \
	M(type, uncertainty_ns, 24, 8)

#define LAYOUT_CONSUMER(M, type) M(type, tail, 0, 8)

#define LAYOUT_PRODUCER(M, type)                                                                   \
	M(type, abi, 0, 4)                                                                         \
	M(type, ring_records, 4, 4)                                                                \
	M(type, head, 8, 8)                                                                        \
	M(type, card_lost, 16, 8)                                                                  \
	M(type, ring_lost, 24, 8)

LAYOUT(struct smile_record, 16, LAYOUT_RECORD)
LAYOUT(struct smile_config, 64, LAYOUT_CONFIG)
LAYOUT(struct smile_static, 392, LAYOUT_STATIC)
LAYOUT(struct smile_info, 104, LAYOUT_INFO)
LAYOUT(struct smile_statistics, 152, LAYOUT_STATISTICS)
LAYOUT(struct smile_time, 32, LAYOUT_TIME)
LAYOUT(struct smile_consumer, 8, LAYOUT_CONSUMER)
LAYOUT(struct smile_producer, 32, LAYOUT_PRODUCER)

_Static_assert(SMILE_IOC_INFO == 0xc068b540U, "SMILE_IOC_INFO");
_Static_assert(SMILE_IOC_CONFIGURE == 0x4040b541U, "SMILE_IOC_CONFIGURE");
_Static_assert(SMILE_IOC_START == 0x0000b542U, "SMILE_IOC_START");
_Static_assert(SMILE_IOC_STOP == 0x0000b543U, "SMILE_IOC_STOP");
_Static_assert(SMILE_IOC_SWAP == 0x0000b544U, "SMILE_IOC_SWAP");
_Static_assert(SMILE_IOC_EVENT == 0x4004b545U, "SMILE_IOC_EVENT");
_Static_assert(SMILE_IOC_STATISTICS == 0xc098b546U, "SMILE_IOC_STATISTICS");
_Static_assert(SMILE_IOC_TIME == 0xc020b549U, "SMILE_IOC_TIME");
_Static_assert(SMILE_IOC_STATIC == 0x4188b547U, "SMILE_IOC_STATIC");
_Static_assert(SMILE_IOC_STATIC_INFO == 0xc188b548U, "SMILE_IOC_STATIC_INFO");

#endif /* TESTS_GUEST_COMPAT_LAYOUT_H */
