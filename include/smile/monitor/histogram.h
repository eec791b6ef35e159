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
 * Monitor_nodes() - Get the number of nodes seen so far.
 *
 * Return: one plus the highest node id in any record, including the card's own id.
 */
int Monitor_nodes(struct Monitor *mon);

/**
 * Monitor_get_packets() - Get the number of transfers from each node to each node.
 * @counts: receives the transactions by [source][destination]; caller-owned, shape [@nodes][@nodes]
 * @nodes: at least Monitor_nodes(); transfers from or to other nodes are left out
 *
 * Return: the number of nodes seen.
 * Source: [2002a] "run-time show" window; [2002b] "Run-time transfer" window.
 */
int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes);

/**
 * Monitor_payload_bytes() - Get the smallest payload of a transaction, in bytes.
 * @type: SMILE_TYPE_*
 *
 * The payload of a transaction is the sum of the payloads of its request and its response. The call
 * returns this sum for the smallest B-Link command of this type.
 *
 * Context: any thread.
 * Return: 16 for a read (the response of readsb has 16 bytes), for a write (the request writesb has
 * 16 bytes), and for a transaction of unknown type; 32 for a lock (request and response of locksb
 * have 16 bytes each); 0 for an event.
 * Source: defined by this project, from the table of commands in docs/registers.md.
 */
unsigned int Monitor_payload_bytes(unsigned int type);

/**
 * Monitor_get_bytes() - Get a lower bound of the bytes of payload from each node to each node.
 * @bytes: receives the bytes by [source][destination], the sum of the payload of requests and of
 *         responses; caller-owned, shape [@nodes][@nodes]
 * @nodes: at least Monitor_nodes(); transfers from or to other nodes are left out
 *
 * A counter counts transactions, but not their sizes. The call therefore assumes that each
 * transaction has the payload that Monitor_payload_bytes() returns for its type. The result is
 * exact if all transactions are readsb, writesb and locksb, as they are under `smile run` without
 * caches. If commands of 64 or 256 bytes were used, the payload on the link was larger. Headers are
 * not included.
 *
 * Return: the number of nodes seen.
 */
int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes);

/**
 * struct Monitor_histogram_row - Accesses of one node to one page.
 * @page: page number, address / SMILE_PAGE_BYTES
 * @home: node on which the page lies
 * @source: node that accessed the page
 * @accesses: all accesses
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @ratio: share of @accesses in the accesses of all nodes to this page, 0 to 1
 *
 * If the card counted with untyped tags, only @accesses is known, and @reads, @writes and @locks
 * are 0.
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
 * Monitor_histogram_info() - Get the accesses by page.
 * @rows: receives the rows, in ascending order of page, home and source; caller-owned array of
 *        @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Source: [2002a] "access histogram" window; [2002b] "Histogram table".
 */
int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows,
			   size_t capacity);

/**
 * Monitor_histogram_page() - Get the accesses to one page, without visiting other pages.
 * @page: page number
 * @home: its home node
 * @rows: receives the rows, in ascending order of source; there are at most Monitor_nodes() rows;
 *        caller-owned array of @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of rows, of which at most @capacity were filled in; 0 if no node accessed the
 * page.
 * Errors: -ENOMEM.
 * Source: as Monitor_histogram_info().
 */
int Monitor_histogram_page(struct Monitor *mon, uint64_t page, unsigned int home,
			   struct Monitor_histogram_row *rows, size_t capacity);

/**
 * typedef Monitor_page_function - Receives the rows of one page of a home node.
 * @rows: shape [@count]; they belong to the library and are valid until the function returns
 * @count: at least 1
 * @opaque: as passed to Monitor_walk_pages()
 *
 * Rows ascend by source, as in Monitor_histogram_info(). The function must not call a function that
 * reads records, such as Monitor_poll().
 *
 * Context: the thread that called the walk.
 * Return: 0 to continue; any other value ends the walk.
 */
typedef int (*Monitor_page_function)(const struct Monitor_histogram_row *rows, size_t count,
				     void *opaque);

