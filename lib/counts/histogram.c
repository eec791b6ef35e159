/* SPDX-License-Identifier: MIT */
/*
 * Histogram: adds up the counts of all records.
 *
 * What lives here: the conversion of records into counts. Views read the tables, and only this file
 * writes them.
 */
#include <stdlib.h>

#include <base/array.h>
#include <base/sum.h>

#include "lib/base/error.h"
#include "lib/counts/histogram.h"
#include "lib/counts/record.h"

void smile_histogram_free(struct histogram *histogram)
{
	smile_page_table_free(&histogram->pages);
	smile_changes_free(histogram->changes);
	smile_count_table_free(&histogram->statics);
	page_ranges_free(&histogram->whole);
	page_ranges_free(&histogram->again);
	free(histogram->phases);
}

void smile_histogram_stream_free(struct histogram_stream *stream)
{
	free(stream->elsewhere);
	stream->elsewhere = NULL;
}

void smile_histogram_node(struct histogram *histogram, uint32_t node)
{
	if (node >= histogram->nodes)
		histogram->nodes = node + 1;
}

int smile_histogram_phase(struct histogram *histogram, size_t phase)
{
	if (phase < histogram->phases_count)
		return 0;
	if (array_reserve(&histogram->phases, &histogram->phases_size, phase,
			  sizeof(*histogram->phases)) < 0)
		return smile_error(ENOMEM, "no memory for %zu phases", phase + 1);
	histogram->phases[phase] = (struct Monitor_phase){.open = 1};
	histogram->phases_count = phase + 1;
	return 0;
}

/*
 * Handle a phase mark. All streams have their phases in the same order, and each stream marks the
 * end of each phase. The first of these marks determines the event of the phase; the latest mark
 * ends the phase.
 */
static int add_mark(struct histogram *histogram, struct histogram_stream *stream,
		    const struct Monitor_record *record)
{
	struct Monitor_phase *phase;
	int error = smile_histogram_phase(histogram, stream->phase);

	if (error < 0)
		return error;
	if (stream->merged_count > 1) {
		if (array_reserve(&stream->marks, &stream->marks_size, stream->phase,
				  sizeof(*stream->marks)) < 0)
			return smile_error(ENOMEM, "no memory for the times of phase marks");
		stream->marks[stream->phase] = record->time_ns;
	}
	phase = &histogram->phases[stream->phase++];
	if (phase->open)
		phase->event = record->event;
	phase->open = 0;
	if (record->time_ns > phase->end_ns)
		phase->end_ns = record->time_ns;
	return 0;
}

/*
 * Get the filter bits for the type of a record. If tags have no types, get the bits of all types.
 */
static uint32_t type_bits(const struct smile_config *config, uint32_t type)
{
	switch (type) {
	case SMILE_TYPE_READ:
		return SMILE_FILTER_READ;
	case SMILE_TYPE_WRITE:
		return SMILE_FILTER_WRITE;
	case SMILE_TYPE_LOCK:
		return SMILE_FILTER_LOCK;
	default:
		return config->filter & SMILE_FILTER_TYPES;
	}
}

int smile_histogram_counted_by(const struct histogram_stream *stream, uint32_t node, uint32_t type,
			       uint32_t direction)
{
	uint32_t need = type_bits(&stream->config, type);

	if (histogram_responses(&stream->config))
		direction ^= SMILE_FILTER_INCOMING | SMILE_FILTER_OUTGOING;
	for (size_t i = 0; i < stream->merged_count; i++) {
		const struct smile_config *other = &stream->merged[i];

		if (other->node == node && !(other->mode & SMILE_MODE_NO_DYNAMIC) &&
		    (other->filter & (need | direction)) == (need | direction) &&
		    histogram_responses(other) == histogram_responses(&stream->config))
			return 1;
	}
	return 0;
}

/*
 * Return whether this stream's record of a transaction must be ignored, because another card's
 * record is used. If the recordings of several cards are merged, two cards can have counted the
 * same transaction, which must be counted only once. If the card of the target counted it, that
 * card's record is used; otherwise, the record of the source's card is used.
 */
