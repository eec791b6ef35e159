// SPDX-License-Identifier: MIT
/*
 * smile stat: estimate the counts of multiplexed counters, with confidence intervals. What lives
 * here: the options.
 */
#include "tools/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/stat/cluster.h"
#include "tools/stat/count.h"
#include "tools/stat/rates.h"
#include "tools/stat/slices.h"

static const char *const stat_help[] = {
#include "tools/help/stat.h"
	NULL,
};

/**
 * struct stat_request - The arguments of the options.
 * @filter: --filter: name of a file of readings
 * @fit: --fit: name of a file of samples
 * @slices: --slices: name of a capture
 * @parameters: --parameters: name of a file with the processes of the events
 * @plot: --plot: name of the file for a picture
 * @figures: --figures: directory for pictures
 * @model: --model: model of the filter
 * @events: --events: number of events for --slices
 * @interval_ns: -I: length of an interval; 0: not given
 * @samples: --samples: a number with --simulate, otherwise the name of a file; NULL: not given
 * @simulation: --simulate, and its options
 * @count: the events to count, and the options for the output
 * @together: --cluster was given
 * @cluster: the options for --cluster
 */
struct stat_request {
	const char *filter;
	const char *fit;
	const char *slices;
	const char *parameters;
	const char *plot;
	const char *figures;
	enum stat_model model;
	uint64_t events;
	uint64_t interval_ns;
	const char *samples;
	struct stat_simulation simulation;
	struct stat_count count;
	int together;
	struct stat_cluster cluster;
};

static int model_take(void *model, const char *text)
{
	static const char *const names[] = {
		[STAT_MODEL_GAUSS_MARKOV] = "gauss-markov",
		[STAT_MODEL_INTEGRATED] = "integrated",
		[STAT_MODEL_AUTO] = "auto",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text))
			continue;
		*(enum stat_model *)model = (enum stat_model)i;
		return TOOL_OK;
	}
	return tool_usage("--model: '%s' is none of gauss-markov, integrated, auto", text);
}

/* Parse the argument of -I, which is in milliseconds like the same option of perf stat. */
static int interval_take(void *to, const char *text)
{
	uint64_t *interval_ns = to;

	if (tool_milliseconds("-I", text, interval_ns) < 0)
		return TOOL_ERROR;
	return *interval_ns ? TOOL_OK : tool_usage("-I: an interval must be longer than 0 ms");
}

/*
 * Split NAME:SPEC. The name of a variable can also contain colons, but it always follows a "=".
 * Return: the start of SPEC.
 */
static const char *static_name(const char *text, char **name)
{
	size_t length = strcspn(text, ":=");

	if (text[length] != ':')
		return text;
	*name = tool_memory(length + 1, 1);
	memcpy(*name, text, length);
	return text + length + 1;
}

static int static_take(void *to, const char *text)
{
	struct stat_count *count = to;
	char *name = NULL;

	if (count->spec_count == STAT_EVENTS_MAX)
		return tool_usage("--static: more than %d events are too many", STAT_EVENTS_MAX);
	text = static_name(text, &name);
	count->texts[count->spec_count] = name ? name : text;
	/*
	 * Each --static is one event with one counter, so the memory of its variable must be within
	 * one page.
	 */
	if (static_spec_parse(&count->specs[count->spec_count], 1, count->static_map, text) < 0)
		return TOOL_ERROR;
	count->spec_count++;
	return TOOL_OK;
}

static int node_ids_take(void *to, const char *text)
{
	struct stat_count *count = to;

	count->narrow = !strcmp(text, "narrow");
	if (count->narrow || !strcmp(text, "wide"))
		return TOOL_OK;
	return tool_usage("--node-ids: '%s' is neither wide nor narrow", text);
}

#define CLUSTER " cluster parameters nodes segment truth"
#define SHOWN " earlier live output rate rates plot json csv color"

