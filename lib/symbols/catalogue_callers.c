/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: finds the call that requested a block of the heap.
 *
 * What lives here: the choice of the call by which a block is named. The candidates are the calls
 * that were on the thread's stack when the thread allocated the block. Calls in a standard library,
 * and calls in functions that only allocate memory for their callers, are left out. The innermost
 * of the remaining calls is chosen. rank_of() recognises functions that allocate for their callers
 * by their declarations, or because they have several callers.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/array.h>
#include <base/fnv.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

#define ROUNDS 8 /* the largest depth of allocators that call allocators */
#define SITE_CALLS 64 /* the largest number of calls in a site, including inlined calls */

enum rank {
	RANK_LIBRARY, /* in a standard library */
	RANK_ALLOCATES, /* in a function that allocates for its callers */
	/* in a function that counts as allocating for its callers if it has several callers */
	RANK_CAN_ALLOCATE,
	/* like RANK_CAN_ALLOCATE, but only if the function allocates in only one line */
	RANK_ONE_CALL,
	RANK_PROGRAM,
};

/**
 * struct call - A call in the source.
 * @source: line and column of the call
 * @number: a number that is equal for calls in the same line of the same function
 * @place: a number that is equal for calls at the same line and column
 * @family: a number that is equal for calls in the same function
 */
struct call {
	struct wanting_call source;
	enum rank rank;
	uint32_t number;
	uint32_t place;
	uint32_t family;
};

/**
 * struct stack - The calls of a site that can name its blocks.
 * @calls: indices of the calls, the innermost call first
 * @at: index in @calls of the call that is selected so far
 */
struct stack {
	uint32_t count;
	uint32_t at;
	uint32_t calls[SITE_CALLS];
};

/**
 * struct reader - The data about the program that was read so far.
 * @calls: calls in the order in which they were read; the calls of one address follow each other;
 *         [@size]
 * @known: maps a return address to the index of the first call at this address
 * @alike: maps a line or a function to the index of the first call in it
 */
struct reader {
	struct catalogue *catalogue;
	const struct map *map;
	struct call *calls;
	size_t count;
	size_t size;
	struct count_table known;
	struct count_table alike;
};

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's heap");
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/* Get the name of a function without its scopes and its template arguments. */
static const char *last_name(const char *function)
{
	const char *last = function;
	int depth = 0;

	if (strstr(function, "operator new"))
		return "operator new";
	for (const char *at = function; *at; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth;
		if (!depth && at[0] == ':' && at[1] == ':')
			last = at + 2;
	}
	return last;
}

static int has(const char *text, const char *part)
{
	size_t length = strlen(part);

	for (; *text; text++)
		if (!strncasecmp(text, part, length))
			return 1;
	return 0;
}

static int is_called_allocator(const char *name)
{
	return has(name, "alloc") || has(name, "strdup") || has(name, "memdup");
}

static int is_allocator(const char *name)
{
	return !strcmp(name, "operator new") || !strcmp(name, "allocate") ||
	       !strcmp(name, "do_allocate");
}

/*
 * Return whether the function is a member with the name of its class, such as
 * "grid::cells<int>::cells".
 */
static int is_constructor(const char *function)
{
	const char *name = last_name(function), *class = function;
	size_t length = strcspn(name, "<");
	int depth = 0;

	if (name == function || !length)
		return 0;
	for (const char *at = function; at < name - 2; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth;
		if (!depth && at[0] == ':' && at[1] == ':')
			class = at + 2;
	}
	return !strncmp(class, name, length) && strchr("<:", class[length]);
}

static int is_standard(const char *function)
{
	return !strncmp(function, "std::", 5) || !strncmp(function, "__gnu_cxx::", 11) ||
	       !strncmp(function, "__rust_", 7) || !strncmp(function, "__rdl_", 6) ||
	       !strncmp(function, "__rg_", 5) || !strcmp(function, "_start");
}

static enum rank rank_of(struct object *object, const struct object_source *source)
{
	const char *name = last_name(source->function);
	int values = source->yield == OBJECT_YIELDS_BYTES || source->yield == OBJECT_YIELDS_VALUES;

