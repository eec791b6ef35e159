// SPDX-License-Identifier: MIT
/*
 * Sweep: loads the traffic. It converts captures, and recordings whose records are single accesses,
 * to an array of requests. The array is filled once and passed to cards many times. A request
 * consists of the sixteen bytes that a card reads.
 *
 * The B-Link of a node carries all remote accesses to the node's own pages, but only the node's own
 * accesses to the pages of other nodes. For this reason, a file has all accesses to a page only if
 * the home of the page is the node of the file.
 */
#include "lib/analysis/sweep/sweep_traffic.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/array.h>
#include <base/field.h>
#include <hw/blink.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/histogram_rows.h"
#include "lib/analysis/sweep/sweep_card.h"
#include "lib/analysis/sweep/sweep_file.h"

static unsigned int event_target(const struct sweep_event *event)
{
	return (unsigned int)SMILE_GET(BLINK_BD1_TARGET, le64toh(event->bd1));
}

static uint64_t event_page(const struct sweep_event *event)
{
	return SMILE_GET(BLINK_BD2_ADDRESS, le64toh(event->bd2)) / SMILE_PAGE_BYTES;
}

int sweep_traffic_add(struct sweep_traffic *traffic, const struct sweep_event *event,
		      const struct sweep_choice *choice)
{
	if (choice->page_given && event_page(event) != choice->page)
		return 0;
	if (traffic->count == SWEEP_EVENTS_MAX)
		return Monitor_error_set(E2BIG,
					 "more than %u accesses are too many to keep in memory; "
					 "choose one page with --page, or --types",
					 SWEEP_EVENTS_MAX);
	if (array_reserve(&traffic->events, &traffic->room, traffic->count,
			  sizeof(*traffic->events)) < 0)
		return Monitor_error_set(ENOMEM,
					 "no memory for %zu accesses; choose one page with --page",
					 traffic->count + 1);
	traffic->events[traffic->count++] = *event;
	return 0;
}

/* ---- node of the B-Link ---------------------------------------------------------------------- */

/*
 * Find the node whose B-Link a file was captured from. Return: 1 if @node is set; 0 if the file is
 * not usable; -ENODATA.
 */
static int own_node(const struct sweep_file *file, const struct sweep_choice *choice,
		    unsigned int *node)
{
	int first = file->is_end[0], second = file->is_end[1];

	if (!file->seen)
		return 0;
	if (choice->node_given) {
		*node = choice->node;
		/* If no node takes part in all frames, use the node that the user has chosen. */
		return (first && file->end[0] == *node) || (second && file->end[1] == *node) ||
		       (!first && !second);
	}
	if (first && second)
		return Monitor_error_set(
			ENODATA,
			"%s has only transactions between nodes %u and %u: which node's B-Link is "
			"it? Give --node, with --page for a page at its home",
			file->path, file->end[0], file->end[1]);
	if (!first && !second)
		return Monitor_error_set(
			ENODATA,
			"%s is not from one node's B-Link, because no node takes part in all "
			"frames: give --node, with --page for a page at its home",
			file->path);
	*node = first ? file->end[0] : file->end[1];
	return 1;
}

/* Keep only the events of the file that its node reports. @first: the first event of the file. */
static void file_filter(struct sweep_traffic *traffic, size_t first, int useful, unsigned int node,
			const struct sweep_choice *choice)
{
	size_t kept = first;

	for (size_t i = first; useful && i < traffic->count; i++)
		if (choice->whole || event_target(&traffic->events[i]) == node)
			traffic->events[kept++] = traffic->events[i];
	traffic->count = kept;
}

/**
 * struct loaded - State while files are read.
 * @node: a bit for each node whose file was read
 * @captured: a capture with frames was read
 * @first_ns: earliest time stamp of all captures
 * @last_ns: latest time stamp of all captures
 * @clock_ns: the latest clock of a recording
 * @untimed: at least one recording does not have its clock
 */
struct loaded {
	uint8_t node[65536 / 8];
	int captured;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t clock_ns;
	int untimed;
};

static void loaded_time(struct loaded *loaded, const struct sweep_file *file)
{
	if (!file->seen)
		return;
	if (file->recording) {
		if (!file->timed)
			loaded->untimed = 1;
		else if (file->last_ns > loaded->clock_ns)
			loaded->clock_ns = file->last_ns;
		return;
	}
	if (!loaded->captured || file->first_ns < loaded->first_ns)
		loaded->first_ns = file->first_ns;
	if (!loaded->captured || file->last_ns > loaded->last_ns)
		loaded->last_ns = file->last_ns;
	loaded->captured = 1;
}

static int file_load(struct sweep_traffic *traffic, const char *path,
		     const struct sweep_choice *choice, const struct sweep_ops *ops,
		     struct loaded *loaded)
{
	struct sweep_file file = {.path = path};
	size_t first = traffic->count;
	unsigned int node = 0;
	int useful = sweep_file_read(&file, traffic, choice, ops);

