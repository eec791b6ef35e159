// SPDX-License-Identifier: MIT
/*
 * smile diff: what is shown on a terminal.
 */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

/* A column a node, up to so many. */
#define NODE_COLUMNS 16
/* A sum for each pair of nodes is kept up to so many. */
#define NODES_MAX 4096

static void counts_columns(struct output_table *table)
{
	output_table_column(table, "FIRST", 'r');
	output_table_column(table, "SECOND", 'r');
	output_table_column(table, "+/-", 'r');
	output_table_extra(table, "READS", 'r');
	output_table_extra(table, "WRITES", 'r');
	output_table_extra(table, "LOCKS", 'r');
}

static void counts_cells(struct output_table *table, const struct diff_counts *counts)
{
	output_table_count(table, OUTPUT_PLAIN, counts->accesses[0]);
	output_table_count(table, OUTPUT_PLAIN, counts->accesses[1]);
	output_table_difference(table, OUTPUT_STRONG, counts->accesses[0], counts->accesses[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->reads[0], counts->reads[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->writes[0], counts->writes[1]);
	output_table_difference(table, OUTPUT_PLAIN, counts->locks[0], counts->locks[1]);
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* A pair of nodes, and how far apart its transactions are. */
struct pair {
	size_t from, to;
	uint64_t apart;
};

static int pair_order(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->apart != y->apart)
		return x->apart < y->apart ? 1 : -1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static void transfers_matrix(const struct diff *diff, uint64_t *const packets[2])
{
	struct output_table *table = output_table_new();

	output_table_column(table, "FROM", 'r');
	for (size_t n = 0; n < diff->nodes; n++)
		output_table_node(table, "to", "others", (unsigned int)n);
	for (size_t from = 0; from < diff->nodes; from++) {
		output_table_cell(table, OUTPUT_STRONG, "%zu", from);
		for (size_t to = 0; to < diff->nodes; to++) {
			size_t at = from * diff->nodes + to;

			output_table_difference(table, OUTPUT_PLAIN, packets[0][at],
						packets[1][at]);
		}
	}
	output_text("transactions from node to node, second less first:");
	putchar('\n');
	output_table_print(table);
}

/* More nodes than columns: those pairs that are furthest apart. */
static void transfers_pairs(const struct diff *diff, uint64_t *const packets[2])
{
	size_t all = diff->nodes * diff->nodes, differ = 0;
	struct output_table *table;
	struct pair *pairs;

	for (size_t at = 0; at < all; at++)
		differ += packets[0][at] != packets[1][at];
	if (!differ)
		return;
	pairs = tool_memory(differ, sizeof(*pairs));
	differ = 0;
	for (size_t at = 0; at < all; at++) {
		uint64_t first = packets[0][at], second = packets[1][at];

		if (first == second)
			continue;
		pairs[differ].from = at / diff->nodes;
		pairs[differ].to = at % diff->nodes;
		pairs[differ++].apart = first < second ? second - first : first - second;
	}
	qsort(pairs, differ, sizeof(*pairs), pair_order);
	table = output_table_new();
	output_table_column(table, "FROM", 'r');
	output_table_column(table, "TO", 'r');
	output_table_column(table, "FIRST", 'r');
	output_table_column(table, "SECOND", 'r');
	output_table_column(table, "+/-", 'r');
	for (size_t i = 0; i < differ && i < diff->rows_shown; i++) {
		size_t at = pairs[i].from * diff->nodes + pairs[i].to;

		output_table_cell(table, OUTPUT_STRONG, "%zu", pairs[i].from);
		output_table_cell(table, OUTPUT_STRONG, "%zu", pairs[i].to);
		output_table_count(table, OUTPUT_PLAIN, packets[0][at]);
		output_table_count(table, OUTPUT_PLAIN, packets[1][at]);
		output_table_difference(table, OUTPUT_STRONG, packets[0][at], packets[1][at]);
	}
	output_text("transactions from node to node, of %zu nodes:", diff->nodes);
	putchar('\n');
	output_table_print(table);
	if (differ > diff->rows_shown)
		output_text("and %zu more pairs that differ: see -n, --csv=transfers and --json",
			    differ - (size_t)diff->rows_shown);
	free(pairs);
}

static void transfers_show(const struct diff *diff)
{
	uint64_t *packets[2];

	if (diff->nodes > NODES_MAX) {
		output_text("transactions from node to node: too many nodes for a table, %zu",
			    diff->nodes);
		putchar('\n');
		return;
	}
	for (int i = 0; i < 2; i++) {
		packets[i] = tool_memory(diff->nodes * diff->nodes, sizeof(**packets));
		Monitor_get_packets(diff->mon[i], packets[i], diff->nodes);
	}
	if (diff->nodes <= NODE_COLUMNS)
		transfers_matrix(diff, packets);
	else
		transfers_pairs(diff, packets);
	putchar('\n');
	free(packets[0]);
	free(packets[1]);
}

/* ---- regions and pages ----------------------------------------------------------------------- */

static void regions_show(const struct diff *diff)
{
	struct output_table *table = output_table_new();

	output_table_name(table, "REGION");
	output_table_column(table, "PAGES", 'r');
	output_table_column(table, "MOVED", 'r');
	counts_columns(table);
	for (size_t i = 0; i < diff->region_count; i++) {
		const struct diff_region *region = &diff->regions[i];

		output_table_cell(table, OUTPUT_STRONG, "%s", region->name);
		output_table_count(table, OUTPUT_PLAIN, region->pages);
		output_table_count(table, OUTPUT_PLAIN, region->moved);
		counts_cells(table, &region->counts);
	}
	output_table_cell(table, OUTPUT_STRONG, "all");
	output_table_count(table, OUTPUT_PLAIN, diff->page_count);
	output_table_count(table, OUTPUT_PLAIN, diff->moved);
	counts_cells(table, &diff->counts);
	output_table_print(table);
	putchar('\n');
}

static void home_cell(struct output_table *table, const struct diff_page *page)
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

static void page_row(const struct diff *diff, struct output_table *table,
		     const struct diff_page *page)
{
	char where[REGIONS_NAME_BYTES];
	size_t row = 0;

	output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, page->rows->page);
	home_cell(table, page);
	counts_cells(table, &page->counts);
	for (size_t n = 0; n < diff->nodes && diff->nodes <= NODE_COLUMNS; n++) {
		while (row < page->count && page->rows[row].source < n)
			row++;
		if (row < page->count && page->rows[row].source == n)
			output_table_difference(table, OUTPUT_PLAIN, page->rows[row].accesses[0],
						page->rows[row].accesses[1]);
		else
			output_table_none(table);
	}
	regions_page(diff->mon[0], page->rows->page, where);
	if (where[0] == '-')
		regions_page(diff->mon[1], page->rows->page, where);
	output_table_cell(table, OUTPUT_PLAIN, "%s", where);
}

/* The pages furthest apart come first: those from some one on are nearer than the threshold. */
static size_t pages_to_show(const struct diff *diff)
{
	size_t count = 0;

	while (count < diff->page_count && diff->pages[count].apart >= diff->threshold &&
	       (diff->pages[count].apart || diff_page_moved(&diff->pages[count])))
		count++;
	return count;
}

static void pages_show(const struct diff *diff)
{
	size_t differ = pages_to_show(diff);
	struct output_table *table;

	if (!differ) {
		printf("no page differs%s\n", diff->threshold ? " by so much" : "");
		return;
	}
	table = output_table_new();
	output_table_column(table, "PAGE", 'r');
	output_table_column(table, "HOME", 'r');
	counts_columns(table);
	for (size_t n = 0; n < diff->nodes && diff->nodes <= NODE_COLUMNS; n++)
		output_table_node(table, "node", "others", (unsigned int)n);
	output_table_name(table, "WHERE");
	for (size_t i = 0; i < differ && i < diff->rows_shown; i++)
		page_row(diff, table, &diff->pages[i]);
	output_table_print(table);
	if (differ > diff->rows_shown)
		output_text("and %zu more that differ: see -n, --csv and --json",
			    differ - (size_t)diff->rows_shown);
}

void diff_show(const struct diff *diff)
{
	char apart[TEXT_COUNT_BYTES], all[TEXT_COUNT_BYTES];

	transfers_show(diff);
	regions_show(diff);
	pages_show(diff);
	putchar('\n');
	output_text(
		"first, second: remote accesses; +/-, reads, writes, locks%s: second less first",
		diff->nodes <= NODE_COLUMNS ? ", nodes" : "");
	output_text("by page and node they are %s accesses apart: %.2f%% of the first's %s",
		    text_count(apart, diff->apart), diff_percent(diff),
		    text_count(all, diff->counts.accesses[0]));
}