	if (smile_object_is_runtime(object) || smile_debug_is_system(source->file) ||
	    (!*source->file && is_standard(source->function)))
		return RANK_LIBRARY;
	if (!source->declared)
		return is_called_allocator(name) ? RANK_CAN_ALLOCATE : RANK_PROGRAM;
	if (source->yield != OBJECT_YIELDS_NOTHING && is_allocator(name))
		return RANK_ALLOCATES;
	if (values &&
	    (is_called_allocator(name) || (source->yield == OBJECT_YIELDS_BYTES && source->sized)))
		return RANK_ALLOCATES;
	if (values || (source->receives && source->sized))
		return RANK_CAN_ALLOCATE;
	/*
	 * A class that allocates in only one line counts as a container, which allocates for its
	 * callers.
	 */
	return is_called_allocator(name) || is_constructor(source->function) ? RANK_ONE_CALL
									     : RANK_PROGRAM;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static uint64_t text_hash(uint64_t hash, const char *text)
{
	return fnv_add(hash ^ FNV_BEGIN, text, strlen(text));
}

/*
 * Get the number of a key. A new key gets the index of the call that was added last. Return: 0;
 * -ENOMEM.
 */
static int same_as(struct reader *reader, uint64_t high, uint64_t low, uint32_t *number)
{
	uint64_t there = smile_count_table_get(&reader->alike, high, low + 1);

	*number = (uint32_t)(there ? there : reader->count) - 1;
	return there ? 0 : smile_count_table_add(&reader->alike, high, low + 1, reader->count);
}

static int add_call(struct reader *reader, struct object *object, uint64_t address,
		    const struct object_source *source)
{
	struct pool *pool = &reader->catalogue->pool;
	struct call *call;
	uint64_t hash, place;

	if (array_reserve(&reader->calls, &reader->size, reader->count, sizeof(*call)) < 0)
		return no_memory();
	call = &reader->calls[reader->count];
	*call = (struct call){
		.source = {object, address, smile_pool_copy(pool, source->function),
			   smile_pool_copy(pool, source->file), source->line,
			   source->fortran ? address : source->column, source->fortran},
		.rank = rank_of(object, source),
	};
	if (!call->source.function || !call->source.file)
		return no_memory();
	hash = text_hash(
		text_hash((uint64_t)(object - reader->catalogue->objects), call->source.function),
		call->source.file);
	place = text_hash(hash, "place") ^ call->source.apart;
	reader->count++;
	return same_as(reader, hash, 0, &call->family) ||
			       same_as(reader, hash, *call->source.file ? source->line : address,
				       &call->number) ||
			       same_as(reader, place, *call->source.file ? source->line : address,
				       &call->place)
		       ? no_memory()
		       : 0;
}

/*
 * Get the calls that return to @address. They are read only once. Return: the index of the first
 * call; -ENOMEM.
 */
static int64_t calls_at(struct reader *reader, uint64_t address)
{
	struct object_source sources[OBJECT_SOURCES];
	uint64_t first = smile_count_table_get(&reader->known, address, 0);
	struct object *object;
	int count, error;

	if (first)
		return (int64_t)first - 1;
	first = reader->count + 1;
	error = smile_count_table_add(&reader->known, address, 0, first) ? no_memory() : 0;
	object = smile_catalogue_object(reader->catalogue, reader->map, address);
	count = object ? smile_debug_sources(object, address - object->bias, sources,
					     OBJECT_SOURCES)
		       : 0;
	for (int i = 0; i < count && !error; i++)
		error = add_call(reader, object, address, &sources[i]);
	return error ? error : (int64_t)first - 1;
}

/* ---- stacks --------------------------------------------------------------------------------- */

/* If the line of at least one call is known, remove all calls whose lines are not known. */
static void keep_lines(const struct reader *reader, struct stack *stack)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < stack->count; i++)
		if (*reader->calls[stack->calls[i]].source.file)
			stack->calls[kept++] = stack->calls[i];
	if (kept)
		stack->count = kept;
}

static int read_stack(struct reader *reader, const struct Monitor_site *site, struct stack *stack)
{
	stack->count = stack->at = 0;
	for (unsigned int i = 0; i < MONITOR_SITE_CALLERS && site->callers[i]; i++) {
		int64_t at = calls_at(reader, site->callers[i]);

		if (at < 0)
			return (int)at;
		for (; (size_t)at < reader->count && stack->count < SITE_CALLS &&
		       reader->calls[at].source.address == site->callers[i];
		     at++)
			if (reader->calls[at].rank != RANK_LIBRARY)
				stack->calls[stack->count++] = (uint32_t)at;
	}
	keep_lines(reader, stack);
	while (stack->at + 1 < stack->count &&
	       reader->calls[stack->calls[stack->at]].rank == RANK_ALLOCATES)
		stack->at++;
	return 0;
}

