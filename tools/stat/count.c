// SPDX-License-Identifier: MIT
/*
 * smile stat: count events, estimate the state, and print it. See tools/stat/count.h.
 */
#include "tools/stat/count.h"

#include <string.h>

#include <smile/monitor.h>

#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/stat/card.h"
#include "tools/stat/live.h"
#include "tools/stat/readings.h"
#include "tools/stat/samples.h"
#include "tools/stat/series.h"
#include "tools/stat/state_show.h"
#include "tools/stat/slices.h"
#include "tools/stat/sources.h"

int stat_count_check(const struct stat_count *request)
{
	if (request->json && request->csv)
		return tool_usage("--json and --csv: give one of them");
	if (request->spec_count && !request->source)
		return tool_usage("--static needs a card: -d dev:0, or -d emu:CAPTURE");
	if (request->source && slices_source_is(request->source) && request->program)
		return tool_usage(
			"slices come from a capture, not from a program: '%s' is too much",
			request->program[0]);
	if (request->source && !slices_source_is(request->source) && !request->spec_count)
		return tool_usage("which events of the card? Give --static SPEC for each");
	if (request->events && !request->program && !request->machine && !request->processors)
		return tool_usage("whose events? Give -- PROGRAM, or -a: the whole machine's, or "
				  "-C LIST: some processors'");
	if (request->machine && request->processors)
		return tool_usage(
			"-a counts on all processors, -C on some, by processor: give one of them");
	if (request->events && request->source && strncmp(request->source, "dev:", 4) != 0)
		return tool_usage("-e together with -d: the card must be a device, -d dev:0: a "
				  "capture has a time of its own");
	if (request->source && !slices_source_is(request->source) && !request->events &&
	    request->at_once > SMILE_STATIC_COUNTERS)
		return tool_usage("--counters: a card has %u static counters",
				  SMILE_STATIC_COUNTERS);
	return TOOL_OK;
}

/*
 * Check the counters that another counter's event starts or stops. The counter and the event must
 * be in the same set.
 */
static int specs_check(const struct stat_count *request, size_t at_once)
{
	if (static_specs_check(request->specs, (unsigned int)request->spec_count) < 0)
		return TOOL_ERROR;
	for (size_t i = 0; i < request->spec_count && request->spec_count > at_once; i++) {
		const struct static_spec *spec = &request->specs[i];
		int from = spec->from >= 0 && spec->from < (int)SMILE_STATIC_GLOBAL;
		int until = spec->until >= 0 && spec->until < (int)SMILE_STATIC_GLOBAL;

		if (from || until)
			return tool_usage("--static %s: from=mN and until=mN need all events in "
					  "one set: at most %zu",
					  request->texts[i], at_once);
	}
	return TOOL_OK;
}

static int count_card(const struct stat_count *request, struct series *series, int *status)
{
	struct card_request card = {
		.source = request->source,
		.specs = request->specs,
		.texts = request->texts,
		.count = request->spec_count,
		.at_once = request->at_once ? request->at_once : SMILE_STATIC_COUNTERS,
		.narrow = request->narrow,
		.stay = request->samples ? SAMPLES_STAY : 1,
		.interval_ns = request->interval_ns,
		.program = request->program,
	};

	if (specs_check(request, card.at_once) != TOOL_OK)
		return TOOL_ERROR;
	return card_count(&card, series, status);
}

/* Count the events of perf, and at the same time the events of a card. */
static int count_sources(const struct stat_count *request, struct series *series, int *status)
{
	uint64_t at_once = request->at_once && request->at_once < SMILE_STATIC_COUNTERS
				   ? request->at_once
				   : SMILE_STATIC_COUNTERS;

	if (request->source && specs_check(request, at_once) != TOOL_OK)
		return TOOL_ERROR;
	return sources_count(request, series, status);
}

/*
 * Before counting, lock the files that are written at the end, so that no counting time is wasted
 * if a file cannot be written or another command writes it.
 */
static int outputs_hold(const struct stat_count *request)
{
	const char *const paths[] = {request->output, request->rates, request->samples,
				     request->plot};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (output_file_hold(paths[i]) != TOOL_OK)
			return TOOL_ERROR;
	return TOOL_OK;
}

static int result_show(const struct stat_count *request, const struct stat_show *show)
{
	int status = TOOL_OK;

	if (request->output && !request->live)
		status = stat_show_intervals(show, request->output);
	if (request->rates && !request->live && stat_show_rates(show, request->rates) != TOOL_OK)
		status = TOOL_ERROR;
	if (request->samples && samples_write(show->series, request->samples) != TOOL_OK)
		status = TOOL_ERROR;
	if (request->plot && stat_show_plot(show, request->plot) != TOOL_OK)
		status = TOOL_ERROR;
	/*
	 * With --live, CSV has rows of intervals, whose columns differ from the rows of totals. No
	 * totals are printed.
	 */
	if (request->csv && request->live)
		return status;
	if (request->csv)
		stat_show_csv(show);
	else if (!request->json)
		stat_show_tables(show);
	else if (stat_show_json(show) != TOOL_OK)
		status = TOOL_ERROR;
	return status;
}

int stat_count(const struct stat_count *request)
{
	struct stat_rate rates[RATES_MAX];
	struct stat_state state = {0};
	struct samples earlier = {0};
	struct stat_live *live = NULL;
	struct series series;
	int program = 0, status = stat_count_check(request);

	if (status != TOOL_OK || outputs_hold(request) != TOOL_OK)
		return TOOL_ERROR;
	series_init(&series);
	if (request->earlier && samples_read(&earlier, request->earlier) != TOOL_OK) {
		samples_free(&earlier);
		return TOOL_ERROR;
	}
	series.earlier = request->earlier ? &earlier : NULL;
	if (request->live && stat_live_begin(&live, &series, request) != TOOL_OK) {
		samples_free(&earlier);
		return TOOL_ERROR;
	}
	if (request->readings)
		status = readings_series(request->readings, &series);
	else if (request->source && slices_source_is(request->source))
		status =
			slices_series(request->source + strlen(SLICES_SOURCE), request->interval_ns,
				      request->slice_events, request->at_once, &series);
	else if (request->source && !request->events)
		status = count_card(request, &series, &program);
	else
		status = count_sources(request, &series, &program);
	if (live && stat_live_end(live) != TOOL_OK)
		status = TOOL_ERROR;
	if (status == TOOL_OK && !series.intervals)
		status = tool_error("nothing was read: the time was shorter than an interval");
	if (status == TOOL_OK)
		stat_rates_missed(&series);
	if (status == TOOL_OK)
		status = series_learned(&series);
	if (status == TOOL_OK)
		status = series_estimate(&series, request->output != NULL, &state);
	if (status == TOOL_OK) {
		struct stat_show show = {
			.series = &series,
			.state = &state,
			.rates = rates,
			.rate_count = stat_rates(&series, &state, rates),
			.what = request->program    ? request->program[0]
				: request->readings ? request->readings
				: request->source   ? request->source
						    : "the whole machine",
		};

		status = result_show(request, &show);
	}
	stat_state_free(&state);
	samples_free(&earlier);
	series_free(&series);
	return status == TOOL_OK ? program : status;
}