static int counted_elsewhere(const struct histogram_stream *stream, uint32_t source, uint32_t home,
			     uint32_t type)
{
	if (home == stream->config.node)
		return 0;
	return smile_histogram_counted_by(stream, home, type, SMILE_FILTER_INCOMING) ||
	       (source != stream->config.node &&
		smile_histogram_counted_by(stream, source, type, SMILE_FILTER_OUTGOING));
}

/* Add to a count. Return: 1 if the key is new; 0 if it is not; -ENOMEM. */
static int counts_add(struct counts *counts, struct slab *slab, uint64_t key, uint64_t count)
{
	int added = 0;

	for (; count; count -= count < UINT32_MAX ? count : UINT32_MAX) {
		int error = smile_counts_add(counts, slab, key,
					     count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);

		if (error < 0)
			return error;
		added += error;
	}
	return added;
}

/*
 * Find or add the counts of a page. Return: the counts; NULL if memory is missing, with
 * Monitor_error_message() set.
 */
static struct page_counts *page_get(struct histogram *histogram, uint32_t phase, uint64_t page,
				    uint32_t home)
{
	if (smile_histogram_phase(histogram, phase) < 0 ||
	    smile_page_table_reserve(&histogram->pages, 1) < 0)
		return NULL;
	return smile_page_table_get(&histogram->pages, smile_page_table_key(page, home));
}

/* Add to the count of a block. @slot: the counts of @page */
static int add_block(struct histogram *histogram, struct page_counts *slot, uint32_t phase,
		     uint64_t page, uint32_t source, uint32_t type, uint32_t block, uint64_t count)
{
	struct slab *slab = &histogram->pages.slab;
	int error =
		counts_add(&slot->accesses, slab, histogram_access_key(phase, source, type), count);

	if (error < 0)
		return error;
	histogram->counts += (size_t)error;
	histogram->phases[phase].accesses += count;
	if (histogram->changes)
		smile_changes_note(histogram->changes, slot->key - 1,
				   histogram_access_key(phase, source, type), count);
	if (!histogram_has_blocks(histogram, page))
		return 0;
	error = counts_add(&slot->blocks, slab, histogram_block_key(source, type, block), count);
	return error < 0 ? error : 0;
}

static int add_counting(struct histogram *histogram, struct histogram_stream *stream,
			const struct Monitor_record *record)
{
	int responses = histogram_responses(&stream->config);
	int typed = (stream->config.mode & SMILE_MODE_TYPED_TAGS) != 0;
	/*
	 * Tags without types do not distinguish requests from responses. In this case, the filter
	 * determines whether all records count as requests or as responses.
	 */
	int response = typed ? (int)record->response : responses;
	uint32_t source = response ? record->destination : record->source;
	uint32_t home = response ? record->source : record->destination;
	uint64_t page = histogram->nodes_only ? 0 : record->address / SMILE_PAGE_BYTES;
	uint32_t first = (uint32_t)(record->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	uint32_t last = first + record->length_bytes / SMILE_WORD_BYTES - 1;
	struct page_counts *slot;

	histogram->delivered = sum_counts(histogram->delivered, record->count);
	if (!response != !responses || counted_elsewhere(stream, source, home, record->type))
		return 0;
	slot = page_get(histogram, stream->phase, page, home);
	if (!slot)
		return -ENOMEM;
	return add_block(histogram, slot, stream->phase, page, source, record->type,
			 histogram_is_whole(histogram, page) ? HISTOGRAM_BLOCK_PAGE
							     : histogram_block_of(first, last),
			 record->count);
}

/* For all home nodes of a page, remove the counts by block. */
static void blocks_forget(struct histogram *histogram, uint64_t page)
{
	for (uint32_t home = 0; home < histogram->nodes; home++) {
		struct page_counts *slot =
			hash_table_find(&histogram->pages.table,
					smile_page_table_key(page, home) + 1, sizeof(*slot));

		if (slot)
			smile_counts_free(&slot->blocks, &histogram->pages.slab);
	}
}

int smile_histogram_again(struct histogram *histogram, const uint64_t *pages, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!histogram_has_blocks(histogram, pages[i]) ||
		    !histogram_is_whole(histogram, pages[i]))
			continue;
		if (page_ranges_set(&histogram->again, pages[i], pages[i], 1) < 0 ||
		    page_ranges_set(&histogram->whole, pages[i], pages[i], 0) < 0)
			return smile_error(ENOMEM, "no memory for ranges of %zu pages", count);
		/* The range of the last search is no longer valid. */
		histogram->whole_first = 1;
		histogram->whole_last = 0;
		blocks_forget(histogram, pages[i]);
	}
	return 0;
}

