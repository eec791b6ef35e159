// SPDX-License-Identifier: MIT
/*
 * smile trace: examine traces of single packets. What lives here: only the table of verbs.
 */
#include "tools/trace/trace.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/tool.h"

static const char *const trace_help[] = {
#include "tools/help/trace.h"
	NULL,
};

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"record", trace_record},
	{"import", trace_import},
	{"list", trace_list},
	{"show", trace_show},
	{"transaction", trace_transaction},
	{"follow", trace_follow},
	{"latency", trace_latency},
	{"interarrival", trace_interarrival},
};

int trace_main(int argc, char **argv)
{
	static char name[64];

	if (argc < 2)
		return tool_usage("which verb? `smile trace --help` has the list");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		tool_help(trace_help);
		return TOOL_OK;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(argv[1], verbs[i].name))
			continue;
		snprintf(name, sizeof(name), "smile trace %s", verbs[i].name);
		argv[1] = name;
		return verbs[i].run(argc - 1, argv + 1);
	}
	return tool_usage("there is no verb '%s'", argv[1]);
}
