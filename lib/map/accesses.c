/* SPDX-License-Identifier: MIT */
/*
 * Accesses: accesses in front of the caches, in the map and in the trailer. See accesses.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <hw/smile_regs.h>

#include "lib/base/error.h"
#include "lib/map/accesses.h"

/* The largest number of units of a field, whose length has 32 bits. */
#define FRONT_UNITS ((size_t)1 << 24)
/* The number of records that are unpacked together. */
#define TOGETHER 256U

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the accesses in front of the caches");
}

static struct accesses_part *part_add(struct accesses *accesses, uint32_t node, uint32_t phase)
{
	if (array_reserve(&accesses->items, &accesses->size, accesses->count,
			  sizeof(*accesses->items)) < 0)
		return NULL;
	accesses->items[accesses->count] = (struct accesses_part){.node = node, .phase = phase};
	return &accesses->items[accesses->count++];
}

static int units_add(struct accesses_part *part, const struct smile_record *units, size_t count)
{
	if (!count)
		return 0;
	/* Memory for the last unit implies memory for all units before it. */
	if (array_reserve(&part->units, &part->size, part->count + count - 1,
			  sizeof(*part->units)) < 0)
		return no_memory();
	memcpy(part->units + part->count, units, count * sizeof(*units));
	part->count += count;
	return 0;
}

/* Copy units into an empty part. */
static int units_copy(struct accesses_part *part, const void *units, size_t count)
{
	if (!count)
		return 0;
	part->units = malloc(count * sizeof(*part->units));
	if (!part->units)
		return no_memory();
	memcpy(part->units, units, count * sizeof(*part->units));
	part->count = part->size = count;
	return 0;
}

int smile_accesses_settle(struct accesses *accesses)
{
	struct smile_record units[GROUP_UNITS_MAX];
	size_t count;

	if (!accesses->packer)
		return 0;
	while ((count = smile_group_write(accesses->packer, units)))
		if (units_add(&accesses->items[accesses->count - 1], units, count) < 0)
			return -ENOMEM;
	return 0;
}

/*
 * Make sure that the last part is for this node and phase, and that its groups have blocks of this
 * size.
 */
static int accesses_open(struct accesses *accesses, uint32_t node, uint32_t phase,
			 uint32_t block_words)
{
	const struct accesses_part *last =
		accesses->count ? &accesses->items[accesses->count - 1] : NULL;
	int error;

	if (!accesses->packer)
		accesses->packer = calloc(1, sizeof(*accesses->packer));
	if (!accesses->packer)
		return no_memory();
	if (last && last->node == node && last->phase == phase && last->count < FRONT_UNITS &&
	    accesses->packer->block_words == block_words)
		return 0;
	error = accesses->packer->used ? smile_accesses_settle(accesses) : 0;
	if (error < 0)
		return error;
	accesses->packer->block_words = block_words;
	return part_add(accesses, node, phase) ? 0 : no_memory();
}

int smile_accesses_add(struct accesses *accesses, uint32_t phase,
		       const struct Monitor_record *record, const uint32_t *counts, size_t count)
{
	int error = accesses_open(accesses, record->source, phase,
				  record->length_bytes / SMILE_WORD_BYTES);

	if (error < 0 || smile_group_add_row(accesses->packer, record, counts, count))
		return error;
	error = smile_accesses_settle(accesses);
	if (!error)
		smile_group_add_row(accesses->packer, record, counts, count);
	return error;
}

int smile_accesses_known(const struct accesses *accesses, uint32_t node)
{
	for (size_t i = 0; i < accesses->count; i++)
		if (accesses->items[i].node == node)
			return 1;
	return 0;
}

int smile_accesses_node_add(struct accesses *accesses, uint32_t node)
{
	int error = 0;

	if (smile_accesses_known(accesses, node))
		return 0;
	/* The unfinished group belongs to the last part, so finish it before a part is added. */
	error = smile_accesses_settle(accesses);
	if (!error && !part_add(accesses, node, 0))
		error = no_memory();
	return error;
}

/*
 * Pass the sums of groups, beginning with group *@done, until a group is of a page for which the
 * walk needs all records. Return: as the walk.
 */
static int part_sums(const struct accesses_part *part, size_t *done,
		     const struct accesses_walk *walk, void *opaque)
{
	struct group_sums sums;
	uint64_t page;
	size_t used;
	int result;

	while (*done < part->count && smile_group_page(&part->units[*done], &page) &&
	       walk->is_whole(opaque, page)) {
		used = smile_group_sum(part->units + *done, part->count - *done, &sums);
		if (!used)
			return 0;
		result = walk->sums(opaque, part->phase, &sums);
		if (result)
			return result;
		*done += used;
	}
	return 0;
}

