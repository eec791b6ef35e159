// SPDX-License-Identifier: MIT
/*
 * Print the state of a cluster. See tools/stat/cluster_show.h.
 */
#include "tools/stat/cluster_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/analysis/text.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

static const char *const states[] = {
	[MEMBER_ABSENT] = "absent",	[MEMBER_HERE] = "here",
	[MEMBER_SILENT] = "silent",	[MEMBER_ENDED] = "ended",
	[MEMBER_GONE] = "gone",		[MEMBER_VERSION] = "another version",
	[MEMBER_DISAGREES] = "differs", [MEMBER_GARBAGE] = "garbage",
};

/* Get the reading of an event in the current interval; NAN if there is none. */
static double read_of(const struct cluster_show *show, size_t node, size_t event)
{
	return show->members->read[node * show->events + event];
}

/*
 * Compute the estimate of an event's count, with its confidence interval. A count, like a reading,
 * is a sum of two parts. The filter estimates the part that is correlated in time. The other part
 * is new in each interval, and has the variance r.
 */
static void band_of(const struct cluster_show *show, size_t node, size_t event,
		    struct Estimate_band *band)
{
	double read = read_of(show, node, event), half;

	Estimate_cluster_band(show->members->cluster, node, event, band);
	if (!(show->processes[event].r > 0))
		return;
	if (!isnan(read)) {
		*band = (struct Estimate_band){.value = read, .low = read, .high = read};
		return;
	}
	band->deviation = sqrt(band->deviation * band->deviation + show->processes[event].r);
	half = ESTIMATE_BAND_95 * band->deviation;
	band->low = fmax(band->value - half, 0);
	band->high = band->value + half;
}

/*
 * Compute the difference of a node's count from the mean of all nodes. The computation assumes that
 * the counts of different nodes are independent.
 */
static struct Estimate_band difference_of(const struct cluster_show *show, size_t node,
					  size_t event)
{
	size_t nodes = show->members->setup.nodes;
	struct Estimate_band difference = {0}, band;
	double variance = 0;

	for (size_t k = 0; k < nodes; k++) {
		double weight = (k == node) - 1.0 / (double)nodes;

		band_of(show, k, event, &band);
		difference.value += weight * band.value;
		variance += weight * weight * band.deviation * band.deviation;
	}
	difference.deviation = sqrt(variance);
	difference.low = difference.value - ESTIMATE_BAND_95 * difference.deviation;
	difference.high = difference.value + ESTIMATE_BAND_95 * difference.deviation;
	return difference;
}

static uint64_t whole(double count)
{
	return (uint64_t)llround(fmin(fmax(count, 0), 9e18));
}

/* ---- rates ----------------------------------------------------------------------------------- */

/*
 * Compute all rates of a node. The computation assumes that the events of a node are independent.
 */
static void rates_of_node(struct cluster_show *show, size_t node, double dt_s)
{
	for (size_t event = 0; event < show->events; event++) {
		struct Estimate_band band;

		band_of(show, node, event, &band);
		show->counts[event] = band.value;
		show->covariance[event * (show->events + 1)] = band.deviation * band.deviation;
	}
	for (size_t r = 0; r < show->rate_count; r++) {
		struct Estimate_band *band = &show->rate_bands[node * show->rate_count + r];

		*band = (struct Estimate_band){.value = NAN};
		Estimate_rate_derive(&show->rates[r].rate, show->counts, show->covariance,
				     show->events, dt_s, band);
	}
}

static void rates_need(struct cluster_show *show)
{
	for (size_t node = 0; node < show->members->setup.nodes; node++)
		rates_of_node(show, node, (double)show->members->setup.interval_ns / 1e9);
}

/*
 * Compute the difference of a node's rate from the mean over all nodes whose rate is known ([2006]
 * figure 8.6). The computation assumes that the rates of different nodes are independent.
 */
static struct Estimate_band rate_difference(const struct cluster_show *show, size_t node, size_t r)
{
	struct Estimate_band difference = {.value = NAN, .deviation = NAN};
	const struct Estimate_band *bands = show->rate_bands + r;
	double own = bands[node * show->rate_count].value, sum = 0, variance = 0;
	size_t nodes = show->members->setup.nodes, known = 0;

