// SPDX-License-Identifier: MIT
/*
 * Advise: finds the layout of a variable's pages over the nodes. See lib/analysis/advise/advise.h.
 *
 * What lives here: the recognition of block and cyclic layouts in the sequence of the pages'
 * advised nodes; and the conversion of a layout's parts into rows, columns or items of an array. A
 * part is a run of pages with the same advised node. Truly shared pages are often at the border of
 * two parts. They belong to no part, and a truly shared page within a part does not divide the
 * part. If cards recorded one page on two nodes, no layout is recognised.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"

/* At most one in this number of a part's pages may have another advised node than the part. */
#define EXCEPTION_PAGES 16
/* At most one in this number of the variable's pages may be outside the layout. */
#define EXCEPTIONS_MOST 10

static const struct Monitor_advice *row_of(const struct Monitor_advise *advise,
					   const struct Monitor_advise_data *data, size_t i)
{
	return &advise->rows[data->rows[i]];
}

/* Return whether a page is truly shared, and no rule for the whole variable has chosen its node. */
static int is_shared(const struct Monitor_advise_data *data, const struct Monitor_advice *row)
{
	return data->choice == MONITOR_CHOICE_PAGES && (row->flags & MONITOR_ADVICE_SHARED) != 0;
}

static int lies_elsewhere(const struct Monitor_advise_data *data)
{
	return data->choice == MONITOR_CHOICE_PAGES ? data->sums.wrong > 0 : data->sums.moved > 0;
}

/* ---- parts of pages ------------------------------------------------------------------------ */

/**
 * struct parts - The parts of a variable's layout, as page numbers.
 * @list: the parts; there is memory for one part per page
 * @count: number of parts so far
 * @wanted: number of pages that are not truly shared
 * @fit: number of pages that are not truly shared and are in a part
 * @seen: temporary memory, by node
 * @converted: temporary memory; shape as @list
 */
struct parts {
	struct Monitor_advise_part *list;
	size_t count;
	size_t wanted;
	size_t fit;
	unsigned char *seen;
	struct Monitor_advise_part *converted;
};

static void part_grow(struct parts *parts, const struct Monitor_advice *row, uint64_t pages)
{
	struct Monitor_advise_part *last = parts->count ? &parts->list[parts->count - 1] : NULL;

	if (!last || last->node != row->node) {
		last = &parts->list[parts->count++];
		*last = (struct Monitor_advise_part){.first = (int64_t)row->page,
						     .node = row->node};
	}
	last->last = (int64_t)row->page;
	last->pages += pages;
	parts->fit += pages;
}

/* Return whether a page of the variable has two rows, one for each of two homes. */
static int has_page_twice(const struct Monitor_advise *advise,
			  const struct Monitor_advise_data *data)
{
	for (size_t i = 1; i < data->count; i++)
		if (row_of(advise, data, i)->page == row_of(advise, data, i - 1)->page)
			return 1;
	return 0;
}

static int parts_make(const struct Monitor_advise *advise, const struct Monitor_advise_data *data,
		      struct parts *parts)
{
	*parts = (struct parts){
		.list = analysis_memory(data->count, sizeof(*parts->list)),
		.seen = analysis_memory(advise->nodes, 1),
		.converted = analysis_memory(data->count, sizeof(*parts->converted)),
	};
	if (!parts->list || !parts->seen || !parts->converted)
		return -ENOMEM;
	for (size_t i = 0; i < data->count; i++)
		if (!is_shared(data, row_of(advise, data, i)))
			part_grow(parts, row_of(advise, data, i), 1);
	parts->wanted = parts->fit;
	return 0;
}

static void parts_free(struct parts *parts)
{
	free(parts->list);
	free(parts->seen);
	free(parts->converted);
}

/* Get the number of different nodes of the parts. */
static size_t nodes_of(const struct Monitor_advise *advise, const struct parts *parts)
{
	size_t count = 0;

	memset(parts->seen, 0, advise->nodes);
	for (size_t i = 0; i < parts->count; i++) {
		uint32_t node = parts->list[i].node;

		if (node < advise->nodes && !parts->seen[node]) {
			parts->seen[node] = 1;
			count++;
		}
	}
	return count;
}

/*
 * Remove each part that is much shorter than the pages divided by the number of nodes, and join the
 * parts on both sides of a removed part.
 */
static void parts_smooth(struct parts *parts, size_t nodes)
{
	size_t least = parts->wanted / (nodes * EXCEPTION_PAGES) + 1, count = parts->count;

	parts->count = parts->fit = 0;
	for (size_t i = 0; i < count; i++) {
		struct Monitor_advise_part part = parts->list[i];
		struct Monitor_advice row = {.page = (uint64_t)part.first, .node = part.node};

		if (part.pages <= least)
			continue;
		part_grow(parts, &row, part.pages);
		parts->list[parts->count - 1].last = part.last;
	}
}

