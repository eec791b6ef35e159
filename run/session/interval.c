// SPDX-License-Identifier: MIT
/*
 * run/session: measures the intervals between two meetings of the program's threads.
 *
 * What lives here: the length of each interval; the work that each node has done in the interval;
 * and the pages that each node has accessed in the interval. The data of each node is written to
 * the node's recording. Within an interval no node waits for another node at a barrier, so `smile
 * advise` can predict the length of the interval from its busiest node. The first intervals are
 * recorded separately, up to the limits below. Each later interval is added to the most similar
 * recorded interval.
 */
#include "run/session/session_inside.h"

#include <math.h>
#include <stdlib.h>

#include <base/array.h>

/*
 * Limits on the number of intervals that are recorded separately, and on this number times the
 * number of nodes.
 */
#define INTERVALS_KEPT 1024U
#define INTERVALS_NODES 16384U
/* When this number of counts of accesses is reached, no further interval is recorded separately. */
#define INTERVALS_COUNTS (1U << 20)

static void intervals_fail(struct run *run)
{
	run->intervals.failed = true;
}

/* ---- one interval ---------------------------------------------------------------------------- */

static int interval_make(const struct run *run, struct run_interval *interval)
{
	unsigned nodes = run->config.nodes;

	*interval = (struct run_interval){.phase = run->intervals.phase};
	interval->work = calloc(5 * (size_t)nodes, sizeof(*interval->work));
	if (!interval->work)
		return -1;
	interval->busy = interval->work + nodes;
	interval->most = interval->busy + nodes;
	interval->waits = interval->most + nodes;
	interval->pauses = interval->waits + nodes;
	return 0;
}

static void interval_free(struct run_interval *interval)
{
	free(interval->work);
}

static uint64_t busy_cycles(const struct machine_statistics *processor)
{
	uint64_t cycles =
		processor->work_cycles + processor->local_cycles + processor->cache_cycles;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		cycles += processor->remote_cycles[type];
	return cycles;
}

/* Compute the work of the processors since the end of the last interval. */
static void interval_work(struct run *run, struct run_interval *interval)
{
	for (unsigned p = 0; p < machine_processors(run->machine); p++) {
		uint64_t *seen = run->intervals.seen[p], busy;
		int node = machine_processor_node(run->machine, p);
		struct machine_statistics now;

		machine_processor_statistics(run->machine, p, &now);
		busy = busy_cycles(&now) - seen[1];
		/*
		 * An access that a cache serves costs the same wherever the page is, so it counts
		 * as work.
		 */
		now.work_cycles += now.cache_cycles;
		interval->work[node] += now.work_cycles - seen[0];
		interval->busy[node] += busy;
		if (busy > interval->most[node])
			interval->most[node] = busy;
		seen[0] = now.work_cycles;
		seen[1] += busy;
	}
}

static void interval_waits(struct run *run, struct run_interval *interval)
{
	for (unsigned n = 0; n < run->config.nodes; n++) {
		uint64_t waits = schedule_lock_waits(run->schedule, n);
		uint64_t pauses = schedule_time_waits(run->schedule, n);

		interval->waits[n] = waits - run->intervals.waits[n];
		run->intervals.waits[n] = waits;
		interval->pauses[n] = pauses - run->intervals.pauses[n];
		run->intervals.pauses[n] = pauses;
	}
}

static uint64_t page_cycles(const struct run *run, const struct machine_local *page)
{
	uint64_t cycles = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		cycles += page->counts[type] * run->config.latency.remote_cycles[type];
	return cycles;
}

/*
 * Find the page whose accesses by all nodes would cost the most cycles if it were remote. @pages
 * must be sorted by page.
 */
static uint64_t busiest_page(const struct run *run, const struct machine_local *pages, size_t count)
{
	uint64_t found = 0, most = 0, cycles = 0;

	for (size_t i = 0; i < count; i++) {
		if (i && pages[i].page != pages[i - 1].page)
			cycles = 0;
		cycles += page_cycles(run, &pages[i]);
		if (cycles <= most)
			continue;
		most = cycles;
		found = pages[i].page;
	}
	return found;
}

/* ---- the most similar interval -------------------------------------------------------------- */

/*
 * Get a number for the difference between two intervals: the sum of the differences between the
 * nodes' shares of the load, plus 1 if the intervals have different busiest pages.
 */
static double difference(const struct run *run, const struct run_interval *a,
			 const struct run_interval *b)
{
	double sum = a->busiest_page != b->busiest_page, all[2] = {0, 0};

	for (unsigned n = 0; n < run->config.nodes; n++) {
		all[0] += (double)a->busy[n];
		all[1] += (double)b->busy[n];
	}
	for (unsigned n = 0; n < run->config.nodes; n++)
		sum += fabs((all[0] > 0 ? (double)a->busy[n] / all[0] : 0) -
			    (all[1] > 0 ? (double)b->busy[n] / all[1] : 0));
	return sum;
}

/*
 * Find the most similar interval of the same phase. Return: its number; the number of intervals if
 * the phase has no interval yet.
 */
static size_t most_alike(const struct run *run, const struct run_interval *interval)
{
	const struct run_intervals *intervals = &run->intervals;
	size_t found = intervals->count;
	double least = INFINITY;

	for (size_t i = 0; i < intervals->count; i++) {
		double other;

		if (intervals->list[i].phase != interval->phase)
			continue;
		other = difference(run, &intervals->list[i], interval);
		if (other >= least)
			continue;
		least = other;
		found = i;
	}
	return found;
}

static int has_room(const struct run *run)
{
	const struct run_intervals *intervals = &run->intervals;

	return intervals->count < INTERVALS_KEPT &&
	       intervals->count * run->config.nodes < INTERVALS_NODES &&
	       intervals->counts < INTERVALS_COUNTS;
}

