// SPDX-License-Identifier: MIT
/*
 * Advise: makes the advice for each page, and runs of pages. See lib/analysis/advise/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/regions.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* If a page saves too little, or cannot be placed, it stays on its home. */
static void row_settle(const struct Monitor_advise *advise, size_t index)
{
	struct Monitor_advice *row = &advise->rows[index];

	if (row->cycles - row->advised_cycles < advise->options.min_gain || advise->fixed[index])
		row->node = row->home;
}

/*
 * Mark pages with several homes. While the program runs, the address of such a page is used for
 * different data, and the best node changes with the data. First touch adapts to the change; a
 * placement does not.
 */
static void several_homes_find(struct Monitor_advise *advise)
{
	for (size_t i = 1; i < advise->count && advise_recorded_first_touch(advise); i++)
		if (advise->rows[i].page == advise->rows[i - 1].page)
			advise->fixed[i - 1] = advise->fixed[i] = ADVISE_SEVERAL_HOMES;
}

static int rows_get(struct Monitor_advise *advise)
{
	const unsigned char *phases = advise->options.phase ? advise->phases : NULL;
	size_t capacity = advise->options.expected_pages;
	int count;

	/*
	 * Counting the pages first would take as long as reading them. Instead, double the memory
	 * until all pages fit.
	 */
	do {
		free(advise->rows);
		advise->rows = analysis_memory(capacity, sizeof(*advise->rows));
		if (!advise->rows)
			return -ENOMEM;
		count = Monitor_advice(advise->mon, &advise->machine.weights, phases,
				       advise->phase_count, advise->options.shared_below,
				       advise->rows, capacity);
	} while (count >= 0 && (size_t)count > capacity && (capacity = (size_t)count));
	if (count < 0)
		return count;
	advise->count = (size_t)count;
	count = advise_constants_load(advise);
	if (count < 0)
		return count;
	several_homes_find(advise);
	for (size_t i = 0; i < advise->count; i++)
		row_settle(advise, i);
	return count;
}

void advise_row_sum(struct Monitor_advise_sums *sums, const struct Monitor_advice *row)
{
	int moved = row->node != row->home, shared = (row->flags & MONITOR_ADVICE_SHARED) != 0;

	sums->moved += (size_t)moved;
	sums->wrong += (size_t)(moved && !shared);
	sums->shared += (size_t)shared;
	sums->accesses += row->accesses;
	sums->cycles += row->cycles;
	sums->advised_cycles += row->advised_cycles;
}

/*
 * First touch places the pages that only one node accesses, if these pages have at least this part
 * of the placement's gain.
 */
#define FIRST_TOUCH_GAIN 0.05

/*
 * Return whether first touch can place the pages that only one node accesses. It cannot if another
 * node may access such a page in a phase that the advice does not consider, or by an access that no
 * recording contains.
 */
static int first_touch_pays(const struct Monitor_advise *advise)
{
	const uint32_t unknown = MONITOR_ADVICE_LOCAL_UNKNOWN | MONITOR_ADVICE_PARTLY_SEEN;
	uint64_t own = 0;

	for (size_t i = 0; i < advise->count; i++) {
		const struct Monitor_advice *row = &advise->rows[i];

		if (row->flags & unknown)
			return 0;
		if (advise_is_own(row))
			own += advise_gain(row->cycles, row->advised_cycles);
	}
	if (advise->options.phase)
		return 0;
	/*
	 * If the recorded run placed pages by first touch, nearly all pages that only one node
	 * accesses are already on that node.
	 */
	if (advise_recorded_first_touch(advise))
		return 1;
	return (double)own > FIRST_TOUCH_GAIN * (double)advise_gain(advise->sums.cycles,
								    advise->sums.advised_cycles);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void run_begin(struct Monitor_advise *advise, struct Monitor_advise_run *run, size_t row)
{
	uint64_t page = advise->rows[row].page, offset;

	*run = (struct Monitor_advise_run){.first = row};
	run->in_region = regions_of_page(advise->mon, page, &run->region, &offset);
	if (run->in_region)
		run->offset = page - run->region.start / SMILE_PAGE_BYTES;
}

/* Return whether the run @next, which has only one row, continues the run @run. */
static int run_goes_on(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		       const struct Monitor_advise_run *next)
{
	const struct Monitor_advice *last = &advise->rows[run->first + run->count - 1];
	const struct Monitor_advice *row = &advise->rows[next->first];

	return row->page == last->page + 1 && row->node == last->node &&
	       (row->flags & MONITOR_ADVICE_SHARED) == (last->flags & MONITOR_ADVICE_SHARED) &&
	       advise_runs_together(run, next);
}

static void run_add(const struct Monitor_advise *advise, struct Monitor_advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first + run->count++];

	run->cycles += row->cycles;
	run->advised_cycles += row->advised_cycles;
	run->accesses += row->accesses;
	run->share += row->share * (double)row->cycles;
}

static void run_settle(struct Monitor_advise_run *run)
{
	if (run->cycles)
		run->share /= (double)run->cycles;
}

void advise_run_part(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		     size_t from, size_t count, struct Monitor_advise_run *part)
{
	*part = (struct Monitor_advise_run){
		.first = run->first + from,
		.in_region = run->in_region,
		.region = run->region,
		.offset = run->offset + from,
	};
	while (part->count < count)
		run_add(advise, part);
	run_settle(part);
}

static int runs_make(struct Monitor_advise *advise)
{
	struct Monitor_advise_run *run = NULL, next;

	advise->runs = analysis_memory(advise->count, sizeof(*advise->runs));
	if (!advise->runs)
		return -ENOMEM;
	for (size_t i = 0; i < advise->count; i++) {
		run_begin(advise, &next, i);
		if (!run || !run_goes_on(advise, run, &next)) {
			run = &advise->runs[advise->run_count++];
			*run = next;
		}
		run_add(advise, run);
	}
	for (size_t i = 0; i < advise->run_count; i++)
		run_settle(&advise->runs[i]);
	return 0;
}

int advise_rows_load(struct Monitor_advise *advise)
{
	int failed = rows_get(advise);

	if (failed)
		return failed;
	if (!advise->count)
		return Monitor_error_set(ENODATA,
					 "nothing was accessed%s%s: there is nothing to advise on",
					 advise->options.phase ? " in phase " : "",
					 advise->options.phase ? advise->options.phase : "");
	return 0;
}

int advise_runs_make(struct Monitor_advise *advise)
{
	for (size_t i = 0; i < advise->count; i++)
		advise_row_sum(&advise->sums, &advise->rows[i]);
	advise->first_touch = first_touch_pays(advise);
	return runs_make(advise);
}

/* ---- the words of a run ---------------------------------------------------------------------- */

int advise_runs_together(const struct Monitor_advise_run *a, const struct Monitor_advise_run *b)
{
	if (a->in_region != b->in_region)
		return 0;
	return !a->in_region ||
	       (a->region.start == b->region.start && a->region.kind == b->region.kind &&
		!strcmp(a->region.name, b->region.name));
}

const char *advise_run_name(const struct Monitor_advise_run *run)
{
	return run->in_region ? regions_name(&run->region) : "-";
}

size_t advise_run_moved(const struct Monitor_advise *advise, const struct Monitor_advise_run *run)
{
	size_t moved = 0;

	for (size_t i = run->first; i < run->first + run->count; i++)
		moved += advise->rows[i].node != advise->rows[i].home;
	return moved;
}

char *advise_run_homes(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		       char *text)
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
