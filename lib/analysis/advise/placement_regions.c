// SPDX-License-Identifier: MIT
/*
 * Advise: writes the names of the data at the addresses in a placement file. The names are valid in
 * every run of the program. lib/analysis/placement_lines.h describes the lines.
 *
 * What lives here: the writer of the `object` and `region` lines. A region has a line only if the
 * file places one of its pages. If two regions contain the same page, the later line applies. For
 * this reason, the line of an object's data precedes the lines of the object's variables, and the
 * line of a mapping precedes the lines of the heap blocks in the mapping. A block that is smaller
 * than a page has no line.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

/* The size of the smallest variable or block that has a line. */
#define REGION_BYTES SMILE_PAGE_BYTES

/**
 * struct naming - The data from which the lines of the placement file are made.
 * @advise: the advice
 * @out: receives the lines
 * @regions: regions in the order in which they were added; shape [@region_count]
 * @blocks: blocks of REGION_BYTES or more, in the order in which they were first allocated; shape
 *          [@block_count]
 * @sites: sites of the blocks
 * @used: paths of objects in lines; at most one for each region; shape [@used_count]
 * @used_count: number of paths in @used
 * @lines: at least one line was written
 */
struct naming {
	const struct Monitor_advise *advise;
	FILE *out;
	struct Monitor_region *regions;
	size_t region_count;
	struct Monitor_block *blocks;
	size_t block_count;
	struct Monitor_site *sites;
	const char **used;
	size_t used_count;
	int lines;
};

void advise_word_put(FILE *out, const char *word)
{
	fputc(' ', out);
	for (const unsigned char *at = (const unsigned char *)word; *at; at++)
		if (*at <= ' ' || *at == '#' || *at == '%' || *at == 0x7f)
			fprintf(out, "%%%02x", *at);
		else
			fputc(*at, out);
}

/* Return whether the file places a page of this memory. */
static int is_placed(const struct Monitor_advise *advise, uint64_t start, uint64_t end)
{
	uint64_t page = start / SMILE_PAGE_BYTES;
	size_t row;

	SEARCH_FIRST(row, advise->count, i, advise->rows[i].page >= page);
	for (; start < end && row < advise->count &&
	       advise->rows[row].page <= (end - 1) / SMILE_PAGE_BYTES;
	     row++)
		if (!advise->fixed[row])
			return 1;
	return 0;
}

static void line_begin(struct naming *naming, uint64_t start, uint64_t bytes)
{
	if (!naming->lines++)
		fputs("\n# Regions and their objects, for `smile place`:\n", naming->out);
	fprintf(naming->out, "region 0x%" PRIx64 "+%" PRIu64, start, bytes);
}

/* ---- objects --------------------------------------------------------------------------------- */

/* Write a path, and record that its object needs an `object` line. */
static void path_put(struct naming *naming, const char *path)
{
	size_t i = 0;

	while (i < naming->used_count && strcmp(naming->used[i], path))
		i++;
	if (i == naming->used_count && i < naming->region_count)
		naming->used[naming->used_count++] = path;
	advise_word_put(naming->out, path);
}

static int is_used(const struct naming *naming, const char *path)
{
	for (size_t i = 0; i < naming->used_count; i++)
		if (!strcmp(naming->used[i], path))
			return 1;
	return 0;
}

static int objects_put(const struct naming *naming)
{
	struct Monitor_object *objects;
	int count;

	ANALYSIS_LIST(objects, count, Monitor_objects, naming->advise->mon);
	for (int i = 0; i < count; i++) {
		if (!*objects[i].build || !is_used(naming, objects[i].path))
			continue;
		fputs("object", naming->out);
		advise_word_put(naming->out, objects[i].path);
		advise_word_put(naming->out, objects[i].build);
		fputc('\n', naming->out);
	}
	free(objects);
	return count < 0 ? count : 0;
}

/* ---- regions --------------------------------------------------------------------------------- */

/*
 * Among the regions of objects, find the last one that contains @address. Return: the region; NULL
 * if no object contains the address.
 */
