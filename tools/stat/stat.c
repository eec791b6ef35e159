// SPDX-License-Identifier: MIT
/*
 * smile stat: multiplexed counters, as a state with bands. What lives here: the options.
 */
#include "tools/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/stat/count.h"
#include "tools/stat/slices.h"

static const char *const stat_help[] = {
#include "tools/help/stat.h"
	NULL,
};

enum stat_code {
	CODE_FILTER = 256,
	CODE_PARAMETERS,
	CODE_MODEL,
	CODE_FIT,
	CODE_PLOT,
	CODE_SIMULATE,
	CODE_SETS,
	CODE_SAMPLES,
	CODE_SEED,
	CODE_STATIC,
	CODE_COUNTERS,
	CODE_READINGS,
	CODE_SLICES,
	CODE_EVENTS,
	CODE_JSON,
	CODE_CSV,
	CODE_COLOR,
	CODE_NODE_IDS,
	CODE_EARLIER,
	CODE_LIVE,
};

static const struct option stat_options[] = {
	{"event", required_argument, NULL, 'e'},
	{"device", required_argument, NULL, 'd'},
	{"static", required_argument, NULL, CODE_STATIC},
	{"node-ids", required_argument, NULL, CODE_NODE_IDS},
	{"readings", required_argument, NULL, CODE_READINGS},
	{"earlier", required_argument, NULL, CODE_EARLIER},
	{"counters", required_argument, NULL, CODE_COUNTERS},
	{"output", required_argument, NULL, 'o'},
	{"json", no_argument, NULL, CODE_JSON},
	{"csv", no_argument, NULL, CODE_CSV},
	{"color", required_argument, NULL, CODE_COLOR},
	{"live", no_argument, NULL, CODE_LIVE},
	{"slices", required_argument, NULL, CODE_SLICES},
	{"events", required_argument, NULL, CODE_EVENTS},
	{"filter", required_argument, NULL, CODE_FILTER},
	{"parameters", required_argument, NULL, CODE_PARAMETERS},
	{"model", required_argument, NULL, CODE_MODEL},
	{"fit", required_argument, NULL, CODE_FIT},
	{"plot", required_argument, NULL, CODE_PLOT},
	{"simulate", required_argument, NULL, CODE_SIMULATE},
	{"sets", required_argument, NULL, CODE_SETS},
	{"samples", required_argument, NULL, CODE_SAMPLES},
	{"seed", required_argument, NULL, CODE_SEED},
	{"interval", required_argument, NULL, 'I'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/**
 * struct stat_request - The command line.
 * @filter: readings
 * @fit: samples
 * @slices: capture
 * @parameters: of the events
 * @plot: picture
 * @model: of a filter
 * @events: of --slices
 * @interval_ns: -I; 0: not given
 * @simulation: --simulate and what goes with it
 * @count: what is counted, and how it is shown
 */
struct stat_request {
	const char *filter;
	const char *fit;
	const char *slices;
	const char *parameters;
	const char *plot;
	enum stat_model model;
	uint64_t events;
	uint64_t interval_ns;
	struct stat_simulation simulation;
	struct stat_count count;
};

static int model_parse(struct stat_request *request, const char *text)
{
	static const char *const names[] = {
		[STAT_MODEL_GAUSS_MARKOV] = "gauss-markov",
		[STAT_MODEL_INTEGRATED] = "integrated",
		[STAT_MODEL_AUTO] = "auto",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text))
			continue;
		request->model = (enum stat_model)i;
		return 0;
	}
	tool_usage("--model: '%s' is none of gauss-markov, integrated, auto", text);
	return -1;
}

/* -I: milliseconds, as perf stat has it. */
static int interval_parse(struct stat_request *request, const char *text)
{
	if (tool_seconds("-I", text, &request->interval_ns) < 0)
		return -1;
	request->interval_ns /= 1000;
	if (request->interval_ns)
		return 0;
	tool_usage("-I: an interval must be longer than 0 ms");
	return -1;
}

static int static_parse(struct stat_count *count, const char *text)
{
	if (count->spec_count == STAT_EVENTS_MAX) {
		tool_usage("--static: more than %d events are too many", STAT_EVENTS_MAX);
		return -1;
	}
	count->texts[count->spec_count] = text;
	/* Each is one event, so a variable must be in one page. */
	if (static_spec_parse(&count->specs[count->spec_count], 1, count->static_map, text) < 0)
		return -1;
	count->spec_count++;
	return 0;
}

static int node_ids_parse(struct stat_count *count, const char *text)
{
	count->narrow = !strcmp(text, "narrow");
	if (count->narrow || !strcmp(text, "wide"))
		return 0;
	tool_usage("--node-ids: '%s' is neither wide nor narrow", text);
	return -1;
}

static int number(const char *what, uint64_t max, uint64_t *out)
{
	return tool_number(what, optarg, 1, max, out);
}

