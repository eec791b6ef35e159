/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Match: finds the region of the plan that corresponds to memory of the program.
 *
 * What lives here: the search, separate from all code that allocates memory, so that it can be
 * tested on its own. May use include/place/plan.h and <string.h>; it makes no system calls, and
 * allocates nothing.
 */
#ifndef RUN_PLACE_MATCH_H
#define RUN_PLACE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include <place/plan.h>

#define MATCH_PAGE 4096ULL
#define MATCH_NONE UINT32_MAX
#define MATCH_NOWHERE UINT64_MAX

/**
 * struct match_family - Regions that differ only in their number.
 * @first: the region of the plan that represents the family
 * @caller: for a BLOCK, the return address in this process; MATCH_NOWHERE: not known
 * @limit: one more than the largest number that the plan names
 * @count: number of different addresses so far, at most @limit
 * @addresses: these addresses, in the order of their first appearance; shape [@limit]
 */
struct match_family {
	uint32_t first;
	uint64_t caller;
	uint32_t limit;
	uint32_t count;
	uint64_t *addresses;
};

/**
 * match_alike() - Are two regions of one family?
 */
int match_alike(const struct plan_region *a, const struct plan_region *b);

/**
 * match_number() - Get the number of an address in its family: its earlier number, or the next one.
 *
 * Return: the number, from 0; MATCH_NONE if the plan has no region with so large a number.
 */
uint32_t match_number(struct match_family *family, uint64_t address);

/**
 * match_name() - Is this the name of a region? The plan has only the beginning of a long name.
 */
int match_name(const struct plan_region *region, const char *name);

/**
 * match_path() - Is this the file of a mapping or object? The last part of the path decides: the
 * same library can be installed elsewhere.
 */
int match_path(const char *planned, const char *path);

/**
 * match_run() - Find the run that determines the node of a page of the process.
 * @region: the region in the plan
 * @runs: its runs
 * @start: start of the region in this process
 * @bytes: size of the region in this process
 * @page: the page of this process
 * @at: index at which the search starts, not behind the result; updated
 *
 * If the memory starts at another offset in a page than in the recorded run, a page is placed like
 * the recorded page that covers its larger part. If the region has another number of pages, its
 * runs are scaled, if that is possible: see enum plan_scale. Return: the run; NULL: the plan does
 * not name the page.
 */
const struct plan_run *match_run(const struct plan_region *region, const struct plan_run *runs,
				 uint64_t start, uint64_t bytes, uint64_t page, uint32_t *at);

/**
 * match_is_scaled() - Does a region have another number of pages than in the recorded run?
 */
int match_is_scaled(const struct plan_region *region, uint64_t start, uint64_t bytes);

#endif /* RUN_PLACE_MATCH_H */
