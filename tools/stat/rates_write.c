// SPDX-License-Identifier: MIT
/*
 * Rates file, written. See tools/stat/rates_write.h.
 */
#include "tools/stat/rates_write.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/tool.h"

int rates_write_open(struct rates_write *write, const char *path)
{
	*write = (struct rates_write){.path = path, .file = fopen(path, "we")};
	if (!write->file)
		return tool_error("cannot write %s: %s", path, strerror(errno));
	fputs("interval,dt_s,rate,unit,value,sd,low_95,high_95,flag\n", write->file);
	fflush(write->file);
	return TOOL_OK;
}

void rates_write_interval(struct rates_write *write, const struct series *series, size_t interval,
			  const struct stat_rate *rates, const struct Estimate_band *bands,
			  size_t count)
{
	for (size_t r = 0; r < count; r++) {
		const struct Estimate_band *band = &bands[r];
		int known = isfinite(band->value);

		fprintf(write->file, "%zu,%.12g,", interval + 1, series->lengths_s[interval]);
		csv_file_text(write->file, rates[r].name);
		fprintf(write->file, ",%s,", rates[r].unit);
		csv_file_known(write->file, band->value, ',');
		csv_file_known(write->file, known ? band->deviation : NAN, ',');
		csv_file_known(write->file, known ? band->low : NAN, ',');
		csv_file_known(write->file, known ? band->high : NAN, ',');
		fprintf(write->file, "%d\n", band->impossible);
	}
	fflush(write->file);
}

int rates_write_close(struct rates_write *write)
{
	return csv_file_close(write->file, write->path);
}
