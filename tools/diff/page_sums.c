// SPDX-License-Identifier: MIT
/*
 * smile diff: sums by page and region.
 */
#include "tools/diff/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

static uint64_t distance(const uint64_t *counts)
{
	return counts[0] > counts[1] ? counts[0] - counts[1] : counts[1] - counts[0];
}

static void counts_add(struct diff_counts *to, const struct diff_counts *from)
{
	for (int i = 0; i < 2; i++) {
		to->accesses[i] += from->accesses[i];
		to->reads[i] += from->reads[i];
		to->writes[i] += from->writes[i];
		to->locks[i] += from->locks[i];
	}
}

/* ---- pages ----------------------------------------------------------------------------------- */

static int same_page(const struct Monitor_difference *a, const struct Monitor_difference *b)
{
	return a->page == b->page && a->home[0] == b->home[0] && a->home[1] == b->home[1];
}

static void page_fill(struct diff_page *page, const struct Monitor_difference *rows, size_t count)
{
	*page = (struct diff_page){.rows = rows};
	for (; page->count < count && same_page(rows, &rows[page->count]); page->count++) {
		const struct Monitor_difference *row = &rows[page->count];
		struct diff_counts counts;

		memcpy(counts.accesses, row->accesses, sizeof(counts.accesses));
		memcpy(counts.reads, row->reads, sizeof(counts.reads));
		memcpy(counts.writes, row->writes, sizeof(counts.writes));
		memcpy(counts.locks, row->locks, sizeof(counts.locks));
		counts_add(&page->counts, &counts);
		page->apart += distance(row->accesses);
	}
}

int diff_page_moved(const struct diff_page *page)
{
	const uint32_t *home = page->rows->home;

	return home[0] != home[1] && home[0] != MONITOR_NO_HOME && home[1] != MONITOR_NO_HOME;
}

/* What is furthest apart comes first; of what is as far, moved pages, then by number. */
static int by_distance(const void *left, const void *right)
{
	const struct diff_page *a = left, *b = right;

	if (a->apart != b->apart)
		return a->apart > b->apart ? -1 : 1;
	if (diff_page_moved(a) != diff_page_moved(b))
		return diff_page_moved(b) - diff_page_moved(a);
	return (a->rows->page > b->rows->page) - (a->rows->page < b->rows->page);
}

static void pages_make(struct diff *diff)
{
	diff->pages = tool_memory(diff->row_count, sizeof(*diff->pages));
	for (size_t i = 0; i < diff->row_count;) {
		struct diff_page *page = &diff->pages[diff->page_count++];

		page_fill(page, diff->rows + i, diff->row_count - i);
		i += page->count;
		counts_add(&diff->counts, &page->counts);
		diff->apart += page->apart;
		diff->moved += diff_page_moved(page);
	}
}

/* ---- regions --------------------------------------------------------------------------------- */

static struct diff_region *region_find(struct diff *diff, uint64_t page)
{
	struct Monitor_region region;
	const char *name = "-", *kind = "";
	uint64_t offset;
	size_t i;

	region.start = 0;
	if (regions_of_page(diff->mon[0], page, &region, &offset) ||
	    regions_of_page(diff->mon[1], page, &region, &offset)) {
		name = regions_name(&region);
		kind = regions_kind(region.kind);
	}
	for (i = 0; i < diff->region_count; i++)
		if (!strncmp(diff->regions[i].name, name, sizeof(diff->regions[i].name) - 1) &&
		    !strcmp(diff->regions[i].kind, kind))
			return &diff->regions[i];
	if (!(i & (i - 1))) {
		struct diff_region *moved =
			realloc(diff->regions, (i ? 2 * i : 1) * sizeof(*moved));

		if (!moved) {
			tool_error("no memory for %zu regions", i + 1);
			exit(TOOL_ERROR);
		}
		diff->regions = moved;
	}
	diff->region_count++;
	diff->regions[i] = (struct diff_region){.kind = kind, .start = region.start};
	snprintf(diff->regions[i].name, sizeof(diff->regions[i].name), "%s", name);
	return &diff->regions[i];
}

static int region_by_distance(const void *left, const void *right)
{
	const struct diff_region *a = left, *b = right;

	if (a->apart != b->apart)
		return a->apart > b->apart ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void regions_make(struct diff *diff)
{
	for (size_t i = 0; i < diff->page_count; i++) {
		const struct diff_page *page = &diff->pages[i];
		struct diff_region *region = region_find(diff, page->rows->page);

		region->pages++;
		region->moved += diff_page_moved(page);
		region->apart += page->apart;
		counts_add(&region->counts, &page->counts);
	}
	if (diff->region_count)
		qsort(diff->regions, diff->region_count, sizeof(*diff->regions),
		      region_by_distance);
}

/* ---- all ------------------------------------------------------------------------------------- */

int diff_load(struct diff *diff)
{
	int nodes, count = Monitor_difference(diff->mon[0], diff->mon[1], NULL, 0);

	if (count >= 0) {
		diff->rows = tool_memory((size_t)count, sizeof(*diff->rows));
		count = Monitor_difference(diff->mon[0], diff->mon[1], diff->rows, (size_t)count);
	}
	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	nodes = Monitor_nodes(diff->mon[0]);
	if (Monitor_nodes(diff->mon[1]) > nodes)
		nodes = Monitor_nodes(diff->mon[1]);
	diff->nodes = nodes > 0 ? (size_t)nodes : 1;
	diff->row_count = (size_t)count;
	pages_make(diff);
	regions_make(diff);
	qsort(diff->pages, diff->page_count, sizeof(*diff->pages), by_distance);
	return TOOL_OK;
}

void diff_free(struct diff *diff)
{
	Monitor_close(diff->mon[0]);
	Monitor_close(diff->mon[1]);
	free(diff->rows);
	free(diff->pages);
	free(diff->regions);
}

double diff_percent(const struct diff *diff)
{
	uint64_t all = diff->counts.accesses[0];

	if (!diff->apart)
		return 0;
	return all ? 100.0 * (double)diff->apart / (double)all : 100;
}
