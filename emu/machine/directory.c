/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Directory: find and enter lines. May use directory.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "directory.h"

#define DIRECTORY_FIRST 1024U
/* The factor by which the used part of the table grows. */
#define DIRECTORY_GROWS 4U

int directory_reserve(struct directory *directory, uint64_t lines)
{
	size_t room = directory->room ? directory->room : DIRECTORY_FIRST;
	struct directory_entry *entries;

	while (room < 2 * lines)
		room *= 2;
	if (room == directory->room)
		return 0;
	/*
	 * Allocate half of the room in addition, as a buffer for directory_grow(). The system does
	 * not provide pages for memory that is never accessed.
	 */
	entries = calloc(room + room / 2, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	free(directory->entries);
	*directory = (struct directory){
		.entries = entries,
		.room = room,
		.size = DIRECTORY_FIRST,
	};
	return 1;
}

bool directory_grow(struct directory *directory)
{
	size_t before = directory->size;
	struct directory_entry *old;

	if (before == directory->room)
		return false;
	directory->size = before * DIRECTORY_GROWS;
	if (directory->size > directory->room)
		directory->size = directory->room;
	/*
	 * Copy the old entries to the memory after the new part. From this copy, the entries are
	 * added to the grown table.
	 */
	old = directory->entries + directory->size;
	memcpy(old, directory->entries, before * sizeof(*old));
	memset(directory->entries, 0, before * sizeof(*old));
	for (size_t i = 0; i < before; i++) {
		uint64_t key = old[i].what & ~DIRECTORY_VALID;

		if (old[i].what)
			*directory_find(directory, key >> DIRECTORY_OWNER_BITS) = old[i];
	}
	memset(old, 0, before * sizeof(*old));
	return true;
}

struct directory_entry *directory_find(const struct directory *directory, uint64_t line)
{
	uint64_t key = DIRECTORY_VALID >> DIRECTORY_OWNER_BITS | line;
	size_t mask = directory->size - 1;
	size_t at = (size_t)(directory_first(directory, line) - directory->entries);

	for (; directory->entries[at].what; at = (at + 1) & mask)
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
