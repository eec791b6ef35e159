// SPDX-License-Identifier: MIT
/*
 * View: pack the memory pages of a document into texts.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/view/view_kept.h"

#include "tools/common/tool.h"

/*
 * The rows of memory pages are packed into several texts. A text ends where another block of page
 * numbers begins, so new pages change only the text to which they belong. A text has at least
 * CHUNK_ROWS_MIN rows, and at most as many rows as the browser can unpack between two frames.
 */
#define CHUNK_BLOCK 8192
#define CHUNK_ROWS_MIN 8192
#define CHUNK_ROWS_MAX 65536
/*
 * The largest number of rows in the document. If the document would have more rows, pages with many
 * rows are packed with few rows: see view_rows_few().
 */
#define PAGES_ROWS_MAX 6000000

/* Pack a row: first its source, with a bit for each count that is not zero; then these counts. */
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

/* Pack a page. Return: the number of its packed rows. */
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

/* Check whether a text with @rows rows ends before the page at @index. */
static int chunk_ends(const struct view_model *model, size_t index, uint64_t rows)
{
	uint64_t block = model->pages[index].number / CHUNK_BLOCK;
	uint64_t before = model->pages[index - 1].number / CHUNK_BLOCK;

	return rows >= CHUNK_ROWS_MAX || (rows >= CHUNK_ROWS_MIN && block != before);
}

/**
 * struct texts - The texts of a document, while they are made.
 * @model: the model with the pages
 * @few: pack only a few rows of each page that has many rows
 * @pages: array with the number of pages of each text
 * @rows: array with the number of rows of each text
 * @chunks: array of the texts; instead of an unchanged text it contains the number of the text in
 *          the last document
 * @list: data about the texts, which is kept for the next document; shape [@count]
 * @count: number of texts
 * @size: capacity of @list
 */
struct texts {
	const struct view_model *model;
	int few;
	json_t *pages;
	json_t *rows;
	json_t *chunks;
	struct view_chunk *list;
	size_t count;
	size_t size;
};

static void text_add(struct texts *texts, size_t first, size_t pages, uint64_t rows, json_t *text)
{
	const struct view_page *page = &texts->model->pages[first];

	tool_reserve(&texts->list, &texts->size, texts->count, sizeof(*texts->list));
	texts->list[texts->count++] = (struct view_chunk){
		.number = page->number,
		.home = page->home,
		.pages = (uint32_t)pages,
		.rows = rows,
	};
	if (json_array_append_new(texts->pages, json_integer((json_int_t)pages)) ||
	    json_array_append_new(texts->rows, json_integer((json_int_t)rows)) ||
	    json_array_append_new(texts->chunks, text))
		exit(tool_error("no memory for the pages of the view"));
}

/* Make a text from the page at @first on. Return: index of the page after the text. */
static size_t text_make(struct texts *texts, size_t first)
{
	const struct view_model *model = texts->model;
	struct view_pack pack = {0};
	uint64_t packed = 0, before = 0;
	size_t end;

	for (end = first; end < model->page_count; end++) {
		if (end > first && chunk_ends(model, end, packed))
			break;
		packed += page_pack(model, end, before, texts->few, &pack);
		before = model->pages[end].number;
	}
	text_add(texts, first, end - first, packed, view_packed(&pack));
	return end;
}

/*
 * Get the present index of the page at which a text of the last document began. The first text
 * begins at index 0, so it also includes pages that now precede it.
 */
static size_t text_start(const struct view_kept *kept, const struct view_model *model, size_t text)
{
	if (text >= kept->all.chunk_count)
		return model->page_count;
	return text ? view_page_find(model, kept->chunks[text].number, kept->chunks[text].home) : 0;
}

/*
 * Reuse the texts of the last document that have not changed, and make the other texts. A text
 * depends on its own pages, and on the page after its last page. If no page was inserted between
 * these two, the page after the last page is the same as in the last document.
 */
static void texts_change(struct texts *texts, const struct view_kept *kept)
{
	const struct view_model *model = texts->model;
	size_t text = 0, start = 0, next = text_start(kept, model, 1), change = 0;

	for (size_t first = 0; first < model->page_count;) {
		while (change < kept->changed_count && kept->changed[change] < first)
			change++;
		if (start == first &&
		    (change == kept->changed_count || kept->changed[change] >= next)) {
			text_add(texts, first, next - first, kept->chunks[text].rows,
				 json_integer((json_int_t)text));
			first = next;
		} else {
			first = text_make(texts, first);
		}
		while (start < first && text < kept->all.chunk_count) {
			text++;
			start = next;
			next = text_start(kept, model, text + 1);
		}
	}
}

json_t *view_pages_json(const struct view_model *model, struct view_kept *kept)
{
	struct texts texts = {
		.model = model,
		.few = model->rows.count > PAGES_ROWS_MAX,
		.pages = json_array(),
		.rows = json_array(),
		.chunks = json_array(),
	};

	if (model->kept && !kept->anew && kept->all.few == texts.few)
		texts_change(&texts, kept);
	else
		for (size_t first = 0; first < model->page_count;)
			first = text_make(&texts, first);
	if (model->kept) {
		kept->all.few = texts.few;
		view_need(view_kept_store(kept, texts.list, texts.count));
	}
	free(texts.list);
	return json_pack("{s:I, s:I, s:b, s:o, s:o, s:o}", "count", (json_int_t)model->page_count,
			 "rows", (json_int_t)model->rows.count, "rows_summed", texts.few,
			 "chunk_pages", texts.pages, "chunk_rows", texts.rows, "chunks",
			 texts.chunks);
}
