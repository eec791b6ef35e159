// SPDX-License-Identifier: MIT
/* Spans: counts accesses to parts of the address space. See lib/analysis/spans.h. */
#include "lib/analysis/spans.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

void spans_free(struct spans *spans)
{
	free(spans->starts);
	free(spans->ends);
	free(spans->structures);
	free(spans->counts);
}

void spans_add(struct spans *spans, uint64_t start, uint64_t end)
{
	if (spans->count == spans->size || start >= end)
		return;
	spans->starts[spans->count] = start;
	spans->ends[spans->count++] = end;
}

int spans_new(struct spans *spans, size_t size, size_t nodes)
{
	*spans = (struct spans){.size = size, .nodes = nodes};
	spans->starts = analysis_memory(size, sizeof(*spans->starts));
	spans->ends = analysis_memory(size, sizeof(*spans->ends));
	return spans->starts && spans->ends ? 0 : -ENOMEM;
}

static void count_row(struct spans *spans, const struct Monitor_structure_row *row,
		      const uint32_t *span_of)
{
	struct structure *structure;

	if (row->variable == MONITOR_VARIABLES_ALL || span_of[row->variable] == UINT32_MAX)
		return;
	structure = &spans->structures[span_of[row->variable]];
	structure->straddling += row->straddling;
	structure->all += row->accesses;
	structure->all_reads += row->reads;
	structure->all_writes += row->writes;
	structure->all_locks += row->locks;
	if (row->home < spans->nodes)
		structure->homes[row->home] += row->accesses + row->straddling;
	if (row->source < spans->nodes)
		structure->accesses[row->source] += row->accesses;
}

/* Set the bounds of the spans and of the gaps between them. Return: the number of bounds. */
static size_t bounds_of(const struct spans *spans, uint64_t *bounds, uint32_t *span_of)
{
	size_t count = 0;

	for (size_t i = 0; i < spans->count; i++) {
		if (!count || bounds[count - 1] != spans->starts[i]) {
			span_of[count] = UINT32_MAX;
			bounds[count++] = spans->starts[i];
		}
		span_of[count - 1] = (uint32_t)i;
		span_of[count] = UINT32_MAX;
		bounds[count++] = spans->ends[i];
	}
	return count;
}

static int structures_new(struct spans *spans)
{
	spans->structures = analysis_memory(spans->count, sizeof(*spans->structures));
	spans->counts = analysis_memory(spans->count * 2 * spans->nodes, sizeof(*spans->counts));
	if (!spans->structures || !spans->counts)
		return -ENOMEM;
	for (size_t i = 0; i < spans->count; i++) {
		spans->structures[i].index = (uint32_t)i;
		spans->structures[i].homes = spans->counts + 2 * i * spans->nodes;
		spans->structures[i].accesses = spans->counts + (2 * i + 1) * spans->nodes;
	}
	return 0;
}

static int rows_count(struct spans *spans, struct Monitor *mon, const uint64_t *bounds,
		      size_t count, const uint32_t *span_of)
{
	struct Monitor_structure_row *rows;
	int found = count ? Monitor_spans_info(mon, bounds, count - 1, NULL, 0) : 0;

	if (found <= 0)
		return found;
	rows = analysis_memory((size_t)found, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	found = Monitor_spans_info(mon, bounds, count - 1, rows, (size_t)found);
	for (int i = 0; i < found; i++)
		count_row(spans, &rows[i], span_of);
	free(rows);
	return found < 0 ? found : 0;
}

int spans_count(struct spans *spans, struct Monitor *mon)
{
	uint64_t *bounds = analysis_memory(2 * spans->count + 2, sizeof(*bounds));
	uint32_t *span_of = analysis_memory(2 * spans->count + 2, sizeof(*span_of));
	int error = bounds && span_of ? structures_new(spans) : -ENOMEM;

	if (!error)
		error = rows_count(spans, mon, bounds, bounds_of(spans, bounds, span_of), span_of);
	free(bounds);
	free(span_of);
	return error;
}
