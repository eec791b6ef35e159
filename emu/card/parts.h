/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: what its parts see of each other.
 *
 * What lives here: the calls between decoder, the two arrays, the timer, the rings and the card that
 * joins them. Not for the surroundings, who use card.h alone; but who loads a saved card checks it
 * with these, and calls dynamic_restore().
 */
#ifndef EMU_CARD_PARTS_H
#define EMU_CARD_PARTS_H

#include "emu/card/card.h"
#include "emu/card/dynamic.h"

/* ---- blink.c: the B-Link decoder ---- */

void blink_reset(struct blink_decoder *decoder);

/*
 * Decode a frame, with the historic widths if @narrow. A request is entered in the transaction
 * tables; a response is not yet looked up.
 */
void blink_decode(struct blink_decoder *decoder, const uint8_t *frame, size_t bytes, bool narrow,
		  struct blink_event *event);

/*
 * Look up the request of a response and complete @event with its address and type. Return: false if
 * there is none, which only the source-keyed table can tell.
 */
bool blink_lookup(struct blink_decoder *decoder, bool faithful, struct blink_event *event);

/* ---- static.c: the static FRL ---- */

void static_reset(struct static_array *array);

/* Its registers. A write is refused (false) where there is none, or for an impossible value. */
uint32_t static_read(const struct static_array *array, uint32_t offset);
bool static_write(struct static_array *array, uint32_t offset, uint32_t value);

/* Is every counter 0, with nothing owed and nothing taken? */
bool static_empty(const struct static_array *array);

/* Count a transaction. */
void static_count(struct card *card, const struct blink_event *event);

/* Count a global event that has happened @times times, if the array works and has an id for it. */
void static_global(struct card *card, uint16_t event, uint64_t times);

/* Take what all counters hold, in one instant, for the ring. */
void static_take(struct static_array *array);

/*
 * Write the next record of what was taken (@waiting is not 0), or of what is owed (@owing is not 0).
 */
void static_put_taken(struct card *card);
void static_put_owed(struct card *card);

/* ---- ring.c: the ring in use, and the one in the dual-ported RAM ---- */

/* Of the ring in use. It can have no room without being full: the bus may have refused it. */
bool ring_full(const struct card *card);
bool ring_room(const struct card *card);

/*
 * Append a record to the ring in use, which has room. Return: false if the bus refused it; the
 * caller then keeps what the record tells, and there is no room any more.
 */
bool ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS]);

/*
 * The host has read the ring in the dual-ported RAM, or the one in host memory, as far as @pointer.
 * Return: false if that is impossible; nothing changes.
 */
bool ring_consume(struct card *card, uint32_t pointer);
bool ring_consume_host(struct card *card, uint32_t pointer);

/* The latency timer, for the ring in use: start it anew, or stop it if nothing is unread. */
void ring_start_latency(struct card *card);
void ring_stop_latency(struct card *card);

/* ---- host_ring.c: the ring in host memory ---- */

void host_ring_reset(struct host_ring *ring);

uint32_t host_ring_unread(const struct host_ring *ring);
bool host_ring_full(const struct host_ring *ring);

/* Can records be written to it, its registers being what they are? */
bool host_ring_usable(const struct host_ring *ring);

bool host_ring_size_valid(uint32_t records);

/* As ring_consume() and ring_put(). */
bool host_ring_consume(struct host_ring *ring, uint32_t pointer);
bool host_ring_put(struct card *card, const uint8_t bytes[SMILE_RECORD_BYTES]);

/* ---- timer.c: the clock, timer events and TIME records ---- */

void timer_reset(struct card_timer *timer);

/* CONTROL.ENABLE has changed. */
void timer_enable(struct card *card, bool enable);

/* ---- card.c: what joins them ---- */

/* Do what was waiting for room in the ring, as far as there is room. */
void card_settle(struct card *card);

/* Raise a global event. */
void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised);

/* Global event @event was raised @times times while another one's mark is kept. */
void card_lose_marks(struct card *card, uint16_t event, uint64_t times);

/* SWAP_OUT of the arrays that @command, SMILE_COMMAND_*, names. */
void card_swap(struct card *card, uint32_t command);

/* Set bits of INT_STATUS, or none; something that the interrupt line depends on has changed. */
void card_interrupt(struct card *card, uint32_t causes);

#endif /* EMU_CARD_PARTS_H */
