// SPDX-License-Identifier: MIT
/*
 * smile report transfers: print the transactions of each pair of nodes, and mark bottlenecks.
 */
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* The largest number of nodes of the matrix. A larger matrix would need gigabytes. */
#define TRANSFERS_NODES_MAX 4096

/**
 * struct transfers - The matrix of transactions.
 * @counts: transactions by [source][destination]
 * @nodes: number of nodes
 * @sums: transactions of each node, as source or destination
 * @mean: mean of the entries that are not zero; 0 if all entries are zero
 * @limit: an entry above this number is a bottleneck
 */
struct transfers {
	uint64_t *counts;
	size_t nodes;
	uint64_t *sums;
	double mean;
	double limit;
};

static void transfers_sum(struct transfers *transfers, double threshold)
{
	size_t i, j, used = 0;
	double sum = 0;

	for (i = 0; i < transfers->nodes; i++) {
		for (j = 0; j < transfers->nodes; j++) {
			uint64_t count = transfers->counts[i * transfers->nodes + j];

			used += count != 0;
			sum += (double)count;
			transfers->sums[i] += count;
			transfers->sums[j] += count;
		}
	}
	transfers->mean = used ? sum / (double)used : 0;
	transfers->limit = threshold * transfers->mean;
}

static int is_bottleneck(const struct transfers *transfers, size_t i, size_t j)
{
	uint64_t count = transfers->counts[i * transfers->nodes + j];

	return count && (double)count > transfers->limit;
}

static int transfers_json(const struct transfers *transfers, double threshold,
			  const struct run_facts *run)
{
	json_t *document, *matrix = json_array(), *bottlenecks = json_array();
	size_t n = transfers->nodes, i, j;

	for (i = 0; i < n; i++) {
		json_array_append_new(matrix, document_counts(transfers->counts + i * n, n));
		for (j = 0; j < n; j++)
			if (is_bottleneck(transfers, i, j))
				json_array_append_new(
					bottlenecks,
					json_pack("{s:I,s:I,s:I}", "source", (json_int_t)i,
						  "destination", (json_int_t)j, "transactions",
						  (json_int_t)transfers->counts[i * n + j]));
	}
	document = json_pack("{s:s,s:I,s:o,s:f,s:f,s:o}", "schema", "smile.transfers/1", "nodes",
			     (json_int_t)n, "transactions", matrix, "mean", transfers->mean,
			     "threshold", threshold, "bottlenecks", bottlenecks);
	if (run->network.busiest.object)
		json_object_set(document, "network", run->network.object);
	return output_json(document);
}

/* Print a CSV row for each pair of nodes that has transactions. */
static int transfers_csv(const struct transfers *transfers)
{
	size_t n = transfers->nodes;

	csv_begin("source,destination,transactions,bottleneck");
	for (size_t i = 0; i < n * n; i++) {
		if (!transfers->counts[i])
			continue;
		csv_count(i / n);
		csv_count(i % n);
		csv_count(transfers->counts[i]);
		csv_flag(is_bottleneck(transfers, i / n, i % n));
		if (!csv_end())
			break;
	}
	return TOOL_OK;
}

static void transfers_cell(struct output_table *table, const struct transfers *transfers, size_t i,
			   size_t j)
{
	int bottleneck = is_bottleneck(transfers, i, j);

	/* A blank follows an unmarked number. The digits of all numbers are then aligned. */
	output_table_marked(table, bottleneck ? OUTPUT_BAD : OUTPUT_PLAIN,
			    transfers->counts[i * transfers->nodes + j], bottleneck ? "*" : " ");
}

static void transfers_table(const struct transfers *transfers, double threshold)
{
	unsigned int *columns = tool_memory(transfers->nodes, sizeof(*columns));
	size_t count = report_columns(transfers->sums, transfers->nodes, columns), i, j;
	struct output_table *table = output_table_new();

	output_table_column(table, "FROM \\ TO", 'l');
	for (i = 0; i < count; i++)
		output_table_node(table, "node", "others ", columns[i]);
	for (i = 0; i < count; i++) {
		output_table_cell(table, OUTPUT_STRONG, "node %u", columns[i]);
		for (j = 0; j < count; j++)
			transfers_cell(table, transfers, columns[i], columns[j]);
	}
	output_table_print(table);
	putchar('\n');
	output_text("legend: transactions, from the node that asked (row) to the node that holds "
		    "the page (column).");
	output_text("* = bottleneck: more than %g times %.1f, the mean of the entries that are not "
		    "zero.",
		    threshold, transfers->mean);
	if (count < transfers->nodes)
		output_text("Nodes without transactions are left out.");
	free(columns);
}

int report_transfers(const struct report *report)
{
	struct transfers transfers = {0};
	struct run_facts run;
	int nodes = report_nodes(report), status = TOOL_OK;

	if (nodes < 0)
		return TOOL_ERROR;
	if (nodes > TRANSFERS_NODES_MAX)
		return tool_error("%s: node ids up to %d are too many for a matrix (at most %d "
				  "nodes); `smile report pages` shows them",
				  report->files[0], nodes - 1, TRANSFERS_NODES_MAX);
	transfers.nodes = (size_t)nodes;
	transfers.counts = tool_memory(transfers.nodes * transfers.nodes, sizeof(uint64_t));
	transfers.sums = tool_memory(transfers.nodes, sizeof(uint64_t));
	if (Monitor_get_packets(report->mon, transfers.counts, transfers.nodes) < 0) {
		status = tool_error("%s", Monitor_error_message());
	} else if ((status = tool_result(run_facts_load(report->mon, &run))) == TOOL_OK) {
		transfers_sum(&transfers, report->threshold);
		if (report->csv)
			status = transfers_csv(&transfers);
		else if (report->json)
			status = transfers_json(&transfers, report->threshold, &run);
		else
			transfers_table(&transfers, report->threshold);
		if (run.network.busiest.object && !report->csv && !report->json)
			report_network(&run);
		run_facts_free(&run);
	}
	free(transfers.counts);
	free(transfers.sums);
	return status;
}