/*
 * Add an interval to the list, or to the most similar interval. Return: the number of the interval
 * in the list; -1 after an error.
 */
static int64_t interval_keep(struct run *run, struct run_interval *interval)
{
	struct run_intervals *intervals = &run->intervals;
	struct run_interval *into;
	size_t number;

	if (has_room(run)) {
		if (array_reserve(&intervals->list, &intervals->capacity, intervals->count,
				  sizeof(*intervals->list)) < 0)
			return -1;
		intervals->list[intervals->count] = *interval;
		*interval = (struct run_interval){0};
		return (int64_t)intervals->count++;
	}
	number = most_alike(run, interval);
	if (number == intervals->count)
		return -1;
	into = &intervals->list[number];
	into->cycles += interval->cycles;
	for (unsigned n = 0; n < run->config.nodes; n++) {
		into->work[n] += interval->work[n];
		into->busy[n] += interval->busy[n];
		into->most[n] += interval->most[n];
		into->waits[n] += interval->waits[n];
		into->pauses[n] += interval->pauses[n];
	}
	into->several = true;
	return (int64_t)number;
}

/* ---- the end of an interval ----------------------------------------------------------------- */

static void accesses_report(struct run *run, uint32_t interval, const struct machine_local *pages,
			    size_t count)
{
	/* Like all counts, these counts are not recorded for phases that the cards do not see. */
	for (size_t i = 0; run->phases.counting && i < count; i++) {
		const struct Monitor_interval accesses = {
			.page = pages[i].page,
			.interval = interval,
			.node = pages[i].node,
			.reads = pages[i].counts[SMILE_TYPE_READ],
			.writes = pages[i].counts[SMILE_TYPE_WRITE],
			.locks = pages[i].counts[SMILE_TYPE_LOCK],
		};

		if (run->cards[accesses.node].mon &&
		    Monitor_interval_add(run->cards[accesses.node].mon, &accesses) < 0)
			intervals_fail(run);
	}
	run->intervals.counts += count;
}

/*
 * End an interval. @met: the interval ends because threads have met, and the schedule has already
 * counted this meeting.
 */
static void interval_end(struct run *run, uint64_t cycle, bool met)
{
	struct run_intervals *intervals = &run->intervals;
	struct machine_local *pages = NULL;
	struct run_interval interval;
	int64_t count, number;

	if (!run->config.prefix || intervals->failed)
		return;
	if (!intervals->seen)
		intervals->seen = calloc(MACHINE_PROCESSORS_MAX, sizeof(*intervals->seen));
	count = machine_accesses(run->machine, &pages);
	if (!intervals->seen || count < 0 || interval_make(run, &interval) < 0) {
		intervals_fail(run);
		free(pages);
		return;
	}
	if (cycle > intervals->start_cycle)
		interval.cycles = cycle - intervals->start_cycle;
	intervals->start_cycle += interval.cycles;
	interval_work(run, &interval);
	interval_waits(run, &interval);
	interval.first_meeting = intervals->meeting;
	intervals->meeting = schedule_meetings(run->schedule);
	interval.last_meeting = intervals->meeting - met;
	interval.busiest_page = busiest_page(run, pages, (size_t)count);
	number = interval.cycles || count ? interval_keep(run, &interval) : 0;
	if (number < 0)
		intervals_fail(run);
	else
		accesses_report(run, (uint32_t)number, pages, (size_t)count);
	interval_free(&interval);
	free(pages);
}

void run_intervals_next(void *opaque, uint64_t cycle)
{
	interval_end(opaque, cycle, true);
}

void run_intervals_phase(struct run *run, unsigned phase)
{
	interval_end(run, schedule_now(run->schedule), false);
	run->intervals.phase = phase;
}

void run_intervals_end(struct run *run)
{
	struct run_totals totals;

	run_totals(run, &totals);
	interval_end(run, totals.cycles, false);
	for (unsigned n = 0; n < run->config.nodes && !run->intervals.failed; n++)
		if (run->cards[n].mon && Monitor_interval_node_add(run->cards[n].mon, n) < 0)
			intervals_fail(run);
}

void run_intervals_free(struct run *run)
{
	for (size_t i = 0; i < run->intervals.count; i++)
		interval_free(&run->intervals.list[i]);
	free(run->intervals.list);
	free(run->intervals.seen);
}

json_t *run_intervals_json(const struct run *run)
{
	const struct run_intervals *intervals = &run->intervals;
	json_t *list = json_array();

	for (size_t i = 0; i < intervals->count && !intervals->failed; i++) {
		const struct run_interval *interval = &intervals->list[i];
		json_t *work = json_array(), *threads = json_array(), *waits = json_array();
		json_t *pauses = json_array();
		bool handed = interval->several ||
			      schedule_hands_out(run->schedule, interval->first_meeting,
						 interval->last_meeting);

		for (unsigned n = 0; n < run->config.nodes; n++) {
			json_array_append_new(work, json_integer((json_int_t)interval->work[n]));
			json_array_append_new(waits, json_integer((json_int_t)interval->waits[n]));
			json_array_append_new(pauses,
					      json_integer((json_int_t)interval->pauses[n]));
			json_array_append_new(threads,
					      json_real(interval->most[n]
								? (double)interval->busy[n] /
									  (double)interval->most[n]
								: 1));
		}
		json_array_append_new(list,
				      json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:b}", "phase",
						(json_int_t)interval->phase, "cycles",
						(json_int_t)interval->cycles, "work_cycles", work,
						"threads", threads, "lock_wait_cycles", waits,
						"time_wait_cycles", pauses, "handed_out", handed));
	}
	return list;
}