static int part_walk(const struct accesses_part *part, const struct accesses_walk *walk,
		     void *opaque)
{
	struct smile_record records[TOGETHER];
	struct group_reader reader = {0};
	size_t done = 0, taken, got;
	int result;

	do {
		/* The position is between two groups. */
		result = smile_group_open(&reader) ? 0 : part_sums(part, &done, walk, opaque);
		if (result)
			return result;
		/*
		 * Convert one unit at a time, so that the conversion stops at the end of the group.
		 */
		taken = 0;
		got = done < part->count || smile_group_open(&reader)
			      ? smile_group_read(&reader, part->units + done,
						 done < part->count ? 1 : 0, &taken, records,
						 TOGETHER)
			      : 0;
		done += taken;
		result = got ? walk->each(opaque, part->phase, records, got) : 0;
	} while (!result && (got || taken || done < part->count));
	if (!result && smile_group_open(&reader))
		result = smile_error(EPROTO, "accesses in front of the caches are cut off");
	return result;
}

int smile_accesses_walk(const struct accesses *accesses, const struct accesses_walk *walk,
			void *opaque)
{
	int result = 0;

	for (size_t i = 0; i < accesses->count && !result; i++)
		result = part_walk(&accesses->items[i], walk, opaque);
	return result;
}

/* ---- several recordings ---------------------------------------------------------------------- */

/* Find the next front of a node that has units, beginning with index *@at. */
static const struct accesses_part *part_next(const struct accesses *accesses, uint32_t node,
					     size_t *at)
{
	while (*at < accesses->count) {
		const struct accesses_part *part = &accesses->items[(*at)++];

		if (part->node == node && part->count)
			return part;
	}
	return NULL;
}

static int node_agrees(const struct accesses *a, const struct accesses *b, uint32_t node)
{
	size_t at_a = 0, at_b = 0;
	const struct accesses_part *one, *other;

	do {
		one = part_next(a, node, &at_a);
		other = part_next(b, node, &at_b);
		if (!one != !other)
			return 0;
		if (one &&
		    (one->phase != other->phase || one->count != other->count ||
		     memcmp(one->units, other->units, one->count * sizeof(*one->units)) != 0))
			return 0;
	} while (one);
	return 1;
}

int smile_accesses_agree(const struct accesses *a, const struct accesses *b)
{
	for (size_t i = 0; i < a->count; i++) {
		uint32_t node = a->items[i].node;

		/* The parts of one node are usually neighbours, so check each node only once. */
		if ((!i || a->items[i - 1].node != node) && smile_accesses_known(b, node) &&
		    !node_agrees(a, b, node))
			return 0;
	}
	return 1;
}

int smile_accesses_sum(struct accesses *sum, const struct accesses *into,
		       const struct accesses *from)
{
	size_t count = into->count + from->count;

	if (count && array_reserve(&sum->items, &sum->size, count - 1, sizeof(*sum->items)) < 0)
		return no_memory();
	for (size_t i = 0; i < from->count; i++) {
		const struct accesses_part *part = &from->items[i];

		if (smile_accesses_known(into, part->node))
			continue;
		if (units_copy(part_add(sum, part->node, part->phase), part->units, part->count) <
		    0)
			return -ENOMEM;
	}
	return 0;
}

void smile_accesses_keep(struct accesses *sum, struct accesses *old)
{
	if (!old->count)
		return;
	memmove(sum->items + old->count, sum->items, sum->count * sizeof(*sum->items));
	memcpy(sum->items, old->items, old->count * sizeof(*sum->items));
	sum->count += old->count;
	old->count = 0;
}

/* ---- in the trailer -------------------------------------------------------------------------- */

void smile_accesses_write(FILE *file, const struct accesses *accesses)
{
	for (size_t i = 0; i < accesses->count; i++) {
		const struct accesses_part *part = &accesses->items[i];
		size_t bytes = part->count * sizeof(*part->units);

		smile_field_begin(file, ACCESSES_TAG, ACCESSES_HEAD_BYTES + bytes);
		smile_field_put_number(file, part->node, 4);
		smile_field_put_number(file, part->phase, 4);
		if (bytes)
			fwrite(part->units, 1, bytes, file);
		smile_field_pad(file, ACCESSES_HEAD_BYTES + bytes);
	}
}

const char *smile_accesses_field(struct accesses *accesses, const struct field *field)
{
	static const char invalid[] = "accesses in front of the caches are invalid";
	struct accesses_part *part;
	uint32_t node;
	size_t count;

	if (field->length < ACCESSES_HEAD_BYTES ||
	    (field->length - ACCESSES_HEAD_BYTES) % sizeof(struct smile_record))
		return "its accesses in front of the caches end within an entry";
	node = (uint32_t)smile_field_number(field->data, 4);
	if (node & ~SMILE_NODE_ID)
		return invalid;
	part = part_add(accesses, node, (uint32_t)smile_field_number(field->data + 4, 4));
	if (!part)
		return smile_field_wrong(no_memory(), invalid);
	count = (field->length - ACCESSES_HEAD_BYTES) / sizeof(*part->units);
	return smile_field_wrong(units_copy(part, field->data + ACCESSES_HEAD_BYTES, count),
				 invalid);
}

void smile_accesses_free(struct accesses *accesses)
{
	for (size_t i = 0; i < accesses->count; i++)
		free(accesses->items[i].units);
	free(accesses->items);
	free(accesses->packer);
	*accesses = (struct accesses){0};
}
