/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations that copy.c and string.c share: the section of their functions, and operations on
 * words.
 *
 * The functions in copy.c and string.c replace functions of libc. The tracer does not count the
 * accesses of libc's functions, but it counts the accesses of these functions, which it recognises
 * by their section. libc has several versions of each function, and selects one of them for the
 * host's processor. In contrast, the functions of copy.c and string.c make the same accesses on
 * every processor. They access aligned words of 8 bytes, and single bytes at the beginning and the
 * end, and they access no byte twice.
 *
 * The functions use no data, no other functions and no relocations, because they are called before
 * this library is relocated. For the same reason, the compiler must not replace their loops by
 * calls of memcpy() (see build.mk).
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

/* Get the number of bytes from @at to the next aligned word. */
COPY_INLINE size_t copy_head(const void *at)
{
	return -(size_t)at & (COPY_WORD - 1);
}

/* Make a word whose bytes all have the value @byte. */
COPY_INLINE uint64_t copy_spread(int byte)
{
	return (unsigned char)byte * 0x0101010101010101ULL;
}

/*
 * Find the first zero byte of a word. Return: 0 if @word has no zero byte; otherwise a word whose
 * lowest set bit is bit 7 of the byte at the position of the first zero byte.
 */
COPY_INLINE uint64_t copy_zero(uint64_t word)
{
	return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/* Get the index of the zero byte that copy_zero() has found. @zero: the result of copy_zero(). */
COPY_INLINE unsigned copy_place(uint64_t zero)
{
	return (unsigned)__builtin_ctzll(zero) / 8;
}

#endif /* RUN_PRELOAD_MEMORY_COPY_H */
