/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The filter: decide which packets become memory events.
 *
 * What lives here: the comparison of a packet with register FILTER. fast_path.h, the path that most
 * packets take, has its own comparison for requests. May use blink_decoder.h and card.h.
 */
#ifndef EMU_CARD_FILTER_H
#define EMU_CARD_FILTER_H

#include "emu/card/blink_decoder.h"
#include "emu/card/card.h"

/* Check whether the filter accepts a packet with the class and direction of @event. */
static inline bool filter_passes(const struct card *card, const struct blink_event *event)
{
	uint32_t filter = card->config.filter;
	uint32_t mode = card->config.mode;
	uint32_t node = card->config.node;
	uint32_t need =
		event->class == BLINK_CLASS_RESPONSE ? SMILE_FILTER_RESPONSE : SMILE_FILTER_REQUEST;

	if (mode & SMILE_MODE_NARROW)
		node &= SMILE_NARROW_NODE;
	if (event->target == node)
		need |= SMILE_FILTER_INCOMING;
	else if (event->source == node)
		need |= SMILE_FILTER_OUTGOING;
	else
		need |= SMILE_FILTER_FOREIGN;
	return (filter & need) == need && !(mode & SMILE_MODE_NO_DYNAMIC);
}

/* Check whether the filter accepts a transaction with the type of @event. */
static inline bool filter_passes_type(const struct card *card, const struct blink_event *event)
{
	static const uint32_t bit[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = SMILE_FILTER_READ,
		[SMILE_TYPE_WRITE] = SMILE_FILTER_WRITE,
		[SMILE_TYPE_LOCK] = SMILE_FILTER_LOCK,
	};

	return card->config.filter & bit[event->type];
}

#endif /* EMU_CARD_FILTER_H */
