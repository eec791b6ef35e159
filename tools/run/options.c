// SPDX-License-Identifier: MIT
/*
 * smile run: parse the options for the machine.
 *
 * What lives here: the parsers of the options for threads, cache and placement. The names of these
 * options are in run/session.
 */
#include "tools/run/run_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/tool.h"

/* ---- threads to nodes ------------------------------------------------------------------------ */

static int list_take(struct run_options *options, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;
	uint64_t node;
	int result = TOOL_OK;

	free(options->run.list);
	options->run.list = calloc(strlen(text) + 1, sizeof(*options->run.list));
	options->run.list_count = 0;
	options->run.mapping = SCHEDULE_BY_LIST;
	if (!copy || !options->run.list)
		result = tool_error("no memory");
	while (result == TOOL_OK && (item = strsep(&rest, ",")) != NULL) {
		if (tool_number("--threads: node", item, 0, MACHINE_NODES_MAX - 1, &node) < 0)
			result = TOOL_ERROR;
		else if (options->run.list_count == STREAM_NODES_OF)
			result = tool_usage("--threads: a list has at most %u nodes; it is used "
					    "again from its beginning for further threads",
					    STREAM_NODES_OF);
		options->run.list[options->run.list_count++] = (unsigned)node;
	}
	free(copy);
	return result;
}

int run_threads_take(void *to, const char *text)
{
	struct run_options *options = to;
	uint64_t threads;

	options->threads_given = 1;
	if (!strcmp(text, "round-robin")) {
		options->run.mapping = SCHEDULE_ROUND_ROBIN;
		return TOOL_OK;
	}
	if (!strcmp(text, "block"))
		return tool_usage("--threads block: give the number of threads, such as block:16");
	if (!strncmp(text, "block:", 6)) {
		if (tool_number("--threads block", text + 6, 1, SCHEDULE_THREADS_MAX, &threads) < 0)
			return TOOL_ERROR;
		options->run.mapping = SCHEDULE_IN_BLOCKS;
		options->run.threads = (unsigned)threads;
		return TOOL_OK;
	}
	if (!*text || strspn(text, "0123456789,") < strlen(text))
		return tool_usage("--threads: '%s' is neither round-robin nor block:N nor a list "
				  "of nodes such as 0,0,1,1",
				  text);
	return list_take(options, text);
}

/* ---- cache ----------------------------------------------------------------------------------- */

int run_bytes_parse(const char *what, const char *text, uint64_t max, uint64_t *bytes)
{
	size_t length = strlen(text);
	unsigned shift = 0;
	char digits[24];

	if (length && length < sizeof(digits)) {
		shift = text[length - 1] == 'K' ? 10 : text[length - 1] == 'M' ? 20 : 0;
		snprintf(digits, sizeof(digits), "%.*s", (int)(length - (shift > 0)), text);
		text = digits;
	}
	if (tool_number(what, text, 1, max >> shift, bytes) < 0)
		return -1;
	*bytes <<= shift;
	return 0;
}

static int cache_check(const struct machine_cache *cache)
{
	uint64_t lines = cache->bytes / cache->line_bytes;
	uint64_t ways = cache->ways ? cache->ways : lines;
	uint64_t sets = ways ? lines / ways : 0;

	if (cache->line_bytes != 16 && cache->line_bytes != 64 && cache->line_bytes != 256)
		return tool_usage("--cache: a line of %u bytes cannot be fetched: 16, 64 or 256",
				  cache->line_bytes);
	if (!sets || (sets & (sets - 1)) || sets * ways * cache->line_bytes != cache->bytes)
		return tool_usage("--cache: %" PRIu64 " bytes in lines of %u, %" PRIu64
				  " ways: the number of sets is no power of two",
				  cache->bytes, cache->line_bytes, ways);
	return TOOL_OK;
}

