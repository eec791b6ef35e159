// SPDX-License-Identifier: MIT
/*
 * run/session: accesses that no card sees, for the recordings.
 *
 * What lives here: by phase and node, the accesses of the node to its own memory, its accesses in
 * front of the caches, and its work. `smile advise` needs this data.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <stdlib.h>

/* When this number of counts is reached, further counts are recorded without their phase. */
#define LOCALS_BY_PHASE (1U << 20)
/*
 * Limit on the number of phases times nodes for which the work is recorded. Each phase takes a few
 * bytes for each node in each recording.
 */
#define WORK_MAX 16384U

static void local_fail(struct run *run, const char *why)
{
	if (!run->failed)
		run_message("%s", why);
	run->failed = 1;
}

void run_accessed(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		  size_t count)
{
	struct run *run = opaque;

	int err = 0;

	/* Like all counts, these are not recorded for phases that the cards do not see. */
	if (run->phases.counting && run->cards[node].mon)
		err = Monitor_accesses_add(run->cards[node].mon, run->accessed_phase, request,
					   SMILE_WORD_BYTES, counts, count);
	if (err == -ENOMEM && !run->failed)
		run_memory_none();
	if (err < 0)
		local_fail(run, Monitor_error_message());
}

void run_locals_take(struct run *run, unsigned phase)
{
	struct machine_local *pages;
	int64_t count;

	if (!run->config.prefix)
		return;
	machine_accessed(run->machine);
	run->accessed_phase = phase + 1;
	count = machine_locals(run->machine, &pages);
	if (count < 0) {
		local_fail(run, "no memory for the nodes' accesses to their own pages");
		return;
	}
	/* Like all counts, these are not recorded for phases that the cards do not see. */
	for (int64_t i = 0; run->phases.counting && i < count; i++) {
		const struct Monitor_local local = {
			.page = pages[i].page,
			.phase = run->locals < LOCALS_BY_PHASE ? phase : MONITOR_PHASE_UNKNOWN,
			.node = pages[i].node,
			.reads = pages[i].counts[SMILE_TYPE_READ],
			.writes = pages[i].counts[SMILE_TYPE_WRITE],
			.locks = pages[i].counts[SMILE_TYPE_LOCK],
		};

		run->locals++;
		if (run->cards[local.node].mon &&
		    Monitor_local_add(run->cards[local.node].mon, &local) < 0)
			local_fail(run, Monitor_error_message());
	}
	free(pages);
}

void run_locals_end(struct run *run, unsigned phase)
{
	run_locals_take(run, phase);
	for (unsigned n = 0; n < run->config.nodes && !run->failed; n++)
		if (run->cards[n].mon && (Monitor_local_node_add(run->cards[n].mon, n) < 0 ||
					  (run->config.caches.count &&
					   Monitor_accesses_node_add(run->cards[n].mon, n) < 0)))
			local_fail(run, Monitor_error_message());
}

static uint64_t work_cycles(const struct machine_statistics *node)
{
	return node->work_cycles;
}

static uint64_t cache_cycles(const struct machine_statistics *node)
{
	return node->cache_cycles;
}

static json_t *by_phase(const struct run *run,
			uint64_t (*cycles)(const struct machine_statistics *node))
{
	json_t *phases = json_array();

	if (run->phases.count * run->config.nodes > WORK_MAX)
		return phases;
	for (size_t i = 0; i < run->phases.count; i++) {
		json_t *nodes = json_array();

		for (unsigned n = 0; n < run->config.nodes; n++)
			json_array_append_new(nodes, json_integer((json_int_t)cycles(
							     &run->phases.list[i].nodes[n])));
		json_array_append_new(phases, nodes);
	}
	return phases;
}

json_t *run_work_json(const struct run *run)
{
	return by_phase(run, work_cycles);
}

json_t *run_cache_json(const struct run *run)
{
	return by_phase(run, cache_cycles);
}
