// SPDX-License-Identifier: MIT
/*
 * Rows stay sparse: node ids may be large and far apart.
 */
#include "tools/rows.h"

#include <stdlib.h>
#include <string.h>

#include "tools/smile.h"

int rows_load(struct rows *histogram, struct Monitor *mon)
{
	int rows, nodes;
	size_t i;

	memset(histogram, 0, sizeof(*histogram));
	nodes = Monitor_nodes(mon);
	rows = nodes < 0 ? nodes : Monitor_histogram_info(mon, NULL, 0);
	if (rows < 0)
		return tool_error("%s", Monitor_error_message());
	histogram->nodes = nodes ? (size_t)nodes : 1;
	histogram->rows = calloc((size_t)rows + 1, sizeof(*histogram->rows));
	if (!histogram->rows)
		return tool_error("no memory for %d rows", rows);
	rows = Monitor_histogram_info(mon, histogram->rows, (size_t)rows);
	if (rows < 0) {
		free(histogram->rows);
		return tool_error("%s", Monitor_error_message());
	}
	histogram->count = (size_t)rows;
	for (i = 0; i < histogram->count; i++) {
		const struct Monitor_histogram_row *row = &histogram->rows[i];

		if (row->accesses > row->reads + row->writes + row->locks)
			histogram->untyped = 1;
	}
	return TOOL_OK;
}

int rows_next(const struct rows *histogram, size_t *at, struct rows_page *page)
{
	const struct Monitor_histogram_row *first = histogram->rows + *at;
	const struct Monitor_histogram_row *end = histogram->rows + histogram->count;
	const struct Monitor_histogram_row *row;

	if (first == end)
		return 0;
	memset(page, 0, sizeof(*page));
	page->rows = first;
	for (row = first; row < end && row->page == first->page && row->home == first->home;
	     row++) {
		page->accesses += row->accesses;
		page->reads += row->reads;
		page->writes += row->writes;
		page->locks += row->locks;
		if (row->source != row->home)
			page->remote += row->accesses;
		if (row->accesses > page->dominant_accesses) {
			page->dominant = row->source;
			page->dominant_accesses = row->accesses;
		}
	}
	page->count = (size_t)(row - first);
	*at += page->count;
	return 1;
}

void rows_free(struct rows *histogram)
{
	free(histogram->rows);
	histogram->rows = NULL;
}
