// SPDX-License-Identifier: MIT
/*
 * smile stat --filter: estimate the state, with its standard deviations, from readings that any
 * program has written.
 */
#include "tools/stat/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/tool.h"
#include "tools/stat/parameters.h"
#include "tools/stat/readings.h"

/**
 * struct filtering - A pass over all readings.
 * @parameters: parameters of the events
 * @filter: the filter for the events
 * @begun: at least one interval was read
 * @estimates: estimates of the events in the current interval, shape [events]
 * @deviations: standard deviations of @estimates, shape [events]
 * @print: print rows on standard output
 * @likelihood: logarithm of the likelihood of the readings that were processed so far
 */
struct filtering {
	const struct parameters *parameters;
	struct Estimate_filter *filter;
	int begun;
	double *estimates;
	double *deviations;
	int print;
	double likelihood;
};

static size_t filtering_find(void *opaque, const char *name)
{
	const struct filtering *state = opaque;
	size_t i = parameters_find(state->parameters, name);

	return i < state->parameters->count ? i : SIZE_MAX;
}

/*
 * The smallest variance with which the likelihood is computed. An exact reading has the variance 0,
 * for which the likelihood would be infinite.
 */
#define VARIANCE_LEAST 1e-300

/*
 * Predict the state of an interval, correct the prediction by the interval's readings, and print
 * the estimates.
 */
static int filtering_take(void *opaque, const struct readings_interval *interval)
{
	struct filtering *state = opaque;
	double difference, variance;

	if (state->begun)
		Estimate_filter_predict(state->filter, interval->dt_s);
	else if (state->print)
		csv_begin("interval,event,estimate,sd");
	state->begun = 1;
	for (size_t i = 0; i < interval->count; i++) {
		Estimate_filter_innovation(state->filter, interval->counters[i],
					   interval->values[i], &difference, &variance);
		variance = fmax(variance, VARIANCE_LEAST);
		state->likelihood -=
			0.5 * (log(2 * M_PI * variance) + difference * difference / variance);
	}
	Estimate_filter_correct(state->filter, interval->counters, interval->values,
				interval->count);
	if (!state->print)
		return 1;
	Estimate_filter_estimates(state->filter, state->estimates, state->deviations);
	for (size_t i = 0; i < state->parameters->count; i++) {
		csv_count(interval->number);
		csv_text(state->parameters->names[i]);
		csv_real(state->estimates[i]);
		csv_real(state->deviations[i]);
		if (!csv_end())
			return 0;
	}
	return 1;
}

/* Make one pass over the readings, with one model. */
static int filter_pass(const char *readings, const struct parameters *parameters,
		       enum Estimate_model model, int print, double *likelihood)
{
	static const struct readings_ops ops = {filtering_find, filtering_take, 0};
	size_t count = parameters->count;
	struct filtering state = {.parameters = parameters, .print = print};
	int status;

	if (Estimate_filter_new(&state.filter, parameters->processes, count, model) < 0)
		return tool_error("no memory for %zu events", count);
	state.estimates = tool_memory(count, sizeof(*state.estimates));
	state.deviations = tool_memory(count, sizeof(*state.deviations));
	status = readings_read(readings, &ops, &state);
	*likelihood = state.likelihood;
	free(state.estimates);
	free(state.deviations);
	Estimate_filter_free(state.filter);
	return status;
}

/*
 * Find the model for which the likelihood of the readings is greater, and print the likelihoods of
 * both models.
 */
static int model_choose(const char *readings, const struct parameters *parameters,
			enum Estimate_model *model)
{
	double plain, integrated;

	if (!strcmp(readings, "-"))
		return tool_usage("--model auto reads the readings twice: give a file, not -");
	if (filter_pass(readings, parameters, ESTIMATE_GAUSS_MARKOV, 0, &plain) != TOOL_OK ||
	    filter_pass(readings, parameters, ESTIMATE_INTEGRATED, 0, &integrated) != TOOL_OK)
		return TOOL_ERROR;
	*model = plain >= integrated ? ESTIMATE_GAUSS_MARKOV : ESTIMATE_INTEGRATED;
	tool_message("%s is the more likely model: log likelihood %.1f, the other's %.1f",
		     plain >= integrated ? "gauss-markov" : "integrated", fmax(plain, integrated),
		     fmin(plain, integrated));
	return TOOL_OK;
}

int stat_filter(const char *readings, const char *path, enum stat_model choice)
{
	enum Estimate_model model =
		choice == STAT_MODEL_INTEGRATED ? ESTIMATE_INTEGRATED : ESTIMATE_GAUSS_MARKOV;
	struct parameters parameters;
	double likelihood;
	int status = TOOL_OK;

	if (!strcmp(readings, "-") && !strcmp(path, "-"))
		return tool_usage("readings and parameters cannot both be standard input");
	if (parameters_read(&parameters, path) != TOOL_OK)
		return TOOL_ERROR;
	if (choice == STAT_MODEL_AUTO)
		status = model_choose(readings, &parameters, &model);
	if (status == TOOL_OK)
		status = filter_pass(readings, &parameters, model, 1, &likelihood);
	parameters_free(&parameters);
	return status;
}
