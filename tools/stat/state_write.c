// SPDX-License-Identifier: MIT
/*
 * Writing a state file. See tools/stat/state_write.h.
 */
#include "tools/stat/state_write.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/analysis/state/state_file.h"
#include "tools/common/csv.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

int state_write_open(struct state_write *write, const char *path, int nodes)
{
	*write = (struct state_write){
		.path = path,
		.file = output_file_create(path),
		.nodes = nodes,
	};
	if (!write->file)
		return TOOL_ERROR;
	fputs(nodes ? STATE_FILE_HEADER STATE_FILE_NEXT STATE_FILE_DIFFERS "\n"
		    : STATE_FILE_HEADER STATE_FILE_NEXT "\n",
	      write->file);
	fflush(write->file);
	return TOOL_OK;
}

void state_write_row(struct state_write *write, uint64_t interval, double length_s,
		     const char *event, const struct state_cells *row)
{
	fprintf(write->file, "%" PRIu64 ",%.12g,", interval, length_s);
	csv_file_text(write->file, event);
	fputc(',', write->file);
	csv_file_known(write->file, row->value, ',');
	csv_file_known(write->file, row->estimate, ',');
	csv_file_known(write->file, row->deviation, ',');
	csv_file_known(write->file, row->next.estimate, ',');
	csv_file_known(write->file, row->next.deviation, write->nodes ? ',' : '\n');
	if (write->nodes)
		fprintf(write->file, "%d\n", row->differs);
}

void state_write_flush(struct state_write *write)
{
	fflush(write->file);
}

void state_write_interval(struct state_write *write, const struct series *series, size_t interval,
			  const double *estimates, const double *deviations,
			  const struct stat_next *next)
{
	const double *values = series->values + interval * series->events;

	for (size_t i = 0; i < series->events; i++)
		state_write_row(
			write, interval + 1, series->lengths_s[interval], series->names[i],
			&(struct state_cells){values[i], estimates[i], deviations[i], next[i], 0});
	state_write_flush(write);
}

int state_write_close(struct state_write *write)
{
	return csv_file_close(write->file, write->path);
}