	if (useful < 0)
		return useful;
	useful = own_node(&file, choice, &node);
	if (useful < 0)
		return useful;
	if (useful && loaded->node[node / 8] & 1U << node % 8)
		return Monitor_error_set(
			EEXIST,
			"%s is of node %u, like an earlier file: give one file for each "
			"node",
			path, node);
	if (useful) {
		loaded->node[node / 8] |= (uint8_t)(1U << node % 8);
		traffic->node = node;
		loaded_time(loaded, &file);
	}
	file_filter(traffic, first, useful, node, choice);
	return 0;
}

/* ---- choice of the page ---------------------------------------------------------------------- */

/**
 * struct busiest - The page with the most accesses. If several pages have the same number of
 * accesses, it is the page with the lowest page number.
 */
struct busiest {
	uint64_t accesses;
	uint64_t page;
	uint32_t home;
};

static int busiest_take(const struct rows_page *page, void *opaque)
{
	struct busiest *busiest = opaque;

	if (page->accesses > busiest->accesses)
		*busiest = (struct busiest){page->accesses, page->rows->page, page->rows->home};
	return 0;
}

/* Find the page with the most accesses. A card with large counter ranges counts the accesses. */
static int busiest_find(const struct sweep_traffic *traffic, const struct sweep_ops *ops,
			uint64_t *page, unsigned int *home)
{
	struct busiest busiest = {.page = *page, .home = *home};
	struct Monitor *mon;
	int status = sweep_card_new(&mon, 0, SMILE_MODE_TYPED_TAGS, SMILE_ENTRIES_DEFAULT,
				    SMILE_PAGE_BYTES);

	if (status)
		return status;
	status = sweep_card_pass(mon, traffic, ops, NULL);
	if (!status)
		status = rows_walk(mon, busiest_take, &busiest);
	if (!status) {
		*page = busiest.page;
		*home = busiest.home;
	}
	Monitor_close(mon);
	return status;
}

static void page_filter(struct sweep_traffic *traffic, uint64_t page, unsigned int home)
{
	size_t kept = 0;

	for (size_t i = 0; i < traffic->count; i++)
		if (event_page(&traffic->events[i]) == page &&
		    event_target(&traffic->events[i]) == home)
			traffic->events[kept++] = traffic->events[i];
	traffic->count = kept;
}

static int page_choose(struct sweep_traffic *traffic, const struct sweep_choice *choice,
		       const struct sweep_ops *ops)
{
	unsigned int home = event_target(&traffic->events[0]);
	int failed;

	traffic->page = choice->page;
	if (!choice->page_given) {
		failed = busiest_find(traffic, ops, &traffic->page, &home);
		if (failed)
			return failed;
		page_filter(traffic, traffic->page, home);
	}
	for (size_t i = 0; i < traffic->count; i++)
		if (event_target(&traffic->events[i]) != home)
			return Monitor_error_set(EEXIST,
						 "nodes %u and %u both have a page %" PRIu64
						 ": choose one with --node",
						 home, event_target(&traffic->events[i]),
						 traffic->page);
	traffic->node = home;
	return 0;
}

/* ---- all traffic ----------------------------------------------------------------------------- */

static int nothing_left(const struct sweep_choice *choice)
{
	char node[64] = "";

	if (choice->node_given)
		snprintf(node, sizeof(node), " of node %u", choice->node);
	if (choice->whole)
		return Monitor_error_set(
			ENODATA, "the files have no access on the B-Link%s; see --types", node);
	if (choice->page_given)
		return Monitor_error_set(
			ENODATA,
			"the files hold no access to page %" PRIu64
			" at its home%s; `smile report pages` of a recording lists the pages",
			choice->page, choice->node_given ? node + 3 : "");
	return Monitor_error_set(
		ENODATA, "no file has an access by another node to the memory of the file's "
			 "node; to sweep the accesses that the node makes, give --node");
}

int sweep_traffic_load(struct sweep_traffic *traffic, char **files, int count,
		       const struct sweep_choice *choice, const struct sweep_ops *ops)
{
	struct loaded *loaded = analysis_memory(1, sizeof(*loaded));
	int status = loaded ? 0 : -ENOMEM;

	for (int i = 0; i < count && !status; i++)
		status = file_load(traffic, files[i], choice, ops, loaded);
	if (!status && !traffic->count)
		status = nothing_left(choice);
	if (!status && !choice->whole)
		status = page_choose(traffic, choice, ops);
	if (!status) {
		traffic->duration_ns = loaded->last_ns - loaded->first_ns;
		if (loaded->clock_ns > traffic->duration_ns)
			traffic->duration_ns = loaded->clock_ns;
		traffic->timed = !loaded->untimed && traffic->duration_ns;
	}
	free(loaded);
	return status;
}
