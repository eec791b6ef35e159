/* SPDX-License-Identifier: MIT */
/*
 * Page: node x node transfers and accesses by page.
 *
 * What lives here: the views that are sums over the page table.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/copy.h"
#include "lib/error.h"
#include "lib/monitor.h"

int Monitor_nodes(struct Monitor *mon)
{
	return (int)mon->histogram.nodes;
}

int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes)
{
	struct histogram_access access;
	size_t position = 0;

	memset(counts, 0, nodes * nodes * sizeof(*counts));
	while (smile_histogram_next(&mon->histogram, &position, &access)) {
		if (access.source < nodes && access.home < nodes)
			counts[access.source * nodes + access.home] += access.count;
	}
	return (int)mon->histogram.nodes;
}

static int by_page(const void *left, const void *right)
{
	const struct histogram_access *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (a->home != b->home)
		return a->home < b->home ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return 0;
}

static void add_access(struct Monitor_histogram_row *row, const struct histogram_access *access)
{
	row->accesses += access->count;
	if (access->type == SMILE_TYPE_READ)
		row->reads += access->count;
	if (access->type == SMILE_TYPE_WRITE)
		row->writes += access->count;
	if (access->type == SMILE_TYPE_LOCK)
		row->locks += access->count;
}

/* Fill in the ratios of the rows of one page. */
static void set_ratios(struct Monitor_histogram_row *rows, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rows[i].accesses;
	for (size_t i = 0; i < count; i++)
		rows[i].ratio = (double)rows[i].accesses / (double)sum;
}

int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows, size_t capacity)
{
	size_t count = 0, position = 0, found = 0, page_start = 0;
	size_t cells = mon->histogram.pages.used;
	struct Monitor_histogram_row *all;
	struct histogram_access *accesses;

	accesses = malloc((cells + 1) * sizeof(*accesses));
	all = calloc(cells + 1, sizeof(*all));
	if (!accesses || !all) {
		free(accesses);
		free(all);
		return smile_error(ENOMEM, "no memory for a histogram of %zu counts", cells);
	}
	while (smile_histogram_next(&mon->histogram, &position, &accesses[count]))
		count++;
	qsort(accesses, count, sizeof(*accesses), by_page);

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || by_page(&accesses[i - 1], &accesses[i])) {
			if (i && (accesses[i].page != accesses[i - 1].page ||
				  accesses[i].home != accesses[i - 1].home)) {
				set_ratios(all + page_start, found - page_start);
				page_start = found;
			}
			all[found++] = (struct Monitor_histogram_row){
				.page = accesses[i].page,
				.home = accesses[i].home,
				.source = accesses[i].source,
			};
		}
		add_access(&all[found - 1], &accesses[i]);
	}
	set_ratios(all + page_start, found - page_start);
	smile_copy(rows, capacity, all, found, sizeof(*rows));
	free(accesses);
	free(all);
	return (int)found;
}

int Monitor_page_home(struct Monitor *mon, uint64_t page)
{
	struct histogram_access access;
	size_t position = 0;
	int home = -1;

	while (smile_histogram_page_next(&mon->histogram, &position, page, &access)) {
		if (home >= 0 && (uint32_t)home != access.home)
			return smile_error(EMLINK,
					   "several nodes have a page %llu: name its home node too",
					   (unsigned long long)page);
		home = (int)access.home;
	}
	if (home < 0)
		home = smile_map_home(&mon->map, page);
	if (home < 0)
		return smile_error(ENOENT,
				   "page %llu was never accessed: smile report pages lists "
				   "those that were",
				   (unsigned long long)page);
	return home;
}
