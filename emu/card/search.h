/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The range table's searches.
 *
 * What lives here: several searches for the entry of an event, all with the same result, and the
 * code shared by the indexed ones (struct dynamic_index). The plain search visits the entries as
 * the datasheet's section 6 describes. The others are tested against it. They compare a hash of the
 * tag for all entries at once, and read an entry itself only if the hash is equal. May use card.h.
 */
#ifndef EMU_CARD_SEARCH_H
#define EMU_CARD_SEARCH_H

#include "emu/card/card.h"

/*
 * The part of an address that must be equal in an event and its entry. Source and destination must
 * be equal too, and, if tags are typed, type and request/response.
 */
enum search_how {
	SEARCH_WORD, /* the word: MAX_RANGE is one word */
	SEARCH_BLOCK, /* the block that contains each range: MODE.ALIGNED, or MAX_RANGE is a page */
	SEARCH_RANGE, /* the page; the bounds decide whether the range can take the word */
	SEARCH_HOWS,
};

/* Number of entries that are compared at the same time. */
enum search_width {
	SEARCH_16,
	SEARCH_32,
	SEARCH_64,
	SEARCH_WIDTHS,
};

/* Bits of a search function's result. */
#define SEARCH_COUNTED 1U /* the event was counted */
#define SEARCH_EXTENDED 2U /* the range grew */
#define SEARCH_FULL 4U /* there is no free entry */
#define SEARCH_SATURATED 8U /* the count of at least one entry is at its maximum */
#define SEARCH_BEGUN 16U /* the index is now in use */

/**
 * struct search_functions - A search for one way of matching and one number of entries.
 * @count: count an event whose tag is @nodes (search_nodes()) and, if tags are typed, @kind
 * 	(search_kind()). Return: SEARCH_*
 * @lane: pass as many packets as possible on the fast lane (lane.h). Return: their number
 */
struct search_functions {
	uint32_t (*count)(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			  uint32_t kind);
	size_t (*lane)(struct card *card, const struct card_frame *frames, size_t count);
};

/**
 * struct search - An implementation of the search.
 * @name: name in messages
 * @fewest: least number of entries, at least 2; with fewer the plain search is as fast and is used.
 *	With 2 the table is never empty after an entry was swapped out
 * @available: does this processor support it?
 * @functions: functions that use the index
 */
struct search {
	const char *name;
	uint32_t fewest;
	bool (*available)(void);
	struct search_functions functions[SEARCH_HOWS][SEARCH_WIDTHS];
};

/* ---- search.c ---- */

/* All searches in this program, terminated by NULL: the plain one first, the fastest last. */
extern const struct search *const search_all[];

/* The fastest search that this processor supports. */
const struct search *search_fastest(void);

/* Build the index of the whole table for this configuration. */
void search_build(struct dynamic_array *array, const struct smile_config *config);

/*
 * Count an event by the plain search and update the index. The indexed functions call this for the
 * cases that they do not handle.
 */
uint32_t search_slowly(struct dynamic_array *array, uint64_t address, uint32_t nodes,
		       uint32_t kind);

/* ---- search_plain.c ---- */

extern const struct search search_plain;

/* Do the work of dynamic_count(), dynamic_saturated() and dynamic_victim() without the index. */
bool search_count(struct dynamic_array *array, const struct smile_config *config,
		  const struct blink_event *event, uint64_t *extensions);
int search_saturated(const struct dynamic_array *array, uint32_t entries);
int search_victim(const struct dynamic_array *array, uint32_t entries);

/* ---- search_avx2.c ---- */

#if defined(__x86_64__)
extern const struct search search_avx2;
#endif

/* ---- shared by the indexed searches ---- */

static inline uint32_t search_nodes(uint16_t source, uint16_t destination)
{
	return source | (uint32_t)destination << 16;
}

static inline uint32_t search_kind(uint8_t type, bool response)
{
	return type | (uint32_t)response << 8;
}

