/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * FNV: compute the 64-bit FNV-1a hash of bytes.
 *
 * What lives here: a function for hash tables and digests. The hash is not cryptographic. A person
 * who chooses the bytes can produce equal hashes. This file may use only <stdint.h>.
 */
#ifndef BASE_FNV_H
#define BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BEGIN 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

/*
 * Extend the hash @sum by @count bytes. @sum is the hash of the preceding bytes, or FNV_BEGIN if
 * there are no preceding bytes.
 */
static inline uint64_t fnv_add(uint64_t sum, const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sum = (sum ^ ((const unsigned char *)bytes)[i]) * FNV_PRIME;
	return sum;
}

#endif /* BASE_FNV_H */
