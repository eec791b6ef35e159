/* SPDX-License-Identifier: MIT */
/*
 * Histogram: adds up the counts of all records.
 *
 * What lives here: the tables from which every view is made, and the keys of their counts. The size
 * of the tables depends on the memory that the program accessed, and not on the number of accesses.
 *
 *   by page   (page, home; phase, source, type): transfers, pages, phases
 *   by block  (page, home; source, type, block): sections
 *   static    (counter, phase): counts of the static counters
 *   changes   changes since the last view was made, if they are requested
 *
 * A block is an aligned part of a page whose size is a power of two. A record is counted in the
 * smallest block that contains the whole range of the record. Blocks are numbered as in a binary
 * heap. Block 1 is the page, blocks 2 and 3 are its halves, and so on. Blocks 1024 to 2047 are the
 * words. If the size of a section is a power of two, the count of the section is the exact sum of
 * the counts of the blocks in it. Accesses that were counted in a larger block may be to several
 * sections.
 */
#ifndef LIB_COUNTS_HISTOGRAM_H
#define LIB_COUNTS_HISTOGRAM_H

#include <smile/monitor.h>

#include <base/page_ranges.h>

#include "lib/counts/changes.h"
#include "lib/counts/page_table.h"
#include "lib/base/count_table.h"

#define PAGE_WORDS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define HISTOGRAM_BLOCKS (2 * PAGE_WORDS)

/**
 * struct histogram - The counts.
 * @pages: counts by page and by block
 * @counts: number of counts by page
 * @nodes_only: accesses are counted as if the only page were page 0
 * @ranges_limited: accesses are counted by block only in some pages
 * @ranges_page: the first page whose accesses are counted by block
 * @ranges_pages: number of pages whose accesses are counted by block
 * @whole: maps a page to 1 if all its accesses are counted in the block of the whole page
 * @whole_first: first page of the range that the last search in @whole found
 * @whole_last: last page of this range
 * @whole_last_is: the pages of this range are in @whole
 * @again: while the records are read a second time, maps a page to 1 if its accesses are counted by
 *         block. The second reading counts nothing else. At all other times, @again is empty
 * @changes: changes since the last view was made; NULL: changes are not kept
 * @statics: counts of the static counters of one card
 * @phases: the phases so far, shape [@phases_size]
 * @phases_size: number of phases for which @phases has memory
 * @phases_count: number of phases that have begun, at least 1
 * @nodes: highest node id in the records, plus one
 * @delivered: sum of all counts, of requests and responses
 * @static_delivered: sum of all counts of the static counters of all cards
 * @lost: number of lost memory events
 * @marks_lost: number of lost EVENT records
 * @sleeps: number of EVENT records SMILE_EVENT_ASLEEP
 * @resets: number of EVENT records SMILE_EVENT_RESET
 */
