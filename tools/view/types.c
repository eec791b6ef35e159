// SPDX-License-Identifier: MIT
/*
 * View: describe the types of variables, so that the web page can name any element of a variable.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/view/view_types.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

static json_t *dimensions_json(const struct view_type *type)
{
	json_t *list = json_array();

	for (size_t i = 0; i < type->part_count; i++)
		json_array_append_new(list, json_pack("[I, I]", (json_int_t)type->parts[i].lower,
						      document_int(type->parts[i].count)));
	return list;
}

static json_t *members_json(const struct view_type *type)
{
	json_t *list = json_array();

	for (size_t i = 0; i < type->part_count; i++) {
		const struct Monitor_type_part *part = &type->parts[i];

		json_array_append_new(list,
				      json_pack("[o, I, I, I]", document_text(part->name),
						document_int(part->offset),
						document_int(part->bytes), (json_int_t)part->type));
	}
	return list;
}

static void parts_set(json_t *object, const struct view_type *type)
{
	switch (type->type.kind) {
	case MONITOR_TYPE_ARRAY:
		json_object_set_new(object, "item", json_integer(type->type.item));
		json_object_set_new(object, "item_bytes",
				    json_integer(document_int(type->type.item_bytes)));
		json_object_set_new(object, "dimensions", dimensions_json(type));
		break;
	case MONITOR_TYPE_STRUCT:
		json_object_set_new(object, "members", members_json(type));
		break;
	case MONITOR_TYPE_UNION:
		json_object_set_new(object, "members", json_array());
		break;
	}
}

static json_t *type_json(const struct view_type *type)
{
	json_t *object = json_pack("{s:o, s:I}", "name", document_text(type->type.name), "bytes",
				   document_int(type->type.bytes));

	if (type->known)
		parts_set(object, type);
	if (type->type.flags & MONITOR_TYPE_FORTRAN)
		json_object_set_new(object, "fortran", json_true());
	return object;
}

json_t *view_types_json(const struct view_model *model, const struct view_variables *variables)
{
	uint32_t *needed = tool_memory(variables->count, sizeof(*needed));
	struct view_types types = {0};
	json_t *list = json_array();
	size_t count = 0;

	for (size_t i = 0; i < variables->count; i++)
		if (variables->list[i].type >= 0)
			needed[count++] = (uint32_t)variables->list[i].type;
	view_need(view_types_load(&types, model->mon, needed, count));
	for (size_t i = 0; i < types.count; i++)
		json_array_append_new(list, type_json(&types.list[i]));
	view_types_free(&types);
	free(needed);
	return list;
}
