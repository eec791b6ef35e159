/* SPDX-License-Identifier: MIT */
/*
 * Difference between two views. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_DIFFERENCE_H
#define SMILE_MONITOR_DIFFERENCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/* The home of a page that a view does not know. */
#define MONITOR_NO_HOME 0xffffffffU

/**
 * struct Monitor_difference - Accesses of one node to one page in two views.
 * @page: page number
 * @source: node that accessed it
 * @reserved: 0
 * @home: where the page lies, in the first view and in the second; MONITOR_NO_HOME
 * @accesses: in the first view, and in the second; so are the others
 * @reads: reads
 * @writes: writes
 * @locks: locks
 */
struct Monitor_difference {
	uint64_t page;
	uint32_t source;
	uint32_t reserved;
	uint32_t home[2];
	uint64_t accesses[2];
	uint64_t reads[2];
	uint64_t writes[2];
	uint64_t locks[2];
};

/**
 * Monitor_difference() - What cards counted, of two programs, runs or placements, side by side.
 * @first: a view
 * @second: another; both are used by this thread alone
 * @rows: caller-owned, shape [@capacity]; ascending by page, homes and source; may be NULL if
 *        @capacity is 0
 *
 * If both views know the homes of pages (Monitor_homes()), a page is the same page wherever it
 * lies, and can have another home in the second view. Else pages of different homes are different
 * pages. Rows are there also where nothing differs.
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL if the two cannot be compared, with a message that says why: cards of different
 * nodes, addresses of different sizes, accesses with and without types; -ENOMEM.
 */
int Monitor_difference(struct Monitor *first, struct Monitor *second,
		       struct Monitor_difference *rows, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_DIFFERENCE_H */
