/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The ring in use, for the card.
 *
 * What lives here: the functions of ring.c and watermark.c, and inline functions for every record.
 * May use bytes.h. For emu/card and its tests; included by card_inside.h.
 */
#ifndef EMU_CARD_RING_H
#define EMU_CARD_RING_H

#include "emu/card/bytes.h"
#include "emu/card/card.h"

#define RING_RECORDS (SMILE_RING_WORDS / SMILE_RECORD_WORDS)

/*
 * Append a record to the ring in use, which must have room. Return: false if the bus has refused
 * it; false if the bus refused it; the caller then keeps the record's contents, and the ring has no
 * room any longer.
 */
bool ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS]);

/*
 * Handle a pointer of the host: it has read the ring in the dual-ported RAM, or the one in host
 * memory, up to @pointer.
 * Return: false if that is impossible; then nothing changes.
 */
bool ring_consume(struct card *card, uint32_t pointer);
bool ring_consume_host(struct card *card, uint32_t pointer);

/* ---- watermark.c ---- */

/* Raise the interrupts for a record that was just appended to the ring in use. */
void watermark_reached(struct card *card);

/* Restart the latency timer of the ring in use, or stop it if no record is unread. */
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

/* ---- whichever is in use ---- */

/* Is the ring in host memory in use? */
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

/* The ring can be without room although it is not full: the bus may have refused a record. */
static inline bool ring_room(const struct card *card)
{
	return !ring_full(card) && !(ring_hosted(card) && card->host_ring.stalled);
}

/*
 * How many records ring_put_quietly() can write without any effect for the host: none of them fills
 * the ring, reaches the watermark, or is the first in an empty ring.
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

/* Write a record to the dual-ported RAM. */
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

#endif /* EMU_CARD_RING_H */
