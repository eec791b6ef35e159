/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Finding lines in the directory. May use directory.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "directory.h"

#define DIRECTORY_FIRST 1024U
/* Neighbouring lines lie together, as many as the host fetches at once. */
#define GROUP_BITS 2U

int directory_reserve(struct directory *directory, uint64_t lines)
{
	size_t size = directory->size ? directory->size : DIRECTORY_FIRST;
	struct directory_entry *entries;

	while (size < 2 * lines)
		size *= 2;
	if (size == directory->size)
		return 0;
	entries = calloc(size, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	free(directory->entries);
	*directory = (struct directory){.entries = entries, .size = size};
	return 1;
}

struct directory_entry *directory_find(const struct directory *directory, uint64_t line)
{
	uint64_t key = DIRECTORY_VALID >> DIRECTORY_OWNER_BITS | line;
	size_t mask = directory->size - 1;
	size_t at = (size_t)((line >> GROUP_BITS) * 0x9e3779b97f4a7c15ULL >> 20 << GROUP_BITS |
			     (line & ((1U << GROUP_BITS) - 1)));

	for (at &= mask; directory->entries[at].what; at = (at + 1) & mask)
		if (directory->entries[at].what >> DIRECTORY_OWNER_BITS == key)
			break;
	return &directory->entries[at];
}

void directory_clear(struct directory *directory)
{
	memset(directory->entries, 0, directory->size * sizeof(*directory->entries));
	directory->used = 0;
}

void directory_free(struct directory *directory)
{
	free(directory->entries);
	*directory = (struct directory){0};
}
