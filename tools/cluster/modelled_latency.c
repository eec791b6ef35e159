// SPDX-License-Identifier: MIT
/*
 * smile cluster: the modelled latency of accesses to other nodes.
 *
 * What lives here: the parser of --latency, and the conversion of the models to nanoseconds. The
 * models are the latency models of `smile run` (emu/machine/latency_model.h).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/latency_model.h"
#include "tools/cluster/cluster.h"
#include "tools/common/tool.h"

/* The longest latency that the adapter accepts: LATENCY_NS_MAX in emu/qemu/smile_adapter.c. */
#define NS_MAX 1000000

static uint32_t nanoseconds(const struct latency_model *model, unsigned int type)
{
	return (uint32_t)(model->remote_cycles[type] * 1000000000ULL / model->frequency_hz);
}

static void model_take(struct cluster_latency *latency, const struct latency_model *model)
{
	latency->read_ns = nanoseconds(model, SMILE_TYPE_READ);
	latency->write_ns = nanoseconds(model, SMILE_TYPE_WRITE);
	latency->lock_ns = nanoseconds(model, SMILE_TYPE_LOCK);
}

void latency_models_print(void)
{
	const struct latency_model *model;

	printf("\nlatency models, in ns: remote read, write, lock:\n");
	for (size_t i = 0; (model = latency_at(i)) != NULL; i++) {
		struct cluster_latency latency;

		model_take(&latency, model);
		printf("  %-12s %u, %u, %u\n               %s\n", model->name, latency.read_ns,
		       latency.write_ns, latency.lock_ns, model->source);
	}
}

static int number_take(const char *text, uint32_t *ns)
{
	uint64_t number;

	if (tool_number("--latency: nanoseconds", text, 0, NS_MAX, &number))
		return -1;
	*ns = (uint32_t)number;
	return 0;
}

/*
 * Parse the first item of the argument: the name of a model, or one number of nanoseconds for all
 * types of accesses.
 */
static int first_take(struct cluster_latency *latency, const char *item)
{
	const struct latency_model *model = latency_find(item);

	if (model) {
		model_take(latency, model);
		return 0;
	}
	if (!isdigit((unsigned char)item[0])) {
		tool_usage("--latency: '%s' is neither a number of nanoseconds nor a model; "
			   "smile cluster --help lists the models",
			   item);
		return -1;
	}
	if (number_take(item, &latency->read_ns))
		return -1;
	latency->write_ns = latency->lock_ns = latency->read_ns;
	return 0;
}

/* Parse an item such as "read=500". */
static int type_take(struct cluster_latency *latency, const char *item)
{
	if (!strncmp(item, "read=", 5))
		return number_take(item + 5, &latency->read_ns);
	if (!strncmp(item, "write=", 6))
		return number_take(item + 6, &latency->write_ns);
	if (!strncmp(item, "lock=", 5))
		return number_take(item + 5, &latency->lock_ns);
	tool_usage("--latency: '%s' is none of read=, write= and lock= (nanoseconds)", item);
	return -1;
}

int latency_parse(struct cluster_latency *latency, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;
	bool first = true;
	int err = copy ? 0 : -1;

	while (!err && (item = strsep(&rest, ",")) != NULL) {
		err = first && !strchr(item, '=') ? first_take(latency, item)
						  : type_take(latency, item);
		first = false;
	}
	free(copy);
	return err;
}
