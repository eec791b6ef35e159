/* SPDX-License-Identifier: MIT */
/*
 * Fronts: stores the processors' accesses before any cache in the map and in the trailer. See
 * fronts.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <hw/smile_regs.h>

#include "lib/base/error.h"
#include "lib/map/fronts.h"

/* The largest number of units of a field, whose length has 32 bits. */
#define FRONT_UNITS ((size_t)1 << 24)
/* The number of records that are unpacked together. */
#define TOGETHER 256U

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the accesses in front of the caches");
}

static struct front *front_add(struct fronts *fronts, uint32_t node, uint32_t phase)
{
	if (array_reserve(&fronts->items, &fronts->size, fronts->count, sizeof(*fronts->items)) < 0)
		return NULL;
	fronts->items[fronts->count] = (struct front){.node = node, .phase = phase};
	return &fronts->items[fronts->count++];
}

static int units_add(struct front *front, const struct smile_record *units, size_t count)
{
	if (!count)
		return 0;
	/* Allocate memory up to the last unit. */
	if (array_reserve(&front->units, &front->size, front->count + count - 1,
			  sizeof(*front->units)) < 0)
		return no_memory();
	memcpy(front->units + front->count, units, count * sizeof(*units));
	front->count += count;
	return 0;
}

/* Copy units into an empty front. */
static int units_copy(struct front *front, const void *units, size_t count)
{
	if (!count)
		return 0;
	front->units = malloc(count * sizeof(*front->units));
	if (!front->units)
		return no_memory();
	memcpy(front->units, units, count * sizeof(*front->units));
	front->count = front->size = count;
	return 0;
}

int smile_fronts_settle(struct fronts *fronts)
{
	struct smile_record units[GROUP_UNITS_MAX];
	size_t count;

	if (!fronts->packer)
		return 0;
	while ((count = smile_group_write(fronts->packer, units)))
		if (units_add(&fronts->items[fronts->count - 1], units, count) < 0)
			return -ENOMEM;
	return 0;
}

/*
 * Make sure that the last front is for the node @node and the phase @phase, and that its groups
 * have blocks of the given size.
 */
static int fronts_open(struct fronts *fronts, uint32_t node, uint32_t phase, uint32_t block_words)
{
	const struct front *last = fronts->count ? &fronts->items[fronts->count - 1] : NULL;
	int error;

	if (!fronts->packer)
		fronts->packer = calloc(1, sizeof(*fronts->packer));
	if (!fronts->packer)
		return no_memory();
	if (last && last->node == node && last->phase == phase && last->count < FRONT_UNITS &&
	    fronts->packer->block_words == block_words)
		return 0;
	error = fronts->packer->used ? smile_fronts_settle(fronts) : 0;
	if (error < 0)
		return error;
	fronts->packer->block_words = block_words;
	return front_add(fronts, node, phase) ? 0 : no_memory();
}

int smile_fronts_add(struct fronts *fronts, uint32_t phase, const struct Monitor_record *record,
		     const uint32_t *counts, size_t count)
{
	int error =
		fronts_open(fronts, record->source, phase, record->length_bytes / SMILE_WORD_BYTES);

	if (error < 0 || smile_group_add_row(fronts->packer, record, counts, count))
		return error;
	error = smile_fronts_settle(fronts);
	if (!error)
		smile_group_add_row(fronts->packer, record, counts, count);
	return error;
}

int smile_fronts_known(const struct fronts *fronts, uint32_t node)
{
	for (size_t i = 0; i < fronts->count; i++)
		if (fronts->items[i].node == node)
			return 1;
	return 0;
}

int smile_fronts_node_add(struct fronts *fronts, uint32_t node)
{
	int error = 0;

	if (smile_fronts_known(fronts, node))
		return 0;
	/*
	 * The unfinished group belongs to the last front, so finish the group before adding a
	 * front.
	 */
	error = smile_fronts_settle(fronts);
	if (!error && !front_add(fronts, node, 0))
		error = no_memory();
	return error;
}

/*
 * Pass the sums of groups to the walk, beginning with group *@done, up to the first group of a page
 * for which the walk needs all records. Return: the result of the walk.
 */
static int front_sums(const struct front *front, size_t *done, const struct fronts_walk *walk,
		      void *opaque)
{
	struct group_sums sums;
	uint64_t page;
	size_t used;
	int result;

	while (*done < front->count && smile_group_page(&front->units[*done], &page) &&
	       walk->is_whole(opaque, page)) {
		used = smile_group_sum(front->units + *done, front->count - *done, &sums);
		if (!used)
			return 0;
		result = walk->sums(opaque, front->phase, &sums);
		if (result)
			return result;
		*done += used;
	}
	return 0;
}

