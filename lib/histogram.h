/* SPDX-License-Identifier: MIT */
/*
 * Histogram: what all records together say.
 *
 * What lives here: the tables behind every view, and the keys of their counts. They grow with
 * what was touched, not with how often.
 *
 *   by page   (page, home, source, type, phase): transfers, pages, phases
 *   by block  (page, home, source, type, block): sections
 *   static    (counter, phase): what the static counters have counted
 *
 * A block is the smallest aligned power-of-two piece of the page that holds a record's whole range,
 * named as in a binary heap: block 1 is the page, blocks 2 and 3 its halves, and so on down to
 * blocks 1024 to 2047, the words. A section of any power-of-two size is then the sum of the blocks
 * in it, exactly, and the blocks above it are what straddles.
 */
#ifndef LIB_HISTOGRAM_H
#define LIB_HISTOGRAM_H

#include <smile/monitor.h>

#include "lib/table.h"

#define PAGE_WORDS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define HISTOGRAM_BLOCKS (2 * PAGE_WORDS)

/**
 * struct histogram - The counts.
 * @pages: by page
 * @blocks: by block
 * @statics: by static counter, of one card
 * @phases: the phases so far, shape [@phases_size]
 * @phases_size: room
 * @phases_count: how many have begun; at least the first
 * @nodes: highest node id seen, plus one
 * @delivered: sum of all counts, of requests and responses
 * @static_delivered: sum of all counts of static counters, of all cards
 * @lost: memory events lost
 * @marks_lost: EVENT records lost
 * @sleeps: EVENT records SMILE_EVENT_ASLEEP
 * @resets: EVENT records SMILE_EVENT_RESET
 */
struct histogram {
	struct table pages;
	struct table blocks;
	struct table statics;
	struct Monitor_phase *phases;
	size_t phases_size;
	size_t phases_count;
	uint32_t nodes;
	uint64_t delivered;
	uint64_t static_delivered;
	uint64_t lost;
	uint64_t marks_lost;
	uint64_t sleeps;
	uint64_t resets;
};

/**
 * struct histogram_access - One count of the page table, decoded.
 */
struct histogram_access {
	uint64_t page;
	uint32_t home;
	uint32_t source;
	uint32_t type;
	uint32_t phase;
	uint64_t count;
};

/**
 * struct histogram_stream - What is to be known of the stream that a record comes from.
 * @phase: phase that it is in
 * @config: the card's configuration: node id, filter, and whether tags are typed decide what a
 *          record means
 * @merged: the configurations of all cards in the view, [@merged_count]; NULL if there is one
 * @merged_count: how many
 * @other: not the first of several: its static counters are not the ones that are shown
 */
struct histogram_stream {
	uint32_t phase;
	struct smile_config config;
	const struct smile_config *merged;
	size_t merged_count;
	int other;
};

void smile_histogram_free(struct histogram *histogram);

/* A node is there, even if it never appears in a record. */
void smile_histogram_node(struct histogram *histogram, uint32_t node);

/* Count a record; one that cannot be decoded is -EPROTO and changes nothing. */
int smile_histogram_add(struct histogram *histogram, struct histogram_stream *stream,
			const struct smile_record *record);

/* Count it for the loss account alone. */
int smile_histogram_account(struct histogram *histogram, const struct smile_record *record);

/* The same for many, up to the first that is no plain count. Return: how many. */
size_t smile_histogram_account_many(struct histogram *histogram, const struct smile_record *records,
				    size_t count);

/* Phases to be shown: an open last one in which nothing was counted is none. */
size_t smile_histogram_phases(const struct histogram *histogram);

/* What static counter @index has counted in a phase. */
uint64_t smile_histogram_static(const struct histogram *histogram, uint32_t phase, uint32_t index);

/* Walk over the page table; 0 at the end. */
int smile_histogram_next(const struct histogram *histogram, size_t *position,
			 struct histogram_access *access);

/* The same, but over the counts of one page number, of any home node. */
int smile_histogram_page_next(const struct histogram *histogram, size_t *position, uint64_t page,
			      struct histogram_access *access);

/*
 * Walk over the block table; 0 at the end. @block is named as above; the phase is 0.
 */
int smile_histogram_block_next(const struct histogram *histogram, size_t *position,
			       struct histogram_access *access, uint32_t *block);

uint64_t smile_histogram_block(const struct histogram *histogram, uint64_t page, uint32_t home,
			       uint32_t source, uint32_t type, uint32_t block);

#endif /* LIB_HISTOGRAM_H */
