// SPDX-License-Identifier: MIT
/* View kept: keeps a model for the next process. See lib/analysis/view/view_kept.h. */
#include "lib/analysis/view/view_kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/array.h>
#include <base/fnv.h>

#include "lib/analysis/memory.h"

/*
 * If more than one in this number of used rows belongs to no page, make a new model, in which every
 * row belongs to a page.
 */
#define KEPT_HOLES 4

/* ---- files ---------------------------------------------------------------------------------- */

int view_kept_open(struct view_kept *kept)
{
	*kept = (struct view_kept){
		.pages = memfd_create("smile-pages", MFD_CLOEXEC),
		.rows = memfd_create("smile-rows", MFD_CLOEXEC),
		.rest = memfd_create("smile-rest", MFD_CLOEXEC),
	};
	if (kept->pages >= 0 && kept->rows >= 0 && kept->rest >= 0)
		return 0;
	view_kept_close(kept);
	return -EMFILE;
}

void view_kept_close(struct view_kept *kept)
{
	const int files[] = {kept->pages, kept->rows, kept->rest};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] >= 0)
			close(files[i]);
	kept->pages = kept->rows = kept->rest = -1;
}

static int no_memory(void)
{
	return Monitor_error_set(ENOMEM, "no memory for the pages of a view");
}

