// SPDX-License-Identifier: MIT
/*
 * Live. See tools/stat/live.h. The parameters for an interval are learned from the intervals before
 * it. The estimates therefore differ from those at the end, which use all readings.
 */
#include "tools/stat/live.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/estimate.h>

#include "lib/analysis/state/state_columns.h"
#include "lib/analysis/text.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/stat/rates.h"
#include "tools/stat/rates_write.h"
#include "tools/stat/state_write.h"

/* The number of rows of text between two headings, which is about the height of a screen. */
#define ROWS_A_HEADING 40

/**
 * struct stat_live - State of the output of intervals while the program runs.
 * @request: the options of the output
 * @state: the estimator; NULL: no interval has ended yet
 * @write: the state file, if @request names one
 * @rates_write: the rates file, if @request names one
 * @time_s: time of the end of the last interval
 * @estimates: estimates of the last interval, shape [events]
 * @deviations: standard deviations of @estimates, shape [events]
 * @next: predictions for the next interval, shape [events]
 * @rates: rates that can be computed from the events, shape [@rate_count]
 * @rate_bands: confidence intervals of the rates in the last interval, shape [@rate_count]
 * @rate_count: number of rates
 * @rows: number of rows since the last heading
 * @failed: a part of the output could not be written, and a message has reported this
 */
struct stat_live {
	const struct stat_count *request;
	struct Estimate_state *state;
	struct state_write write;
	struct rates_write rates_write;
	double time_s;
	double *estimates;
	double *deviations;
	struct stat_next *next;
	struct stat_rate rates[RATES_MAX];
	struct Estimate_band rate_bands[RATES_MAX];
	size_t rate_count;
	size_t rows;
	int failed;
};

static double low_of(const struct stat_live *live, size_t i)
{
	return fmax(live->estimates[i] - ESTIMATE_BAND_95 * live->deviations[i], 0);
}

static double high_of(const struct stat_live *live, size_t i)
{
	return live->estimates[i] + ESTIMATE_BAND_95 * live->deviations[i];
}

static uint64_t whole(double count)
{
	return (uint64_t)llround(fmin(fmax(count, 0), 9e18));
}

static void text_row(const struct stat_live *live, const char *name, size_t i)
{
	char count[TEXT_COUNT_BYTES + 4], low[TEXT_COUNT_BYTES], high[TEXT_COUNT_BYTES];
	char band[2 * TEXT_COUNT_BYTES + 8];
	int known = isfinite(live->estimates[i]), exact = known && !(live->deviations[i] > 0);

	snprintf(count, sizeof(count), "%s%s", exact ? "" : "~",
		 text_count(low, whole(live->estimates[i])));
	snprintf(band, sizeof(band), "%s to %s", text_count(low, whole(low_of(live, i))),
		 text_count(high, whole(high_of(live, i))));
	printf("%12.6f  %16s  %25s  %s\n", live->time_s, known ? count : "not read",
	       exact   ? "exact"
	       : known ? band
		       : "",
	       output_name(name));
}

static void text_show(struct stat_live *live, const struct series *series)
{
	for (size_t i = 0; i < series->events; i++) {
		if (live->rows++ % ROWS_A_HEADING == 0)
			printf("#    time, s             count                  95 %% band  event  "
			       " "
			       "(~ = estimated, not read in this interval)\n");
		text_row(live, series->names[i], i);
	}
}

static void csv_show(const struct stat_live *live, const struct series *series,
		     const double *values)
{
	for (size_t i = 0; i < series->events; i++) {
		csv_count(series->intervals);
		csv_real(live->time_s);
		csv_real(series->lengths_s[series->intervals - 1]);
		csv_text(series->names[i]);
		csv_real(live->estimates[i]);
		csv_real(low_of(live, i));
		csv_real(high_of(live, i));
		csv_flag(!isnan(values[i]));
		if (!csv_end())
			return;
	}
}

static json_t *rates_json(const struct stat_live *live)
{
	json_t *rates = json_array();

	for (size_t r = 0; r < live->rate_count; r++) {
		const struct Estimate_band *band = &live->rate_bands[r];

		if (isfinite(band->value) && isfinite(band->deviation))
			json_array_append_new(
				rates, json_pack("{s:s,s:s,s:f,s:f,s:f,s:b}", "rate",
						 live->rates[r].name, "unit", live->rates[r].unit,
						 "value", band->value, "low_95", band->low,
						 "high_95", band->high, "flag", band->impossible));
	}
	return rates;
}

