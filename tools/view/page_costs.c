// SPDX-License-Identifier: MIT
/*
 * View: the pages of a document.
 *
 * What lives here: which pages there are, what their accesses cost and what another home would
 * save, and their packed form.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/tool.h"

/*
 * A text of the packed form ends where another block of page numbers begins, so that pages that
 * come change the text that they are in and no other; but it has some rows, and few enough to be
 * unpacked between two frames.
 */
#define CHUNK_BLOCK 8192
#define CHUNK_ROWS_MIN 8192
#define CHUNK_ROWS_MAX 65536
/* Of more rows than this a page keeps its home's, the dearest few and the sum of the others. */
#define PAGES_ROWS_MAX 6000000
#define PAGES_ROWS_KEPT 3

double view_row_cost(const struct view *view, const struct Monitor_histogram_row *row)
{
	const struct view_cost *cost = &view->cost;
	uint64_t untyped = row->accesses - row->reads - row->writes - row->locks;

	return (double)untyped * (cost->remote[SMILE_TYPE_ANY] - cost->local) +
	       (double)row->reads * (cost->remote[SMILE_TYPE_READ] - cost->local) +
	       (double)row->writes * (cost->remote[SMILE_TYPE_WRITE] - cost->local) +
	       (double)row->locks * (cost->remote[SMILE_TYPE_LOCK] - cost->local);
}

static void page_cost(const struct view *view, struct view_page *page)
{
	double own = 0, dearest = 0;

	page->best = page->home;
	for (size_t i = page->row; i < page->row + page->rows; i++) {
		const struct Monitor_histogram_row *row = &view->rows.rows[i];
		double cost = view_row_cost(view, row);

		if (row->source == page->home) {
			own = cost;
			continue;
		}
		page->lost += cost;
		if (cost > dearest) {
			dearest = cost;
			page->best = row->source;
		}
	}
	page->gain = dearest > own ? dearest - own : 0;
	page->misplaced = page->gain > 0 && dearest >= (page->lost + own) / 2;
}

int view_pages_load(struct view *view)
{
	size_t at = 0, count = 0;
	struct rows_page page;

	if (view_rows_load(view) != TOOL_OK)
		return TOOL_ERROR;
	while (rows_next(&view->rows, &at, &page))
		count++;
	view->pages = tool_memory(count, sizeof(*view->pages));
	view->page_count = count;
	at = 0;
	for (size_t i = 0; rows_next(&view->rows, &at, &page); i++) {
		view->pages[i] = (struct view_page){
			.number = page.rows->page,
			.home = page.rows->home,
			.region = VIEW_NO_REGION,
			.row = (size_t)(page.rows - view->rows.rows),
			.rows = (uint32_t)page.count,
		};
		page_cost(view, &view->pages[i]);
	}
	return TOOL_OK;
}

size_t view_page_find(const struct view *view, uint64_t number, uint32_t home)
{
	size_t low = 0, high = view->page_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct view_page *page = &view->pages[middle];

		if (page->number < number || (page->number == number && page->home < home))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < view->page_count && view->pages[low].number == number &&
	    view->pages[low].home == home)
		return low;
	return VIEW_NO_PAGE;
}

static int by_loss(const void *left, const void *right, void *opaque)
{
	const struct view *view = opaque;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (view->pages[a].lost != view->pages[b].lost)
		return view->pages[a].lost > view->pages[b].lost ? -1 : 1;
	return a < b ? -1 : a > b;
}

size_t *view_page_order(const struct view *view)
{
	size_t *order = tool_memory(view->page_count, sizeof(*order));

	for (size_t i = 0; i < view->page_count; i++)
		order[i] = i;
	qsort_r(order, view->page_count, sizeof(*order), by_loss, (void *)view);
	return order;
}

/*
 * ---- packed ------------------------------------------------------------------------------------
 */

/* A row: its source with a bit for each count that is not zero, then those counts. */
static void row_pack(struct view_pack *pack, uint32_t source,
		     const struct Monitor_histogram_row *row)
{
	uint64_t counts[] = {row->reads, row->writes, row->locks,
			     row->accesses - row->reads - row->writes - row->locks};
	uint64_t head = (uint64_t)source << 4;

	for (unsigned i = 0; i < 4; i++)
		head |= (uint64_t)(counts[i] != 0) << i;
	view_pack_number(pack, head);
	for (unsigned i = 0; i < 4; i++)
		if (counts[i])
			view_pack_number(pack, counts[i]);
}

