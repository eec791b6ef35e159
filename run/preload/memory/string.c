/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Defines versions of libc's string functions whose accesses the tracer counts. See copy.h. The
 * functions may read a whole word that extends beyond the end of a string. Because the word is
 * aligned, it never extends into another page.
 */
#include "run/preload/memory/copy.h"

/*
 * Declarations of functions of <string.h>, without the attributes that <string.h> gives them, and
 * of functions that only compilers call.
 */
COPY size_t strlen(const char *string);
COPY size_t strnlen(const char *string, size_t most);
COPY char *strcpy(char *restrict to, const char *restrict from);
COPY char *stpcpy(char *restrict to, const char *restrict from);
COPY char *strncpy(char *restrict to, const char *restrict from, size_t bytes);
COPY char *stpncpy(char *restrict to, const char *restrict from, size_t bytes);
COPY char *strcat(char *restrict to, const char *restrict from);
COPY char *strncat(char *restrict to, const char *restrict from, size_t most);
COPY int strcmp(const char *one, const char *other);
COPY int strncmp(const char *one, const char *other, size_t most);
COPY char *strchr(const char *string, int byte);
COPY char *strchrnul(const char *string, int byte);
COPY char *strrchr(const char *string, int byte);
COPY void *rawmemchr(const void *in, int byte);
COPY char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room);
COPY char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room);
COPY char *__strncpy_chk(char *restrict to, const char *restrict from, size_t bytes, size_t room);
COPY char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t bytes, size_t room);
COPY char *__strcat_chk(char *restrict to, const char *restrict from, size_t room);
COPY char *__strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room);
_Noreturn void __chk_fail(void);

/* Find the first byte that is @byte or zero. */
COPY_INLINE const unsigned char *string_find(const char *string, int byte)
{
	const unsigned char *at = (const unsigned char *)string;
	uint64_t spread = copy_spread(byte);

	for (size_t head = copy_head(at); head; head--, at++)
		if (*at == (unsigned char)byte || !*at)
			return at;
	for (;; at += COPY_WORD) {
		uint64_t word = copy_load(at), end = copy_zero(word),
			 hit = copy_zero(word ^ spread);

		if (end && (!hit || copy_place(end) < copy_place(hit)))
			return at + copy_place(end);
		if (hit)
			return at + copy_place(hit);
	}
}

COPY_INLINE size_t string_length(const char *string)
{
	return (size_t)((const char *)string_find(string, 0) - string);
}

COPY_INLINE size_t string_length_most(const char *string, size_t most)
{
	const unsigned char *at = (const unsigned char *)string;
	size_t length = 0;

	for (size_t head = copy_head(at); head && length < most; head--, length++)
		if (!at[length])
			return length;
	for (; most - length >= COPY_WORD; length += COPY_WORD) {
		uint64_t end = copy_zero(copy_load(at + length));

		if (end)
			return length + copy_place(end);
	}
	while (length < most && at[length])
		length++;
	return length;
}

/*
 * Copy at most @room bytes, including the final zero. Return: the address of the final zero; NULL
 * if there was not enough room.
 */
COPY_INLINE char *string_copy(char *start, const char *string, size_t room)
{
	const unsigned char *from = (const unsigned char *)string;
	unsigned char *to = (unsigned char *)start;

	for (size_t head = copy_head(from); head; head--, room--) {
		if (!room)
			return NULL;
		if (!(*to = *from++))
			return (char *)to;
		to++;
	}
	for (;; room -= COPY_WORD, from += COPY_WORD, to += COPY_WORD) {
		uint64_t word = copy_load(from), end = copy_zero(word);
		size_t bytes = end ? copy_place(end) + 1U : COPY_WORD;

		if (bytes > room)
			return NULL;
		if (!end) {
			copy_store(to, word);
			continue;
		}
		for (; bytes > 1; bytes--, word >>= 8)
			*to++ = (unsigned char)word;
		*to = 0;
		return (char *)to;
	}
}

/*
 * Copy like strncpy(). Return: the address of the first zero in the copy; if there is no zero, the
 * address after the last byte.
 */
