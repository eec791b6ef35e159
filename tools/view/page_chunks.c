// SPDX-License-Identifier: MIT
/*
 * View: the memory pages of a document, packed.
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
/* Of more rows than this a page has few: see view_rows_few(). */
#define PAGES_ROWS_MAX 6000000

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

static uint32_t rows_pack_few(const struct view_model *model, const struct view_page *page,
			      struct view_pack *pack)
{
	struct Monitor_histogram_row rows[VIEW_ROWS_FEW];
	int count = view_rows_few(model, page, rows);

	view_need(count);
	view_pack_number(pack, (uint64_t)count);
	for (int i = 0; i < count; i++)
		row_pack(pack, rows[i].source, &rows[i]);
	return (uint32_t)count;
}

/* Return: how many rows it has there. */
static uint32_t page_pack(const struct view_model *model, size_t index, uint64_t before, int few,
			  struct view_pack *pack)
{
	const struct view_page *page = &model->pages[index];

	view_pack_number(pack, page->number - before);
	view_pack_number(pack, page->home);
	view_pack_number(pack, page->region == VIEW_NO_REGION ? 0 : page->region + 1);
	if (model->told)
		view_pack_number(pack, page->accesses);
	if (few && page->rows > VIEW_ROWS_FEW)
		return rows_pack_few(model, page, pack);
	view_pack_number(pack, page->rows);
	for (size_t i = page->row; i < page->row + page->rows; i++)
		row_pack(pack, model->rows.rows[i].source, &model->rows.rows[i]);
	return page->rows;
}

/* Does a text that has @rows rows end before page @index? */
static int chunk_ends(const struct view_model *model, size_t index, uint64_t rows)
{
	uint64_t block = model->pages[index].number / CHUNK_BLOCK;
	uint64_t before = model->pages[index - 1].number / CHUNK_BLOCK;

	return rows >= CHUNK_ROWS_MAX || (rows >= CHUNK_ROWS_MIN && block != before);
}

json_t *view_pages_json(const struct view_model *model)
{
	int few = model->rows.count > PAGES_ROWS_MAX, failed = 0;
	json_t *chunks = json_array(), *pages = json_array(), *rows = json_array();
	size_t end;

	for (size_t first = 0; first < model->page_count; first = end) {
		struct view_pack pack = {0};
		uint64_t packed = 0, before = 0;

		for (end = first; end < model->page_count; end++) {
			if (end > first && chunk_ends(model, end, packed))
				break;
			packed += page_pack(model, end, before, few, &pack);
			before = model->pages[end].number;
		}
		failed |= json_array_append_new(pages, json_integer((json_int_t)(end - first)));
		failed |= json_array_append_new(rows, json_integer((json_int_t)packed));
		failed |= json_array_append_new(chunks, view_packed(&pack));
	}
	if (failed) {
		json_decref(pages);
		json_decref(rows);
		json_decref(chunks);
		return NULL;
	}
	return json_pack("{s:I, s:I, s:b, s:o, s:o, s:o}", "count", (json_int_t)model->page_count,
			 "rows", (json_int_t)model->rows.count, "rows_summed", few, "chunk_pages",
			 pages, "chunk_rows", rows, "chunks", chunks);
}
