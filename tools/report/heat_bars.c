// SPDX-License-Identifier: MIT
/*
 * Heat: draw bars. The length of a bar shows the accesses to its row of pages. The bar is divided
 * by the accesses of each node. The papers call this the access diagram.
 */
#include "tools/report/heat.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/terminal.h"

/* Colours of the 256-colour palette that people with any kind of colour vision can distinguish. */
static const unsigned char colors[] = {25, 214, 36, 175, 74, 166, 142, 244};
static const unsigned char inks[] = {231, 16, 16, 16, 16, 231, 16, 16};

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
#define DIGITS (sizeof(digits) - 1)

/* Compute the mean number of accesses to a page of the row. */
static double mean(const struct heat_row *row)
{
	return (double)row->all / (double)row->pages;
}

static void part_print(size_t node, size_t width, int colored)
{
	size_t color = node % sizeof(colors);

	if (!width)
		return;
	if (colored)
		printf("\033[48;5;%u;38;5;%um", colors[color], inks[color]);
	for (size_t i = 0; i < width; i++)
		putchar(digits[node % DIGITS]);
	if (colored)
		fputs("\033[0m", stdout);
}

static void bar_print(const struct heat *heat, const struct heat_layout *layout,
		      const struct heat_row *row, double most, int colored)
{
	size_t length = (size_t)(mean(row) / most * (double)layout->drawn + 0.5), at = 0;
	uint64_t sum = 0;

	if (!length)
		length = 1;
	heat_row_begin(heat, layout, row);
	for (size_t node = 0; node < heat->nodes; node++) {
		size_t end;

		sum += row->counts[node];
		end = (size_t)((double)sum / (double)row->all * (double)length + 0.5);
		part_print(node, end - at, colored);
		at = end;
	}
	printf("%*s", (int)(layout->drawn - at), "");
	heat_row_end(heat, layout, row);
}

static void scale_print(const struct heat *heat, const struct heat_layout *layout, double most)
{
	char text[TEXT_COUNT_BYTES];

	heat_row_begin(heat, layout, NULL);
	printf("0%*s", (int)layout->drawn - 1, text_count(text, (uint64_t)(most + 0.5)));
	heat_row_end(heat, layout, NULL);
}

void heat_bars(const struct heat *heat)
{
	int colored = terminal_colors(output_stream()) >= 256;
	struct heat_layout layout;
	double most = 0;

	for (size_t i = 0; i < heat->row_count; i++)
		if (mean(&heat->rows[i]) > most)
			most = mean(&heat->rows[i]);
	heat_layout(heat, &layout, 1);
	scale_print(heat, &layout, most);
	for (size_t i = 0; i < heat->row_count && !output_stopped(); i++)
		bar_print(heat, &layout, &heat->rows[i], most, colored);
	putchar('\n');
	output_text(
		"legend: a bar shows the accesses to a page, its parts those by each node: 0 to 9, "
		"then a is node 10 and so on, A node 36%s. Accesses that are too few for a "
		"character are not shown.",
		heat->nodes > DIGITS ? ", and from node 62 on again from 0" : "");
	heat_rows_explain(heat, &layout);
}
