// SPDX-License-Identifier: MIT
/*
 * Heat: print the text beside a map or bars, which is the pages and homes on the left, and the sums
 * and names on the right.
 */
#include "tools/report/heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/terminal.h"
#include "lib/analysis/utf8.h"

#define PAGE_TEXT_BYTES 48
/* On lines narrower than this, names or sums are not printed. */
#define WIDTH_NAMES 60U
#define WIDTH_SUMS 50U
#define NAME_WIDTH 24U
#define HOME_WIDTH 10U

/*
 * Write the pages of a row: "65536", or for the pages 65536 to 65543 "65536-43". For the last page,
 * only the digits that differ from the first page are written.
 */
static const char *page_text(const struct heat_row *row, char *text)
{
	char last[PAGE_TEXT_BYTES / 2];
	size_t same = 0;
	int length;

	length = snprintf(text, PAGE_TEXT_BYTES, "%" PRIu64, row->first_page);
	if (row->first_page == row->last_page)
		return text;
	if (length == snprintf(last, sizeof(last), "%" PRIu64, row->last_page))
		while (text[same] == last[same])
			same++;
	snprintf(text + length, PAGE_TEXT_BYTES - (size_t)length, "-%s", last + same);
	return text;
}

static void widen(size_t *width, const char *text, size_t most)
{
	size_t own = utf8_width(text);

	if (own > most)
		own = most;
	if (own > *width)
		*width = own;
}

void heat_layout(const struct heat *heat, struct heat_layout *layout, int home)
{
	size_t terminal = terminal_width(output_stream()), beside;
	char name[HEAT_NAME_BYTES], page[PAGE_TEXT_BYTES], count[TEXT_COUNT_BYTES];
	char homes[STRUCTURES_TEXT_BYTES];

	*layout = (struct heat_layout){.width = terminal ? terminal : HEAT_WIDTH};
	layout->page = strlen("PAGE");
	for (size_t i = 0; i < heat->row_count; i++) {
		const struct heat_row *row = &heat->rows[i];

		widen(&layout->page, page_text(row, page), PAGE_TEXT_BYTES);
		if (home)
			widen(&layout->home, structures_homes(row->homes, heat->nodes, homes),
			      HOME_WIDTH);
		if (layout->width >= WIDTH_SUMS)
			widen(&layout->all, text_count(count, row->all), sizeof(count));
		if (heat->named && layout->width >= WIDTH_NAMES)
			widen(&layout->name, text_printable(heat_name(heat, row, name)),
			      NAME_WIDTH);
	}
	if (layout->all && layout->all < strlen("ALL"))
		layout->all = strlen("ALL");
	if (layout->name && layout->name < strlen("WHERE"))
		layout->name = strlen("WHERE");
	if (home && layout->home < strlen("HOME"))
		layout->home = strlen("HOME");
	beside = layout->page + 2 + (layout->home ? layout->home + 1 : 0) +
		 (layout->all ? layout->all + 1 : 0) + (layout->name ? layout->name + 1 : 0) + 1;
	layout->drawn = layout->width > beside + 8 ? layout->width - beside : 8;
}

void heat_layout_narrow(struct heat_layout *layout, size_t drawn)
{
	if (layout->name && drawn < layout->drawn)
		layout->name += layout->drawn - drawn;
	layout->drawn = drawn;
}

static const char *border(void)
{
	return terminal_utf8() ? "\u2502" : "|";
}

void heat_row_begin(const struct heat *heat, const struct heat_layout *layout,
		    const struct heat_row *row)
{
	char page[PAGE_TEXT_BYTES], homes[STRUCTURES_TEXT_BYTES + 4];

	printf("%s%*s%s ", output_begin(OUTPUT_STRONG), (int)layout->page,
	       row ? page_text(row, page) : "PAGE", output_end(OUTPUT_STRONG));
	if (layout->home) {
		snprintf(homes, sizeof(homes), "HOME");
		if (row)
			structures_homes(row->homes, heat->nodes, homes);
		utf8_crop(homes, layout->home, "~");
		printf("%*s ", (int)layout->home, homes);
	}
	fputs(row ? border() : " ", stdout);
}

void heat_row_end(const struct heat *heat, const struct heat_layout *layout,
		  const struct heat_row *row)
{
	char count[TEXT_COUNT_BYTES], name[HEAT_NAME_BYTES + 4] = "WHERE";

	fputs(row ? border() : " ", stdout);
	if (layout->all)
		printf(" %*s", (int)layout->all, row ? text_count(count, row->all) : "ALL");
	if (row && layout->name)
		text_printable(heat_name(heat, row, name));
	utf8_crop(name, layout->name, terminal_utf8() ? "\u2026" : "~");
	if (layout->name && *name)
		printf(" %s", name);
	putchar('\n');
}

void heat_rows_explain(const struct heat *heat, const struct heat_layout *layout)
{
	char rows[TEXT_COUNT_BYTES], pages[TEXT_COUNT_BYTES];

	if (heat->row_count < heat->pages)
		output_text("rows: %s, of %s accessed pages: neighbours share a row, which shows "
			    "their mean; 120-35 = pages 120 to 135. A larger -n shows more rows.",
			    text_count(rows, heat->row_count), text_count(pages, heat->pages));
	else
		output_text("rows: %s accessed page%s.", text_count(pages, heat->pages),
			    heat->pages == 1 ? "" : "s");
	if (layout->all)
		output_text("all = accesses of the row%s", layout->name
								   ? "; where = what its first "
								     "page is part of."
								   : ".");
}
