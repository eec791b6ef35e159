/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Field: read and write the fields of a word.
 *
 * What lives here: equivalents of the kernel's FIELD_GET() and FIELD_PREP() for programs. A field
 * is identified by its mask, which is a constant of consecutive bits. The word is in host byte
 * order. This file may use <stdint.h>, and is not installed.
 */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#include <stdint.h>

#define SMILE_GET(mask, word) (((word) & (mask)) / ((mask) & (~(mask) + 1)))
#define SMILE_PUT(mask, value) (((value) * ((mask) & (~(mask) + 1))) & (mask))

/*
 * The binary logarithm of a number, rounded down; 0 for 0. Use it for fields that store the
 * logarithm of a size.
 */
static inline uint32_t smile_log2(uint32_t value)
{
	uint32_t bits = 0;

	while (value >>= 1)
		bits++;
	return bits;
}

#endif /* BASE_FIELD_H */