static const struct Monitor_region *object_region(const struct naming *naming, uint64_t address)
{
	for (size_t i = naming->region_count; i-- > 0;) {
		const struct Monitor_region *region = &naming->regions[i];

		if ((region->kind == MONITOR_REGION_GLOBAL ||
		     region->kind == MONITOR_REGION_CODE) &&
		    *region->name && address >= region->start && address < region->end)
			return region;
	}
	return NULL;
}

static int is_mapping(const struct Monitor_region *region)
{
	return region->kind == MONITOR_REGION_PRIVATE || region->kind == MONITOR_REGION_SHARED;
}

/*
 * Return whether malloc() or smile_alloc() mapped the memory. If malloc() mapped it, a block begins
 * in the first page, after a header.
 */
static int is_inside(const struct naming *naming, const struct Monitor_region *region)
{
	for (size_t i = 0; i < naming->region_count; i++)
		if (naming->regions[i].kind == MONITOR_REGION_NAMED &&
		    naming->regions[i].start == region->start)
			return 1;
	for (size_t i = 0; i < naming->block_count; i++)
		if (naming->blocks[i].address - region->start < SMILE_PAGE_BYTES)
			return 1;
	return 0;
}

static int is_like(const struct Monitor_region *a, const struct Monitor_region *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) &&
	       (a->kind == MONITOR_REGION_NAMED || a->end - a->start == b->end - b->start);
}

/* Count the different addresses at which equal regions precede this region. */
static size_t region_nth(const struct naming *naming, const struct Monitor_region *region)
{
	size_t nth = 0;

	for (const struct Monitor_region *at = naming->regions; at < region; at++)
		nth += is_like(at, region) && at->start != region->start &&
		       (region->kind == MONITOR_REGION_NAMED || !is_inside(naming, at));
	return nth;
}

static void region_put(struct naming *naming, const struct Monitor_region *region)
{
	FILE *out = naming->out;

	if (!is_placed(naming->advise, region->start, region->end))
		return;
	if (region->kind == MONITOR_REGION_GLOBAL && *region->name) {
		line_begin(naming, region->start, region->end - region->start);
		fputs(" data", out);
		path_put(naming, region->name);
		fprintf(out, " 0x%" PRIx64, region->start - region->bias);
	} else if (region->kind == MONITOR_REGION_NAMED && *region->name) {
		line_begin(naming, region->start, region->end - region->start);
		fprintf(out, " named %zu", region_nth(naming, region));
		advise_word_put(out, region->name);
	} else if (is_mapping(region) && !is_inside(naming, region)) {
		line_begin(naming, region->start, region->end - region->start);
		fprintf(out, " mapping %zu %s", region_nth(naming, region),
			region->kind == MONITOR_REGION_SHARED ? "shared" : "private");
		if (*region->name)
			advise_word_put(out, region->name);
	} else {
		return;
	}
	fputc('\n', out);
}