/* Options with a number or a word of their own. Return: 0, or -1 after saying what is wrong. */
static int option_parse(struct stat_request *request, int option)
{
	switch (option) {
	case CODE_MODEL:
		return model_parse(request, optarg);
	case CODE_SETS:
		return number("--sets", 1000000, &request->simulation.sets);
	case CODE_SAMPLES:
		return number("--samples", 100000000, &request->simulation.samples);
	case CODE_SEED:
		return tool_number("--seed", optarg, 0, UINT64_MAX, &request->simulation.seed);
	case CODE_STATIC:
		return static_parse(&request->count, optarg);
	case CODE_COUNTERS:
		return number("--counters", STAT_EVENTS_MAX, &request->count.at_once);
	case CODE_EVENTS:
		return number("--events", 1000000, &request->events);
	case CODE_NODE_IDS:
		return node_ids_parse(&request->count, optarg);
	case CODE_COLOR:
		return output_color_parse(optarg) == TOOL_OK ? 0 : -1;
	default:
		return interval_parse(request, optarg);
	}
}

/* Return: 0, or -1 after saying what is wrong. */
static int option_take(struct stat_request *request, int option)
{
	const char **text = NULL;

	switch (option) {
	case CODE_FILTER:
		text = &request->filter;
		break;
	case CODE_PARAMETERS:
		text = &request->parameters;
		break;
	case CODE_FIT:
		text = &request->fit;
		break;
	case CODE_SLICES:
		text = &request->slices;
		break;
	case CODE_PLOT:
		text = &request->plot;
		break;
	case CODE_SIMULATE:
		text = &request->simulation.parameters;
		break;
	case CODE_READINGS:
		text = &request->count.readings;
		break;
	case CODE_EARLIER:
		text = &request->count.earlier;
		break;
	case 'e':
		text = &request->count.events;
		break;
	case 'd':
		text = &request->count.source;
		break;
	case 'o':
		text = &request->count.output;
		break;
	case CODE_JSON:
		request->count.json = 1;
		return 0;
	case CODE_CSV:
		request->count.csv = 1;
		return 0;
	case CODE_LIVE:
		request->count.live = 1;
		return 0;
	default:
		return option_parse(request, option);
	}
	*text = optarg;
	return 0;
}

#define SHOWN " earlier live output plot json csv color"

static const struct option_form forms[] = {
	{"filter", .only = "filter parameters model"},
	{"fit", .only = "fit plot"},
	{"simulate", .only = "simulate sets samples seed interval"},
	{"slices", .only = "slices interval events"},
	{"readings", .only = "readings" SHOWN},
	{"event", .only = "event counters interval" SHOWN},
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

/* Do all options go with what is to be done? */
static int options_fit(const struct stat_request *request, int counts)
{
	const char *source = request->count.source;

	if (!!request->filter + !!request->fit + !!request->simulation.parameters +
		    !!request->slices + counts >
	    1)
		return tool_usage("-e, -d, --readings, --filter, --fit, --simulate and --slices: "
				  "give one of them");
	if (request->count.events && source)
		return tool_usage("-e counts a program's events, -d a card's: give one of them");
	if (request->count.readings && (request->count.events || source))
		return tool_usage("--readings takes the place of -e and -d");
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (!source)
		return TOOL_OK;
	return slices_source_is(source)
		       ? option_form_only("the slices of a capture",
					  "device counters interval events" SHOWN)
		       : option_form_only("a card",
					  "device static node-ids counters interval" SHOWN);
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
		return stat_fit(request->fit, request->plot);
	if (request->slices)
		return stat_slices(request->slices,
				   request->interval_ns ? request->interval_ns : 1000000,
				   request->events);
	if (simulated) {
		request->simulation.dt_s =
			request->interval_ns ? (double)request->interval_ns / 1e9 : 0.04;
		return stat_simulate(&request->simulation);
	}
	if (!counts)
		return tool_usage("what is to be done? Give -e EVENTS -- PROGRAM, -d SOURCE "
				  "--static SPEC, -d slices:CAPTURE, --readings, --filter, --fit, "
				  "--simulate or --slices");
	count->interval_ns = request->interval_ns ? request->interval_ns
			     : count->source && slices_source_is(count->source) ? 1000000
										: 10000000;
	count->plot = request->plot;
	count->slice_events = request->events;
	count->program = *program ? program : NULL;
	return stat_count(count);
}

int stat_main(int argc, char **argv)
{
	static struct stat_request request = {
		.events = 60,
		.simulation = {.sets = 10, .samples = 3000, .seed = 1},
	};
	int option;

	while ((option = option_next(argc, argv, "+hI:e:d:o:", stat_options)) != -1) {
		if (option == 'h') {
			tool_help(stat_help);
			return TOOL_OK;
		}
		if (option == '?')
			return tool_unknown_option();
		if (option_take(&request, option) < 0)
			return TOOL_ERROR;
	}
	return request_run(&request, argv + optind);
}
