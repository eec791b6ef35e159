// SPDX-License-Identifier: MIT
/*
 * smile trace latency: print the times from requests to their responses, for requests that fulfil
 * the conditions.
 */
#include <errno.h>
#include <stddef.h>

#include "lib/trace-db/response_time.h"
#include "tools/trace/distribution.h"
#include "tools/trace/trace.h"

static const char *const latency_help[] = {
#include "tools/help/trace-latency.h"
	NULL,
};

int trace_latency(int argc, char **argv)
{
	static const struct distribution latency = {
		.help = latency_help,
		.schema = "smile.trace.latency/1",
		.what = "Times from request to response",
		.requests = true,
		.take = trace_db_latencies,
	};

	return distribution_main(argc, argv, &latency);
}
