// SPDX-License-Identifier: MIT
/* run/sample: chooses a source of samples that is possible on this machine. See sample.h. */
#include "run/sample/sample_inside.h"

#include "run/sample/events.h"

/*
 * Find the events of a source, and check that they can be opened. The machine must have several
 * nodes. Return: 0; -errno, with @why.
 */
static int plan_find(struct sample_plan *plan, enum sample_source source, double overhead,
		     char *why, size_t why_bytes)
{
	struct sample_events events = {.count = 0};
	int failed = 0;

	if (source == SAMPLE_FAULTS) {
		sample_plan_faults(plan);
		failed = sample_host_balances(why, why_bytes);
	} else {
		failed = sample_plan_memory(plan, overhead, why, why_bytes);
	}
	if (!failed)
		failed = sample_events_open(&events, plan, 0, why, why_bytes);
	sample_events_close(&events);
	return failed;
}

bool sample_possible(enum sample_source source, char *why, size_t why_bytes)
{
	struct sample_host host;
	struct sample_plan plan;

	return sample_host_nodes(&host, why, why_bytes) == 0 &&
	       plan_find(&plan, source, 1, why, why_bytes) == 0;
}

int source_choose(const struct sample_config *config, struct sample_host *host,
		  struct sample_plan *plan)
{
	char why[1024], why_not_memory[1024], names[SAMPLE_NAME_BYTES];
	int failed = sample_host_nodes(host, why, sizeof(why));

	if (!failed && config->source != SAMPLE_AUTO)
		failed = plan_find(plan, config->source, config->overhead, why, sizeof(why));
	if (failed)
		sample_message(config, "%s", why);
	if (failed || config->source != SAMPLE_AUTO)
		return failed;
	if (plan_find(plan, SAMPLE_MEMORY, config->overhead, why_not_memory,
		      sizeof(why_not_memory)) == 0) {
		sample_plan_names(plan, names, sizeof(names));
		if (!config->quiet)
			sample_message(config,
				       "source memory: the processors sample accesses (%s), which "
				       "show more than faults",
				       names);
		return 0;
	}
	failed = plan_find(plan, SAMPLE_FAULTS, config->overhead, why, sizeof(why));
	if (failed)
		sample_message(config, "no source is possible here; faults: %s; memory: %s", why,
			       why_not_memory);
	else if (!config->quiet)
		sample_message(config,
			       "source faults: the kernel's NUMA hint faults; not memory: %s",
			       why_not_memory);
	return failed;
}
