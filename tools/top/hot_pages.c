// SPDX-License-Identifier: MIT
/*
 * smile top: draw the list of the hottest pages. The papers call it the "most frequently accessed"
 * table.
 *
 * What lives here: the choice of the columns that fit, and the contents of the columns.
 */
#include "tools/top/top.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/utf8.h"
#include "tools/common/band_cells.h"

#define WHERE_COLUMNS_MIN 8U
#define TEXT_BYTES 160U
/*
 * Widths of columns with a confidence interval after the figure, such as "12345 [12128-12565]" and
 * "100.0% [100-100]".
 */
#define BAND_COLUMNS 21U
#define SHARE_COLUMNS 18U

enum column {
	COLUMN_PAGE,
	COLUMN_HOME,
	COLUMN_NOW,
	COLUMN_TOTAL,
	COLUMN_READS,
	COLUMN_WRITES,
	COLUMN_LOCKS,
	COLUMN_COST,
	COLUMN_NODE,
	COLUMN_SHARE,
	COLUMN_WHERE,
	COLUMNS,
};

/*
 * All columns, in their order on the screen. If not all columns fit, the columns with the lowest
 * numbers of importance are shown.
 */
static const struct {
	const char *total;
	const char *now;
	unsigned int width;
	unsigned int importance;
} columns[COLUMNS] = {
	[COLUMN_PAGE] = {"PAGE", "PAGE", 8, 0},
	[COLUMN_HOME] = {"HOME", "HOME", 5, 1},
	[COLUMN_NOW] = {"NOW/S", "NOW/S", 7, 2},
	[COLUMN_TOTAL] = {"TOTAL", "TOTAL", 7, 3},
	[COLUMN_READS] = {"READS", "RD/S", 7, 7},
	[COLUMN_WRITES] = {"WRITES", "WR/S", 7, 8},
	[COLUMN_LOCKS] = {"LOCKS", "LK/S", 7, 10},
	[COLUMN_COST] = {"COST", "COST/S", 7, 9},
	[COLUMN_NODE] = {"NODE", "NODE", 5, 4},
	[COLUMN_SHARE] = {"ITS%", "ITS%", 5, 5},
	[COLUMN_WHERE] = {"  WHERE", "  WHERE", WHERE_COLUMNS_MIN + 2, 6},
};

/**
 * struct list - The layout of the list.
 * @width: width of each column; 0: the column does not fit
 * @totals: reads, writes, locks and cost are totals; otherwise per second
 * @scale: factor by which counts of the interval are multiplied
 * @sampled: counts have confidence intervals
 */
struct list {
	size_t width[COLUMNS];
	int totals;
	bool sampled;
	double scale;
};

/* Get the width that the largest page number needs. */
static size_t page_width(const struct top_snapshot *snapshot)
{
	size_t width = columns[COLUMN_PAGE].width;
	char text[TEXT_BYTES];

	for (size_t i = 0; i < snapshot->pages_count; i++) {
		size_t length = (size_t)snprintf(text, sizeof(text), "%" PRIu64,
						 snapshot->pages[i].live.page);

		if (length + 2 > width)
			width = length + 2;
	}
	return width;
}

static int has_names(const struct top_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->pages_count; i++)
		if (*snapshot->pages[i].where)
			return 1;
	return 0;
}

static size_t column_width(const struct top_snapshot *snapshot, enum column column)
{
	if (column == COLUMN_PAGE)
		return page_width(snapshot);
	if (!snapshot->sampled)
		return columns[column].width;
	switch (column) {
	case COLUMN_TOTAL:
	case COLUMN_READS:
	case COLUMN_WRITES:
	case COLUMN_LOCKS:
		return BAND_COLUMNS;
	case COLUMN_SHARE:
		return SHARE_COLUMNS;
	default:
		return columns[column].width;
	}
}

/*
 * Check whether the counts distinguish reads and writes. Samples of hint faults do not distinguish
 * them.
 */
static bool is_typed(const struct top_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->pages_count; i++) {
		const struct live_sum *total = &snapshot->pages[i].live.total;

		if (total->reads || total->writes || total->locks)
			return true;
	}
	return false;
}

/* Check whether the column has contents in this snapshot. */
static bool has_column(const struct top_snapshot *snapshot, enum column column)
{
	switch (column) {
	case COLUMN_NOW:
		return !snapshot->first;
	case COLUMN_WHERE:
		return has_names(snapshot);
	case COLUMN_READS:
	case COLUMN_WRITES:
	case COLUMN_LOCKS:
		return !snapshot->sampled || is_typed(snapshot);
	case COLUMN_COST:
		return !snapshot->sampled;
	default:
		return true;
	}
}

