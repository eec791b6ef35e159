// SPDX-License-Identifier: MIT
/*
 * smile advise: the run time with pages as advised.
 *
 * What lives here: a simple prediction, phase by phase. A phase takes as long as its busiest node: its
 * work and its accesses, shared by its threads; and what nodes wait for each other within it, at
 * barriers and locks, which is not predicted by itself: it changes with the rest, or stays.
 *
 *	then = now x busiest node then / busiest node now
 *	most = busiest node then + now - busiest node now
 */
#include "tools/advise/advise.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/tool.h"

/**
 * struct predict - Sums by phase and node, shape [phases][nodes] each.
 * @now: cycles of accesses
 * @then: with pages as advised
 * @accesses: how many
 * @work: cycles of work
 * @length: of the phases, in cycles; shape [phases]
 */
struct predict {
	uint64_t *now;
	uint64_t *then;
	uint64_t *accesses;
	double *work;
	uint64_t *length;
};

static int cycles_get(struct advise *advise, struct predict *predict)
{
	const struct advise_model *model = &advise->model;
	struct Monitor_home *homes = advise_homes(advise);
	int result = Monitor_cycles(advise->mon, &model->weights, NULL, 0, predict->now,
				    predict->accesses, advise->phase_count, model->nodes);

	if (result >= 0)
		result = Monitor_cycles(advise->mon, &model->weights, homes, advise->count,
					predict->then, NULL, advise->phase_count, model->nodes);
	free(homes);
	return result < 0 ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

/* How long the phases took. */
static int lengths_get(struct advise *advise, struct predict *predict)
{
	struct Monitor_phase *phases = tool_memory(advise->phase_count, sizeof(*phases));
	int count = Monitor_phases(advise->mon, phases, advise->phase_count);
	double per_ns = (double)advise->model.frequency_hz / 1e9;
	uint64_t start = 0;

	for (size_t p = 0; p < advise->phase_count; p++) {
		uint64_t end = advise->model.cycles;

		if (count > 0 && p < (size_t)count && !phases[p].open)
			end = (uint64_t)llround((double)phases[p].end_ns * per_ns);
		if (end > advise->model.cycles)
			end = advise->model.cycles;
		predict->length[p] = end > start ? end - start : 0;
		start = end > start ? end : start;
	}
	free(phases);
	return count < 0 ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

/* The work that was recorded. Return: 1; 0 if it was not. */
static int work_recorded(const struct advise *advise, struct predict *predict)
{
	const json_t *phases = json_object_get(advise->model.run, "work_by_phase");
	size_t nodes = advise->model.nodes;

	if (!json_array_size(phases))
		return 0;
	for (size_t p = 0; p < advise->phase_count; p++)
		for (size_t n = 0; n < nodes; n++)
			predict->work[p * nodes + n] = (double)json_integer_value(
				json_array_get(json_array_get(phases, p), n));
	return 1;
}

/*
 * Else it is taken that the node whose accesses took longest waited for nobody, and that the others
 * did as much work for each access.
 */
static void work_estimate(const struct advise *advise, struct predict *predict, size_t phase)
{
	const struct advise_model *model = &advise->model;
	const uint64_t *now = predict->now + phase * model->nodes;
	const uint64_t *accesses = predict->accesses + phase * model->nodes;
	double *work = predict->work + phase * model->nodes;
	double length = (double)predict->length[phase], each = 0;
	size_t busiest = 0;

	for (size_t n = 1; n < model->nodes; n++)
		if (now[n] / model->threads[n] > now[busiest] / model->threads[busiest])
			busiest = n;
	if (accesses[busiest])
		each = (length * (double)model->threads[busiest] - (double)now[busiest]) /
		       (double)accesses[busiest];
	for (size_t n = 0; n < model->nodes; n++) {
		double room = length * (double)model->threads[n] - (double)now[n];

		work[n] = (each > 0 ? each : 0) * (double)accesses[n];
		if (work[n] > room)
			work[n] = room > 0 ? room : 0;
	}
}

/* Of the node that is busiest, with accesses that take so long. */
static double busiest(const struct advise *advise, const struct predict *predict,
		      const uint64_t *cycles, size_t phase)
{
	const struct advise_model *model = &advise->model;
	double most = 0;

	for (size_t n = 0; n < model->nodes; n++) {
		size_t at = phase * model->nodes + n;
		double busy = (predict->work[at] + (double)cycles[at]) / (double)model->threads[n];

		if (busy > most)
			most = busy;
	}
	return most;
}

static void time_add(struct advise *advise, const struct predict *predict, size_t phase)
{
	const struct advise_model *model = &advise->model;
	double now = busiest(advise, predict, predict->now, phase);
	double then = busiest(advise, predict, predict->then, phase);
	double single = 0;

	for (size_t n = 0; n < model->nodes; n++)
		single += predict->work[phase * model->nodes + n] +
			  (double)predict->accesses[phase * model->nodes + n] *
				  (double)model->weights.local;
	advise->time.now += predict->length[phase];
	advise->time.then +=
		now > 0 ? (uint64_t)llround((double)predict->length[phase] * then / now)
			: predict->length[phase];
	advise->time.most += (uint64_t)llround(
		then + (predict->length[phase] > now ? (double)predict->length[phase] - now : 0));
	advise->time.single += (uint64_t)llround(single);
}

static void predict_phases(struct advise *advise, struct predict *predict)
{
	int recorded = work_recorded(advise, predict);

	advise->time = (struct advise_time){.known = 1, .estimated = !recorded};
	for (size_t p = 0; p < advise->phase_count; p++) {
		for (size_t n = 0; n < advise->model.nodes; n++)
			if (advise->phases[p])
				advise->verified.predicted_access_cycles +=
					predict->then[p * advise->model.nodes + n];
		if (!advise->phases[p])
			continue;
		if (!recorded)
			work_estimate(advise, predict, p);
		time_add(advise, predict, p);
	}
	if (!advise->phase && advise->model.single_cycles)
		advise->time.single = advise->model.single_cycles;
}

int advise_predict(struct advise *advise)
{
	size_t size = advise->phase_count * advise->model.nodes;
	struct predict predict;
	int status;

	/* Cards tell no run time. */
	if (!advise->model.cycles)
		return TOOL_OK;
	predict.now = tool_memory(size, sizeof(*predict.now));
	predict.then = tool_memory(size, sizeof(*predict.then));
	predict.accesses = tool_memory(size, sizeof(*predict.accesses));
	predict.work = tool_memory(size, sizeof(*predict.work));
	predict.length = tool_memory(advise->phase_count, sizeof(*predict.length));
	status = cycles_get(advise, &predict);
	if (status == TOOL_OK)
		status = lengths_get(advise, &predict);
	if (status == TOOL_OK)
		predict_phases(advise, &predict);
	free(predict.now);
	free(predict.then);
	free(predict.accesses);
	free(predict.work);
	free(predict.length);
	return status;
}