int run_cache_take(void *to, const char *text)
{
	struct run_options *options = to;
	char *copy = strdup(text), *rest = copy, *size = strsep(&rest, ",");
	const char *line = strsep(&rest, ","), *ways = strsep(&rest, ",");
	uint64_t bytes = 0, line_bytes = 64, number = 4;
	int result = copy ? 0 : -1;

	if (!result && rest) {
		tool_usage("--cache: '%s' is too much: SIZE[,LINE[,WAYS]]", text);
		result = -1;
	}
	if (!result)
		result = run_bytes_parse("--cache: size", size, 1ULL << 30, &bytes);
	if (!result && line)
		result = tool_number("--cache: line", line, 16, 256, &line_bytes);
	if (!result && ways)
		result = tool_number("--cache: ways", ways, 0, 1 << 20, &number);
	free(copy);
	if (result < 0)
		return TOOL_ERROR;
	options->run.cache.bytes = bytes;
	options->run.cache.line_bytes = (unsigned)line_bytes;
	options->run.cache.ways = (unsigned)number;
	return cache_check(&options->run.cache);
}

/* ---- placement ------------------------------------------------------------------------------- */

/* The default time after which pages move: the length of an epoch in simulated time. */
#define MIGRATE_DEFAULT_NS 100000U

/*
 * Parse "migrate", "migrate:5ms" or "migrate:phase". Return: 1; 0 if the text is none of these; -1
 * after a message.
 */
static int migrate_parse(struct run_options *options, const char *text)
{
	static const char name[] = "migrate";
	uint32_t us;

	if (strncmp(text, name, sizeof(name) - 1))
		return 0;
	text += sizeof(name) - 1;
	if (!*text) {
		options->run.migrate_ns = MIGRATE_DEFAULT_NS;
		return 1;
	}
	if (*text != ':')
		return 0;
	if (!strcmp(text, ":phase")) {
		options->run.migrate_phases = true;
		return 1;
	}
	if (tool_period("--place migrate", text + 1, &us) < 0)
		return -1;
	options->run.migrate_ns = (uint64_t)us * 1000;
	return 1;
}

int run_place_take(void *to, const char *text)
{
	struct run_options *options = to;
	const struct placement_policy *policy;
	char known[256] = "";
	int migrate = migrate_parse(options, text);

	if (migrate)
		return migrate < 0 ? TOOL_ERROR : TOOL_OK;
	if (!placement_parse(text, &options->run.placement, &options->run.placement_node)) {
		options->run.place = text;
		return TOOL_OK;
	}
	if (!access(text, F_OK)) {
		options->run.placement_file = text;
		return TOOL_OK;
	}
	for (size_t i = 0; (policy = placement_at(i)) != NULL; i++)
		if (strlen(known) + strlen(policy->name) + 5 < sizeof(known))
			sprintf(known + strlen(known), "%s%s%s", i ? ", " : "", policy->name,
				strcmp(policy->name, "node") ? "" : ":N");
	return tool_usage("--place: '%s' is neither a file nor a policy: there are %s, migrate",
			  text, known);
}

int run_options_check(const struct run_options *options)
{
	struct config_options card = options->card;

	for (size_t i = 0; i < options->run.list_count; i++)
		if (options->run.list[i] >= options->run.nodes)
			return tool_usage("--threads: there is no node %u: --nodes is %u",
					  options->run.list[i], options->run.nodes);
	if (options->run.placement && options->run.placement_node >= options->run.nodes)
		return tool_usage("--place: there is no node %u: --nodes is %u",
				  options->run.placement_node, options->run.nodes);
	if ((options->run.migrate_ns || options->run.migrate_phases) &&
	    (options->run.capture || config_options_responses(&options->card)))
		return tool_usage("--place migrate decides only by requests: omit --capture, "
				  "--packets responses and --packets all");
	if (options->run.network_name && (options->run.migrate_ns || options->run.migrate_phases))
		return tool_usage("--network cannot be combined with --place migrate: each of them "
				  "stops threads at other times");
	if (options->run.only && (options->run.from || options->run.to || options->run.sample > 1))
		return tool_usage("--only-phase excludes --from-phase, --to-phase and "
				  "--sample-phases");
	card.counts = !options->run.records;
	return config_options_check(&card);
}
