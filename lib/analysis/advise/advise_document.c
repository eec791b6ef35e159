// SPDX-License-Identifier: MIT
/*
 * Advise: makes the parts of JSON documents that describe an advice. See
 * lib/analysis/advise/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include "lib/analysis/document.h"
#include "lib/analysis/structures.h"

json_t *advise_notes_json(const struct Monitor_advise *advise)
{
	json_t *notes = json_array();
	const char *note;
	char text[512];

	for (size_t i = 0; (note = Monitor_advise_note(advise, i, text, sizeof(text))); i++)
		json_array_append_new(notes, json_string(note));
	return notes;
}

json_t *advise_roles_json(const struct Monitor_advise *advise)
{
	char text[MONITOR_SENTENCE_BYTES];
	json_t *roles = json_array();

	for (size_t i = 0; i < advise->role_count; i++) {
		const struct Monitor_advise_role *role = &advise->roles[i];
		json_t *threads = json_array();

		for (size_t t = 0; t < role->count; t++)
			json_array_append_new(threads, json_integer(role->threads[t]));
		json_array_append_new(
			roles,
			json_pack("{s:I, s:b, s:b, s:b, s:b, s:o, s:o, s:I, s:o, s:o}", "lock",
				  document_int(role->lock), "atomic", role->atomic, "loop",
				  role->loop, "even", role->even, "later", role->later, "name",
				  document_text(role->name), "call", document_text(role->call),
				  "turns", document_int(role->turns), "threads", threads, "words",
				  document_text(Monitor_advise_role_sentence(role, text))));
	}
	return roles;
}

/* ---- data ---------------------------------------------------------------------------------- */

static json_t *json_parts(const struct Monitor_advise_data *data)
{
	json_t *parts = json_array();

	for (size_t i = 0; i < data->part_count; i++)
		json_array_append_new(parts, json_pack("{s:I, s:I, s:I, s:I}", "first",
						       (json_int_t)data->parts[i].first, "last",
						       (json_int_t)data->parts[i].last, "pages",
						       document_int(data->parts[i].pages), "node",
						       (json_int_t)data->parts[i].node));
	return parts;
}

static json_t *json_data(const struct Monitor_advise *advise,
			 const struct Monitor_advise_data *data)
{
	static const struct Monitor_variable none = {
		.name = "", .type = "", .file = "", .kind = MONITOR_VARIABLE_ANONYMOUS};
	const struct Monitor_variable *variable = data->variable ? data->variable : &none;
	const struct Monitor_advise_part *only = data->part_count == 1 ? data->parts : NULL;
	char words[MONITOR_SENTENCE_BYTES], action[MONITOR_SENTENCE_BYTES];

	return json_pack(
		"{s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:s, "
		"s:o, s:s, s:o, s:I, s:o, s:s, s:o, s:I, s:I}",
		"name", document_text(variable->name), "kind",
		data->variable ? structures_kind(variable->kind) : "unknown", "type",
		document_text(variable->type), "file", document_text(variable->file), "line",
		(json_int_t)variable->line, "start", document_int(data->start), "bytes",
		document_int(variable->bytes), "pages", (json_int_t)data->count, "wrong_node",
		(json_int_t)data->sums.wrong, "to_move", (json_int_t)data->sums.moved,
		"truly_shared", (json_int_t)data->sums.shared, "at_most", data->bounds,
		advise_counted(advise), document_int(data->sums.accesses), "cycles",
		document_int(data->sums.cycles), "advised_cycles",
		document_int(data->sums.advised_cycles), "layout",
		Monitor_layout_name(data->layout), "node",
		only ? json_integer(only->node) : json_null(), "unit", data->unit, "parts",
		json_parts(data), "exceptions", (json_int_t)data->exceptions, "words",
		document_text(Monitor_advise_sentence(advise, data, words)), "choice",
		Monitor_choice_name(data->choice), "action",
		Monitor_advise_action(advise, data, action) ? document_text(action) : json_null(),
		"copies_gain_cycles", document_int(data->copies_gain), "copies_bytes",
		document_int(data->copies_bytes));
}

json_t *advise_data_json(const struct Monitor_advise *advise, size_t most)
{
	json_t *array = json_array();

	for (size_t i = 0; i < advise->data_count && i < most; i++)
		json_array_append_new(array, json_data(advise, &advise->data[i]));
	return array;
}
