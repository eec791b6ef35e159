/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: functions that one file of the card defines and other files of the card call.
 *
 * What lives here: the functions that connect the decoder, the two arrays, the timer, the rings and
 * card.c. Only files of the card include this header; the environment uses card.h.
 */
#ifndef EMU_CARD_CARD_INSIDE_H
#define EMU_CARD_CARD_INSIDE_H

#include "emu/card/blink_decoder.h"
#include "emu/card/card.h"
#include "emu/card/dynamic_range_table.h"
#include "emu/card/record_ring.h"
#include "emu/card/transaction_table.h"

/* ---- static_counters.c: the static array ---- */

void static_reset(struct static_array *array);

/*
 * Read or write a register of the array. static_write() returns false if there is no such register,
 * or if the register cannot have the value.
 */
uint32_t static_read(const struct static_array *array, uint32_t offset);
bool static_write(struct static_array *array, uint32_t offset, uint32_t value);

/* Check whether all counters are 0, and no owed or taken count is waiting. */
bool static_empty(const struct static_array *array);

/* Count a transaction in the static array. */
void static_count(struct card *card, const struct blink_event *event);

/* If the static array is in use, count a global event that was raised @times times. */
void static_global(struct card *card, uint16_t event, uint64_t times);

/*
 * Take the counts of all counters at one moment. The counts wait until the ring has room for them.
 */
void static_take(struct static_array *array);

/* Take the count of counter @index only. */
void static_take_one(struct static_array *array, uint32_t index);

/*
 * Write the next record of a taken count (if @waiting is not 0), or of an owed count (if @owing is
 * not 0).
 */
void static_put_taken(struct card *card);
void static_put_owed(struct card *card);

/* ---- host_ring.c: the ring in host memory ---- */

void host_ring_reset(struct host_ring *ring);

/* Check whether the ring's registers are set so that records can be written. */
bool host_ring_usable(const struct host_ring *ring);

bool host_ring_size_valid(uint32_t records);

/* These functions do the same as ring_consume() and ring_put(), for the ring in host memory. */
bool host_ring_consume(struct host_ring *ring, uint32_t pointer);
bool host_ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS]);

/* ---- timer.c: the clock, timer events and TIME records ---- */

void timer_reset(struct card_timer *timer);

/* Handle a change of CONTROL.ENABLE. */
void timer_enable(struct card *card, bool enable);

/* ---- swap_out.c: the records that wait for room in the ring ---- */

/*
 * Write the record of an entry of the range table to the ring, and free the entry. The ring must
 * have room.
 */
void card_put_entry(struct card *card, int index, uint32_t cause);

/* Do the work that is waiting for room in the ring, until the ring is full. */
void card_settle(struct card *card);

/* Swap out the arrays that @command selects: SMILE_COMMAND_*. */
void card_swap(struct card *card, uint32_t command);

/* ---- global_event.c: global events and their marks ---- */

/* Raise a global event. */
void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised);

/*
 * Count the marks of global event @event as lost. The event was raised @times times while the mark
 * of another event was waiting.
 */
void card_lose_marks(struct card *card, uint16_t event, uint64_t times);

/* ---- card.c: functions that connect the other files ---- */

/* Count a memory event as lost, because no counter could count it. */
void card_lose(struct card *card);

/* Let the next LOST record also report the losses that happened during a Swap_All. */
void card_lose_later(struct card *card);

/* Set bits of INT_STATUS, and update the interrupt line. If @causes is 0, only update the line. */
void card_interrupt(struct card *card, uint32_t causes);

/* ---- packets.c: the processing of a packet ---- */

/* Process a packet on the general path, which handles all packets. The card must be enabled. */
void card_pass(struct card *card, const void *frame, size_t bytes);

#endif /* EMU_CARD_CARD_INSIDE_H */
