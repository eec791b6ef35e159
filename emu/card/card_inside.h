/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: the calls between its files.
 *
 * What lives here: the calls between decoder, the two arrays, the timer, the rings and card.c. The
 * environment uses only card.h.
 */
#ifndef EMU_CARD_CARD_INSIDE_H
#define EMU_CARD_CARD_INSIDE_H

#include "emu/card/blink.h"
#include "emu/card/card.h"
#include "emu/card/dynamic_range_table.h"
#include "emu/card/ring.h"

/* ---- static.c: the static FRL ---- */

void static_reset(struct static_array *array);

/*
 * Read or write the array's registers. A write returns false if there is no such register, or the
 * value is impossible.
 */
uint32_t static_read(const struct static_array *array, uint32_t offset);
bool static_write(struct static_array *array, uint32_t offset, uint32_t value);

/* Is every counter 0, and has no counter owed or taken counts? */
bool static_empty(const struct static_array *array);

/* Count a transaction. */
void static_count(struct card *card, const struct blink_event *event);

/* Count a global event that has happened @times times, if the array counts and has an id for it. */
void static_global(struct card *card, uint16_t event, uint64_t times);

/* Take the counts of all counters, at one moment, for the ring. */
void static_take(struct static_array *array);

/* The same for counter @index only. */
void static_take_one(struct static_array *array, uint32_t index);

/*
 * Write the next record of taken counts (if @waiting is not 0), or of owed counts (if @owing is not
 * 0).
 */
void static_put_taken(struct card *card);
void static_put_owed(struct card *card);

/* ---- host_ring.c: the ring in host memory ---- */

void host_ring_reset(struct host_ring *ring);

/* Do its registers allow records to be written? */
bool host_ring_usable(const struct host_ring *ring);

bool host_ring_size_valid(uint32_t records);

/* See ring_consume() and ring_put(). */
bool host_ring_consume(struct host_ring *ring, uint32_t pointer);
bool host_ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS]);

/* ---- timer.c: the clock, timer events and TIME records ---- */

void timer_reset(struct card_timer *timer);

/* Handle a change of CONTROL.ENABLE. */
void timer_enable(struct card *card, bool enable);

/* ---- card.c: what joins them ---- */

/*
 * Write the record of an entry of the range table to the ring, which must have room, and free the
 * entry.
 */
void card_put_entry(struct card *card, int index, uint32_t cause);

/* Count a memory event that could not be counted as lost. */
void card_lose(struct card *card);

/* Do the work that waits for room in the ring, as far as there is room. */
void card_settle(struct card *card);

/* Raise a global event. */
void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised);

/*
 * Count as lost the marks of global event @event, which was raised @times times while another
 * event's mark is kept.
 */
void card_lose_marks(struct card *card, uint16_t event, uint64_t times);

/* Swap out the arrays that @command, SMILE_COMMAND_*, names. */
void card_swap(struct card *card, uint32_t command);

/* Set bits of INT_STATUS, or none, and update the interrupt line. */
void card_interrupt(struct card *card, uint32_t causes);

/* ---- packets.c: the way of a packet ---- */

/* Pass a packet on the general path, while the card is enabled. */
void card_pass(struct card *card, const void *frame, size_t bytes);

#endif /* EMU_CARD_CARD_INSIDE_H */
