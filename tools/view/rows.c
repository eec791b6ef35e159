// SPDX-License-Identifier: MIT
/*
 * View: rows of accesses, those of nodes to their own memory among them.
 *
 * What lives here: the cards see what crosses the network; what a run knows besides, how often each
 * node used its own pages, is merged into the rows here. Without it a page that its home uses most
 * would seem to be on the wrong node.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/tool.h"

static int locals_load(struct view *view)
{
	int count = Monitor_locals(view->mon, NULL, 0);

	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	view->locals = tool_memory((size_t)count, sizeof(*view->locals));
	count = Monitor_locals(view->mon, view->locals, (size_t)count);
	view->local_count = count > 0 ? (size_t)count : 0;
	for (size_t i = 0; i < view->local_count; i++)
		if (view->locals[i].node >= view->rows.nodes)
			view->rows.nodes = view->locals[i].node + 1;
	view->own_known = view->rows.nodes > 0;
	for (size_t node = 0; node < view->rows.nodes; node++)
		if (!Monitor_local_known(view->mon, (unsigned int)node))
			view->own_known = 0;
	return TOOL_OK;
}

/* The next page's own accesses, over all phases; ascending by page and home. */
static int local_next(const struct view *view, size_t *at, struct Monitor_histogram_row *row)
{
	const struct Monitor_local *first = view->locals + *at;

	if (*at == view->local_count)
		return 0;
	*row = (struct Monitor_histogram_row){
		.page = first->page, .home = first->node, .source = first->node};
	for (; *at < view->local_count && view->locals[*at].page == first->page &&
	       view->locals[*at].node == first->node;
	     ++*at) {
		const struct Monitor_local *local = &view->locals[*at];

		row->reads += local->reads;
		row->writes += local->writes;
		row->locks += local->locks;
		row->accesses += local->reads + local->writes + local->locks;
	}
	return 1;
}

static int row_before(const struct Monitor_histogram_row *a, const struct Monitor_histogram_row *b)
{
	if (a->page != b->page)
		return a->page < b->page;
	if (a->home != b->home)
		return a->home < b->home;
	return a->source < b->source;
}

/* A row of the cards that the run knows, too, is the run's: that one is complete. */
static void rows_merge(struct view *view)
{
	struct Monitor_histogram_row *merged, local;
	size_t count = 0, at = 0, seen = 0;
	int more = local_next(view, &at, &local);

	merged = tool_memory(view->rows.count + view->local_count, sizeof(*merged));
	while (more || seen < view->rows.count) {
		const struct Monitor_histogram_row *row = view->rows.rows + seen;

		if (more && (seen == view->rows.count || !row_before(row, &local))) {
			if (seen < view->rows.count && !row_before(&local, row))
				seen++;
			if (local.accesses)
				merged[count++] = local;
			more = local_next(view, &at, &local);
		} else {
			merged[count++] = *row;
			seen++;
		}
	}
	free(view->rows.rows);
	view->rows.rows = merged;
	view->rows.count = count;
}

int view_rows_load(struct view *view)
{
	if (tool_result(rows_load(&view->rows, view->mon)) != TOOL_OK)
		return TOOL_ERROR;
	if (locals_load(view) != TOOL_OK)
		return TOOL_ERROR;
	if (view->local_count)
		rows_merge(view);
	return TOOL_OK;
}
