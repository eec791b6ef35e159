// SPDX-License-Identifier: MIT
/*
 * The network of a recorded run in smile report transfers: its busiest link, and what crosses it.
 */
#include "tools/report/report.h"

#include <stdio.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

/* Pairs that are named in the text. */
#define PAIRS_SHOWN 4U

json_t *report_network(const struct report *report)
{
	const char *parameters = Monitor_parameters(report->mon);
	json_t *run = parameters ? json_loads(parameters, 0, NULL) : NULL;
	json_t *network = json_incref(json_object_get(run, "network"));

	json_decref(run);
	if (json_is_object(network) && json_is_object(json_object_get(network, "busiest")))
		return network;
	json_decref(network);
	return NULL;
}

static void place(char text[32], const json_t *node)
{
	if (json_is_integer(node))
		snprintf(text, 32, "node %lld", (long long)json_integer_value(node));
	else
		snprintf(text, 32, "the switch");
}

static double share(const json_t *of, const char *name)
{
	return 100 * json_number_value(json_object_get(of, name));
}

void report_network_text(const json_t *network)
{
	const json_t *busiest = json_object_get(network, "busiest"), *pair;
	const json_t *pairs = json_object_get(busiest, "crossed_by");
	const char *topology = json_string_value(json_object_get(network, "topology"));
	char name[64], from[32], to[32];
	size_t i;

	place(from, json_object_get(busiest, "from"));
	place(to, json_object_get(busiest, "to"));
	snprintf(name, sizeof(name), "%s", topology ? topology : "");
	printf("\nnetwork %s: the busiest link leads from %s to %s on ringlet %lld: it carries "
	       "packets for %.1f %% of the run, and was full for %.1f %%\n",
	       text_printable(name), from, to,
	       (long long)json_integer_value(json_object_get(busiest, "ringlet")),
	       share(busiest, "load"), share(busiest, "full"));
	json_array_foreach(pairs, i, pair)
	{
		if (i == PAIRS_SHOWN) {
			printf("  and %zu more pairs: see --json\n", json_array_size(pairs) - i);
			break;
		}
		printf("  %5.1f %% of that: node %lld with the memory of node %lld\n",
		       share(pair, "share"),
		       (long long)json_integer_value(json_object_get(pair, "source")),
		       (long long)json_integer_value(json_object_get(pair, "target")));
	}
}
