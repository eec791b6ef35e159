// SPDX-License-Identifier: MIT
/*
 * Sources. See tools/stat/sources.h.
 */
#include "tools/stat/sources.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/card.h"
#include "tools/stat/perf.h"
#include "tools/stat/program.h"
#include "tools/stat/samples.h"

/**
 * struct sources - The sources of the counted events.
 * @program: the program whose events are counted; without a program, all its members are zero
 * @perf: the events of the processors; NULL: none
 * @card: the events of the card; NULL: none
 * @card_request: the request for the events of the card
 * @events: number of all events
 * @card_first: index of the first event of the card
 * @ordered: the sets follow each other in the given order
 */
struct sources {
	struct stat_program program;
	struct perf_counting *perf;
	struct card_counting *card;
	struct card_request card_request;
	size_t events;
	size_t card_first;
	int ordered;
};

static int perf_part_open(struct sources *sources, const struct stat_count *request,
			  struct series *series)
{
	const struct perf_request perf = {
		.events = request->events,
		.at_once = request->at_once,
		.pid = request->machine || request->processors ? 0 : sources->program.pid,
		.processors = request->processors,
		.stay = request->samples ? SAMPLES_STAY : 1,
		.ordered = sources->ordered,
	};

	return perf_open(&sources->perf, &perf, series);
}

static int card_part_open(struct sources *sources, const struct stat_count *request,
			  struct series *series)
{
	uint64_t at_once = request->at_once ? request->at_once : SMILE_STATIC_COUNTERS;

	sources->card_request = (struct card_request){
		.source = request->source,
		.specs = request->specs,
		.texts = request->texts,
		.count = request->spec_count,
		.at_once = at_once < SMILE_STATIC_COUNTERS ? at_once : SMILE_STATIC_COUNTERS,
		.narrow = request->narrow,
		.stay = request->samples ? SAMPLES_STAY : 1,
		.ordered = sources->ordered,
	};
	return card_open(&sources->card, &sources->card_request, series);
}

int sources_open(struct sources **out, const struct stat_count *request, int ordered,
		 struct series *series)
{
	struct sources *sources = tool_memory(1, sizeof(*sources));
	int result = TOOL_OK;

	*out = sources;
	sources->ordered = ordered;
	signals_catch();
	if (request->program)
		result = program_start(&sources->program, request->program);
	if (result == TOOL_OK && request->events)
		result = perf_part_open(sources, request, series);
	sources->card_first = series->events;
	if (result == TOOL_OK && request->spec_count)
		result = card_part_open(sources, request, series);
	sources->events = series->events;
	return result;
}

int sources_begin(struct sources *sources, uint64_t interval, uint64_t *begin_ns)
{
	int result = TOOL_OK;

	if (sources->card && sources->ordered)
		card_seek(sources->card, interval);
	if (sources->perf && sources->ordered)
		perf_seek(sources->perf, interval);
	if (sources->card)
		result = card_begin(sources->card);
	if (sources->perf && result == TOOL_OK)
		perf_begin(sources->perf);
	*begin_ns = tool_now_ns();
	if (result == TOOL_OK)
		program_go(&sources->program);
	return result;
}

int sources_turn(struct sources *sources, uint64_t next, double *values, uint64_t *end_ns)
{
	int result = TOOL_OK;

	for (size_t i = 0; i < sources->events; i++)
		values[i] = NAN;
	*end_ns = tool_now_ns();
	if (sources->card && sources->ordered && next)
		card_seek(sources->card, next);
	if (sources->perf && sources->ordered && next)
		perf_seek(sources->perf, next);
	if (sources->card)
		result = card_turn(sources->card, values + sources->card_first, !next);
	if (sources->perf && result == TOOL_OK)
		*end_ns = perf_turn(sources->perf, values, !next);
	return result;
}

int sources_over(struct sources *sources)
{
	return program_over(&sources->program);
}

int sources_wait(struct sources *sources, uint64_t until_ns, const sigset_t *before)
{
	return program_wait(&sources->program, until_ns, before);
}

int sources_close(struct sources *sources)
{
	int status;

	if (!sources)
		return 0;
	program_end(&sources->program);
	status = sources->program.status;
	perf_close(sources->perf);
	card_close(sources->card);
	free(sources);
	return status;
}

/* Count intervals until sources_over() returns 1. */
static int intervals_count(struct sources *sources, uint64_t interval_ns, struct series *series)
{
	uint64_t begin_ns, end_ns;
	int result, over = 0;
	sigset_t before;

	signals_hold(&before);
	result = sources_begin(sources, 1, &begin_ns);
	while (result == TOOL_OK && !over) {
		double *values;

		over = sources_wait(sources, begin_ns + interval_ns, &before);
		/* The length of the interval is set at its end, when it is known. */
		values = series_interval(series, 1);
		result = sources_turn(sources, !over, values, &end_ns);
		if (end_ns == begin_ns)
			end_ns++;
		series->lengths_s[series->intervals - 1] = (double)(end_ns - begin_ns) / 1e9;
		begin_ns = end_ns;
		if (result == TOOL_OK)
			series_end(series);
	}
	signals_release(&before);
	return result;
}

int sources_count(const struct stat_count *request, struct series *series, int *status)
{
	struct sources *sources;
	int result = sources_open(&sources, request, 0, series);

	if (result == TOOL_OK)
		result = series_learned(series);
	if (result == TOOL_OK)
		result = intervals_count(sources, request->interval_ns, series);
	*status = sources_close(sources);
	return result;
}
