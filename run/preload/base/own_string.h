/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * String functions for the library's own work. The library must not use the string functions in the
 * section smile_copy for its own work, because the tracer counts the accesses of those functions as
 * accesses of the program. Include this file after <string.h>.
 */
#ifndef PRELOAD_OWN_STRING_H
#define PRELOAD_OWN_STRING_H

#include <stddef.h>
#include <string.h>

static inline size_t own_strlen(const char *text)
{
	size_t length = 0;

	while (((const volatile char *)text)[length])
		length++;
	return length;
}

static inline int own_strncmp(const char *one, const char *other, size_t bytes)
{
	for (; bytes; bytes--, one++, other++) {
		if (*one != *other || !*one)
			return (unsigned char)*one - (unsigned char)*other;
	}
	return 0;
}

static inline int own_strcmp(const char *one, const char *other)
{
	return own_strncmp(one, other, (size_t)-1);
}

/*
 * Get the length of the longest prefix of @text that has only characters in @set. If @wanted is 0,
 * the prefix has only characters that are not in @set.
 */
static inline size_t own_span(const char *text, const char *set, int wanted)
{
	size_t length;
	const char *one;

	for (length = 0; text[length]; length++) {
		for (one = set; *one && *one != text[length];)
			one++;
		if ((*one != '\0') != wanted)
			break;
	}
	return length;
}

/* Copy bytes to a lower address. The two ranges may overlap. */
static inline void *own_memmove(void *to, const void *from, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

#define strlen(text) own_strlen(text)
#define strncmp(one, other, bytes) own_strncmp(one, other, bytes)
#define strcmp(one, other) own_strcmp(one, other)
#define strspn(text, set) own_span(text, set, 1)
#define strcspn(text, set) own_span(text, set, 0)
#define memmove(to, from, bytes) own_memmove(to, from, bytes)

#endif /* PRELOAD_OWN_STRING_H */
