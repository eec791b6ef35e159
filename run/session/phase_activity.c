// SPDX-License-Identifier: MIT
/*
 * run/session: measures the program's phases.
 *
 * What lives here: the activity of each node in each phase, computed as the difference between the
 * machine's counts at the end and at the beginning of the phase; and the decision whether cards and
 * captures see a phase.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/field.h>
#include <hw/blink.h>

/* The largest number of phases that are stored. A longer list would not help a reader. */
#define PHASES_KEPT 1024U
#define PHASE_NAME_MAX (8 * STREAM_NAME_WORDS - 1)

#define STATISTICS_COUNTS (sizeof(struct machine_statistics) / sizeof(uint64_t))

/*
 * Add the counts of @from, multiplied by @times, to @to. All members of the structure are counts,
 * so they can be added one by one.
 */
static void statistics_sum(struct machine_statistics *to, const struct machine_statistics *from,
			   uint64_t times)
{
	const uint64_t *counts = (const uint64_t *)from;
	uint64_t *sums = (uint64_t *)to;

	for (size_t i = 0; i < STATISTICS_COUNTS; i++)
		sums[i] += counts[i] * times;
}

void run_statistics_add(struct machine_statistics *to, const struct machine_statistics *from)
{
	statistics_sum(to, from, 1);
}

/*
 * Get the number of cycles that a node has worked in a phase of @cycles cycles that began at
 * @start, if the node's clock is now @clock.
 */
static uint64_t phase_cycles(uint64_t clock, uint64_t start, uint64_t cycles)
{
	uint64_t own = clock > start ? clock - start : 0;

	return own < cycles ? own : cycles;
}

/* When a phase begins, store the machine's present counts in @phase. */
static void phase_start(const struct run *run, struct run_phase *phase, uint64_t cycle)
{
	/*
	 * This also updates the counts of the processors' accesses, before caches serve some of
	 * them.
	 */
	machine_accessed(run->machine);
	phase->start_cycle = cycle;
	phase->single_cycles = machine_single_cycles(run->machine);
	for (unsigned n = 0; n < run->config.nodes; n++)
		machine_statistics(run->machine, n, &phase->nodes[n]);
}

/* ---- the end of a phase ---------------------------------------------------------------------- */

static void phase_fail(struct run *run)
{
	if (!run->failed)
		run_message("no memory for the phases of the program");
	run->failed = 1;
}

static int phase_make(const struct run *run, struct run_phase *phase, const char *name)
{
	*phase = (struct run_phase){
		.name = strdup(name),
		.nodes = calloc(run->config.nodes, sizeof(*phase->nodes)),
	};
	return phase->name && phase->nodes ? 0 : -1;
}

static void phase_free(struct run_phase *phase)
{
	free(phase->name);
	free(phase->nodes);
	*phase = (struct run_phase){0};
}

static void phase_add(const struct run *run, struct run_phase *to, const struct run_phase *from)
{
	if (!to->cycles)
		to->start_cycle = from->start_cycle;
	to->cycles += from->cycles;
	to->single_cycles += from->single_cycles;
	for (unsigned n = 0; n < run->config.nodes; n++)
		run_statistics_add(&to->nodes[n], &from->nodes[n]);
}

/* End the current phase. @now: the machine's counts at this moment. */
static void phase_end(struct run *run, const struct run_phase *now)
{
	struct run_phases *phases = &run->phases;
	struct run_phase *current = &phases->current;

	current->cycles = now->start_cycle - current->start_cycle;
	current->single_cycles = now->single_cycles - current->single_cycles;
	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct machine_statistics node = now->nodes[n];

		/* Subtract the counts at the beginning of the phase. */
		statistics_sum(&node, &current->nodes[n], UINT64_MAX);
		node.cycles =
			phase_cycles(now->nodes[n].cycles, current->start_cycle, current->cycles);
		current->nodes[n] = node;
	}
	if (run->config.only && current->counted)
		phase_add(run, &phases->part, current);
	if (phases->count < PHASES_KEPT && array_reserve(&phases->list, &phases->capacity,
							 phases->count, sizeof(*phases->list)) == 0)
		phases->list[phases->count++] = *current;
	else
		phase_free(current);
	*current = (struct run_phase){0};
}

