/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What copy.c and string.c share: their section, and words.
 *
 * These functions replace those of libc, whose accesses the tracer does not count. Accesses of
 * these functions are counted: they are in a section of their own, which the tracer knows. They
 * access aligned words of 8 bytes, and single bytes at the beginning and the end, and nothing
 * twice. What is counted therefore does not depend on the processor, for which libc selects one of
 * several versions.
 *
 * They use no data, no function and no relocation, since they are called before this library is
 * relocated; and the compiler must not replace them by calls of memcpy() (build.mk).
 */
#ifndef TRACER_PRELOAD_MEMORY_COPY_H
#define TRACER_PRELOAD_MEMORY_COPY_H

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

/* Bytes up to the next word's begin. */
COPY_INLINE size_t copy_head(const void *at)
{
	return -(size_t)at & (COPY_WORD - 1);
}

/* A byte in each byte of a word. */
COPY_INLINE uint64_t copy_spread(int byte)
{
	return (unsigned char)byte * 0x0101010101010101ULL;
}

/* A word of which the lowest byte of 0x80 stands where @word's first zero byte is; 0: none. */
COPY_INLINE uint64_t copy_zero(uint64_t word)
{
	return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/* Number of the byte that copy_zero() found. */
COPY_INLINE unsigned copy_place(uint64_t zero)
{
	return (unsigned)__builtin_ctzll(zero) / 8;
}

#endif /* TRACER_PRELOAD_MEMORY_COPY_H */
