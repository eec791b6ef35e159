/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Field: values in and out of the fields of a word.
 *
 * What lives here: equivalents of the kernel's FIELD_GET() and FIELD_PREP(), for programs. A field
 * is identified by its mask, a constant without gaps; the word is in host byte order. It may use
 * <stdint.h>. Not installed.
 */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stdint.h>

#define SMILE_GET(mask, word) (((word) & (mask)) / ((mask) & (~(mask) + 1)))
#define SMILE_PUT(mask, value) (((value) * ((mask) & (~(mask) + 1))) & (mask))

/* The logarithm, rounded down, for fields that hold sizes in powers of two; 0 for 0. */
static inline uint32_t smile_log2(uint32_t value)
{
	uint32_t bits = 0;

	while (value >>= 1)
		bits++;
	return bits;
}

#endif /* BASE_FIELD_H */
