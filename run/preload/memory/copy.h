/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by copy.c and string.c: their section, and operations on words.
 *
 * These functions replace libc's, whose accesses the tracer does not count. The tracer counts the
 * accesses of these functions by their section. They access aligned words of 8 bytes, single bytes
 * at the beginning and the end, and no byte twice. The counts therefore do not depend on the
 * processor, whereas libc selects one of several versions by processor.
 *
 * They use no data, no function and no relocation, since they are called before this library is
 * relocated. The compiler must not replace them by calls of memcpy() (build.mk).
 */
#ifndef RUN_PRELOAD_MEMORY_COPY_H
#define RUN_PRELOAD_MEMORY_COPY_H

#include <stddef.h>
#include <stdint.h>

#define COPY __attribute__((section("smile_copy"), visibility("default")))
#define COPY_INLINE static inline __attribute__((always_inline))

#define COPY_WORD 8U

typedef uint64_t __attribute__((may_alias, aligned(1))) copy_word;

COPY_INLINE uint64_t copy_load(const unsigned char *from)
{
	return *(const copy_word *)from;
}

COPY_INLINE void copy_store(unsigned char *to, uint64_t word)
{
	*(copy_word *)to = word;
}

/* Get the number of bytes before the next aligned word. */
COPY_INLINE size_t copy_head(const void *at)
{
	return -(size_t)at & (COPY_WORD - 1);
}

/* Make a word in which each byte is @byte. */
COPY_INLINE uint64_t copy_spread(int byte)
{
	return (unsigned char)byte * 0x0101010101010101ULL;
}

/*
 * Make a word whose lowest set byte, 0x80, marks the first zero byte of @word; 0 if there is no
 * zero byte.
 */
COPY_INLINE uint64_t copy_zero(uint64_t word)
{
	return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/* Get the index of the byte that copy_zero() found. */
COPY_INLINE unsigned copy_place(uint64_t zero)
{
	return (unsigned)__builtin_ctzll(zero) / 8;
}

#endif /* RUN_PRELOAD_MEMORY_COPY_H */
