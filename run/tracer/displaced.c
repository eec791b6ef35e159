/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Displaced addresses. See displaced.h.
 *
 * What lives here: assigning slots to the parts of the address space. The parts into which QEMU
 * maps programs and their memory have fixed slots, so that the order in which threads use them has
 * no effect. These functions use no lock, because a process can be forked while another of its
 * threads executes this code.
 */
#include "run/tracer/displaced.h"

#include "run/tracer/channel.h"

/*
 * Base addresses from which QEMU maps memory without a fixed address: in version 7.2, and in later
 * versions.
 */
#define BASE_7_2 0x4000000000ULL
#define BASE_PROGRAM 0x555555554000ULL
#define BASE_MAPPED 0x2aaaaaaab000ULL

_Atomic uint8_t displaced_parts[DISPLACED_PARTS];

_Atomic uint32_t displaced_taken;

static const uint64_t usual[] = {0, BASE_7_2 >> STREAM_PART_SHIFT,
				 BASE_PROGRAM >> STREAM_PART_SHIFT,
				 BASE_MAPPED >> STREAM_PART_SHIFT};

#define USUAL (sizeof(usual) / sizeof(usual[0]))

static bool take(unsigned int place)
{
	return !(atomic_fetch_or(&displaced_taken, 1U << place) >> place & 1);
}

static unsigned int take_any(uint64_t part)
{
	unsigned int i;

	for (i = 0; i < USUAL; i++)
		if (part == usual[i] && take(i))
			return i;
	for (i = USUAL; i < STREAM_PARTS; i++)
		if (take(i))
			return i;
	for (i = 0; i < USUAL; i++)
		if (take(i))
			return i;
	return STREAM_PARTS;
}

uint8_t displaced_new(uint64_t part)
{
	unsigned int place = take_any(part);
	uint8_t none = 0;

	if (place == STREAM_PARTS) {
		atomic_fetch_or(&stream->notes, STREAM_NOTE_BEYOND);
		return STREAM_PARTS;
	}
	if (atomic_compare_exchange_strong(&displaced_parts[part], &none, (uint8_t)(place + 1)))
		return (uint8_t)(place + 1);
	/* Another thread has assigned a slot to the part first. */
	atomic_fetch_and(&displaced_taken, ~(1U << place));
	return none;
}

/*
 * Assign to @part the slot that follows the slot of the previous part. Return: true if @part now
 * has this slot.
 */
static bool adjoin(uint64_t part, unsigned int place)
{
	uint8_t there = atomic_load(&displaced_parts[part]);

	if (there || place == STREAM_PARTS || !take(place))
		return there == place + 1;
	if (atomic_compare_exchange_strong(&displaced_parts[part], &there, (uint8_t)(place + 1)))
		return true;
	/* Another thread has assigned a slot to the part first. */
	atomic_fetch_and(&displaced_taken, ~(1U << place));
	return there == place + 1;
}

void displaced_adjoin(uint64_t start, uint64_t end)
{
	uint64_t part = start >> STREAM_PART_SHIFT, last = (end - 1) >> STREAM_PART_SHIFT;
	unsigned int place;

	if (part == last || last >= DISPLACED_PARTS)
		return;
	place = atomic_load(&displaced_parts[part]);
	if (!place)
		place = displaced_new(part);
	for (; part < last; place++) {
		if (adjoin(++part, place))
			continue;
		atomic_fetch_or(&stream->notes, STREAM_NOTE_BEYOND);
		return;
	}
}
