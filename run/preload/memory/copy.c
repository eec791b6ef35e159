/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Defines versions of libc's memory functions whose accesses the tracer counts. See copy.h. They
 * need a little-endian processor, for example x86-64.
 */
#include "run/preload/memory/copy.h"

/*
 * Declarations of functions of <string.h>, without the attributes that <string.h> gives them, and
 * of functions that only compilers and libc call.
 */
COPY void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
COPY void *memmove(void *to, const void *from, size_t bytes);
COPY void *mempcpy(void *restrict to, const void *restrict from, size_t bytes);
COPY void *memccpy(void *restrict to, const void *restrict from, int byte, size_t bytes);
COPY void bcopy(const void *from, void *to, size_t bytes);
COPY void *memset(void *to, int byte, size_t bytes);
COPY void explicit_bzero(void *to, size_t bytes);
COPY void bzero(void *to, size_t bytes);
COPY int memcmp(const void *one, const void *other, size_t bytes);
COPY int bcmp(const void *one, const void *other, size_t bytes);
COPY void *memchr(const void *in, int byte, size_t bytes);
COPY void *memrchr(const void *in, int byte, size_t bytes);
COPY void *__memcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room);
COPY void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room);
COPY void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room);
COPY void *__memset_chk(void *to, int byte, size_t bytes, size_t room);
COPY void *__explicit_bzero_chk(void *to, size_t bytes, size_t room);
/* libc's function, for programs that were compiled with _FORTIFY_SOURCE */
_Noreturn void __chk_fail(void);

COPY_INLINE void copy_up(unsigned char *to, const unsigned char *from, size_t bytes)
{
	for (size_t head = copy_head(to); head && bytes; head--, bytes--)
		*to++ = *from++;
	for (; bytes >= COPY_WORD; bytes -= COPY_WORD, to += COPY_WORD, from += COPY_WORD)
		copy_store(to, copy_load(from));
	while (bytes--)
		*to++ = *from++;
}

COPY_INLINE void copy_down(unsigned char *to, const unsigned char *from, size_t bytes)
{
	to += bytes;
	from += bytes;
	for (size_t tail = (size_t)to & (COPY_WORD - 1); tail && bytes; tail--, bytes--)
		*--to = *--from;
	while (bytes >= COPY_WORD) {
		bytes -= COPY_WORD;
		to -= COPY_WORD;
		from -= COPY_WORD;
		copy_store(to, copy_load(from));
	}
	while (bytes--)
		*--to = *--from;
}

/*
 * Copy bytes between buffers that may overlap. memcpy() uses this function too, because old
 * programs call memcpy() with buffers that overlap.
 */
COPY_INLINE void *copy(void *to, const void *from, size_t bytes)
{
	if ((size_t)to - (size_t)from < bytes)
		copy_down(to, from, bytes);
	else
		copy_up(to, from, bytes);
	return to;
}

COPY_INLINE void *copy_fill(void *start, int byte, size_t bytes)
{
	uint64_t word = copy_spread(byte);
	unsigned char *to = start;

	for (size_t head = copy_head(to); head && bytes; head--, bytes--)
		*to++ = (unsigned char)byte;
	for (; bytes >= COPY_WORD; bytes -= COPY_WORD, to += COPY_WORD)
		copy_store(to, word);
	while (bytes--)
		*to++ = (unsigned char)byte;
	return start;
}

COPY_INLINE int copy_compare(const unsigned char *one, const unsigned char *other, size_t bytes)
{
	for (size_t head = copy_head(one); head && bytes; head--, bytes--) {
		int difference = *one++ - *other++;

		if (difference)
			return difference;
	}
	for (; bytes >= COPY_WORD; bytes -= COPY_WORD, one += COPY_WORD, other += COPY_WORD) {
		uint64_t first = copy_load(one), second = copy_load(other);

		if (first != second)
			return __builtin_bswap64(first) < __builtin_bswap64(second) ? -1 : 1;
	}
	while (bytes--) {
		int difference = *one++ - *other++;

		if (difference)
			return difference;
	}
	return 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	return copy(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
	return copy(to, from, bytes);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	return (char *)copy(to, from, bytes) + bytes;
}

void bcopy(const void *from, void *to, size_t bytes)
{
	copy(to, from, bytes);
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t bytes)
{
	unsigned char *at = to;
	const unsigned char *read = from;

	while (bytes--)
		if ((*at++ = *read++) == (unsigned char)byte)
			return at;
	return NULL;
}

void *memset(void *to, int byte, size_t bytes)
{
	return copy_fill(to, byte, bytes);
}

void bzero(void *to, size_t bytes)
{
	copy_fill(to, 0, bytes);
}

void explicit_bzero(void *to, size_t bytes)
{
	copy_fill(to, 0, bytes);
}

int memcmp(const void *one, const void *other, size_t bytes)
{
	return copy_compare(one, other, bytes);
}

int bcmp(const void *one, const void *other, size_t bytes)
{
	return copy_compare(one, other, bytes);
}

void *memchr(const void *in, int byte, size_t bytes)
{
	const unsigned char *at = in;
	uint64_t spread = copy_spread(byte);

	for (size_t head = copy_head(at); head && bytes; head--, bytes--, at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	for (; bytes >= COPY_WORD; bytes -= COPY_WORD, at += COPY_WORD) {
		uint64_t found = copy_zero(copy_load(at) ^ spread);

		if (found)
			return (void *)(at + copy_place(found));
	}
	for (; bytes; bytes--, at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

void *memrchr(const void *in, int byte, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)in + bytes;

	while (bytes--)
		if (*--at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return copy(to, from, bytes);
}

void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return copy(to, from, bytes);
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return (char *)copy(to, from, bytes) + bytes;
}

void *__memset_chk(void *to, int byte, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return copy_fill(to, byte, bytes);
}

void *__explicit_bzero_chk(void *to, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return copy_fill(to, 0, bytes);
}
