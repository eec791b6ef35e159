/* SPDX-License-Identifier: MIT */
/*
 * Histograms: accesses by page, section and node. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_HISTOGRAM_H
#define SMILE_MONITOR_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_nodes() - Nodes seen so far.
 *
 * Return: the highest node id in any record, or the card's own, plus one.
 */
int Monitor_nodes(struct Monitor *mon);

/**
 * Monitor_get_packets() - Node x node transfers.
 * @counts: caller-owned, shape [@nodes][@nodes], transactions by [source][destination]
 * @nodes: Monitor_nodes() at least; transfers from or to other nodes are left out
 *
 * Return: nodes seen.
 * Source: [2002a] "run-time show" window; [2002b] "Run-time transfer" window.
 */
int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes);

/**
 * Monitor_payload_bytes() - Least payload of a transaction, in bytes.
 * @type: SMILE_TYPE_*
 *
 * This is the payload of the smallest B-Link command of this type, request and response together.
 *
 * Context: any thread.
 * Return: 16 for a read (readsb is answered with 16 bytes), for a write (writesb brings 16 bytes),
 * and for one of unknown type; 32 for a lock (locksb does both); 0 for an event.
 * Source: defined here, by the table of commands in docs/registers.md.
 */
unsigned int Monitor_payload_bytes(unsigned int type);

/**
 * Monitor_get_bytes() - Node x node transfers in bytes of payload: a lower bound.
 * @bytes: caller-owned, shape [@nodes][@nodes], bytes by [source][destination]; the payload of
 *         requests and of responses is not distinguished
 * @nodes: Monitor_nodes() at least; transfers from or to other nodes are left out
 *
 * A counter counts transactions, and not how large each was: each counts with
 * Monitor_payload_bytes(). Exact where all are readsb, writesb and locksb, as from `smile run`
 * without caches; less than what went over the link where commands of 64 and 256 bytes were used.
 * Headers are not included.
 *
 * Return: nodes seen.
 */
int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes);

/**
 * struct Monitor_histogram_row - Accesses of one node to one page.
 * @page: page number, address / SMILE_PAGE_BYTES
 * @home: node where the page lies
 * @source: node that accessed it
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @ratio: share of @accesses in the accesses of all nodes to this page, 0 to 1
 *
 * With untyped tags, @accesses counts and the three others are 0.
 */
struct Monitor_histogram_row {
	uint64_t page;
	uint32_t home;
	uint32_t source;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	double ratio;
};

/**
 * Monitor_histogram_info() - Accesses by page.
 * @rows: caller-owned, shape [@capacity]; ascending by page, home and source; may be NULL if
 *        @capacity is 0
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Source: [2002a] "access histogram" window; [2002b] "Histogram table".
 */
int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows,
			   size_t capacity);

/**
 * Monitor_histogram_page() - Accesses to one page, without a look at the others.
 * @page: page number
 * @home: its home node
 * @rows: caller-owned, shape [@capacity]; ascending by source; Monitor_nodes() rows hold all; may
 *        be NULL if @capacity is 0
 *
 * Return: the number of rows, 0 if nobody accessed it; min(that, @capacity) of them were filled in.
 * Errors: -ENOMEM.
 * Source: as Monitor_histogram_info().
 */
int Monitor_histogram_page(struct Monitor *mon, uint64_t page, unsigned int home,
			   struct Monitor_histogram_row *rows, size_t capacity);

/**
 * typedef Monitor_page_function - Receives the rows of one page of a home node.
 * @rows: shape [@count], the library's, until the function returns
 * @count: at least 1
 * @opaque: as passed to Monitor_walk_pages()
 *
 * Rows ascend by source, as in Monitor_histogram_info(). The function must not call anything that
 * takes in records.
 *
 * Context: the thread that called the walk.
 * Return: 0 to go on; anything else ends the walk.
 */
typedef int (*Monitor_page_function)(const struct Monitor_histogram_row *rows, size_t count,
				     void *opaque);