static const struct call *call_of(const struct reader *reader, const struct stack *stack,
				  uint32_t at)
{
	return at < stack->count ? &reader->calls[stack->calls[at]] : NULL;
}

/*
 * Compute a hash of the callers of the selected call, from the inside to the first caller that
 * cannot be an allocator.
 */
static uint64_t callers_hash(const struct reader *reader, const struct stack *stack)
{
	uint32_t family = call_of(reader, stack, stack->at)->family;
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (uint32_t i = stack->at + 1; i < stack->count; i++) {
		const struct call *call = call_of(reader, stack, i);

		/* A recursive call does not count as a further caller. */
		if (call->family == family)
			continue;
		hash = (hash ^ (call->place + 1)) * FNV_PRIME;
		if (call->rank == RANK_PROGRAM)
			break;
	}
	return hash;
}

/**
 * struct callers - The callers of a function that may allocate for its callers.
 * @hash: hash of the callers when the function was first found to allocate
 * @call: the function's first call of an allocator
 * @seen: the function allocates
 * @several: the function has several callers
 * @calls: the function has several calls that allocate
 */
struct callers {
	uint64_t hash;
	uint32_t call;
	int seen;
	int several;
	int calls;
};

static void note_callers(const struct reader *reader, const struct stack *stack,
			 struct callers *callers)
{
	const struct call *call = call_of(reader, stack, stack->at);
	uint64_t hash;

	if (!call || call->rank == RANK_PROGRAM)
		return;
	callers += call->family;
	hash = callers_hash(reader, stack);
	if (!callers->seen) {
		callers->seen = 1;
		callers->hash = hash;
		callers->call = call->number;
	}
	callers->several |= callers->hash != hash;
	callers->calls |= callers->call != call->number;
}

/*
 * If the selected call is in a function that allocates for its callers, select the call of that
 * function instead. Return: whether another call was selected.
 */
static int move_out(const struct reader *reader, struct stack *stack, const struct callers *callers)
{
	const struct call *call = call_of(reader, stack, stack->at);

	if (!call || call->rank == RANK_PROGRAM || stack->at + 1 == stack->count ||
	    !callers[call->family].several ||
	    (call->rank == RANK_ONE_CALL && callers[call->family].calls))
		return 0;
	stack->at++;
	return 1;
}

static int settle(const struct reader *reader, struct stack *stacks, size_t count)
{
	struct callers *callers = calloc(reader->count + 1, sizeof(*callers));
	int moved = 1;

	if (!callers)
		return no_memory();
	for (int round = 0; moved && round < ROUNDS; round++) {
		moved = 0;
		memset(callers, 0, reader->count * sizeof(*callers));
		for (size_t i = 0; i < count; i++)
			note_callers(reader, &stacks[i], callers);
		for (size_t i = 0; i < count; i++)
			moved |= move_out(reader, &stacks[i], callers);
	}
	free(callers);
	return 0;
}

int smile_catalogue_callers(struct catalogue *catalogue, const struct map *map,
			    struct wanting_call *wanted)
{
	struct reader reader = {.catalogue = catalogue, .map = map};
	size_t count = map->heap.sites_count;
	struct stack *stacks = calloc(count + 1, sizeof(*stacks));
	int error = stacks ? 0 : no_memory();

	for (size_t i = 0; i < count && !error; i++)
		error = read_stack(&reader, &map->heap.sites[i], &stacks[i]);
	if (!error)
		error = settle(&reader, stacks, count);
	for (size_t i = 0; i < count && !error; i++) {
		const struct call *call = call_of(&reader, &stacks[i], stacks[i].at);

		wanted[i] = call ? call->source
				 : (struct wanting_call){.address = map->heap.sites[i].callers[0]};
	}
	smile_count_table_free(&reader.known);
	smile_count_table_free(&reader.alike);
	free(reader.calls);
	free(stacks);
	return error;
}