int smile_histogram_add_page(struct histogram *histogram, uint32_t phase, uint64_t page,
			     uint32_t home, uint32_t source,
			     const uint64_t counts[SMILE_TYPE_COUNT])
{
	uint64_t number = histogram->nodes_only ? 0 : page;
	struct page_counts *slot = page_get(histogram, phase, number, home);
	int error = slot ? 0 : -ENOMEM;

	smile_histogram_node(histogram, source);
	smile_histogram_node(histogram, home);
	for (uint32_t type = 0; type < SMILE_TYPE_COUNT && !error; type++) {
		if (!counts[type])
			continue;
		histogram->delivered = sum_counts(histogram->delivered, counts[type]);
		error = add_block(histogram, slot, phase, number, source, type,
				  HISTOGRAM_BLOCK_PAGE, counts[type]);
	}
	return error;
}

/*
 * Add the record of a static counter. Other counters have already counted the same events, so the
 * record is not counted as accesses to a page.
 */
static int add_static(struct histogram *histogram, const struct histogram_stream *stream,
		      const struct Monitor_record *record)
{
	int error;

	histogram->static_delivered = sum_counts(histogram->static_delivered, record->count);
	if (stream->other)
		return 0;
	error = smile_histogram_phase(histogram, stream->phase);
	return error < 0 ? error
			 : smile_count_table_add(&histogram->statics, record->index, stream->phase,
						 record->count);
}

/* Count the EVENT records with which the driver reports that the stream was interrupted. */
static void add_gap(struct histogram *histogram, const struct Monitor_record *record)
{
	if (record->cause != SMILE_RAISED_SOFTWARE)
		return;
	histogram->sleeps += record->event == SMILE_EVENT_ASLEEP;
	histogram->resets += record->event == SMILE_EVENT_RESET;
}

static void add_lost(struct histogram *histogram, const struct Monitor_record *record)
{
	histogram->lost = sum_counts(histogram->lost, record->lost);
	histogram->marks_lost = sum_counts(histogram->marks_lost, record->marks_lost);
}

int smile_histogram_account(struct histogram *histogram, const struct smile_record *record)
{
	struct Monitor_record decoded;
	int error = Monitor_record_decode(record, &decoded);

	if (error < 0)
		return error;
	switch (decoded.kind) {
	case SMILE_KIND_DYNAMIC:
	case MONITOR_KIND_COUNT:
		histogram->delivered = sum_counts(histogram->delivered, decoded.count);
		return 0;
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		histogram->static_delivered =
			sum_counts(histogram->static_delivered, decoded.count);
		return 0;
	case SMILE_KIND_EVENT:
		add_gap(histogram, &decoded);
		return 0;
	case SMILE_KIND_LOST:
		add_lost(histogram, &decoded);
		return 0;
	default:
		return 0;
	}
}

size_t smile_histogram_account_many(struct histogram *histogram, const struct smile_record *records,
				    size_t count)
{
	uint64_t sum;
	size_t plain = smile_records_count(records, count, &sum);

	histogram->delivered = sum_counts(histogram->delivered, sum);
	return plain;
}

