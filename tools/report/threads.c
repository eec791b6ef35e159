// SPDX-License-Identifier: MIT
/*
 * smile report threads: print samples by the names of threads.
 *
 * What lives here: the rows that recordings of samples contain in their parameters, printed as a
 * table, as JSON or as CSV. docs/sample.md explains which name a thread has.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/sampled.h"
#include "tools/common/band_cells.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* The name that is shown for threads whose name is not known. */
#define UNNAMED "(no name)"

static void cells(const struct report *report, struct output_table *table,
		  const struct run_facts_named *row, const unsigned int *columns, size_t count)
{
	char name[256];

	snprintf(name, sizeof(name), "%s", row->name ? row->name : UNNAMED);
	output_table_cell(table, OUTPUT_STRONG, "%s", text_printable(name));
	output_table_count(table, OUTPUT_PLAIN, row->threads);
	for (size_t i = 0; i < count; i++)
		report_count(report, table, 0,
			     columns[i] < row->by_node.count ? row->by_node.at[columns[i]] : 0);
	report_count(report, table, 1, row->samples);
	output_table_count(table, OUTPUT_PLAIN, row->pages);
	if (row->transactions)
		band_cell_share(table, "", row->remote, row->transactions);
	else
		output_table_none(table);
}

static void legend(const struct report *report)
{
	const uint64_t left_out = report->sampled->thread_names.rows_left_out;
	char text[BAND_TEXT_BYTES];

	putchar('\n');
	output_text("legend: threads by name, without the number at its end; a thread has the name "
		    "that it had when its name was last read, and " UNNAMED
		    " if it had ended before that. PAGES = pages with samples of these threads; "
		    "REMOTE = share of the transactions that accessed another node's memory.");
	if (left_out)
		output_text("%" PRIu64 " more names, with %s samples, had no room in the "
			    "recordings.",
			    left_out,
			    band_text(text, report->sampled->thread_names.samples_left_out));
	report_sampled_legend(report);
}

static size_t nodes_of(const struct run_facts_named *rows, size_t count)
{
	size_t nodes = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].by_node.count > nodes)
			nodes = rows[i].by_node.count;
	return nodes;
}

static void show(const struct report *report, const struct run_facts_named *rows, size_t count)
{
	size_t nodes = nodes_of(rows, count);
	uint64_t *sums = tool_memory(nodes + 1, sizeof(*sums));
	unsigned int *columns = tool_memory(nodes + 1, sizeof(*columns));
	struct output_table *table = output_table_new();
	size_t shown;

	for (size_t i = 0; i < count; i++)
		for (size_t node = 0; node < rows[i].by_node.count; node++)
			sums[node] += rows[i].by_node.at[node];
	shown = report_columns(sums, nodes, columns);
	output_table_columns(table, "<NAME|>THREADS");
	for (size_t i = 0; i < shown; i++)
		report_node_column(report, table, columns[i]);
	output_table_columns(table, ">SAMPLES|>PAGES|>REMOTE");
	for (size_t i = 0; i < count; i++)
		cells(report, table, &rows[i], columns, shown);
	output_table_print(table);
	free(columns);
	free(sums);
}

/* Print a CSV row for each name and node. */
static void rows_csv(const struct run_facts_named *rows, size_t count)
{
	csv_begin("name,threads,pages,remote_share,remote_share_low_95,remote_share_high_95,node,"
		  "samples,samples_low_95,samples_high_95");
	for (size_t i = 0; i < count; i++)
		for (size_t node = 0; node < rows[i].by_node.count && !output_stopped(); node++) {
			const struct run_facts_named *row = &rows[i];
			struct sampled_share share = sampled_share(row->remote, row->transactions);
			struct sampled_band band = sampled_count(row->by_node.at[node]);

			if (!row->by_node.at[node])
				continue;
			csv_text(row->name ? row->name : "");
			csv_count(row->threads);
			csv_count(row->pages);
			csv_real(share.share);
			csv_real(share.low);
			csv_real(share.high);
			csv_count(node);
			csv_count(row->by_node.at[node]);
			csv_real(band.low);
			csv_real(band.high);
			csv_end();
		}
}

static int document(const struct report *report)
{
	const struct run_facts *run = report->sampled;
	json_t *head = json_pack("{s:s, s:O, s:I, s:I}", "schema", "smile.threads/1", "threads",
				 run->thread_names.array, "rows_left_out",
				 document_int(run->thread_names.rows_left_out), "samples_left_out",
				 document_int(run->thread_names.samples_left_out));

	sampled_count_set(head, "samples_left_out", run->thread_names.samples_left_out);
	return output_json(report_sampled_head(report, head));
}

int report_threads(const struct report *report)
{
	const struct run_facts *run = report->sampled;

	if (!run || !run->thread_names.array)
		return tool_error("%s has no names of threads: `smile sample` reads them, except "
				  "with --import",
				  report->files[0]);
	if (report->json)
		return document(report);
	if (report->csv) {
		rows_csv(run->thread_names.rows.at, run->thread_names.rows.count);
		return TOOL_OK;
	}
	show(report, run->thread_names.rows.at, run->thread_names.rows.count);
	legend(report);
	return TOOL_OK;
}
