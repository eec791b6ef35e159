/* SPDX-License-Identifier: MIT */
/*
 * Counts: stores a 64-bit count for each 60-bit key. See counts.h.
 *
 * What lives here: the rare operations, such as the growth of a table. The many tables need most of
 * the memory of a process. To save memory, a table grows only when seven eighths of it are used. A
 * table of groups is doubled only if it is small; otherwise, it grows by half.
 */
#include "lib/counts/counts.h"
#include "lib/base/error.h"

/* For each count that exceeds 32 bits, a separate group counts how often it has passed 2^32. */
#define COUNTS_HIGH (1ULL << 60)

/* A table with fewer groups than this is doubled when it grows. */
#define COUNTS_SMALL 8U

/* The initial and the largest number of singles of a table. */
#define COUNTS_FIRST 4U
#define COUNTS_SINGLES 256U

static size_t bytes_of(const struct counts *counts)
{
	return (size_t)counts->size *
	       (counts->grouped ? sizeof(*counts->groups) : sizeof(*counts->singles));
}

/* Make an empty table with @size entries. */
static int begin(struct counts *counts, struct slab *slab, uint32_t size, int grouped)
{
	*counts = (struct counts){.size = size, .grouped = grouped != 0};
	counts->groups = smile_slab_get(slab, bytes_of(counts));
	if (counts->groups)
		return 0;
	return smile_error(ENOMEM, "no memory for a histogram of %u %scounts", size,
			   grouped ? "groups of " : "");
}

/* ---- singles --------------------------------------------------------------------------------- */

static void place_single(struct counts *counts, struct counts_single single)
{
	uint32_t at = smile_counts_start(single.key, counts->size);

	while (counts->singles[at].count)
		at = at + 1 == counts->size ? 0 : at + 1;
	counts->used++;
	counts->singles[at] = single;
}

static int grow_singles(struct counts *counts, struct slab *slab)
{
	struct counts larger;
	int error = begin(&larger, slab, counts->size ? 2 * counts->size : COUNTS_FIRST, 0);

	if (error < 0)
		return error;
	for (uint32_t i = 0; i < counts->size; i++)
		if (counts->singles[i].count)
			place_single(&larger, counts->singles[i]);
	smile_slab_put(slab, counts->singles, bytes_of(counts));
	*counts = larger;
	return 0;
}

/*
 * Estimate the number of groups that the table would have. The estimate counts the different hash
 * values of the groups, so it can be slightly too low.
 */
