/* SPDX-License-Identifier: MIT */
/* Get the count of one key. Only tests need this: the library always reads all counts in order. */
#ifndef TESTS_UNIT_LIB_COUNTS_COUNTS_GET_H
#define TESTS_UNIT_LIB_COUNTS_COUNTS_GET_H

#include "lib/counts/counts.h"

/* Return: the count of @key; 0 if there is none. */
static inline uint64_t counts_get(const struct counts *counts, uint64_t key)
{
	size_t position = 0;
	uint64_t there, count;

	while ((count = smile_counts_next(counts, &position, &there)) && there != key)
		;
	return count;
}

#endif /* TESTS_UNIT_LIB_COUNTS_COUNTS_GET_H */
