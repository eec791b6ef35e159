// SPDX-License-Identifier: MIT
/*
 * smile advise: the advice by page, and runs of pages.
 */
#include "tools/advise/advise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* A page that gains too little stays where it is. */
static void row_settle(const struct advise *advise, struct Monitor_advice *row)
{
	if (row->cycles - row->advised_cycles >= advise->min_gain)
		return;
	row->node = row->home;
	row->advised_cycles = row->cycles;
}

static int rows_get(struct advise *advise)
{
	const unsigned char *phases = advise->phase ? advise->phases : NULL;
	size_t capacity = advise->expected;
	int count;

	/* Counting them takes as long as getting them. */
	do {
		free(advise->rows);
		advise->rows = tool_memory(capacity, sizeof(*advise->rows));
		count = Monitor_advice(advise->mon, &advise->model.weights, phases,
				       advise->phase_count, advise->shared_below, advise->rows,
				       capacity);
	} while (count >= 0 && (size_t)count > capacity && (capacity = (size_t)count));
	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	advise->count = (size_t)count;
	for (size_t i = 0; i < advise->count; i++)
		row_settle(advise, &advise->rows[i]);
	return TOOL_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void run_begin(struct advise *advise, struct advise_run *run, size_t row)
{
	uint64_t page = advise->rows[row].page, offset;

	*run = (struct advise_run){.first = row};
	run->in_region = regions_of_page(advise->mon, page, &run->region, &offset);
	if (run->in_region)
		run->offset = page - run->region.start / SMILE_PAGE_BYTES;
}

/* Is a row, whose region a run of its own tells, the next page of a run? */
static int run_goes_on(const struct advise *advise, const struct advise_run *run,
		       const struct advise_run *next)
{
	const struct Monitor_advice *last = &advise->rows[run->first + run->count - 1];
	const struct Monitor_advice *row = &advise->rows[next->first];

	return row->page == last->page + 1 && row->node == last->node &&
	       (row->flags & MONITOR_ADVICE_SHARED) == (last->flags & MONITOR_ADVICE_SHARED) &&
	       advise_runs_together(run, next);
}

static void run_add(const struct advise *advise, struct advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first + run->count++];

	run->cycles += row->cycles;
	run->advised_cycles += row->advised_cycles;
	run->accesses += row->accesses;
	run->share += row->share * (double)row->cycles;
}

static void runs_make(struct advise *advise)
{
	struct advise_run *run = NULL, next;

	advise->runs = tool_memory(advise->count, sizeof(*advise->runs));
	for (size_t i = 0; i < advise->count; i++) {
		run_begin(advise, &next, i);
		if (!run || !run_goes_on(advise, run, &next)) {
			run = &advise->runs[advise->run_count++];
			*run = next;
		}
		run_add(advise, run);
	}
	for (size_t i = 0; i < advise->run_count; i++)
		if (advise->runs[i].cycles)
			advise->runs[i].share /= (double)advise->runs[i].cycles;
}

int advise_rows_load(struct advise *advise)
{
	int status = rows_get(advise);

	if (status == TOOL_OK && !advise->count)
		status = tool_error("nothing was accessed%s%s: there is nothing to advise on",
				    advise->phase ? " in phase " : "",
				    advise->phase ? advise->phase : "");
	if (status == TOOL_OK)
		runs_make(advise);
	return status;
}

/* ---- what they are --------------------------------------------------------------------------- */

int advise_runs_together(const struct advise_run *a, const struct advise_run *b)
{
	if (a->in_region != b->in_region)
		return 0;
	return !a->in_region ||
	       (a->region.start == b->region.start && a->region.kind == b->region.kind &&
		!strcmp(a->region.name, b->region.name));
}

const char *advise_run_name(const struct advise_run *run)
{
	return run->in_region ? regions_name(&run->region) : "-";
}

size_t advise_run_moved(const struct advise *advise, const struct advise_run *run)
{
	size_t moved = 0;

	for (size_t i = run->first; i < run->first + run->count; i++)
		moved += advise->rows[i].node != advise->rows[i].home;
	return moved;
}

char *advise_run_homes(const struct advise *advise, const struct advise_run *run, char *text)
{
	size_t used = 0;
	uint32_t node = 0, last = 0;

	for (size_t i = run->first; i < run->first + run->count; i++)
		if (advise->rows[i].home > last)
			last = advise->rows[i].home;
	*text = '\0';
	for (; node <= last && used < ADVISE_HOMES_BYTES - 16; node++) {
		uint32_t end = node;
		size_t i;

		for (; end <= last; end++) {
			for (i = run->first; i < run->first + run->count; i++)
				if (advise->rows[i].home == end)
					break;
			if (i == run->first + run->count)
				break;
		}
		if (end == node)
			continue;
		used += (size_t)snprintf(text + used, ADVISE_HOMES_BYTES - used, "%s%" PRIu32,
					 used ? "," : "", node);
		if (end > node + 1)
			used += (size_t)snprintf(text + used, ADVISE_HOMES_BYTES - used,
						 "%s%" PRIu32, end > node + 2 ? "-" : ",", end - 1);
		node = end;
	}
	if (node <= last)
		snprintf(text + used, ADVISE_HOMES_BYTES - used, ",...");
	return text;
}

struct Monitor_home *advise_homes(const struct advise *advise)
{
	struct Monitor_home *homes = tool_memory(advise->count, sizeof(*homes));

	for (size_t i = 0; i < advise->count; i++)
		homes[i] = (struct Monitor_home){
			.page = advise->rows[i].page, .pages = 1, .node = advise->rows[i].node};
	return homes;
}

size_t advise_flagged(const struct advise *advise, uint32_t flag)
{
	size_t count = 0;

	for (size_t i = 0; i < advise->count; i++)
		count += (advise->rows[i].flags & flag) != 0;
	return count;
}
