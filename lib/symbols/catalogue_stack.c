/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: finds the variables of functions on the stacks of the program's threads.
 *
 * What lives here: the code that finds the variables in the reported frames, from the debug
 * information of the functions. The memory of a frame that is in no variable, such as return
 * addresses, spilled registers, and arrays whose length is known only at run time, is called the
 * rest of the frame. It belongs to the frame itself.
 *
 * If variables and frames of several functions used the same memory, the memory gets the names of
 * all of them. If the same variable of the same function used the memory in several threads, the
 * memory belongs to the thread that was reported first. Memory that was used for other purposes
 * after the stack was freed has no names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/search.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

/**
 * struct stack_found - A variable in a frame, or a part of the frame's rest.
 * @start: first address
 * @end: one past the last address
 * @base: address of the whole variable
 * @cfa: canonical frame address of the frame
 * @function: function of the frame, in the debug information; NULL: unknown
 * @owner: name of the frame's rest, in the pool; equal names have the same address
 * @order: number of the frame
 * @thread: thread of the frame
 * @line: this member and all members below are as in struct object_variable; strings are in the
 *        pool
 */
struct stack_found {
	uint64_t start;
	uint64_t end;
	uint64_t base;
	uint64_t cfa;
	const void *function;
	const char *owner;
	uint32_t order;
	uint32_t thread;
	uint32_t line;
	int typed;
	struct type type;
	const char *name;
	const char *file;
	const char *object;
};

/**
 * struct stack_list - A list of variables and rests of frames. @items has memory for @size
 * elements.
 */
struct stack_list {
	struct stack_found *items;
	size_t count;
	size_t size;
};

/**
 * struct stack_collector - State while the frames are collected.
 * @variables: variables in the frames
 * @rests: the whole frames, from which the rests are computed later
 * @texts: names and paths, without duplicates
 * @frame: the frame whose variables are being searched
 * @order: number of @frame
 * @object: the file that has the function of @frame
 * @function: the function of @frame
 * @owner: name of the rest of @frame
 */
struct stack_collector {
	struct catalogue *catalogue;
	const struct map *map;
	struct stack_list variables;
	struct stack_list rests;
	struct count_table texts;
	const struct Monitor_stack_frame *frame;
	uint32_t order;
	struct object *object;
	struct object_function function;
	const char *owner;
};

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's stacks");
}

/* ---- found --------------------------------------------------------------------------------- */

static int list_add(struct stack_list *list, const struct stack_found *found)
{
	if (array_reserve(&list->items, &list->size, list->count, sizeof(*found)) < 0)
		return no_memory();
	list->items[list->count++] = *found;
	return 0;
}

/*
 * Add a copy of @found with the properties of the current frame. The copy's strings are in the
 * pool.
 */
static int add(struct stack_collector *collector, struct stack_list *list,
	       const struct stack_found *found)
{
	struct pool *pool = &collector->catalogue->pool;
	struct stack_found added = *found;

	added.base = found->start;
	added.cfa = collector->frame->cfa;
	added.function = collector->function.known ? collector->function.die.addr : NULL;
	added.owner = collector->owner;
	added.order = collector->order;
	added.thread = collector->frame->thread;
	added.object = collector->object->path;
	added.name = smile_pool_once(pool, &collector->texts, found->name);
	added.file = smile_pool_once(pool, &collector->texts, found->file);
	return added.name && added.file ? list_add(list, &added) : no_memory();
}

/*
 * Return whether a range of addresses is in the frame. A range outside the frame is not on the
 * stack, or is invalid.
 */
static int is_inside(const struct stack_collector *collector, uint64_t start, uint64_t end)
{
	const struct Monitor_stack_frame *frame = collector->frame;

	/*
	 * The upper limit is not the end of the frame, because parameters that the caller has
	 * stored are above the frame.
	 */
	return start >= frame->sp && start < end && end <= (uint64_t)1 << SMILE_ADDRESS_BITS &&
	       (start < frame->cfa ? end <= frame->cfa : start - frame->cfa < SMILE_PAGE_BYTES);
}

static int found_variable(const struct object_variable *variable, void *opaque)
{
	struct stack_collector *collector = opaque;
	const struct stack_found found = {
		.start = variable->address,
		.end = variable->address + variable->bytes,
		.line = variable->line,
		.typed = variable->typed,
		.type = variable->type,
		.name = variable->name,
		.file = variable->file,
	};

	if (!is_inside(collector, found.start, found.end))
		return 0;
	return add(collector, &collector->variables, &found);
}