static int fits(const struct parts *parts)
{
	return (parts->wanted - parts->fit) * EXCEPTIONS_MOST <= parts->wanted;
}

/* ---- cyclic -------------------------------------------------------------------------------- */

/*
 * Count the pages that fit a cyclic layout. The layout divides the variable's pages into blocks of
 * @length pages and assigns the blocks to the nodes one after the other, in the order of the first
 * @nodes parts. Return: the number of pages whose advised node is the node of their block.
 */
static size_t cyclic_fit(const struct Monitor_advise *advise,
			 const struct Monitor_advise_data *data, const struct parts *parts,
			 size_t nodes, uint64_t length)
{
	uint64_t first = (uint64_t)parts->list[0].first;
	size_t fit = 0;

	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = row_of(advise, data, i);

		if (!is_shared(data, row) && row->page >= first)
			fit += parts->list[(row->page - first) / length % nodes].node == row->node;
	}
	return fit;
}

/* Find a cyclic layout. Return: the number of pages in a block; 0 if the layout is not cyclic. */
static uint64_t cyclic_find(const struct Monitor_advise *advise,
			    const struct Monitor_advise_data *data, struct parts *parts,
			    size_t nodes)
{
	uint64_t length;

	if (nodes < 2 || parts->count < 2 * nodes)
		return 0;
	length = (uint64_t)(parts->list[1].first - parts->list[0].first);
	for (size_t i = 1; i < nodes; i++)
		for (size_t k = 0; k < i; k++)
			if (parts->list[i].node == parts->list[k].node)
				return 0;
	parts->fit = cyclic_fit(advise, data, parts, nodes, length);
	if (!fits(parts))
		return 0;
	parts->count = nodes;
	for (size_t i = 0; i < nodes; i++) {
		parts->list[i].first = parts->list[0].first + (int64_t)(i * length);
		parts->list[i].last = parts->list[i].first + (int64_t)length - 1;
	}
	return length;
}

/* ---- units of the source ------------------------------------------------------------------- */

/**
 * struct unit - The unit in which the parts of an array are given: all items with the same slowest
 * index.
 * @name: plural name
 * @bytes: size of one unit
 * @lower: lowest index
 * @count: number of units
 */
struct unit {
	const char *name;
	uint64_t bytes;
	int64_t lower;
	int64_t count;
};

static int unit_find(const struct Monitor_advise *advise, const struct Monitor_variable *variable,
		     struct unit *unit)
{
	struct Monitor_type_part parts[16];
	struct Monitor_type type;
	uint32_t slowest;
	int number, count;

	if (!variable || variable->kind != MONITOR_VARIABLE_GLOBAL || !variable->item_bytes)
		return 0;
	number = Monitor_variable_type(advise->mon, (uint32_t)(variable - advise->variables));
	if (number < 0)
		return 0;
	count = Monitor_type_info(advise->mon, (uint32_t)number, &type, parts, 16);
	if (count < 1 || count > 16 || type.kind != MONITOR_TYPE_ARRAY)
		return 0;
	slowest = type.flags & MONITOR_TYPE_FORTRAN ? (uint32_t)count - 1 : 0;
	unit->name = count == 1 ? "items" : type.flags & MONITOR_TYPE_FORTRAN ? "columns" : "rows";
	unit->bytes = variable->item_bytes;
	unit->lower = parts[slowest].lower;
	unit->count = (int64_t)(variable->bytes / variable->item_bytes);
	return unit->count > 0;
}

/* Get the index of the unit whose beginning is nearest to the beginning of a page. */
static int64_t index_at(const struct unit *unit, const struct Monitor_advise_data *data,
			int64_t page)
{
	uint64_t address = (uint64_t)page * SMILE_PAGE_BYTES;

	if (address <= data->start)
		return unit->lower;
	return unit->lower + (int64_t)((address - data->start + unit->bytes / 2) / unit->bytes);
}

/* Convert parts to rows, columns or items. Return: 1; 0 if a part is smaller than one unit. */
static int to_unit(const struct unit *unit, const struct Monitor_advise_data *data,
		   struct parts *parts, int whole)
{
	struct Monitor_advise_part *list = parts->list;
	struct Monitor_advise_part *converted = parts->converted;
	int good = 1;

	for (size_t i = 0; i < parts->count; i++) {
		converted[i] = list[i];
		converted[i].first = index_at(unit, data, list[i].first);
		/*
		 * Other data can precede the variable in its first page, and follow the variable in
		 * its last page.
		 */
		if (!i && whole)
			converted[i].first = unit->lower;
		converted[i].last = i + 1 < parts->count
					    ? index_at(unit, data, list[i + 1].first) - 1
					    : index_at(unit, data, list[i].last + 1) - 1;
		if (i + 1 == parts->count &&
		    (whole || converted[i].last >= unit->lower + unit->count))
			converted[i].last = unit->lower + unit->count - 1;
		good &= converted[i].last >= converted[i].first;
	}
	for (size_t i = 0; good && i < parts->count; i++)
		list[i] = converted[i];
	return good;
}

