/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cache: the lines of other nodes' memory that are in a node's cache.
 *
 * What lives here: the tags of a set-associative cache. The cache contains no data, like the
 * machine itself. May use <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_CACHE_H
#define EMU_MACHINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct cache_line - A line of the cache.
 * @tag: number of the line in memory: address / size of a line
 * @used: time of the last use, as in cache.now; the line is valid if this time is after
 *        cache.emptied
 */
struct cache_line {
	uint64_t tag;
	uint64_t used;
};

/**
 * struct cache - A cache of a node.
 * @lines: all lines, sorted by sets of @ways lines
 * @set_mask: number of sets, minus 1
 * @ways: number of lines in a set
 * @shift: binary logarithm of the size of a line
 * @now: number of uses of lines so far
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
 * Return: 0; -EINVAL if the sizes are not possible: see struct machine_cache; -ENOMEM.
 */
int cache_init(struct cache *cache, uint64_t bytes, unsigned line_bytes, unsigned ways);

void cache_free(struct cache *cache);

/**
 * cache_read() - Check whether the line of @address is cached. If the line is not cached, cache it.
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
