// SPDX-License-Identifier: MIT
/*
 * Load file: read a distribution of times that `smile trace interarrival --distribution` has
 * written.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/common/csv_read.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

#define LONGEST_NS 1000000000000ULL
#define SHARES 4294967296.0 /* 2^32 */

/*
 * The smallest share in the last row of a complete file. The share is 1, but its decimal digits may
 * have been truncated.
 */
#define WHOLE 0.999999

static int read_row(const struct csv_read *csv, uint32_t symbol_ps, double *share,
		    struct load_step *step)
{
	double cumulative;
	uint64_t value;

	if (csv_read_whole(csv, 0, "value_ns", &value) < 0 ||
	    csv_read_real(csv, 2, "cumulative", &cumulative) < 0)
		return TOOL_ERROR;
	if (value > LONGEST_NS) {
		csv_read_error(csv, "value_ns: %" PRIu64 " is too long: 1000 s at most", value);
		return TOOL_ERROR;
	}
	if (cumulative < *share || cumulative > 1) {
		csv_read_error(csv, "cumulative: %g is less than in the row before, or above 1",
			       cumulative);
		return TOOL_ERROR;
	}
	*share = cumulative;
	step->clocks = (value * 1000 + symbol_ps / 2) / symbol_ps;
	step->cumulative =
		cumulative * SHARES >= UINT32_MAX ? UINT32_MAX : (uint32_t)(cumulative * SHARES);
	return TOOL_OK;
}

int ring_load_read(const char *path, uint32_t symbol_ps, struct load_step **steps, uint32_t *count)
{
	struct csv_read csv;
	size_t room = 0;
	double share = 0;
	int status, row;

	*steps = NULL;
	*count = 0;
	status = csv_read_open(&csv, path, "value_ns,count,cumulative", 0);
	if (status != TOOL_OK)
		return status;
	while ((row = csv_read_row(&csv)) > 0) {
		tool_reserve(steps, &room, *count, sizeof(**steps));
		if (read_row(&csv, symbol_ps, &share, &(*steps)[*count]) != TOOL_OK)
			break;
		++*count;
	}
	status = row == 0 ? TOOL_OK : TOOL_ERROR;
	csv_read_close(&csv);
	if (status == TOOL_OK && share < WHOLE)
		status = tool_error("%s: the last row's cumulative is %g, where it must be 1", path,
				    share);
	if (status != TOOL_OK) {
		free(*steps);
		*steps = NULL;
	}
	return status;
}
