// SPDX-License-Identifier: MIT
/*
 * Advise: loads the machine and the run time of the recording. See lib/analysis/advise/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/placement_lines.h"

static int threads_load(struct Monitor_advise *advise)
{
	size_t nodes = advise->nodes, i;

	advise->threads = analysis_memory(nodes, sizeof(*advise->threads));
	if (!advise->threads)
		return -ENOMEM;
	for (i = 0; i < advise->run.by_thread.count; i++)
		if (advise->run.by_thread.at[i].node < nodes)
			advise->threads[advise->run.by_thread.at[i].node]++;
	for (i = 0; i < nodes; i++)
		if (!advise->threads[i])
			advise->threads[i] = 1;
	return 0;
}

static int machine_load(struct Monitor_advise *advise)
{
	const struct Monitor_advise_options *options = &advise->options;

	if (options->machine.name) {
		advise->machine = options->machine;
		return 0;
	}
	advise->machine_recorded = advise->run.machine.name != NULL;
	if (!advise->machine_recorded && !options->fallback.name)
		return Monitor_error_set(ENODATA, "the recording has no latency model: give one");
	advise->machine = advise->machine_recorded ? advise->run.machine : options->fallback;
	/* The recorded run time does not apply to a machine other than the recorded machine. */
	advise->cycles = advise->run.cycles;
	advise->single_cycles = advise->run.single_node_cycles;
	return 0;
}

int advise_model_load(struct Monitor_advise *advise)
{
	int nodes = Monitor_nodes(advise->mon), failed = run_facts_load(advise->mon, &advise->run);

	advise->nodes = (size_t)(nodes > 0 ? nodes : 1);
	if (advise->run.nodes > advise->nodes && advise->run.nodes <= 65536)
		advise->nodes = advise->run.nodes;
	if (!failed)
		failed = threads_load(advise);
	return failed ? failed : machine_load(advise);
}

/*
 * Sum up the cycles of the accesses that caches served. While the caches serve these accesses,
 * their cost does not depend on the homes of the pages.
 */
static void cached_sum(struct Monitor_advise *advise)
{
	const struct run_facts_rows *phases = &advise->run.cache_by_phase;

	for (size_t p = 0; p < phases->count && p < advise->phase_count; p++)
		for (size_t n = 0; advise->phases[p] && n < phases->at[p].count; n++)
			advise->cached += (uint64_t)phases->at[p].at[n];
}

int advise_phases_load(struct Monitor_advise *advise)
{
	int count = Monitor_phases(advise->mon, NULL, 0), found = 0;

	if (count < 0)
		return count;
	/*
	 * The last phase may not have ended when the recording ended. It may have local accesses
	 * even if no card has counted an access in it.
	 */
	advise->phase_count = (size_t)count + 1;
	advise->phases = analysis_memory(advise->phase_count, 1);
	if (!advise->phases)
		return -ENOMEM;
	for (size_t i = 0; i < advise->phase_count; i++) {
		const char *name = Monitor_phase_name(advise->mon, i);

		advise->phases[i] = !advise->options.phase || !strcmp(name, advise->options.phase);
		found |= advise->phases[i];
	}
	cached_sum(advise);
	if (!found)
		return Monitor_error_set(ENODATA,
					 "the recordings have no phase '%s': `smile report "
					 "phases` lists their phases",
					 advise->options.phase);
	return 0;
}

const char *advise_counted(const struct Monitor_advise *advise)
{
	return advise->run.caches.at ? "transactions" : "accesses";
}

char *advise_phase_text(const struct Monitor_advise *advise, size_t phase, char *text)
{
	const char *name = Monitor_phase_name(advise->mon, phase);

	if (name && *name)
		snprintf(text, ADVISE_PHASE_BYTES, "phase %s", name);
	else
		snprintf(text, ADVISE_PHASE_BYTES, "the part before the first phase");
	return text;
}

int advise_recorded_first_touch(const struct Monitor_advise *advise)
{
	return advise->run.placement && !strcmp(advise->run.placement, PLACEMENT_FIRST_TOUCH);
}
