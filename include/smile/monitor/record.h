/* SPDX-License-Identifier: MIT */
/*
 * Records: what the card writes, decoded. Part of <smile/monitor.h>.
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
 * Monitor_poll() - Take in the records that are there, waiting for the first of them.
 * @timeout_ms: how long to wait; 0 not at all, negative without end. A capture from a pipe is read
 *              as far as it has arrived; for a pcapng capture the call waits
 *
 * Exact counts of a page that no view tells apart (Monitor_ranges_only(), for example) are taken in
 * as one.
 *
 * Return: records taken in; 0 if none came in time or the source has ended (Monitor_ended()).
 * Errors: -EINTR if a signal came first; -ENODEV if the card is gone; -EPROTO as
 * Monitor_records_read().
 */
int Monitor_poll(struct Monitor *mon, int timeout_ms);

/**
 * Monitor_records_read() - Take in records as Monitor_poll(), and hand them out.
 * @records: caller-owned, shape [@capacity]
 * @capacity: 1 at least
 * @timeout_ms: as of Monitor_poll()
 *
 * The records count in the histograms like records of Monitor_poll(). One that is invalid is handed
 * out and saved like the others, counts nowhere, and is reported by the next call's -EPROTO; if the
 * recording cannot be written, the next call says why (-ENOSPC, for example), and no more is
 * written. The call after that continues.
 *
 * Return: records filled in, at most @capacity.
 * Errors: -EINVAL for no capacity; as Monitor_poll().
 */
int Monitor_records_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
			 int timeout_ms);

/**
 * Monitor_ended() - Has the source ended?
 *
 * Return: 1 for a recording or capture read to its end; for a card, when its B-Link has no clock
 * and every record that the card wrote was taken in; 0 otherwise.
 */
int Monitor_ended(struct Monitor *mon);

/*
 * A kind that no card writes: an exact count, of a counting recording (Monitor_save_counts()). It
 * is laid out as a DYNAMIC record (uapi/smile_monitor.h) without cause and index; its count has 30
 * bits, the lowest and the middle ones in word 0, the highest in word 3. A count that is larger is
 * in several records, which add up.
 */
#define MONITOR_KIND_COUNT 8
#define MONITOR_COUNT_LOW 0xffff0000U
#define MONITOR_COUNT_MIDDLE 0x0000ff00U
#define MONITOR_COUNT_HIGH 0xfc000000U
#define MONITOR_COUNT_MAX 0x3fffffffU

/**
 * struct Monitor_record - A record, decoded. Members that a kind does not have are zero.
 * @kind: SMILE_KIND_*, or MONITOR_KIND_COUNT
 * @type: SMILE_TYPE_*
 * @response: not requests but responses were counted
 * @cause: SMILE_CAUSE_*, for an EVENT SMILE_RAISED_*
 * @index: counter index
 * @count: events counted
 * @source: source node; for an EVENT the node that raised it; for STATIC and OVERFLOW the card's
 * @destination: destination node
 * @address: start address, bytes
 * @length_bytes: length of the range
 * @event: event id; also of a STATIC or OVERFLOW of type SMILE_TYPE_EVENT
 * @phase: the event is a phase mark
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
 * Errors: -EPROTO for an unknown kind or impossible contents: what the card's datasheet says that
 * no record holds, and more than INT64_MAX events lost. A SMILE_KIND_TRACE has no contents yet.
 */
int Monitor_record_decode(const struct smile_record *record, struct Monitor_record *out);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_RECORD_H */
