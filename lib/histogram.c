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

/* Several streams agree on the phases' order; the latest mark tells the end. */
static int add_mark(struct histogram *histogram, struct histogram_stream *stream,
		    const struct Monitor_record *record)
{
	struct Monitor_phase *phase;
	int error = phase_begin(histogram, stream->phase);

	if (error < 0)
		return error;
	phase = &histogram->phases[stream->phase++];
	phase->event = record->event;
	phase->open = 0;
	if (record->time_ns > phase->end_ns)
		phase->end_ns = record->time_ns;
	return 0;
}

static int covered(const struct histogram_stream *stream, uint32_t node)
{
	for (size_t i = 0; i < stream->covered_count; i++) {
		if (stream->covered[i] == node)
			return 1;
	}
	return 0;
}

/*
 * A transaction that several merged cards saw counts once: where its target's card saw it, if that
 * card is in the view, and else where its source's card did.
 */
static int seen_elsewhere(const struct histogram_stream *stream, uint32_t source, uint32_t home)
{
	if (home == stream->node)
		return 0;
	return covered(stream, home) || (source != stream->node && covered(stream, source));
}

static int add_counting(struct histogram *histogram, struct histogram_stream *stream,
			const struct Monitor_record *record)
{
	uint32_t source = record->response ? record->destination : record->source;
	uint32_t home = record->response ? record->source : record->destination;
	uint64_t page = record->address / SMILE_PAGE_BYTES;
	uint32_t first = (uint32_t)(record->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	uint32_t last = first + record->length_bytes / SMILE_WORD_BYTES - 1;
	int error;

	histogram->delivered += record->count;
	smile_histogram_node(histogram, record->source);
	smile_histogram_node(histogram, record->destination);
	if (!record->count || !record->response != !stream->responses ||
	    seen_elsewhere(stream, source, home))
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

int smile_histogram_add(struct histogram *histogram, struct histogram_stream *stream,
			const struct smile_record *record)
{
	struct Monitor_record decoded;
	int error = Monitor_record_decode(record, &decoded);

	if (error < 0)
		return error;
	switch (decoded.kind) {
	case SMILE_KIND_DYNAMIC:
		return add_counting(histogram, stream, &decoded);
	case SMILE_KIND_EVENT:
		return decoded.phase ? add_mark(histogram, stream, &decoded) : 0;
	case SMILE_KIND_LOST:
		histogram->lost += decoded.lost;
		histogram->marks_lost += decoded.marks_lost;
		return 0;
	default:
		return 0;
	}
}

int smile_histogram_next(const struct histogram *histogram, size_t *position,
			 struct histogram_access *access)
{
	const struct table_cell *cell = smile_table_next(&histogram->pages, position);

	if (!cell)
		return 0;
	access->page = cell->high >> KEY_PAGE_SHIFT;
	access->type = (uint32_t)(cell->high >> KEY_TYPE_SHIFT) & 3;
	access->phase = (uint32_t)(cell->low >> 32);
	access->home = (uint32_t)(cell->low >> 16) & 0xffff;
	access->source = (uint32_t)cell->low & 0xffff;
	access->count = cell->count;
	return 1;
}

uint64_t smile_histogram_block(const struct histogram *histogram, uint64_t page, uint32_t home,
			       uint32_t source, uint32_t type, uint32_t block)
{
	return smile_table_get(&histogram->blocks, key_high(page, type, block),
			       key_low(0, home, source));
}