/* ---- phases that count ----------------------------------------------------------------------- */

static bool name_is(const char *name, const char *wanted)
{
	return wanted && !strncmp(name, wanted, PHASE_NAME_MAX);
}

/*
 * Check whether the members @from, @to and @sample of the configuration select the phase that
 * begins.
 */
static bool part_counts(struct run *run, const char *name)
{
	const struct run_config *config = &run->config;
	struct run_phases *phases = &run->phases;

	if (phases->begun && name_is(name, config->to))
		phases->over = true;
	phases->begun |= !config->from || name_is(name, config->from);
	phases->found |= phases->begun;
	if (!phases->begun || phases->over)
		return false;
	return config->sample < 2 || phases->sampled++ % config->sample == 0;
}

static bool phase_counts(struct run *run, const char *name)
{
	const struct run_config *config = &run->config;

	if (config->from || config->to || config->sample > 1)
		return part_counts(run, name);
	if (!config->only || name_is(name, config->only))
		return true;
	/* The phases from @only to @only_until are selected. */
	return config->only_until && run->phases.counting && !name_is(name, config->only_until);
}

bool run_phases_pass(const struct run *run, const void *frame)
{
	uint64_t word;

	if (run->phases.counting)
		return true;
	/*
	 * Phase marks always pass to the cards, so that phases have the same numbers and names
	 * whether they are selected or not.
	 */
	memcpy(&word, frame, sizeof(word));
	return SMILE_GET(BLINK_BD1_COMMAND, le64toh(word)) == BLINK_EVENT00;
}

/* ---- reports --------------------------------------------------------------------------------- */

int run_phases_begin(struct run *run)
{
	struct run_phases *phases = &run->phases;

	phases->counting = phase_counts(run, "");
	if (phase_make(run, &phases->current, "") < 0 ||
	    phase_make(run, &phases->part, run->config.only ? run->config.only : "") < 0)
		return run_error(-ENOMEM, "no memory for the phases of the program");
	phases->current.counted = phases->counting;
	phases->part.counted = true;
	return 0;
}

void run_phases_next(struct run *run, const char *name)
{
	struct run_phases *phases = &run->phases;
	struct run_phase next;

	phases->counting = phase_counts(run, name);
	phases->found |= name_is(name, run->config.only);
	if (phase_make(run, &next, name) < 0) {
		phase_free(&next);
		phase_fail(run);
		return;
	}
	phase_start(run, &next, schedule_now(run->schedule));
	phase_end(run, &next);
	phases->current = next;
	phases->current.counted = phases->counting;
}

void run_phases_end(struct run *run)
{
	struct run_phases *phases = &run->phases;
	struct run_totals totals;
	struct run_phase end;

	run_totals(run, &totals);
	if (phase_make(run, &end, "") < 0) {
		phase_fail(run);
	} else {
		phase_start(run, &end, totals.cycles);
		phase_end(run, &end);
	}
	phase_free(&end);
	/* If the program could not start, a message has already given the reason. */
	if ((run->config.only || run->config.from) && !phases->found && !run->status &&
	    !run->failed) {
		run_message("the program has not named any phase '%s': nothing was counted",
			    run->config.only ? run->config.only : run->config.from);
		run->failed = 1;
	} else if (run->config.to && !phases->over && !run->status && !run->failed) {
		run_message("note: no phase '%s' has begun: all phases to the end of the program "
			    "were counted",
			    run->config.to);
	}
}

void run_phases_free(struct run *run)
{
	for (size_t i = 0; i < run->phases.count; i++)
		phase_free(&run->phases.list[i]);
	free(run->phases.list);
	phase_free(&run->phases.current);
	phase_free(&run->phases.part);
}

double run_phase_speed_up(const struct run_phase *phase)
{
	return phase->cycles ? (double)phase->single_cycles / (double)phase->cycles : 1;
}
