// SPDX-License-Identifier: MIT
/*
 * Writing a rates file. See tools/stat/rates_write.h.
 */
#include "tools/stat/rates_write.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/analysis/state/state_file.h"
#include "tools/common/csv.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

int rates_write_open(struct rates_write *write, const char *path)
{
	*write = (struct rates_write){.path = path, .file = output_file_create(path)};
	if (!write->file)
		return TOOL_ERROR;
	fputs(RATES_FILE_HEADER "\n", write->file);
	fflush(write->file);
	return TOOL_OK;
}

void rates_write_row(struct rates_write *write, uint64_t interval, double length_s,
		     const char *name, const char *unit, const struct Estimate_band *band)
{
	int known = isfinite(band->value);

	fprintf(write->file, "%" PRIu64 ",%.12g,", interval, length_s);
	csv_file_text(write->file, name);
	fprintf(write->file, ",%s,", unit);
	csv_file_known(write->file, band->value, ',');
	csv_file_known(write->file, known ? band->deviation : NAN, ',');
	csv_file_known(write->file, known ? band->low : NAN, ',');
	csv_file_known(write->file, known ? band->high : NAN, ',');
	fprintf(write->file, "%d\n", band->impossible);
}

void rates_write_flush(struct rates_write *write)
{
	fflush(write->file);
}

void rates_write_interval(struct rates_write *write, const struct series *series, size_t interval,
			  const struct stat_rate *rates, const struct Estimate_band *bands,
			  size_t count)
{
	for (size_t r = 0; r < count; r++)
		rates_write_row(write, interval + 1, series->lengths_s[interval], rates[r].name,
				rates[r].unit, &bands[r]);
	rates_write_flush(write);
}

int rates_write_close(struct rates_write *write)
{
	return csv_file_close(write->file, write->path);
}
