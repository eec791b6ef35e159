/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The range table's searches.
 *
 * What lives here: several searches for the entry of an event, all with the same result, and what
 * those with an index (struct dynamic_index) share. The plain search visits the entries as the
 * datasheet's section 6 describes; the others are tested against it. They compare a hash of the tag
 * for all entries at once, and read an entry itself only if the hash is equal. May use card.h.
 */
#ifndef EMU_CARD_SEARCH_H
#define EMU_CARD_SEARCH_H

#include "emu/card/card.h"

/*
 * What an event and its entry have in common, besides source, destination and, if typed, type and
 * request/response.
 */
enum search_how {
	SEARCH_WORD, /* the word: MAX_RANGE is one word */
	SEARCH_BLOCK, /* the block that no range leaves: MODE.ALIGNED, or MAX_RANGE is a page */
	SEARCH_RANGE, /* the page; whether the range can take the word is seen by its bounds */
	SEARCH_HOWS,
};

/* How many entries are compared at once. */
enum search_width {
	SEARCH_16,
	SEARCH_32,
	SEARCH_64,
	SEARCH_WIDTHS,
};

/* What a search's function returns: bits. */
#define SEARCH_COUNTED 1U /* the event was counted */
#define SEARCH_EXTENDED 2U /* the range grew */
#define SEARCH_FULL 4U /* there is no free entry */
#define SEARCH_SATURATED 8U /* the count of some entry is at its maximum */
#define SEARCH_BEGUN 16U /* the index has come into use */

/**
 * struct search_functions - A search for one way of matching and one number of entries.
 * @count: count an event whose tag is @nodes (search_nodes()) and, if tags are typed, @kind
 *	(search_kind()). Return: SEARCH_*
 * @lane: pass packets, as many as the fast lane (lane.h) takes. Return: how many
 * @requests: the same with requests that are decoded already
 */
struct search_functions {
	uint32_t (*count)(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			  uint32_t kind);
	size_t (*lane)(struct card *card, const struct card_frame *frames, size_t count);
	size_t (*requests)(struct card *card, const uint64_t *requests, const uint64_t *times_ns,
			   size_t count);
};

/**
 * struct search - A way to search the table.
 * @name: for people
 * @fewest: the plain search is used with fewer entries than these: it is as fast there; at least 2,
 *	so that the table is never empty after its victim has left
 * @available: can this processor do it?
 * @functions: with the index
 */
struct search {
	const char *name;
	uint32_t fewest;
	bool (*available)(void);
	struct search_functions functions[SEARCH_HOWS][SEARCH_WIDTHS];
};

/* ---- search.c ---- */

/* All searches that this program has, the plain one first, the fastest last; then NULL. */
extern const struct search *const search_all[];

/* The fastest that this processor can do. */
const struct search *search_fastest(void);

/* Build the index of the whole table, for this configuration. */
void search_build(struct dynamic_array *array, const struct smile_config *config);

/*
 * Count an event by the plain search, and bring the index up to date: for what the functions of a
 * struct search leave out, which call this.
 */
uint32_t search_slowly(struct dynamic_array *array, uint64_t address, uint32_t nodes,
		       uint32_t kind);

/* ---- search_plain.c ---- */

extern const struct search search_plain;

/* As dynamic_count(), dynamic_saturated() and dynamic_victim(), without the index. */
bool search_count(struct dynamic_array *array, const struct smile_config *config,
		  const struct blink_event *event, uint64_t *extensions);
int search_saturated(const struct dynamic_array *array, uint32_t entries);
int search_victim(const struct dynamic_array *array, uint32_t entries);

/* ---- search_avx2.c ---- */

#if defined(__x86_64__)
extern const struct search search_avx2;
#endif

/* ---- what those that use the index share ---- */

static inline uint32_t search_nodes(uint16_t source, uint16_t destination)
{
	return source | (uint32_t)destination << 16;
}

static inline uint32_t search_kind(uint8_t type, bool response)
{
	return type | (uint32_t)response << 8;
}

/* The event that both belong to. */
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
 * The block of @word: @word / MAX_RANGE in words, by multiplication, which is exact for all words
 * of a page.
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
 * The hash of what an event and its entry have in common. Two that differ may share it, but for
 * blocks of one page of which all else is equal: the multiplier, 2^64 by the golden ratio, keeps
 * the products of numbers that are so near to each other apart. The nodes overlay high bits of the
 * address.
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

/* The lowest bit of @mask, which is not 0. */
static inline int search_lowest(uint64_t mask)
{
	return __builtin_ctzll(mask);
}

/* Take entry @i out of the order of use, or make it the one used last. */
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
 * Entry @i is used again. No branch, since it could not be foreseen; no load of what was just
 * stored.
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

/* Entry @i, not saturated, was freed, and others are left. */
static inline void search_drop(struct dynamic_index *index, uint32_t i)
{
	search_unlink(index, i);
	index->valid &= ~(1ULL << i);
}

/* Entry @i was freed. An empty table can be configured anew: the next event chooses. */
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
