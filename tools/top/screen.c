// SPDX-License-Identifier: MIT
/*
 * smile top: write texts and figures to the screen.
 *
 * What lives here: the screen, which has rows and columns of characters with styles. A write
 * outside of the screen is ignored.
 */
#include "tools/top/top.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/utf8.h"

int top_screen_new(struct top_screen *screen, size_t rows, size_t columns)
{
	*screen = (struct top_screen){.rows = rows, .columns = columns};
	screen->cells = calloc(rows * columns + 1, sizeof(*screen->cells));
	if (!screen->cells)
		return -ENOMEM;
	for (size_t i = 0; i < rows * columns; i++)
		screen->cells[i].text[0] = ' ';
	return 0;
}

void top_screen_free(struct top_screen *screen)
{
	free(screen->cells);
	screen->cells = NULL;
}

/*
 * Check whether a byte is not part of a valid character. Such a byte would make its whole line
 * invalid.
 */
static int is_broken(const char *text, size_t bytes)
{
	return bytes == 1 && (*text & 0x80);
}

/*
 * Check whether a terminal would interpret this character instead of showing it. This applies to
 * characters below space, to DEL, and to U+0080 to U+009F, which have two bytes each. For example,
 * U+009B begins a sequence like ESC [.
 */
static int is_control(const char *text, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)text;

	return bytes == 1 ? *at < ' ' || *at == 0x7f : bytes == 2 && at[0] == 0xc2 && at[1] < 0xa0;
}

/* Append a combining mark to the cell before it. */
static void combine(struct top_cell *cell, const char *text, size_t bytes)
{
	size_t length = strlen(cell->text);

	if (length + bytes < TOP_CELL_BYTES)
		memcpy(cell->text + length, text, bytes);
}

/*
 * Mark that a text was cut off. A number whose last digits are missing would look like another
 * number.
 */
static void cut_mark(struct top_screen *screen, size_t row, enum top_style style)
{
	struct top_cell *last = &screen->cells[(row + 1) * screen->columns - 1];

	/* If the last cell is the right half of a wide character, also clear the left half. */
	if (!*last->text && screen->columns > 1)
		last[-1] = (struct top_cell){.text = " "};
	*last = (struct top_cell){.text = "~", .style = (unsigned char)style};
}

void top_clear(struct top_screen *screen, size_t row)
{
	if (row >= screen->rows)
		return;
	for (size_t i = 0; i < screen->columns; i++)
		screen->cells[row * screen->columns + i] = (struct top_cell){.text = " "};
}

size_t top_put(struct top_screen *screen, size_t row, size_t column, enum top_style style,
	       const char *text)
{
	size_t bytes, width;

	if (row >= screen->rows)
		return column;
	for (; (bytes = utf8_step(text, &width)) != 0; text += bytes) {
		struct top_cell *cell = &screen->cells[row * screen->columns + column];

		if (!width && column && column <= screen->columns) {
			combine(cell - 1, text, bytes);
			continue;
		}
		if (column + width > screen->columns) {
			if (screen->columns && column <= screen->columns)
				cut_mark(screen, row, style);
			return screen->columns;
		}
		if (!width || bytes >= TOP_CELL_BYTES)
			continue;
		memset(cell->text, 0, sizeof(cell->text));
		if (is_broken(text, bytes) || is_control(text, bytes))
			cell->text[0] = '?';
		else
			memcpy(cell->text, text, bytes);
		cell->style = (unsigned char)style;
		/* Leave the cell to the right of a wide character empty. */
		if (width == 2) {
			memset(cell[1].text, 0, sizeof(cell[1].text));
			cell[1].style = (unsigned char)style;
		}
		column += width;
	}
	return column;
}

size_t top_print(struct top_screen *screen, size_t row, size_t column, enum top_style style,
		 const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return top_put(screen, row, column, style, text);
}

void top_put_right(struct top_screen *screen, size_t row, size_t end, enum top_style style,
		   const char *text)
{
	size_t width = utf8_width(text);

	if (width <= end)
		top_put(screen, row, end - width, style, text);
}

char *top_screen_line(const struct top_screen *screen, size_t row)
{
	char *line = malloc(screen->columns * TOP_CELL_BYTES + 1);
	size_t length = 0, end = 0;

	if (!line)
		return NULL;
	for (size_t i = 0; i < screen->columns; i++) {
		const char *text = screen->cells[row * screen->columns + i].text;
		size_t bytes = strlen(text);

		memcpy(line + length, text, bytes);
		length += bytes;
		if (bytes && strcmp(text, " "))
			end = length;
	}
	line[end] = '\0';
	return line;
}

char *top_count(char *text, double count)
{
	static const char units[] = "kMGTPE";
	size_t unit = 0;

	if (count < 9.95 && count != (double)(unsigned int)count)
		snprintf(text, TOP_COUNT_BYTES, "%.1f", count);
	else if (count < 99999.5)
		snprintf(text, TOP_COUNT_BYTES, "%.0f", count);
	else {
		for (count /= 1000; count >= 999.5 && unit + 2 < sizeof(units); unit++)
			count /= 1000;
		snprintf(text, TOP_COUNT_BYTES, "%.*f%c",
			 count < 9.995	 ? 2
			 : count < 99.95 ? 1
					 : 0,
			 count, units[unit]);
	}
	return text;
}

/*
 * Round the end of a confidence interval outwards, to the three digits of a large count that
 * top_count() shows.
 */
static double outwards(double end, double (*towards)(double end))
{
	double unit = end < 99999 ? 1 : pow(10, floor(log10(end)) - 2);

	return towards(end / unit) * unit;
}

char *top_band(char *text, uint64_t count)
{
	const struct sampled_band band = sampled_count(count);
	char low[TOP_COUNT_BYTES], high[TOP_COUNT_BYTES];

	snprintf(text, TOP_BAND_BYTES, "[%s-%s]", top_count(low, outwards(band.low, floor)),
		 top_count(high, outwards(band.high, ceil)));
	return text;
}
