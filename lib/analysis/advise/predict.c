// SPDX-License-Identifier: MIT
/*
 * Advise: the run time with pages as advised. See lib/analysis/advise/advise.h.
 *
 * What lives here: a simple prediction, phase by phase. A phase takes as long as its busiest node: its
 * work and its accesses, divided among its threads. Waiting within a phase, at barriers and locks, is
 * not predicted: it either scales with the busiest node or stays.
 *
 *	then = now x busiest node then / busiest node now
 *	most = busiest node then + now - busiest node now
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

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

static int cycles_get(const struct advise *advise, struct predict *predict)
{
	const struct Monitor_advise *result = &advise->result;
	const struct Monitor_weights *weights = &result->machine.weights;
	struct Monitor_home *homes = analysis_memory(result->count, sizeof(*homes));
	int status;

	if (!homes)
		return -ENOMEM;
	for (size_t i = 0; i < result->count; i++)
		homes[i] = (struct Monitor_home){
			.page = result->rows[i].page, .pages = 1, .node = result->rows[i].node};
	status = Monitor_cycles(result->mon, weights, NULL, 0, predict->now, predict->accesses,
				advise->phase_count, result->nodes);
	if (status >= 0)
		status = Monitor_cycles(result->mon, weights, homes, result->count, predict->then,
					NULL, advise->phase_count, result->nodes);
	free(homes);
	return status < 0 ? status : 0;
}

/* How long the phases took. */
static int lengths_get(const struct advise *advise, struct predict *predict)
{
	struct Monitor_phase *phases = analysis_memory(advise->phase_count, sizeof(*phases));
	double per_ns = (double)advise->result.machine.frequency_hz / 1e9;
	uint64_t start = 0;
	int count;

	if (!phases)
		return -ENOMEM;
	count = Monitor_phases(advise->result.mon, phases, advise->phase_count);
	for (size_t p = 0; p < advise->phase_count; p++) {
		uint64_t end = advise->cycles;

		if (count > 0 && p < (size_t)count && !phases[p].open)
			end = (uint64_t)llround((double)phases[p].end_ns * per_ns);
		if (end > advise->cycles)
			end = advise->cycles;
		predict->length[p] = end > start ? end - start : 0;
		start = end > start ? end : start;
	}
	free(phases);
	return count < 0 ? count : 0;
}

/* The work that was recorded. Return: 1; 0 if it was not. */
static int work_recorded(const struct advise *advise, struct predict *predict)
{
	const json_t *phases = json_object_get(advise->run, "work_by_phase");
	size_t nodes = advise->result.nodes;

	if (!json_array_size(phases))
		return 0;
	for (size_t p = 0; p < advise->phase_count; p++)
		for (size_t n = 0; n < nodes; n++)
			predict->work[p * nodes + n] = (double)json_integer_value(
				json_array_get(json_array_get(phases, p), n));
	return 1;
}

/*
 * An estimate of the work: the node whose accesses took longest did not wait, and the others did as
 * much work for each access.
 */
static void work_estimate(const struct advise *advise, struct predict *predict, size_t phase)
{
	size_t nodes = advise->result.nodes;
	const uint64_t *now = predict->now + phase * nodes;
	const uint64_t *accesses = predict->accesses + phase * nodes;
	double *work = predict->work + phase * nodes;
	double length = (double)predict->length[phase], each = 0;
	size_t busiest = 0;

	for (size_t n = 1; n < nodes; n++)
		if (now[n] / advise->threads[n] > now[busiest] / advise->threads[busiest])
			busiest = n;
	if (accesses[busiest])
		each = (length * (double)advise->threads[busiest] - (double)now[busiest]) /
		       (double)accesses[busiest];
	for (size_t n = 0; n < nodes; n++) {
		double room = length * (double)advise->threads[n] - (double)now[n];

		work[n] = (each > 0 ? each : 0) * (double)accesses[n];
		if (work[n] > room)
			work[n] = room > 0 ? room : 0;
	}
}

/* Of the node that is busiest, with accesses that take so long. */
static double busiest(const struct advise *advise, const struct predict *predict,
		      const uint64_t *cycles, size_t phase)
{
	size_t nodes = advise->result.nodes;
	double most = 0;

	for (size_t n = 0; n < nodes; n++) {
		size_t at = phase * nodes + n;
		double busy = (predict->work[at] + (double)cycles[at]) / (double)advise->threads[n];

		if (busy > most)
			most = busy;
	}
	return most;
}

static void time_add(struct advise *advise, const struct predict *predict, size_t phase)
{
	size_t nodes = advise->result.nodes;
	double now = busiest(advise, predict, predict->now, phase);
	double then = busiest(advise, predict, predict->then, phase);
	double single = 0;

	for (size_t n = 0; n < nodes; n++)
		single += predict->work[phase * nodes + n] +
			  (double)predict->accesses[phase * nodes + n] *
				  (double)advise->result.machine.weights.local;
	advise->result.time.now += predict->length[phase];
	advise->result.time.then +=
		now > 0 ? (uint64_t)llround((double)predict->length[phase] * then / now)
			: predict->length[phase];
	advise->result.time.most += (uint64_t)llround(
		then + (predict->length[phase] > now ? (double)predict->length[phase] - now : 0));
	advise->result.time.single += (uint64_t)llround(single);
}

static void predict_phases(struct advise *advise, struct predict *predict)
{
	int recorded = work_recorded(advise, predict);

	advise->result.time = (struct Monitor_advise_time){.known = 1, .estimated = !recorded};
	for (size_t p = 0; p < advise->phase_count; p++) {
		for (size_t n = 0; n < advise->result.nodes; n++)
			if (advise->phases[p])
				advise->result.time.access_cycles +=
					predict->then[p * advise->result.nodes + n];
		if (!advise->phases[p])
			continue;
		if (!recorded)
			work_estimate(advise, predict, p);
		time_add(advise, predict, p);
	}
	if (!advise->options.phase && advise->single_cycles)
		advise->result.time.single = advise->single_cycles;
}

int advise_predict(struct advise *advise)
{
	size_t phases = advise->phase_count, size = phases * advise->result.nodes;
	struct predict predict;
	int failed;

	/* Cards record no run time. */
	if (!advise->cycles)
		return 0;
	predict.now = analysis_memory(size, sizeof(*predict.now));
	predict.then = analysis_memory(size, sizeof(*predict.then));
	predict.accesses = analysis_memory(size, sizeof(*predict.accesses));
	predict.work = analysis_memory(size, sizeof(*predict.work));
	predict.length = analysis_memory(phases, sizeof(*predict.length));
	failed = predict.now && predict.then && predict.accesses && predict.work && predict.length
			 ? 0
			 : -ENOMEM;
	if (!failed)
		failed = cycles_get(advise, &predict);
	if (!failed)
		failed = lengths_get(advise, &predict);
	if (!failed)
		predict_phases(advise, &predict);
	free(predict.now);
	free(predict.then);
	free(predict.accesses);
	free(predict.work);
	free(predict.length);
	return failed;
}