struct histogram {
	struct page_table pages;
	size_t counts;
	int nodes_only;
	int ranges_limited;
	uint64_t ranges_page;
	uint64_t ranges_pages;
	struct page_ranges whole;
	uint64_t whole_first;
	uint64_t whole_last;
	int whole_last_is;
	struct page_ranges again;
	struct changes *changes;
	struct count_table statics;
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
 * struct histogram_access - A count of the page table, with the members of its key.
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
 * struct histogram_stream - The properties of a stream that determine how its records are counted.
 * @phase: the present phase of the stream
 * @config: the card's configuration. The meaning of a record depends on the node id, the filter,
 *          and whether tags are typed
 * @merged: the configurations of all cards in the view, [@merged_count]; NULL if the view has one
 *          card
 * @merged_count: number of cards
 * @elsewhere: for each other node, a mask of the transactions that the node's own card counts
 *             (histogram_batch.c); shape [@elsewhere_nodes]; NULL: not known yet
 * @elsewhere_nodes: number of nodes in @elsewhere
 * @marks: if the view has several streams, the times of the first @phase phase marks of this
 *         stream; it has memory for @marks_size times
 * @other: several streams are counted, and this stream is not the first one, so its static counters
 *         are not shown
 */
struct histogram_stream {
	uint32_t phase;
	struct smile_config config;
	const struct smile_config *merged;
	size_t merged_count;
	uint8_t *elsewhere;
	uint32_t elsewhere_nodes;
	uint64_t *marks;
	size_t marks_size;
	int other;
};

/**
 * struct histogram_walk - The position of a walk over all counts; initially all zero.
 * @next: position in the page table after the current page
 * @page: the current page, or NULL
 * @position: position in the counts of the current page
 */
struct histogram_walk {
	size_t next;
	const struct page_counts *page;
	size_t position;
};

void smile_histogram_free(struct histogram *histogram);

void smile_histogram_stream_free(struct histogram_stream *stream);

/* Note that a node exists, so that views show the node even if no record names it. */
void smile_histogram_node(struct histogram *histogram, uint32_t node);

/*
 * Count a record. Return: 0; -EPROTO if the record cannot be decoded, in which case nothing has
 * changed; another -errno.
 */
int smile_histogram_add(struct histogram *histogram, struct histogram_stream *stream,
			const struct smile_record *record);

/*
 * Count several records, up to the first record that is not a plain count. Return: the number of
 * counted records. If a record could not be counted, *@error is set.
 */
size_t smile_histogram_add_many(struct histogram *histogram, struct histogram_stream *stream,
				const struct smile_record *records, size_t count, int *error);

/* Make sure that phase @phase exists. */
int smile_histogram_phase(struct histogram *histogram, size_t phase);

/*
 * This stream's card counts some transactions with the type @type. Return whether the card of @node
 * counts the same transactions too. @direction: the direction of their requests, as seen by the
 * card of @node. The direction of the responses is the opposite one.
 */
int smile_histogram_counted_by(const struct histogram_stream *stream, uint32_t node, uint32_t type,
			       uint32_t direction);

/* Return whether a card with this configuration counts responses instead of requests. */
static inline int histogram_responses(const struct smile_config *config)
{
	return !(config->filter & SMILE_FILTER_REQUEST);
}

/* Make the key of a count by page. */
static inline uint64_t histogram_access_key(uint32_t phase, uint32_t source, uint32_t type)
{
	return (uint64_t)phase << 18 | source << 2 | type;
}

static inline uint32_t histogram_access_source(uint64_t key)
{
	return (uint32_t)(key >> 2) & 0xffff;
}

static inline uint32_t histogram_access_phase(uint64_t key)
{
	return (uint32_t)(key >> 18);
}

static inline uint32_t histogram_access_type(uint64_t key)
{
	return (uint32_t)key & 3;
}

/* Make the key of a count by block. */
static inline uint64_t histogram_block_key(uint32_t source, uint32_t type, uint32_t block)
{
	return (uint64_t)source << 13 | type << 11 | block;
}

/*
 * Get the smallest aligned block that contains the words @first to @last and whose size is a power
 * of two.
 */
static inline uint32_t histogram_block_of(uint32_t first, uint32_t last)
{
	uint32_t differ = first ^ last;

	return (PAGE_WORDS + first) >> (differ ? 32 - __builtin_clz(differ) : 0);
}

/* The block of a whole page. */
#define HISTOGRAM_BLOCK_PAGE 1U

/* Return whether a page is in @histogram->whole. */
static inline int histogram_is_whole(struct histogram *histogram, uint64_t page)
{
	const struct page_ranges *whole = &histogram->whole;
	size_t at;

	if (!whole->count)
		return 0;
	/*
	 * Compare the page with the range of the last search first, because successive accesses are
	 * often to neighbouring pages.
	 */
	if (page >= histogram->whole_first && page <= histogram->whole_last)
		return histogram->whole_last_is;
	at = page_ranges_at(whole, page);
	histogram->whole_last_is = 0;
	if (at < whole->count && whole->items[at].first <= page) {
		histogram->whole_first = whole->items[at].first;
		histogram->whole_last = whole->items[at].last;
		histogram->whole_last_is = whole->items[at].value != 0;
	} else {
		histogram->whole_first = at ? whole->items[at - 1].last + 1 : 0;
		histogram->whole_last = at < whole->count ? whole->items[at].first - 1 : UINT64_MAX;
	}
	return histogram->whole_last_is;
}

/* Return whether the accesses to a page are counted by block. */
static inline int histogram_has_blocks(const struct histogram *histogram, uint64_t page)
{
	if (histogram->nodes_only)
		return 0;
	return !histogram->ranges_limited ||
	       page - histogram->ranges_page < histogram->ranges_pages;
}

/* Return whether the accesses to a page are counted by the ranges of the card's counters. */
static inline int histogram_has_ranges(struct histogram *histogram, uint64_t page)
{
	return histogram_has_blocks(histogram, page) && !histogram_is_whole(histogram, page);
}

/*
 * Prepare to read the same records a second time, in order to count accesses by block that were
 * counted in the block of the whole page. The function finds the pages in @pages to which this
 * applies, and stores them in @histogram->again. Return: 0; -ENOMEM.
 */
int smile_histogram_again(struct histogram *histogram, const uint64_t *pages, size_t count);

/*
 * Count several accesses to a page whose positions in the page are not known. Return: 0; -ENOMEM.
 */
int smile_histogram_add_page(struct histogram *histogram, uint32_t phase, uint64_t page,
			     uint32_t home, uint32_t source,
			     const uint64_t counts[SMILE_TYPE_COUNT]);

/* Count a record only for the loss account, and not in the tables. */
int smile_histogram_account(struct histogram *histogram, const struct smile_record *record);

/*
 * Count several records only for the loss account, and not in the tables, up to the first record
 * that is not a plain count. Return: the number of counted records.
 */
size_t smile_histogram_account_many(struct histogram *histogram, const struct smile_record *records,
				    size_t count);

/*
 * Get the number of phases to show. If the last phase is still open and has no counts, it is left
 * out.
 */
size_t smile_histogram_phases(const struct histogram *histogram);

/* Get the count of static counter @index in a phase. */
uint64_t smile_histogram_static(const struct histogram *histogram, uint32_t phase, uint32_t index);

/* Get the next count by page. Return: 1; 0 at the end. */
int smile_histogram_next(const struct histogram *histogram, struct histogram_walk *walk,
			 struct histogram_access *access);

/* Get the next count of one page. Return: 1; 0 at the end. */
int smile_histogram_page_next(const struct page_counts *page, size_t *position,
			      struct histogram_access *access);

/*
 * Get the next count by block. @block: receives the number of the block. The phase of @access is
 * set to 0. Return: 1; 0 at the end.
 */
int smile_histogram_block_next(const struct histogram *histogram, struct histogram_walk *walk,
			       struct histogram_access *access, uint32_t *block);

/* Get the next count by block of one page. Return: 1; 0 at the end. */
int smile_histogram_page_block(const struct page_counts *page, size_t *position,
			       struct histogram_access *access, uint32_t *block);

#endif /* LIB_COUNTS_HISTOGRAM_H */
