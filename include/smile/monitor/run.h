/* SPDX-License-Identifier: MIT */
/*
 * Run: functions that start, stop, feed and drain the source. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_RUN_H
#define SMILE_MONITOR_RUN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_start() - Start counting.
 *
 * If Monitor_config_set() was not called before, the call first sets the defaults, with the card's
 * own node id, and with SMILE_MODE_STATIC if Monitor_static_set() has set a counter.
 *
 * Return: 0, even if the card already counts.
 * Errors: -EOPNOTSUPP for a recording.
 */
int Monitor_start(struct Monitor *mon);

/**
 * Monitor_stop() - Stop counting.
 *
 * The counters stay in the card until Monitor_swap() takes them in.
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP for a recording; -ENODEV if the card is gone.
 */
int Monitor_stop(struct Monitor *mon);

/**
 * Monitor_swap() - Drain the card now.
 *
 * The call makes the card write every counter to its ring (SWAP_OUT), and reads all available
 * records.
 *
 * Return: the number of records that were read.
 * Errors: -EPROTO as for Monitor_records_read(), after all records were read; -EOPNOTSUPP for a
 * recording; -ENODEV if the card is gone.
 */
int Monitor_swap(struct Monitor *mon);

/**
 * Monitor_event() - Raise a global event, which is a phase mark if the configuration makes it one.
 * @event: id of the event, 0 to 65533; only events 0 to 15 can be phase marks
 *
 * Return: 0.
 * Errors: -EAGAIN if the card's ring was full and the event was lost; -EOPNOTSUPP for a recording.
 */
int Monitor_event(struct Monitor *mon, unsigned int event);

/**
 * Monitor_packet() - Pass a B-Link frame to the emulated card of source "emu:".
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than the time stamp of the previous frame
 *
 * Return: 0, even if the card rejects the frame (see Monitor_statistics()).
 * Errors: -EOPNOTSUPP for any other source.
 */
int Monitor_packet(struct Monitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/**
 * struct Monitor_frame - A B-Link frame and its time stamp.
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than the time stamp of the previous frame
 */
struct Monitor_frame {
	const void *frame;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * Monitor_packets() - Pass many frames, one after another.
 * @frames: shape [@count]; not kept
 * @count: number of frames
 *
 * The call has the same effect as Monitor_packet() for each frame, but is faster.
 *
 * Return: the number of frames that were passed, at most INT_MAX. It is less than @count if there
 * was no memory for the records of the next frame.
 * Errors: -ENOMEM if no frame could be passed for lack of memory; -EOPNOTSUPP as for
 * Monitor_packet().
 */
int Monitor_packets(struct Monitor *mon, const struct Monitor_frame *frames, size_t count);

/**
 * Monitor_request() - Encode a request packet in one word, for Monitor_requests().
 * @source: requester's node id, below 64
 * @target: home node of @address, below 64
 * @type: SMILE_TYPE_READ, WRITE or LOCK; 0 results in a malformed packet
 * @address: byte address, below 2^48
 *
 * Bits beyond these limits are ignored.
 *
 * Context: any thread.
 * Return: the word.
 */
uint64_t Monitor_request(unsigned int source, unsigned int target, unsigned int type,
			 uint64_t address);

/**
 * Monitor_requests() - Pass many requests, one after another.
 * @requests: words made by Monitor_request(), shape [@count]; not kept
 * @times_ns: the time stamps of the requests, which must not decrease, shape [@count]
 * @count: number of requests
 *
 * The call has the same effect as Monitor_packets() with the frames of these requests, except that
 * the card does not match responses with these requests. Use the call for traffic of up to 64 nodes
 * if responses are not counted.
 *
 * Return: as for Monitor_packets().
 * Errors: as for Monitor_packets().
 */
int Monitor_requests(struct Monitor *mon, const uint64_t *requests, const uint64_t *times_ns,
		     size_t count);

/**
 * Monitor_counted() - Pass counted requests to neighbouring blocks, in no particular order.
 * @request: request to the first block, made by Monitor_request()
 * @counts: number of requests to the first block, the next block and so on, shape [@count];
 *          elements may be 0
 * @count: number of blocks, each as long as the configuration's range; all in one page
 * @time_ns: time stamp of the last request
 *
 * This call is for a caller that has counted the requests itself, and that writes a recording of
 * exact counts. The caller must first call Monitor_record_only() and Monitor_save_counts(). The
 * static array must be off. The recording, the card's counters and the loss account are then the
 * same as if Monitor_requests() had passed each request, except that the card neither extends
 * ranges nor swaps out counters. All requests belong to the current phase.
 *
 * Return: 0.
 * Errors: -EINVAL without Monitor_save_counts(), or for blocks in two pages; -EOPNOTSUPP without
 * Monitor_record_only(), or as for Monitor_packet(); -ENOMEM; as write(2) if the recording cannot
 * be written; no further records are then written.
 */
int Monitor_counted(struct Monitor *mon, uint64_t request, const uint32_t *counts, size_t count,
		    uint64_t time_ns);

/**
 * Monitor_counted_until() - Report the time up to which the recording's file holds all passed
 * requests.
 * @time_ns: the time, by the card's clock. If the recording is never closed, struct Monitor_origin
 *           reports this time as @until_ns
 *
 * Return: 0.
 * Errors: -EINVAL without Monitor_save_counts(); as write(2) if the recording cannot be written.
 */
int Monitor_counted_until(struct Monitor *mon, uint64_t time_ns);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_RUN_H */