static const struct option_form forms[] = {
	{"cluster", .idle = "earlier samples plot model filter fit simulate slices events"},
	{"filter", .only = "filter parameters model"},
	{"fit", .only = "fit plot figures"},
	{"simulate", .only = "simulate sets samples seed interval"},
	{"slices", .only = "slices interval events"},
	{"readings", .only = "readings samples interval" SHOWN CLUSTER},
	{"event",
	 .only = "event all-cpus cpu device static node-ids counters samples interval" SHOWN
		 CLUSTER},
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

/* Check whether all given options have an effect in the requested form of the command. */
static int options_fit(const struct stat_request *request, int counts)
{
	const char *source = request->count.source;

	if (!!request->filter + !!request->fit + !!request->simulation.parameters +
		    !!request->slices + counts >
	    1)
		return tool_usage("-e, -d, --readings, --filter, --fit, --simulate and --slices: "
				  "give one of them");
	if (request->count.readings && (request->count.events || source))
		return tool_usage("--readings replaces -e and -d: give only one of them");
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (!request->together &&
	    option_form_idle("one node alone", "nodes segment truth") != TOOL_OK)
		return TOOL_ERROR;
	if (!request->together && request->count.readings &&
	    option_form_idle("readings without --cluster", "interval") != TOOL_OK)
		return TOOL_ERROR;
	if (!request->together && !request->filter &&
	    option_form_idle("readings without --filter or --cluster", "parameters") != TOOL_OK)
		return TOOL_ERROR;
	if (request->count.csv && !request->count.rates &&
	    option_form_idle("--csv without --rates", "rate") != TOOL_OK)
		return TOOL_ERROR;
	if (!source || request->count.events)
		return TOOL_OK;
	return slices_source_is(source)
		       ? option_form_only("the slices of a capture",
					  "device counters interval events" SHOWN)
		       : option_form_only(
				 "a card",
				 "device static node-ids counters samples interval" SHOWN CLUSTER);
}

static int request_run(struct stat_request *request, char **program)
{
	const char *simulated = request->simulation.parameters;
	struct stat_count *count = &request->count;
	int counts = count->events || count->spec_count || count->readings || count->source;

	if (options_fit(request, counts) != TOOL_OK)
		return TOOL_ERROR;
	if (*program && (!counts || count->readings))
		return tool_usage("'%s' is too much", *program);
	if (request->filter && !request->parameters)
		return tool_usage("--filter needs the processes of its events: --parameters FILE, "
				  "as --fit writes it");
	if (request->filter)
		return stat_filter(request->filter, request->parameters, request->model);
	if (request->fit)
		return stat_fit(request->fit, request->plot, request->figures);
	if (request->slices)
		return stat_slices(request->slices,
				   request->interval_ns ? request->interval_ns : 1000000,
				   request->events);
	if (simulated && request->samples &&
	    tool_number("--samples", request->samples, 1, 100000000, &request->simulation.samples) <
		    0)
		return TOOL_ERROR;
	if (simulated) {
		request->simulation.dt_s =
			request->interval_ns ? (double)request->interval_ns / 1e9 : 0.04;
		return stat_simulate(&request->simulation);
	}
	if (!counts)
		return tool_usage("no action is given: give -e EVENTS -- PROGRAM, -d SOURCE "
				  "--static SPEC, -d slices:CAPTURE, --readings, --filter, --fit, "
				  "--simulate or --slices");
	count->interval_ns = request->interval_ns ? request->interval_ns
			     : count->source && slices_source_is(count->source) ? 1000000
										: 10000000;
	count->plot = request->plot;
	count->samples = request->samples;
	count->slice_events = request->events;
	count->program = *program ? program : NULL;
	if (!request->together)
		return stat_count(count);
	request->cluster.count = count;
	request->cluster.parameters = request->parameters;
	return stat_cluster(&request->cluster);
}

int stat_main(int argc, char **argv)
{
	static struct stat_request request = {
		.events = 60,
		.simulation = {.sets = 10, .samples = 3000, .seed = 1},
		.cluster = {.segment = CLUSTER_SEGMENT},
	};
	struct stat_count *count = &request.count;
	struct stat_simulation *simulation = &request.simulation;
	const struct tool_option options[] = {
		OPTION_TEXT("event", 'e', &count->events),
		OPTION_FLAG("all-cpus", 'a', &count->machine),
		OPTION_TEXT("cpu", 'C', &count->processors),
		OPTION_INPUT("device", 'd', &count->source),
		OPTION_TAKE("static", 0, static_take, count),
		OPTION_TAKE("node-ids", 0, node_ids_take, count),
		OPTION_INPUT("readings", 0, &count->readings),
		OPTION_INPUT("earlier", 0, &count->earlier),
		OPTION_NUMBER("counters", 0, 1, STAT_EVENTS_MAX, &count->at_once),
		OPTION_OUTPUT("output", 'o', &count->output),
		OPTION_TAKE("rate", 0, stat_rates_take, NULL),
		OPTION_OUTPUT("rates", 0, &count->rates),
		OPTION_FLAG("json", 0, &count->json),
		OPTION_FLAG("csv", 0, &count->csv),
		OPTION_COLOR,
		OPTION_FLAG("live", 0, &count->live),
		OPTION_FLAG("cluster", 0, &request.together),
		OPTION_NUMBER("nodes", 0, 1, 64, &request.cluster.nodes),
		OPTION_NUMBER("segment", 0, 1, UINT32_MAX, &request.cluster.segment),
		OPTION_OUTPUT("truth", 0, &request.cluster.truth),
		OPTION_INPUT("slices", 0, &request.slices),
		OPTION_NUMBER("events", 0, 1, 1000000, &request.events),
		OPTION_INPUT("filter", 0, &request.filter),
		OPTION_INPUT("parameters", 0, &request.parameters),
		OPTION_TAKE("model", 0, model_take, &request.model),
		OPTION_INPUT("fit", 0, &request.fit),
		OPTION_OUTPUT("plot", 0, &request.plot),
		OPTION_TEXT("figures", 0, &request.figures),
		OPTION_INPUT("simulate", 0, &simulation->parameters),
		OPTION_NUMBER("sets", 0, 1, 1000000, &simulation->sets),
		OPTION_OUTPUT("samples", 0, &request.samples),
		OPTION_NUMBER("seed", 0, 0, UINT64_MAX, &simulation->seed),
		OPTION_TAKE("interval", 'I', interval_take, &request.interval_ns),
		OPTION_HELP(stat_help),
		OPTION_END,
	};
	int status;

	/*
	 * Pass "+", so that the parsing stops at the program: the arguments after it belong to the
	 * program.
	 */
	if (!option_table_parse(argc, argv, "+", options, &status))
		return status;
	return request_run(&request, argv + optind);
}
