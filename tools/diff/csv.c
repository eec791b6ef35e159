// SPDX-License-Identifier: MIT
/*
 * smile diff --csv: print pages by node, regions, or transfers.
 */
#include "tools/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "lib/analysis/regions.h"
#include "tools/common/page_name.h"
#include "tools/common/tool.h"

/* Write a count of the first run, then the same count of the second run. */
static void csv_both(const uint64_t *counts)
{
	csv_count(counts[0]);
	csv_count(counts[1]);
}

static void csv_home(uint32_t home)
{
	if (home == MONITOR_NO_HOME)
		csv_empty(1);
	else
		csv_count(home);
}

static void csv_counts(const struct comparison_counts *counts)
{
	csv_both(counts->accesses);
	csv_both(counts->reads);
	csv_both(counts->writes);
	csv_both(counts->locks);
}

/* The columns of transactions, which follow all other columns. */
#define BEHIND_CSV                                                                                 \
	",transactions_first,transactions_second,transaction_reads_first,transaction_reads_second" \
	",transaction_writes_first,transaction_writes_second,transaction_locks_first"              \
	",transaction_locks_second"

#define PAGES_CSV                                                                                  \
	"page,home_first,home_second,source,accesses_first,accesses_second,reads_first,"           \
	"reads_second,writes_first,writes_second,locks_first,locks_second," REGIONS_CSV

#define REGIONS_TABLE_CSV                                                                          \
	"region,kind,start,pages,moved,apart,accesses_first,accesses_second,reads_first,"          \
	"reads_second,writes_first,writes_second,locks_first,locks_second"

static void csv_pages(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	struct Monitor *mon = comparison->mon[regions_known(comparison->mon[0]) ? 0 : 1];

	csv_begin(diff->both ? PAGES_CSV BEHIND_CSV : PAGES_CSV);
	for (size_t i = 0; i < comparison->page_count; i++) {
		const struct comparison_page *page = &comparison->pages[i];

		if (page->apart < diff->threshold)
			break;
		for (size_t j = 0; j < page->count; j++) {
			const struct Monitor_difference *row = &page->rows[j];

			csv_count(row->page);
			csv_home(row->home[0]);
			csv_home(row->home[1]);
			csv_count(row->source);
			csv_both(row->accesses);
			csv_both(row->reads);
			csv_both(row->writes);
			csv_both(row->locks);
			page_name_csv(mon, row->page);
			if (diff->both) {
				const struct comparison_counts behind =
					comparison_node_counts(&diff->behind, row);

				csv_counts(&behind);
			}
			if (!csv_end())
				return;
		}
	}
}

static void csv_regions(const struct diff *diff)
{
	static const struct comparison_counts none = {.accesses = {0}};
	const struct comparison *comparison = &diff->comparison;

	csv_begin(diff->both ? REGIONS_TABLE_CSV BEHIND_CSV : REGIONS_TABLE_CSV);
	for (size_t i = 0; i < comparison->region_count; i++) {
		const struct comparison_region *region = &comparison->regions[i];

		csv_text(region->name);
		csv_text(region->kind);
		csv_count(region->start);
		csv_count(region->pages);
		csv_count(region->moved);
		csv_count(region->apart);
		csv_counts(&region->counts);
		if (diff->both) {
			const struct comparison_region *behind =
				comparison_region_find(&diff->behind, region);

			csv_counts(behind ? &behind->counts : &none);
		}
		if (!csv_end())
			return;
	}
}

/* Write a row for each pair of nodes that has transactions in either view. */
static void csv_transfers(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	size_t pairs = comparison->nodes * comparison->nodes;
	uint64_t *packets[2];

	for (int i = 0; i < 2; i++) {
		packets[i] = tool_memory(pairs, sizeof(**packets));
		Monitor_get_packets(comparison->mon[i], packets[i], comparison->nodes);
	}
	csv_begin("source,destination,transactions_first,transactions_second");
	for (size_t i = 0; i < pairs; i++) {
		if (!packets[0][i] && !packets[1][i])
			continue;
		csv_count(i / comparison->nodes);
		csv_count(i % comparison->nodes);
		csv_count(packets[0][i]);
		csv_count(packets[1][i]);
		if (!csv_end())
			break;
	}
	free(packets[0]);
	free(packets[1]);
}

static const struct {
	const char *name;
	void (*write)(const struct diff *diff);
} tables[] = {{"pages", csv_pages}, {"regions", csv_regions}, {"transfers", csv_transfers}};

int diff_csv_known(const char *table)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].name, table))
			return 1;
	return 0;
}

void diff_csv(const struct diff *diff)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].name, diff->csv))
			tables[i].write(diff);
}
