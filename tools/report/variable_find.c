// SPDX-License-Identifier: MIT
/*
 * Find a variable by its name, or by an address in it. See tools/report/variable_find.h.
 */
#include "tools/report/variable_find.h"

#include <inttypes.h>
#include <string.h>

#include "lib/analysis/pieces/pieces.h"
#include "tools/common/tool.h"

int64_t variable_named(const struct structures *structures, const char *name)
{
	int64_t found = -1;
	int best = 0;
	size_t count = 0;

	for (size_t i = 0; i < structures->variable_count; i++) {
		int how = pieces_named(structures->variables[i].name, name);

		if (!how || how < best)
			continue;
		count = how > best ? 1 : count + 1;
		best = how;
		found = (int64_t)i;
	}
	if (!count) {
		tool_error("no variable is called '%s': `smile report structures` lists them",
			   name);
		return -1;
	}
	if (count == 1)
		return found;
	tool_error("%zu variables are called '%s': select one by --address:", count, name);
	for (size_t i = 0; i < structures->variable_count; i++)
		if (pieces_named(structures->variables[i].name, name) == best)
			tool_message("  0x%" PRIx64 "  %s", structures->variables[i].address,
				     structures->variables[i].name);
	return -1;
}

int64_t variable_at(struct Monitor *mon, uint64_t address, struct Monitor_place *place)
{
	if (Monitor_variable_find(mon, address, place) >= 0)
		return place->variable;
	tool_error("%s", Monitor_error_message());
	return -1;
}

/* Check whether the view shows data of this file that has no name or no type. */
static int is_shown(const struct structures *structures, const char *object)
{
	for (size_t i = 0; i < structures->count; i++) {
		const struct Monitor_variable *variable = structures->list[i].variable;

		if (variable && variable->kind != MONITOR_VARIABLE_HEAP && !*variable->type &&
		    !strcmp(variable->object, object))
			return 1;
	}
	return 0;
}

void structures_note(const struct structures *structures, const char *only)
{
	for (size_t i = 0; i < structures->object_count; i++) {
		const struct Monitor_object *object = &structures->objects[i];

		if (*object->message && (!only || !strcmp(only, object->path)) &&
		    is_shown(structures, object->path))
			tool_message("note: %s", object->message);
	}
}