static struct list list_of(const struct top_state *state, const struct top_snapshot *snapshot,
			   size_t room)
{
	struct list list = {.totals = state->totals || snapshot->first,
			    .scale = 1,
			    .sampled = snapshot->sampled};
	unsigned int wanted;

	if (!list.totals && snapshot->interval.seconds > 0)
		list.scale = 1 / snapshot->interval.seconds;
	for (wanted = 0; wanted < COLUMNS; wanted++) {
		for (size_t i = 0; i < COLUMNS; i++) {
			size_t width = column_width(snapshot, (enum column)i);

			if (columns[i].importance != wanted ||
			    !has_column(snapshot, (enum column)i) || width > room)
				continue;
			list.width[i] = width;
			room -= width;
		}
	}
	if (list.width[COLUMN_WHERE])
		list.width[COLUMN_WHERE] += room;
	return list;
}

static enum column sorted_column(const struct top_state *state, const struct top_snapshot *snapshot)
{
	if (state->sort == TOP_SORT_COST && !snapshot->sampled)
		return COLUMN_COST;
	return state->sort == TOP_SORT_RATE && !snapshot->first ? COLUMN_NOW : COLUMN_TOTAL;
}

static void heading_draw(struct top_screen *screen, size_t row, const struct list *list,
			 enum column sorted)
{
	size_t at = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		const char *text = list->totals ? columns[i].total : columns[i].now;
		enum top_style style = i == sorted ? TOP_SELECTED : TOP_HEAD;

		if (!list->width[i])
			continue;
		if (i == COLUMN_WHERE)
			top_put(screen, row, at, style, text);
		else
			top_put_right(screen, row, at + list->width[i], style, text);
		at += list->width[i];
	}
}

static void cell_text(char *text, enum column column, const struct top_page *page,
		      const struct list *list, double per_second)
{
	const struct live_page *live = &page->live;
	const struct live_sum *sum = list->totals ? &live->total : &live->now;
	const uint64_t counts[COLUMNS] = {
		[COLUMN_TOTAL] = live->total.accesses,
		[COLUMN_READS] = sum->reads,
		[COLUMN_WRITES] = sum->writes,
		[COLUMN_LOCKS] = sum->locks,
		[COLUMN_COST] = list->totals ? live->cost : live->cost_now,
	};
	char band[TOP_BAND_BYTES];

	switch (column) {
	case COLUMN_PAGE:
		snprintf(text, TEXT_BYTES, "%" PRIu64, live->page);
		return;
	case COLUMN_HOME:
		snprintf(text, TEXT_BYTES, "%" PRIu32, live->home);
		return;
	case COLUMN_NODE:
		snprintf(text, TEXT_BYTES, "%" PRIu32, live->dominant);
		return;
	case COLUMN_SHARE:
		if (list->sampled)
			band_share_text(text, live->dominant_accesses, live->nodes_accesses);
		else
			snprintf(text, TEXT_BYTES, "%.0f%%", 100 * live_page_share(live));
		return;
	case COLUMN_NOW:
		top_count(text, (double)live->now.accesses * per_second);
		return;
	default:
		top_count(text,
			  (double)counts[column] * (column == COLUMN_TOTAL ? 1 : list->scale));
		if (list->sampled)
			snprintf(text + strlen(text), TEXT_BYTES - strlen(text), " %s",
				 top_band(band, counts[column]));
	}
}

static void where_draw(struct top_screen *screen, size_t row, size_t at, size_t width,
		       enum top_style style, const char *where)
{
	char text[TOP_NAME_BYTES + 8];

	snprintf(text, sizeof(text), "%s", where);
	utf8_crop(text, width - 2, "~");
	top_put(screen, row, at + 2, style, text);
}

static void page_draw(struct top_screen *screen, size_t row, const struct top_page *page,
		      const struct list *list, double per_second, enum top_style style)
{
	char text[TEXT_BYTES];
	size_t at = 0;

	if (style == TOP_SELECTED)
		for (size_t i = 0; i < screen->columns; i++)
			top_put(screen, row, i, style, " ");
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!list->width[i])
			continue;
		if (i == COLUMN_WHERE) {
			where_draw(screen, row, at, list->width[i], style, page->where);
		} else {
			cell_text(text, (enum column)i, page, list, per_second);
			top_put_right(screen, row, at + list->width[i], style, text);
		}
		at += list->width[i];
	}
	if (style == TOP_SELECTED)
		top_put(screen, row, 0, style, ">");
}

void top_pages_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_state *state, const struct top_snapshot *snapshot)
{
	struct list list = list_of(state, snapshot, screen->columns);
	double per_second = snapshot->interval.seconds > 0 ? 1 / snapshot->interval.seconds : 0;
	size_t first = 0, shown = rows ? rows - 1 : 0;

	heading_draw(screen, row, &list, sorted_column(state, snapshot));
	if (!snapshot->pages_count)
		top_put(screen, row + 1, 2, TOP_FAINT, "no accesses yet");
	/* Scroll the list so that the selected page is shown. */
	if (!state->paper && shown && state->selected >= shown)
		first = state->selected - shown + 1;
	for (size_t i = 0; i < shown && first + i < snapshot->pages_count; i++)
		page_draw(screen, row + 1 + i, &snapshot->pages[first + i], &list, per_second,
			  !state->paper && first + i == state->selected ? TOP_SELECTED : TOP_PLAIN);
}
