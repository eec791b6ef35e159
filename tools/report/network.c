// SPDX-License-Identifier: MIT
/*
 * smile report transfers: print the network of a recorded run, which is its busiest link and the
 * traffic of this link.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

/* The largest number of pairs of nodes that the text names. */
#define PAIRS_SHOWN 4U

static const char *place(char text[32], int64_t node)
{
	if (node < 0)
		return "the switch";
	snprintf(text, 32, "node %" PRId64, node);
	return text;
}

void report_network(const struct run_facts *run)
{
	const char *topology = run->network.topology ? run->network.topology : "";
	char name[64], from[32], to[32];

	snprintf(name, sizeof(name), "%s", topology);
	printf("\nnetwork %s: the busiest link leads from %s to %s on ringlet %" PRIu64
	       ": it carries packets for %.1f %% of the run, and was full for %.1f %%\n",
	       text_printable(name), place(from, run->network.busiest.from),
	       place(to, run->network.busiest.to), run->network.busiest.ringlet,
	       100 * run->network.busiest.load, 100 * run->network.busiest.full);
	for (size_t i = 0; i < run->network.busiest.crossed_by.count; i++) {
		const struct run_facts_crossing *pair = &run->network.busiest.crossed_by.at[i];

		if (i == PAIRS_SHOWN) {
			printf("  and %zu more pairs: see --json\n",
			       run->network.busiest.crossed_by.count - i);
			break;
		}
		printf("  %5.1f %% of that: node %" PRIu64 " with the memory of node %" PRIu64 "\n",
		       100 * pair->share, pair->source, pair->target);
	}
}
