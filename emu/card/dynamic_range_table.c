/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The range table of the dynamic array: a small content-addressable array of counters.
 *
 * What lives here: the state of the table, and the choice between the indexed search and the plain
 * search. search.h finds the entry of an event. dynamic_range_table.h has the code that runs for
 * every event. card.c decides when a record is written. Source: "Exploiting Spatial and Temporal
 * Locality of Accesses" (1998), section 3.3, Dynamic Coverage LRU; "Design and Implementation
 * Aspects" (2000), section IV.B, range table. This file defines the typed tags, the alignment of
 * ranges, and the order of entries that are equally suitable.
 */
#include <string.h>

#include "emu/card/dynamic_range_table.h"

void dynamic_reset(struct dynamic_array *array)
{
	memset(array, 0, sizeof(*array));
	array->index.search = search_fastest();
}

void dynamic_restore(struct dynamic_array *array)
{
	dynamic_search_by(array, search_fastest());
}

void dynamic_search_by(struct dynamic_array *array, const struct search *search)
{
	memset(&array->index, 0, sizeof(array->index));
	array->index.search = search;
}

bool dynamic_begin(struct dynamic_array *array, const struct smile_config *config,
		   const struct blink_event *event, uint64_t *extensions)
{
	if (config->entries < array->index.search->fewest)
		return search_count(array, config, event, extensions);
	search_build(array, config);
	return dynamic_count(array, config, event, extensions);
}

uint32_t dynamic_count_unindexed(struct dynamic_array *array, const struct smile_config *config,
				 uint64_t address, uint32_t nodes, uint32_t kind)
{
	const struct blink_event event = search_event(address, nodes, kind);
	uint64_t extensions = 0;

	if (!dynamic_begin(array, config, &event, &extensions))
		return 0;
	return SEARCH_COUNTED | (extensions ? SEARCH_EXTENDED : 0) |
	       (array->occupied == config->entries ? SEARCH_FULL : 0) |
	       (dynamic_saturated(array, config->entries) >= 0 ? SEARCH_SATURATED : 0) |
	       (array->index.count ? SEARCH_BEGUN : 0);
}

int dynamic_first_valid(const struct dynamic_array *array, uint32_t entries)
{
	for (uint32_t i = 0; i < entries; i++) {
		if (array->entry[i].valid)
			return (int)i;
	}
	return -1;
}
