// SPDX-License-Identifier: MIT
/*
 * smile advise: the document smile.advise/1.
 */
#include "tools/advise/advise.h"

#include <string.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"
#include "lib/analysis/structures.h"

static json_t *json_weights(const struct advise_model *model)
{
	return json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:I}", "model", model->name, "frequency_hz",
		document_int(model->frequency_hz), "local", document_int(model->weights.local),
		"read", document_int(model->weights.read), "write",
		document_int(model->weights.write), "lock", document_int(model->weights.lock));
}

static json_t *json_region(const struct advise_run *run)
{
	if (!run->in_region)
		return json_null();
	return json_pack("{s:s, s:o, s:I, s:I}", "kind", regions_kind(run->region.kind), "name",
			 document_text(run->region.name), "start", document_int(run->region.start),
			 "page", document_int(run->offset));
}

/* How many of a run's pages lie on each node now. */
static json_t *json_homes(const struct advise *advise, const struct advise_run *run)
{
	uint64_t *homes = tool_memory(advise->model.nodes, sizeof(*homes));
	json_t *array;

	for (size_t i = run->first; i < run->first + run->count; i++)
		if (advise->rows[i].home < advise->model.nodes)
			homes[advise->rows[i].home]++;
	array = document_counts(homes, advise->model.nodes);
	free(homes);
	return array;
}

static json_t *json_run(const struct advise *advise, const struct advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];
	uint32_t flags = 0;

	for (size_t i = run->first; i < run->first + run->count; i++)
		flags |= advise->rows[i].flags;
	return json_pack("{s:I, s:I, s:o, s:i, s:o, s:b, s:b, s:b, s:I, s:I, s:I, s:I, s:f}",
			 "page", document_int(row->page), "pages", (json_int_t)run->count, "region",
			 json_region(run), "node", (int)row->node, "homes", json_homes(advise, run),
			 "truly_shared", (flags & MONITOR_ADVICE_SHARED) != 0, "local_known",
			 !(flags & MONITOR_ADVICE_LOCAL_UNKNOWN), "all_seen",
			 !(flags & MONITOR_ADVICE_PARTLY_SEEN), "to_move",
			 (json_int_t)advise_run_moved(advise, run), "accesses",
			 document_int(run->accesses), "cycles", document_int(run->cycles),
			 "advised_cycles", document_int(run->advised_cycles), "share", run->share);
}

static json_t *json_time(const struct advise *advise)
{
	const struct advise_time *time = &advise->time;
	double single = (double)time->single;

	if (!time->known)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:b}", "cycles", document_int(time->now),
			 "predicted_cycles", document_int(time->then), "predicted_cycles_at_most",
			 document_int(time->most), "single_node_cycles", document_int(time->single),
			 "speed_up", time->now ? single / (double)time->now : 1,
			 "predicted_speed_up", time->then ? single / (double)time->then : 1,
			 "work_estimated", time->estimated);
}

static json_t *json_verified(const struct advise *advise)
{
	const struct advise_verified *verified = &advise->verified;

	if (!verified->done)
		return json_null();
	return json_pack("{s:i, s:I, s:f, s:I, s:I, s:b}", "exit_status", verified->status,
			 "cycles", document_int(verified->cycles), "speed_up",
			 verified->cycles ? (double)advise->time.single / (double)verified->cycles
					  : 1,
			 "access_cycles", document_int(verified->access_cycles),
			 "predicted_access_cycles", document_int(verified->predicted_access_cycles),
			 "faster", verified->cycles < advise->time.now);
}

json_t *advise_notes_json(const struct advise *advise)
{
	json_t *notes = json_array();
	const char *note;
	char text[512];

	for (size_t i = 0; (note = advise_note(advise, i, text, sizeof(text))); i++)
		json_array_append_new(notes, json_string(note));
	return notes;
}

/* ---- data ------------------------------------------------------------------------------------- */

static json_t *json_parts(const struct advise_data *data)
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

static json_t *json_data(const struct advise *advise, const struct advise_data *data)
{
	static const struct Monitor_variable none = {
		.name = "", .type = "", .file = "", .kind = MONITOR_VARIABLE_ANONYMOUS};
	const struct Monitor_variable *variable = data->variable ? data->variable : &none;
	const struct advise_part *only = data->part_count == 1 ? data->parts : NULL;
	char words[ADVISE_WORDS_BYTES];

	return json_pack(
		"{s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:s, "
		"s:o, s:s, s:o, s:I, s:o}",
		"name", document_text(variable->name), "kind",
		data->variable ? structures_kind(variable->kind) : "unknown", "type",
		document_text(variable->type), "file", document_text(variable->file), "line",
		(json_int_t)variable->line, "start", document_int(data->start), "bytes",
		document_int(variable->bytes), "pages", (json_int_t)data->count, "wrong_node",
		(json_int_t)data->wrong, "to_move", (json_int_t)data->moved, "truly_shared",
		(json_int_t)data->shared, "at_most", data->bounds, "accesses",
		document_int(data->accesses), "cycles", document_int(data->cycles),
		"advised_cycles", document_int(data->advised_cycles), "layout",
		advise_layout_name(data->layout), "node",
		only ? json_integer(only->node) : json_null(), "unit", data->unit, "parts",
		json_parts(data), "exceptions", (json_int_t)data->exceptions, "words",
		document_text(advise_data_words(advise, data, words)));
}

json_t *advise_data_json(const struct advise *advise, size_t most)
{
	json_t *array = json_array();

	for (size_t i = 0; i < advise->data_count && i < most; i++)
		json_array_append_new(array, json_data(advise, &advise->data[i]));
	return array;
}

/* ---- all -------------------------------------------------------------------------------------- */

int advise_json(const struct advise *advise)
{
	json_t *runs = json_array();
	struct advise_sums sums;

	advise_sums(advise, &sums);
	for (size_t i = 0; i < advise->run_count; i++)
		json_array_append_new(runs, json_run(advise, &advise->runs[i]));
	return output_json(json_pack(
		"{s:s, s:I, s:i, s:o, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, "
		"s:o}",
		"schema", "smile.advise/1", "nodes", (json_int_t)advise->model.nodes, "page_bytes",
		(int)SMILE_PAGE_BYTES, "latency", json_weights(&advise->model), "phase",
		advise->phase ? document_text(advise->phase) : json_null(), "shared_below",
		advise->shared_below, "pages", document_int(sums.pages), "to_move",
		document_int(sums.moved), "truly_shared", document_int(sums.shared), "accesses",
		document_int(sums.accesses), "cycles", document_int(sums.cycles), "advised_cycles",
		document_int(sums.advised_cycles), "time", json_time(advise), "verified",
		json_verified(advise), "notes", advise_notes_json(advise), "data",
		advise_data_json(advise, SIZE_MAX), "runs", runs));
}
