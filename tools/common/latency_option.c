// SPDX-License-Identifier: MIT
/*
 * Latency option. See tools/common/latency_option.h.
 */
#include "tools/common/latency_option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/machine_file.h"
#include "tools/common/tool.h"

static int latency_unknown(const char *name)
{
	const struct latency_model *model;
	char known[256] = "";

	for (size_t i = 0; (model = latency_at(i)) != NULL; i++)
		if (strlen(known) + strlen(model->name) + 3 < sizeof(known))
			sprintf(known + strlen(known), "%s%s", i ? ", " : "", model->name);
	tool_usage("--latency: '%s' is neither a file nor a model; there are %s; `smile doctor "
		   "--latency FILE` measures this machine",
		   name, known);
	return -1;
}

/* Parse an item such as "read=500". */
static int latency_number(struct latency_model *model, const char *item)
{
	struct {
		const char *key;
		uint32_t *cycles;
	} keys[] = {
		{"local=", &model->local_cycles},
		{"read=", &model->remote_cycles[SMILE_TYPE_READ]},
		{"write=", &model->remote_cycles[SMILE_TYPE_WRITE]},
		{"lock=", &model->remote_cycles[SMILE_TYPE_LOCK]},
	};
	uint64_t number;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t length = strlen(keys[i].key);

		if (strncmp(item, keys[i].key, length))
			continue;
		if (tool_number("--latency: cycles", item + length, 1, 1000000000, &number) < 0)
			return -1;
		*keys[i].cycles = (uint32_t)number;
		/* A latency from the command line applies to all pairs of nodes. */
		model->pairs = 0;
		return 0;
	}
	if (!strncmp(item, "mhz=", 4)) {
		if (tool_number("--latency: mhz", item + 4, 1, 10000, &number) < 0)
			return -1;
		model->frequency_hz = number * 1000000;
		return 0;
	}
	tool_usage("--latency: '%s' is none of local=, read=, write=, lock= (cycles) and mhz=",
		   item);
	return -1;
}

/*
 * Refuse a model in which a node's own memory costs more than the memory of other nodes. With such
 * a model, advice on placements would be wrong.
 */
static int latency_check(const struct latency_model *latency)
{
	if (latency->local_cycles <= latency->remote_cycles[SMILE_TYPE_READ] &&
	    latency->local_cycles <= latency->remote_cycles[SMILE_TYPE_LOCK])
		return 0;
	tool_usage("--latency: a local access costs %" PRIu32
		   " cycles, more than a remote read or lock: give the latencies of a NUMA machine",
		   latency->local_cycles);
	return -1;
}

/*
 * Get the latency model of a machine file. The memory of the model is never freed, because callers
 * keep pointers to it.
 */
static const struct latency_model *latency_of_file(const char *path)
{
	static struct machine_file *file;

	if (!file)
		file = tool_memory(1, sizeof(*file));
	return machine_file_read(file, path) < 0 ? NULL : &file->latency;
}

int latency_option_parse(struct latency_model *latency, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item = strsep(&rest, ",");
	const struct latency_model *model = copy ? latency_find(item) : NULL;
	int result = copy ? 0 : -1;

	if (copy && !model && !access(item, F_OK)) {
		model = latency_of_file(item);
		result = model ? 0 : -1;
	} else if (copy && !model) {
		result = latency_unknown(item);
	}

	if (!result)
		*latency = *model;
	while (!result && (item = strsep(&rest, ",")) != NULL)
		result = latency_number(latency, item);
	free(copy);
	return result ? result : latency_check(latency);
}
