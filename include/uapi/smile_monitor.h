/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * SMiLE Monitor: the contract between the card, the driver and user space.
 *
 * What lives here: the record of 16 bytes, which is the only kind of data that the card's ring
 * carries to the application; the filter and mode bits of a configuration; the ioctls; and the
 * layout of the shared mapping. This file may include only <linux/types.h> and <linux/ioctl.h>. The
 * driver, the card model and the library all include it, so that each layout is defined only once.
 *
 *
 * The device file
 *
 * /dev/smile_monitorN is one card and one stream of records.
 *
 * When the device file is opened for writing, the driver resets the card, and the open file owns
 * the stream until the file and its duplicates are closed and its mappings are removed. After the
 * reset, the configuration has its reset values, except that the node id is that of the board, and
 * all counters start at 0. The open fails with EBUSY while the stream has another owner or while
 * perf counts with the card (see smile-monitor-perf(7)), and with ENODEV if the card is gone.
 *
 * A file that is open only for reading supports the ioctls INFO, STATIC_INFO, STATISTICS and TIME
 * at any time, and poll() for POLLHUP. All other calls on such a file fail with EBADF, including
 * read() and mmap(). The counters of the last owner can be queried until the next owner opens the
 * file, or until the first event of perf is opened.
 *
 *   read()   returns whole records; without O_NONBLOCK, blocks until a record arrives;
 *            EINVAL if the buffer is smaller than a record. After the card is gone or the stream is
 *            broken, it first returns the remaining records, and then fails with ENODEV or EIO.
 *   poll()   POLLIN while records wait. POLLPRI after the B-Link's clock has started or stopped,
 *            until the owner's next INFO. POLLERR after a LOST record has arrived in the ring,
 *            until the owner's next STATISTICS, and permanently while the stream is broken.
 *            POLLHUP after the card is gone.
 *   mmap()   see below. After the card is gone, the records in the mapping can still be read.
 *
 * A thread that sleeps in read(), poll() or epoll_wait() is woken when as many records as the
 * watermark are waiting, or when fewer records have waited for as long as the latency. In both
 * cases the card raises an interrupt, so records are delivered without polling. A call with
 * O_NONBLOCK makes all available records readable, even below the watermark, and so does a call of
 * poll() or select() whose time-out expires, even if the time-out is 0. epoll_wait() does not check
 * for records when its time-out expires.
 *
 * If the card's ring pointers are impossible, or the bus rejects the card's DMA, the stream is
 * broken: the driver reads no further records from the card, and the owner's CONFIGURE, STATIC,
 * START, STOP, SWAP, EVENT and STATISTICS fail with EIO. STOP nevertheless stops the card. To
 * recover, close the file and open it again.
 *
 *
 * Bus errors and resets
 *
 * During a bus error or a reset, and after a register was read as all ones, the card is frozen: the
 * driver does not access it. Calls that need the card, including open() for writing, wait until it
 * has recovered, even with O_NONBLOCK, but a signal interrupts them (EINTR). Only read() with
 * O_NONBLOCK does not wait: it returns the records that are in the driver's ring, and then fails
 * with EAGAIN. poll() reports the records in the ring, and mmap() does not need the card.
 *
 * After an error without a reset, nothing is lost. After a reset, the driver restores the card's
 * configuration, and a running stream continues with a record SMILE_EVENT_RESET. If the card has
 * not recovered within the time of the module parameter reset_wait_s, the driver reads the card's
 * ID register once more. If the card responds, it continues; if it may have lost its state, the
 * driver first resets it. If it does not respond, it is gone, as it is after a removal or after a
 * permanent failure of its bus: poll() reports POLLHUP, and calls fail with ENODEV.
 *
 *
 * The mapping
 *
 * offset 0          struct smile_consumer   one page, read-write: the consumer's tail
 * offset PAGE       struct smile_producer   one page, read-only: the driver's head and counters
 * offset 2*PAGE     the records, read-only; their number (SMILE_IOC_INFO: ring_records) is a power
 *                   of two
 *
 * If a mapping is not shared, or reaches beyond the end of the ring, mmap() fails with EINVAL. If a
 * writable mapping is not exactly the consumer's page, it fails with EPERM. A read-only mapping may
 * begin at any page. Head and tail are numbers of records since the file was opened. They are 64
 * bits wide and never wrap. Record i is in slot i % ring_records.
 *
 *   driver                                  consumer
 *   ------                                  --------
 *   load-acquire tail        (A)            load-acquire head        (B)
 *   write records up to tail + ring size    read records up to head
 *   store-release head       (B)            store-release tail       (A)
 *
 * (A) ensures that the consumer has read a record before the driver overwrites it. (B) ensures that
 * the driver has written a record before the consumer reads it. The driver never trusts the tail.
 * If the tail is outside [head - ring_records, head], or before the stream's first record, the
 * driver ignores it, and uses the last valid tail, or the tail that read() has set; read() uses and
 * advances the same tail. If the ring has no room, records stay on the card. If the card's own ring
 * is also full, the card counts as many events as it can, and later writes a LOST record with the
 * number of the other events. If the consumer frees room in a full ring and then calls poll(), it
 * receives records immediately; otherwise it receives them within the time of the module parameter
 * drain_ms.
 *
 * The pages cannot be pinned, so O_DIRECT and vmsplice do not work with them; copy the records
 * instead. Pinning is not allowed because a pinned page could outlive the mapping, while the page
 * already belongs to the next owner.
 *
 * With SMILE_MODE_HOST_RING, the card itself writes the records into these pages. All of the above
 * is still true, but the driver does not copy records. It only passes valid tails to the card, and
 * sets the head to the card's write index. In this mode, the driver also ignores a tail that is
 * below the last valid tail, because the card may already have overwritten the records before the
 * last valid tail. While the card counts and has not yet been told that all records were consumed,
 * the driver checks the tail every drain_ms milliseconds.
 *
 * In this mode, the ring must be contiguous in bus addresses, because the card has only one base
 * address for it. With an IOMMU, every ring is contiguous in bus addresses. Without an IOMMU, the
 * ring must be one physically contiguous block. If pages have 4 kB, the kernel's largest block has
 * 4 MB, so SMILE_MODE_HOST_RING is possible with at most 262,144 records, and with fewer if memory
 * was fragmented when the driver was bound. SMILE_FEATURE_HOST_RING reports whether the mode is
 * possible. If the card writes its records to its own RAM, the driver's ring may have any size up
 * to 16,777,216 records.
 */
