/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The search of the range table with AVX2: an instruction compares 16 entries.
 *
 * What lives here: comparing and storing the 16-bit elements of vectors; a function for each enum
 * search_how and each enum search_width, and a variant of it that contains the fast path
 * (fast_path.h). The file is compiled for all x86-64 processors, and used on processors with AVX2.
 *
 * Whole vectors are stored, not only the 16 bits that change. A load that covers several earlier
 * stores must wait until all of them have left the store queue, which would take about 15 cycles
 * for each event. For the same reason, the fields of an entry are never read with a wider access
 * than they were written.
 */
#include <string.h>

#include "emu/card/search.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SEARCH_TARGET __attribute__((target("avx2,bmi,bmi2")))
#define INLINE static inline __attribute__((always_inline)) SEARCH_TARGET
#define VECTORS_MAX 4

/* Get the number of vectors with 16 elements each. */
INLINE int vectors(enum search_width width)
{
	return width == SEARCH_16 ? 1 : width == SEARCH_32 ? 2 : VECTORS_MAX;
}

INLINE __m256i load(const uint16_t *lane)
{
	return _mm256_loadu_si256((const __m256i *)lane);
}

/* Convert elements, each of which is all ones or all zeros, to one bit each. */
INLINE uint64_t bits_of_16(__m256i lanes)
{
	return (uint16_t)_mm_movemask_epi8(
		_mm_packs_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1)));
}

INLINE uint64_t bits_of_32(__m256i low, __m256i high)
{
	__m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);

	return (uint32_t)_mm256_movemask_epi8(packed);
}

INLINE uint64_t bits(const __m256i vector[VECTORS_MAX], enum search_width width)
{
	if (width == SEARCH_16)
		return bits_of_16(vector[0]);
	if (width == SEARCH_32)
		return bits_of_32(vector[0], vector[1]);
	return bits_of_32(vector[0], vector[1]) | bits_of_32(vector[2], vector[3]) << 32;
}

/* Compare the tags. Return: bit i is set if tag i is equal. */
INLINE uint64_t compare_tags(const struct dynamic_index *index, enum search_width width,
			     uint16_t tag)
{
	__m256i wanted = _mm256_set1_epi16((short)tag), equal[VECTORS_MAX];

	for (int i = 0; i < vectors(width); i++)
		equal[i] = _mm256_cmpeq_epi16(load(index->tag + 16 * i), wanted);
	return bits(equal, width);
}

/*
 * Compare the ranges with a word. Return: bit i is set if range i, extended to the word, is no
 * longer than MAX_RANGE. @inside: bit i is set if range i contains the word.
 */
INLINE uint64_t compare_ranges(const struct dynamic_index *index, enum search_width width,
			       uint32_t word, uint64_t *inside)
{
	__m256i words = _mm256_set1_epi16((short)word);
	__m256i limit = _mm256_set1_epi16((short)index->range_words);
	__m256i joins[VECTORS_MAX], contains[VECTORS_MAX];

	for (int i = 0; i < vectors(width); i++) {
		__m256i first = load(index->first + 16 * i), last = load(index->last + 16 * i);
		__m256i less_1 = _mm256_sub_epi16(_mm256_max_epi16(last, words),
						  _mm256_min_epi16(first, words));

		joins[i] = _mm256_cmpgt_epi16(limit, less_1);
		contains[i] = _mm256_cmpeq_epi16(less_1, _mm256_sub_epi16(last, first));
	}
	*inside = bits(contains, width);
	return bits(joins, width);
}

/* Store a tag or a bound of entry @index. */
INLINE void put_lane(uint16_t *lane, enum search_width width, uint32_t index, uint16_t value)
{
	const __m256i numbers =
		_mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

	for (int i = 0; i < vectors(width); i++) {
		__m256i place = _mm256_set1_epi16((short)(index - 16U * (uint32_t)i));
		__m256i put =
			_mm256_blendv_epi8(load(lane + 16 * i), _mm256_set1_epi16((short)value),
					   _mm256_cmpeq_epi16(numbers, place));

		_mm256_storeu_si256((__m256i *)(lane + 16 * i), put);
	}
}

/*
 * An entry is filled by four stores, and compared by three loads. These accesses depend on the
 * layout of struct dynamic_entry.
 */
_Static_assert(offsetof(struct dynamic_entry, first) == 16, "first word, last word,");
_Static_assert(offsetof(struct dynamic_entry, last) == 18, "then source and destination");
_Static_assert(offsetof(struct dynamic_entry, source) == 20, "in the order of search_nodes()");
_Static_assert(offsetof(struct dynamic_entry, destination) == 22, "in 8 bytes");
_Static_assert(offsetof(struct dynamic_entry, count) == 24, "count,");
_Static_assert(offsetof(struct dynamic_entry, type) == 26, "type and response");
_Static_assert(offsetof(struct dynamic_entry, response) == 27, "in the order of search_kind(),");
_Static_assert(offsetof(struct dynamic_entry, valid) == 28, "valid");
_Static_assert(sizeof(struct dynamic_entry) == 32, "in 8 bytes");

/* The key of an event, by which its entry is found. */
struct event_key {
	uint64_t page;
	uint32_t word;
	uint32_t nodes;
	uint32_t kind;
};

INLINE uint64_t one_word_range(const struct event_key *key)
{
	return key->word * 0x10001U | (uint64_t)key->nodes << 32;
}

/*
 * Check whether an entry whose hash is equal also has an equal tag. The block within the page need
 * not be compared: if the tags of two blocks of a page do not differ in anything else, the blocks
 * have different hashes.
 */
