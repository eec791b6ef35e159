/* SPDX-License-Identifier: MIT */
/*
 * Difference: gets the counts of two views, side by side.
 *
 * What lives here: the conditions under which two views can be compared, and the matching of their
 * rows.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/**
 * struct side - One of the two views.
 * @rows: rows of Monitor_histogram_info(). If homes are ignored, they are sorted by page and source
 * @count: number of rows
 */
struct side {
	struct Monitor_histogram_row *rows;
	size_t count;
};

/* ---- conditions ------------------------------------------------------------------------------ */

static int untyped(const struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct Monitor_histogram_row *row = &side->rows[i];

		if (row->accesses && !row->reads && !row->writes && !row->locks)
			return 1;
	}
	return 0;
}

/* Check that each node that has a card in @mon has a card in @other too. */
static int nodes_check(const struct Monitor *mon, const struct Monitor *other, const char *name)
{
	for (size_t i = 0; i < mon->streams_count; i++) {
		uint32_t node = mon->streams[i].context.config.node;
		size_t j = 0;

		while (j < other->streams_count && other->streams[j].context.config.node != node)
			j++;
		if (j == other->streams_count)
			return smile_error(EINVAL,
					   "there is no recording of node %u in %s of the two: "
					   "compare recordings of the same nodes",
					   node, name);
	}
	return 0;
}

static int sides_check(struct Monitor *first, struct Monitor *second, const struct side *sides)
{
	uint32_t modes[] = {first->streams[0].context.config.mode,
			    second->streams[0].context.config.mode};

	int error = nodes_check(first, second, "the second");

	if (!error)
		error = nodes_check(second, first, "the first");
	if (error < 0)
		return error;
	if ((modes[0] ^ modes[1]) & SMILE_MODE_NARROW)
		return smile_error(EINVAL, "one of the two was counted with narrow node ids and "
					   "addresses: its pages have other numbers");
	if (sides[0].count && sides[1].count && untyped(&sides[0]) != untyped(&sides[1]))
		return smile_error(EINVAL,
				   "one of the two does not count reads, writes and locks "
				   "separately: compare recordings with the same configuration");
	return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int compare(const struct Monitor_histogram_row *a, const struct Monitor_histogram_row *b,
		   int global)
{
	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (!global && a->home != b->home)
		return a->home < b->home ? -1 : 1;
	return (a->source > b->source) - (a->source < b->source);
}

static int by_page_and_source(const void *a, const void *b)
{
	return compare(a, b, 1);
}

static int side_load(struct side *side, struct Monitor *mon, int global)
{
	int count = Monitor_histogram_info(mon, NULL, 0);

	if (count < 0)
		return count;
	side->rows = malloc(((size_t)count + 1) * sizeof(*side->rows));
	if (!side->rows)
		return smile_error(ENOMEM, "no memory for a histogram of %d rows", count);
	count = Monitor_histogram_info(mon, side->rows, (size_t)count);
	if (count < 0)
		return count;
	side->count = (size_t)count;
	if (global)
		qsort(side->rows, side->count, sizeof(*side->rows), by_page_and_source);
	return 0;
}

static void row_set(struct Monitor_difference *difference, int which,
		    const struct Monitor_histogram_row *row)
{
	difference->page = row->page;
	difference->source = row->source;
	difference->home[which] = row->home;
	difference->accesses[which] += row->accesses;
	difference->reads[which] += row->reads;
	difference->writes[which] += row->writes;
	difference->locks[which] += row->locks;
}

/* Set the home of a page for the view that has not counted the page. */
static void home_set(struct Monitor_difference *difference, int which, struct Monitor *mon,
		     int global)
{
	int home;

	if (difference->home[which] != MONITOR_NO_HOME)
		return;
	if (!global) {
		difference->home[which] = difference->home[!which];
		return;
	}
	home = smile_map_home(&mon->map, difference->page);
	if (home >= 0)
		difference->home[which] = (uint32_t)home;
}

/* Make the next row from the rows of both views. Return: 1; 0 at the end. */
static int next(const struct side *sides, size_t *at, int global,
		struct Monitor_difference *difference)
{
	const struct Monitor_histogram_row *heads[2], *least = NULL;
	struct Monitor_histogram_row key;

	for (int i = 0; i < 2; i++) {
		heads[i] = at[i] < sides[i].count ? &sides[i].rows[at[i]] : NULL;
		if (heads[i] && (!least || compare(heads[i], least, global) < 0))
			least = heads[i];
	}
	if (!least)
		return 0;
	key = *least;
	*difference = (struct Monitor_difference){.home = {MONITOR_NO_HOME, MONITOR_NO_HOME}};
	for (int i = 0; i < 2; i++)
		for (; at[i] < sides[i].count && !compare(&sides[i].rows[at[i]], &key, global);
		     at[i]++)
			row_set(difference, i, &sides[i].rows[at[i]]);
	return 1;
}

int Monitor_difference(struct Monitor *first, struct Monitor *second,
		       struct Monitor_difference *rows, size_t capacity)
{
	int global = first->map.homes_count && second->map.homes_count;
	struct side sides[2] = {{0}, {0}};
	struct Monitor_difference row;
	size_t at[2] = {0, 0}, count = 0;
	int error = side_load(&sides[0], first, global);

	if (!error)
		error = side_load(&sides[1], second, global);
	if (!error)
		error = sides_check(first, second, sides);
	while (!error && next(sides, at, global, &row)) {
		home_set(&row, 0, first, global);
		home_set(&row, 1, second, global);
		if (count < capacity)
			rows[count] = row;
		count++;
	}
	free(sides[0].rows);
	free(sides[1].rows);
	return error < 0 ? error : (int)count;
}
