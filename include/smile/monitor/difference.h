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

/* The home node of a page that the view does not contain. */
#define MONITOR_NO_HOME 0xffffffffU

/**
 * struct Monitor_difference - Accesses of one node to one page in two views.
 * @page: page number
 * @source: node that accessed the page
 * @reserved: 0
 * @home: home node of the page in the first view and in the second view; MONITOR_NO_HOME for a view
 *        that does not contain the page
 * @accesses: all accesses, in the first view and in the second view; the next three members also
 *            have an element for each view
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
 * Monitor_difference() - Compare the counts of two programs, runs or placements.
 * @first: a view
 * @second: another view; no other thread may use either view
 * @rows: receives the rows, in ascending order of page, homes and source; caller-owned array of
 *        @capacity elements; may be NULL if @capacity is 0
 *
 * If both views have the homes of pages (Monitor_homes()), the call matches pages by their numbers
 * only, and a page can have another home in the second view. Otherwise pages with different homes
 * are different pages. The result also has the rows in which both views are equal.
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Errors: -EINVAL if the two views cannot be compared, because their cards are those of different
 * nodes, their addresses differ in size, or only one of them has the types of accesses; the message
 * names the reason; -ENOMEM.
 */
int Monitor_difference(struct Monitor *first, struct Monitor *second,
		       struct Monitor_difference *rows, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_DIFFERENCE_H */
