/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Directory: for each line that may be in a cache, the processors that may have it in their caches,
 * and the processor that owns it.
 *
 * What lives here: a hash table, so that the machine need not search all caches. An entry may
 * remain after all copies of its line are gone, but the entry of a cached line is never missing.
 * The table has room for twice the number of lines that all caches can contain. Only as much of the
 * room is used as is needed, so that the used part fits in the host's caches. When the table is
 * full, caches.c clears it and enters the cached lines again. May use include/ and the C library
 * without <stdio.h>.
 */
#ifndef EMU_MACHINE_DIRECTORY_H
#define EMU_MACHINE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRECTORY_NODES 64U

/*
 * The first word of an entry. This word contains the valid bit, the number of the line, and in the
 * low bits the number of the processor that owns the line, or DIRECTORY_NOBODY. The word of an
 * empty entry is 0.
 */
#define DIRECTORY_VALID (1ULL << 63)
#define DIRECTORY_OWNER_BITS 11U
#define DIRECTORY_NOBODY ((1U << DIRECTORY_OWNER_BITS) - 1)

/* Processors whose numbers are equal modulo this number share a bit. */
#define DIRECTORY_BITS 64U

/**
 * struct directory_entry - The entry of a line.
 * @what: the first word of the entry, see above
 * @holders: bit n is set if a processor whose number modulo DIRECTORY_BITS is n may have the line,
 *           in its own caches or if the shared level of its node may have the line
 */
struct directory_entry {
	uint64_t what;
	uint64_t holders;
};

/**
 * struct directory - The table of all entries.
 * @entries: the entries; shape [@room]
 * @room: number of entries for which there is memory: a power of two, or 0
 * @size: number of entries of the part that is used, a power of two
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

/* Check whether the used part is too full to add another line. */
static inline bool directory_full(const struct directory *directory)
{
	return directory->used >= directory->size / 4 * 3;
}

/**
 * directory_reserve() - Make room for twice @lines lines. If the room grows, all entries are
 * removed.
 *
 * Return: 1 if the room has grown; 0 if it was large enough; -ENOMEM if memory is missing: nothing
 * has changed then.
 */
int directory_reserve(struct directory *directory, uint64_t lines);

/*
 * The binary logarithm of the size of a group. The entries of the neighbouring lines of a group are
 * stored next to each other, so that the host fetches them together.
 */
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
 * directory_find() - Find the entry of a line. If the line has no entry, find the empty entry for
 * it.
 */
struct directory_entry *directory_find(const struct directory *directory, uint64_t line);

/**
 * directory_add() - Enter a line into the empty entry that directory_find() has returned.
 */
static inline void directory_add(struct directory *directory, struct directory_entry *entry,
				 uint64_t line)
{
	entry->what = DIRECTORY_VALID | line << DIRECTORY_OWNER_BITS | DIRECTORY_NOBODY;
	entry->holders = 0;
	directory->used++;
}

/**
 * directory_grow() - Use a larger part of the room. Return: false if the whole room is already
 * used.
 */
bool directory_grow(struct directory *directory);

/**
 * directory_clear() - Remove all entries.
 */
void directory_clear(struct directory *directory);

void directory_free(struct directory *directory);

#endif /* EMU_MACHINE_DIRECTORY_H */