INLINE bool same(const struct dynamic_array *array, uint32_t i, const struct event_key *key,
		 enum search_how how)
{
	const struct dynamic_entry *entry = &array->entry[i];
	uint64_t range;
	uint32_t nodes;
	uint16_t kind;

	memcpy(&kind, &entry->type, sizeof(kind));
	if (how == SEARCH_WORD) {
		memcpy(&range, &entry->first, sizeof(range));
		return !((entry->page ^ key->page) | (range ^ one_word_range(key)) |
			 (kind ^ key->kind));
	}
	memcpy(&nodes, &entry->source, sizeof(nodes));
	return !((entry->page ^ key->page) | (nodes ^ key->nodes) | (kind ^ key->kind));
}

/* Extend the range of entry @i to a word. Return: true if the range has grown. */
INLINE bool extend(struct dynamic_array *array, uint32_t i, uint32_t word, enum search_how how,
		   enum search_width width)
{
	struct dynamic_entry *entry = &array->entry[i];
	bool grew = false;

	if (word < entry->first) {
		entry->first = (uint16_t)word;
		if (how == SEARCH_RANGE)
			put_lane(array->index.first, width, i, (uint16_t)word);
		grew = true;
	}
	if (word > entry->last) {
		entry->last = (uint16_t)word;
		if (how == SEARCH_RANGE)
			put_lane(array->index.last, width, i, (uint16_t)word);
		grew = true;
	}
	return grew;
}

/* Fill the free entry with the lowest index, if an entry is free. Return: SEARCH_*. */
INLINE uint32_t fill(struct dynamic_array *array, const struct event_key *key, uint16_t tag,
		     enum search_how how, enum search_width width)
{
	struct dynamic_index *index = &array->index;
	uint64_t range = one_word_range(key);
	uint64_t count = 1 | key->kind << 16 | 1ULL << 32;
	uint32_t occupied = array->occupied + 1;
	struct dynamic_entry *entry;
	uint32_t i;

	array->clock++;
	if (occupied > index->entries)
		return 0;
	i = (uint32_t)search_lowest(~index->valid);
	entry = &array->entry[i];
	array->occupied = occupied;
	index->valid |= index->valid + 1;
	entry->used = array->clock;
	entry->page = key->page;
	memcpy(&entry->first, &range, sizeof(range));
	memcpy(&entry->count, &count, sizeof(count));
	put_lane(index->tag, width, i, tag);
	if (how == SEARCH_RANGE) {
		put_lane(index->first, width, i, (uint16_t)key->word);
		put_lane(index->last, width, i, (uint16_t)key->word);
	}
	search_link(index, i);
	return occupied == index->entries ? SEARCH_COUNTED | SEARCH_FULL : SEARCH_COUNTED;
}

INLINE uint32_t count_event(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			    uint32_t kind, enum search_how how, enum search_width width)
{
	struct dynamic_index *index = &array->index;
	const struct event_key key = {
		.page = address / SMILE_PAGE_BYTES,
		.word = address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES,
		.nodes = nodes,
		.kind = kind & index->kinds,
	};
	uint32_t block = how == SEARCH_BLOCK ? search_block(index, key.word) : 0;
	uint16_t tag = search_tag(how, address, block, nodes, key.kind);
	uint64_t match = compare_tags(index, width, tag) & index->valid;

	if (match && how == SEARCH_RANGE) {
		uint64_t inside, joining = compare_ranges(index, width, key.word, &inside) & match;

		inside &= match;
		match = inside ? inside : joining;
	}
	if (match) {
		uint32_t i = (uint32_t)search_lowest(match), result = SEARCH_COUNTED;
		struct dynamic_entry *entry = &array->entry[i];
		uint32_t count = entry->count + 1U;

		if (!same(array, i, &key, how) || count >= SMILE_COUNT_MAX)
			return search_slowly(array, address, nodes, key.kind);
		entry->count = (uint16_t)count;
		entry->used = ++array->clock;
		if (how != SEARCH_WORD && extend(array, i, key.word, how, width))
			result |= SEARCH_EXTENDED;
		search_relink(index, i);
		return result;
	}
	return fill(array, &key, tag, how, width);
}

#define LANE_COUNT(card, address, nodes, kind, how, width)                                         \
	count_event(&(card)->dynamic, address, nodes, kind, how, width)
#define LANE_EVICT dynamic_evict_indexed
#include "emu/card/fast_path.h"

#define FUNCTIONS(how, width)                                                                      \
	SEARCH_TARGET static uint32_t count_##how##_##width(                                       \
		struct dynamic_array *array, uint64_t address, uint32_t nodes, uint32_t kind)      \
	{                                                                                          \
		return count_event(array, address, nodes, kind, SEARCH_##how, SEARCH_##width);     \
	}                                                                                          \
	SEARCH_TARGET static size_t fast_path_##how##_##width(                                     \
		struct card *card, const struct card_frame *frames, size_t count)                  \
	{                                                                                          \
		return fast_path_run(card, frames, count, SEARCH_##how, SEARCH_##width);           \
	}
#define NAMES(how, width) {count_##how##_##width, fast_path_##how##_##width},
#define EACH_WIDTH(MACRO, how) MACRO(how, 16) MACRO(how, 32) MACRO(how, 64)

EACH_WIDTH(FUNCTIONS, WORD)
EACH_WIDTH(FUNCTIONS, BLOCK)
EACH_WIDTH(FUNCTIONS, RANGE)

#define ROW(how)                                                                                   \
	{                                                                                          \
		EACH_WIDTH(NAMES, how)                                                             \
	}

static bool available(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2");
}

const struct search search_avx2 = {
	.name = "AVX2",
	.fewest = 8,
	.available = available,
	.functions = {ROW(WORD), ROW(BLOCK), ROW(RANGE)},
};
#endif
