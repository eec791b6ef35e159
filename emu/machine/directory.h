/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Directory: for each line that may be in a cache, the processors that may have it, and the
 * processor that owns it.
 *
 * What lives here: a hash table that saves a search of all caches: an entry may outlive the line's
 * copies, and none is ever missing. It has room for twice the lines that all caches hold, and uses
 * only as much of the room as it needs, so that the host's caches serve it. When the room is full,
 * caches.c enters the lines of the caches anew. May use include/ and the C library without
 * <stdio.h>.
 */
#ifndef EMU_MACHINE_DIRECTORY_H
#define EMU_MACHINE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRECTORY_NODES 64U

/* An entry's first word: the line's number above its processor, or DIRECTORY_NOBODY; 0: none. */
#define DIRECTORY_VALID (1ULL << 63)
#define DIRECTORY_OWNER_BITS 11U
#define DIRECTORY_NOBODY ((1U << DIRECTORY_OWNER_BITS) - 1)

/* Processors whose numbers are equal modulo this share a bit. */
#define DIRECTORY_BITS 64U

/**
 * struct directory_entry - A line.
 * @what: as above
 * @holders: bit n: a processor with a number of n modulo DIRECTORY_BITS may have it, or the level
 *           that its node shares
 */
struct directory_entry {
	uint64_t what;
	uint64_t holders;
};

/**
 * struct directory - The table.
 * @entries: [@room]
 * @room: a power of two, or 0
 * @size: the part that is used, a power of two
 * @used: entries
 */
struct directory {
	struct directory_entry *entries;
	size_t room;
	size_t size;
	size_t used;
};

static inline uint64_t directory_bit(unsigned processor)
{
	return 1ULL << processor % DIRECTORY_BITS;
}

static inline unsigned directory_owner(const struct directory_entry *entry)
{
	return entry->what & DIRECTORY_NOBODY;
}

static inline void directory_own(struct directory_entry *entry, unsigned owner)
{
	entry->what = (entry->what & ~(uint64_t)DIRECTORY_NOBODY) | owner;
}

/* Is there no room for one more? */
static inline bool directory_full(const struct directory *directory)
{
	return directory->used >= directory->size / 4 * 3;
}

/**
 * directory_reserve() - Make room for twice @lines. The table is empty then, if it has grown.
 *
 * Return: 1 if it has grown; 0; -ENOMEM, and nothing has changed.
 */
int directory_reserve(struct directory *directory, uint64_t lines);

/* Neighbouring lines lie together, as many as the host fetches at once. */
#define DIRECTORY_GROUP_BITS 2U

/**
 * directory_first() - The entry where the search for a line begins.
 */
static inline struct directory_entry *directory_first(const struct directory *directory,
						      uint64_t line)
{
	size_t at = (size_t)((line >> DIRECTORY_GROUP_BITS) * 0x9e3779b97f4a7c15ULL >>
				     20 << DIRECTORY_GROUP_BITS |
			     (line & ((1U << DIRECTORY_GROUP_BITS) - 1)));

	return &directory->entries[at & (directory->size - 1)];
}

/**
 * directory_find() - The entry of a line, or the empty one where it belongs.
 */
struct directory_entry *directory_find(const struct directory *directory, uint64_t line);

/**
 * directory_add() - Enter a line at the empty entry that directory_find() has returned.
 */
static inline void directory_add(struct directory *directory, struct directory_entry *entry,
				 uint64_t line)
{
	entry->what = DIRECTORY_VALID | line << DIRECTORY_OWNER_BITS | DIRECTORY_NOBODY;
	entry->holders = 0;
	directory->used++;
}

/**
 * directory_grow() - Use more of the room from now on. Return: whether there was some.
 */
bool directory_grow(struct directory *directory);

/**
 * directory_clear() - Remove all entries.
 */
void directory_clear(struct directory *directory);

void directory_free(struct directory *directory);

#endif /* EMU_MACHINE_DIRECTORY_H */
