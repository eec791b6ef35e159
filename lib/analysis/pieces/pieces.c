// SPDX-License-Identifier: MIT
/*
 * Pieces: finds a variable by its name, and the extents and pages of the variable. Uses the public
 * API.
 */
#include "lib/analysis/pieces/pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"

#define NAME_BYTES 1024

int pieces_named(const char *full, const char *name)
{
	size_t length = strlen(full), end = strlen(name);

	if (!strcmp(full, name))
		return 2;
	return length > end + 2 && !strcmp(full + length - end, name) &&
	       full[length - end - 1] == ':';
}

/**
 * struct search - The search for a variable.
 * @variables: all variables, shape [@count]
 * @found: index of the variable that was found
 * @same: number of variables with the name that was searched; 0: no variable has this name
 */
struct search {
	struct Monitor_variable *variables;
	size_t count;
	size_t found;
	size_t same;
};

static void search_name(struct search *search, const char *name)
{
	int best = 0;

	search->same = 0;
	for (size_t i = 0; i < search->count; i++) {
		int how = pieces_named(search->variables[i].name, name);

		if (!how || how < best)
			continue;
		search->same = how > best ? 1 : search->same + 1;
		best = how;
		search->found = i;
	}
}

/*
 * Find the variable at the beginning of @text. A name can contain characters with which a path can
 * begin, as in "grid.c:42 (make_grid)". For this reason, the longest name that matches is chosen.
 * Return: the text after the name; NULL if no variable matches.
 */
static const char *search_text(struct search *search, const char *text)
{
	size_t length = strlen(text);
	char name[NAME_BYTES];

	if (length >= sizeof(name))
		return NULL;
	memcpy(name, text, length + 1);
	for (;;) {
		search_name(search, name);
		if (search->same)
			return text + length;
		while (length && !strchr("[.(%", name[length - 1]))
			length--;
		if (!length)
			return NULL;
		name[--length] = '\0';
	}
}

/**
 * struct found - The pieces that were found so far.
 * @homes: homes of pages, ascending, shape [@home_count]
 * @pieces: the caller's array, shape [@capacity]
 * @count: number of pieces
 */
struct found {
	struct Monitor_home *homes;
	size_t home_count;
	struct piece *pieces;
	size_t capacity;
	size_t count;
};

static uint32_t home_of(const struct found *found, uint64_t page)
{
	for (size_t i = 0; i < found->home_count; i++)
		if (page >= found->homes[i].page &&
		    page - found->homes[i].page < found->homes[i].pages)
			return found->homes[i].node;
	return PIECES_NODE_UNKNOWN;
}

static void found_add(struct found *found, uint64_t start, uint64_t end)
{
	start -= start % SMILE_WORD_BYTES;
	end += (SMILE_WORD_BYTES - end % SMILE_WORD_BYTES) % SMILE_WORD_BYTES;
	while (start < end) {
		uint64_t border = (start / SMILE_PAGE_BYTES + 1) * SMILE_PAGE_BYTES;
		uint64_t stop = end < border ? end : border;

		if (found->count < found->capacity)
			found->pieces[found->count] = (struct piece){
				.address = start,
				.bytes = (uint32_t)(stop - start),
				.node = home_of(found, start / SMILE_PAGE_BYTES),
			};
		found->count++;
		start = stop;
	}
}

/* Add the part @range of a variable, which may extend over several consecutive extents. */
static int extents_add(struct found *found, struct Monitor *mon, uint32_t variable,
		       struct piece_range range)
{
	struct Monitor_extent *extents;
	uint64_t at = 0;
	int count;

	ANALYSIS_LIST(extents, count, Monitor_extents, mon, variable);
	for (int i = 0; i < count; i++) {
		uint64_t bytes = extents[i].end - extents[i].start;
		uint64_t from = range.offset > at ? range.offset - at : 0;
		uint64_t to = range.offset + range.bytes - at;

		if (from < bytes && at < range.offset + range.bytes)
			found_add(found, extents[i].start + from,
				  extents[i].start + (to < bytes ? to : bytes));
		at += bytes;
	}
	free(extents);
	return count < 0 ? count : 0;
}

static int homes_load(struct found *found, struct Monitor *mon)
{
	int count;

	ANALYSIS_LIST(found->homes, count, Monitor_homes, mon);
	found->home_count = count < 0 ? 0 : (size_t)count;
	return count < 0 ? count : 0;
}

static int variables_load(struct search *search, struct Monitor *mon)
{
	int count;

	ANALYSIS_LIST(search->variables, count, Monitor_variables, mon);
	search->count = count < 0 ? 0 : (size_t)count;
	return count < 0 ? count : 0;
}

static int text_find(struct found *found, struct search *search, struct Monitor *mon,
		     const char *text)
{
	const char *path = search_text(search, text);
	struct piece_range range;
	int error;

	if (!path)
		return Monitor_error_set(
			ENOENT, "no variable is called '%s': `smile report structures` lists them",
			text);
	if (search->same > 1)
		return Monitor_error_set(EINVAL,
					 "%zu variables are called '%s': use the full name, or its "
					 "address",
					 search->same, text);
	error = pieces_path(mon, &search->variables[search->found], (uint32_t)search->found, path,
			    &range);
	return error < 0 ? error : extents_add(found, mon, (uint32_t)search->found, range);
}

int pieces_find(struct Monitor *mon, const char *text, struct piece *pieces, size_t capacity)
{
	struct found found = {.pieces = pieces, .capacity = capacity};
	struct search search = {0};
	int error = homes_load(&found, mon);

	if (!error)
		error = variables_load(&search, mon);
	if (!error)
		error = text_find(&found, &search, mon, text);
	free(search.variables);
	free(found.homes);
	return error < 0 ? error : (int)found.count;
}
