/* SPDX-License-Identifier: MIT */
/*
 * Comparison: the differences between two views.
 *
 * What lives here: the rows of Monitor_difference(), and their sums by page (comparison.c), by
 * region (compared_regions.c) and by pair of nodes (compared_pairs.c). May use the public API,
 * regions.h and memory.h.
 */
#ifndef LIB_ANALYSIS_DIFFERENCE_COMPARISON_H
#define LIB_ANALYSIS_DIFFERENCE_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/* Sums by view. Element 0 is for the first view, element 1 for the second. */
struct comparison_counts {
	uint64_t accesses[2];
	uint64_t reads[2];
	uint64_t writes[2];
	uint64_t locks[2];
};

/**
 * struct comparison_page - A page.
 * @rows: the page's first row
 * @count: number of rows
 * @counts: sums of the rows
 * @apart: the absolute difference of each node's accesses, summed over all nodes
 */
struct comparison_page {
	const struct Monitor_difference *rows;
	size_t count;
	struct comparison_counts counts;
	uint64_t apart;
};

/**
 * struct comparison_region - A region of either program's memory. One additional struct
 * comparison_region has the pages that are in no region.
 * @name: name by regions_name(); "-" for pages in no region
 * @kind: kind by regions_kind()
 * @start: the region's first address; if both views have the region, its address in the first view
 * @pages: number of accessed pages
 * @moved: number of accessed pages whose home differs between the views
 * @counts: sums over the pages
 * @apart: the absolute difference of each node's accesses, summed over the pages and all nodes
 */
struct comparison_region {
	char name[64];
	const char *kind;
	uint64_t start;
	uint64_t pages;
	uint64_t moved;
	struct comparison_counts counts;
	uint64_t apart;
};

/**
 * struct comparison_pair - The transactions of a pair of nodes in both views.
 * @from: the node that sends requests
 * @to: the node that receives the requests
 * @apart: absolute difference of the numbers of the pair's transactions
 */
struct comparison_pair {
	size_t from;
	size_t to;
	uint64_t apart;
};

/**
 * struct comparison - A comparison of two views.
 * @mon: the views
 * @rows: shape [@row_count]
 * @row_count: number of rows
 * @pages: pages by @apart, the largest first; shape [@page_count]
 * @page_count: number of pages
 * @regions: regions by @apart, the largest first; shape [@region_count]
 * @region_count: number of regions
 * @region_room: number of regions for which @regions has memory
 * @counts: sums over all pages
 * @apart: sum of the members @apart of all pages
 * @moved: number of pages whose home differs between the views
 * @nodes: number of nodes in both views
 */
struct comparison {
	struct Monitor *mon[2];
	struct Monitor_difference *rows;
	size_t row_count;
	struct comparison_page *pages;
	size_t page_count;
	struct comparison_region *regions;
	size_t region_count;
	size_t region_room;
	struct comparison_counts counts;
	uint64_t apart;
	uint64_t moved;
	size_t nodes;
};

/**
 * comparison_load() - Compare the two views in @comparison->mon. All other members must be 0 before
 * the call.
 *
 * Return: 0; -errno. Call comparison_free() in either case.
 */
int comparison_load(struct comparison *comparison);

/**
 * comparison_free() - Free the memory that comparison_load() has allocated. The views stay open.
 */
void comparison_free(struct comparison *comparison);

/**
 * comparison_regions() - A step of comparison_load(): fill in @regions.
 *
 * Return: 0; -ENOMEM.
 */
int comparison_regions(struct comparison *comparison);

/**
 * comparison_counts_add() - Add the counts in @from to @to.
 */
void comparison_counts_add(struct comparison_counts *to, const struct comparison_counts *from);

/**
 * comparison_page_moved() - Return whether a page is on another node in the second view.
 */
int comparison_page_moved(const struct comparison_page *page);

/**
 * comparison_page_counts() - Get the sums of a page that was found in another comparison of the
 * same views.
 * @homes: the page's homes in the caller's comparison. In @comparison, the page may have rows for
 *         only one of these homes, or no rows
 *
 * Return: the sums; all 0 if @comparison does not have the page.
 */
struct comparison_counts comparison_page_counts(const struct comparison *comparison, uint64_t page,
						const uint32_t *homes);

/*
 * Get the sums of a page as comparison_page_counts() does, but only for the accesses of the node of
 * @row.
 */
struct comparison_counts comparison_node_counts(const struct comparison *comparison,
						const struct Monitor_difference *row);

/**
 * comparison_region_find() - Find a region of one comparison in another comparison of the same
 * views.
 *
 * Return: the region in @comparison; NULL if @comparison does not have it.
 */
const struct comparison_region *comparison_region_find(const struct comparison *comparison,
						       const struct comparison_region *region);

/**
 * comparison_pages_apart() - Get the number of pages that differ in the two views. They are at the
 * beginning of @comparison->pages.
 * @threshold: the smallest difference in accesses; 0: count any difference, including a different
 *             home
 */
size_t comparison_pages_apart(const struct comparison *comparison, uint64_t threshold);

/**
 * comparison_percent() - Get the difference of the two views as a percentage of the accesses in the
 * first view.
 */
double comparison_percent(const struct comparison *comparison);

/**
 * comparison_pairs() - Find the pairs of nodes whose numbers of transactions differ between the
 * views. The pair with the largest difference comes first.
 * @packets: the matrices of the first and the second view, as Monitor_get_packets() fills them in;
 *           shape [@nodes][@nodes]
 * @pairs: receives the pairs, which the caller must free; NULL if no pair differs
 *
 * Return: the number of pairs; -ENOMEM.
 */
int comparison_pairs(uint64_t *const packets[2], size_t nodes, struct comparison_pair **pairs);

#endif /* LIB_ANALYSIS_DIFFERENCE_COMPARISON_H */
