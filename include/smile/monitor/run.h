/* SPDX-License-Identifier: MIT */
/*
 * Run: start, stop, feed and drain the source. Part of <smile/monitor.h>.
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
 * Monitor_start() - Begin to count.
 *
 * If Monitor_config_set() was not called before, the defaults are set first, with the node id that
 * the card has, and with SMILE_MODE_STATIC if Monitor_static_set() has set a counter.
 *
 * Return: 0, also if running.
 * Errors: -EOPNOTSUPP for a recording.
 */
int Monitor_start(struct Monitor *mon);

/**
 * Monitor_stop() - Stop counting.
 *
 * Counters stay in the card: call Monitor_swap() to get them.
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP for a recording; -ENODEV if the card is gone.
 */
int Monitor_stop(struct Monitor *mon);

/**
 * Monitor_swap() - Drain the card now.
 *
 * Writes every counter of the card to its ring (SWAP_OUT), and takes in all records that are there.
 *
 * Return: records taken in.
 * Errors: -EPROTO as Monitor_records_read(), once all is taken in; -EOPNOTSUPP for a recording;
 * -ENODEV if the card is gone.
 */
int Monitor_swap(struct Monitor *mon);

/**
 * Monitor_event() - Raise a global event; a phase mark, if so configured.
 * @event: 0 to 65533; 0 to 15 can be phase marks
 *
 * Return: 0.
 * Errors: -EAGAIN if the card's ring was full and could not keep it; -EOPNOTSUPP for a recording.
 */
int Monitor_event(struct Monitor *mon, unsigned int event);

/**
 * Monitor_packet() - Pass a B-Link frame to the emulated card of source "emu:".
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than the previous one
 *
 * Return: 0, whatever the card makes of the frame (see Monitor_statistics()).
 * Errors: -EOPNOTSUPP for any other source.
 */
int Monitor_packet(struct Monitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/**
 * struct Monitor_frame - A B-Link frame and its time.
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than that of the previous request
 */
struct Monitor_frame {
	const void *frame;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * Monitor_packets() - Pass many frames, one after another.
 * @frames: shape [@count]; not kept
 * @count: how many
 *
 * The same as Monitor_packet() for each, but faster.
 *
 * Return: frames that have passed: @count, or less if there is no memory for the records of the
 * next; at most INT_MAX.
 * Errors: -ENOMEM if none has passed for lack of memory; -EOPNOTSUPP as Monitor_packet().
 */
int Monitor_packets(struct Monitor *mon, const struct Monitor_frame *frames, size_t count);

/**
 * Monitor_request() - A request packet in one word, for Monitor_requests().
 * @source: requester's node id, below 64
 * @target: home node of @address, below 64
 * @type: SMILE_TYPE_READ, WRITE or LOCK; with 0 it is a malformed packet
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
 * @requests: as Monitor_request() makes them, shape [@count]; not kept
 * @times_ns: the time stamp of each, never less than that of the previous request, shape [@count]
 * @count: how many
 *
 * The same as Monitor_packets() with their frames, except that no response finds its request among
 * them. For traffic of up to 64 nodes whose responses are not counted.
 *
 * Return: as Monitor_packets().
 * Errors: as Monitor_packets().
 */
int Monitor_requests(struct Monitor *mon, const uint64_t *requests, const uint64_t *times_ns,
		     size_t count);

/**
 * Monitor_counted() - Pass requests to neighbouring blocks, each as often as its count, in no
 * order.
 * @request: one to the first block, as Monitor_request() makes it
 * @counts: how often this block, the next and so on were requested, shape [@count]; some may be 0
 * @count: blocks, as long as the configuration's range; all of them in one page
 * @time_ns: when the last of the requests passed
 *
 * For a caller that has counted requests itself, and a recording of exact counts: after
 * Monitor_record_only() and Monitor_save_counts(). The recording, the card's counters and the loss
 * account are the same as if each request had passed by Monitor_requests(), except that the card
 * has neither extended ranges nor swapped out counters. The static array must not count. All
 * requests belong to the phase that has not ended.
 *
 * Return: 0.
 * Errors: -EINVAL without Monitor_save_counts(), or for blocks in two pages; -EOPNOTSUPP without
 * Monitor_record_only(), or as Monitor_packet(); -ENOMEM; as write(2) if the recording cannot be
 * written: nothing more is written then.
 */
int Monitor_counted(struct Monitor *mon, uint64_t request, const uint32_t *counts, size_t count,
		    uint64_t time_ns);

/**
 * Monitor_counted_until() - Report that the recording's file holds all that passed before.
 * @time_ns: the card's clock: struct Monitor_origin has it if the recording is not closed
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