#ifndef _UAPI_SMILE_MONITOR_H
#define _UAPI_SMILE_MONITOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SMILE_ABI_VERSION 1

/**
 * struct smile_record - One record, 16 bytes, four little-endian 32-bit words.
 * @word: the words; the SMILE_RECORD_* masks below select their fields
 *
 * Every kind:
 *   word 0   3-0 kind, 6-4 transaction type, 7 response, 11-8 cause, 15-12 zero, 31-16 count
 *
 * DYNAMIC, STATIC, OVERFLOW (counting records):
 *   word 1   15-0 source node, 31-16 destination node
 *   word 2   31-0 start address, bits 31-0
 *   word 3   15-0 start address, bits 47-32; 25-16 length in 4-byte words less one;
 *            31-26 counter index
 *
 * In STATIC and OVERFLOW records, the index is the number of the static counter, and the source
 * node is the card's own node. If the counter counts a memory event, destination, address and
 * length are those of the event's range, and the type is ANY if the event accepts several types. If
 * the counter counts a global event, the type is EVENT, word 2 is the event's id, and destination
 * and length are zero.
 *
 * EVENT:  count is the event id; cause is SMILE_RAISED_*; the lowest bit of the type field is set
 *         if the event is a phase mark; word 1 15-0 node; words 2 and 3 the card's clock in ns.
 *         Two ids with the cause SOFTWARE are reserved for the driver: SMILE_EVENT_ASLEEP and
 *         SMILE_EVENT_RESET.
 * TIME:   words 2 and 3 the card's clock in ns.
 * LOST:   since the last LOST record: word 1 the number of lost EVENT records, words 2 and 3 the
 *         number of lost memory events.
 * TRACE:  reserved.
 *
 * Source: "Exploiting Spatial and Temporal Locality of Accesses" (1998), section 4, for the size;
 * "Design and Implementation Aspects for the SMiLE Hardware Monitor" (2000), figure 8, for the tag;
 * this project defines the layout.
 */
struct smile_record {
	__le32 word[4];
};

#define SMILE_RECORD_BYTES 16
#define SMILE_RECORD_WORDS 4

