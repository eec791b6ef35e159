/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Compare the memory and string functions with loops over bytes, for all small lengths and
 * alignments, up to the end of the accessible memory. The functions can be libc's or those of the
 * preload library.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define MOST 40
#define PAGE 4096

static long checks;

static void must(int right, const char *what, int length, int align)
{
	checks++;
	if (right)
		return;
	printf("%s: wrong with %d bytes at %d\n", what, length, align);
	exit(1);
}

/* Return: the end of accessible memory: the byte at this address cannot be accessed. */
static unsigned char *edge(void)
{
	unsigned char *page =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(page + PAGE, PAGE, PROT_NONE);
	return page + PAGE;
}

static void fill(unsigned char *at, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(rand() % 255 + 1);
}

static int same(const unsigned char *one, const unsigned char *other, int bytes)
{
	for (int i = 0; i < bytes; i++)
		if (one[i] != other[i])
			return 0;
	return 1;
}

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

static void copies(unsigned char *to_end, unsigned char *from_end, int length, int align)
{
	unsigned char *to = to_end - length - align, *from = from_end - length, was[3 * MOST];
	size_t bytes = (size_t)length;

	fill(from, length);
	fill(to - 8, length + align + 8);
	for (int i = 0; i < 8 + align; i++)
		was[i] = i < 8 ? to[i - 8] : to[length + i - 8];
	must(memcpy(to, from, bytes) == to && same(to, from, length), "memcpy", length, align);
	fill(to, length);
	must(mempcpy(to, from, bytes) == to + length && same(to, from, length), "mempcpy", length,
	     align);
	fill(to, length);
	bcopy(from, to, bytes);
	must(same(to, from, length), "bcopy", length, align);
	must(memset(to, align + 3, bytes) == to, "memset", length, align);
	for (int i = 0; i < length; i++)
		must(to[i] == align + 3, "memset", length, align);
	must(same(to - 8, was, 8) && same(to + length, was + 8, align), "beyond", length, align);
	for (int distance = -12; distance <= 12; distance++) {
		unsigned char *at = to_end - 2 * MOST;

		fill(at - 12, length + 24);
		for (int i = 0; i < length; i++)
			was[i] = at[i];
		memmove(at + distance, at, bytes);
		must(same(at + distance, was, length), "memmove", length, distance);
	}
}

static void compares(unsigned char *one_end, unsigned char *other_end, int length, int align)
{
	unsigned char *one = one_end - length - align, *other = other_end - length;

	fill(one, length);
	memcpy(other, one, (size_t)length);
	must(!memcmp(one, other, (size_t)length), "memcmp", length, align);
	for (int i = 0; i < length; i++) {
		int wanted;

		other[i] ^= 0x81;
		wanted = one[i] < other[i] ? -1 : 1;
		must(sign(memcmp(one, other, (size_t)length)) == wanted, "memcmp", length, align);
		must(bcmp(one, other, (size_t)length) != 0, "bcmp", length, align);
		other[i] ^= 0x81;
	}
	for (int i = 0; i < length; i++) {
		int byte = one[i], first = 0, last = length - 1;

		while (one[first] != byte)
			first++;
		while (one[last] != byte)
			last--;
		must(memchr(one, byte, (size_t)length) == one + first, "memchr", length, align);
		must(memrchr(one, byte, (size_t)length) == one + last, "memrchr", length, align);
	}
	must(!memchr(one, 0, (size_t)length), "memchr", length, align);
	must(!memrchr(one, 0, (size_t)length), "memrchr", length, align);
}

/* Write @length bytes and a zero, which is the last byte that can be read. */
static char *text(unsigned char *end, int length)
{
	fill(end - length - 1, length);
	end[-1] = 0;
	return (char *)end - length - 1;
}

static void strings(unsigned char *to_end, unsigned char *from_end, int length, int align)
{
	char *from = text(from_end, length), *to = (char *)to_end - 2 * MOST - 8 + align;
	size_t bytes = (size_t)length;

	must(strlen(from) == bytes, "strlen", length, align);
	for (int most = 0; most < length + 3; most++)
		must(strnlen(from, (size_t)most) == (size_t)(most < length ? most : length),
		     "strnlen", length, most);
	must(strcpy(to, from) == to && !memcmp(to, from, bytes + 1), "strcpy", length, align);
	must(stpcpy(to, from) == to + length && !memcmp(to, from, bytes + 1), "stpcpy", length,
	     align);
	must(!strcmp(to, from) && !strncmp(to, from, bytes), "strcmp", length, align);
	for (int i = 0; i < length; i++) {
		to[i] ^= (char)0x81;
		must(sign(strcmp(to, from)) ==
			     ((unsigned char)to[i] < (unsigned char)from[i] ? -1 : 1),
		     "strcmp", length, i);
		must(!strncmp(to, from, (size_t)i) && strncmp(to, from, (size_t)i + 1), "strncmp",
		     length, i);
		to[i] = 0;
		must(strcmp(to, from) < 0 && strcmp(from, to) > 0, "strcmp", length, i);
		to[i] = from[i];
		must(strchr(from, from[i]) <= from + i && *strchr(from, from[i]) == from[i],
		     "strchr", length, i);
		must(strrchr(from, from[i]) >= from + i && *strrchr(from, from[i]) == from[i],
		     "strrchr", length, i);
		must(rawmemchr(from, from[i]) == strchr(from, from[i]), "rawmemchr", length, i);
	}
	must(strchr(from, 0) == from + length && strchrnul(from, 0) == from + length, "strchr",
	     length, align);
	for (int i = 0; i < 8 && length; i++) {
		char missing = (char)(i + 1);

		if (memchr(from, missing, bytes))
			continue;
		must(!strchr(from, missing) && !strrchr(from, missing) &&
			     strchrnul(from, missing) == from + length,
		     "strchr", length, i);
	}
	for (int most = 0; most < MOST; most++) {
		memset(to, 'x', MOST + 1);
		must(strncpy(to, from, (size_t)most) == to, "strncpy", length, most);
		for (int i = 0; i <= most; i++)
			must(to[i] == (i == most    ? 'x'
				       : i < length ? from[i]
						    : 0),
			     "strncpy", length, most);
		must(stpncpy(to, from, (size_t)most) == to + (most < length ? most : length),
		     "stpncpy", length, most);
		strcpy(to, "abc");
		strncat(to, from, (size_t)most);
		must(strlen(to) == 3 + (size_t)(most < length ? most : length) &&
			     !memcmp(to + 3, from, strlen(to) - 3),
		     "strncat", length, most);
	}
	strcpy(to, "abc");
	must(strcat(to, from) == to && !strcmp(to + 3, from) && !memcmp(to, "abc", 3), "strcat",
	     length, align);
}

int main(void)
{
	unsigned char *one = edge(), *other = edge();

	for (int length = 0; length < MOST - 4; length++)
		for (int align = 0; align < 9; align++) {
			copies(one, other, length, align);
			compares(one, other, length, align);
			strings(one, other, length, align);
		}
	printf("%ld checks\n", checks);
	return checks < 10000;
}
