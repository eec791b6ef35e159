// SPDX-License-Identifier: MIT
/*
 * smile advise: what the recording says of machine and time. May use the machine's latency models.
 */
#include "tools/advise/advise.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"
#include "tools/common/tool.h"

static uint64_t number(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

static void weights_of(struct advise_model *model, const struct latency_model *latency)
{
	model->weights = (struct Monitor_weights){
		.local = latency->local_cycles,
		.read = latency->remote_cycles[SMILE_TYPE_READ],
		.write = latency->remote_cycles[SMILE_TYPE_WRITE],
		.lock = latency->remote_cycles[SMILE_TYPE_LOCK],
	};
	model->frequency_hz = latency->frequency_hz;
	model->name = latency->name;
}

/* The recording's model. Return: 1; 0 if it holds none. */
static int weights_recorded(struct advise_model *model)
{
	const json_t *latency = json_object_get(model->run, "latency");
	const json_t *remote = json_object_get(latency, "remote_cycles");
	const char *name = json_string_value(json_object_get(latency, "model"));
	const struct Monitor_weights weights = {
		.local = number(latency, "local_cycles"),
		.read = number(remote, "read"),
		.write = number(remote, "write"),
		.lock = number(remote, "lock"),
	};

	if (!name || !weights.local || !weights.read || !weights.write || !weights.lock ||
	    !number(latency, "frequency_hz"))
		return 0;
	model->weights = weights;
	model->frequency_hz = number(latency, "frequency_hz");
	model->name = name;
	return 1;
}

static void run_load(struct advise *advise)
{
	const char *parameters = Monitor_parameters(advise->mon);
	struct advise_model *model = &advise->model;
	const char *schema;

	if (!parameters)
		return;
	model->run = json_loads(parameters, 0, NULL);
	schema = json_string_value(json_object_get(model->run, "schema"));
	/* Of some other recorder: nothing in it is known here. */
	if (!schema || strcmp(schema, "smile.run/1")) {
		json_decref(model->run);
		model->run = NULL;
	}
}

static void threads_load(struct advise_model *model)
{
	const json_t *threads = json_object_get(model->run, "by_thread"), *thread;
	size_t i;

	model->threads = tool_memory(model->nodes, sizeof(*model->threads));
	json_array_foreach(threads, i, thread)
	{
		uint64_t node = number(thread, "node");

		if (node < model->nodes)
			model->threads[node]++;
	}
	for (i = 0; i < model->nodes; i++)
		if (!model->threads[i])
			model->threads[i] = 1;
}

int advise_model_load(struct advise *advise)
{
	struct advise_model *model = &advise->model;
	static struct run_options options;
	int nodes = Monitor_nodes(advise->mon);

	run_load(advise);
	model->nodes = (size_t)(nodes > 0 ? nodes : 1);
	if (number(model->run, "nodes") > model->nodes && number(model->run, "nodes") <= 65536)
		model->nodes = number(model->run, "nodes");
	threads_load(model);
	weights_of(model, latency_find(LATENCY_DEFAULT));
	if (advise->latency) {
		options.latency = *latency_find(LATENCY_DEFAULT);
		if (run_latency_parse(&options, advise->latency) < 0)
			return TOOL_ERROR;
		weights_of(model, &options.latency);
	} else if (!weights_recorded(model) && !advise->quiet) {
		tool_message("note: the recording tells no latency model: %s is taken, or what "
			     "--latency says",
			     LATENCY_DEFAULT);
	}
	/* By other weights, what was measured means nothing. */
	if (!advise->latency) {
		model->cycles = number(model->run, "cycles");
		model->single_cycles = number(model->run, "single_node_cycles");
	}
	return TOOL_OK;
}

void advise_model_free(struct advise_model *model)
{
	json_decref(model->run);
	free(model->threads);
}

int advise_phases_load(struct advise *advise)
{
	int count = Monitor_phases(advise->mon, NULL, 0), found = 0;

	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	/* An open last phase in which no card counted anything may still have local accesses. */
	advise->phase_count = (size_t)count + 1;
	advise->phases = tool_memory(advise->phase_count, 1);
	for (size_t i = 0; i < advise->phase_count; i++) {
		const char *name = Monitor_phase_name(advise->mon, i);

		advise->phases[i] = !advise->phase || !strcmp(name, advise->phase);
		found |= advise->phases[i];
	}
	if (!found)
		return tool_error("there is no phase '%s' in the recordings: `smile report phases` "
				  "lists them",
				  advise->phase);
	return TOOL_OK;
}
