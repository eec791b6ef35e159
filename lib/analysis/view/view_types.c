// SPDX-License-Identifier: MIT
/*
 * View types. See lib/analysis/view/view_types.h.
 */
#include "lib/analysis/view/view_types.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

/* Extend the list of types so that it includes the type with the number @number. */
static void need(struct view_types *types, uint32_t number)
{
	if (number >= types->count && number < VIEW_TYPES_MAX)
		types->count = number + 1;
}

/* Extend the list so that it includes the types of the parts of a type. */
static void parts_need(struct view_types *types, struct view_type *type)
{
	switch (type->type.kind) {
	case MONITOR_TYPE_ARRAY:
		need(types, type->type.item);
		break;
	case MONITOR_TYPE_STRUCT:
		if (type->part_count > VIEW_MEMBERS_EACH_MAX ||
		    types->members + type->part_count > VIEW_MEMBERS_MAX)
			type->part_count = 0;
		for (size_t i = 0; i < type->part_count; i++)
			need(types, type->parts[i].type);
		types->members += type->part_count;
		break;
	}
}

static int type_load(struct view_types *types, struct Monitor *mon, uint32_t number)
{
	struct view_type *type = &types->list[number];
	int count = Monitor_type_info(mon, number, &(struct Monitor_type){0}, NULL, 0);

	type->type.name = "";
	type->parts = analysis_memory(count > 0 ? (size_t)count : 0, sizeof(*type->parts));
	if (!type->parts)
		return -ENOMEM;
	if (count >= 0)
		count = Monitor_type_info(mon, number, &type->type, type->parts, (size_t)count);
	if (count < 0)
		return 0;
	type->known = 1;
	type->part_count = (size_t)count;
	parts_need(types, type);
	return 0;
}

int view_types_load(struct view_types *types, struct Monitor *mon, const uint32_t *needed,
		    size_t needed_count)
{
	types->list = analysis_memory(VIEW_TYPES_MAX, sizeof(*types->list));
	if (!types->list)
		return -ENOMEM;
	for (size_t i = 0; i < needed_count; i++)
		need(types, needed[i]);
	for (uint32_t number = 0; number < types->count; number++)
		if (type_load(types, mon, number))
			return -ENOMEM;
	return 0;
}

void view_types_free(struct view_types *types)
{
	for (size_t i = 0; types->list && i < types->count; i++)
		free(types->list[i].parts);
	free(types->list);
}
