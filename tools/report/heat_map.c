// SPDX-License-Identifier: MIT
/*
 * Heat: draw the map, with colours, with block characters, or with ASCII characters.
 *
 * What lives here: the choice of shades; and the columns of the map. The scale of the shades is
 * logarithmic, so that a few large counts do not hide many small ones. If there are more nodes or
 * phases than columns fit, several of them share a column.
 */
#include "tools/report/heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/terminal.h"
#include "tools/common/tool.h"

#define CELL_MIN 2U
#define CELL_MAX 6U
#define SHADES_MAX 9U

/* Colours of the 256-colour palette from violet to yellow, as on the page of `smile view`. */
static const unsigned char colors[] = {54, 61, 31, 30, 36, 77, 149, 226};
/* From the colour with this index on, black text is easier to read than white text. */
#define COLORS_BRIGHT 4U

static const char *const blocks[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
static const char *const letters[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};

/**
 * struct map - A map while it is drawn.
 * @heat: the rows
 * @layout: the widths of the parts of a line
 * @fold: number of nodes or phases that share a column
 * @columns: number of columns
 * @cell: width of a cell in characters
 * @colored: shades are drawn as colours
 * @shades: number of shades
 * @from: smallest value of each shade
 * @most: largest value of the map
 * @least: smallest value of the map that is greater than zero
 */
struct map {
	const struct heat *heat;
	struct heat_layout layout;
	size_t fold;
	size_t columns;
	size_t cell;
	int colored;
	size_t shades;
	double from[SHADES_MAX];
	double most;
	double least;
};

/*
 * Compute the mean number of accesses to a page of the row, by the nodes or in the phases that
 * share the column.
 */
static double value(const struct map *map, const struct heat_row *row, size_t column)
{
	uint64_t sum = 0;

	for (size_t i = column * map->fold; i < (column + 1) * map->fold; i++)
		if (i < map->heat->columns)
			sum += row->counts[i];
	return (double)sum / (double)row->pages;
}

/*
 * Get the mark of a cell: "H" if the nodes of the column are home to all pages of the row; "h" if
 * they are home to some of the pages.
 */
static const char *home_mark(const struct map *map, const struct heat_row *row, size_t column)
{
	uint64_t pages = 0;

	if (map->heat->by_phase)
		return "";
	for (size_t i = column * map->fold; i < (column + 1) * map->fold && i < map->heat->nodes;
	     i++)
		pages += row->homes[i];
	return pages == row->pages ? "H" : pages ? "h" : "";
}

static void columns_fold(struct map *map)
{
	size_t room = map->layout.drawn / CELL_MIN;

	map->fold = (map->heat->columns + room - 1) / room;
	map->columns = (map->heat->columns + map->fold - 1) / map->fold;
	map->cell = map->layout.drawn / map->columns;
	if (map->cell > CELL_MAX)
		map->cell = CELL_MAX;
	heat_layout_narrow(&map->layout, map->cell * map->columns);
}

/* ---- shades ---------------------------------------------------------------------------------- */

static void shades_set(struct map *map)
{
	size_t count, used = 0;

	for (size_t i = 0; i < map->heat->row_count; i++) {
		for (size_t column = 0; column < map->columns; column++) {
			double here = value(map, &map->heat->rows[i], column);

			if (here > map->most)
				map->most = here;
			if (here > 0 && (!(map->least > 0) || here < map->least))
				map->least = here;
		}
	}
	map->colored = terminal_colors(output_stream()) >= 256;
	count = map->colored	  ? sizeof(colors)
		: terminal_utf8() ? sizeof(blocks) / sizeof(blocks[0])
				  : sizeof(letters) / sizeof(letters[0]);
	for (size_t i = 0; i < count; i++) {
		double from = ceil(pow(map->most, (double)i / (double)count) - 1e-9);

		if (used && (from <= map->from[used - 1] || from > map->most))
			continue;
		map->from[used++] = from;
	}
	map->shades = used;
}

/* Find the shade of a value greater than zero. */
static size_t shade_of(const struct map *map, double here)
{
	size_t shade = 0;

	while (shade + 1 < map->shades && here >= map->from[shade + 1])
		shade++;
	return shade;
}

/*
 * Spread the used shades over all available shades, so that the last used shade is always the
 * brightest.
 */
static size_t shade_spread(const struct map *map, size_t shade, size_t count)
{
	return map->shades > 1 ? shade * (count - 1) / (map->shades - 1) : count - 1;
}

static void shade_print(const struct map *map, size_t shade, size_t width, const char *mark)
{
	const char *const *texts = terminal_utf8() ? blocks : letters;
	size_t count = terminal_utf8() ? sizeof(blocks) / sizeof(blocks[0])
				       : sizeof(letters) / sizeof(letters[0]);

	if (map->colored) {
		size_t color = shade_spread(map, shade, sizeof(colors));

		printf("\033[48;5;%u;38;5;%um%*s%s\033[0m", colors[color],
		       color < COLORS_BRIGHT ? 231 : 16, (int)(width - strlen(mark)), "", mark);
		return;
	}
	for (size_t i = strlen(mark); i < width; i++)
		fputs(texts[shade_spread(map, shade, count)], stdout);
	fputs(mark, stdout);
}

/* ---- the map --------------------------------------------------------------------------------- */

/*
 * Print the numbers of the nodes or phases above their columns. Leave out numbers for which there
 * is no room.
 */
static void headings(const struct map *map)
{
	char *line = tool_memory(map->layout.drawn + 1, 1);
	size_t every = 1;
	char text[24];

	snprintf(text, sizeof(text), "%zu", map->heat->columns - 1);
	while (every * map->cell <= strlen(text))
		every *= 2;
	memset(line, ' ', map->layout.drawn);
	for (size_t column = 0; column < map->columns; column += every) {
		size_t length = (size_t)snprintf(text, sizeof(text), "%zu", column * map->fold);

		if (column * map->cell + length <= map->layout.drawn)
			memcpy(line + column * map->cell, text, length);
	}
	heat_row_begin(map->heat, &map->layout, NULL);
	fputs(line, stdout);
	heat_row_end(map->heat, &map->layout, NULL);
	free(line);
}

static void row_print(const struct map *map, const struct heat_row *row)
{
	heat_row_begin(map->heat, &map->layout, row);
	for (size_t column = 0; column < map->columns; column++) {
		const char *mark = home_mark(map, row, column);
		double here = value(map, row, column);

		if (here > 0)
			shade_print(map, shade_of(map, here), map->cell, mark);
		else
			printf("%*s%s", (int)(map->cell - strlen(mark)), "", mark);
	}
	heat_row_end(map->heat, &map->layout, row);
}

/* Print the legend of the shades, with the smallest value of each shade. */
static void shades_explain(const struct map *map)
{
	size_t column = 0;

	for (size_t i = 0; i < map->shades; i++) {
		char text[TEXT_COUNT_BYTES + 16], count[TEXT_COUNT_BYTES];
		size_t length;

		if (!i && map->least < 1)
			snprintf(text, sizeof(text), " above 0");
		else
			snprintf(text, sizeof(text), " %s%s", i ? "" : "from ",
				 text_count(count, (uint64_t)map->from[i]));
		length = map->cell + strlen(text);
		if (column && column + 2 + length > map->layout.width) {
			putchar('\n');
			column = 0;
		}
		printf("%*s", column ? 2 : 0, "");
		column += length + (column ? 2 : 0);
		shade_print(map, i, map->cell, "");
		fputs(text, stdout);
	}
	putchar('\n');
}

static void phases_explain(const struct map *map)
{
	char *text = tool_memory(1, 4096);
	size_t length = 0;

	for (size_t i = 0; i < map->heat->columns && length < 3800; i++) {
		const char *name = Monitor_phase_name(map->heat->mon, i);

		if (*name)
			length += (size_t)snprintf(text + length, 4096 - length, "%s%zu %.60s",
						   length ? ", " : "", i, name);
	}
	if (length)
		output_text("phases: %s%s", text, length < 3800 ? "" : " ...");
	free(text);
}

static void explain(const struct map *map)
{
	char most[TEXT_COUNT_BYTES];
	const char *what = map->heat->by_phase ? "phase" : "node";

	output_text("legend: columns are %ss; shades are accesses of a page %s, %s at most:", what,
		    map->heat->by_phase ? "in a phase, by all nodes" : "by a node",
		    text_count(most, (uint64_t)(map->most + 0.5)));
	shades_explain(map);
	if (map->fold > 1)
		output_text("There is no room for %zu %ss: %zu share a column.", map->heat->columns,
			    what, map->fold);
	if (!map->heat->by_phase)
		output_text("H = home: the node that holds the page%s; its own accesses to the "
			    "page are seen by no card.",
			    map->heat->row_count < map->heat->pages
				    ? ", or all pages of the row; h: some of them"
				    : "");
	heat_rows_explain(map->heat, &map->layout);
	if (map->heat->by_phase)
		phases_explain(map);
}

void heat_map(const struct heat *heat)
{
	struct map map = {.heat = heat};

	heat_layout(heat, &map.layout, heat->by_phase);
	columns_fold(&map);
	shades_set(&map);
	headings(&map);
	for (size_t i = 0; i < heat->row_count && !output_stopped(); i++)
		row_print(&map, &heat->rows[i]);
	putchar('\n');
	explain(&map);
}
