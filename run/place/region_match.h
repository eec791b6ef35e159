/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Region match: find the region of the plan that corresponds to memory of the program.
 *
 * What lives here: the search. It is separate from all code that allocates memory, so that a test
 * can call it without such code. May use include/place/plan.h and <string.h>. The file makes no
 * system calls, and allocates no memory.
 */
#ifndef RUN_PLACE_REGION_MATCH_H
#define RUN_PLACE_REGION_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include <place/plan.h>

#define MATCH_PAGE 4096ULL
#define MATCH_NONE UINT32_MAX
#define MATCH_NOWHERE UINT64_MAX

/**
 * struct match_family - A family, which is a set of regions that differ only in their number.
 * @first: index, in the plan, of the region that represents the family
 * @caller: for a PLAN_BLOCK, the return address of the allocating call in this process;
 *          MATCH_NOWHERE: not known
 * @limit: one more than the largest number that the plan has for a region of the family
 * @count: number of different addresses that were seen so far, at most @limit
 * @addresses: these addresses, in the order in which they first appeared; shape [@limit]
 */
struct match_family {
	uint32_t first;
	uint64_t caller;
	uint32_t limit;
	uint32_t count;
	uint64_t *addresses;
};

/**
 * match_alike() - Check whether two regions belong to the same family.
 */
int match_alike(const struct plan_region *a, const struct plan_region *b);

/**
 * match_number() - Get the number of the region at an address in its family. An address that was
 * seen before keeps its number; a new address gets the next number.
 *
 * Return: the number, from 0; MATCH_NONE if the plan has no region with such a high number.
 */
uint32_t match_number(struct match_family *family, uint64_t address);

/**
 * match_name() - Check whether @name is the name of the region. If a name is long, the plan
 * contains only its first characters.
 */
int match_name(const struct plan_region *region, const char *name);

/**
 * match_path() - Check whether @path is the file @planned of the plan. Only the last parts of the
 * paths are compared, because the same library can be installed in another directory.
 */
int match_path(const char *planned, const char *path);

/**
 * match_run() - Find the run of the plan that gives the node of a page of this process.
 * @region: the region in the plan
 * @runs: the runs of the region
 * @start: start of the region in this process
 * @bytes: size of the region in this process
 * @page: number of the page in this process
 * @at: index of the run at which the search starts; it must not be after the result. Receives the
 *      index of the result
 *
 * If the memory starts at another offset in its page than in the recorded run, the page gets the
 * node of the recorded page that covers the larger part of this page. If the region has a different
 * number of pages than in the recorded run, the runs of the plan are scaled where possible: see
 * enum plan_scale.
 *
 * Return: the run; NULL if the plan has no node for the page.
 */
const struct plan_run *match_run(const struct plan_region *region, const struct plan_run *runs,
				 uint64_t start, uint64_t bytes, uint64_t page, uint32_t *at);

/**
 * match_is_scaled() - Check whether the region has a different number of pages than in the recorded
 * run.
 */
int match_is_scaled(const struct plan_region *region, uint64_t start, uint64_t bytes);

#endif /* RUN_PLACE_REGION_MATCH_H */