/* Compose the event for an address, nodes and kind. */
static inline struct blink_event search_event(uint64_t address, uint32_t nodes, uint32_t kind)
{
	return (struct blink_event){
		.class = kind >> 8 ? BLINK_CLASS_RESPONSE : BLINK_CLASS_REQUEST,
		.type = (uint8_t)kind,
		.source = (uint16_t)nodes,
		.target = (uint16_t)(nodes >> 16),
		.address = address,
	};
}

/*
 * The block of @word is @word / MAX_RANGE in words. The division is a multiplication, which is
 * exact for all words of a page.
 */
static inline uint32_t search_reciprocal(uint32_t range_words)
{
	return (1U << 24) / range_words + 1;
}

static inline uint32_t search_block(const struct dynamic_index *index, uint32_t word)
{
	return (uint32_t)((uint64_t)word * index->reciprocal >> 24);
}

/*
 * The hash of the tag that an event and its entry share. Different tags may have equal hashes,
 * except for two blocks of one page that differ in nothing else: the multiplier, 2^64 divided by
 * the golden ratio, maps such neighbouring numbers far apart. The nodes overlay the high bits of
 * the address.
 */
#define SEARCH_MULTIPLIER 0x9e3779b97f4a7c15ULL

static inline uint16_t search_tag(enum search_how how, uint64_t address, uint32_t block,
				  uint32_t nodes, uint32_t kind)
{
	uint64_t place = address / SMILE_PAGE_BYTES;

	if (how == SEARCH_WORD)
		place = address / SMILE_WORD_BYTES;
	else if (how == SEARCH_BLOCK)
		place = place * (SMILE_PAGE_BYTES / SMILE_WORD_BYTES) + block;
	place ^= (uint64_t)nodes << 32 ^ (uint64_t)kind << 44;
	return (uint16_t)(place * SEARCH_MULTIPLIER >> 48);
}

/* Get the lowest bit of @mask, which must not be 0. */
static inline int search_lowest(uint64_t mask)
{
	return __builtin_ctzll(mask);
}

/* Remove entry @i from the order of use, or make it the most recently used. */
static inline void search_unlink(struct dynamic_index *index, uint32_t i)
{
	uint32_t newer = index->newer[i], older = index->older[i];

	index->older[newer] = (uint8_t)older;
	index->newer[older] = (uint8_t)newer;
}

static inline void search_link(struct dynamic_index *index, uint32_t i)
{
	uint32_t older = index->older[SMILE_ENTRIES_MAX];

	index->older[i] = (uint8_t)older;
	index->newer[older] = (uint8_t)i;
	index->newer[i] = SMILE_ENTRIES_MAX;
	index->older[SMILE_ENTRIES_MAX] = (uint8_t)i;
}

/*
 * Make entry @i the most recently used. Written without a branch, which could not be predicted, and
 * without a load of a value that was just stored.
 */
static inline void search_relink(struct dynamic_index *index, uint32_t i)
{
	uint32_t newer = index->newer[i], older = index->older[i];
	uint32_t newest = index->older[SMILE_ENTRIES_MAX];
	uint32_t is_newest = 0U - (newest == i);
	uint32_t next = (newest & ~is_newest) | (older & is_newest);

	index->older[newer] = (uint8_t)older;
	index->newer[older] = (uint8_t)newer;
	index->older[i] = (uint8_t)next;
	index->newer[next] = (uint8_t)i;
	index->newer[i] = SMILE_ENTRIES_MAX;
	index->older[SMILE_ENTRIES_MAX] = (uint8_t)i;
}

/* Remove the freed entry @i, which was not saturated, while other entries are left. */
static inline void search_drop(struct dynamic_index *index, uint32_t i)
{
	search_unlink(index, i);
	index->valid &= ~(1ULL << i);
}

/*
 * Remove the freed entry @i. If the table is now empty, it can be configured again: the next event
 * selects the functions.
 */
static inline void search_forget(struct dynamic_array *array, uint32_t i)
{
	struct dynamic_index *index = &array->index;

	search_drop(index, i);
	if (index->saturated)
		index->saturated &= ~(1ULL << i);
	if (!index->valid)
		index->count = NULL;
}

#endif /* EMU_CARD_SEARCH_H */
