/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The processing of packets in the card: decoder, filter, arrays.
 *
 * What lives here: the general path of a packet, and the choice between this path and the fast path
 * (fast_path.h). In the state machine of the 2000 paper, figure 9, Forward is the filter, Busy is
 * dynamic_count(), and Swap and Swap_All are the steps of card_settle().
 */
#include <base/field.h>

#include "emu/card/filter.h"
#include "emu/card/card_inside.h"

static inline uint32_t count_event(struct card *card, uint64_t address, uint32_t nodes,
				   uint32_t kind)
{
	struct dynamic_array *array = &card->dynamic;

	if (array->index.count)
		return array->index.count(array, address, nodes, kind);
	return dynamic_count_unindexed(array, &card->config, address, nodes, kind);
}

#define INLINE static inline
#define LANE_COUNT(card, address, nodes, kind, how, width) count_event(card, address, nodes, kind)
#define LANE_EVICT dynamic_evict
#include "emu/card/fast_path.h"

/* ---- the general path ---- */

/* Pass a transaction to the filter and to the two arrays. */
static void transact(struct card *card, struct blink_event *event)
{
	uint32_t mode = card->config.mode;
	bool passes = filter_passes(card, event);

	if (!passes && !(mode & SMILE_MODE_STATIC)) {
		card->count.filtered++;
		return;
	}
	if (event->class == BLINK_CLASS_RESPONSE &&
	    !transaction_table_find(&card->transactions, mode & SMILE_MODE_FAITHFUL_TABLE, event)) {
		if (passes)
			card->count.unmatched++;
		else
			card->count.filtered++;
		return;
	}
	if (mode & SMILE_MODE_STATIC)
		static_count(card, event);
	if (!passes || !filter_passes_type(card, event)) {
		card->count.filtered++;
		if (!card->statics.owing)
			return;
	} else {
		card->count.accepted++;
		if (card->swapping ||
		    !dynamic_count(&card->dynamic, &card->config, event, &card->count.extensions))
			card_lose(card);
	}
	card_settle(card);
}

void card_pass(struct card *card, const void *frame, size_t bytes)
{
	struct blink_event event;

	card->count.seen++;
	blink_decode(&card->transactions, frame, bytes, card->config.mode & SMILE_MODE_NARROW,
		     &event);
	switch (event.class) {
	case BLINK_CLASS_MALFORMED:
		card->count.malformed++;
		return;
	case BLINK_CLASS_EVENT:
		card->count.event++;
		card_raise(card, (uint16_t)event.address, event.source, SMILE_RAISED_BLINK);
		return;
	default:
		transact(card, &event);
	}
}

/* Decode a request that is given as one word. Return: whether the request is valid. */
static bool request_decode(const struct card *card, uint64_t request, struct blink_event *event)
{
	*event = (struct blink_event){
		.class = BLINK_CLASS_REQUEST,
		.type = (uint8_t)SMILE_GET(BLINK_REQUEST_TYPE, request),
		.source = (uint16_t)SMILE_GET(BLINK_REQUEST_SOURCE, request),
		.target = (uint16_t)SMILE_GET(BLINK_REQUEST_TARGET, request),
		.address = SMILE_GET(BLINK_REQUEST_ADDRESS, request),
	};

	if (card->config.mode & SMILE_MODE_NARROW) {
		event->source &= SMILE_NARROW_NODE;
		event->target &= SMILE_NARROW_NODE;
		event->address &= SMILE_NARROW_ADDRESS;
	}
	return blink_type_valid(event->type);
}

static void pass_request(struct card *card, uint64_t request)
{
	struct blink_event event;

	card->count.seen++;
	if (request_decode(card, request, &event))
		transact(card, &event);
	else
		card->count.malformed++;
}

bool card_blink_counted(struct card *card, uint64_t request, uint64_t count,
			struct blink_event *event)
{
	if (!(card->control & SMILE_CONTROL_ENABLE))
		return false;
	card->count.seen += count;
	if (!request_decode(card, request, event)) {
		card->count.malformed += count;
		return false;
	}
	if (!filter_passes(card, event) || !filter_passes_type(card, event)) {
		card->count.filtered += count;
		return false;
	}
	card->count.accepted += count;
	card->count.delivered += count;
	if (!(card->config.mode & SMILE_MODE_TYPED_TAGS))
		event->type = SMILE_TYPE_ANY;
	return true;
}

/* ---- the calls ---- */

/* Check whether packets can take the fast path. */
static bool fast_path_open(const struct card *card)
{
	const uint32_t other_modes = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC | SMILE_MODE_NARROW;

	return card->control & SMILE_CONTROL_ENABLE && !(card->config.mode & other_modes) &&
	       ring_room(card);
}

/*
 * Process packets on the fast path, as far as possible. Return: the number of packets that were
 * processed.
 */
static size_t run(struct card *card, const struct card_frame *frames, size_t count)
{
	if (!fast_path_open(card))
		return 0;
	if (card->dynamic.index.count)
		return card->dynamic.index.fast_path(card, frames, count);
	return fast_path_run(card, frames, count, SEARCH_HOWS, SEARCH_WIDTHS);
}

/*
 * This function must not be inlined. Otherwise the code for requests would slow down the code for
 * packets that the filter rejects.
 */
static __attribute__((noinline)) void
request(struct card *card, const struct blink_command *command, uint64_t bd1, uint64_t bd2)
{
	uint32_t quiet = 0;

	card->count.seen++;
	fast_path_request(card, command, bd1, bd2, &quiet, SEARCH_HOWS, SEARCH_WIDTHS);
}

void card_blink_packet(struct card *card, const void *frame, size_t bytes)
{
	if (fast_path_open(card) && blink_length_valid(bytes)) {
		uint64_t bd1 = blink_bd1(frame);
		const struct blink_command *command = blink_command_of(bd1);

		if (command->class == BLINK_CLASS_REQUEST) {
			request(card, command, bd1, blink_bd2(frame));
			return;
		}
		if (command->filter & ~card->config.filter) {
			card->count.seen++;
			card->count.filtered++;
			return;
		}
	}
	if (card->control & SMILE_CONTROL_ENABLE)
		card_pass(card, frame, bytes);
}

size_t card_blink_packets(struct card *card, const struct card_frame *frames, size_t count)
{
	size_t i = 0;

	while (i < count) {
		i += run(card, frames + i, count - i);
		if (i == count || !card_ready(card) || !card_advance(card, frames[i].time_ns) ||
		    !card_ready(card))
			break;
		card_pass(card, frames[i].frame, frames[i].bytes);
		i++;
	}
	return i;
}

size_t card_blink_requests(struct card *card, const uint64_t *requests, const uint64_t *times_ns,
			   size_t count)
{
	size_t i = 0;

	while (i < count && card_ready(card) && card_advance(card, times_ns[i]) && card_ready(card))
		pass_request(card, requests[i++]);
	return i;
}
