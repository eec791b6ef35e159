// SPDX-License-Identifier: MIT
/*
 * View: what the variables' types are made of, so that the page can name any element.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

/* Those beyond are not reported at all: the page knows no more of them than where they lie. */
#define TYPES_MAX 4096
/* Structs beyond are reported as having no members. */
#define MEMBERS_MAX 32768
/* Of one struct: beyond, it is reported as a whole. */
#define MEMBERS_EACH_MAX 1024

/**
 * struct types - The list, while it is made.
 * @list: of types, by their numbers
 * @needed: types up to this number are named
 * @members: in the list so far
 */
struct types {
	struct Monitor *mon;
	json_t *list;
	uint32_t needed;
	size_t members;
};

static void need(struct types *types, uint32_t number)
{
	if (number >= types->needed && number < TYPES_MAX)
		types->needed = number + 1;
}

static json_t *dimensions_json(const struct Monitor_type_part *parts, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("[I, I]", (json_int_t)parts[i].lower,
						      document_int(parts[i].count)));
	return list;
}

static json_t *members_json(struct types *types, const struct Monitor_type_part *parts,
			    size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		need(types, parts[i].type);
		json_array_append_new(list, json_pack("[o, I, I, I]", document_text(parts[i].name),
						      document_int(parts[i].offset),
						      document_int(parts[i].bytes),
						      (json_int_t)parts[i].type));
	}
	types->members += count;
	return list;
}

static void parts_set(struct types *types, json_t *object, const struct Monitor_type *type,
		      const struct Monitor_type_part *parts, size_t count)
{
	switch (type->kind) {
	case MONITOR_TYPE_ARRAY:
		need(types, type->item);
		json_object_set_new(object, "item", json_integer(type->item));
		json_object_set_new(object, "item_bytes",
				    json_integer(document_int(type->item_bytes)));
		json_object_set_new(object, "dimensions", dimensions_json(parts, count));
		break;
	case MONITOR_TYPE_STRUCT:
		if (count > MEMBERS_EACH_MAX || types->members + count > MEMBERS_MAX)
			count = 0;
		json_object_set_new(object, "members", members_json(types, parts, count));
		break;
	case MONITOR_TYPE_UNION:
		json_object_set_new(object, "members", json_array());
		break;
	}
}

static void type_add(struct types *types, uint32_t number)
{
	int count = Monitor_type_info(types->mon, number, &(struct Monitor_type){0}, NULL, 0);
	struct Monitor_type_part *parts;
	struct Monitor_type type = {.name = ""};
	json_t *object;

	parts = tool_memory(count > 0 ? (size_t)count : 0, sizeof(*parts));
	if (count >= 0)
		count = Monitor_type_info(types->mon, number, &type, parts, (size_t)count);
	object = json_pack("{s:o, s:I}", "name", document_text(type.name), "bytes",
			   document_int(type.bytes));
	if (count >= 0)
		parts_set(types, object, &type, parts, (size_t)count);
	if (type.flags & MONITOR_TYPE_FORTRAN)
		json_object_set_new(object, "fortran", json_true());
	json_array_append_new(types->list, object);
	free(parts);
}

json_t *view_types_json(const struct view_model *model, const json_t *variables)
{
	struct types types = {.mon = model->mon, .list = json_array()};
	const json_t *variable, *shape;
	size_t i;

	json_array_foreach(variables, i, variable)
	{
		shape = json_object_get(variable, "shape");
		if (shape)
			need(&types, (uint32_t)json_integer_value(shape));
	}
	for (uint32_t number = 0; number < types.needed; number++)
		type_add(&types, number);
	return types.list;
}
