/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cache: which lines of other nodes' memory a node has cached.
 *
 * What lives here: the tags of a set-associative cache. Like the machine, it holds no data. May use
 * <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_CACHE_H
#define EMU_MACHINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct cache_line - A line of the cache.
 * @tag: its number: address / size of a line
 * @used: time of the last use, by struct cache.now; the line is valid if this time is after struct
 *        cache.emptied
 */
struct cache_line {
	uint64_t tag;
	uint64_t used;
};

/**
 * struct cache - A cache of a node.
 * @lines: sets, each of @ways lines
 * @set_mask: number of sets - 1
 * @ways: number of lines in a set
 * @shift: logarithm of the size of a line
 * @now: counts the uses of lines
 * @emptied: value of @now when the cache was last emptied
 */
struct cache {
	struct cache_line *lines;
	uint64_t set_mask;
	unsigned ways;
	unsigned shift;
	uint64_t now;
	uint64_t emptied;
};

/**
 * cache_init() - Create an empty cache.
 *
 * Return: 0; -EINVAL for impossible sizes: see struct machine_cache; -ENOMEM.
 */
int cache_init(struct cache *cache, uint64_t bytes, unsigned line_bytes, unsigned ways);

void cache_free(struct cache *cache);

/**
 * cache_read() - Is the line of @address cached? If not, cache it.
 */
bool cache_read(struct cache *cache, uint64_t address);

/**
 * cache_drop() - Remove the line of @address.
 */
void cache_drop(struct cache *cache, uint64_t address);

/**
 * cache_empty() - Remove all lines.
 */
static inline void cache_empty(struct cache *cache)
{
	cache->emptied = cache->now;
}

#endif /* EMU_MACHINE_CACHE_H */