static uint32_t groups_of(const struct counts *counts)
{
	uint64_t seen[2 * COUNTS_SINGLES / 64] = {0};
	uint32_t count = 0;

	for (uint32_t i = 0; i < counts->size; i++) {
		uint32_t bit = smile_counts_start(counts->singles[i].key >> COUNTS_LANE_BITS,
						  2 * COUNTS_SINGLES);

		if (!counts->singles[i].count || seen[bit / 64] >> bit % 64 & 1)
			continue;
		seen[bit / 64] |= 1ULL << bit % 64;
		count++;
	}
	return count;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static struct counts_group *place(struct counts *counts, uint64_t key)
{
	uint32_t at = smile_counts_start(key >> COUNTS_LANE_BITS, counts->size);

	while (counts->groups[at].key)
		at = at + 1 == counts->size ? 0 : at + 1;
	counts->used++;
	return &counts->groups[at];
}

static int grow_groups(struct counts *counts, struct slab *slab)
{
	uint32_t size =
		counts->size < COUNTS_SMALL ? 2 * counts->size : counts->size + counts->size / 2;
	struct counts larger;
	int error = begin(&larger, slab, size, 1);

	if (error < 0)
		return error;
	larger.high = counts->high;
	for (uint32_t i = 0; i < counts->size; i++) {
		const struct counts_group *group = &counts->groups[i];

		if (group->key)
			*place(&larger, (group->key - 1) << COUNTS_LANE_BITS) = *group;
	}
	smile_slab_put(slab, counts->groups, bytes_of(counts));
	*counts = larger;
	return 0;
}

/*
 * Get the lane of a key, which is the key's count in its group. If the group does not exist, add
 * it.
 */
static uint32_t *lane_of(struct counts *counts, struct slab *slab, uint64_t key)
{
	struct counts_group *group = smile_counts_group(counts, key);

	if (!group) {
		if (smile_counts_full(counts) && grow_groups(counts, slab) < 0)
			return NULL;
		group = place(counts, key);
		group->key = (key >> COUNTS_LANE_BITS) + 1;
	}
	return &group->lanes[key % COUNTS_LANES];
}

static uint32_t high_of(const struct counts *counts, uint64_t key)
{
	const struct counts_group *group =
		counts->high ? smile_counts_group(counts, key | COUNTS_HIGH) : NULL;

	return group ? group->lanes[key % COUNTS_LANES] : 0;
}

static int add_grouped(struct counts *counts, struct slab *slab, uint64_t key, uint32_t count)
{
	uint32_t *low = lane_of(counts, slab, key), *high;
	int is_new;

	if (!low)
		return -ENOMEM;
	is_new = !*low && !high_of(counts, key);
	if (*low + count < *low) {
		high = lane_of(counts, slab, key | COUNTS_HIGH);
		if (!high)
			return -ENOMEM;
		++*high;
		counts->high = 1;
		/* The previous call may have moved the group, so get the lane again. */
		low = lane_of(counts, slab, key);
	}
	*low += count;
	return is_new;
}

/* ---- either ---------------------------------------------------------------------------------- */

/* Get the size of a table that has space for @groups groups and a quarter more. */
static uint32_t grouped_size(uint32_t groups)
{
	return groups + groups / 4 + 1;
}

void smile_counts_free(struct counts *counts, struct slab *slab)
{
	smile_slab_put(slab, counts->groups, bytes_of(counts));
	*counts = (struct counts){0};
}

static int to_groups(struct counts *counts, struct slab *slab, uint32_t groups)
{
	struct counts grouped;
	int error = begin(&grouped, slab, grouped_size(groups), 1);

	for (uint32_t i = 0; !error && i < counts->size; i++) {
		const struct counts_single *single = &counts->singles[i];

		if (single->count && add_grouped(&grouped, slab, single->key, single->count) < 0)
			error = -ENOMEM;
	}
	if (error < 0) {
		smile_counts_free(&grouped, slab);
		return error;
	}
	smile_counts_free(counts, slab);
	*counts = grouped;
	return 0;
}

/*
 * Enlarge a table of singles. If a table of groups needs less memory, change the table to groups
 * instead. Return: 0; -ENOMEM, in which case nothing has changed.
 */
static int grow(struct counts *counts, struct slab *slab)
{
	uint32_t groups;

	/* For so few keys, groups never need less memory than singles. */
	if (counts->size <= COUNTS_FIRST)
		return grow_singles(counts, slab);
	groups = groups_of(counts);
	if (counts->size < COUNTS_SINGLES &&
	    grouped_size(groups) * sizeof(struct counts_group) >
		    2 * sizeof(struct counts_single) * counts->size)
		return grow_singles(counts, slab);
	return to_groups(counts, slab, groups);
}

int smile_counts_add_slowly(struct counts *counts, struct slab *slab, uint64_t key, uint32_t count)
{
	struct counts_single *single;
	int error = 0;

	if (counts->grouped)
		return add_grouped(counts, slab, key, count);
	single = smile_counts_single(counts, key);
	/* A single cannot store a key or a count that exceeds 32 bits. */
	if ((single && single->count) || key > UINT32_MAX)
		error = to_groups(counts, slab, groups_of(counts));
	else if (smile_counts_full(counts))
		error = grow(counts, slab);
	if (error < 0)
		return error;
	if (counts->grouped)
		return add_grouped(counts, slab, key, count);
	place_single(counts, (struct counts_single){.key = (uint32_t)key, .count = count});
	return 1;
}

uint64_t smile_counts_next_grouped(const struct counts *counts, size_t *position, uint64_t *key)
{
	for (; *position < (size_t)counts->size * COUNTS_LANES; ++*position) {
		const struct counts_group *group = &counts->groups[*position / COUNTS_LANES];
		uint32_t lane = *position % COUNTS_LANES;
		uint64_t base = (group->key - 1) << COUNTS_LANE_BITS, count;

		if (!group->key || base & COUNTS_HIGH)
			continue;
		count = (uint64_t)high_of(counts, base | lane) << 32 | group->lanes[lane];
		if (!count)
			continue;
		*key = base | lane;
		++*position;
		return count;
	}
	return 0;
}

void smile_counts_drop(struct counts *counts)
{
	smile_slab_drop(counts->groups, bytes_of(counts));
	*counts = (struct counts){0};
}
