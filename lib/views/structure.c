/* SPDX-License-Identifier: MIT */
/*
 * Structure: gets the accesses by variable, or by other parts of the address space.
 *
 * What lives here: the conversion of counts by range into counts by extent. If the range of a count
 * touches two extents, the count is reported as straddling. It is never divided between the
 * extents.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/*
 * The key of a table cell. Its first half has the variable and the type; its second half has the
 * home and the source.
 */
#define KEY_VARIABLE_SHIFT 8
#define KEY_TYPE 0x3U
#define KEY_STRADDLING 0x4U

/**
 * struct tally - State while accesses are counted by extent.
 * @extents: the extents
 * @outside: accesses outside all extents are counted too
 * @table: the counts
 */
struct tally {
	const struct extents *extents;
	int outside;
	struct count_table table;
};

static int tally_add(struct tally *tally, const struct Monitor_count *count, uint32_t variable,
		     uint32_t straddling)
{
	return smile_count_table_add(&tally->table,
				     (uint64_t)variable << KEY_VARIABLE_SHIFT | straddling |
					     (straddling ? 0 : count->type),
				     (uint64_t)count->home << 32 | count->source, count->accesses);
}

/*
 * Count a range that touches several variables. It is counted once for each variable, even if it
 * touches several extents of the variable.
 */
static int tally_straddling(struct tally *tally, const struct Monitor_count *count, size_t first,
			    uint64_t end)
{
	const struct extents *extents = tally->extents;
	int error = tally_add(tally, count, MONITOR_VARIABLES_ALL, KEY_STRADDLING);

	for (size_t i = first; i < extents->count && extents->items[i].start < end && !error; i++) {
		size_t before = first;

		while (extents->items[before].variable != extents->items[i].variable)
			before++;
		if (before == i)
			error = tally_add(tally, count, extents->items[i].variable, KEY_STRADDLING);
	}
	return error;
}

/*
 * Return whether the range from @start to @end contains a gap between extents that is larger than
 * the gaps which alignment causes. @first: the first extent to check. @gap: the smallest size of
 * such a gap, in bytes.
 */
static int reaches_outside(const struct extents *extents, size_t first, uint64_t start,
			   uint64_t end, uint64_t gap)
{
	uint64_t before = first ? extents->items[first - 1].end : 0, next;

	for (size_t i = first;; i++) {
		next = i < extents->count ? extents->items[i].start : UINT64_MAX;
		if (next > before && next > start && before < end && next - before >= gap)
			return 1;
		if (i == extents->count || extents->items[i].end >= end)
			return 0;
		before = extents->items[i].end;
	}
}

static int tally_count(const struct Monitor_count *count, void *opaque)
{
	struct tally *tally = opaque;
	const struct extents *extents = tally->extents;
	uint64_t start = count->page * SMILE_PAGE_BYTES + count->offset;
	uint64_t end = start + count->bytes;
	size_t first = smile_extents_find(extents, start), i;
	int several;

	if (first == extents->count || extents->items[first].start >= end)
		return tally->outside ? tally_add(tally, count, MONITOR_VARIABLES_ALL, 0) : 0;
	for (i = first + 1; i < extents->count && extents->items[i].start < end; i++)
		if (extents->items[i].variable != extents->items[first].variable)
			break;
	several = i < extents->count && extents->items[i].start < end;
	if (several ||
	    reaches_outside(extents, first, start, end, tally->outside ? EXTENT_GAP_BYTES : 1))
		return tally_straddling(tally, count, first, end);
	return tally_add(tally, count, extents->items[first].variable, 0);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static int by_key(const void *left, const void *right)
{
	const struct count_cell *a = left, *b = right;
	uint64_t a_variable = a->high >> KEY_VARIABLE_SHIFT,
		 b_variable = b->high >> KEY_VARIABLE_SHIFT;

	if (a_variable != b_variable)
		return a_variable < b_variable ? -1 : 1;
	return a->low < b->low ? -1 : a->low > b->low;
}

static void row_add(struct Monitor_structure_row *row, const struct count_cell *cell)
{
	if (cell->high & KEY_STRADDLING) {
		row->straddling += cell->count;
		return;
	}
	row->accesses += cell->count;
	switch (cell->high & KEY_TYPE) {
	case SMILE_TYPE_READ:
		row->reads += cell->count;
		break;
	case SMILE_TYPE_WRITE:
		row->writes += cell->count;
		break;
	case SMILE_TYPE_LOCK:
		row->locks += cell->count;
		break;
	}
}

static int rows_of(const struct count_table *table, struct Monitor_structure_row *rows,
		   size_t capacity)
{
	struct count_cell *cells = calloc(table->used + 1, sizeof(*cells));
	const struct count_cell *cell;
	size_t position = 0, count = 0, found = 0;

	if (!cells)
		return smile_error(ENOMEM, "no memory for a histogram of %zu counts", table->used);
	while ((cell = smile_count_table_next(table, &position)) != NULL)
		cells[count++] = *cell;
	qsort(cells, count, sizeof(*cells), by_key);
	for (size_t i = 0; i < count; i++) {
		if (!i || by_key(&cells[i - 1], &cells[i])) {
			if (found < capacity)
				rows[found] = (struct Monitor_structure_row){
					.variable = (uint32_t)(cells[i].high >> KEY_VARIABLE_SHIFT),
					.home = (uint32_t)(cells[i].low >> 32),
					.source = (uint32_t)cells[i].low,
				};
			found++;
		}
		if (found <= capacity)
			row_add(&rows[found - 1], &cells[i]);
	}
	free(cells);
	return (int)found;
}

static int tally_all(struct Monitor *mon, const struct extents *extents, int outside,
		     struct Monitor_structure_row *rows, size_t capacity)
{
	struct tally tally = {.extents = extents, .outside = outside};
	int result = smile_page_table_known(mon);

	if (result < 0)
		return result;
	if (mon->histogram.ranges_limited || (!outside && mon->histogram.whole.count))
		return smile_error(ENODATA,
				   "ranges within pages were not counted: "
				   "Monitor_ranges_only() or Monitor_variables_only() left "
				   "them out");
	result = Monitor_walk_ranges(mon, tally_count, &tally);

	if (!result)
		result = rows_of(&tally.table, rows, capacity);
	smile_count_table_free(&tally.table);
	return result;
}

int Monitor_structures_info(struct Monitor *mon, struct Monitor_structure_row *rows,
			    size_t capacity)
{
	struct catalogue *catalogue;
	int error = smile_catalogue(mon, &catalogue);

	return error < 0 ? error : tally_all(mon, &catalogue->extents, 1, rows, capacity);
}

int Monitor_spans_info(struct Monitor *mon, const uint64_t *bounds, size_t spans,
		       struct Monitor_structure_row *rows, size_t capacity)
{
	struct extents extents = {0};
	int result = 0;

	for (size_t i = 0; i < spans && !result; i++) {
		if (bounds[i] >= bounds[i + 1])
			result = smile_error(EINVAL, "bounds of spans must ascend");
		else
			result = smile_extents_push(&extents, bounds[i], bounds[i + 1], bounds[i],
						    (uint32_t)i);
	}
	if (!result)
		result = tally_all(mon, &extents, 0, rows, capacity);
	smile_extents_free(&extents);
	return result;
}