/* Map the whole file into memory. Return: 0; -ENOMEM. */
static int map_whole(int file, void *list, size_t *bytes)
{
	struct stat now;
	void *at = NULL;

	if (fstat(file, &now))
		return no_memory();
	if (now.st_size)
		at = mmap(NULL, (size_t)now.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (at == MAP_FAILED)
		return no_memory();
	*bytes = (size_t)now.st_size;
	memcpy(list, &at, sizeof(at));
	return 0;
}

/*
 * Make the file and its mapping large enough for @count items. This can change the address of the
 * mapping. Return: 0; -ENOMEM.
 */
static int map_reserve(int file, void *list, size_t *bytes, size_t count, size_t item_bytes)
{
	size_t needed = count * item_bytes, larger = needed + needed / 4 + 65536;
	void *at;

	if (needed <= *bytes)
		return 0;
	/*
	 * Allocate the memory of the file now. Otherwise, if memory ran out later, a write to the
	 * mapping would end the process with a signal.
	 */
	if (posix_fallocate(file, (off_t)*bytes, (off_t)(larger - *bytes)))
		return no_memory();
	memcpy(&at, list, sizeof(at));
	at = at ? mremap(at, *bytes, larger, MREMAP_MAYMOVE)
		: mmap(NULL, larger, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (at == MAP_FAILED)
		return no_memory();
	*bytes = larger;
	memcpy(list, &at, sizeof(at));
	return 0;
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* An array that follows struct view_rest in the file. */
struct part {
	void *at;
	size_t bytes;
};

#define PARTS 5

static size_t blocks_of(size_t pages)
{
	return (pages >> VIEW_BLOCK_SHIFT) + 1;
}

static void parts_list(struct view_kept *kept, struct part *parts)
{
	const struct view_rest *all = &kept->all;
	const struct part list[PARTS] = {
		{&kept->region_sums, all->region_count * sizeof(*kept->region_sums)},
		{&kept->all.groups.by_node, all->groups.count * all->nodes * sizeof(uint64_t)},
		{&kept->all.groups.by_phase,
		 all->groups.count * all->groups.columns * sizeof(uint64_t)},
		{&kept->blocks, blocks_of(all->page_count) * sizeof(*kept->blocks)},
		{&kept->chunks, all->chunk_count * sizeof(*kept->chunks)},
	};

	memcpy(parts, list, sizeof(list));
}

static int rest_read(struct view_kept *kept)
{
	off_t at = sizeof(kept->all);
	struct part parts[PARTS];

	if (pread(kept->rest, &kept->all, sizeof(kept->all), 0) != (ssize_t)sizeof(kept->all))
		return no_memory();
	kept->all.groups.by_node = kept->all.groups.by_phase = NULL;
	parts_list(kept, parts);
	for (size_t i = 0; i < PARTS; i++) {
		void *memory = analysis_memory(parts[i].bytes, 1);

		if (!memory)
			return -ENOMEM;
		memcpy(parts[i].at, &memory, sizeof(memory));
		if (pread(kept->rest, memory, parts[i].bytes, at) != (ssize_t)parts[i].bytes)
			return no_memory();
		at += (off_t)parts[i].bytes;
	}
	return 0;
}

int view_kept_is(const struct view_kept *kept)
{
	struct stat rest;

	return !fstat(kept->rest, &rest) && rest.st_size > 0;
}

int view_kept_store(struct view_kept *kept, const struct view_chunk *chunks, size_t count)
{
	off_t at = sizeof(kept->all);
	struct part parts[PARTS];

	free(kept->chunks);
	kept->chunks = analysis_memory(count, sizeof(*chunks));
	if (!kept->chunks)
		return -ENOMEM;
	if (count)
		memcpy(kept->chunks, chunks, count * sizeof(*chunks));
	kept->all.chunk_count = count;
	parts_list(kept, parts);
	if (ftruncate(kept->rest, 0) ||
	    pwrite(kept->rest, &kept->all, sizeof(kept->all), 0) != (ssize_t)sizeof(kept->all))
		return no_memory();
	for (size_t i = 0; i < PARTS; i++) {
		const void *memory;

		memcpy(&memory, parts[i].at, sizeof(memory));
		if (pwrite(kept->rest, memory, parts[i].bytes, at) != (ssize_t)parts[i].bytes)
			return no_memory();
		at += (off_t)parts[i].bytes;
	}
	return 0;
}

/* ---- data of a model ------------------------------------------------------------------------- */

/*
 * Compute a digest of all regions. It includes regions of code, because the search for the region
 * of an address considers them too. Return: 0; -errno.
 */
static int regions_digest(const struct view_model *model, uint64_t *sum)
{
	struct Monitor_region *regions;
	int count;

	ANALYSIS_LIST(regions, count, Monitor_regions, model->mon);
	*sum = FNV_BEGIN;
	for (int i = 0; i < count; i++) {
		*sum = fnv_add(*sum, &regions[i].kind, sizeof(regions[i].kind));
		*sum = fnv_add(*sum, &regions[i].start, sizeof(regions[i].start));
		*sum = fnv_add(*sum, &regions[i].end, sizeof(regions[i].end));
		*sum = fnv_add(*sum, regions[i].name, strlen(regions[i].name) + 1);
	}
	free(regions);
	return count < 0 ? count : 0;
}

/*
 * Return whether the recordings have samples, or accesses that no card has counted. Such data is at
 * the end of a recording, and Monitor_changes() does not report it.
 */
static int is_other(struct Monitor *mon)
{
	return rows_accesses_known(mon) || Monitor_locals(mon, NULL, 0) != 0;
}

static int same_cost(const struct view_cost *a, const struct view_cost *b)
{
	if (a->local != b->local)
		return 0;
	for (size_t type = 0; type < SMILE_TYPE_COUNT; type++)
		if (a->remote[type] != b->remote[type])
			return 0;
	return 1;
}

/* Set the members of @model that all steps use. */
static void model_point(struct view_kept *kept, struct view_model *model)
{
	model->pages = kept->page_list;
	model->page_count = kept->all.page_count;
	model->rows.rows = kept->row_list;
	model->rows.count = kept->all.row_count;
	model->rows.nodes = kept->all.nodes;
	model->rows.untyped = kept->all.untyped;
	model->kept = kept;
	model->blocks = kept->blocks;
	model->own_known = view_own_known(model);
}

/* ---- new models ------------------------------------------------------------------------------ */

/**
 * struct filling - State while pages are added to a kept model.
 * @kept: the kept model
 * @model: the same model as a struct view_model
 * @added: pages that the kept model does not have yet; shape [@added_count]
 * @added_count: number of pages in @added
 * @added_size: number of pages for which @added has memory
 */
struct filling {
	struct view_kept *kept;
	struct view_model *model;
	struct view_page *added;
	size_t added_count;
	size_t added_size;
};

/* Append the rows of a page. Return: 0; -errno. @page: receives the page */
static int page_append(struct filling *filling, const struct Monitor_histogram_row *rows,
		       size_t count, struct view_page *page)
{
	struct view_kept *kept = filling->kept;
	struct view_rest *all = &kept->all;
	int failed = map_reserve(kept->rows, &kept->row_list, &kept->row_bytes,
				 all->rows_used + count, sizeof(*rows));

	if (failed)
		return failed;
	memcpy(kept->row_list + all->rows_used, rows, count * sizeof(*rows));
	filling->model->rows.rows = kept->row_list;
	*page = (struct view_page){
		.number = rows->page,
		.home = rows->home,
		.region = VIEW_NO_REGION,
		.row = all->rows_used,
		.rows = (uint32_t)count,
	};
	all->rows_used += count;
	all->row_count += count;
	for (size_t i = 0; i < count; i++) {
		page->accesses += rows[i].accesses;
		if (rows[i].accesses > rows[i].reads + rows[i].writes + rows[i].locks)
			all->untyped = 1;
	}
	view_page_cost(filling->model, page);
	return 0;
}

static int page_take(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct filling *filling = opaque;
	struct view_kept *kept = filling->kept;
	int failed = map_reserve(kept->pages, &kept->page_list, &kept->page_bytes,
				 kept->all.page_count + 1, sizeof(*kept->page_list));

	if (failed)
		return failed;
	return page_append(filling, rows, count, &kept->page_list[kept->all.page_count++]);
}

static int blocks_make(struct view_kept *kept, struct view_model *model)
{
	size_t count = blocks_of(model->page_count);

	model->blocks = NULL;
	free(kept->blocks);
	kept->blocks = analysis_memory(count, sizeof(*kept->blocks));
	if (!kept->blocks)
		return -ENOMEM;
	for (size_t block = 0; block < count; block++)
		kept->blocks[block] = view_block_of(model, block);
	model->blocks = kept->blocks;
	return 0;
}

static int groups_make(struct view_kept *kept, struct view_model *model)
{
	view_groups_free(&kept->all.groups);
	kept->all.groups = (struct view_groups){0};
	return view_groups_load(&kept->all.groups, model);
}

static int load_anew(struct view_kept *kept, struct view_model *model, uint64_t regions)
{
	struct filling filling = {.kept = kept, .model = model};
	int failed;

	free(kept->region_sums);
	free(kept->chunks);
	kept->chunks = NULL;
	view_groups_free(&kept->all.groups);
	kept->all = (struct view_rest){
		.cost = model->cost,
		.regions = regions,
		.nodes = model->rows.nodes,
	};
	kept->anew = 1;
	model->kept = kept;
	failed = Monitor_walk_pages(model->mon, page_take, &filling);
	if (failed)
		return failed;
	model_point(kept, model);
	failed = view_regions_load(model);
	kept->all.region_count = model->region_count;
	kept->region_sums = analysis_memory(model->region_count, sizeof(*kept->region_sums));
	if (failed || !kept->region_sums)
		return failed ? failed : -ENOMEM;
	for (size_t i = 0; i < model->page_count; i++) {
		const struct view_page *page = &model->pages[i];

		view_sums_page(model, &kept->all.sums, page, 1);
		if (page->region != VIEW_NO_REGION)
			view_sums_page(model, &kept->region_sums[page->region], page, 1);
	}
	failed = blocks_make(kept, model);
	return failed ? failed : groups_make(kept, model);
}

/* ---- changes -------------------------------------------------------------------------------- */

static void sums_change(struct filling *filling, const struct view_page *page, int sign)
{
	struct view_kept *kept = filling->kept;

	view_sums_page(filling->model, &kept->all.sums, page, sign);
	if (page->region != VIEW_NO_REGION)
		view_sums_page(filling->model, &kept->region_sums[page->region], page, sign);
}

/* Handle a page with new counts: update the page in the model, or add it. */
static int page_change(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct filling *filling = opaque;
	struct view_kept *kept = filling->kept;
	size_t at = view_page_find(filling->model, rows->page, rows->home);
	struct view_page *page, changed;
	int failed;

	if (at == VIEW_NO_PAGE) {
		if (array_reserve(&filling->added, &filling->added_size, filling->added_count,
				  sizeof(*filling->added)) < 0)
			return no_memory();
		return page_append(filling, rows, count, &filling->added[filling->added_count++]);
	}
	page = &kept->page_list[at];
	sums_change(filling, page, -1);
	kept->all.row_count -= page->rows;
	if (page->rows == count) {
		/*
		 * Append the page's new rows first. If they fit into the memory of the page's old
		 * rows, move them there.
		 */
		failed = page_append(filling, rows, count, &changed);
		if (failed)
			return failed;
		kept->all.rows_used -= count;
		changed.row = page->row;
		memcpy(kept->row_list + page->row, rows, count * sizeof(*rows));
	} else {
		failed = page_append(filling, rows, count, &changed);
		if (failed)
			return failed;
	}
	changed.region = page->region;
	*page = changed;
	sums_change(filling, page, 1);
	kept->changed[kept->changed_count++] = at;
	return 0;
}

/* Insert the added pages in the order of the model, and adjust the indices of changed pages. */
static int added_merge(struct filling *filling)
{
	struct view_kept *kept = filling->kept;
	size_t left = filling->added_count, from = kept->all.page_count, changes, to;
	int failed = map_reserve(kept->pages, &kept->page_list, &kept->page_bytes, from + left,
				 sizeof(*kept->page_list));

	if (failed)
		return failed;
	changes = kept->changed_count;
	to = kept->changed_count += left;
	kept->all.page_count += left;
	while (left) {
		const struct view_page *page = &filling->added[left - 1];
		size_t first = from;

		while (first && (kept->page_list[first - 1].number > page->number ||
				 (kept->page_list[first - 1].number == page->number &&
				  kept->page_list[first - 1].home > page->home)))
			first--;
		memmove(&kept->page_list[first + left], &kept->page_list[first],
			(from - first) * sizeof(*page));
		for (; changes && kept->changed[changes - 1] >= first; changes--)
			kept->changed[--to] = kept->changed[changes - 1] + left;
		kept->page_list[first + left - 1] = *page;
		kept->changed[--to] = first + left - 1;
		from = first;
		left--;
	}
	return 0;
}

/* Set the regions of the added pages, and add the pages to the sums. */
static int added_settle(struct filling *filling)
{
	struct view_model added = *filling->model;
	int failed;

	added.pages = filling->added;
	added.page_count = filling->added_count;
	failed = view_regions_match(&added);
	for (size_t i = 0; i < filling->added_count && !failed; i++)
		sums_change(filling, &filling->added[i], 1);
	return failed ? failed : added_merge(filling);
}

static int blocks_change(struct view_kept *kept, struct view_model *model, size_t added)
{
	/*
	 * If a page was added, the indices of all pages after it have changed, so compute all
	 * blocks again.
	 */
	if (added)
		return blocks_make(kept, model);
	for (size_t i = 0; i < kept->changed_count; i++) {
		size_t block = kept->changed[i] >> VIEW_BLOCK_SHIFT;

		if (!i || block != kept->changed[i - 1] >> VIEW_BLOCK_SHIFT)
			kept->blocks[block] = view_block_of(model, block);
	}
	return 0;
}

static int groups_change(struct view_kept *kept, struct view_model *model, size_t added)
{
	const struct view_groups *groups = &kept->all.groups;
	struct view_groups shape = {0};
	int failed = 0;

	view_groups_shape(&shape, model);
	if (added || shape.shift != groups->shift || shape.count != groups->count ||
	    shape.phase_shift != groups->phase_shift || shape.columns != groups->columns)
		return groups_make(kept, model);
	for (size_t i = 0; i < kept->changed_count && !failed; i++) {
		size_t group = kept->changed[i] >> shape.shift;

		if (!i || group != kept->changed[i - 1] >> shape.shift)
			failed = view_groups_fill(&kept->all.groups, model, group);
	}
	return failed;
}

static int count_page(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	++*(size_t *)opaque;
	return 0;
}

/*
 * Apply the changes since the kept model to the model. Return: 1; 0 if a new model must be made;
 * -errno.
 */
static int load_changes(struct view_kept *kept, struct view_model *model, uint64_t regions)
{
	struct filling filling = {.kept = kept, .model = model};
	const struct view_rest *all = &kept->all;
	size_t changes = 0;
	int failed;

	if (!kept->valid || Monitor_walk_changes(model->mon, count_page, &changes))
		return 0;
	failed = rest_read(kept);
	if (failed)
		return failed;
	if (!same_cost(&all->cost, &model->cost) || all->regions != regions ||
	    all->nodes != model->rows.nodes ||
	    (all->rows_used - all->row_count) > all->rows_used / KEPT_HOLES)
		return 0;
	kept->changed = analysis_memory(changes, sizeof(*kept->changed));
	if (!kept->changed)
		return -ENOMEM;
	failed = view_regions_list(model);
	model_point(kept, model);
	if (!failed)
		failed = Monitor_walk_changes(model->mon, page_change, &filling);
	if (!failed)
		failed = added_settle(&filling);
	free(filling.added);
	model_point(kept, model);
	if (!failed)
		failed = blocks_change(kept, model, filling.added_count);
	if (!failed)
		failed = groups_change(kept, model, filling.added_count);
	return failed ? failed : 1;
}

int view_kept_load(struct view_kept *kept, struct view_model *model)
{
	uint64_t regions;
	int done, nodes = Monitor_nodes(model->mon);

	if (nodes < 0)
		return nodes;
	model->rows.nodes = nodes ? (size_t)nodes : 1;
	if (is_other(model->mon))
		return ftruncate(kept->rest, 0) ? no_memory() : 0;
	done = regions_digest(model, &regions);
	if (!done)
		done = map_whole(kept->pages, &kept->page_list, &kept->page_bytes);
	if (!done)
		done = map_whole(kept->rows, &kept->row_list, &kept->row_bytes);
	if (!done)
		done = load_changes(kept, model, regions);
	if (done)
		return done;
	done = load_anew(kept, model, regions);
	return done ? done : 1;
}
