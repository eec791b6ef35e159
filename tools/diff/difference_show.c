// SPDX-License-Identifier: MIT
/*
 * smile diff: print the differences on a terminal.
 */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

/* The largest number of nodes for which each node has a column. */
#define NODE_COLUMNS 16
/* The largest number of nodes for which a sum for each pair of nodes is stored. */
#define NODES_MAX 4096

static void counts_columns(struct output_table *table)
{
	output_table_columns(table, ">FIRST|>SECOND|>+/-");
	output_table_columns(table, "?READS|?WRITES|?LOCKS");
}

static void counts_cells(struct output_table *table, const struct comparison_counts *counts)
{
	output_table_count(table, OUTPUT_PLAIN, counts->accesses[0]);
	output_table_count(table, OUTPUT_PLAIN, counts->accesses[1]);
	output_table_difference(table, OUTPUT_STRONG, counts->accesses[0], counts->accesses[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->reads[0], counts->reads[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->writes[0], counts->writes[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->locks[0], counts->locks[1]);
}

/* ---- transfers ------------------------------------------------------------------------------- */

static void transfers_matrix(const struct comparison *comparison, uint64_t *const packets[2])
{
	struct output_table *table = output_table_new();

	output_table_column(table, "FROM", 'r');
	for (size_t n = 0; n < comparison->nodes; n++)
		output_table_node(table, "to", "others", (unsigned int)n);
	for (size_t from = 0; from < comparison->nodes; from++) {
		output_table_cell(table, OUTPUT_STRONG, "%zu", from);
		for (size_t to = 0; to < comparison->nodes; to++) {
			size_t at = from * comparison->nodes + to;

			output_table_difference(table, OUTPUT_PLAIN, packets[0][at],
						packets[1][at]);
		}
	}
	output_text("transactions from node to node, second minus first:");
	putchar('\n');
	output_table_print(table);
}

/*
 * If there are too many nodes for columns, print only the pairs of nodes with the largest
 * differences.
 */
static void transfers_pairs(const struct diff *diff, uint64_t *const packets[2])
{
	const struct comparison *comparison = &diff->comparison;
	struct comparison_pair *pairs;
	struct output_table *table;
	size_t differ;
	int count = comparison_pairs(packets, comparison->nodes, &pairs);

	if (count < 0)
		exit(tool_result(count));
	if (!count)
		return;
	differ = (size_t)count;
	table = output_table_new();
	output_table_columns(table, ">FROM|>TO|>FIRST|>SECOND|>+/-");
	for (size_t i = 0; i < differ && i < diff->rows_shown; i++) {
		size_t at = pairs[i].from * comparison->nodes + pairs[i].to;

		output_table_cell(table, OUTPUT_STRONG, "%zu", pairs[i].from);
		output_table_cell(table, OUTPUT_STRONG, "%zu", pairs[i].to);
		output_table_count(table, OUTPUT_PLAIN, packets[0][at]);
		output_table_count(table, OUTPUT_PLAIN, packets[1][at]);
		output_table_difference(table, OUTPUT_STRONG, packets[0][at], packets[1][at]);
	}
	output_text("transactions from node to node, of %zu nodes:", comparison->nodes);
	putchar('\n');
	output_table_print(table);
	if (differ > diff->rows_shown)
		output_text("and %zu more pairs that differ: see -n, --csv=transfers and --json",
			    differ - (size_t)diff->rows_shown);
	free(pairs);
}

static void transfers_show(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	uint64_t *packets[2];

	if (comparison->nodes > NODES_MAX) {
		output_text("transactions from node to node: too many nodes for a table, %zu",
			    comparison->nodes);
		putchar('\n');
		return;
	}
	for (int i = 0; i < 2; i++) {
		packets[i] = tool_memory(comparison->nodes * comparison->nodes, sizeof(**packets));
		Monitor_get_packets(comparison->mon[i], packets[i], comparison->nodes);
	}
	if (comparison->nodes <= NODE_COLUMNS)
		transfers_matrix(comparison, packets);
	else
		transfers_pairs(diff, packets);
	putchar('\n');
	free(packets[0]);
	free(packets[1]);
}

/* ---- regions and pages ----------------------------------------------------------------------- */

static void regions_show(const struct comparison *comparison)
{
	struct output_table *table = output_table_new();

	output_table_columns(table, "~REGION|>PAGES|>MOVED");
	counts_columns(table);
	for (size_t i = 0; i < comparison->region_count; i++) {
		const struct comparison_region *region = &comparison->regions[i];

		output_table_cell(table, OUTPUT_STRONG, "%s", region->name);
		output_table_count(table, OUTPUT_PLAIN, region->pages);
		output_table_count(table, OUTPUT_PLAIN, region->moved);
		counts_cells(table, &region->counts);
	}
	output_table_cell(table, OUTPUT_STRONG, "all");
	output_table_count(table, OUTPUT_PLAIN, comparison->page_count);
	output_table_count(table, OUTPUT_PLAIN, comparison->moved);
	counts_cells(table, &comparison->counts);
	output_table_print(table);
	putchar('\n');
}

static void home_cell(struct output_table *table, const struct comparison_page *page)
{
	const uint32_t *home = page->rows->home;
	char text[2][16];

	for (int i = 0; i < 2; i++)
		if (home[i] == MONITOR_NO_HOME)
			snprintf(text[i], sizeof(text[i]), "?");
		else
			snprintf(text[i], sizeof(text[i]), "%" PRIu32, home[i]);
	if (home[0] == home[1])
		output_table_cell(table, OUTPUT_PLAIN, "%s", text[0]);
	else
		output_table_cell(table, OUTPUT_STRONG, "%s > %s", text[0], text[1]);
}

static void page_behind(const struct diff *diff, struct output_table *table,
			const struct comparison_page *page)
{
	const struct comparison_counts behind =
		comparison_page_counts(&diff->behind, page->rows->page, page->rows->home);

	output_table_difference(table, OUTPUT_STRONG, behind.accesses[0], behind.accesses[1]);
}

static void page_row(const struct diff *diff, struct output_table *table,
		     const struct comparison_page *page)
{
	const struct comparison *comparison = &diff->comparison;
	char where[REGIONS_NAME_BYTES];
	size_t row = 0;

	output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, page->rows->page);
	home_cell(table, page);
	counts_cells(table, &page->counts);
	if (diff->both)
		page_behind(diff, table, page);
	for (size_t n = 0; n < comparison->nodes && comparison->nodes <= NODE_COLUMNS; n++) {
		while (row < page->count && page->rows[row].source < n)
			row++;
		if (row < page->count && page->rows[row].source == n)
			output_table_difference(table, OUTPUT_PLAIN, page->rows[row].accesses[0],
						page->rows[row].accesses[1]);
		else
			output_table_none(table);
	}
	regions_page(comparison->mon[0], page->rows->page, where);
	if (where[0] == '-')
		regions_page(comparison->mon[1], page->rows->page, where);
	output_table_cell(table, OUTPUT_PLAIN, "%s", where);
}

static void pages_show(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	size_t differ = comparison_pages_apart(comparison, diff->threshold);
	struct output_table *table;

	if (!differ) {
		printf("no page differs%s\n", diff->threshold ? " by so much" : "");
		return;
	}
	table = output_table_new();
	output_table_columns(table, ">PAGE|>HOME");
	counts_columns(table);
	if (diff->both)
		output_table_columns(table, ">REMOTE TRANSACTIONS +/-");
	for (size_t n = 0; n < comparison->nodes && comparison->nodes <= NODE_COLUMNS; n++)
		output_table_node(table, "node", "others", (unsigned int)n);
	output_table_columns(table, "~WHERE");
	for (size_t i = 0; i < differ && i < diff->rows_shown; i++)
		page_row(diff, table, &comparison->pages[i]);
	output_table_print(table);
	if (differ > diff->rows_shown)
		output_text("and %zu more that differ: see -n, --csv and --json",
			    differ - (size_t)diff->rows_shown);
}

static void apart_show(const struct comparison *comparison, const char *what)
{
	char apart[TEXT_COUNT_BYTES], all[TEXT_COUNT_BYTES];

	output_text("by page and node they are %s %s apart: %.2f%% of the first's %s",
		    text_count(apart, comparison->apart), what, comparison_percent(comparison),
		    text_count(all, comparison->counts.accesses[0]));
}

void diff_show(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;

	transfers_show(diff);
	if (diff->both) {
		output_text("transactions behind the caches:");
		putchar('\n');
		regions_show(&diff->behind);
		output_text("accesses of processors, whether caches served them or not:");
		putchar('\n');
	}
	regions_show(comparison);
	pages_show(diff);
	putchar('\n');
	output_text("first, second: %s; +/-, reads, writes, locks%s: second minus first",
		    diff->both ? "accesses" : "remote accesses",
		    comparison->nodes <= NODE_COLUMNS ? ", nodes" : "");
	apart_show(comparison, "accesses");
	if (diff->both)
		apart_show(&diff->behind, "transactions");
}