	for (size_t k = 0; k < nodes; k++)
		known += isfinite(bands[k * show->rate_count].value) != 0;
	if (!isfinite(own))
		return difference;
	for (size_t k = 0; k < nodes; k++) {
		const struct Estimate_band *band = &bands[k * show->rate_count];
		double weight = (k == node) - 1.0 / (double)known;

		if (!isfinite(band->value))
			continue;
		sum += band->value;
		variance += weight * weight * band->deviation * band->deviation;
	}
	difference.value = own - sum / (double)known;
	difference.deviation = sqrt(variance);
	difference.low = difference.value - ESTIMATE_BAND_95 * difference.deviation;
	difference.high = difference.value + ESTIMATE_BAND_95 * difference.deviation;
	return difference;
}

static void rates_file_write(struct cluster_show *show)
{
	for (size_t node = 0; node < show->members->setup.nodes; node++)
		for (size_t r = 0; r < show->rate_count; r++) {
			char name[96];

			snprintf(name, sizeof(name), "node %zu: %s", node, show->rates[r].name);
			rates_write_row(&show->rates_write, show->members->number,
					(double)show->members->setup.interval_ns / 1e9, name,
					show->rates[r].unit,
					&show->rate_bands[node * show->rate_count + r]);
		}
	rates_write_flush(&show->rates_write);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void band_cells(struct output_table *table, const struct Estimate_band *band)
{
	char count[TEXT_COUNT_BYTES], low[TEXT_COUNT_BYTES], high[TEXT_COUNT_BYTES];
	int exact = !(band->deviation > 0);

	output_table_cell(table, OUTPUT_STRONG, "%s%s", exact ? "" : "~",
			  text_count(count, whole(band->value)));
	if (exact)
		output_table_cell(table, OUTPUT_PLAIN, "exact");
	else
		output_table_cell(table, OUTPUT_PLAIN, "%s to %s",
				  text_count(low, whole(band->low)),
				  text_count(high, whole(band->high)));
}

/*
 * Print the difference from the mean of all nodes, with its sign. If the node differs
 * significantly, print a mark.
 */
static int difference_cell(struct output_table *table, const struct cluster_show *show, size_t node,
			   size_t event)
{
	char text[TEXT_COUNT_BYTES], width[TEXT_COUNT_BYTES];
	struct Estimate_band difference = difference_of(show, node, event), state;
	int differs = members_differs(show->members, node, event, &state);
	double half = ESTIMATE_BAND_95 * difference.deviation;

	output_table_cell(table, differs ? OUTPUT_BAD : OUTPUT_PLAIN, "%s%s +- %s%s",
			  difference.value < 0 ? "-" : "+",
			  text_count(text, whole(fabs(difference.value))),
			  text_count(width, whole(half)), differs ? " !" : "");
	return differs;
}

/*
 * Print a line for each node that is silent, gone or left out, and for each node whose intervals
 * were lost.
 */
static void members_text(const struct cluster_show *show)
{
	const struct members *members = show->members;

	for (size_t node = 0; node < members->setup.nodes; node++) {
		const struct member *member = &members->member[node];
		uint64_t silent = members_silence(members, node);

		if (member->state == MEMBER_SILENT || member->state == MEMBER_GONE)
			printf("node %zu: %s, last seen %" PRIu64
			       " intervals ago: its bands grow\n",
			       node, states[member->state], silent);
		else if (member->state != MEMBER_HERE && member->state != MEMBER_ENDED)
			printf("node %zu: %s\n", node, states[member->state]);
		if (member->lost || member->bad)
			printf("node %zu: %" PRIu64 " intervals were overwritten before this node "
			       "read them, %" PRIu64 " were damaged\n",
			       node, member->lost, member->bad);
	}
}

static void rates_table(const struct cluster_show *show)
{
	struct output_table *table = output_table_new();

	output_table_columns(table, ">rate|>95 % band|>less the mean|<unit|>node|~of");
	for (size_t r = 0; r < show->rate_count; r++)
		for (size_t node = 0; node < show->members->setup.nodes; node++) {
			const struct Estimate_band *band =
				&show->rate_bands[node * show->rate_count + r];
			struct Estimate_band difference = rate_difference(show, node, r);

			if (!isfinite(band->value))
				continue;
			output_table_cell(table, OUTPUT_STRONG, "%.4g%s", band->value,
					  band->impossible ? " !" : "");
			output_table_cell(table, OUTPUT_PLAIN, "%.4g to %.4g", band->low,
					  band->high);
			output_table_cell(table, OUTPUT_PLAIN, "%+.4g +- %.2g", difference.value,
					  ESTIMATE_BAND_95 * difference.deviation);
			output_table_cell(table, OUTPUT_PLAIN, "%s", show->rates[r].unit);
			output_table_cell(table, OUTPUT_PLAIN, "%zu", node);
			output_table_cell(table, OUTPUT_PLAIN, "%s", show->rates[r].name);
		}
	putchar('\n');
	output_table_print(table);
}

static void table_show(const struct cluster_show *show)
{
	const struct members *members = show->members;
	struct output_table *table = output_table_new();
	int marked = 0;

	printf("interval %" PRIu64 ", %zu node%s: this is node %zu\n\n", members->number,
	       members->setup.nodes, members->setup.nodes == 1 ? "" : "s", members->setup.self);
	output_table_columns(table, ">count|>95 % band|>less the mean|>node|~event");
	for (size_t event = 0; event < show->events; event++)
		for (size_t node = 0; node < members->setup.nodes; node++) {
			struct Estimate_band band;

			band_of(show, node, event, &band);
			band_cells(table, &band);
			marked |= difference_cell(table, show, node, event);
			output_table_cell(table, OUTPUT_PLAIN, "%zu", node);
			output_table_cell(table, OUTPUT_PLAIN, "%s", show->series->names[event]);
		}
	output_table_print(table);
	if (show->rate_count)
		rates_table(show);
	printf("\nlegend: count = in this interval; ~ = estimated: not read in it\n");
	if (marked)
		printf("! = this node differs from the others by more than the natural "
		       "variation of events\n");
	members_text(show);
}

/* ---- for other programs ---------------------------------------------------------------------- */

static int csv_show(struct cluster_show *show)
{
	const struct members *members = show->members;

	if (!show->begun)
		csv_begin("node,interval,event,estimate,sd");
	for (size_t node = 0; node < members->setup.nodes; node++)
		for (size_t event = 0; event < show->events; event++) {
			struct Estimate_band band;

			band_of(show, node, event, &band);
			csv_count(node);
			csv_count(members->number);
			csv_text(show->series->names[event]);
			csv_real(band.value);
			csv_real(band.deviation);
			if (!csv_end())
				return TOOL_ERROR;
		}
	return TOOL_OK;
}

static json_t *event_json(const struct cluster_show *show, size_t node, size_t event)
{
	struct Estimate_band band, difference = difference_of(show, node, event), state;
	int read = !isnan(read_of(show, node, event));
	int differs = members_differs(show->members, node, event, &state);

	band_of(show, node, event, &band);
	return json_pack("{s:o,s:b,s:f,s:f,s:f,s:f,s:f,s:f,s:b}", "event",
			 document_text(show->series->names[event]), "read", read, "count",
			 band.value, "low_95", band.low, "high_95", band.high, "difference",
			 difference.value, "difference_low_95", difference.low,
			 "difference_high_95", difference.high, "differs", differs);
}

/* A rate that is not known has no members for its values. */
static json_t *rates_json(const struct cluster_show *show, size_t node)
{
	json_t *rates = json_array();

	for (size_t r = 0; r < show->rate_count; r++) {
		const struct Estimate_band *band = &show->rate_bands[node * show->rate_count + r];
		struct Estimate_band difference = rate_difference(show, node, r);
		json_t *rate =
			json_pack("{s:o,s:s,s:b}", "rate", document_text(show->rates[r].name),
				  "unit", show->rates[r].unit, "flag", band->impossible);
		const struct {
			const char *key;
			double number;
		} numbers[] = {
			{"value", band->value},
			{"low_95", isfinite(band->value) ? band->low : NAN},
			{"high_95", isfinite(band->value) ? band->high : NAN},
			{"difference", difference.value},
			{"difference_low_95", isfinite(difference.value) ? difference.low : NAN},
			{"difference_high_95", isfinite(difference.value) ? difference.high : NAN},
		};

		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			if (isfinite(numbers[i].number))
				json_object_set_new(rate, numbers[i].key,
						    json_real(numbers[i].number));
		json_array_append_new(rates, rate);
	}
	return rates;
}

static int json_show(const struct cluster_show *show)
{
	const struct members *members = show->members;
	json_t *nodes = json_array();

	for (size_t node = 0; node < members->setup.nodes; node++) {
		const struct member *member = &members->member[node];
		json_t *events = json_array();

		for (size_t event = 0; event < show->events; event++)
			json_array_append_new(events, event_json(show, node, event));
		json_array_append_new(
			nodes,
			json_pack("{s:I,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o}", "node",
				  (json_int_t)node, "state", states[member->state], "silent",
				  (json_int_t)members_silence(members, node), "taken",
				  (json_int_t)member->taken, "late", (json_int_t)member->late,
				  "lost", (json_int_t)member->lost, "bad", (json_int_t)member->bad,
				  "uneven", (json_int_t)member->uneven, "events", events, "rates",
				  rates_json(show, node)));
	}
	return output_json(json_pack("{s:s,s:I,s:I,s:f,s:o}", "schema", "smile.stat.cluster/1",
				     "node", (json_int_t)members->setup.self, "interval",
				     (json_int_t)members->number, "interval_s",
				     (double)members->setup.interval_ns / 1e9, "nodes", nodes));
}

/* ---- a state file ---------------------------------------------------------------------------- */

static void state_file_write(struct cluster_show *show)
{
	const struct members *members = show->members;
	double dt_s = (double)members->setup.interval_ns / 1e9;

	for (size_t node = 0; node < members->setup.nodes; node++)
		for (size_t event = 0; event < show->events; event++) {
			const struct Estimate_process *process = &show->processes[event];
			const struct Estimate_transition step =
				Estimate_process_transition(process, dt_s);
			struct Estimate_band band, state, difference;
			struct stat_next next;
			char name[256];

			band_of(show, node, event, &band);
			Estimate_cluster_band(members->cluster, node, event, &state);
			next.estimate = process->mean + step.phi22 * (state.value - process->mean);
			next.deviation =
				sqrt(step.phi22 * step.phi22 * state.deviation * state.deviation +
				     step.q22 + process->r);
			snprintf(name, sizeof(name), "node %zu: %s", node,
				 show->series->names[event]);
			state_write_row(&show->write, members->number, dt_s, name,
					&(struct state_cells){read_of(show, node, event),
							      band.value, band.deviation, next,
							      members_differs(members, node, event,
									      &difference)});
		}
	state_write_flush(&show->write);
}

/* ---- all outputs ----------------------------------------------------------------------------- */

int cluster_show_begin(struct cluster_show *show)
{
	stat_rates_missed(show->series);
	show->rate_count = stat_rates_find(show->series, show->rates);
	show->rate_bands = tool_memory(show->members->setup.nodes * show->rate_count + 1,
				       sizeof(*show->rate_bands));
	show->counts = tool_memory(show->events, sizeof(*show->counts));
	show->covariance = tool_memory(show->events * show->events, sizeof(*show->covariance));
	if (show->request->output &&
	    state_write_open(&show->write, show->request->output, 1) != TOOL_OK)
		return TOOL_ERROR;
	return show->request->rates ? rates_write_open(&show->rates_write, show->request->rates)
				    : TOOL_OK;
}

static int state_show(struct cluster_show *show)
{
	int status = TOOL_OK;

	if (show->request->csv)
		status = csv_show(show);
	else if (show->request->json)
		status = json_show(show);
	else
		table_show(show);
	show->begun = 1;
	/* Flush, so that the reader of a pipe receives each interval immediately. */
	fflush(stdout);
	return status;
}

int cluster_show_interval(struct cluster_show *show)
{
	rates_need(show);
	if (show->write.file)
		state_file_write(show);
	if (show->rates_write.file)
		rates_file_write(show);
	return show->request->csv || show->request->live ? state_show(show) : TOOL_OK;
}

int cluster_show_end(struct cluster_show *show)
{
	int status = TOOL_OK;

	/* If cluster_show_begin() was not called, no output has to be ended. */
	if (!show->request)
		return TOOL_OK;
	rates_need(show);
	if (show->members->number && !show->request->csv && !show->request->live)
		status = state_show(show);
	if (show->write.file && state_write_close(&show->write) != TOOL_OK)
		status = TOOL_ERROR;
	if (show->rates_write.file && rates_write_close(&show->rates_write) != TOOL_OK)
		status = TOOL_ERROR;
	free(show->rate_bands);
	free(show->counts);
	free(show->covariance);
	return status;
}
