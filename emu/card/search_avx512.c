/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The search of the range table with AVX-512: 32 entries an instruction.
 *
 * What lives here: comparing and storing lanes; what is made of them is in search_index.h. Compiled
 * for every x86-64 processor, run on those that have the instructions (AVX512BW and AVX512VL).
 */
#include "emu/card/search.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SEARCH_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx2,bmi,bmi2")))
#define LANES static inline __attribute__((always_inline)) SEARCH_TARGET

LANES __m256i load_16(const uint16_t *lane)
{
	return _mm256_loadu_si256((const __m256i *)lane);
}

LANES __m512i load_32(const uint16_t *lane)
{
	return _mm512_loadu_si512(lane);
}

LANES uint64_t compare_tags(const struct dynamic_index *index, enum search_width width,
			    uint16_t tag)
{
	__m512i wanted = _mm512_set1_epi16((short)tag);
	uint64_t equal;

	if (width == SEARCH_16)
		return _mm256_cmpeq_epi16_mask(load_16(index->tag), _mm256_set1_epi16((short)tag));
	equal = _mm512_cmpeq_epi16_mask(load_32(index->tag), wanted);
	if (width == SEARCH_64)
		equal |= (uint64_t)_mm512_cmpeq_epi16_mask(load_32(index->tag + 32), wanted) << 32;
	return equal;
}

LANES uint64_t compare_16_ranges(const struct dynamic_index *index, uint32_t word, uint64_t *inside)
{
	__m256i words = _mm256_set1_epi16((short)word);
	__m256i limit = _mm256_set1_epi16((short)index->range_words);
	__m256i first = load_16(index->first), last = load_16(index->last);
	__m256i less_1 =
		_mm256_sub_epi16(_mm256_max_epi16(last, words), _mm256_min_epi16(first, words));

	*inside = _mm256_cmpeq_epi16_mask(less_1, _mm256_sub_epi16(last, first));
	return _mm256_cmplt_epi16_mask(less_1, limit);
}

LANES uint64_t compare_ranges(const struct dynamic_index *index, enum search_width width,
			      uint32_t word, uint64_t *inside)
{
	__m512i words = _mm512_set1_epi16((short)word);
	__m512i limit = _mm512_set1_epi16((short)index->range_words);
	uint64_t joining = 0;

	if (width == SEARCH_16)
		return compare_16_ranges(index, word, inside);
	*inside = 0;
	for (int i = 0; i < (width == SEARCH_32 ? 32 : 64); i += 32) {
		__m512i first = load_32(index->first + i), last = load_32(index->last + i);
		__m512i less_1 = _mm512_sub_epi16(_mm512_max_epi16(last, words),
						  _mm512_min_epi16(first, words));

		*inside |= (uint64_t)_mm512_cmpeq_epi16_mask(less_1, _mm512_sub_epi16(last, first))
			   << i;
		joining |= (uint64_t)_mm512_cmplt_epi16_mask(less_1, limit) << i;
	}
	return joining;
}

LANES void put_lane(uint16_t *lane, enum search_width width, uint32_t index, uint16_t value)
{
	uint64_t bit = 1ULL << index;

	if (width == SEARCH_16) {
		_mm256_storeu_si256(
			(__m256i *)lane,
			_mm256_mask_set1_epi16(load_16(lane), (__mmask16)bit, (short)value));
		return;
	}
	_mm512_storeu_si512(lane,
			    _mm512_mask_set1_epi16(load_32(lane), (__mmask32)bit, (short)value));
	if (width == SEARCH_64)
		_mm512_storeu_si512(lane + 32,
				    _mm512_mask_set1_epi16(load_32(lane + 32),
							   (__mmask32)(bit >> 32), (short)value));
}

#include "emu/card/search_index.h"

static bool available(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2");
}

const struct search search_avx512 = {
	.name = "AVX-512",
	.fewest = 8,
	.available = available,
	.functions = SEARCH_FUNCTIONS,
};
#endif
