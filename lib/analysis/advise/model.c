// SPDX-License-Identifier: MIT
/*
 * Advise: the machine and the run time of the recording. See lib/analysis/advise/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/placement_lines.h"

static uint64_t number(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

/* The recording's machine. Return: 1; 0 if it holds none. */
static int machine_recorded(const json_t *run, struct Monitor_advise_machine *machine)
{
	const json_t *latency = json_object_get(run, "latency");
	const json_t *remote = json_object_get(latency, "remote_cycles");
	const char *name = json_string_value(json_object_get(latency, "model"));
	/* With caches in front of all memory, nobody waits for writes of lines. */
	int posted = json_is_array(json_object_get(run, "caches"));
	const struct Monitor_advise_machine found = {
		.name = name,
		.weights = {.local = number(latency, "local_cycles"),
			    .read = number(remote, "read"),
			    .write = posted ? 0 : number(remote, "write"),
			    .lock = number(remote, "lock")},
		.frequency_hz = number(latency, "frequency_hz"),
	};

	if (!name || !found.weights.local || !found.weights.read ||
	    (!found.weights.write && !posted) || !found.weights.lock || !found.frequency_hz)
		return 0;
	*machine = found;
	return 1;
}

static void run_load(struct Monitor_advise *advise)
{
	const char *parameters = Monitor_parameters(advise->mon);
	const char *schema;

	if (!parameters)
		return;
	advise->run = json_loads(parameters, 0, NULL);
	schema = json_string_value(json_object_get(advise->run, "schema"));
	/*
	 * Parameters of another recorder have no meaning here. What version 2 has more is not
	 * needed.
	 */
	if (!schema || (strcmp(schema, "smile.run/1") && strcmp(schema, "smile.run/2"))) {
		json_decref(advise->run);
		advise->run = NULL;
	}
}

static int threads_load(struct Monitor_advise *advise)
{
	const json_t *threads = json_object_get(advise->run, "by_thread"), *thread;
	size_t nodes = advise->nodes, i;

	advise->threads = analysis_memory(nodes, sizeof(*advise->threads));
	if (!advise->threads)
		return -ENOMEM;
	json_array_foreach(threads, i, thread)
	{
		uint64_t node = number(thread, "node");

		if (node < nodes)
			advise->threads[node]++;
	}
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
	advise->machine_recorded = machine_recorded(advise->run, &advise->machine);
	if (!advise->machine_recorded && !options->fallback.name)
		return Monitor_error_set(ENODATA, "the recording has no latency model: give one");
	if (!advise->machine_recorded)
		advise->machine = options->fallback;
	/* With another machine the recorded run time has no meaning. */
	advise->cycles = number(advise->run, "cycles");
	advise->single_cycles = number(advise->run, "single_node_cycles");
	return 0;
}

int advise_model_load(struct Monitor_advise *advise)
{
	int nodes = Monitor_nodes(advise->mon), failed;

	run_load(advise);
	advise->nodes = (size_t)(nodes > 0 ? nodes : 1);
	if (number(advise->run, "nodes") > advise->nodes && number(advise->run, "nodes") <= 65536)
		advise->nodes = number(advise->run, "nodes");
	failed = threads_load(advise);
	return failed ? failed : machine_load(advise);
}

/* What caches served costs the same wherever the pages lie, as long as they serve it. */
static void cached_sum(struct Monitor_advise *advise)
{
	const json_t *phases = json_object_get(advise->run, "cache_by_phase"), *nodes, *cycles;
	size_t p, n;

	json_array_foreach(phases, p, nodes)
	{
		if (p >= advise->phase_count || !advise->phases[p])
			continue;
		json_array_foreach(nodes, n, cycles) advise->cached +=
			(uint64_t)json_integer_value(cycles);
	}
}

int advise_phases_load(struct Monitor_advise *advise)
{
	int count = Monitor_phases(advise->mon, NULL, 0), found = 0;

	if (count < 0)
		return count;
	/* An open last phase in which no card counted anything may still have local accesses. */
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
					 "there is no phase '%s' in the recordings: `smile report "
					 "phases` lists them",
					 advise->options.phase);
	return 0;
}

int advise_has_cache(const struct Monitor_advise *advise)
{
	return json_is_object(json_object_get(advise_recorded_run(advise), "cache"));
}

int advise_has_caches(const struct Monitor_advise *advise)
{
	return json_is_array(json_object_get(advise_recorded_run(advise), "caches"));
}

const char *advise_counted(const struct Monitor_advise *advise)
{
	return advise_has_caches(advise) ? "transactions" : "accesses";
}

int advise_recorded_status(const struct Monitor_advise *advise)
{
	return (int)json_integer_value(json_object_get(advise_recorded_run(advise), "exit_status"));
}

const char *advise_recorded_input(const struct Monitor_advise *advise)
{
	const json_t *input = json_object_get(advise_recorded_run(advise), "standard_input");
	const char *path = json_string_value(json_object_get(input, "path"));

	return path ? path : json_is_object(input) ? "" : NULL;
}

char *advise_phase_text(const struct Monitor_advise *advise, size_t phase, char *text)
{
	const char *name = Monitor_phase_name(advise->mon, phase);

	if (name && *name)
		snprintf(text, ADVISE_PHASE_BYTES, "phase %s", name);
	else
		snprintf(text, ADVISE_PHASE_BYTES, "what comes before the first phase");
	return text;
}

int advise_recorded_first_touch(const struct Monitor_advise *advise)
{
	const char *policy =
		json_string_value(json_object_get(advise_recorded_run(advise), "placement"));

	return policy && !strcmp(policy, PLACEMENT_FIRST_TOUCH);
}

const json_t *advise_recorded_run(const struct Monitor_advise *advise)
{
	return advise->run;
}
