/* SPDX-License-Identifier: MIT */
/*
 * Sweep: one traffic, passed by cards of many configurations; what the files of `smile sweep`
 * share.
 *
 * What lives here: the traffic in memory, what came of each configuration, and how both are shown.
 * The cards are those of the library's source "emu:".
 */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#define SWEEP_LIST_MAX 64
/* Events kept in memory, 16 bytes each: half a gigabyte. */
#define SWEEP_EVENTS_MAX (32U << 20)

/**
 * struct sweep_event - A request: the two words of its frame that a card looks at, little-endian.
 */
struct sweep_event {
	uint64_t bd1;
	uint64_t bd2;
};

/**
 * struct sweep_choice - Which part of the traffic the user wants.
 * @page_given: one page, at its home node; else @whole, or the page with the most accesses
 * @page: its number
 * @whole: all events of a node
 * @node_given: @node was given
 * @node: the page's home, or the node
 * @filter: SMILE_FILTER_READ, _WRITE, _LOCK
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
 * struct sweep_traffic - What passes by the cards.
 * @events: requests, in the order in which they were on the B-Link
 * @count: how many
 * @room: and for how many there is room
 * @node: whose B-Link: the page's home, or the node
 * @page: the page; meaningless for a whole node
 * @timed: @duration_ns is known
 * @duration_ns: how long the traffic took: of captures from their first frame to their last, of
 *               recordings the card's clock at its end
 * @untyped: some events came without their type
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
 * struct sweep_point - A configuration, and what came of it.
 * @counters: counters of the dynamic array
 * @range_bytes: MAX_RANGE
 * @flushes: records that the card wrote, all of them
 * @drained: those of them that were swapped out at the end
 * @extensions: how often a counter's range grew
 */
struct sweep_point {
	unsigned int counters;
	unsigned int range_bytes;
	uint64_t flushes;
	uint64_t drained;
	uint64_t extensions;
};

/**
 * struct sweep - All of it.
 * @files: captures and recordings
 * @files_count: how many
 * @choice: of the traffic
 * @traffic: the traffic
 * @mode: SMILE_MODE_TYPED_TAGS, SMILE_MODE_ALIGNED
 * @counters: rows, [@counters_count]
 * @counters_count: how many
 * @ranges: columns, [@ranges_count]
 * @ranges_count: how many
 * @points: by [counters][ranges]
 * @seconds: what rates are over; 0 if that is not known
 */
struct sweep {
	char **files;
	int files_count;
	struct sweep_choice choice;
	struct sweep_traffic traffic;
	unsigned int mode;
	unsigned int counters[SWEEP_LIST_MAX];
	size_t counters_count;
	unsigned int ranges[SWEEP_LIST_MAX];
	size_t ranges_count;
	struct sweep_point *points;
	double seconds;
};

/**
 * sweep_traffic_load() - Read the files, and keep what was chosen.
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int sweep_traffic_load(struct sweep_traffic *traffic, char **files, int count,
		       const struct sweep_choice *choice);

/**
 * sweep_card_new() - A card in this process that counts requests.
 * @node: its node id
 * @mode: SMILE_MODE_TYPED_TAGS, SMILE_MODE_ALIGNED
 *
 * Return: the Monitor, started; NULL after saying why not.
 */
struct Monitor *sweep_card_new(unsigned int node, unsigned int mode, unsigned int counters,
			       unsigned int range_bytes);

/**
 * sweep_card_pass() - Pass the whole traffic by a card, and take in all that it counts.
 * @point: receives what came of it; NULL: not asked for
 *
 * Checks that the sum of the counts is the number of events. Return: TOOL_OK; TOOL_ERROR after
 * saying why not, also after a signal.
 */
int sweep_card_pass(struct Monitor *mon, const struct sweep_traffic *traffic,
		    struct sweep_point *point);

/**
 * sweep_bytes_per_second() - Data rate of a point; 0 if the time is not known.
 */
double sweep_bytes_per_second(const struct sweep *sweep, const struct sweep_point *point);

/**
 * sweep_show_tables() - To standard output: a table each of flushes, bytes, extensions, rates.
 */
void sweep_show_tables(const struct sweep *sweep);

/**
 * sweep_show_json() - The same as a document, schema smile.sweep/1.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int sweep_show_json(const struct sweep *sweep);

/**
 * sweep_show_csv() - The same as rows for other programs, one a configuration.
 */
void sweep_show_csv(const struct sweep *sweep);

/**
 * sweep_plot() - Draw flushes and extensions as SVG, by gnuplot.
 * @path: file to write
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int sweep_plot(const struct sweep *sweep, const char *path);

#endif /* TOOLS_SWEEP_H */
