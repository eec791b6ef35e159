/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's two rings, and their interrupts. See sections 9 and 11 of the datasheet. May use
 * reference.h.
 */
#include "tests/reference/reference.h"

#define RAM_RECORDS (SMILE_RING_WORDS / SMILE_RECORD_WORDS)

static bool host_ring(const struct reference *ref)
{
	return reference_mode(ref, SMILE_MODE_HOST_RING);
}

static uint32_t capacity(const struct reference *ref)
{
	return host_ring(ref) ? reference_get(ref, SMILE_REG_DMA_SIZE) : RAM_RECORDS;
}

uint32_t reference_ring_unread(const struct reference *ref)
{
	if (host_ring(ref))
		return reference_get(ref, SMILE_REG_DMA_WRITE) -
		       reference_get(ref, SMILE_REG_DMA_READ);
	return (uint32_t)(ref->ram_written - ref->ram_read);
}

bool reference_ring_full(const struct reference *ref)
{
	return reference_ring_unread(ref) >= capacity(ref);
}

bool reference_ring_room(const struct reference *ref)
{
	return !reference_ring_full(ref) && !(host_ring(ref) && ref->dma_error);
}

static void interrupt_set(struct reference *ref, uint32_t bit)
{
	reference_set(ref, SMILE_REG_INT_STATUS, reference_get(ref, SMILE_REG_INT_STATUS) | bit);
}

void reference_ring_latency(struct reference *ref)
{
	uint32_t us = reference_get(ref, SMILE_REG_RING_LATENCY);

	ref->latency_running = us != 0 && reference_ring_unread(ref) != 0;
	ref->latency_us = ref->machine_us + us;
}

bool reference_ring_put(struct reference *ref, const struct reference_record *record)
{
	struct reference_written written = {.record = *record, .host = host_ring(ref)};
	uint32_t unread;

	if (!reference_ring_room(ref))
		return false;
	if (written.host) {
		uint32_t number = reference_get(ref, SMILE_REG_DMA_WRITE);
		uint64_t base = reference_get(ref, SMILE_REG_DMA_BASE_LOW);

		base += (uint64_t)reference_get(ref, SMILE_REG_DMA_BASE_HIGH) << 32;
		written.place = base + (uint64_t)(number % capacity(ref)) * SMILE_RECORD_BYTES;
		if (ref->bus_accepts == 0) {
			ref->dma_error = true;
			interrupt_set(ref, SMILE_INT_DMA_ERROR);
			return false;
		}
		ref->bus_accepts--;
		reference_set(ref, SMILE_REG_DMA_WRITE, number + 1);
	} else {
		written.place = ref->ram_written % RAM_RECORDS * SMILE_RECORD_WORDS;
		ref->ram_written++;
	}
	reference_keep(ref, &written);
	ref->records_written++;
	if (record->kind == SMILE_KIND_DYNAMIC)
		ref->delivered += record->count;
	if (record->kind == SMILE_KIND_STATIC || record->kind == SMILE_KIND_OVERFLOW)
		ref->static_delivered += record->count;

	unread = reference_ring_unread(ref);
	if (reference_ring_full(ref))
		interrupt_set(ref, SMILE_INT_RING_FULL);
	if (unread == reference_get(ref, SMILE_REG_RING_WATERMARK))
		interrupt_set(ref, SMILE_INT_WATERMARK);
	if (unread == 1)
		reference_ring_latency(ref);
	return true;
}
