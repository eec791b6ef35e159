/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The swap ring: records in the dual-ported RAM, and its three pointers.
 *
 * What lives here: pointer arithmetic and nothing else. The read pointer is the host's; the write
 * pointer stands at the first record that is not complete; the auxiliary pointer runs ahead of it
 * word by word while a record is written, and the ring is full when it reaches the read pointer.
 * Source: "Design and Implementation Aspects" (2000), section V.A. That pointers are one bit wider
 * than the address, so that full and empty differ, is defined here.
 */
#include "emu/card/parts.h"

void ring_reset(struct swap_ring *ring)
{
	ring->read = 0;
	ring->write = 0;
	ring->aux = 0;
}

bool ring_full(const struct swap_ring *ring)
{
	return (ring->aux ^ ring->read) == SMILE_RING_WORDS;
}

/* The host reads the RAM as little-endian words, whatever the byte order here. */
static void store_word(uint32_t *slot, uint32_t value)
{
	uint8_t *bytes = (uint8_t *)slot;

	bytes[0] = (uint8_t)value;
	bytes[1] = (uint8_t)(value >> 8);
	bytes[2] = (uint8_t)(value >> 16);
	bytes[3] = (uint8_t)(value >> 24);
}

void ring_put(struct swap_ring *ring, const uint32_t word[SMILE_RECORD_WORDS])
{
	for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++) {
		store_word(&ring->ram[ring->aux % SMILE_RING_WORDS], word[i]);
		ring->aux = (ring->aux + 1) & SMILE_RING_POINTER;
	}
	ring->write = ring->aux;
}

bool ring_consume(struct swap_ring *ring, uint32_t pointer)
{
	uint32_t unread = (ring->write - ring->read) & SMILE_RING_POINTER;

	if (pointer > SMILE_RING_POINTER || pointer % SMILE_RECORD_WORDS ||
	    ((pointer - ring->read) & SMILE_RING_POINTER) > unread)
		return false;
	ring->read = pointer;
	return true;
}
