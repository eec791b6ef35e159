/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The ring in use, for the files of the card.
 *
 * What lives here: the functions of record_ring.c and watermark.c, and the inline functions that
 * run for every record. May use bytes.h. For emu/card and its tests; included by card_inside.h.
 */
#ifndef EMU_CARD_RECORD_RING_H
#define EMU_CARD_RECORD_RING_H

#include "emu/card/bytes.h"
#include "emu/card/card.h"

#define RING_RECORDS (SMILE_RING_WORDS / SMILE_RECORD_WORDS)

/*
 * Append a record to the ring in use, which must have room. Return: true if the record was written;
 * false if the bus has rejected the write. The caller then keeps the contents of the record, and
 * the ring has no more room.
 */
bool ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS]);

/*
 * Process a pointer that the host has written: the host has read the ring in the dual-ported RAM,
 * or the ring in host memory, up to @pointer.
 * Return: true if the pointer is possible; false if it is not possible, and nothing has changed.
 */
bool ring_consume(struct card *card, uint32_t pointer);
bool ring_consume_host(struct card *card, uint32_t pointer);

/* ---- watermark.c ---- */

/* Raise the interrupts for a record that was just appended to the ring in use. */
void watermark_reached(struct card *card);

/*
 * Restart the latency timer of the ring in use. If the ring has no unread records, stop the timer.
 */
void ring_start_latency(struct card *card);
void ring_stop_latency(struct card *card);

/* ---- host_ring.c ---- */

static inline uint32_t host_ring_unread(const struct host_ring *ring)
{
	return ring->write - ring->read;
}

static inline bool host_ring_full(const struct host_ring *ring)
{
	return host_ring_unread(ring) == ring->size;
}

/* ---- the ring in use ---- */

/* Check whether the ring in host memory is in use. */
static inline bool ring_hosted(const struct card *card)
{
	return card->config.mode & SMILE_MODE_HOST_RING;
}

static inline uint32_t ring_unread(const struct card *card)
{
	const struct swap_ring *ring = &card->ring;

	if (ring_hosted(card))
		return host_ring_unread(&card->host_ring);
	return ((ring->aux - ring->read) & SMILE_RING_POINTER) / SMILE_RECORD_WORDS;
}

static inline bool ring_full(const struct card *card)
{
	if (ring_hosted(card))
		return host_ring_full(&card->host_ring);
	return (card->ring.aux ^ card->ring.read) == SMILE_RING_WORDS;
}

/*
 * Check whether the ring in use has room. A ring that is not full has no room after the bus has
 * refused a record.
 */
static inline bool ring_room(const struct card *card)
{
	return !ring_full(card) && !(ring_hosted(card) && card->host_ring.stalled);
}

/*
 * Get the number of records that ring_put_quietly() can write without an effect that the host can
 * observe. An observable effect occurs if a record fills the ring, reaches the watermark, or is the
 * first record in an empty ring.
 */
static inline uint32_t ring_quiet(const struct card *card)
{
	uint32_t unread = ring_unread(card), next = RING_RECORDS;
	uint32_t watermark = card->config.watermark_records;

	if (ring_hosted(card) || !unread || unread == next)
		return 0;
	if (watermark > unread && watermark < next)
		next = watermark;
	return next - unread - 1;
}

/*
 * Write a record to the dual-ported RAM. The caller must have checked with ring_quiet() that the
 * host cannot observe an effect.
 */
static inline void ring_put_quietly(struct card *card, const uint32_t word[SMILE_RECORD_WORDS])
{
	struct swap_ring *ring = &card->ring;
	uint32_t *place = &ring->ram[ring->aux % SMILE_RING_WORDS];
	uint32_t next = (ring->aux + SMILE_RECORD_WORDS) & SMILE_RING_POINTER;

	ring->aux = next;
	for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
		bytes_put_32(&place[i], word[i]);
	ring->write = next;
	card->count.records++;
}

#endif /* EMU_CARD_RECORD_RING_H */
