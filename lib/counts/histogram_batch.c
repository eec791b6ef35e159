/* SPDX-License-Identifier: MIT */
/*
 * Histogram: adds many records together.
 *
 * What lives here: a function that adds some dozens of plain records like histogram.c, but in three
 * steps. Each step prefetches the memory that the next step needs, so that no step waits for
 * memory.
 */
#include <stdlib.h>

#include <base/sum.h>

#include "lib/base/error.h"
#include "lib/counts/histogram.h"
#include "lib/counts/record.h"

#define MANY 64U

/**
 * struct step - A record between two steps.
 * @page: counts of the record's page; set by the second step
 * @key: key of the page
 * @access: key of the count by page
 * @block: key of the count by block
 * @count: the count
 * @blocks: the record is also counted by block
 */
struct step {
	struct page_counts *page;
	uint64_t key;
	uint64_t access;
	uint32_t block;
	uint32_t count;
	uint32_t blocks;
};

/* ---- counts by other cards ----------------------------------------------------------------- */

/*
 * Bits of histogram_stream.elsewhere. Each type has one bit for a node as the target of a
 * transaction, and one bit for a node as its source.
 */
static uint8_t elsewhere_bit(uint32_t type, int as_source)
{
	return (uint8_t)(1U << (2 * type + (as_source ? 1 : 0)));
}

/* For each node that has a card in the view, find the transactions that its card counts. */
static int elsewhere_learn(struct histogram_stream *stream)
{
	uint32_t nodes = 0;

	for (size_t i = 0; i < stream->merged_count; i++)
		if (stream->merged[i].node >= nodes)
			nodes = stream->merged[i].node + 1;
	stream->elsewhere = calloc(nodes + 1, sizeof(*stream->elsewhere));
	if (!stream->elsewhere)
		return smile_error(
			ENOMEM,
			"no memory for the list of transactions that the cards of %u nodes count",
			nodes);
	stream->elsewhere_nodes = nodes;
	for (size_t i = 0; i < stream->merged_count; i++) {
		uint32_t node = stream->merged[i].node;

		for (uint32_t type = 0; type < SMILE_TYPE_COUNT; type++) {
			if (smile_histogram_counted_by(stream, node, type, SMILE_FILTER_INCOMING))
				stream->elsewhere[node] |= elsewhere_bit(type, 0);
			if (smile_histogram_counted_by(stream, node, type, SMILE_FILTER_OUTGOING))
				stream->elsewhere[node] |= elsewhere_bit(type, 1);
		}
	}
	return 0;
}

/* Do the same as counted_elsewhere() of histogram.c, but in less time per record. */
static inline int elsewhere(const struct histogram_stream *stream, uint32_t source, uint32_t home,
			    uint32_t type)
{
	if (!stream->merged_count || home == stream->config.node)
		return 0;
	if (home < stream->elsewhere_nodes && stream->elsewhere[home] & elsewhere_bit(type, 0))
		return 1;
	return source != stream->config.node && source < stream->elsewhere_nodes &&
	       stream->elsewhere[source] & elsewhere_bit(type, 1);
}

/* ---- the three steps ----------------------------------------------------------------------- */

