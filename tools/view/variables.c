// SPDX-License-Identifier: MIT
/*
 * View: describe the variables of the program.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/structures.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

static json_t *pieces_json(const struct view_model *model, const struct view_variable *variable)
{
	struct view_piece *pieces = tool_memory(VIEW_PIECES_MAX, sizeof(*pieces));
	int count = view_pieces_get(model, variable, pieces);
	json_t *list = json_array();

	view_need(count);
	for (int i = 0; i < count; i++) {
		const struct view_piece *piece = &pieces[i];
		json_t *json =
			json_pack("[I, I]", (json_int_t)piece->start, (json_int_t)piece->bytes);

		if (variable->pieces != VIEW_PIECES_PLAIN) {
			json_array_append_new(json, json_integer(piece->block));
			json_array_append_new(json, json_integer((json_int_t)piece->offset));
			json_array_append_new(json, json_integer(document_int(piece->block_bytes)));
		}
		json_array_append_new(list, json);
	}
	free(pieces);
	return list;
}

/*
 * List the rows of a variable, summed over all home nodes: source, reads, writes, locks, and
 * accesses of unknown type.
 */
static json_t *rows_json(const struct Monitor_structure_row *rows, size_t count)
{
	struct view_pack pack = {0};

	for (size_t i = 0; i < count; i++) {
		const struct Monitor_structure_row *row = &rows[i];

		view_pack_number(&pack, row->source);
		view_pack_number(&pack, row->reads);
		view_pack_number(&pack, row->writes);
		view_pack_number(&pack, row->locks);
		view_pack_number(&pack, row->accesses - row->reads - row->writes - row->locks);
	}
	return view_packed(&pack);
}

/*
 * Describe the transactions with a variable's memory, with the same keys as the accesses to the
 * variable.
 */
static json_t *behind_json(const struct view_variable *variable)
{
	json_t *object = json_pack("{s:I}", "accesses", document_int(variable->behind.accesses));

	if (variable->behind.straddling)
		json_object_set_new(object, "straddling",
				    json_integer(document_int(variable->behind.straddling)));
	if (variable->by_node)
		json_object_set_new(object, "by_node",
				    rows_json(variable->behind.rows, variable->behind.row_count));
	return object;
}

static json_t *variable_json(const struct view_model *model, const struct view_variable *variable,
			     int told)
{
	const struct Monitor_variable *what = variable->variable;
	json_t *object =
		json_pack("{s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I}", "name",
			  document_text(what->name), "kind", structures_kind(what->kind), "type",
			  document_text(what->type), "file", document_text(what->file), "line",
			  (json_int_t)what->line, "start", (json_int_t)what->address, "bytes",
			  (json_int_t)what->bytes, "accesses", document_int(variable->accesses));

	if (variable->type >= 0)
		json_object_set_new(object, "shape", json_integer(variable->type));
	if (what->item_bytes)
		json_object_set_new(object, "item_bytes",
				    json_integer(document_int(what->item_bytes)));
	if (variable->straddling)
		json_object_set_new(object, "straddling",
				    json_integer(document_int(variable->straddling)));
	if (variable->pieces != VIEW_PIECES_NONE)
		json_object_set_new(object, "pieces", pieces_json(model, variable));
	if (variable->by_node)
		json_object_set_new(object, "by_node",
				    rows_json(variable->rows, variable->row_count));
	if (told)
		json_object_set_new(object, "transactions", behind_json(variable));
	return object;
}

json_t *view_variables_json(const struct view_model *model, const struct view_variables *variables)
{
	json_t *list = json_array();

	for (size_t i = 0; i < variables->count; i++)
		json_array_append_new(list,
				      variable_json(model, &variables->list[i], variables->told));
	return list;
}
