// SPDX-License-Identifier: MIT
/*
 * smile advise --json: print the JSON document smile.advise/1.
 */
#include "tools/advise/advise.h"

#include <string.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

static json_t *json_weights(const struct Monitor_advise_machine *machine)
{
	return json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:I}", "model", machine->name, "frequency_hz",
		document_int(machine->frequency_hz), "local", document_int(machine->weights.local),
		"read", document_int(machine->weights.read), "write",
		document_int(machine->weights.write), "lock", document_int(machine->weights.lock));
}

static json_t *json_region(const struct Monitor_advise_run *run)
{
	if (!run->in_region)
		return json_null();
	return json_pack("{s:s, s:o, s:I, s:I}", "kind", regions_kind(run->region.kind), "name",
			 document_text(run->region.name), "start", document_int(run->region.start),
			 "page", document_int(run->offset));
}

/* List how many pages of a run of pages are on each node before the advice is followed. */
static json_t *json_homes(const struct Monitor_advise *advise, const struct Monitor_advise_run *run)
{
	uint64_t *homes = tool_memory(advise->nodes, sizeof(*homes));
	json_t *array;

	for (size_t i = run->first; i < run->first + run->count; i++)
		if (advise->rows[i].home < advise->nodes)
			homes[advise->rows[i].home]++;
	array = document_counts(homes, advise->nodes);
	free(homes);
	return array;
}

static json_t *json_run(const struct Monitor_advise *advise, const struct Monitor_advise_run *run)
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
			 (json_int_t)advise_run_moved(advise, run), advise_counted(advise),
			 document_int(run->accesses), "cycles", document_int(run->cycles),
			 "advised_cycles", document_int(run->advised_cycles), "share", run->share);
}

static json_t *json_time(const struct Monitor_advise *advise)
{
	const struct Monitor_advise_time *time = &advise->time;
	double single = (double)time->single;

	if (!time->known)
		return json_null();
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:b}", "cycles", document_int(time->now),
		"predicted_cycles", document_int(time->then), "predicted_cycles_at_least",
		document_int(time->least), "predicted_cycles_at_most", document_int(time->most),
		"single_node_cycles", document_int(time->single), "speed_up",
		time->now ? single / (double)time->now : 1, "predicted_speed_up",
		time->then ? single / (double)time->then : 1, "work_estimated", time->estimated);
}

static json_t *json_link(const struct advise_link *link)
{
	return json_pack("{s:i, s:o, s:o, s:f}", "ringlet", (int)link->ringlet, "from",
			 link->from == ADVISE_SWITCH ? json_null() : json_integer(link->from), "to",
			 link->to == ADVISE_SWITCH ? json_null() : json_integer(link->to), "load",
			 link->load);
}

/*
 * Describe the busiest link of the network, with the present placement and with the advised
 * placement.
 */
static json_t *json_network(const struct Monitor_advise *advise)
{
	if (!advise->topology)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "topology", document_text(advise->topology), "busiest",
			 json_link(&advise->link_now), "advised_busiest",
			 json_link(&advise->link_then));
}

static json_t *json_verified(const struct advise_command *command)
{
	const struct advise_verified *verified = &command->verified;
	const struct Monitor_advise_time *time = &command->advise->time;

	if (!verified->done)
		return json_null();
	return json_pack("{s:i, s:b, s:I, s:f, s:I, s:I, s:b, s:o}", "exit_status",
			 verified->status, "ended_early", verified->early, "cycles",
			 document_int(verified->cycles), "speed_up",
			 verified->cycles ? (double)time->single / (double)verified->cycles : 1,
			 "access_cycles", document_int(verified->access_cycles),
			 "predicted_access_cycles", document_int(time->access_cycles), "faster",
			 verified->cycles < time->now && !verified->failed, "difference",
			 *verified->why ? document_text(verified->why) : json_null());
}

/* ---- all ----------------------------------------------------------------------------------- */

int advise_json(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;
	const struct Monitor_advise_sums *sums = &advise->sums;
	json_t *runs = json_array();

	for (size_t i = 0; i < advise->run_count; i++)
		json_array_append_new(runs, json_run(advise, &advise->runs[i]));
	return output_json(json_pack(
		"{s:s, s:I, s:i, s:o, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o, s:b}",
		"schema", "smile.advise/1", "nodes", (json_int_t)advise->nodes, "page_bytes",
		(int)SMILE_PAGE_BYTES, "latency", json_weights(&advise->machine), "phase",
		advise->options.phase ? document_text(advise->options.phase) : json_null(),
		"shared_below", advise->options.shared_below, "pages", document_int(advise->count),
		"to_move", document_int(sums->moved), "truly_shared", document_int(sums->shared),
		advise_counted(advise), document_int(sums->accesses), "cycles",
		document_int(sums->cycles), "advised_cycles", document_int(sums->advised_cycles),
		"time", json_time(advise), "network", json_network(advise), "verified",
		json_verified(command), "notes", advise_notes_json(advise), "roles",
		advise_roles_json(advise), "data", advise_data_json(advise, SIZE_MAX), "runs", runs,
		"first_touch", advise->first_touch));
}
