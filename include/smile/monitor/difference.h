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

/* The home of a page if a view does not contain it. */
#define MONITOR_NO_HOME 0xffffffffU

/**
 * struct Monitor_difference - Accesses of one node to one page in two views.
 * @page: page number
 * @source: node that accessed it
 * @reserved: 0
 * @home: home node of the page in the first view and in the second view; or MONITOR_NO_HOME
 * @accesses: all accesses, in the first view and in the second view, as in the next three members
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
 * Monitor_difference() - The counts of two programs, runs or placements, side by side.
 * @first: a view
 * @second: another view; no other thread may use either view
 * @rows: caller-owned, shape [@capacity]; ascending by page, homes and source; may be NULL if
 *        @capacity is 0
 *
 * If both views have the homes of pages (Monitor_homes()), pages are matched by number only, and a
 * page can have another home in the second view. Otherwise pages with different homes are different
 * pages. The result includes rows in which nothing differs.
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL if the two views cannot be compared, because they have cards of different nodes,
 * addresses of different sizes, or accesses with and without types; the message names the reason.
 * -ENOMEM.
 */
int Monitor_difference(struct Monitor *first, struct Monitor *second,
		       struct Monitor_difference *rows, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_DIFFERENCE_H */
