/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Directory: for each line that may be in a cache, the nodes that may have it, and the processor
 * whose own it is.
 *
 * What lives here: a hash table that only saves the look into all caches: an entry may outlive the
 * line's copies, and none is ever missing. Its room is for twice the lines that all caches hold;
 * when it is full, caches.c enters again what the caches have. May use include/ and the C library
 * without <stdio.h>.
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

/**
 * struct directory_entry - A line.
 * @what: as above
 * @nodes: bit n: node n may have it
 */
struct directory_entry {
	uint64_t what;
	uint64_t nodes;
};

/**
 * struct directory - The table.
 * @entries: [@size]
 * @size: a power of two, or 0
 * @used: entries
 */
struct directory {
	struct directory_entry *entries;
	size_t size;
	size_t used;
};

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
	entry->nodes = 0;
	directory->used++;
}

/**
 * directory_clear() - Remove all entries.
 */
void directory_clear(struct directory *directory);

void directory_free(struct directory *directory);

#endif /* EMU_MACHINE_DIRECTORY_H */
