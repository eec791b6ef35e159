// SPDX-License-Identifier: MIT
/*
 * smile trace interarrival: print the times from each packet to the next packet. Only packets that
 * fulfil the conditions count.
 */
#include <stddef.h>

#include "tools/trace/distribution.h"
#include "tools/trace/trace.h"

static const char *const interarrival_help[] = {
#include "tools/help/trace-interarrival.h"
	NULL,
};

/*
 * Collect the times from each packet to the next packet of its trace. If the time stamps of two
 * packets are in the wrong order, their time is left out.
 */
static int times_take(struct trace_db *db, const struct trace_filter *filter,
		      struct time_distribution *spread, uint64_t *left_out)
{
	uint64_t trace = 0;
	int64_t last = 0;
	struct trace_rows rows;
	struct trace_row row;
	int got = trace_rows_begin(&rows, db, filter), error = 0;

	while (!error && got >= 0 && (got = trace_rows_next(&rows, &row)) > 0) {
		if (row.trace == trace && row.time_ns < last)
			++*left_out;
		else if (row.trace == trace)
			error = time_distribution_add(spread,
						      (uint64_t)row.time_ns - (uint64_t)last);
		trace = row.trace;
		last = row.time_ns;
	}
	trace_rows_end(&rows);
	return error ? error : got < 0 ? got : 0;
}

int trace_interarrival(int argc, char **argv)
{
	static const struct distribution interarrival = {
		.help = interarrival_help,
		.schema = "smile.trace.interarrival/1",
		.what = "Times from packet to packet",
		.take = times_take,
	};

	return distribution_main(argc, argv, &interarrival);
}
