/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: what its parts see of each other.
 *
 * What lives here: the calls between decoder, range table, ring and the card that joins them. Not
 * for the surroundings, who use card.h alone.
 */
#ifndef EMU_CARD_PARTS_H
#define EMU_CARD_PARTS_H

#include "emu/card/card.h"

/* ---- blink.c: the B-Link decoder ---- */

void blink_reset(struct blink_decoder *decoder);

/*
 * Decode a frame. A request is entered in the transaction tables; a response is not yet looked up.
 */
void blink_decode(struct blink_decoder *decoder, const uint8_t *frame, size_t bytes,
		  struct blink_event *event);

/*
 * Look up the request of a response and complete @event with its address and type. Return: false if
 * there is none, which only the source-keyed table can tell.
 */
bool blink_lookup(struct blink_decoder *decoder, bool faithful, struct blink_event *event);

/* ---- dynamic.c: the dynamic FRL's range table ---- */

void dynamic_reset(struct dynamic_array *array);

/*
 * Count an event. Return: false if it could not be counted, because its entry is saturated or there
 * is neither an entry that matches nor a free one.
 */
bool dynamic_count(struct dynamic_array *array, const struct smile_config *config,
		   const struct blink_event *event, uint64_t *extensions);

/* Each returns an entry's index, or -1 if there is no such entry. */
int dynamic_saturated(const struct dynamic_array *array, uint32_t entries);
int dynamic_first_valid(const struct dynamic_array *array, uint32_t entries);
int dynamic_victim(const struct dynamic_array *array, uint32_t entries);

/* Write the record of entry @index into @word and free the entry. Return: its count. */
uint32_t dynamic_take(struct dynamic_array *array, int index, uint32_t cause,
		      uint32_t word[SMILE_RECORD_WORDS]);

/* ---- ring.c: the swap ring ---- */

void ring_reset(struct swap_ring *ring);

bool ring_full(const struct swap_ring *ring);

/* Append a record; the ring must not be full. */
void ring_put(struct swap_ring *ring, const uint32_t word[SMILE_RECORD_WORDS]);

/* The host has read as far as @pointer. Return: false if that is impossible; nothing changes. */
bool ring_consume(struct swap_ring *ring, uint32_t pointer);

/* ---- card.c: what joins them ---- */

/* Do what was waiting for room in the ring, as far as there is room. */
void card_settle(struct card *card);

/* Raise a global event. */
void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised);

/* Swap_All. */
void card_swap(struct card *card);

/* Something that the interrupt line depends on has changed. */
void card_interrupt(struct card *card);

#endif /* EMU_CARD_PARTS_H */
