// SPDX-License-Identifier: MIT
/*
 * run/session: writes the map of the program's memory into the recordings.
 *
 * What lives here: the map that follows the records in a recording. The map consists of the pages
 * of the machine and the regions that the tracer has reported. Each recording has the whole map, so
 * that each recording can be read without the others.
 */
#include "run/session/session_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void map_fail(struct run *run)
{
	run_message("%s", Monitor_error_message());
	run->failed = 1;
}

void run_map_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns)
{
	struct run *run = opaque;

	run_cards_show(run);
	run_cards_until(run);
	checkpoint_phase(&run->checkpoint, run_now_ns());
	run_locals_take(run, index - 1);
	run_intervals_phase(run, index);
	run_phases_next(run, name);
	for (unsigned n = 0; n < run->config.nodes; n++)
		if (run->cards[n].mon &&
		    Monitor_phase_name_add(run->cards[n].mon, time_ns, name) < 0)
			map_fail(run);
}

/* ---- homes ----------------------------------------------------------------------------------- */

static int homes_report(struct Monitor *mon, const struct machine_page *pages, size_t count)
{
	size_t first = 0, next;

	for (; first < count; first = next) {
		for (next = first + 1; next < count; next++)
			if (pages[next].home != pages[first].home ||
			    pages[next].page != pages[first].page + (next - first))
				break;
		if (Monitor_home_add(mon, pages[first].page, next - first, pages[first].home) < 0)
			return -1;
	}
	return 0;
}

/* ---- regions --------------------------------------------------------------------------------- */

static const uint32_t map_kinds[] = {
	[STREAM_REGION_HEAP] = MONITOR_REGION_HEAP,
	[STREAM_REGION_GLOBAL] = MONITOR_REGION_GLOBAL,
	[STREAM_REGION_PRIVATE] = MONITOR_REGION_PRIVATE,
	[STREAM_REGION_SHARED] = MONITOR_REGION_SHARED,
	[STREAM_REGION_NAMED] = MONITOR_REGION_NAMED,
	[STREAM_REGION_STACK] = MONITOR_REGION_STACK,
	[STREAM_REGION_CODE] = MONITOR_REGION_CODE,
};

/* Check whether @next only extends @region. Each brk(2) reports a separate region. */
static int region_grows(const struct Monitor_region *region, const struct Monitor_region *next)
{
	return region->kind == MONITOR_REGION_HEAP && next->kind == MONITOR_REGION_HEAP &&
	       region->end == next->start;
}

static int region_report(struct Monitor *mon, struct Monitor_region *last,
			 const struct Monitor_region *next)
{
	int err = 0;

	if (last->end && next && region_grows(last, next)) {
		last->end = next->end;
		return 0;
	}
	if (last->end)
		err = Monitor_region_add(mon, last);
	free((char *)last->name);
	*last = (struct Monitor_region){0};
	if (!next)
		return err;
	*last = *next;
	/* The name that the schedule has passed is not valid after this call. */
	last->name = strdup(next->name);
	return last->name ? err : -1;
}

static int regions_report(struct Monitor *mon, const struct run *run)
{
	const struct schedule *schedule = run->schedule;
	struct Monitor_region last = {0};
	size_t count = schedule_regions(schedule);
	int err = 0;

	for (size_t i = 0; i < count && err >= 0; i++) {
		const struct stream_region *region;
		bool gone;

		region = schedule_region(schedule, i, &gone);
		if (!region || region->start == region->end)
			continue;
		err = region_report(mon, &last,
				    &(struct Monitor_region){
					    .start = region->start,
					    .end = region->end,
					    .offset = region->offset,
					    .bias = region->bias,
					    .kind = map_kinds[region->kind],
					    .name = run_called(run, region->path),
				    });
	}
	if (err >= 0)
		err = region_report(mon, &last, NULL);
	else
		free((char *)last.name);
	return err;
}

void run_map_report(struct run *run)
{
	struct machine_page *pages = NULL;
	char *parameters;
	json_t *document;
	struct schedule_statistics replayed;
	int64_t count;

	if (!run->config.prefix)
		return;
	run_intervals_end(run);
	schedule_statistics(run->schedule, &replayed);
	/*
	 * Mark the local accesses as complete first, because the document shows whether they are
	 * complete.
	 */
	run_locals_end(run, (unsigned)replayed.phases);
	document = run_report_json(run, 1);
	parameters = document ? json_dumps(document, JSON_COMPACT) : NULL;
	count = machine_pages(run->machine, &pages);
	if (count < 0 || !parameters) {
		run_message("no memory for the homes of the program's pages");
		run->failed = 1;
	}
	for (unsigned n = 0; n < run->config.nodes && count >= 0 && parameters; n++) {
		struct Monitor *mon = run->cards[n].mon;

		if (homes_report(mon, pages, (size_t)count) < 0 || regions_report(mon, run) < 0 ||
		    Monitor_parameters_set(mon, parameters) < 0)
			map_fail(run);
	}
	run_heap_report(run);
	run_frames_report(run);
	run_objects_report(run);
	free(pages);
	free(parameters);
	json_decref(document);
}