/* Add the whole frame, which contains its variables and its rest. */
static int found_frame(struct stack_collector *collector)
{
	const struct Monitor_stack_frame *frame = collector->frame;
	const struct object *object = collector->object;
	char name[OBJECT_NAME_BYTES + 16];
	struct stack_found found = {.start = frame->sp, .end = frame->cfa, .file = ""};

	if (*collector->function.name)
		snprintf(name, sizeof(name), "%s's frame", collector->function.name);
	else
		snprintf(name, sizeof(name), "%s+0x%" PRIx64 "'s frame", basename(object->path),
			 frame->ip - object->bias);
	collector->owner = smile_pool_once(&collector->catalogue->pool, &collector->texts, name);
	if (!collector->owner)
		return no_memory();
	found.name = collector->owner;
	return frame->sp ? add(collector, &collector->rests, &found) : 0;
}

/* ---- frames -------------------------------------------------------------------------------- */

static int by_function(const void *left, const void *right)
{
	const struct Monitor_stack_frame *const *a = left, *const *b = right;

	if ((*a)->ip != (*b)->ip)
		return (*a)->ip < (*b)->ip ? -1 : 1;
	if (!(*a)->sp != !(*b)->sp)
		return !(*a)->sp ? -1 : 1;
	if ((*a)->cfa != (*b)->cfa)
		return (*a)->cfa < (*b)->cfa ? -1 : 1;
	if ((*a)->sp != (*b)->sp)
		return (*a)->sp < (*b)->sp ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/*
 * Return whether two frames have the same contents. If so, only the frame that was reported first
 * is used.
 */
static int is_again(const struct Monitor_stack_frame *a, const struct Monitor_stack_frame *b)
{
	return a->ip == b->ip && a->cfa == b->cfa && a->sp == b->sp;
}

/*
 * Get the current instruction of a frame. This is the call before the return address. If the
 * function was only entered, it is the first instruction of the function.
 */
static uint64_t instruction(const struct Monitor_stack_frame *frame)
{
	return frame->ip - (frame->sp != 0);
}

/*
 * Collect the variables of all frames. The function of a frame is searched only once for all frames
 * at the same instruction.
 */
static int collect(struct stack_collector *collector)
{
	const struct frames *frames = &collector->map->frames;
	const struct Monitor_stack_frame **order = calloc(frames->count, sizeof(*order));
	uint64_t at = 0;
	int error = 0;

	if (!order)
		return no_memory();
	for (size_t i = 0; i < frames->count; i++)
		order[i] = &frames->items[i];
	qsort(order, frames->count, sizeof(*order), by_function);
	for (size_t i = 0; i < frames->count && !error; i++) {
		if (i && is_again(order[i - 1], order[i]))
			continue;
		collector->frame = order[i];
		collector->order = (uint32_t)(order[i] - frames->items);
		if (!i || instruction(order[i]) != at) {
			at = instruction(order[i]);
			collector->object =
				smile_catalogue_object(collector->catalogue, collector->map, at);
			if (collector->object)
				smile_debug_function(collector->object, at, &collector->function);
		}
		if (!collector->object)
			continue;
		error = found_frame(collector);
		if (!error)
			error = smile_debug_frame(&collector->function, order[i], found_variable,
						  collector);
	}
	free(order);
	return error;
}

/* ---- rests of frames ----------------------------------------------------------------------- */

/*
 * Compare frames. Frames of the same function at the same address are the same frame, even if they
 * are at different instructions of the function.
 */
static int by_frame(const struct stack_found *a, const struct stack_found *b)
{
	if (a->cfa != b->cfa)
		return a->cfa < b->cfa ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static int by_frame_start(const void *left, const void *right)
{
	const struct stack_found *a = left, *b = right;
	int order = by_frame(a, b);

	if (order)
		return order;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_by_frame(struct stack_list *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_frame_start);
}

static int by_cfa_start(const void *left, const void *right)
{
	const struct stack_found *a = left, *b = right;

	if (a->cfa != b->cfa)
		return a->cfa < b->cfa ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/*
 * Select the parameters that callers have stored above the frame of the called function. They are
 * in the caller's frame, which ends where the frame of the called function begins, but do not
 * belong to its rest. The result is sorted by this address and contains each byte only once, so
 * that subtracting it from many frames is fast.
 */
static int pick_arguments(const struct stack_list *variables, struct stack_list *arguments)
{
	size_t kept = 0;
	int error = 0;

	for (size_t i = 0; i < variables->count && !error; i++)
		if (variables->items[i].start >= variables->items[i].cfa)
			error = list_add(arguments, &variables->items[i]);
	if (arguments->count)
		qsort(arguments->items, arguments->count, sizeof(*arguments->items), by_cfa_start);
	for (size_t i = 0; i < arguments->count; i++) {
		const struct stack_found *one = &arguments->items[i];
		struct stack_found *last = kept ? &arguments->items[kept - 1] : NULL;

		if (!last || last->cfa != one->cfa || last->end < one->start)
			arguments->items[kept++] = *one;
		else if (last->end < one->end)
			last->end = one->end;
	}
	arguments->count = kept;
	return error;
}

/*
 * Find the first element whose canonical frame address is @cfa or higher. @list must be sorted by
 * canonical frame address.
 */
static size_t find_cfa(const struct stack_list *list, uint64_t cfa)
{
	size_t at;

	SEARCH_FIRST(at, list->count, i, list->items[i].cfa >= cfa);
	return at;
}

static int push_found(struct extents *extents, const struct stack_found *found)
{
	return smile_extents_push(extents, found->start, found->end, found->base, 0);
}

/* Append the parts of @frame that are in no extent of @taken to @left. */
static int push_left(struct stack_list *left, const struct stack_found *frame,
		     struct extents *taken)
{
	struct stack_found gap = *frame;
	int error = smile_extents_settle(taken);

	gap.base = frame->start;
	for (size_t i = 0; i <= taken->count && !error && gap.start < frame->end; i++) {
		gap.end = i < taken->count && taken->items[i].start < frame->end
				  ? taken->items[i].start
				  : frame->end;
		if (gap.end > gap.start)
			error = list_add(left, &gap);
		if (i < taken->count && taken->items[i].end > gap.start)
			gap.start = taken->items[i].end;
	}
	return error;
}

/*
 * Compute the rest of each frame, which is the frame without its variables and without the
 * parameters of called functions.
 */
static int leave(struct stack_collector *collector, struct stack_list *left)
{
	const struct stack_list *variables = &collector->variables, *rests = &collector->rests;
	struct stack_list arguments = {0};
	size_t first = 0, last, variable = 0;
	int error = pick_arguments(variables, &arguments);

	sort_by_frame(&collector->variables);
	sort_by_frame(&collector->rests);
	for (; first < rests->count && !error; first = last) {
		const struct stack_found *frame = &rests->items[first];
		struct extents taken = {0};

		while (variable < variables->count &&
		       by_frame(&variables->items[variable], frame) < 0)
			variable++;
		for (; variable < variables->count && !error &&
		       !by_frame(&variables->items[variable], frame);
		     variable++)
			error = push_found(&taken, &variables->items[variable]);
		for (last = first; last < rests->count && !by_frame(&rests->items[last], frame);
		     last++) {
			uint64_t sp = rests->items[last].start;
			size_t i = find_cfa(&arguments, sp);

			if (last > first && rests->items[last - 1].start == sp)
				continue;
			for (; i < arguments.count && arguments.items[i].cfa == sp && !error; i++)
				error = push_found(&taken, &arguments.items[i]);
		}
		if (!error)
			error = push_left(left, frame, &taken);
		smile_extents_free(&taken);
	}
	free(arguments.items);
	return error;
}

/* ---- variables ----------------------------------------------------------------------------- */

static int by_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int by_name(const struct stack_found *a, const struct stack_found *b)
{
	int order = by_text(a->name, b->name);

	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (!order)
		order = by_text(a->file, b->file);
	return order ? order : by_text(a->object, b->object);
}

static int by_place(const void *left, const void *right)
{
	const struct stack_found *a = left, *b = right;
	int order = by_name(a, b);

	if (order)
		return order;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int by_thread(const void *left, const void *right)
{
	const struct stack_found *a = left, *b = right;
	int order = by_name(a, b);

	if (order)
		return order;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* If a variable was reported several times at the same address, keep only the first report. */
static void keep_first(struct stack_list *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_place);
	for (size_t i = 0; i < list->count; i++) {
		const struct stack_found *last = kept ? &list->items[kept - 1] : NULL;

		if (last && !by_name(last, &list->items[i]) &&
		    last->start == list->items[i].start && last->end == list->items[i].end)
			continue;
		list->items[kept++] = list->items[i];
	}
	list->count = kept;
	if (kept)
		qsort(list->items, kept, sizeof(*list->items), by_thread);
}

/* Add a variable. @several: more than one thread has the variable. */
static int64_t add_variable(struct catalogue *catalogue, const struct stack_found *found,
			    int several)
{
	char name[OBJECT_NAME_BYTES + 32], type[OBJECT_NAME_BYTES] = "";
	struct Monitor_variable variable = {
		.kind = MONITOR_VARIABLE_STACK,
		.line = found->line,
		.name = several ? name : found->name,
		.type = type,
		.object = found->object,
		.file = found->file,
	};
	int64_t index;

	if (several)
		snprintf(name, sizeof(name), "thread %" PRIu32 "::%s", found->thread, found->name);
	if (found->typed) {
		smile_type_name(&found->type, type, sizeof(type));
		variable.item_bytes = smile_type_item_bytes(&found->type);
	}
	index = smile_catalogue_add(catalogue, &variable);
	if (index < 0)
		return index;
	catalogue->variables[index].typed = found->typed;
	catalogue->variables[index].type = found->type;
	return index;
}

/* Add a variable for each thread that has it, with all its addresses in that thread. */
static int add_variables(struct catalogue *catalogue, struct stack_list *list,
			 struct extents *extents)
{
	const struct stack_found *items = list->items;
	size_t first = 0, last;
	int64_t index = 0;
	int error = 0;

	keep_first(list);
	for (; first < list->count && !error; first = last) {
		for (last = first + 1; last < list->count; last++)
			if (by_name(&items[first], &items[last]))
				break;
		for (size_t i = first; i < last && !error; i++) {
			if (i == first || items[i].thread != items[i - 1].thread)
				index = add_variable(catalogue, &items[i],
						     items[first].thread != items[last - 1].thread);
			error = index < 0
					? (int)index
					: smile_extents_push(extents, items[i].start, items[i].end,
							     items[i].base, (uint32_t)index);
		}
	}
	return error;
}

static int by_start(const void *left, const void *right)
{
	const struct Monitor_extent *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Remove memory that another region used after the stack was freed. */
static int clip(const struct map *map, struct extents *extents)
{
	struct extents kept = {0};
	size_t segment = 0;
	int error = 0;

	for (size_t i = 0; i < extents->count && !error; i++) {
		const struct Monitor_extent *extent = &extents->items[i];
		uint64_t start = extent->start, end;

		for (; start < extent->end && !error; start = end) {
			const struct map_segment *there;

			while (segment < map->segments_count && map->segments[segment].end <= start)
				segment++;
			there = segment < map->segments_count ? &map->segments[segment] : NULL;
			end = extent->end;
			if (there && there->start > start && there->start < end)
				end = there->start;
			else if (there && there->start <= start && there->end < end)
				end = there->end;
			if (there && there->start <= start &&
			    map->regions[there->region].kind != MONITOR_REGION_STACK)
				continue;
			error = smile_extents_push(&kept, start, end, extent->base,
						   extent->variable);
		}
	}
	smile_extents_free(extents);
	*extents = kept;
	return error;
}

/*
 * Add first the variables and then the rests of the frames. If several of them used the same
 * memory, their names are in this order.
 */
static int lay(struct stack_collector *collector, struct map *map, struct stack_list *left)
{
	struct catalogue *catalogue = collector->catalogue;
	struct extents all = {0}, below = {0};
	int error = add_variables(catalogue, &collector->variables, &all);

	if (!error)
		error = add_variables(catalogue, left, &all);
	if (!error && all.count)
		qsort(all.items, all.count, sizeof(*all.items), by_start);
	if (!error)
		error = smile_catalogue_turns(catalogue, &all, &below);
	if (!error)
		error = smile_map_segments(map);
	if (!error)
		error = clip(map, &below);
	if (!error)
		error = smile_extents_under(&catalogue->extents, &below, 1);
	smile_extents_free(&all);
	smile_extents_free(&below);
	return error;
}

int smile_catalogue_stack(struct catalogue *catalogue, struct map *map)
{
	struct stack_collector collector = {.catalogue = catalogue, .map = map};
	struct stack_list left = {0};
	int error;

	if (!map->frames.count)
		return 0;
	error = collect(&collector);
	if (!error)
		error = leave(&collector, &left);
	if (!error)
		error = lay(&collector, map, &left);
	free(collector.variables.items);
	free(collector.rests.items);
	free(left.items);
	smile_count_table_free(&collector.texts);
	return error;
}