COPY_INLINE char *string_copy_fill(char *restrict to, const char *restrict from, size_t bytes)
{
	size_t i = 0;
	char *end;

	while (i < bytes && (to[i] = from[i]))
		i++;
	end = to + i;
	while (i < bytes)
		to[i++] = '\0';
	return end;
}

COPY_INLINE int string_compare(const char *first, const char *second)
{
	const unsigned char *one = (const unsigned char *)first;
	const unsigned char *other = (const unsigned char *)second;

	if (!(((size_t)one ^ (size_t)other) & (COPY_WORD - 1))) {
		for (size_t head = copy_head(one); head; head--, one++, other++) {
			int byte = *one, difference = byte - *other;

			if (difference || !byte)
				return difference;
		}
		for (;; one += COPY_WORD, other += COPY_WORD) {
			uint64_t word = copy_load(one), different = word ^ copy_load(other);
			uint64_t end = copy_zero(word);
			unsigned shift;

			if (!different && !end)
				continue;
			shift = different ? (unsigned)__builtin_ctzll(different) & ~7U : 64;
			if (end && copy_place(end) * 8 < shift)
				return 0;
			return (int)(word >> shift & 0xff) -
			       (int)((word ^ different) >> shift & 0xff);
		}
	}
	for (;; one++, other++) {
		int byte = *one, difference = byte - *other;

		if (difference || !byte)
			return difference;
	}
}

COPY_INLINE int string_compare_most(const char *first, const char *second, size_t most)
{
	const unsigned char *one = (const unsigned char *)first;
	const unsigned char *other = (const unsigned char *)second;

	for (; most; most--, one++, other++) {
		int byte = *one, difference = byte - *other;

		if (difference || !byte)
			return difference;
	}
	return 0;
}

COPY_INLINE char *string_append_most(char *to, const char *from, size_t most)
{
	char *end = to + string_length(to);

	while (most-- && (*end = *from++))
		end++;
	*end = '\0';
	return to;
}

size_t strlen(const char *string)
{
	return string_length(string);
}

size_t strnlen(const char *string, size_t most)
{
	return string_length_most(string, most);
}

char *strcpy(char *restrict to, const char *restrict from)
{
	string_copy(to, from, SIZE_MAX);
	return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
	return string_copy(to, from, SIZE_MAX);
}

char *strncpy(char *restrict to, const char *restrict from, size_t bytes)
{
	string_copy_fill(to, from, bytes);
	return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t bytes)
{
	return string_copy_fill(to, from, bytes);
}

char *strcat(char *restrict to, const char *restrict from)
{
	string_copy(to + string_length(to), from, SIZE_MAX);
	return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t most)
{
	return string_append_most(to, from, most);
}

int strcmp(const char *one, const char *other)
{
	return string_compare(one, other);
}

int strncmp(const char *one, const char *other, size_t most)
{
	return string_compare_most(one, other, most);
}

char *strchr(const char *string, int byte)
{
	const unsigned char *at = string_find(string, byte);

	/* The search stops at @byte or at a zero, so check which of them it has found. */
	return *at == (unsigned char)byte ? (char *)at : NULL;
}

char *strchrnul(const char *string, int byte)
{
	return (char *)string_find(string, byte);
}

char *strrchr(const char *string, int byte)
{
	const char *last = NULL;

	for (;; string++) {
		char there = *string;

		if (there == (char)byte)
			last = string;
		if (!there)
			return (char *)last;
	}
}

void *rawmemchr(const void *in, int byte)
{
	const unsigned char *at = in;

	while (*at != (unsigned char)byte)
		at++;
	return (void *)at;
}

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room)
{
	if (!string_copy(to, from, room))
		__chk_fail();
	return to;
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room)
{
	char *end = string_copy(to, from, room);

	if (!end)
		__chk_fail();
	return end;
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	string_copy_fill(to, from, bytes);
	return to;
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
	return string_copy_fill(to, from, bytes);
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t room)
{
	size_t length = string_length(to);

	if (length >= room || !string_copy(to + length, from, room - length))
		__chk_fail();
	return to;
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room)
{
	size_t length = string_length(to);

	if (length >= room || string_length_most(from, most) >= room - length)
		__chk_fail();
	return string_append_most(to, from, most);
}
