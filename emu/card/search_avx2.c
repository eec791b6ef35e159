/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The search of the range table with AVX2: 16 entries an instruction.
 *
 * What lives here: comparing and storing lanes; what is made of them is in search_index.h. Compiled
 * for every x86-64 processor, run on those that have the instructions.
 */
#include "emu/card/search.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SEARCH_TARGET __attribute__((target("avx2,bmi,bmi2")))
#define LANES static inline __attribute__((always_inline)) SEARCH_TARGET
#define VECTORS_MAX 4

/* Vectors of 16 lanes. */
LANES int vectors(enum search_width width)
{
	return width == SEARCH_16 ? 1 : width == SEARCH_32 ? 2 : VECTORS_MAX;
}

LANES __m256i load(const uint16_t *lane)
{
	return _mm256_loadu_si256((const __m256i *)lane);
}

/* Lanes of all ones and of all zeros as bits. */
LANES uint64_t bits_of_16(__m256i lanes)
{
	return (uint16_t)_mm_movemask_epi8(
		_mm_packs_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1)));
}

LANES uint64_t bits_of_32(__m256i low, __m256i high)
{
	__m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);

	return (uint32_t)_mm256_movemask_epi8(packed);
}

LANES uint64_t bits(const __m256i vector[VECTORS_MAX], enum search_width width)
{
	if (width == SEARCH_16)
		return bits_of_16(vector[0]);
	if (width == SEARCH_32)
		return bits_of_32(vector[0], vector[1]);
	return bits_of_32(vector[0], vector[1]) | bits_of_32(vector[2], vector[3]) << 32;
}

LANES uint64_t compare_tags(const struct dynamic_index *index, enum search_width width,
			    uint16_t tag)
{
	__m256i wanted = _mm256_set1_epi16((short)tag), equal[VECTORS_MAX];

	for (int i = 0; i < vectors(width); i++)
		equal[i] = _mm256_cmpeq_epi16(load(index->tag + 16 * i), wanted);
	return bits(equal, width);
}

LANES uint64_t compare_ranges(const struct dynamic_index *index, enum search_width width,
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

LANES void put_lane(uint16_t *lane, enum search_width width, uint32_t index, uint16_t value)
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

#include "emu/card/search_index.h"

static bool available(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2");
}

const struct search search_avx2 = {
	.name = "AVX2",
	.fewest = 8,
	.available = available,
	.functions = SEARCH_FUNCTIONS,
};
#endif
