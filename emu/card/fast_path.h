/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fast path: the path through the card that most packets take.
 *
 * What lives here: the processing of requests that only the dynamic array counts, and of responses
 * that the filter rejects. It is used while the ring has room and no work is waiting. The result is
 * the same as on the general path in packets.c. Before the fast path begins, the card has checked
 * all conditions that do not depend on the packet. packets.c includes this file for single packets,
 * and each search of the range table includes it for many packets. The including file defines:
 *
 *	INLINE		how functions are inlined
 *	LANE_COUNT()	counts an event in the range table; returns SEARCH_*
 *	LANE_EVICT()	frees the least recently used entry of the full table, like dynamic_evict()
 */
#include <base/field.h>

#include "emu/card/card_inside.h"

/* The distance in bytes at which memory is prefetched. Most frames are adjacent in memory. */
#define LANE_AHEAD 2048

/*
 * Write the record of an entry of the full table to the ring, and free the entry. @quiet: the
 * number of records that ring_put_quietly() can still write, from ring_quiet(); 0: call
 * ring_quiet() again. Return: false if the remaining packets must take the general path.
 */
INLINE bool fast_path_evict(struct card *card, uint32_t *quiet)
{
	uint32_t word[SMILE_RECORD_WORDS];

	if (!*quiet)
		*quiet = ring_quiet(card);
	if (!*quiet) {
		card_put_entry(card, dynamic_victim(&card->dynamic, card->config.entries),
			       SMILE_CAUSE_CAPACITY);
		return ring_room(card);
	}
	--*quiet;
	card->count.delivered += LANE_EVICT(&card->dynamic, word);
	ring_put_quietly(card, word);
	return true;
}

/* Get the bit of register FILTER that a request needs for its direction. */
INLINE uint32_t fast_path_direction(const struct card *card, uint16_t source, uint16_t target)
{
	if (target == card->config.node)
		return SMILE_FILTER_INCOMING;
	return source == card->config.node ? SMILE_FILTER_OUTGOING : SMILE_FILTER_FOREIGN;
}

/*
 * Count a request that the filter has accepted. Return: false if the next packet must take the
 * general path.
 */
INLINE bool fast_path_accept(struct card *card, uint64_t address, uint32_t nodes, uint32_t kind,
			     uint32_t *quiet, enum search_how how, enum search_width width)
{
	uint32_t result;

	card->count.accepted++;
	result = LANE_COUNT(card, address, nodes, kind, how, width);
	if (result == SEARCH_COUNTED)
		return true;
	if (result == (SEARCH_COUNTED | SEARCH_FULL))
		return fast_path_evict(card, quiet);
	if (result & SEARCH_EXTENDED)
		card->count.extensions++;
	if (result == (SEARCH_COUNTED | SEARCH_EXTENDED))
		return true;
	if (!(result & SEARCH_COUNTED))
		card_lose(card);
	card_settle(card);
	return false;
}

/* Process a request. Return: false if the next packet must take the general path. */
INLINE bool fast_path_request(struct card *card, const struct blink_command *command, uint64_t bd1,
			      uint64_t bd2, uint32_t *quiet, enum search_how how,
			      enum search_width width)
{
	uint16_t source = (uint16_t)SMILE_GET(BLINK_BD1_SOURCE, bd1);
	uint16_t target = (uint16_t)SMILE_GET(BLINK_BD1_TARGET, bd1);
	uint64_t address = SMILE_GET(BLINK_BD2_ADDRESS, bd2);
	uint32_t need = command->filter, refused = ~card->config.filter;

	transaction_table_enter(&card->transactions, command, source,
				(uint32_t)SMILE_GET(BLINK_BD1_TRANSACTION, bd1), address);
	if (refused & SMILE_FILTER_DIRECTIONS)
		need |= fast_path_direction(card, source, target);
	if (refused & need) {
		card->count.filtered++;
		return true;
	}
	return fast_path_accept(card, address, search_nodes(source, target),
				search_kind(command->type, false), quiet, how, width);
}

/* Process many packets, each at its time. Return: the number of packets that were processed. */
INLINE size_t fast_path_run(struct card *card, const struct card_frame *frames, size_t count,
			    enum search_how how, enum search_width width)
{
	const struct card_frame *frame = frames, *end = frames + count;
	uint32_t quiet = 0;

	for (; frame < end; frame++) {
		const struct blink_command *command;
		uint64_t bd1;

		if (frame->time_ns >= card->timer.deadline || !blink_length_valid(frame->bytes))
			break;
		if (frame->time_ns > card->count.clock_ns)
			card->count.clock_ns = frame->time_ns;
		__builtin_prefetch((const uint8_t *)frame->frame + LANE_AHEAD);
		bd1 = blink_bd1(frame->frame);
		command = blink_command_of(bd1);
		if (command->class == BLINK_CLASS_REQUEST) {
			if (fast_path_request(card, command, bd1, blink_bd2(frame->frame), &quiet,
					      how, width))
				continue;
			frame++;
			break;
		}
		if (!(command->filter & ~card->config.filter))
			break;
		card->count.filtered++;
	}
	card->count.seen += (uint64_t)(frame - frames);
	return (size_t)(frame - frames);
}