static int by_cost(const void *left, const void *right, void *opaque)
{
	const struct Monitor_histogram_row *a = left, *b = right;
	double cost_a = view_row_cost(opaque, a), cost_b = view_row_cost(opaque, b);

	/* The home's own row first: it is never summed up with others. */
	if ((a->source == a->home) != (b->source == b->home))
		return a->source == a->home ? -1 : 1;
	if (cost_a != cost_b)
		return cost_a > cost_b ? -1 : 1;
	return a->source < b->source ? -1 : a->source > b->source;
}

static uint32_t rows_pack_few(const struct view *view, const struct view_page *page,
			      struct view_pack *pack)
{
	struct Monitor_histogram_row *rows = tool_memory(page->rows, sizeof(*rows));
	struct Monitor_histogram_row others = {0};
	uint32_t kept = PAGES_ROWS_KEPT;

	for (uint32_t i = 0; i < page->rows; i++)
		rows[i] = view->rows.rows[page->row + i];
	qsort_r(rows, page->rows, sizeof(*rows), by_cost, (void *)view);
	kept += rows[0].source == rows[0].home;
	view_pack_number(pack, kept + 1);
	for (uint32_t i = 0; i < kept; i++)
		row_pack(pack, rows[i].source, &rows[i]);
	for (uint32_t i = kept; i < page->rows; i++) {
		others.accesses += rows[i].accesses;
		others.reads += rows[i].reads;
		others.writes += rows[i].writes;
		others.locks += rows[i].locks;
	}
	row_pack(pack, (uint32_t)view->rows.nodes, &others);
	free(rows);
	return kept + 1;
}

/* Return: how many rows it has there. */
static uint32_t page_pack(const struct view *view, size_t index, uint64_t before, int few,
			  struct view_pack *pack)
{
	const struct view_page *page = &view->pages[index];

	view_pack_number(pack, page->number - before);
	view_pack_number(pack, page->home);
	view_pack_number(pack, page->region == VIEW_NO_REGION ? 0 : page->region + 1);
	if (few && page->rows > PAGES_ROWS_KEPT + 2)
		return rows_pack_few(view, page, pack);
	view_pack_number(pack, page->rows);
	for (size_t i = page->row; i < page->row + page->rows; i++)
		row_pack(pack, view->rows.rows[i].source, &view->rows.rows[i]);
	return page->rows;
}

/* Does a text that has @rows rows end before page @index? */
static int chunk_ends(const struct view *view, size_t index, uint64_t rows)
{
	uint64_t block = view->pages[index].number / CHUNK_BLOCK;
	uint64_t before = view->pages[index - 1].number / CHUNK_BLOCK;

	return rows >= CHUNK_ROWS_MAX || (rows >= CHUNK_ROWS_MIN && block != before);
}

json_t *view_pages_json(const struct view *view)
{
	int few = view->rows.count > PAGES_ROWS_MAX, failed = 0;
	json_t *chunks = json_array(), *pages = json_array(), *rows = json_array();
	size_t end;

	for (size_t first = 0; first < view->page_count; first = end) {
		struct view_pack pack = {0};
		uint64_t packed = 0, before = 0;

		for (end = first; end < view->page_count; end++) {
			if (end > first && chunk_ends(view, end, packed))
				break;
			packed += page_pack(view, end, before, few, &pack);
			before = view->pages[end].number;
		}
		failed |= json_array_append_new(pages, json_integer((json_int_t)(end - first)));
		failed |= json_array_append_new(rows, json_integer((json_int_t)packed));
		failed |= json_array_append_new(chunks, view_pack_text(&pack));
	}
	if (failed) {
		json_decref(pages);
		json_decref(rows);
		json_decref(chunks);
		return NULL;
	}
	return json_pack("{s:I, s:I, s:b, s:o, s:o, s:o}", "count", (json_int_t)view->page_count,
			 "rows", (json_int_t)view->rows.count, "rows_summed", few, "chunk_pages",
			 pages, "chunk_rows", rows, "chunks", chunks);
}
