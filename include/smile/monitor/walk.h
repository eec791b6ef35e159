/* SPDX-License-Identifier: MIT */
/*
 * Walks: functions that pass all counts to a function of the caller. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_WALK_H
#define SMILE_MONITOR_WALK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * These functions are for views of the whole address space. In one pass over all pages, they report
 * the counts that Monitor_phase_info() and Monitor_sections_info() report for a single page.
 */

/**
 * struct Monitor_count - A count with its key.
 * @page: page number, address / SMILE_PAGE_BYTES
 * @home: home node of the page
 * @source: node that accessed the page
 * @type: SMILE_TYPE_*
 * @phase: number of the phase, as in Monitor_phases(); 0 from Monitor_walk_ranges()
 * @offset: first byte within the page; 0 from Monitor_walk_phases()
 * @bytes: a power of two. From Monitor_walk_phases(), SMILE_PAGE_BYTES; from Monitor_walk_ranges(),
 *         the size of the smallest aligned block that holds the counted range
 * @accesses: number of accesses, never 0
 */
struct Monitor_count {
	uint64_t page;
	uint32_t home;
	uint32_t source;
	uint32_t type;
	uint32_t phase;
	uint32_t offset;
	uint32_t bytes;
	uint64_t accesses;
};

/**
 * typedef Monitor_walk_function - Receives one count.
 * @count: the count, valid until the function returns
 * @opaque: as passed to the walk
 *
 * The function must not call a function that reads records, such as Monitor_poll().
 *
 * Context: the thread that called the walk.
 * Return: 0 to continue; any other value ends the walk.
 */
typedef int (*Monitor_walk_function)(const struct Monitor_count *count, void *opaque);

/**
 * Monitor_walk_phases() - Walk all accesses by page, home, source, type and phase.
 * @each: called for each count
 * @opaque: passed to @each
 *
 * Each combination is passed once, in no particular order. The sums equal the counts of
 * Monitor_histogram_info() and Monitor_phase_info().
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 */
int Monitor_walk_phases(struct Monitor *mon, Monitor_walk_function each, void *opaque);

/**
 * Monitor_walk_ranges() - Walk all accesses by page, home, source, type and block.
 * @each: called for each count
 * @opaque: passed to @each
 *
 * Each combination is passed once, in no particular order. The accesses of a section are the sum of
 * the accesses of all blocks within the section. The accesses of a block that is larger than a
 * section straddle sections.
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 * Source: as Monitor_sections_info().
 */
int Monitor_walk_ranges(struct Monitor *mon, Monitor_walk_function each, void *opaque);

/**
 * Monitor_walk_page_phases() - Walk the accesses of one page by source, type and phase.
 * @page: page number
 * @home: its home node
 * @each: called for each count
 * @opaque: passed to @each
 *
 * The call passes the same counts for this page as Monitor_walk_phases(), but does not walk other
 * pages. It passes no counts if the page was never accessed.
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 */
int Monitor_walk_page_phases(struct Monitor *mon, uint64_t page, unsigned int home,
			     Monitor_walk_function each, void *opaque);

/**
 * Monitor_walk_page_ranges() - Walk the accesses of one page by source, type and block.
 * @page: page number
 * @home: its home node
 * @each: called for each count
 * @opaque: passed to @each
 *
 * The call passes the same counts for this page as Monitor_walk_ranges(), but does not walk other
 * pages. It passes no counts if the page was never accessed.
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 * Source: as Monitor_sections_info().
 */
int Monitor_walk_page_ranges(struct Monitor *mon, uint64_t page, unsigned int home,
			     Monitor_walk_function each, void *opaque);

/**
 * Monitor_walk_pairs() - Walk all transactions by source, home, type and phase.
 * @each: called for each count; the member @page of the count has no meaning
 * @opaque: passed to @each
 *
 * A combination can be passed several times. Its count is the sum of the passed counts, as in
 * Monitor_get_packets(). After Monitor_changes_begin(), the library keeps these sums, so that the
 * time of the walk does not depend on the number of pages.
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 * Source: as Monitor_get_packets().
 */
int Monitor_walk_pairs(struct Monitor *mon, Monitor_walk_function each, void *opaque);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_WALK_H */
