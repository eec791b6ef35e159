/* SPDX-License-Identifier: MIT */
/*
 * Counts: 64-bit counts by a 60-bit key, eight neighbours together. See counts.h.
 *
 * What lives here: what is rare. Tables are many, and together they are most of the memory: they
 * are seven eighths full before they grow, and then, unless they are small, by half.
 */
#include <stdlib.h>

#include "lib/counts.h"
#include "lib/error.h"

/* How often a count has passed 2^32 is counted in a group of its own. */
#define COUNTS_HIGH (1ULL << 60)

/* Tables of fewer groups are doubled. */
#define COUNTS_SMALL 8U

static struct counts_group *place(struct counts *counts, uint64_t key)
{
	uint32_t at = smile_counts_start(counts, key);

	while (counts->groups[at].key)
		at = at + 1 == counts->size ? 0 : at + 1;
	counts->used++;
	return &counts->groups[at];
}

static int grow(struct counts *counts)
{
	uint32_t size =
		counts->size < COUNTS_SMALL ? 2 * counts->size : counts->size + counts->size / 2;
	struct counts larger = {.size = size ? size : 1, .high = counts->high};

	larger.groups = calloc(larger.size, sizeof(*larger.groups));
	if (!larger.groups)
		return smile_error(ENOMEM, "no memory for a histogram of %u groups of counts",
				   larger.size);
	for (uint32_t i = 0; i < counts->size; i++) {
		const struct counts_group *group = &counts->groups[i];

		if (group->key)
			*place(&larger, (group->key - 1) << COUNTS_LANE_BITS) = *group;
	}
	free(counts->groups);
	*counts = larger;
	return 0;
}

/* The lane of a key; its group is made if it is not there. */
static uint32_t *lane_of(struct counts *counts, uint64_t key)
{
	struct counts_group *group = smile_counts_find(counts, key);

	if (!group) {
		if (counts->used >= counts->size - counts->size / 8 && grow(counts) < 0)
			return NULL;
		group = place(counts, key);
		group->key = (key >> COUNTS_LANE_BITS) + 1;
	}
	return &group->lanes[key % COUNTS_LANES];
}

static uint32_t high_of(const struct counts *counts, uint64_t key)
{
	const struct counts_group *group =
		counts->high ? smile_counts_find(counts, key | COUNTS_HIGH) : NULL;

	return group ? group->lanes[key % COUNTS_LANES] : 0;
}

int smile_counts_add_slowly(struct counts *counts, uint64_t key, uint32_t count)
{
	uint32_t *low = lane_of(counts, key), *high;
	int is_new;

	if (!low)
		return -ENOMEM;
	is_new = !*low && !high_of(counts, key);
	if (*low + count < *low) {
		high = lane_of(counts, key | COUNTS_HIGH);
		if (!high)
			return -ENOMEM;
		++*high;
		counts->high = 1;
		/* That may have moved the group. */
		low = lane_of(counts, key);
	}
	*low += count;
	return is_new;
}

uint64_t smile_counts_get(const struct counts *counts, uint64_t key)
{
	const struct counts_group *group = smile_counts_find(counts, key);

	if (!group)
		return 0;
	return (uint64_t)high_of(counts, key) << 32 | group->lanes[key % COUNTS_LANES];
}

uint64_t smile_counts_next(const struct counts *counts, size_t *position, uint64_t *key)
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

void smile_counts_free(struct counts *counts)
{
	free(counts->groups);
	*counts = (struct counts){0};
}
