/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The plain search of the range table, which visits the entries one after another, as the
 * datasheet's section 6 describes.
 *
 * What lives here: the search against which all other searches are tested and measured. It reads
 * only the entries, not the index. It is used if the table has few entries, or if no faster search
 * is available. May use search.h. Source: "Exploiting Spatial and Temporal Locality of Accesses"
 * (1998), section 3.3, Dynamic Coverage LRU; "Design and Implementation Aspects" (2000), section
 * IV.B, range table.
 */
#include "emu/card/search.h"

/*
 * Check whether the range of an entry can be extended to @word. The range must not become longer
 * than MAX_RANGE. With MODE.ALIGNED, it must not leave its block.
 */
static bool joins(const struct dynamic_entry *entry, uint32_t word,
		  const struct smile_config *config)
{
	uint32_t first = word < entry->first ? word : entry->first;
	uint32_t last = word > entry->last ? word : entry->last;
	uint32_t range_words = config->max_range_bytes / SMILE_WORD_BYTES;

	if (last - first + 1 > range_words)
		return false;
	if (config->mode & SMILE_MODE_ALIGNED)
		return first / range_words == last / range_words;
	return true;
}

bool search_count(struct dynamic_array *array, const struct smile_config *config,
		  const struct blink_event *event, uint64_t *extensions)
{
	bool typed = config->mode & SMILE_MODE_TYPED_TAGS;
	uint8_t type = typed ? event->type : SMILE_TYPE_ANY;
	uint8_t response = typed && event->class == BLINK_CLASS_RESPONSE;
	uint64_t page = event->address / SMILE_PAGE_BYTES;
	uint16_t word = (uint16_t)(event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	struct dynamic_entry *match = NULL, *empty = NULL;

	array->clock++;
	for (uint32_t i = 0; i < config->entries; i++) {
		struct dynamic_entry *entry = &array->entry[i];

		if (!entry->valid) {
			if (!empty)
				empty = entry;
			continue;
		}
		if (entry->page != page || entry->source != event->source ||
		    entry->destination != event->target || entry->type != type ||
		    entry->response != response)
			continue;
		if (word >= entry->first && word <= entry->last) {
			match = entry;
			break;
		}
		if (!match && joins(entry, word, config))
			match = entry;
	}

	if (match) {
		if (match->count == SMILE_COUNT_MAX)
			return false;
		if (word < match->first || word > match->last)
			++*extensions;
		if (word < match->first)
			match->first = word;
		if (word > match->last)
			match->last = word;
		match->count++;
		match->used = array->clock;
		return true;
	}

	if (!empty)
		return false;
	*empty = (struct dynamic_entry){
		.used = array->clock,
		.page = page,
		.first = word,
		.last = word,
		.source = event->source,
		.destination = event->target,
		.count = 1,
		.type = type,
		.response = response,
		.valid = 1,
	};
	array->occupied++;
	return true;
}

int search_saturated(const struct dynamic_array *array, uint32_t entries)
{
	for (uint32_t i = 0; i < entries; i++) {
		if (array->entry[i].valid && array->entry[i].count == SMILE_COUNT_MAX)
			return (int)i;
	}
	return -1;
}

/*
 * Find the least recently used entry of a full table. If the table has two or more entries, the
 * result is never the entry that was just used. If the table has one entry, the result is this
 * entry. The card then writes a trace, as the monitor of the 1998 paper does (section 4).
 */
int search_victim(const struct dynamic_array *array, uint32_t entries)
{
	int victim = 0;

	if (array->occupied < entries)
		return -1;
	for (uint32_t i = 1; i < entries; i++) {
		if (array->entry[i].used < array->entry[victim].used)
			victim = (int)i;
	}
	return victim;
}

static bool available(void)
{
	return true;
}

const struct search search_plain = {
	.name = "plain",
	.fewest = SMILE_ENTRIES_MAX + 1,
	.available = available,
};
