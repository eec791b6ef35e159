// SPDX-License-Identifier: MIT
/*
 * smile report heat: print the accesses to pages by node or by phase, as a map, as JSON or as CSV.
 *
 * What lives here: the choice of the number of rows, and the output as JSON and CSV.
 */
#include "tools/report/heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"

/*
 * The number of rows if there is no terminal, and the number of terminal lines that are reserved
 * for other text.
 */
#define ROWS_DEFAULT 24U
#define ROWS_MIN 5U
#define LINES_AROUND 9U

static size_t rows_wanted(const struct report *report)
{
	size_t height;

	if (option_given("rows"))
		return (size_t)report->rows;
	if (report->json || report->csv)
		return SIZE_MAX;
	height = terminal_height(stdout);
	if (!height)
		return ROWS_DEFAULT;
	return height < LINES_AROUND + ROWS_MIN ? ROWS_MIN : height - LINES_AROUND;
}

/* ---- JSON and CSV --------------------------------------------------------------------------- */

static int heat_json(const struct heat *heat)
{
	char name[HEAT_NAME_BYTES];
	int status;

	putchar('{');
	status = output_json_members(report_head(json_pack(
		"{s:s,s:s,s:I,s:I,s:I}", "schema", "smile.heat/1", "by",
		heat->by_phase ? "time" : "node", "nodes", (json_int_t)heat->nodes, "columns",
		(json_int_t)heat->columns, "page_bytes", (json_int_t)SMILE_PAGE_BYTES)));
	fputs(",\"rows\":[", stdout);
	for (size_t i = 0; i < heat->row_count && status == TOOL_OK && !output_stopped(); i++) {
		const struct heat_row *row = &heat->rows[i];

		status = output_json_item(
			json_pack("{s:I,s:I,s:I,s:o,s:o,s:o}", "first_page",
				  (json_int_t)row->first_page, "last_page",
				  (json_int_t)row->last_page, "pages", (json_int_t)row->pages,
				  "homes", document_counts(row->homes, heat->nodes), "name",
				  document_text(heat_name(heat, row, name)), "accesses",
				  document_counts(row->counts, heat->columns)),
			!i);
	}
	fputs("]}\n", stdout);
	return status;
}

/* Fill a cell with all home nodes of a row, separated by blanks. */
static void homes_csv(const struct heat *heat, const struct heat_row *row)
{
	char *text = tool_memory(heat->nodes + 1, 8), *end = text;

	for (size_t node = 0; node < heat->nodes; node++)
		if (row->homes[node])
			end += sprintf(end, "%s%zu", end == text ? "" : " ", node);
	csv_text(text);
	free(text);
}

/* Print a CSV row for each row and column of the map, except where there were no accesses. */
static int heat_csv(const struct heat *heat)
{
	char name[HEAT_NAME_BYTES];

	csv_begin(heat->by_phase ? "first_page,last_page,pages,homes,name,phase,accesses"
				 : "first_page,last_page,pages,homes,name,node,accesses");
	for (size_t i = 0; i < heat->row_count && !output_stopped(); i++) {
		const struct heat_row *row = &heat->rows[i];

		heat_name(heat, row, name);
		for (size_t column = 0; column < heat->columns; column++) {
			if (!row->counts[column])
				continue;
			csv_count(row->first_page);
			csv_count(row->last_page);
			csv_count(row->pages);
			homes_csv(heat, row);
			csv_text(name);
			csv_count(column);
			csv_count(row->counts[column]);
			csv_end();
		}
	}
	return TOOL_OK;
}

int report_heat(const struct report *report)
{
	struct heat heat = {0};
	int status =
		tool_result(heat_load(&heat, report->mon, report->by_phase, rows_wanted(report)));

	if (status == TOOL_OK && report->csv)
		status = heat_csv(&heat);
	else if (status == TOOL_OK && report->json)
		status = heat_json(&heat);
	else if (status == TOOL_OK && !heat.pages)
		output_text("no page was accessed");
	else if (status == TOOL_OK && option_given("bars"))
		heat_bars(&heat);
	else if (status == TOOL_OK)
		heat_map(&heat);
	heat_free(&heat);
	return status;
}
