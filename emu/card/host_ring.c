/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The ring in host memory, which the card writes as bus master.
 *
 * What lives here: the two pointers of the ring, the bus address of a record, and the handling of
 * writes that the bus refuses. The pointers count records modulo 2^32. The size of the ring is a
 * power of two, so the pointers may wrap around. Source: "Exploiting Spatial and Temporal Locality
 * of Accesses" (1998), sections 3.2 and 3.4. The registers of this ring are defined in this
 * project.
 */
#include <string.h>

#include "emu/card/card_inside.h"

void host_ring_reset(struct host_ring *ring)
{
	memset(ring, 0, sizeof(*ring));
}

bool host_ring_usable(const struct host_ring *ring)
{
	uint64_t last_byte = (uint64_t)ring->size * SMILE_RECORD_BYTES - 1;

	return ring->size && host_ring_unread(ring) <= ring->size &&
	       ring->base <= UINT64_MAX - last_byte;
}

bool host_ring_size_valid(uint32_t records)
{
	return !records || (records >= SMILE_DMA_RECORDS_MIN && records <= SMILE_DMA_RECORDS_MAX &&
			    !(records & (records - 1)));
}

bool host_ring_consume(struct host_ring *ring, uint32_t pointer)
{
	if (pointer - ring->read > host_ring_unread(ring))
		return false;
	ring->read = pointer;
	return true;
}

bool host_ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS])
{
	struct host_ring *ring = &card->host_ring;
	uint64_t place = (uint64_t)(ring->write & (ring->size - 1)) * SMILE_RECORD_BYTES;
	uint32_t bytes[SMILE_RECORD_WORDS];

	for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
		bytes_put_32(&bytes[i], word[i]);
	if (!card->ops || !card->ops->dma_write ||
	    !card->ops->dma_write(card->opaque, ring->base + place, bytes, SMILE_RECORD_BYTES)) {
		ring->stalled = 1;
		return false;
	}
	ring->write++;
	card->count.records++;
	return true;
}
