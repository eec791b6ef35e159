// SPDX-License-Identifier: MIT
/*
 * smile stat: print totals and rates as tables, CSV or JSON. See tools/stat/state_show.h.
 */
#include "tools/stat/state_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lib/analysis/state/state_columns.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

static uint64_t whole(double count)
{
	return (uint64_t)llround(fmin(fmax(count, 0), 9e18));
}

static void total_row(struct output_table *table, const struct stat_total *total)
{
	char low[TEXT_COUNT_BYTES], high[TEXT_COUNT_BYTES];

	if (!(total->share > 0)) {
		output_table_cell(table, OUTPUT_BAD, "not read");
		output_table_none(table);
		output_table_cell(table, OUTPUT_PLAIN, "0 %%");
		output_table_cell(table, OUTPUT_PLAIN, "%s", total->name);
		return;
	}
	output_table_cell(table, OUTPUT_STRONG, "%s%s%s", total->share < 1 ? "~" : "",
			  text_count(low, whole(total->total)), total->raised ? " !" : "");
	if (isnan(total->deviation))
		output_table_cell(table, OUTPUT_BAD, "unknown");
	else if (total->share < 1)
		output_table_cell(table, OUTPUT_PLAIN, "%s to %s",
				  text_count(low, whole(stat_total_low(total))),
				  text_count(high, whole(stat_total_high(total))));
	else
		output_table_cell(table, OUTPUT_PLAIN, "exact");
	output_table_cell(table, OUTPUT_PLAIN, "%.0f %%", 100 * total->share);
	output_table_cell(table, OUTPUT_PLAIN, "%s", total->name);
}

static void rates_table(const struct stat_show *show)
{
	struct output_table *table;

	if (!show->rate_count)
		return;
	putchar('\n');
	table = output_table_new();
	output_table_columns(table, ">rate|>95 % band|<unit|~of");
	for (size_t i = 0; i < show->rate_count; i++) {
		const struct stat_rate *rate = &show->rates[i];

		output_table_cell(table, rate->band.impossible ? OUTPUT_BAD : OUTPUT_STRONG,
				  "%.6g%s", rate->band.value, rate->band.impossible ? " !" : "");
		if (isnan(rate->band.deviation))
			output_table_cell(table, OUTPUT_BAD, "unknown");
		else
			output_table_cell(table, OUTPUT_PLAIN, "+- %.3g",
					  ESTIMATE_BAND_95 * rate->band.deviation);
		output_table_cell(table, OUTPUT_PLAIN, "%s", rate->unit);
		output_table_cell(table, OUTPUT_PLAIN, "%s", rate->name);
	}
	output_table_print(table);
}

static const char *const sharings[] = {
	[JOINT_SHARE_NONE] = "nothing",
	[JOINT_SHARE_CAUTIOUS] = "some",
	[JOINT_SHARE_FREELY] = "much",
};

/* Get the time after which the correlation of the slow part of a count has decreased to 1/e. */
static double correlation_s(const struct stat_state *state)
{
	return -state->nominal_s / log(state->rho);
}

void stat_show_tables(const struct stat_show *show)
{
	struct output_table *table = output_table_new();
	int estimated = 0, flagged = 0;

	printf("%s: %.6g s, %zu interval%s\n\n", output_name(show->what),
	       series_time_s(show->series), show->series->intervals,
	       show->series->intervals == 1 ? "" : "s");
	output_table_columns(table, ">count|>95 % band|>read|~event");
	for (size_t i = 0; i < show->state->events; i++) {
		const struct stat_total *total = &show->state->totals[i];

		total_row(table, total);
		estimated |= total->share > 0 && total->share < 1;
		flagged |= total->raised;
	}
	for (size_t i = 0; i < show->rate_count; i++)
		flagged |= show->rates[i].band.impossible;
	output_table_print(table);
	rates_table(show);
	if (show->state->rho > 0)
		printf("\nmodel, the likeliest: counts are correlated over %.3g s, and events "
		       "share "
		       "%s\n",
		       correlation_s(show->state), sharings[show->state->sharing]);
	else if (estimated)
		putchar('\n');
	if (estimated)
		printf("legend: ~ = estimated, since the event was read for a part of the time; "
		       "read = this part\n");
	if (flagged)
		printf("! = the estimate was below the sum of the readings, or a rate below 0 or "
		       "above 1: treat the value as unknown\n");
}

void stat_show_csv(const struct stat_show *show)
{
	csv_begin("event,count,low_95,high_95,read_share,flag");
	for (size_t i = 0; i < show->state->events; i++) {
		const struct stat_total *total = &show->state->totals[i];
		int known = total->share > 0;

		csv_text(total->name);
		csv_real(known ? total->total : NAN);
		csv_real(known ? stat_total_low(total) + 0 * total->deviation : NAN);
		csv_real(known ? stat_total_high(total) : NAN);
		csv_real(total->share);
		csv_flag(total->raised);
		if (!csv_end())
			return;
	}
}

/* Add a number. If the number is not known, do not add its key. */
static void json_known(json_t *object, const char *key, double number)
{
	if (isfinite(number))
		json_object_set_new(object, key, json_real(number));
}

int stat_show_json(const struct stat_show *show)
{
	json_t *events = json_array(), *rates = json_array(), *document;

	for (size_t i = 0; i < show->state->events; i++) {
		const struct stat_total *total = &show->state->totals[i];
		json_t *event = json_object();

		json_object_set_new(event, "event", document_text(total->name));
		if (total->share > 0) {
			json_known(event, "count", total->total);
			json_known(event, "low_95", stat_total_low(total) + 0 * total->deviation);
			json_known(event, "high_95", stat_total_high(total));
		}
		json_object_set_new(event, "estimated",
				    json_boolean(total->share > 0 && total->share < 1));
		json_object_set_new(event, "read_share", json_real(total->share));
		json_object_set_new(event, "flag", json_boolean(total->raised));
		json_array_append_new(events, event);
	}
	for (size_t i = 0; i < show->rate_count; i++) {
		const struct stat_rate *rate = &show->rates[i];
		json_t *object = json_object();

		json_object_set_new(object, "rate", json_string(rate->name));
		json_object_set_new(object, "unit", json_string(rate->unit));
		json_known(object, "value", rate->band.value);
		json_known(object, "low_95", rate->band.low);
		json_known(object, "high_95", rate->band.high);
		json_object_set_new(object, "flag", json_boolean(rate->band.impossible));
		json_array_append_new(rates, object);
	}
	document = json_pack("{s:s,s:f,s:I,s:o,s:o}", "schema", "smile.stat/1", "seconds",
			     series_time_s(show->series), "intervals",
			     (json_int_t)show->series->intervals, "events", events, "rates", rates);
	if (document && show->state->rho > 0)
		json_object_set_new(document, "model",
				    json_pack("{s:f,s:s}", "correlation_s",
					      correlation_s(show->state), "events_share",
					      sharings[show->state->sharing]));
	return output_json(document);
}
