/* SPDX-License-Identifier: MIT */
/*
 * Records: the data that the card writes, decoded. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_RECORD_H
#define SMILE_MONITOR_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_poll() - Wait for the first record, then read and count all available records.
 * @timeout_ms: time limit; 0: do not wait; negative: no limit. If the source is a capture on a
 *              pipe, the call reads the data that has arrived. For a pcapng capture, the call waits
 *              regardless of the limit
 *
 * If no view needs the counts of single blocks of a page, for example after Monitor_ranges_only(),
 * the call combines the exact counts of the page's blocks to one count.
 *
 * Return: the number of records that were read; 0 if no record arrived in time or the source has
 * ended (Monitor_ended()).
 * Errors: -EINTR if a signal arrived first; -ENODEV if the card is gone; -EPROTO as for
 * Monitor_records_read().
 */
int Monitor_poll(struct Monitor *mon, int timeout_ms);

/**
 * Monitor_records_read() - Read and count records as Monitor_poll() does, and return them.
 * @records: receives the records; caller-owned array of @capacity elements
 * @capacity: at least 1
 * @timeout_ms: as for Monitor_poll()
 *
 * The records count in the histograms like records of Monitor_poll(). The call returns and saves an
 * invalid record like other records, but does not count it, and the next call fails with -EPROTO.
 * If the recording being saved cannot be written, the next call fails with the error, for example
 * -ENOSPC, and no further records are written. After either failure, the following call returns the
 * next records.
 *
 * Return: the number of records filled in, at most @capacity.
 * Errors: -EINVAL if @capacity is 0; and as Monitor_poll().
 */
int Monitor_records_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
			 int timeout_ms);

/**
 * Monitor_ended() - Check whether the source has ended.
 *
 * Return: 1 if a recording or capture was read to its end, or if a card's B-Link has no clock and
 * all records that the card has written were read; 0 otherwise.
 */
int Monitor_ended(struct Monitor *mon);

/*
 * A record kind that no card writes. A record of this kind holds an exact count of a counting
 * recording (Monitor_save_counts()). The record has the layout of a DYNAMIC record
 * (uapi/smile_monitor.h) without cause and index. Its count has 30 bits: the low and middle bits
 * are in word 0, the high bits in word 3. A larger count is split into several records.
 */
#define MONITOR_KIND_COUNT 8
#define MONITOR_COUNT_LOW 0xffff0000U
#define MONITOR_COUNT_MIDDLE 0x0000ff00U
#define MONITOR_COUNT_HIGH 0xfc000000U
#define MONITOR_COUNT_MAX 0x3fffffffU

/**
 * struct Monitor_record - A decoded record. Members that do not apply to its kind are zero.
 * @kind: SMILE_KIND_*, or MONITOR_KIND_COUNT
 * @type: SMILE_TYPE_*
 * @response: 1: responses were counted instead of requests
 * @cause: SMILE_CAUSE_*; for an EVENT, SMILE_RAISED_*
 * @index: counter index
 * @count: events counted
 * @source: source node; for an EVENT, the node that raised the event; for STATIC and OVERFLOW, the
 *          card's node
 * @destination: destination node
 * @address: start address, bytes
 * @length_bytes: length of the range
 * @event: event id of an EVENT, and of a STATIC or OVERFLOW of type SMILE_TYPE_EVENT
 * @phase: 1: the event is a phase mark
 * @time_ns: the card's clock
 * @lost: memory events lost
 * @marks_lost: EVENT records lost
 */
struct Monitor_record {
	unsigned int kind;
	unsigned int type;
	unsigned int response;
	unsigned int cause;
	unsigned int index;
	unsigned int count;
	unsigned int source;
	unsigned int destination;
	uint64_t address;
	unsigned int length_bytes;
	unsigned int event;
	unsigned int phase;
	uint64_t time_ns;
	uint64_t lost;
	uint64_t marks_lost;
};

/**
 * Monitor_record_decode() - Decode a record.
 * @record: the record
 * @out: receives the decoded record
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EPROTO for an unknown kind, for contents that the card's datasheet excludes, or for more
 * than INT64_MAX lost events. No contents are defined yet for a record of kind SMILE_KIND_TRACE.
 */
int Monitor_record_decode(const struct smile_record *record, struct Monitor_record *out);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_RECORD_H */
