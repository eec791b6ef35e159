// SPDX-License-Identifier: MIT
/*
 * Machine files. See tools/common/machine_file.h.
 */
#include "tools/common/machine_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

#define SCHEMA "smile.machine/1"
#define NS_MAX 1e6
#define MHZ_MAX 10000
#define MHZ_DEFAULT 2000

static int wrong(const char *path, const char *what)
{
	tool_error("the machine file %s: %s; smile-run(1), MACHINES, describes its contents", path,
		   what);
	return -1;
}

/*
 * Read an integer of @object, which must be from @min to @max. Return: the integer; @absent if it
 * is missing; -1 if it is invalid.
 */
static int64_t number(const json_t *object, const char *key, int64_t min, int64_t max,
		      int64_t absent)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		return absent;
	return json_is_integer(value) && json_integer_value(value) >= min &&
			       json_integer_value(value) <= max
		       ? json_integer_value(value)
		       : -1;
}

/* ---- latencies ------------------------------------------------------------------------------- */

/*
 * Convert the latencies of all pairs of nodes into cycles, and store them in @pairs. Return: NULL;
 * if a latency is invalid, an error text.
 */
static const char *pairs_read(struct machine_file *file, const json_t *rows, unsigned nodes)
{
	double per_ns = (double)file->latency.frequency_hz / 1e9;

	if (json_array_size(rows) != nodes)
		return "latency_ns must have a row for each node";
	for (unsigned n = 0; n < nodes; n++) {
		const json_t *row = json_array_get(rows, n);

		if (json_array_size(row) != nodes)
			return "a row of latency_ns must have a number for each node";
		for (unsigned home = 0; home < nodes; home++) {
			double ns = json_number_value(json_array_get(row, home));
			double cycles = round(ns * per_ns);

			if (!(ns > 0) || ns > NS_MAX || cycles < 1)
				return "a latency in latency_ns is out of range: it must be above "
				       "0, at most 1000000, and a cycle at least";
			file->pairs[n * nodes + home] = (uint32_t)cycles;
		}
	}
	return NULL;
}

/*
 * Compute the mean latency of a node's own memory and of other nodes' memory, for code that does
 * not use latencies of pairs. Return: as pairs_read().
 */
static const char *means_make(struct machine_file *file, unsigned nodes)
{
	uint64_t own = 0, other = 0;
	uint32_t remote;

	for (unsigned n = 0; n < nodes; n++)
		for (unsigned home = 0; home < nodes; home++)
			*(n == home ? &own : &other) += file->pairs[n * nodes + home];
	own /= nodes;
	other = nodes > 1 ? other / nodes / (nodes - 1) : own;
	if (own > other)
		return "a node's own memory is farther than another node's: on such a machine no "
		       "placement helps";
	remote = (uint32_t)other;
	file->latency.local_cycles = (uint32_t)own;
	file->latency.remote_cycles[SMILE_TYPE_READ] = remote;
	file->latency.remote_cycles[SMILE_TYPE_WRITE] = remote;
	file->latency.remote_cycles[SMILE_TYPE_LOCK] = remote;
	file->latency.pairs = nodes;
	file->latency.pair_cycles = file->pairs;
	return NULL;
}

/* ---- caches ---------------------------------------------------------------------------------- */

/* Read a level of the caches. Return: NULL; if the level is invalid, an error text. */
static const char *level_read(struct caches_level *level, const json_t *from)
{
	const char *name = json_string_value(json_object_get(from, "level"));
	int64_t bytes = number(from, "bytes", 1, CACHES_BYTES_MAX, -1);
	int64_t line = number(from, "line_bytes", 1, 4096, -1);
	int64_t ways = number(from, "ways", 1, CACHES_WAYS_MAX, -1);
	int64_t cycles = number(from, "cycles", 0, 1000000, -1);

	if (!name || !*name || strlen(name) >= CACHES_NAME_BYTES)
		return "the level of a cache is a name of up to 7 letters";
	if (bytes < 0 || line < 0 || ways < 0 || cycles < 0)
		return "a cache has bytes, line_bytes, ways (up to 64) and cycles";
	*level = (struct caches_level){
		.bytes = (uint64_t)bytes,
		.line_bytes = (unsigned)line,
		.ways = (unsigned)ways,
		.cycles = (uint32_t)cycles,
		.shared = json_is_true(json_object_get(from, "shared")),
	};
	strcpy(level->name, name);
	return NULL;
}

