/* SPDX-License-Identifier: MIT */
/*
 * Histogram: what all records together say.
 *
 * What lives here: how a record becomes counts. The views read the tables; nothing else writes
 * them.
 */
#include <stdlib.h>

#include "lib/error.h"
#include "lib/histogram.h"
#include "lib/record.h"
#include "lib/sum.h"

/* High half of both keys: page above, then the type, then the block (0 in the page table). */
#define KEY_TYPE_SHIFT 12
#define KEY_PAGE_SHIFT 16

static uint64_t key_high(uint64_t page, uint32_t type, uint32_t block)
{
	return page << KEY_PAGE_SHIFT | (uint64_t)type << KEY_TYPE_SHIFT | block;
}

/* Low half: phase (0 in the block table), home, source. */
static uint64_t key_low(uint32_t phase, uint32_t home, uint32_t source)
{
	return (uint64_t)phase << 32 | home << 16 | source;
}

/* The smallest aligned power-of-two block that holds words @first to @last. */
static uint32_t block_of(uint32_t first, uint32_t last)
{
	uint32_t left = PAGE_WORDS + first, right = PAGE_WORDS + last;

	while (left != right) {
		left /= 2;
		right /= 2;
	}
	return left;
}

void smile_histogram_free(struct histogram *histogram)
{
	smile_table_free(&histogram->pages);
	smile_table_free(&histogram->blocks);
	smile_table_free(&histogram->statics);
	free(histogram->phases);
}

void smile_histogram_node(struct histogram *histogram, uint32_t node)
{
	if (node >= histogram->nodes)
		histogram->nodes = node + 1;
}

/* Make sure that phase @phase is there. */
static int phase_begin(struct histogram *histogram, size_t phase)
{
	size_t size = histogram->phases_size ? 2 * histogram->phases_size : 16;
	struct Monitor_phase *larger;

	if (phase < histogram->phases_count)
		return 0;
	if (phase >= histogram->phases_size) {
		larger = realloc(histogram->phases, size * sizeof(*larger));
		if (!larger)
			return smile_error(ENOMEM, "no memory for %zu phases", size);
		histogram->phases = larger;
		histogram->phases_size = size;
	}
	histogram->phases[phase] = (struct Monitor_phase){.open = 1};
	histogram->phases_count = phase + 1;
	return 0;
}

/* Several streams agree on the phases' order; the first mark names one, the latest ends it. */
static int add_mark(struct histogram *histogram, struct histogram_stream *stream,
		    const struct Monitor_record *record)
{
	struct Monitor_phase *phase;
	int error = phase_begin(histogram, stream->phase);

	if (error < 0)
		return error;
	phase = &histogram->phases[stream->phase++];
	if (phase->open)
		phase->event = record->event;
	phase->open = 0;
	if (record->time_ns > phase->end_ns)
		phase->end_ns = record->time_ns;
	return 0;
}

/* Does a configuration count responses, not requests? */
static int counts_responses(const struct smile_config *config)
{
	return !(config->filter & SMILE_FILTER_REQUEST);
}

/* The filter bits of a record's types: those of its own, or, if tags are untyped, all possible. */
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

/*
 * Does the card of @node count what this stream's card counted as @type? @direction is how that
 * card sees its requests; responses go the other way.
 */
static int counted_by(const struct histogram_stream *stream, uint32_t node, uint32_t type,
		      uint32_t direction)
{
	uint32_t need = type_bits(&stream->config, type);

	if (counts_responses(&stream->config))
		direction ^= SMILE_FILTER_INCOMING | SMILE_FILTER_OUTGOING;
	for (size_t i = 0; i < stream->merged_count; i++) {
		const struct smile_config *other = &stream->merged[i];

		if (other->node == node && !(other->mode & SMILE_MODE_NO_DYNAMIC) &&
		    (other->filter & (need | direction)) == (need | direction) &&
		    counts_responses(other) == counts_responses(&stream->config))
			return 1;
	}
	return 0;
}

/*
 * A transaction that several merged cards counted counts once: as its target's card has it, if that
 * card counted it, and else as its source's has it.
 */
static int counted_elsewhere(const struct histogram_stream *stream, uint32_t source, uint32_t home,
			     uint32_t type)
{
	if (home == stream->config.node)
		return 0;
	return counted_by(stream, home, type, SMILE_FILTER_INCOMING) ||
	       (source != stream->config.node &&
		counted_by(stream, source, type, SMILE_FILTER_OUTGOING));
}