/**
 * Monitor_walk_pages() - Pass the rows of Monitor_histogram_info() to a function, page by page.
 * @each: called for each page
 * @opaque: passed to @each
 *
 * Pages ascend by number and home. Unlike Monitor_histogram_info(), this call does not need memory
 * for all rows.
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 * Errors: -ENOMEM.
 * Source: as Monitor_histogram_info().
 */
int Monitor_walk_pages(struct Monitor *mon, Monitor_page_function each, void *opaque);

/**
 * Monitor_changes_begin() - Start to keep a list of the pages whose counts change.
 *
 * This call is for views that are updated repeatedly. It clears the list of earlier changes. After
 * this call, reading records is a little slower.
 *
 * Return: 0.
 * Errors: -ENOMEM; -ENODATA if accesses are not counted by page (Monitor_nodes_only()).
 */
int Monitor_changes_begin(struct Monitor *mon);

/**
 * Monitor_walk_changes() - Pass the rows of each page whose counts have changed to a function.
 * @each: called for each page with all of its rows, as by Monitor_walk_pages()
 * @opaque: passed to @each
 *
 * Pages ascend by number and home. A page's counts have changed if the page was accessed since the
 * last Monitor_changes_begin().
 *
 * Return: 0; otherwise the first result of the function @each that is not 0.
 * Errors: -ENODATA if Monitor_changes_begin() was not called, or if too many pages have changed for
 * the list: use Monitor_walk_pages(), which passes all pages; -ENOMEM.
 */
int Monitor_walk_changes(struct Monitor *mon, Monitor_page_function each, void *opaque);

/**
 * Monitor_page_home() - Get the home node of a page.
 * @page: page number
 *
 * If no record contains the page, the call returns the home node that Monitor_homes() has for the
 * page.
 *
 * Return: the node.
 * Errors: -ENOENT if neither a record nor Monitor_homes() has the page; -EMLINK if several nodes
 * have a page of this number.
 */
int Monitor_page_home(struct Monitor *mon, uint64_t page);

/**
 * Monitor_sections_info() - Get the accesses within one page, by section and node.
 * @home: the page's home node
 * @page: the page's number
 * @section_bytes: a power of two from 4 to 4096
 * @counts: receives the accesses by [section][node]; caller-owned, shape [SMILE_PAGE_BYTES /
 *          @section_bytes][@nodes]
 * @straddling: receives the accesses, by node, whose range reaches into more than one section; they
 *              count in the page's totals, but in no section; caller-owned, shape [@nodes]; may be
 *              NULL
 * @nodes: at least Monitor_nodes(); accesses of other nodes are left out
 *
 * A range belongs to the section that contains the smallest aligned power-of-two block around the
 * range. A range therefore straddles sections if and only if it crosses the border of a section.
 *
 * Return: the number of sections.
 * Errors: -ENOENT if the page was never accessed; -EINVAL.
 * Source: [2002a] "section" window; [2002b] "Page analysis" window.
 */
int Monitor_sections_info(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_read() - Get the reads within one page, by section and node.
 * @home: as for Monitor_sections_info()
 * @page: as for Monitor_sections_info()
 * @section_bytes: as for Monitor_sections_info()
 * @counts: as for Monitor_sections_info()
 * @straddling: as for Monitor_sections_info()
 * @nodes: as for Monitor_sections_info()
 *
 * This call does the same as Monitor_sections_info(), but only for reads.
 *
 * Return: as Monitor_sections_info().
 * Errors: as Monitor_sections_info().
 * Source: [2002a] "read/write" curves.
 */
int Monitor_sections_read(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_write() - Get the writes within one page, by section and node.
 * @home: as for Monitor_sections_info()
 * @page: as for Monitor_sections_info()
 * @section_bytes: as for Monitor_sections_info()
 * @counts: as for Monitor_sections_info()
 * @straddling: as for Monitor_sections_info()
 * @nodes: as for Monitor_sections_info()
 *
 * This call does the same as Monitor_sections_info(), but only for writes.
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