static const char *caches_read(struct caches_shape *caches, const json_t *list)
{
	const char *what = NULL;
	const json_t *level;
	size_t i;

	if (json_array_size(list) > CACHES_LEVELS_MAX)
		return "there are up to 4 levels of caches";
	json_array_foreach(list, i, level)
	{
		if (!what)
			what = level_read(&caches->levels[caches->count++], level);
	}
	return what ? what : caches_shape_check(caches);
}

/* ---- a machine ------------------------------------------------------------------------------- */

/* Copy a text of the document; copy @absent if the text is missing. */
static void text_read(char *text, const json_t *document, const char *key, const char *absent)
{
	const char *value = json_string_value(json_object_get(document, key));

	snprintf(text, MACHINE_FILE_TEXT, "%s", value && *value ? value : absent);
}

static const char *placement_read(struct machine_file *file, const json_t *document)
{
	const char *name = json_string_value(json_object_get(document, "placement"));
	const struct placement_policy *policy;
	unsigned node;

	if (placement_parse(name ? name : "first-touch", &policy, &node) < 0 ||
	    !strcmp(policy->name, "node"))
		return "placement is no policy: smile run --help lists them";
	file->model.placement = policy->name;
	return NULL;
}

static const char *machine_read(struct machine_file *file, const char *path, const json_t *document)
{
	const char *schema = json_string_value(json_object_get(document, "schema"));
	int64_t nodes = number(document, "nodes", 1, MACHINE_NODES_MAX, -1), processors, mhz;
	const char *what;

	if (!schema || strcmp(schema, SCHEMA))
		return "it is no JSON document of schema " SCHEMA;
	if (nodes < 0)
		return "nodes is no number from 1 to 64";
	processors = number(document, "processor_nodes", 1, nodes, nodes);
	mhz = number(document, "mhz", 1, MHZ_MAX, MHZ_DEFAULT);
	if (processors < 0 || mhz < 0)
		return "processor_nodes must be a number from 1 to nodes, and mhz one from 1 to "
		       "10000";
	text_read(file->name, document, "name", basename(path));
	text_read(file->source, document, "source", path);
	file->model.nodes = (unsigned)nodes;
	file->model.processor_nodes = (unsigned)processors;
	file->latency.frequency_hz = (uint64_t)mhz * 1000000;
	what = pairs_read(file, json_object_get(document, "latency_ns"), (unsigned)nodes);
	if (!what)
		what = means_make(file, (unsigned)nodes);
	if (!what)
		what = caches_read(&file->model.caches, json_object_get(document, "caches"));
	return what ? what : placement_read(file, document);
}

int machine_file_read(struct machine_file *file, const char *path)
{
	json_error_t error;
	json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	const char *what;

	memset(file, 0, sizeof(*file));
	file->model.name = file->name;
	file->model.description = file->source;
	file->model.source = file->source;
	file->latency.name = file->name;
	file->latency.source = file->source;
	if (!document)
		return wrong(path, error.text);
	what = machine_read(file, path, document);
	json_decref(document);
	return what ? wrong(path, what) : 0;
}

json_t *machine_file_json(const char *name, const char *source, unsigned nodes, unsigned mhz,
			  const double *latency_ns, const struct caches_shape *caches)
{
	json_t *rows = json_array(), *levels = json_array();

	for (unsigned n = 0; n < nodes; n++) {
		json_t *row = json_array();

		/* Round to a tenth of a nanosecond: measurements are not more precise. */
		for (unsigned home = 0; home < nodes; home++)
			json_array_append_new(
				row, json_real(round(latency_ns[n * nodes + home] * 10) / 10));
		json_array_append_new(rows, row);
	}
	for (unsigned i = 0; i < caches->count; i++) {
		const struct caches_level *level = &caches->levels[i];

		json_array_append_new(
			levels,
			json_pack("{s:s, s:I, s:i, s:i, s:I, s:b}", "level", level->name, "bytes",
				  (json_int_t)level->bytes, "line_bytes", (int)level->line_bytes,
				  "ways", (int)level->ways, "cycles", (json_int_t)level->cycles,
				  "shared", (int)level->shared));
	}
	return json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:o, s:o}", "schema", SCHEMA, "name", name,
			 "source", source, "nodes", (int)nodes, "mhz", (int)mhz, "placement",
			 "first-touch", "latency_ns", rows, "caches", levels);
}
