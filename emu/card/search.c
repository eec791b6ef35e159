/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The searches of the range table: choose one of them, and build the index that they use.
 *
 * What lives here: the list of searches, the construction of the index from the entries, and a slow
 * path for cases that the fast searches do not handle. These cases are two tags with the same hash,
 * and a count that has reached, or is about to reach, its maximum. May use search.h.
 */
#include "emu/card/search.h"

const struct search *const search_all[] = {
	&search_plain,
#if defined(__x86_64__)
	&search_avx2,
#endif
	NULL,
};

const struct search *search_fastest(void)
{
	const struct search *fastest = &search_plain;

	for (const struct search *const *search = search_all; *search; search++) {
		if ((*search)->available())
			fastest = *search;
	}
	return fastest;
}

/* Update the index after entry @i was used. */
static void refresh(struct dynamic_array *array, uint32_t i)
{
	const struct dynamic_entry *entry = &array->entry[i];
	struct dynamic_index *index = &array->index;
	uint64_t address = entry->page * SMILE_PAGE_BYTES + entry->first * SMILE_WORD_BYTES;
	uint32_t block = search_block(index, entry->first);

	index->tag[i] = search_tag(index->how, address, block,
				   search_nodes(entry->source, entry->destination),
				   search_kind(entry->type, entry->response));
	index->first[i] = entry->first;
	index->last[i] = entry->last;
	if (index->valid >> i & 1)
		search_unlink(index, i);
	search_link(index, i);
	index->valid |= 1ULL << i;
	if (entry->count == SMILE_COUNT_MAX)
		index->saturated |= 1ULL << i;
}

static enum search_how choose_how(const struct smile_config *config)
{
	if (config->max_range_bytes == SMILE_WORD_BYTES)
		return SEARCH_WORD;
	if (config->mode & SMILE_MODE_ALIGNED || config->max_range_bytes == SMILE_PAGE_BYTES)
		return SEARCH_BLOCK;
	return SEARCH_RANGE;
}

static enum search_width choose_width(uint32_t entries)
{
	if (entries <= 16)
		return SEARCH_16;
	return entries <= 32 ? SEARCH_32 : SEARCH_64;
}

void search_build(struct dynamic_array *array, const struct smile_config *config)
{
	struct dynamic_index *index = &array->index;
	const struct search_functions *functions;
	uint32_t next;

	index->how = choose_how(config);
	functions = &index->search->functions[index->how][choose_width(config->entries)];
	index->count = functions->count;
	index->fast_path = functions->fast_path;
	index->entries = config->entries;
	index->kinds = config->mode & SMILE_MODE_TYPED_TAGS ? UINT32_MAX : 0;
	index->range_words = config->max_range_bytes / SMILE_WORD_BYTES;
	index->reciprocal = search_reciprocal(index->range_words);
	index->valid = 0;
	index->saturated = 0;
	index->newer[SMILE_ENTRIES_MAX] = SMILE_ENTRIES_MAX;
	index->older[SMILE_ENTRIES_MAX] = SMILE_ENTRIES_MAX;
	/*
	 * Insert the entries in the order of their last use, the least recently used entry first.
	 */
	for (uint32_t i = 0; i < array->occupied; i++) {
		next = SMILE_ENTRIES_MAX;
		for (uint32_t j = 0; j < config->entries; j++) {
			if (array->entry[j].valid && !(index->valid >> j & 1) &&
			    (next == SMILE_ENTRIES_MAX ||
			     array->entry[j].used < array->entry[next].used))
				next = j;
		}
		refresh(array, next);
	}
}

uint32_t search_slowly(struct dynamic_array *array, uint64_t address, uint32_t nodes, uint32_t kind)
{
	const struct dynamic_index *index = &array->index;
	const struct smile_config config = {
		.mode = SMILE_MODE_TYPED_TAGS |
			(index->how == SEARCH_BLOCK ? SMILE_MODE_ALIGNED : 0),
		.max_range_bytes = index->range_words * SMILE_WORD_BYTES,
		.entries = index->entries,
	};
	const struct blink_event event = search_event(address, nodes, kind);
	uint64_t extensions = 0;

	if (!search_count(array, &config, &event, &extensions))
		return 0;
	for (uint32_t i = 0; i < config.entries; i++) {
		if (array->entry[i].valid && array->entry[i].used == array->clock)
			refresh(array, i);
	}
	return SEARCH_COUNTED | (extensions ? SEARCH_EXTENDED : 0) |
	       (array->occupied == index->entries ? SEARCH_FULL : 0) |
	       (index->saturated ? SEARCH_SATURATED : 0);
}