int smile_histogram_add(struct histogram *histogram, struct histogram_stream *stream,
			const struct smile_record *record)
{
	struct Monitor_record decoded;
	int error = Monitor_record_decode(record, &decoded);

	if (error < 0)
		return error;
	switch (decoded.kind) {
	case SMILE_KIND_DYNAMIC:
	case MONITOR_KIND_COUNT:
		smile_histogram_node(histogram, decoded.source);
		smile_histogram_node(histogram, decoded.destination);
		return add_counting(histogram, stream, &decoded);
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		smile_histogram_node(histogram, decoded.source);
		smile_histogram_node(histogram, decoded.destination);
		return add_static(histogram, stream, &decoded);
	case SMILE_KIND_EVENT:
		smile_histogram_node(histogram, decoded.source);
		add_gap(histogram, &decoded);
		return decoded.phase ? add_mark(histogram, stream, &decoded) : 0;
	case SMILE_KIND_LOST:
		add_lost(histogram, &decoded);
		return 0;
	default:
		return 0;
	}
}

uint64_t smile_histogram_static(const struct histogram *histogram, uint32_t phase, uint32_t index)
{
	return smile_count_table_get(&histogram->statics, index, phase);
}

size_t smile_histogram_phases(const struct histogram *histogram)
{
	size_t count = histogram->phases_count;

	if (!count || !histogram->phases[count - 1].open || histogram->phases[count - 1].accesses)
		return count;
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (smile_histogram_static(histogram, (uint32_t)count - 1, i))
			return count;
	return count - 1;
}

/* The distance, in slots, from the current page to the page whose counts are prefetched. */
#define WALK_AHEAD 8U

/* ---- walks ----------------------------------------------------------------------------------- */

int smile_histogram_page_next(const struct page_counts *page, size_t *position,
			      struct histogram_access *access)
{
	uint64_t key, count = smile_counts_next(&page->accesses, position, &key);

	if (!count)
		return 0;
	*access = (struct histogram_access){
		.page = smile_page_table_number(page),
		.home = smile_page_table_home(page),
		.source = histogram_access_source(key),
		.type = histogram_access_type(key),
		.phase = histogram_access_phase(key),
		.count = count,
	};
	return 1;
}

/* Advance to the next page, and prefetch a later page. */
static int walk_page(const struct histogram *histogram, struct histogram_walk *walk)
{
	walk->page = smile_page_table_next(&histogram->pages, &walk->next);
	walk->position = 0;
	if (walk->next + WALK_AHEAD < hash_table_size(&histogram->pages.table)) {
		const struct page_counts *ahead = hash_table_at(
			&histogram->pages.table, walk->next + WALK_AHEAD, sizeof(*ahead));

		__builtin_prefetch(ahead->accesses.groups);
		__builtin_prefetch(ahead->blocks.groups);
	}
	return walk->page != NULL;
}

int smile_histogram_next(const struct histogram *histogram, struct histogram_walk *walk,
			 struct histogram_access *access)
{
	while (!walk->page || !smile_histogram_page_next(walk->page, &walk->position, access))
		if (!walk_page(histogram, walk))
			return 0;
	return 1;
}

int smile_histogram_page_block(const struct page_counts *page, size_t *position,
			       struct histogram_access *access, uint32_t *block)
{
	uint64_t key, count = smile_counts_next(&page->blocks, position, &key);

	if (!count)
		return 0;
	*access = (struct histogram_access){
		.page = smile_page_table_number(page),
		.home = smile_page_table_home(page),
		.source = (uint32_t)(key >> 13) & 0xffff,
		.type = (uint32_t)(key >> 11) & 3,
		.count = count,
	};
	*block = (uint32_t)key & (HISTOGRAM_BLOCKS - 1);
	return 1;
}

int smile_histogram_block_next(const struct histogram *histogram, struct histogram_walk *walk,
			       struct histogram_access *access, uint32_t *block)
{
	while (!walk->page ||
	       !smile_histogram_page_block(walk->page, &walk->position, access, block))
		if (!walk_page(histogram, walk))
			return 0;
	return 1;
}
