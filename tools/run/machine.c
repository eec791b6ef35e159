// SPDX-License-Identifier: MIT
/*
 * smile run: set up the machine from a model or a file.
 *
 * What lives here: the parsers of --machine and --caches, the function that completes the machine
 * from its model and the other options, and a text that describes the machine. May use the
 * machine's models.
 */
#include "tools/run/run_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/machine/model.h"
#include "tools/common/machine_file.h"
#include "tools/common/tool.h"
#include "tools/common/topology_option.h"

/* ---- options --------------------------------------------------------------------------------- */

static int model_unknown(const char *from, const char *text)
{
	const struct machine_model *model;
	char known[256] = "";

	for (size_t i = 0; (model = machine_model_at(i)) != NULL; i++)
		if (strlen(known) + strlen(model->name) + 3 < sizeof(known))
			sprintf(known + strlen(known), "%s%s", i ? ", " : "", model->name);
	return tool_usage("%s: '%s' is neither a file nor a machine: there are %s; `smile doctor "
			  "--machine FILE` writes this one",
			  from, text, known);
}

const char *run_machine_default(void)
{
	const char *text = getenv("SMILE_MACHINE");

	return text && *text ? text : MODEL_DEFAULT;
}

/*
 * Select a machine by its name or file. @from: the option or the environment variable that has
 * named it. Return: TOOL_OK; TOOL_ERROR after a message.
 */
static int machine_name_take(struct run_options *options, const char *from, const char *text)
{
	const struct machine_model *model = machine_model_find(text);

	if (model) {
		options->machine = model;
		return TOOL_OK;
	}
	if (access(text, F_OK))
		return model_unknown(from, text);
	if (!options->file)
		options->file = tool_memory(1, sizeof(*options->file));
	if (machine_file_read(options->file, text) < 0)
		return TOOL_ERROR;
	options->machine = &options->file->model;
	return TOOL_OK;
}

int run_machine_take(void *options, const char *text)
{
	return machine_name_take(options, "--machine", text);
}

/* The cycles of the levels, if the user has not given them. */
static const uint32_t level_cycles[] = {1, 14, 50, 50};

/* Parse a level such as "llc=8M/64/16" or "llc=8M/64/16/50". */
static int level_parse(struct caches_shape *caches, char *text)
{
	char *fields = strchr(text, '='), *field;
	struct caches_level *level = &caches->levels[caches->count];
	uint64_t numbers[] = {64, 8, level_cycles[caches->count < 4 ? caches->count : 3]};
	const uint64_t most[] = {256, CACHES_WAYS_MAX, 1000000};
	const char *const names[] = {"--caches: line", "--caches: ways", "--caches: cycles"};

	if (caches->count == CACHES_LEVELS_MAX)
		return tool_usage("--caches: there are up to %u levels", CACHES_LEVELS_MAX);
	if (!fields || fields == text || fields - text >= (ptrdiff_t)CACHES_NAME_BYTES)
		return tool_usage("--caches: '%s' is no level: NAME=SIZE[/LINE[/WAYS[/CYCLES]]], "
				  "such as l1=32K/64/8, with a name of up to 7 letters",
				  text);
	*fields++ = '\0';
	field = strsep(&fields, "/");
	*level = (struct caches_level){.shared = !strcmp(text, "llc")};
	strcpy(level->name, text);
	if (run_bytes_parse("--caches: size", field, CACHES_BYTES_MAX, &level->bytes) < 0)
		return TOOL_ERROR;
	for (size_t i = 0; fields && i < 3; i++)
		if (tool_number(names[i], strsep(&fields, "/"), i < 2, most[i], &numbers[i]) < 0)
			return TOOL_ERROR;
	if (fields)
		return tool_usage(
			"--caches: '%s' is too much: a level is NAME=SIZE[/LINE[/WAYS[/CYCLES]]]",
			fields);
	level->line_bytes = (unsigned)numbers[0];
	level->ways = (unsigned)numbers[1];
	level->cycles = (uint32_t)numbers[2];
	caches->count++;
	return TOOL_OK;
}

int run_caches_take(void *to, const char *text)
{
	struct run_options *options = to;
	char *copy = strdup(text), *rest = copy, *item;
	struct caches_shape caches = {.count = 0};
	const char *what;
	int result = copy ? TOOL_OK : tool_error("no memory");

	while (result == TOOL_OK && strcmp(text, "none") && (item = strsep(&rest, ",")) != NULL)
		result = level_parse(&caches, item);
	free(copy);
	if (result != TOOL_OK)
		return result;
	what = caches_shape_check(&caches);
	if (what)
		return tool_usage("--caches: '%s': %s", text, what);
	options->run.caches = caches;
	options->caches_given = 1;
	return TOOL_OK;
}

/* ---- one machine ----------------------------------------------------------------------------- */

