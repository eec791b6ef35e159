/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The range table of the dynamic array, for the files of the card.
 *
 * What lives here: the functions of dynamic_range_table.c, and the inline functions that run for
 * every event. May use search.h. For emu/card and its tests; included by card_inside.h.
 */
#ifndef EMU_CARD_DYNAMIC_RANGE_TABLE_H
#define EMU_CARD_DYNAMIC_RANGE_TABLE_H

#include <base/field.h>

#include "emu/card/card.h"
#include "emu/card/search.h"

void dynamic_reset(struct dynamic_array *array);

/*
 * Prepare to rebuild all derived state. Call this function after the entries, @clock and @occupied
 * were restored.
 */
void dynamic_restore(struct dynamic_array *array);

/*
 * Use @search, which must be available on this processor, instead of the search that
 * dynamic_reset() has chosen.
 */
void dynamic_search_by(struct dynamic_array *array, const struct search *search);

/* Do the work of dynamic_count() while the index is not in use. */
bool dynamic_begin(struct dynamic_array *array, const struct smile_config *config,
		   const struct blink_event *event, uint64_t *extensions);

/*
 * Count an event. Return: true if the event was counted; false if its entry is saturated, or if no
 * entry matches and no entry is free.
 */
static inline bool dynamic_count(struct dynamic_array *array, const struct smile_config *config,
				 const struct blink_event *event, uint64_t *extensions)
{
	uint32_t nodes = search_nodes(event->source, event->target), kind, result;

	if (!array->index.count)
		return dynamic_begin(array, config, event, extensions);
	kind = search_kind(event->type, event->class == BLINK_CLASS_RESPONSE);
	result = array->index.count(array, event->address, nodes, kind);
	*extensions += (result & SEARCH_EXTENDED) != 0;
	return result & SEARCH_COUNTED;
}

/*
 * Like dynamic_begin(), but with the arguments and the result of search_functions.count. Return:
 * SEARCH_*.
 */
uint32_t dynamic_count_unindexed(struct dynamic_array *array, const struct smile_config *config,
				 uint64_t address, uint32_t nodes, uint32_t kind);

/* The following functions return the index of an entry, or -1 if there is no such entry. */

static inline int dynamic_saturated(const struct dynamic_array *array, uint32_t entries)
{
	if (!array->index.count)
		return search_saturated(array, entries);
	return array->index.saturated ? search_lowest(array->index.saturated) : -1;
}

int dynamic_first_valid(const struct dynamic_array *array, uint32_t entries);

/* Find the least recently used entry. Return: -1 if the table is not full. */
static inline int dynamic_victim(const struct dynamic_array *array, uint32_t entries)
{
	if (array->occupied < entries)
		return -1;
	if (!array->index.count)
		return search_victim(array, entries);
	return array->index.newer[SMILE_ENTRIES_MAX];
}

/*
 * Compose the record of entry @index in @word. The entry is not changed. Return: the count of the
 * entry.
 */
static inline uint32_t dynamic_record(const struct dynamic_array *array, int index, uint32_t cause,
				      uint32_t word[SMILE_RECORD_WORDS])
{
	const struct dynamic_entry *entry = &array->entry[index];
	uint64_t address = entry->page * SMILE_PAGE_BYTES + entry->first * SMILE_WORD_BYTES;

	word[0] = SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_DYNAMIC) |
		  SMILE_PUT(SMILE_RECORD_TYPE, (uint32_t)entry->type) |
		  SMILE_PUT(SMILE_RECORD_RESPONSE, (uint32_t)entry->response) |
		  SMILE_PUT(SMILE_RECORD_CAUSE, cause) |
		  SMILE_PUT(SMILE_RECORD_COUNT, (uint32_t)entry->count);
	word[1] = SMILE_PUT(SMILE_RECORD_SOURCE, (uint32_t)entry->source) |
		  SMILE_PUT(SMILE_RECORD_DESTINATION, (uint32_t)entry->destination);
	word[2] = (uint32_t)address;
	word[3] = SMILE_PUT(SMILE_RECORD_ADDRESS_HIGH, (uint32_t)(address >> 32)) |
		  SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, (uint32_t)(entry->last - entry->first)) |
		  SMILE_PUT(SMILE_RECORD_INDEX, (uint32_t)index);
	return entry->count;
}

/* Free entry @index, after its record was written to the ring. */
static inline void dynamic_free(struct dynamic_array *array, int index)
{
	array->entry[index].valid = 0;
	array->occupied--;
	if (array->index.count)
		search_forget(array, (uint32_t)index);
}

/*
 * Compose the record of the least recently used entry in @word, and free the entry. The table must
 * be full.
 * Return: the count of the entry.
 */
static inline uint32_t dynamic_evict(struct dynamic_array *array, uint32_t word[SMILE_RECORD_WORDS])
{
	int victim = dynamic_victim(array, array->occupied);
	uint32_t count = dynamic_record(array, victim, SMILE_CAUSE_CAPACITY, word);

	dynamic_free(array, victim);
	return count;
}

/* Like dynamic_evict(), but faster. The index must be in use, and no entry may be saturated. */
static inline uint32_t dynamic_evict_indexed(struct dynamic_array *array,
					     uint32_t word[SMILE_RECORD_WORDS])
{
	uint32_t victim = array->index.newer[SMILE_ENTRIES_MAX];
	uint32_t count = dynamic_record(array, (int)victim, SMILE_CAUSE_CAPACITY, word);

	array->entry[victim].valid = 0;
	array->occupied--;
	search_drop(&array->index, victim);
	return count;
}

#endif /* EMU_CARD_DYNAMIC_RANGE_TABLE_H */
