/* SPDX-License-Identifier: MIT */
/*
 * Sweep: sends the same traffic to cards with many different configurations.
 *
 * What lives here: the part of the traffic that the user has chosen, in memory. sweep_file.c reads
 * files, and sweep_card.c passes traffic to cards. May use the public API, histogram_rows.h and
 * memory.h.
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_TRAFFIC_H
#define LIB_ANALYSIS_SWEEP_SWEEP_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/sweep/sweep_ops.h"

/*
 * The largest number of events in memory. They need half a gigabyte, because each event has 16
 * bytes.
 */
#define SWEEP_EVENTS_MAX (32U << 20)

/**
 * struct sweep_event - A request. It consists of the two words of its frame that a card reads, in
 * little-endian order.
 */
struct sweep_event {
	uint64_t bd1;
	uint64_t bd2;
};

/**
 * struct sweep_choice - The part of the traffic that the user has chosen.
 * @page_given: @page was given; count only accesses to this page, at its home node. If neither
 *              @page_given nor @whole is set, count only accesses to the page with the most
 *              accesses
 * @page: number of the page
 * @whole: count all events of a node
 * @node_given: @node was given
 * @node: the home of the page; if @whole is set, the node whose events are counted
 * @filter: the types to count, as a mask of SMILE_FILTER_READ, _WRITE and _LOCK
 */
struct sweep_choice {
	int page_given;
	uint64_t page;
	int whole;
	int node_given;
	unsigned int node;
	unsigned int filter;
};

/**
 * struct sweep_traffic - The requests that are passed to the cards.
 * @events: requests, in the order in which they were sent on the B-Link
 * @count: number of requests
 * @room: number of requests for which @events has memory
 * @node: the node from whose B-Link the requests are: the home of the page, or the chosen node
 * @page: the page whose accesses are counted; it has no meaning if all events of a node are counted
 * @timed: @duration_ns is known
 * @duration_ns: duration of the traffic. For captures, it is the time from the first frame to the
 *               last frame; for recordings, it is the card's clock at the end
 * @untyped: some requests have no type
 */
struct sweep_traffic {
	struct sweep_event *events;
	size_t count;
	size_t room;
	unsigned int node;
	uint64_t page;
	int timed;
	uint64_t duration_ns;
	int untyped;
};

/**
 * sweep_traffic_load() - Read the files, and keep the part of the traffic that the user has chosen.
 * @traffic: all 0; the caller must free its events even after an error
 *
 * Return: 0; -errno; -EINTR if @ops->interrupted() ends the sweep.
 */
int sweep_traffic_load(struct sweep_traffic *traffic, char **files, int count,
		       const struct sweep_choice *choice, const struct sweep_ops *ops);

/**
 * sweep_traffic_add() - Append one request. If the user has chosen a page, ignore requests to other
 * pages.
 *
 * Return: 0; -E2BIG or -ENOMEM if there is no room for the request.
 */
int sweep_traffic_add(struct sweep_traffic *traffic, const struct sweep_event *event,
		      const struct sweep_choice *choice);

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_TRAFFIC_H */