/* word 0 */
#define SMILE_RECORD_KIND 0x0000000fU
#define SMILE_RECORD_TYPE 0x00000070U
#define SMILE_RECORD_RESPONSE 0x00000080U
#define SMILE_RECORD_CAUSE 0x00000f00U
#define SMILE_RECORD_ZERO 0x0000f000U
#define SMILE_RECORD_COUNT 0xffff0000U
/* word 1 */
#define SMILE_RECORD_SOURCE 0x0000ffffU
#define SMILE_RECORD_DESTINATION 0xffff0000U
/* word 3 */
#define SMILE_RECORD_ADDRESS_HIGH 0x0000ffffU
#define SMILE_RECORD_LENGTH_LESS_1 0x03ff0000U
#define SMILE_RECORD_INDEX 0xfc000000U
/* word 0 of an EVENT */
#define SMILE_RECORD_PHASE 0x00000010U

/*
 * Kinds of records. Zero is not a kind, so that an unwritten slot is never mistaken for a record.
 */
#define SMILE_KIND_DYNAMIC 1 /* swapped out of the dynamic array */
#define SMILE_KIND_STATIC 2 /* swapped out of the static array */
#define SMILE_KIND_OVERFLOW 3 /* a static counter that overflowed */
#define SMILE_KIND_EVENT 4 /* a global event or phase mark */
#define SMILE_KIND_TIME 5 /* the card's clock */
#define SMILE_KIND_LOST 6 /* number of events that were neither counted nor stored */
#define SMILE_KIND_TRACE 7 /* reserved for the trace instrument */

/* Transaction types. */
#define SMILE_TYPE_ANY 0 /* untyped tags: reads, writes and locks counted together */
#define SMILE_TYPE_READ 1
#define SMILE_TYPE_WRITE 2
#define SMILE_TYPE_LOCK 3
#define SMILE_TYPE_COUNT 4 /* types of a transaction */
#define SMILE_TYPE_EVENT 4 /* STATIC and OVERFLOW only: counts of global events */

/* Causes of a counting record. */
#define SMILE_CAUSE_CAPACITY 1 /* the array needed the entry for another range */
#define SMILE_CAUSE_OVERFLOW 2 /* the counter reached its maximum */
#define SMILE_CAUSE_SWAP 3 /* a SWAP_OUT that the user requested, or a phase mark */

/* Causes of an EVENT record. */
#define SMILE_RAISED_SOFTWARE 1 /* a register write */
#define SMILE_RAISED_TIMER 2 /* the card's timer */
#define SMILE_RAISED_BLINK 3 /* an event00 packet on the B-Link */

/*
 * Ids of the marks that the driver makes the card write after a running stream was interrupted.
 * ASLEEP: the machine was suspended, or the suspend failed. All counts were delivered before the
 * suspend, and packets that passed the B-Link during the suspend were not counted. RESET: the card
 * has lost its state through a bus error, through a reset, or after it did not respond. Counts that
 * were not delivered are lost, and their number is unknown, so the loss account of the stream
 * cannot be checked. After either mark, the card's clock may have restarted.
 */
#define SMILE_EVENT_ASLEEP 0xffffU
#define SMILE_EVENT_RESET 0xfffeU

/* The largest count of a counter or a record. A counter that reaches it is swapped out. */
#define SMILE_COUNT_MAX 65535U

/* Memory geometry. Source: "Design and Implementation Aspects" (2000), section III. */
#define SMILE_PAGE_BYTES 4096U
#define SMILE_WORD_BYTES 4U
#define SMILE_ADDRESS_BITS 48

/*
 * Filter: an event is accepted if its type bit, its request or response bit and its direction bit
 * are all set. The direction is relative to the card's own node id.
 */
#define SMILE_FILTER_READ 0x0001U
#define SMILE_FILTER_WRITE 0x0002U
#define SMILE_FILTER_LOCK 0x0004U
#define SMILE_FILTER_REQUEST 0x0010U
#define SMILE_FILTER_RESPONSE 0x0020U
#define SMILE_FILTER_INCOMING 0x0100U /* the target is the own node */
#define SMILE_FILTER_OUTGOING 0x0200U /* the source is the own node */
#define SMILE_FILTER_FOREIGN 0x0400U /* neither source nor destination is the card's node */
#define SMILE_FILTER_TYPES (SMILE_FILTER_READ | SMILE_FILTER_WRITE | SMILE_FILTER_LOCK)
#define SMILE_FILTER_PACKETS (SMILE_FILTER_REQUEST | SMILE_FILTER_RESPONSE)
#define SMILE_FILTER_DIRECTIONS                                                                    \
	(SMILE_FILTER_INCOMING | SMILE_FILTER_OUTGOING | SMILE_FILTER_FOREIGN)