static int json_show(const struct stat_live *live, const struct series *series,
		     const double *values)
{
	json_t *events = json_array();

	for (size_t i = 0; i < series->events; i++) {
		json_t *event = json_pack("{s:o,s:b}", "event", document_text(series->names[i]),
					  "read", !isnan(values[i]));

		if (isfinite(live->estimates[i])) {
			json_object_set_new(event, "count", json_real(live->estimates[i]));
			json_object_set_new(event, "low_95", json_real(low_of(live, i)));
			json_object_set_new(event, "high_95", json_real(high_of(live, i)));
		}
		json_array_append_new(events, event);
	}
	return output_json(json_pack("{s:s,s:I,s:f,s:f,s:o,s:o}", "schema", "smile.stat.interval/1",
				     "interval", (json_int_t)series->intervals, "time_s",
				     live->time_s, "seconds",
				     series->lengths_s[series->intervals - 1], "events", events,
				     "rates", rates_json(live)));
}

static void estimator_need(struct stat_live *live, const struct series *series)
{
	int error = Estimate_state_new(&live->state);

	for (size_t i = 0; i < series->events && error >= 0; i++)
		error = Estimate_state_event(live->state, series->names[i]);
	if (error == -E2BIG)
		tool_error("%zu events are too many: at most %d are estimated together",
			   series->events, ESTIMATE_EVENTS_MAX);
	else if (error < 0)
		tool_error("no estimate: %s", strerror(-error));
	if (error < 0)
		exit(TOOL_ERROR);
	Estimate_state_predict(live->state, 0);
	live->rate_count = stat_rates_find(series, live->rates);
	for (size_t r = 0; r < live->rate_count; r++)
		if (Estimate_state_rate(live->state, &live->rates[r].rate) < 0) {
			tool_error("no memory for the rates");
			exit(TOOL_ERROR);
		}
	live->next = tool_memory(series->events, sizeof(*live->next));
	live->estimates = tool_memory(series->events, sizeof(*live->estimates));
	live->deviations = tool_memory(series->events, sizeof(*live->deviations));
}

/* Predict the state of the interval, and correct the prediction by the interval's readings. */
static void interval_estimate(struct stat_live *live, const struct series *series,
			      const double *values, double length_s)
{
	double begin_s = live->time_s;

	live->time_s += length_s;
	Estimate_state_predict(live->state, live->time_s);
	for (size_t i = 0; i < series->events; i++)
		if (!isnan(values[i]))
			Estimate_state_reading(live->state, i, begin_s, live->time_s, values[i]);
	for (size_t i = 0; i < series->events; i++) {
		struct Estimate_band band = {.value = NAN, .deviation = NAN}, next = band;

		Estimate_state_band(live->state, i, &band);
		live->estimates[i] = band.value;
		live->deviations[i] = band.deviation;
		Estimate_state_next(live->state, i, length_s, &next);
		live->next[i] = (struct stat_next){next.value, next.deviation};
	}
	for (size_t r = 0; r < live->rate_count; r++) {
		live->rate_bands[r] = (struct Estimate_band){.value = NAN};
		Estimate_state_rate_band(live->state, r, &live->rate_bands[r]);
	}
}

static void interval_ended(void *opaque, const struct series *series)
{
	struct stat_live *live = opaque;
	size_t last = series->intervals - 1;
	const double *values = series->values + last * series->events;

	if (!live->state)
		estimator_need(live, series);
	interval_estimate(live, series, values, series->lengths_s[last]);
	if (live->write.file)
		state_write_interval(&live->write, series, last, live->estimates, live->deviations,
				     live->next);
	if (live->rates_write.file)
		rates_write_interval(&live->rates_write, series, last, live->rates,
				     live->rate_bands, live->rate_count);
	if (live->request->csv)
		csv_show(live, series, values);
	else if (live->request->json)
		live->failed |= json_show(live, series, values) != TOOL_OK;
	else
		text_show(live, series);
	/* Flush, so that the reader of a pipe receives each interval immediately. */
	fflush(stdout);
	if (Estimate_state_learn(live->state) < 0 && !live->failed++)
		tool_error("no memory to fit the events' parameters again");
}

int stat_live_begin(struct stat_live **out, struct series *series, const struct stat_count *request)
{
	struct stat_live *live = tool_memory(1, sizeof(*live));

	live->request = request;
	if (request->output && state_write_open(&live->write, request->output, 0) != TOOL_OK) {
		free(live);
		return TOOL_ERROR;
	}
	if (request->rates && rates_write_open(&live->rates_write, request->rates) != TOOL_OK) {
		if (live->write.file)
			state_write_close(&live->write);
		free(live);
		return TOOL_ERROR;
	}
	if (request->csv)
		csv_begin("interval,time_s,dt_s,event,count,low_95,high_95,read");
	series->ended = interval_ended;
	series->opaque = live;
	*out = live;
	return TOOL_OK;
}

int stat_live_end(struct stat_live *live)
{
	int failed = live->failed;

	if (live->write.file)
		failed |= state_write_close(&live->write) != TOOL_OK;
	if (live->rates_write.file)
		failed |= rates_write_close(&live->rates_write) != TOOL_OK;
	Estimate_state_free(live->state);
	free(live->estimates);
	free(live->deviations);
	free(live->next);
	free(live);
	return failed ? TOOL_ERROR : TOOL_OK;
}
