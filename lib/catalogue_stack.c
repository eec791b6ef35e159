/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: the variables of functions, on the stacks of the program's threads.
 *
 * What lives here: of the frames that were told, what lay in them by the debug information of their
 * functions. What is in a frame and in no variable is the frame's: return addresses, what a compiler
 * puts aside, arrays whose length is known only as the program runs. Memory that variables of several
 * functions had one after another is called after all of them; where it is one variable of one
 * function, the thread that was told first has it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

/**
 * struct stack_found - A variable in a frame, or what is left of the frame.
 * @start: its first address
 * @end: one past its last
 * @order: number of the frame
 * @thread: of the frame
 * @line: as struct object_variable's, like all that follows; in the pool
 */
struct stack_found {
	uint64_t start;
	uint64_t end;
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
 * struct stack_list - Those that were found: [@size].
 */
struct stack_list {
	struct stack_found *items;
	size_t count;
	size_t size;
};

/**
 * struct stack_collector - Frames, on their way into the catalogue.
 * @variables: of them
 * @rests: the frames themselves
 * @frame: the one whose variables are found
 * @order: its number
 * @object: the file that has its function
 * @function: its function
 */
struct stack_collector {
	struct catalogue *catalogue;
	const struct map *map;
	struct stack_list variables;
	struct stack_list rests;
	const struct Monitor_stack_frame *frame;
	uint32_t order;
	struct object *object;
	struct object_function function;
};

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's stacks");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* ---- found ------------------------------------------------------------------------------------ */

/* A copy of @found, with what is known of the frame, and strings of the pool. */
static int add(struct stack_collector *collector, struct stack_list *list,
	       const struct stack_found *found)
{
	struct stack_found *items =
		smile_map_room(list->items, &list->size, list->count, sizeof(*items));
	struct pool *pool = &collector->catalogue->pool;
	struct stack_found *added;

	if (!items)
		return no_memory();
	list->items = items;
	added = &items[list->count++];
	*added = *found;
	added->order = collector->order;
	added->thread = collector->frame->thread;
	added->object = collector->object->path;
	added->name = smile_pool_copy(pool, found->name);
	added->file = smile_pool_copy(pool, found->file);
	return added->name && added->file ? 0 : no_memory();
}

/* What lies outside of the frame is not on the stack, or makes no sense. */
static int is_inside(const struct stack_collector *collector, uint64_t start, uint64_t end)
{
	const struct Monitor_stack_frame *frame = collector->frame;

	/* Above it are the parameters that the caller has put there. */
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

static int found_frame(struct stack_collector *collector)
{
	const struct Monitor_stack_frame *frame = collector->frame;
	const struct object *object = collector->object;
	char name[OBJECT_NAME_BYTES + 16];
	const struct stack_found found = {
		.start = frame->sp,
		.end = frame->cfa,
		.name = name,
		.file = "",
	};

	if (!frame->sp)
		return 0;
	if (*collector->function.name)
		snprintf(name, sizeof(name), "%s's frame", collector->function.name);
	else
		snprintf(name, sizeof(name), "%s+0x%" PRIx64 "'s frame", last_part(object->path),
			 frame->ip - object->bias);
	return add(collector, &collector->rests, &found);
}

/* ---- frames ------------------------------------------------------------------------------------ */

static int by_function(const void *left, const void *right)
{
	const struct Monitor_stack_frame *const *a = left, *const *b = right;

	if ((*a)->ip != (*b)->ip)
		return (*a)->ip < (*b)->ip ? -1 : 1;
	if (!(*a)->sp != !(*b)->sp)
		return !(*a)->sp ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* The instruction that holds: the call before that to which it returns, or the function's first. */
static uint64_t instruction(const struct Monitor_stack_frame *frame)
{
	return frame->ip - (frame->sp != 0);
}

/* Of frames at one instruction, the function is looked for once. */
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
		error = smile_debug_frame(&collector->function, order[i], found_variable,
					  collector);
		if (!error)
			error = found_frame(collector);
	}
	free(order);
	return error;
}

/* ---- variables --------------------------------------------------------------------------------- */

static int by_name(const struct stack_found *a, const struct stack_found *b)
{
	int order = strcmp(a->name, b->name);

	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (!order)
		order = strcmp(a->file, b->file);
	return order ? order : strcmp(a->object, b->object);
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

/* Each variable once at each place: the first that was told. */
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

/* @several: more than one thread has it. */
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

/* One variable for each thread that has it, with all places where it has it. */
static int add_variables(struct catalogue *catalogue, struct stack_list *list,
			 struct pieces *pieces)
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
			error = index < 0 ? (int)index
					  : smile_pieces_push(pieces, items[i].start, items[i].end,
							      items[i].start, (uint32_t)index);
		}
	}
	return error;
}

static int by_start(const void *left, const void *right)
{
	const struct Monitor_piece *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Of what overlaps, what @settle makes of it, under what is there. */
static int lay(struct stack_collector *collector, struct stack_list *list, int turns)
{
	struct catalogue *catalogue = collector->catalogue;
	struct pieces all = {0}, below = {0};
	int error = add_variables(catalogue, list, &all);

	if (!error && all.count)
		qsort(all.items, all.count, sizeof(*all.items), by_start);
	if (!error)
		error = turns ? smile_catalogue_turns(catalogue, &all, &below)
			      : smile_pieces_settle(&all);
	if (!error)
		error = smile_pieces_under(&catalogue->pieces, turns ? &below : &all, 1);
	smile_pieces_free(&all);
	smile_pieces_free(&below);
	return error;
}

int smile_catalogue_stack(struct catalogue *catalogue, const struct map *map)
{
	struct stack_collector collector = {.catalogue = catalogue, .map = map};
	int error;

	if (!map->frames.count)
		return 0;
	error = collect(&collector);
	if (!error)
		error = lay(&collector, &collector.variables, 1);
	if (!error)
		error = lay(&collector, &collector.rests, 0);
	free(collector.variables.items);
	free(collector.rests.items);
	return error;
}

/* ---- stacks ------------------------------------------------------------------------------------ */

const char *smile_catalogue_stack_name(const struct map *map, const struct Monitor_region *region,
				       char *text, size_t bytes)
{
	uint32_t thread = 0;
	size_t count = 0;

	for (size_t i = 0; i < map->frames.count; i++) {
		const struct Monitor_stack_frame *frame = &map->frames.items[i];

		/* The address is one past the frame. */
		if (frame->cfa <= region->start || frame->cfa > region->end)
			continue;
		if (count && thread == frame->thread)
			continue;
		thread = frame->thread;
		if (count++)
			break;
	}
	if (!count)
		snprintf(text, bytes, "stack");
	else if (count == 1)
		snprintf(text, bytes, "stack of thread %" PRIu32, thread);
	else
		snprintf(text, bytes, "stack of several threads");
	return text;
}
