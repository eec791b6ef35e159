/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Directory: for each line that may be in a cache, the processors that may have it, and the
 * processor that owns it.
 *
 * What lives here: a hash table that avoids a search of all caches. An entry may outlive the line's
 * copies, but none is ever missing. It has room for twice the number of lines that all caches hold,
 * and uses only as much of the room as it needs, so that it fits into the host's caches. When the
 * room is full, caches.c enters the lines of the caches again. May use include/ and the C library
 * without <stdio.h>.
 */
#ifndef EMU_MACHINE_DIRECTORY_H
#define EMU_MACHINE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRECTORY_NODES 64U

/*
 * An entry's first word: the line's number above its processor, or DIRECTORY_NOBODY; 0: an empty
 * entry. None.
 */
#define DIRECTORY_VALID (1ULL << 63)
#define DIRECTORY_OWNER_BITS 11U
#define DIRECTORY_NOBODY ((1U << DIRECTORY_OWNER_BITS) - 1)

/* Processors whose numbers are equal modulo this share a bit. */
#define DIRECTORY_BITS 64U

/**
 * struct directory_entry - The entry of a line.
 * @what: the first word, as above
 * @holders: bit n: a processor whose number is n modulo DIRECTORY_BITS may have the line, or the
 *           level that its node shares may have it
 */
struct directory_entry {
	uint64_t what;
	uint64_t holders;
};

/**
 * struct directory - The table of all entries.
 * @entries: the entries; shape [@room]
 * @room: a power of two, or 0
 * @size: number of entries that are used, a power of two
 * @used: number of lines in the table
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

/* Does the used part have no room for another line? */
static inline bool directory_full(const struct directory *directory)
{
	return directory->used >= directory->size / 4 * 3;
}

/**
 * directory_reserve() - Make room for twice @lines. If it has grown, the table is empty afterwards.
 *
 * Return: 1 if it has grown; 0; -ENOMEM, and nothing has changed.
 */
int directory_reserve(struct directory *directory, uint64_t lines);

/* Neighbouring lines are stored together, as many as the host fetches together. */
#define DIRECTORY_GROUP_BITS 2U

/**
 * directory_first() - Get the entry at which the search for a line starts.
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
 * directory_find() - Find the entry of a line, or the empty entry for it.
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
 * directory_grow() - Use more of the room. Return: whether more room was left.
 */
bool directory_grow(struct directory *directory);

/**
 * directory_clear() - Remove all entries.
 */
void directory_clear(struct directory *directory);

void directory_free(struct directory *directory);

#endif /* EMU_MACHINE_DIRECTORY_H */