/* First step: select the records to count. Return: the number of selected records. */
static size_t choose(struct histogram *histogram, const struct histogram_stream *stream,
		     const struct record_plain *plain, size_t count, struct step *steps)
{
	const int responses = histogram_responses(&stream->config);
	const uint64_t page_mask = histogram->nodes_only ? 0 : UINT64_MAX;
	const int typed = (stream->config.mode & SMILE_MODE_TYPED_TAGS) != 0;
	const struct page_ranges *again = histogram->again.count ? &histogram->again : NULL;
	uint32_t highest = 0;
	uint64_t sum = 0;
	size_t chosen = 0;

	for (size_t i = 0; i < count; i++) {
		const struct record_plain *record = &plain[i];
		int response = typed ? record->response : responses;
		uint32_t source = response ? record->destination : record->source;
		uint32_t home = response ? record->source : record->destination;
		struct step *step = &steps[chosen];

		if (again && !page_ranges_find(again, record->page))
			continue;
		sum += record->count;
		highest = source > highest ? source : highest;
		highest = home > highest ? home : highest;
		step->key = smile_page_table_key(record->page & page_mask, home);
		step->access = histogram_access_key(stream->phase, source, record->type);
		step->block = (uint32_t)histogram_block_key(
			source, record->type,
			histogram_is_whole(histogram, record->page)
				? HISTOGRAM_BLOCK_PAGE
				: histogram_block_of(record->first, record->last));
		step->count = record->count;
		step->blocks = (uint32_t)histogram_has_blocks(histogram, record->page);
		chosen += response == responses && !elsewhere(stream, source, home, record->type);
	}
	smile_histogram_node(histogram, highest);
	if (!again)
		histogram->delivered = sum_counts(histogram->delivered, sum);
	return chosen;
}

/* Second step: find the pages of the records. */
static void find(struct page_table *pages, struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		__builtin_prefetch(smile_page_table_first(pages, steps[i].key), 1);
	for (size_t i = 0; i < count; i++) {
		struct page_counts *page = smile_page_table_get(pages, steps[i].key);

		steps[i].page = page;
		if (page->accesses.size)
			__builtin_prefetch(smile_counts_first(&page->accesses, steps[i].access), 1);
		if (steps[i].blocks && page->blocks.size)
			__builtin_prefetch(smile_counts_first(&page->blocks, steps[i].block), 1);
	}
}

static int add_access(struct histogram *histogram, struct Monitor_phase *phase,
		      const struct step *step)
{
	int added = smile_counts_add(&step->page->accesses, &histogram->pages.slab, step->access,
				     step->count);

	if (added < 0)
		return added;
	histogram->counts += (size_t)added;
	phase->accesses += step->count;
	if (histogram->changes)
		smile_changes_note(histogram->changes, step->key, step->access, step->count);
	return 0;
}

static int add(struct histogram *histogram, struct Monitor_phase *phase, const struct step *step)
{
	struct slab *slab = &histogram->pages.slab;
	int added = histogram->again.count ? 0 : add_access(histogram, phase, step);

	if (added < 0 || !step->blocks)
		return added;
	added = smile_counts_add(&step->page->blocks, slab, step->block, step->count);
	return added < 0 ? added : 0;
}

static int add_steps(struct histogram *histogram, const struct histogram_stream *stream,
		     struct step *steps, size_t count)
{
	int error = smile_histogram_phase(histogram, stream->phase), result = 0;

	if (!error)
		error = smile_page_table_reserve(&histogram->pages, count);
	if (error < 0)
		return error;
	find(&histogram->pages, steps, count);
	for (size_t i = 0; i < count; i++) {
		error = add(histogram, &histogram->phases[stream->phase], &steps[i]);
		if (error < 0)
			result = error;
	}
	return result;
}

size_t smile_histogram_add_many(struct histogram *histogram, struct histogram_stream *stream,
				const struct smile_record *records, size_t count, int *error)
{
	struct record_plain plain[MANY];
	struct step steps[MANY];
	size_t done = 0, got, chosen;
	int result;

	/*
	 * If this memory is missing, count nothing here. The caller passes the records one by one
	 * to histogram.c instead.
	 */
	if (stream->merged_count && !stream->elsewhere && elsewhere_learn(stream) < 0)
		return 0;
	while (done < count) {
		got = smile_records_plain(records + done, count - done < MANY ? count - done : MANY,
					  plain);
		if (!got)
			break;
		done += got;
		chosen = choose(histogram, stream, plain, got, steps);
		result = chosen ? add_steps(histogram, stream, steps, chosen) : 0;
		if (result < 0)
			*error = result;
	}
	return done;
}