static int front_walk(const struct front *front, const struct fronts_walk *walk, void *opaque)
{
	struct smile_record records[TOGETHER];
	struct group_reader reader = {0};
	size_t done = 0, taken, got;
	int result;

	do {
		/* The sums of a group can be passed only if the position is between two groups. */
		result = smile_group_open(&reader) ? 0 : front_sums(front, &done, walk, opaque);
		if (result)
			return result;
		/*
		 * Convert one unit at a time, so that the conversion stops at the end of the group.
		 */
		taken = 0;
		got = done < front->count || smile_group_open(&reader)
			      ? smile_group_read(&reader, front->units + done,
						 done < front->count ? 1 : 0, &taken, records,
						 TOGETHER)
			      : 0;
		done += taken;
		result = got ? walk->each(opaque, front->phase, records, got) : 0;
	} while (!result && (got || taken || done < front->count));
	if (!result && smile_group_open(&reader))
		result = smile_error(EPROTO, "accesses in front of the caches are cut off");
	return result;
}

int smile_fronts_walk(const struct fronts *fronts, const struct fronts_walk *walk, void *opaque)
{
	int result = 0;

	for (size_t i = 0; i < fronts->count && !result; i++)
		result = front_walk(&fronts->items[i], walk, opaque);
	return result;
}

/* ---- several recordings ---------------------------------------------------------------------- */

/* Find the next front of a node that has units, beginning with index *@at. */
static const struct front *front_next(const struct fronts *fronts, uint32_t node, size_t *at)
{
	while (*at < fronts->count) {
		const struct front *front = &fronts->items[(*at)++];

		if (front->node == node && front->count)
			return front;
	}
	return NULL;
}

static int node_agrees(const struct fronts *a, const struct fronts *b, uint32_t node)
{
	size_t at_a = 0, at_b = 0;
	const struct front *one, *other;

	do {
		one = front_next(a, node, &at_a);
		other = front_next(b, node, &at_b);
		if (!one != !other)
			return 0;
		if (one &&
		    (one->phase != other->phase || one->count != other->count ||
		     memcmp(one->units, other->units, one->count * sizeof(*one->units)) != 0))
			return 0;
	} while (one);
	return 1;
}

int smile_fronts_agree(const struct fronts *a, const struct fronts *b)
{
	for (size_t i = 0; i < a->count; i++) {
		uint32_t node = a->items[i].node;

		/*
		 * The fronts of one node are usually neighbours. Check the node only for the first
		 * of them.
		 */
		if ((!i || a->items[i - 1].node != node) && smile_fronts_known(b, node) &&
		    !node_agrees(a, b, node))
			return 0;
	}
	return 1;
}

int smile_fronts_sum(struct fronts *sum, const struct fronts *into, const struct fronts *from)
{
	size_t count = into->count + from->count;

	if (count && array_reserve(&sum->items, &sum->size, count - 1, sizeof(*sum->items)) < 0)
		return no_memory();
	for (size_t i = 0; i < from->count; i++) {
		const struct front *front = &from->items[i];

		if (smile_fronts_known(into, front->node))
			continue;
		if (units_copy(front_add(sum, front->node, front->phase), front->units,
			       front->count) < 0)
			return -ENOMEM;
	}
	return 0;
}

void smile_fronts_keep(struct fronts *sum, struct fronts *old)
{
	if (!old->count)
		return;
	memmove(sum->items + old->count, sum->items, sum->count * sizeof(*sum->items));
	memcpy(sum->items, old->items, old->count * sizeof(*sum->items));
	sum->count += old->count;
	old->count = 0;
}

/* ---- in the trailer -------------------------------------------------------------------------- */

void smile_fronts_write(FILE *file, const struct fronts *fronts)
{
	for (size_t i = 0; i < fronts->count; i++) {
		const struct front *front = &fronts->items[i];
		size_t bytes = front->count * sizeof(*front->units);

		smile_field_begin(file, FRONTS_TAG, FRONTS_HEAD_BYTES + bytes);
		smile_field_put_number(file, front->node, 4);
		smile_field_put_number(file, front->phase, 4);
		if (bytes)
			fwrite(front->units, 1, bytes, file);
		smile_field_pad(file, FRONTS_HEAD_BYTES + bytes);
	}
}

const char *smile_fronts_field(struct fronts *fronts, const struct field *field)
{
	static const char invalid[] = "accesses in front of the caches are invalid";
	struct front *front;
	uint32_t node;
	size_t count;

	if (field->length < FRONTS_HEAD_BYTES ||
	    (field->length - FRONTS_HEAD_BYTES) % sizeof(struct smile_record))
		return "its accesses in front of the caches end within an entry";
	node = (uint32_t)smile_field_number(field->data, 4);
	if (node & ~SMILE_NODE_ID)
		return invalid;
	front = front_add(fronts, node, (uint32_t)smile_field_number(field->data + 4, 4));
	if (!front)
		return smile_field_wrong(no_memory(), invalid);
	count = (field->length - FRONTS_HEAD_BYTES) / sizeof(*front->units);
	return smile_field_wrong(units_copy(front, field->data + FRONTS_HEAD_BYTES, count),
				 invalid);
}

void smile_fronts_free(struct fronts *fronts)
{
	for (size_t i = 0; i < fronts->count; i++)
		free(fronts->items[i].units);
	free(fronts->items);
	free(fronts->packer);
	*fronts = (struct fronts){0};
}