#define SMILE_FILTER_ALL (SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS | SMILE_FILTER_DIRECTIONS)
/* Reset value: all requests. */
#define SMILE_FILTER_DEFAULT (SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST | SMILE_FILTER_DIRECTIONS)

/* Mode bits. */
#define SMILE_MODE_TYPED_TAGS 0x1U /* a tag contains the type; off: as on the historic card */
#define SMILE_MODE_ALIGNED 0x2U /* a range stays inside one max_range_bytes block of its page */
#define SMILE_MODE_FAITHFUL_TABLE 0x4U /* the historic 64 x 27 bit transaction table */
#define SMILE_MODE_STATIC 0x8U /* the static array counts */
#define SMILE_MODE_NO_DYNAMIC 0x10U /* the dynamic array does not count: its filter rejects all */
#define SMILE_MODE_NARROW 0x20U /* historic widths: 5-bit node ids, 28-bit addresses */
#define SMILE_MODE_HOST_RING 0x40U /* records go to host memory by DMA, not to the card's RAM */
#define SMILE_MODE_HOLD 0x80U /* hold the B-Link while the ring is full */
#define SMILE_MODE_ALL                                                                             \
	(SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED | SMILE_MODE_FAITHFUL_TABLE |                  \
	 SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC | SMILE_MODE_NARROW | SMILE_MODE_HOST_RING |    \
	 SMILE_MODE_HOLD)
#define SMILE_MODE_DEFAULT SMILE_MODE_TYPED_TAGS

/* Limits of a configuration. The card may have fewer entries than SMILE_ENTRIES_MAX. */
#define SMILE_MAX_RANGE_MIN 4U
#define SMILE_MAX_RANGE_MAX 4096U
#define SMILE_MAX_RANGE_DEFAULT 4U
#define SMILE_ENTRIES_MIN 1U
#define SMILE_ENTRIES_MAX 64U
#define SMILE_ENTRIES_DEFAULT 16U
#define SMILE_EVENTS 16U /* global event ids that can be phase marks or be counted: 0 to 15 */
#define SMILE_NARROW_NODE 0x1fU /* bits of a node id that SMILE_MODE_NARROW keeps */
#define SMILE_NARROW_ADDRESS 0x0fffffffU /* bits of an address that it keeps: 64K pages */

/**
 * struct smile_config - Configuration of the card's counting.
 * @size: sizeof(struct smile_config); the ioctl also accepts a larger size if all further bytes are
 *        zero; the library (smile/monitor.h) accepts only this size
 * @node: the card's own node id, 0 to 65535; with SMILE_MODE_NARROW, the library accepts only 0 to
 *        31
 * @filter: SMILE_FILTER_*
 * @mode: SMILE_MODE_*
 * @max_range_bytes: MAX_RANGE, a multiple of 4 from 4 to 4096
 * @entries: entries of the dynamic array to use, 1 to smile_info.entries_max
 * @phase_events: bit i is set if global event i is a phase mark (i from 0 to 15)
 * @reserved: zero
 * @timer_us: microseconds between timer events; 0: no timer events. If this, @time_us or
 *            @latency_us is above 0 and below SMILE_PERIOD_US_MIN, the driver returns EINVAL
 * @timer_event: the global event that the timer raises, 0 to 15
 * @time_us: microseconds between TIME records; 0: no TIME records
 * @watermark_records: number of unread records at which the reader is woken; 0: the driver uses a
 *                     quarter of the ring to which the card writes
 * @latency_us: number of microseconds after which the reader is woken if a record is unread; 0: the
 *              driver uses 10,000
 * @reserved2: zero
 *
 * The structure of the first version ended with @reserved. The ioctl still accepts its size, and
 * the later members are then zero.
 */
struct smile_config {
	__u32 size;
	__u32 node;
	__u32 filter;
	__u32 mode;
	__u32 max_range_bytes;
	__u32 entries;
	__u32 phase_events;
	__u32 reserved;
	__u32 timer_us;
	__u32 timer_event;
	__u32 time_us;
	__u32 watermark_records;
	__u32 latency_us;
	__u32 reserved2[3];
};