static void variables_put(struct naming *naming)
{
	const struct Monitor_advise *advise = naming->advise;

	for (size_t i = 0; i < advise->variable_count; i++) {
		const struct Monitor_variable *variable = &advise->variables[i];
		const struct Monitor_region *region;

		if (variable->kind != MONITOR_VARIABLE_GLOBAL || variable->bytes < REGION_BYTES ||
		    !*variable->object ||
		    !is_placed(advise, variable->address, variable->address + variable->bytes))
			continue;
		region = object_region(naming, variable->address);
		if (!region)
			continue;
		line_begin(naming, variable->address, variable->bytes);
		fputs(" variable", naming->out);
		path_put(naming, variable->object);
		fprintf(naming->out, " 0x%" PRIx64, variable->address - region->bias);
		advise_word_put(naming->out, variable->name);
		fputc('\n', naming->out);
	}
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
	const struct Monitor_block *a = left, *b = right;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/**
 * struct counted - A call, and the number of blocks that it has allocated so far.
 */
struct counted {
	uint64_t caller;
	size_t blocks;
};

/*
 * A call can allocate the same memory several times, each time through other callers. All blocks
 * that one call allocates at one address have the same number, as in match_number(). Return: the
 * first block that the call allocated at this address; NULL if @block is this first block.
 */
static const struct Monitor_block *block_before(const struct naming *naming,
						const struct Monitor_block *block)
{
	uint64_t caller = naming->sites[block->site].callers[0];

	for (const struct Monitor_block *at = naming->blocks; at < block; at++)
		if (at->address == block->address && naming->sites[at->site].callers[0] == caller)
			return at;
	return NULL;
}

static size_t block_nth(struct counted *counted, size_t *count, uint64_t caller)
{
	size_t i = 0;

	while (i < *count && counted[i].caller != caller)
		i++;
	if (i == *count)
		counted[(*count)++] = (struct counted){.caller = caller};
	return counted[i].blocks++;
}

static int blocks_put(struct naming *naming)
{
	struct counted *counted = analysis_memory(naming->block_count, sizeof(*counted));
	size_t count = 0;

	if (!counted)
		return -ENOMEM;
	for (size_t i = 0; i < naming->block_count; i++) {
		const struct Monitor_block *block = &naming->blocks[i];
		uint64_t caller = naming->sites[block->site].callers[0];
		const struct Monitor_region *region;
		struct Monitor_place place;
		size_t nth;

		if (block_before(naming, block))
			continue;
		nth = block_nth(counted, &count, caller);
		if (!is_placed(naming->advise, block->address, block->address + block->bytes))
			continue;
		region = object_region(naming, caller);
		if (!region)
			continue;
		line_begin(naming, block->address, block->bytes);
		fprintf(naming->out, " block %zu", nth);
		path_put(naming, region->name);
		fprintf(naming->out, " 0x%" PRIx64, caller - region->bias);
		if (!Monitor_variable_find(naming->advise->mon, block->address, &place) &&
		    place.variable < naming->advise->variable_count)
			advise_word_put(naming->out,
					naming->advise->variables[place.variable].name);
		fputc('\n', naming->out);
	}
	free(counted);
	return 0;
}

/* Load the large blocks. Small blocks are recorded in groups and have no line. */
static int blocks_load(struct naming *naming)
{
	struct Monitor *mon = naming->advise->mon;
	int blocks, sites;

	ANALYSIS_LIST(naming->blocks, blocks, Monitor_blocks, mon);
	ANALYSIS_LIST(naming->sites, sites, Monitor_sites, mon);
	if (blocks < 0 || sites < 0)
		return blocks < 0 ? blocks : sites;
	for (int i = 0; i < blocks; i++) {
		const struct Monitor_block *block = &naming->blocks[i];

		if (block->count == 1 && block->bytes >= REGION_BYTES &&
		    !(block->flags & MONITOR_BLOCK_MERGED) && block->site < (uint32_t)sites)
			naming->blocks[naming->block_count++] = *block;
	}
	qsort(naming->blocks, naming->block_count, sizeof(*naming->blocks), by_time);
	return 0;
}

static int regions_load(struct naming *naming)
{
	int count;

	ANALYSIS_LIST(naming->regions, count, Monitor_regions, naming->advise->mon);
	if (count < 0)
		return count;
	naming->used = analysis_memory((size_t)count, sizeof(*naming->used));
	naming->region_count = (size_t)count;
	return naming->used ? 0 : -ENOMEM;
}

int advise_placement_regions(const struct Monitor_advise *advise, FILE *out)
{
	struct naming naming = {.advise = advise, .out = out};
	int failed = regions_load(&naming);

	if (!failed)
		failed = blocks_load(&naming);
	for (size_t i = 0; !failed && i < naming.region_count; i++)
		region_put(&naming, &naming.regions[i]);
	if (!failed) {
		variables_put(&naming);
		failed = blocks_put(&naming);
	}
	if (!failed)
		failed = objects_put(&naming);
	free(naming.regions);
	free(naming.blocks);
	free(naming.sites);
	free(naming.used);
	return failed;
}