/**
 * Monitor_walk_pages() - Hand out the rows of Monitor_histogram_info() page by page.
 * @each: called for each page
 * @opaque: passed to @each
 *
 * Pages ascend by number and home. No caller needs memory for all of them.
 *
 * Return: 0; what @each returned, if not 0.
 * Errors: -ENOMEM.
 * Source: as Monitor_histogram_info().
 */
int Monitor_walk_pages(struct Monitor *mon, Monitor_page_function each, void *opaque);

/**
 * Monitor_changes_begin() - Keep from now on which pages' counts change.
 *
 * For views that are made again and again. Earlier changes are forgotten. Taking in records becomes
 * a little slower.
 *
 * Return: 0.
 * Errors: -ENOMEM; -ENODATA if pages are not distinguished.
 */
int Monitor_changes_begin(struct Monitor *mon);

/**
 * Monitor_walk_changes() - Hand out the rows of pages whose counts have changed.
 * @each: called for each page, with all of its rows, as from Monitor_walk_pages()
 * @opaque: passed to @each
 *
 * Pages ascend by number and home. They are those that have been accessed since the last
 * Monitor_changes_begin().
 *
 * Return: 0; what @each returned, if not 0.
 * Errors: -ENODATA if Monitor_changes_begin() was not called, or if too many pages have changed to
 * be kept: Monitor_walk_pages() has all; -ENOMEM.
 */
int Monitor_walk_changes(struct Monitor *mon, Monitor_page_function each, void *opaque);

/**
 * Monitor_page_home() - Home node of a page.
 * @page: page number
 *
 * For a page that no record names, the home that Monitor_homes() has.
 *
 * Return: the node.
 * Errors: -ENOENT if neither knows it; -EMLINK if several nodes have a page of this number.
 */
int Monitor_page_home(struct Monitor *mon, uint64_t page);

/**
 * Monitor_sections_info() - Accesses within one page, by section and node.
 * @home: the page's home node
 * @page: the page's number
 * @section_bytes: a power of two from 4 to 4096
 * @counts: caller-owned, shape [SMILE_PAGE_BYTES / @section_bytes][@nodes], accesses
 * @straddling: caller-owned, shape [@nodes], accesses whose range is in more than one section:
 *              exact in page totals, and in no section here; may be NULL
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * A range is placed by the smallest aligned power-of-two block that holds it, so a range that
 * crosses a section border always straddles, and one that does not never does.
 *
 * Return: the number of sections.
 * Errors: -ENOENT if the page was never accessed; -EINVAL.
 * Source: [2002a] "section" window; [2002b] "Page analysis" window.
 */
int Monitor_sections_info(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_read() - Reads within one page, by section and node.
 * @home: as of Monitor_sections_info()
 * @page: as of Monitor_sections_info()
 * @section_bytes: as of Monitor_sections_info()
 * @counts: as of Monitor_sections_info()
 * @straddling: as of Monitor_sections_info()
 * @nodes: as of Monitor_sections_info()
 *
 * As Monitor_sections_info(), for reads alone.
 *
 * Return: as Monitor_sections_info().
 * Errors: as Monitor_sections_info().
 * Source: [2002a] "read/write" curves.
 */
int Monitor_sections_read(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_write() - Writes within one page, by section and node.
 * @home: as of Monitor_sections_info()
 * @page: as of Monitor_sections_info()
 * @section_bytes: as of Monitor_sections_info()
 * @counts: as of Monitor_sections_info()
 * @straddling: as of Monitor_sections_info()
 * @nodes: as of Monitor_sections_info()
 *
 * As Monitor_sections_info(), for writes alone.
 *
 * Return: as Monitor_sections_info().
 * Errors: as Monitor_sections_info().
 * Source: [2002a] "read/write" curves.
 */
int Monitor_sections_write(struct Monitor *mon, unsigned int home, uint64_t page,
			   unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			   size_t nodes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_HISTOGRAM_H */