/*
 * The shortest time, other than 0, that the driver accepts. It limits the rate of records and
 * interrupts, because each period causes one of them.
 */
#define SMILE_PERIOD_US_MIN 10U

/*
 * The static array. A counter of the static array refers to the event that activates it, the event
 * that deactivates it, and the event that it counts, each by an id: ids 0 to 15 are the entries of
 * the event table, and ids 16 to 31 are the global events 0 to 15. Source: "Design and
 * Implementation Aspects" (2000), section IV.A; this project defines the layout of the words.
 */
#define SMILE_STATIC_PAGES 32U
#define SMILE_STATIC_EVENTS 16U
#define SMILE_STATIC_COUNTERS 16U
#define SMILE_STATIC_IDS 32U
#define SMILE_STATIC_GLOBAL 16U /* id of global event 0 */

/* page table */
#define SMILE_STATIC_PAGE_NUMBER 0x000fffffU /* address / SMILE_PAGE_BYTES */
#define SMILE_STATIC_PAGE_VALID 0x80000000U
#define SMILE_STATIC_PAGE_ALL 0x800fffffU
/* event table */
#define SMILE_STATIC_EVENT_PAGE 0x0000001fU /* entry of the page table */
#define SMILE_STATIC_EVENT_READ 0x00000020U
#define SMILE_STATIC_EVENT_WRITE 0x00000040U
#define SMILE_STATIC_EVENT_LOCK 0x00000080U
#define SMILE_STATIC_EVENT_REQUEST 0x00000100U
#define SMILE_STATIC_EVENT_RESPONSE 0x00000200U
#define SMILE_STATIC_EVENT_BOTTOM 0x000ffc00U /* first word of the range within the page */
#define SMILE_STATIC_EVENT_TOP 0x3ff00000U /* last word */
#define SMILE_STATIC_EVENT_VALID 0x80000000U
#define SMILE_STATIC_EVENT_ALL 0xbfffffffU
/* counters */
#define SMILE_STATIC_COUNTER_COUNT 0x0000001fU /* event id that is counted */
#define SMILE_STATIC_COUNTER_COUNT_VALID 0x00000020U
#define SMILE_STATIC_COUNTER_ACTIVATE 0x00001f00U /* event id that starts the counting */
#define SMILE_STATIC_COUNTER_ACTIVATE_VALID 0x00002000U /* 0: active from the beginning */
#define SMILE_STATIC_COUNTER_DEACTIVATE 0x001f0000U /* event id that ends the counting */
#define SMILE_STATIC_COUNTER_DEACTIVATE_VALID 0x00200000U
#define SMILE_STATIC_COUNTER_ALL 0x003f3f3fU

/**
 * struct smile_static - Tables that select what the static array counts.
 * @size: sizeof(struct smile_static); the ioctl also accepts a larger size if all further bytes are
 *        zero; the library (smile/monitor.h) accepts only this size
 * @reserved: zero
 * @page: SMILE_STATIC_PAGE_*
 * @node: home node of the page that has the same index in @page, 0 to 65535
 * @event: SMILE_STATIC_EVENT_*; TOP must not be below BOTTOM
 * @counter: SMILE_STATIC_COUNTER_*
 */
struct smile_static {
	__u32 size;
	__u32 reserved;
	__u32 page[SMILE_STATIC_PAGES];
	__u32 node[SMILE_STATIC_PAGES];
	__u32 event[SMILE_STATIC_EVENTS];
	__u32 counter[SMILE_STATIC_COUNTERS];
};

/**
 * struct smile_info - Properties and configuration of the card.
 * @size: in: sizeof(struct smile_info); out: number of bytes that were filled in
 * @abi: SMILE_ABI_VERSION of the driver
 * @card_version: register map version, major in bits 31-16, minor in 15-0
 * @entries_max: number of entries of the dynamic array
 * @static_counters: number of counters of the static array; 0 if the card has no static array
 * @card_ring_words: size of the card's dual-ported RAM, in 32-bit words
 * @ring_records: size of the driver's ring, in records
 * @page_bytes: size of a page of the mapping, in bytes
 * @status: SMILE_INFO_*
 * @features: SMILE_FEATURE_*
 * @config: the present configuration. It is the last member because it can grow, and its own @size
 *          is the number of its bytes that fit into the @size of this structure
 */