static uint64_t turn_bytes(const struct parts *parts)
{
	return (uint64_t)(parts->list[0].last - parts->list[0].first + 1) * SMILE_PAGE_BYTES;
}

/*
 * Set the unit of the parts. @whole: the parts are the whole variable; otherwise they are the first
 * block of each node.
 */
static void units_set(const struct Monitor_advise *advise, struct Monitor_advise_data *data,
		      struct parts *parts, int whole)
{
	int64_t first = (int64_t)(data->start / SMILE_PAGE_BYTES);
	struct unit unit;

	data->unit = "pages";
	/*
	 * If a turn, in which each node has one block, is not a whole number of units, report the
	 * parts in pages.
	 */
	if (unit_find(advise, data->variable, &unit) &&
	    (whole || !(turn_bytes(parts) % unit.bytes)) && to_unit(&unit, data, parts, whole)) {
		data->unit = unit.name;
		return;
	}
	for (size_t i = 0; i < parts->count; i++) {
		parts->list[i].first -= first;
		parts->list[i].last -= first;
	}
}

/* ---- all ------------------------------------------------------------------------------------- */

static void parts_keep(struct Monitor_advise_data *data, struct parts *parts)
{
	data->parts = parts->list;
	data->part_count = parts->count;
	data->exceptions = parts->wanted - parts->fit;
	parts->list = NULL;
}

int advise_layout_find(const struct Monitor_advise *advise, struct Monitor_advise_data *data)
{
	struct parts parts;
	size_t nodes;

	if (parts_make(advise, data, &parts)) {
		parts_free(&parts);
		return -ENOMEM;
	}
	nodes = nodes_of(advise, &parts);
	data->unit = "pages";
	data->layout = MONITOR_LAYOUT_MIXED;
	if (data->choice == MONITOR_CHOICE_PAGES && 2 * data->sums.shared > data->count) {
		data->layout = MONITOR_LAYOUT_SHARED;
	} else if (nodes == 1) {
		data->layout = lies_elsewhere(data) ? MONITOR_LAYOUT_NODE : MONITOR_LAYOUT_STAYS;
		units_set(advise, data, &parts, 1);
	} else if (has_page_twice(advise, data)) {
		/* If a page has two homes, the parts could overlap, so do not convert them. */
		data->layout = MONITOR_LAYOUT_MIXED;
	} else if (cyclic_find(advise, data, &parts, nodes)) {
		data->layout = MONITOR_LAYOUT_CYCLIC;
		units_set(advise, data, &parts, 0);
	} else {
		/*
		 * Remove short parts. If each node then has one part, the layout is in blocks.
		 * Otherwise the layout is mixed.
		 */
		parts.fit = parts.wanted;
		if (parts.count != nodes && nodes)
			parts_smooth(&parts, nodes);
		if (parts.count && parts.count == nodes_of(advise, &parts) && fits(&parts)) {
			data->layout = parts.count > 1	      ? MONITOR_LAYOUT_BLOCKS
				       : lies_elsewhere(data) ? MONITOR_LAYOUT_NODE
							      : MONITOR_LAYOUT_STAYS;
			units_set(advise, data, &parts, 1);
		}
	}
	if (data->layout != MONITOR_LAYOUT_MIXED && data->layout != MONITOR_LAYOUT_SHARED)
		parts_keep(data, &parts);
	parts_free(&parts);
	return 0;
}

const char *Monitor_layout_name(enum Monitor_layout layout)
{
	static const char *const names[] = {
		[MONITOR_LAYOUT_STAYS] = "stays",   [MONITOR_LAYOUT_NODE] = "node",
		[MONITOR_LAYOUT_BLOCKS] = "blocks", [MONITOR_LAYOUT_CYCLIC] = "cyclic",
		[MONITOR_LAYOUT_SHARED] = "shared", [MONITOR_LAYOUT_MIXED] = "mixed",
	};

	return names[layout];
}

const char *Monitor_choice_name(enum Monitor_advise_choice choice)
{
	static const char *const names[] = {
		[MONITOR_CHOICE_PAGES] = "pages",   [MONITOR_CHOICE_STAYS] = "stays",
		[MONITOR_CHOICE_NODE] = "node",	    [MONITOR_CHOICE_INTERLEAVE] = "interleave",
		[MONITOR_CHOICE_BLOCKS] = "blocks", [MONITOR_CHOICE_PHASE] = "phase",
	};

	return names[choice];
}
