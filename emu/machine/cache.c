/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cache: find, fill and evict lines. May use cache.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"

#define CACHE_BYTES_MAX (1ULL << 30)

int cache_init(struct cache *cache, uint64_t bytes, unsigned line_bytes, unsigned ways)
{
	uint64_t lines, sets;

	if (line_bytes != 16 && line_bytes != 64 && line_bytes != 256)
		return -EINVAL;
	if (bytes < line_bytes || bytes > CACHE_BYTES_MAX || bytes % line_bytes != 0)
		return -EINVAL;
	lines = bytes / line_bytes;
	if (ways == 0)
		ways = (unsigned)lines;
	sets = lines / ways;
	if (lines % ways != 0 || sets == 0 || (sets & (sets - 1)) != 0)
		return -EINVAL;
	memset(cache, 0, sizeof(*cache));
	cache->lines = calloc(lines, sizeof(cache->lines[0]));
	if (!cache->lines)
		return -ENOMEM;
	cache->set_mask = sets - 1;
	cache->ways = ways;
	cache->shift = (unsigned)__builtin_ctz(line_bytes);
	return 0;
}

void cache_free(struct cache *cache)
{
	free(cache->lines);
	memset(cache, 0, sizeof(*cache));
}

/* Find the line with @tag. If this line is not cached, find the line that it will replace. */
static struct cache_line *cache_line(struct cache *cache, uint64_t tag)
{
	struct cache_line *set = cache->lines + (tag & cache->set_mask) * cache->ways;
	struct cache_line *oldest = set;

	for (unsigned i = 0; i < cache->ways; i++) {
		if (set[i].tag == tag && set[i].used > cache->emptied)
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	return oldest;
}

bool cache_read(struct cache *cache, uint64_t address)
{
	uint64_t tag = address >> cache->shift;
	struct cache_line *line = cache_line(cache, tag);
	bool hit = line->tag == tag && line->used > cache->emptied;

	line->tag = tag;
	line->used = ++cache->now;
	return hit;
}

void cache_drop(struct cache *cache, uint64_t address)
{
	uint64_t tag = address >> cache->shift;
	struct cache_line *line = cache_line(cache, tag);

	if (line->tag == tag)
		line->used = 0;
}