struct smile_info {
	__u32 size;
	__u32 abi;
	__u32 card_version;
	__u32 entries_max;
	__u32 static_counters;
	__u32 card_ring_words;
	__u32 ring_records;
	__u32 page_bytes;
	__u32 status;
	__u32 features;
	struct smile_config config;
};

#define SMILE_INFO_RUNNING 0x1U /* the card is counting */
#define SMILE_INFO_LINK 0x2U /* the B-Link has a clock: packets can arrive */
#define SMILE_INFO_OWNED 0x4U /* the stream has an owner */

#define SMILE_FEATURE_HOST_RING 0x1U /* SMILE_MODE_HOST_RING is possible */
#define SMILE_FEATURE_TIMER 0x2U /* timer events and TIME records are possible */

/**
 * struct smile_statistics - The card's and the driver's counters. Reading does not reset them.
 * @size: in: sizeof(struct smile_statistics); out: number of bytes that were filled in
 * @status: SMILE_INFO_*
 * @packets_seen: frames on the B-Link while the card was running
 * @packets_malformed: packets that were not a valid frame, or had an unknown command
 * @packets_unmatched: responses without a request
 * @packets_filtered: packets rejected by the filter
 * @packets_event: event00 frames
 * @events_accepted: events that passed the filter; seen = malformed + unmatched + filtered + event
 *                   + accepted
 * @events_lost: events that were neither counted nor stored
 * @events_delivered: sum of the counts written to the card's ring; after the array is swapped out,
 *                    delivered + lost = accepted
 * @marks_lost: EVENT records that could not be kept
 * @extensions: number of times that a range was extended
 * @records_written: records written to the card's ring
 * @clock_ns: the card's clock, which restarts after a suspend or a reset, as the times in records
 *            do
 * @records_drained: records moved into the driver's ring
 * @interrupts: interrupts that the driver has handled
 * @ring_full: number of times that the driver found its ring full
 * @static_counted: events counted by the static array
 * @static_delivered: sum of the counts of the static array's records; after the static array is
 *                    swapped out, it equals @static_counted
 * @resets: number of times that the card has lost its state and its counts through a bus error or a
 *          reset. Each time, the card's counters restart at 0, but @records_written and the
 *          driver's own counters continue. A program that needs totals must add the values that it
 *          read last before @resets changed
 *
 * All counters except @clock_ns continue after a suspend, because the driver adds the counts that
 * the card had before the suspend. If the owner of the stream calls SMILE_IOC_STATISTICS, the call
 * acknowledges losses and clears POLLERR.
 */
struct smile_statistics {
	__u32 size;
	__u32 status;
	__u64 packets_seen;
	__u64 packets_malformed;
	__u64 packets_unmatched;
	__u64 packets_filtered;
	__u64 packets_event;
	__u64 events_accepted;
	__u64 events_lost;
	__u64 events_delivered;
	__u64 marks_lost;
	__u64 extensions;
	__u64 records_written;
	__u64 clock_ns;
	__u64 records_drained;
	__u64 interrupts;
	__u64 ring_full;
	__u64 static_counted;
	__u64 static_delivered;
	__u64 resets;
};

/**
 * struct smile_time - The card's clock and the system's clock, read together.
 * @size: in: sizeof(struct smile_time); out: number of bytes that were filled in
 * @reserved: zero
 * @clock_ns: the card's clock, as in the records
 * @monotonic_raw_ns: CLOCK_MONOTONIC_RAW
 * @uncertainty_ns: @clock_ns was read within this many nanoseconds of @monotonic_raw_ns
 *
 * With such pairs of times, a program can convert the times in records of several nodes to one
 * clock.
 */
struct smile_time {
	__u32 size;
	__u32 reserved;
	__u64 clock_ns;
	__u64 monotonic_raw_ns;
	__u64 uncertainty_ns;
};

/**
 * struct smile_consumer - First page of the mapping, written by the consumer.
 * @tail: number of records that were consumed
 */
struct smile_consumer {
	__u64 tail;
};

/**
 * struct smile_producer - Second page of the mapping, written by the driver.
 * @abi: SMILE_ABI_VERSION
 * @ring_records: size of the ring, in records
 * @head: number of records that were produced
 * @card_lost: number of memory events that the card has lost, from its LOST records
 * @ring_lost: number of records that the driver has dropped; it is always 0, because records for
 *             which the ring has no room stay on the card
 */
