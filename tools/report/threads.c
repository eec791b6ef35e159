// SPDX-License-Identifier: MIT
/*
 * smile report threads: print samples by the names of threads.
 *
 * What lives here: the rows that recordings of samples contain in their parameters, printed as a
 * table, as JSON or as CSV. docs/sample.md explains which name a thread has.
 */
#include "tools/report/report.h"

#include <math.h>
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

/**
 * struct row - The threads with the same name, as run/sample has written them.
 * @by_node: number of samples of these threads by node; shape [@nodes]
 */
struct row {
	const char *name;
	uint64_t threads;
	uint64_t *by_node;
	size_t nodes;
	uint64_t samples;
	uint64_t pages;
	uint64_t transactions;
	uint64_t remote;
};

/* Read a count. A recording may contain any data, so a value that is not a count is read as 0. */
static uint64_t count_of(const json_t *value)
{
	double number = json_number_value(value);

	return number > 0 && number < 0x1p63 ? (uint64_t)number : 0;
}

static uint64_t member_of(const json_t *object, const char *key)
{
	return count_of(json_object_get(object, key));
}

static struct row row_of(const json_t *object)
{
	const json_t *by_node = json_object_get(object, "by_node");
	struct row row = {
		.name = json_string_value(json_object_get(object, "name")),
		.threads = member_of(object, "threads"),
		.nodes = json_array_size(by_node),
		.samples = member_of(object, "samples"),
		.pages = member_of(object, "pages"),
		.transactions = member_of(object, "transactions"),
		.remote = member_of(object, "remote"),
	};

	row.by_node = tool_memory(row.nodes + 1, sizeof(*row.by_node));
	for (size_t i = 0; i < row.nodes; i++)
		row.by_node[i] = count_of(json_array_get(by_node, i));
	return row;
}

static void cells(const struct report *report, struct output_table *table, const struct row *row,
		  const unsigned int *columns, size_t count)
{
	char name[256];

	snprintf(name, sizeof(name), "%s", row->name ? row->name : UNNAMED);
	output_table_cell(table, OUTPUT_STRONG, "%s", text_printable(name));
	output_table_count(table, OUTPUT_PLAIN, row->threads);
	for (size_t i = 0; i < count; i++)
		report_count(report, table, 0,
			     columns[i] < row->nodes ? row->by_node[columns[i]] : 0);
	report_count(report, table, 1, row->samples);
	output_table_count(table, OUTPUT_PLAIN, row->pages);
	if (row->transactions)
		band_cell_share(table, "", row->remote, row->transactions);
	else
		output_table_none(table);
}

static void legend(const struct report *report, const json_t *names)
{
	const uint64_t left_out = member_of(names, "rows_left_out");
	char text[BAND_TEXT_BYTES];

	putchar('\n');
	output_text("legend: threads by name, without the number at its end; a thread has the name "
		    "that it had when its name was last read, and " UNNAMED
		    " if it had ended before that. PAGES = pages with samples of these threads; "
		    "REMOTE = share of the transactions that accessed another node's memory.");
	if (left_out)
		output_text("%" JSON_INTEGER_FORMAT " more names, with %s samples, had no room in "
			    "the recordings.",
			    (json_int_t)left_out,
			    band_text(text, member_of(names, "samples_left_out")));
	report_sampled_legend(report);
}

static void show(const struct report *report, const struct row *rows, size_t count, size_t nodes)
{
	uint64_t *sums = tool_memory(nodes + 1, sizeof(*sums));
	unsigned int *columns = tool_memory(nodes + 1, sizeof(*columns));
	struct output_table *table = output_table_new();
	size_t shown;

	for (size_t i = 0; i < count; i++)
		for (size_t node = 0; node < rows[i].nodes; node++)
			sums[node] += rows[i].by_node[node];
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
static void rows_csv(const struct row *rows, size_t count)
{
	csv_begin("name,threads,pages,remote_share,remote_share_low_95,remote_share_high_95,node,"
		  "samples,samples_low_95,samples_high_95");
	for (size_t i = 0; i < count; i++)
		for (size_t node = 0; node < rows[i].nodes && !output_stopped(); node++) {
			const struct row *row = &rows[i];
			struct sampled_share share = sampled_share(row->remote, row->transactions);
			struct sampled_band band = sampled_count(row->by_node[node]);

			if (!row->by_node[node])
				continue;
			csv_text(row->name ? row->name : "");
			csv_count(row->threads);
			csv_count(row->pages);
			csv_real(share.share);
			csv_real(share.low);
			csv_real(share.high);
			csv_count(node);
			csv_count(row->by_node[node]);
			csv_real(band.low);
			csv_real(band.high);
			csv_end();
		}
}

static int present(const struct report *report, const json_t *names)
{
	const json_t *list = json_object_get(names, "rows");
	const size_t count = json_array_size(list);
	struct row *rows = tool_memory(count + 1, sizeof(*rows));
	size_t nodes = 0;

	for (size_t i = 0; i < count; i++) {
		rows[i] = row_of(json_array_get(list, i));
		if (rows[i].nodes > nodes)
			nodes = rows[i].nodes;
	}
	if (report->csv)
		rows_csv(rows, count);
	else
		show(report, rows, count, nodes);
	for (size_t i = 0; i < count; i++)
		free(rows[i].by_node);
	free(rows);
	if (!report->csv)
		legend(report, names);
	return TOOL_OK;
}

static int document(const struct report *report, const json_t *names)
{
	json_t *head = json_pack("{s:s, s:O}", "schema", "smile.threads/1", "threads",
				 json_object_get(names, "rows"));

	json_object_set(head, "rows_left_out", json_object_get(names, "rows_left_out"));
	json_object_set(head, "samples_left_out", json_object_get(names, "samples_left_out"));
	sampled_count_set(head, "samples_left_out", member_of(names, "samples_left_out"));
	return output_json(report_sampled_head(report, head));
}

int report_threads(const struct report *report)
{
	struct run_facts run;
	int status;

	if (run_facts_load(report->mon, &run) < 0)
		return tool_error("%s", Monitor_error_message());
	if (!report->sampled || !json_is_array(json_object_get(run.thread_names, "rows")))
		status = tool_error("%s has no names of threads: `smile sample` reads them, "
				    "except with --import",
				    report->files[0]);
	else if (report->json)
		status = document(report, run.thread_names);
	else
		status = present(report, run.thread_names);
	run_facts_free(&run);
	return status;
}