static int add_counting(struct histogram *histogram, struct histogram_stream *stream,
			const struct Monitor_record *record)
{
	int responses = counts_responses(&stream->config);
	int typed = (stream->config.mode & SMILE_MODE_TYPED_TAGS) != 0;
	/* Untyped tags do not tell a response: then all records are what the filter lets pass. */
	int response = typed ? (int)record->response : responses;
	uint32_t source = response ? record->destination : record->source;
	uint32_t home = response ? record->source : record->destination;
	uint64_t page = record->address / SMILE_PAGE_BYTES;
	uint32_t first = (uint32_t)(record->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	uint32_t last = first + record->length_bytes / SMILE_WORD_BYTES - 1;
	int error;

	histogram->delivered = smile_sum_add(histogram->delivered, record->count);
	if (!response != !responses || counted_elsewhere(stream, source, home, record->type))
		return 0;

	error = phase_begin(histogram, stream->phase);
	if (error < 0)
		return error;
	error = smile_table_add(&histogram->pages, key_high(page, record->type, 0),
				key_low(stream->phase, home, source), record->count);
	if (error < 0)
		return error;
	histogram->phases[stream->phase].accesses += record->count;
	return smile_table_add(&histogram->blocks,
			       key_high(page, record->type, block_of(first, last)),
			       key_low(0, home, source), record->count);
}

/* Static counters count the same events once more: what they say is no access of a page. */
static int add_static(struct histogram *histogram, const struct histogram_stream *stream,
		      const struct Monitor_record *record)
{
	int error;

	histogram->static_delivered = smile_sum_add(histogram->static_delivered, record->count);
	if (stream->other)
		return 0;
	error = phase_begin(histogram, stream->phase);
	return error < 0 ? error
			 : smile_table_add(&histogram->statics, record->index, stream->phase,
					   record->count);
}

/* The driver's own marks: the stream was interrupted. */
static void add_gap(struct histogram *histogram, const struct Monitor_record *record)
{
	if (record->cause != SMILE_RAISED_SOFTWARE)
		return;
	histogram->sleeps += record->event == SMILE_EVENT_ASLEEP;
	histogram->resets += record->event == SMILE_EVENT_RESET;
}

static void add_lost(struct histogram *histogram, const struct Monitor_record *record)
{
	histogram->lost = smile_sum_add(histogram->lost, record->lost);
	histogram->marks_lost = smile_sum_add(histogram->marks_lost, record->marks_lost);
}

int smile_histogram_account(struct histogram *histogram, const struct smile_record *record)
{
	struct Monitor_record decoded;
	int error = Monitor_record_decode(record, &decoded);

	if (error < 0)
		return error;
	switch (decoded.kind) {
	case SMILE_KIND_DYNAMIC:
		histogram->delivered = smile_sum_add(histogram->delivered, decoded.count);
		return 0;
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		histogram->static_delivered =
			smile_sum_add(histogram->static_delivered, decoded.count);
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

	histogram->delivered = smile_sum_add(histogram->delivered, sum);
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
	return smile_table_get(&histogram->statics, index, phase);
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

/* Of a cell of either table. */
static void access_decode(const struct table_cell *cell, struct histogram_access *access)
{
	access->page = cell->high >> KEY_PAGE_SHIFT;
	access->type = (uint32_t)(cell->high >> KEY_TYPE_SHIFT) & 3;
	access->phase = (uint32_t)(cell->low >> 32);
	access->home = (uint32_t)(cell->low >> 16) & 0xffff;
	access->source = (uint32_t)cell->low & 0xffff;
	access->count = cell->count;
}

int smile_histogram_next(const struct histogram *histogram, size_t *position,
			 struct histogram_access *access)
{
	const struct table_cell *cell = smile_table_next(&histogram->pages, position);

	if (!cell)
		return 0;
	access_decode(cell, access);
	return 1;
}

int smile_histogram_block_next(const struct histogram *histogram, size_t *position,
			       struct histogram_access *access, uint32_t *block)
{
	const struct table_cell *cell = smile_table_next(&histogram->blocks, position);

	if (!cell)
		return 0;
	access_decode(cell, access);
	*block = (uint32_t)cell->high & (HISTOGRAM_BLOCKS - 1);
	return 1;
}

int smile_histogram_page_next(const struct histogram *histogram, size_t *position, uint64_t page,
			      struct histogram_access *access)
{
	while (smile_histogram_next(histogram, position, access)) {
		if (access->page == page)
			return 1;
	}
	return 0;
}

uint64_t smile_histogram_block(const struct histogram *histogram, uint64_t page, uint32_t home,
			       uint32_t source, uint32_t type, uint32_t block)
{
	return smile_table_get(&histogram->blocks, key_high(page, type, block),
			       key_low(0, home, source));
}