struct smile_producer {
	__u32 abi;
	__u32 ring_records;
	__u64 head;
	__u64 card_lost;
	__u64 ring_lost;
};

/*
 * The ioctls return 0, or -1 with errno: ENODEV after the card is gone, ENOTTY for an unknown
 * command, EFAULT for a bad pointer, EINVAL for a value that is out of range or a size that is
 * smaller than that of the first version, and E2BIG if bytes after the last member that the driver
 * knows are not zero.
 *
 * All ioctls except INFO, STATIC_INFO, STATISTICS and TIME fail with EBADF if the file is not open
 * for writing, and with EIO if the stream is broken. While the card is frozen (see above), all
 * ioctls wait, even with O_NONBLOCK.
 *
 * INFO        read the card's properties
 * CONFIGURE   set the configuration; EBUSY while the card counts. The counters still in the
 *             arrays are first swapped out under the old configuration; this can fail with EAGAIN
 *             as SWAP can. If SMILE_MODE_HOST_RING changes, all records in the card's ring must
 *             first be moved to the driver's ring, so that records keep their order; EAGAIN if the
 *             ring has no room for them. EOPNOTSUPP if the configuration needs a ring in host
 *             memory, a static array or a timer, and this card or machine does not have it.
 * START       start counting; returns 0 even if the card already counts
 * STOP        stop counting; the counters stay in the arrays
 * STATIC      set the static array's tables, which are empty when the file is opened; EBUSY while
 *             the card counts, EAGAIN as for CONFIGURE, EOPNOTSUPP if it has no static array.
 *             After a suspend or a reset, counters with an activating event wait for this event
 *             again.
 * STATIC_INFO read the static array's tables
 * SWAP        write all counters, dynamic and static, to the card's ring (SWAP_OUT), and move all
 *             records from the card's ring to the driver's ring. EAGAIN if the driver's ring was
 *             full before all records were moved: consume records and call again. EINTR if a signal
 *             arrived first; EIO if the card does not finish.
 * STATIC_SWAP do the same for static counter *arg only: its count is delivered in records, and
 *             restarts at 0. EINVAL if the card does not have this counter, or counts without
 *             SMILE_MODE_STATIC; EOPNOTSUPP if the card does not support the call
 * EVENT       raise global event *arg, 0 to 65533. EAGAIN if another event, a swap, or, with
 *             SMILE_MODE_HOLD, earlier traffic is waiting for room on the card. If the B-Link or
 *             the card's timer raises an event during the call, and that event has to wait for
 *             room, the call returns 0, but event *arg is lost; marks_lost and the next LOST record
 *             include it.
 * STATISTICS  read the counters
 * TIME        read the card's clock and the system's clock together
 */
/*
 * Of the numbers of this magic, the card uses 0x40 to 0x5f, the trace instrument uses 0x60 to 0x7f,
 * and the kernel's rpmsg uses the first sixteen.
 */
#define SMILE_IOC_MAGIC 0xB5
#define SMILE_IOC_INFO _IOWR(SMILE_IOC_MAGIC, 0x40, struct smile_info)
#define SMILE_IOC_CONFIGURE _IOW(SMILE_IOC_MAGIC, 0x41, struct smile_config)
#define SMILE_IOC_START _IO(SMILE_IOC_MAGIC, 0x42)
#define SMILE_IOC_STOP _IO(SMILE_IOC_MAGIC, 0x43)
#define SMILE_IOC_SWAP _IO(SMILE_IOC_MAGIC, 0x44)
#define SMILE_IOC_EVENT _IOW(SMILE_IOC_MAGIC, 0x45, __u32)
#define SMILE_IOC_STATISTICS _IOWR(SMILE_IOC_MAGIC, 0x46, struct smile_statistics)
#define SMILE_IOC_STATIC _IOW(SMILE_IOC_MAGIC, 0x47, struct smile_static)
#define SMILE_IOC_STATIC_INFO _IOWR(SMILE_IOC_MAGIC, 0x48, struct smile_static)
#define SMILE_IOC_TIME _IOWR(SMILE_IOC_MAGIC, 0x49, struct smile_time)
#define SMILE_IOC_STATIC_SWAP _IOW(SMILE_IOC_MAGIC, 0x4a, __u32)

#endif /* _UAPI_SMILE_MONITOR_H */