int run_machine_settle(struct run_options *options)
{
	const struct machine_model *model;
	struct run_config *run = &options->run;

	if (!options->machine &&
	    machine_name_take(options, "SMILE_MACHINE", run_machine_default()) != TOOL_OK)
		return TOOL_ERROR;
	model = options->machine;
	if (run->cache.bytes && options->caches_given && run->caches.count)
		return tool_usage("--cache is the papers' cache of remote memory, --caches are in "
				  "front of all memory: give one of them");
	run->machine = model->name;
	run->machine_source = model->source;
	if (!run->nodes)
		run->nodes = model->nodes;
	if (!options->latency_given)
		run->latency = options->file && model == &options->file->model
				       ? options->file->latency
				       : *latency_find(model->latency);
	/*
	 * A model from the tables also has mean latencies. The mean latencies apply to nodes for
	 * which the model has no pair. A measured machine has only the latencies of its own nodes.
	 */
	else if (run->latency.pairs && run->latency.pairs < run->nodes &&
		 !latency_find(run->latency.name))
		return tool_usage("--latency: the file has latencies of %u nodes, and the machine "
				  "has %u: give --nodes %u, or another file",
				  run->latency.pairs, run->nodes, run->latency.pairs);
	if (!options->caches_given && !run->cache.bytes)
		run->caches = model->caches;
	if (!run->placement) {
		run->placement = placement_find(model->placement);
		run->place = model->placement;
	}
	if (run->network_name) {
		run->network.ring = ring_defaults(2);
		if (topology_settle("network", run->network_name, run->nodes, &run->network) !=
		    TOOL_OK)
			return TOOL_ERROR;
	}
	/* Do not run threads on nodes that have no processors. */
	if (model->processor_nodes < model->nodes && run->mapping == SCHEDULE_ROUND_ROBIN &&
	    !options->threads_given) {
		run->mapping = SCHEDULE_BY_LIST;
		run->list_count =
			model->processor_nodes < run->nodes ? model->processor_nodes : run->nodes;
		run->list = tool_memory(run->list_count, sizeof(*run->list));
		for (size_t i = 0; i < run->list_count; i++)
			run->list[i] = (unsigned)i;
	}
	return TOOL_OK;
}

/* Write a size such as "32K" or "1M". */
static const char *size_text(char text[24], uint64_t bytes)
{
	if (bytes % (1 << 20) == 0)
		snprintf(text, 24, "%" PRIu64 "M", bytes >> 20);
	else if (bytes % (1 << 10) == 0)
		snprintf(text, 24, "%" PRIu64 "K", bytes >> 10);
	else
		snprintf(text, 24, "%" PRIu64, bytes);
	return text;
}

/*
 * Write the latencies of the nearest and of the farthest memory of other nodes, as "140" or "140 to
 * 200".
 */
static void remote_text(const struct run_config *run, char text[64])
{
	double ns = 1e9 / (double)run->latency.frequency_hz;
	uint32_t least = UINT32_MAX, most = 0;

	for (unsigned n = 0; n < run->nodes; n++)
		for (unsigned home = 0; home < run->nodes; home++) {
			uint32_t cycles = latency_cycles(&run->latency, n, home, SMILE_TYPE_READ);

			least = n != home && cycles < least ? cycles : least;
			most = n != home && cycles > most ? cycles : most;
		}
	if (least == most)
		snprintf(text, 64, "%.0f", most * ns);
	else
		snprintf(text, 64, "%.0f to %.0f", least * ns, most * ns);
}

void run_machine_say(const struct run_options *options)
{
	const struct run_config *run = &options->run;
	double ns = 1e9 / (double)run->latency.frequency_hz;
	char caches[160] = "no caches", remote[64], size[24];
	size_t used = 0;

	for (unsigned i = 0; i < run->caches.count; i++)
		used += (size_t)snprintf(caches + used, sizeof(caches) - used, "%s%s %s",
					 i ? ", " : "caches ", run->caches.levels[i].name,
					 size_text(size, run->caches.levels[i].bytes));
	if (run->cache.bytes)
		snprintf(caches, sizeof(caches), "a cache of remote memory of %s",
			 size_text(size, run->cache.bytes));
	if (run->nodes > 1)
		remote_text(run, remote);
	tool_message("machine %s: %u node%s, pages %s%s; reads of memory %.0f%s%s ns; %s",
		     run->machine, run->nodes, run->nodes == 1 ? "" : "s", run->place,
		     run->placement_file ? " and as in the placement file" : "",
		     latency_cycles(&run->latency, 0, 0, SMILE_TYPE_READ) * ns,
		     run->nodes > 1 ? " and " : "", run->nodes > 1 ? remote : "", caches);
}

void run_machines_print(const char *machine)
{
	const struct machine_model *model;

	printf("machines (default %s):\n", machine);
	for (size_t i = 0; (model = machine_model_at(i)) != NULL; i++)
		printf("  %-12s %s\n", model->name, model->description);
}
