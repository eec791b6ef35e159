// SPDX-License-Identifier: MIT
/*
 * State file, written. See tools/stat/state_write.h.
 */
#include "tools/stat/state_write.h"

#include <errno.h>
#include <string.h>

#include "lib/analysis/state/state_file.h"
#include "tools/common/csv.h"
#include "tools/common/tool.h"

int state_write_open(struct state_write *write, const char *path)
{
	*write = (struct state_write){.path = path, .file = fopen(path, "we")};
	if (!write->file)
		return tool_error("cannot write %s: %s", path, strerror(errno));
	state_file_lock(write->file);
	fputs(STATE_FILE_HEADER STATE_FILE_NEXT "\n", write->file);
	fflush(write->file);
	return TOOL_OK;
}

void state_write_interval(struct state_write *write, const struct series *series, size_t interval,
			  const double *estimates, const double *deviations,
			  const struct stat_next *next)
{
	for (size_t i = 0; i < series->events; i++) {
		fprintf(write->file, "%zu,%.12g,", interval + 1, series->lengths_s[interval]);
		csv_file_text(write->file, series->names[i]);
		fputc(',', write->file);
		csv_file_known(write->file, series->values[interval * series->events + i], ',');
		csv_file_known(write->file, estimates[i], ',');
		csv_file_known(write->file, deviations[i], ',');
		csv_file_known(write->file, next[i].estimate, ',');
		csv_file_known(write->file, next[i].deviation, '\n');
	}
	/* Readers follow it. */
	fflush(write->file);
}

int state_write_close(struct state_write *write)
{
	return csv_file_close(write->file, write->path);
}
