/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The searches of the range table.
 *
 * What lives here: several searches for the entry of an event, which all have the same result, and
 * the code that the indexed searches share (struct dynamic_index). The plain search visits the
 * entries one after another, as the datasheet's section 6 describes. The other searches are tested
 * against it. They compare a hash of the tag with the hashes of all entries at once, and read an
 * entry only if its hash is equal. May use card.h.
 */
#ifndef EMU_CARD_SEARCH_H
#define EMU_CARD_SEARCH_H

#include "emu/card/card.h"

/*
 * The part of the address that must be equal in an event and in its entry. Source and destination
 * must also be equal. If tags are typed, the type must be equal as well, and both must be requests
 * or both must be responses.
 */
enum search_how {
	SEARCH_WORD, /* the word; used if MAX_RANGE is one word */
	/* the block that contains each range; used for MODE.ALIGNED, or if MAX_RANGE is a page */
	SEARCH_BLOCK,
	SEARCH_RANGE, /* the page; the bounds of the range decide whether it can include the word */
	SEARCH_HOWS,
};

/* The number of entries that a search compares in one step. */
enum search_width {
	SEARCH_16,
	SEARCH_32,
	SEARCH_64,
	SEARCH_WIDTHS,
};

/* The bits of the result of a search function. */
#define SEARCH_COUNTED 1U /* the event was counted */
#define SEARCH_EXTENDED 2U /* the range of the entry was extended */
#define SEARCH_FULL 4U /* no entry is free any longer */
#define SEARCH_SATURATED 8U /* the count of at least one entry is at its maximum */
#define SEARCH_BEGUN 16U /* the index is now in use */

/**
 * struct search_functions - The functions of a search for one enum search_how and one enum
 * search_width.
 * @count: count an event. The tag of the event is @nodes (search_nodes()) and, if tags are typed,
 *         @kind (search_kind()). Return: SEARCH_*
 * @fast_path: process as many packets as possible on the fast path (fast_path.h). Return: the
 *        number of these packets
 */
struct search_functions {
	uint32_t (*count)(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			  uint32_t kind);
	size_t (*fast_path)(struct card *card, const struct card_frame *frames, size_t count);
};

/**
 * struct search - An implementation of the search.
 * @name: name of the search in messages
 * @fewest: smallest number of entries for which the search is used, at least 2. For fewer entries,
 *          the plain search is as fast, and is used instead. A table with at least 2 entries that
 *          was full is not empty after one entry was swapped out
 * @available: checks whether this processor supports the search
 * @functions: the functions, which use the index
 */
struct search {
	const char *name;
	uint32_t fewest;
	bool (*available)(void);
	struct search_functions functions[SEARCH_HOWS][SEARCH_WIDTHS];
};

/* ---- search.c ---- */

/*
 * All searches of this program, ended by NULL. The plain search is the first, and the fastest
 * search is the last.
 */
extern const struct search *const search_all[];

/* Get the fastest search that this processor supports. */
const struct search *search_fastest(void);

/* Build the index of the whole table for this configuration. */
void search_build(struct dynamic_array *array, const struct smile_config *config);

/*
 * Count an event by the plain search, and update the index. The indexed functions call this
 * function for cases that they do not handle.
 */
uint32_t search_slowly(struct dynamic_array *array, uint64_t address, uint32_t nodes,
		       uint32_t kind);

/* ---- search_plain.c ---- */

extern const struct search search_plain;

/* Implement dynamic_count(), dynamic_saturated() and dynamic_victim() without the index. */
bool search_count(struct dynamic_array *array, const struct smile_config *config,
		  const struct blink_event *event, uint64_t *extensions);
int search_saturated(const struct dynamic_array *array, uint32_t entries);
int search_victim(const struct dynamic_array *array, uint32_t entries);

/* ---- search_avx2.c ---- */

#if defined(__x86_64__)
extern const struct search search_avx2;
#endif

/* ---- code that the indexed searches share ---- */

static inline uint32_t search_nodes(uint16_t source, uint16_t destination)
{
	return source | (uint32_t)destination << 16;
}

static inline uint32_t search_kind(uint8_t type, bool response)
{
	return type | (uint32_t)response << 8;
}

/* Compose an event from an address, nodes and kind. */
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
 * Compute the factor that replaces a division. The block of a word is the word's number divided by
 * MAX_RANGE in words. The division is done by a multiplication, which is exact for all words of a
 * page.
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
 * Compute the hash of a tag, which is equal for an event and its entry. Different tags may have
 * equal hashes. If two tags differ only in the block, and both blocks are in the same page, their
 * hashes are never equal: the multiplier, which is 2^64 divided by the golden ratio, maps
 * neighbouring numbers far apart. The nodes are combined with the high bits of the address.
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

/* Get the index of the lowest bit of @mask. @mask must not be 0. */
static inline int search_lowest(uint64_t mask)
{
	return __builtin_ctzll(mask);
}

/*
 * search_unlink() removes entry @i from the list that orders the entries by their last use.
 * search_link() appends entry @i as the most recently used one.
 */
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
 * Make entry @i the most recently used one. The code has no branch, because the processor could not
 * predict the branch. The code also does not load a value that it has just stored.
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

/*
 * Remove the freed entry @i from the index. The entry must not be saturated, and other entries must
 * remain.
 */
static inline void search_drop(struct dynamic_index *index, uint32_t i)
{
	search_unlink(index, i);
	index->valid &= ~(1ULL << i);
}

/*
 * Remove the freed entry @i from the index. If the table is now empty, stop using the index: the
 * table may be configured again, and the next event chooses the functions.
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
