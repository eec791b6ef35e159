// SPDX-License-Identifier: MIT
/*
 * View: make the document smile.view/1, which contains all data of the web page.
 *
 * What lives here: the recordings, the parameters of the machine, the phases, and the loss account.
 * Transfers are in transfers.c, memory pages in page_chunks.c, sums in sums.c, groups in groups.c,
 * variables in variables.c, types in types.c, advice in advice.c, and data that only samples have
 * in samples.c.
 */
#include "tools/view/view.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/view/view_kept.h"
#include "tools/advise/advise.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* The largest number of nodes. A matrix of more nodes would need too much memory. */
#define VIEW_NODES_MAX 4096

/* --- costs: of the recorded run, or of the papers' machine */

static json_t *cost_load(struct view *view)
{
	const struct Monitor_advise_machine papers = advise_fallback();
	/*
	 * Samples do not show how long accesses take. With these parameters, the lost cycles are
	 * the number of remote samples.
	 */
	const struct Monitor_advise_machine samples = {"samples", {0, 1, 1, 1}, 1};
	const struct Monitor_advise_machine *machine = view->run.samples.object ? &samples
						       : view->run.machine.name ? &view->run.machine
										: &papers;
	const struct Monitor_weights *weights = &machine->weights;

	view->model.cost = (struct view_cost){
		.local = (double)weights->local,
		.remote = {[SMILE_TYPE_ANY] = (double)weights->read,
			   [SMILE_TYPE_READ] = (double)weights->read,
			   [SMILE_TYPE_WRITE] = (double)weights->write,
			   [SMILE_TYPE_LOCK] = (double)weights->lock},
	};
	return json_pack("{s:s, s:b, s:I, s:I, s:{s:I, s:I, s:I}}", "model", machine->name,
			 "assumed", machine == &papers, "frequency_hz",
			 (json_int_t)machine->frequency_hz, "local_cycles",
			 (json_int_t)weights->local, "remote_cycles", "read",
			 (json_int_t)weights->read, "write", (json_int_t)weights->write, "lock",
			 (json_int_t)weights->lock);
}

void view_need(int result)
{
	if (tool_result(result) != TOOL_OK)
		exit(TOOL_ERROR);
}

json_t *view_packed(struct view_pack *pack)
{
	json_t *text = view_pack_text(pack);

	if (!text)
		exit(tool_error("%s", Monitor_error_message()));
	return text;
}

json_t *view_packed_counts(const uint64_t *counts, size_t count)
{
	struct view_pack pack = {0};

	for (size_t i = 0; i < count; i++)
		view_pack_number(&pack, counts[i]);
	return view_packed(&pack);
}

/* ---- parts --------------------------------------------------------------------------------- */

static json_t *files_json(const struct view *view)
{
	json_t *list = json_array();

	for (int i = 0; i < view->file_count; i++)
		json_array_append_new(list, document_text(view->files[i]));
	return list;
}

static json_t *origin_json(const struct view *view)
{
	struct Monitor_origin origin;

	if (Monitor_origin(view->model.mon, &origin) < 0)
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:b}", "host", document_text(origin.host), "command_line",
			 document_text(origin.command_line), "start_ms",
			 (json_int_t)(origin.start_ns / 1000000), "complete", origin.complete);
}

static json_t *loss_json(const struct view *view)
{
	struct Monitor_loss loss;

	if (Monitor_loss(view->model.mon, &loss) < 0)
		return json_null();
	return json_pack("{s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I}", "known", loss.known,
			 "balanced", loss.balanced, "accepted", document_int(loss.accepted),
			 "delivered", document_int(loss.delivered), "lost", document_int(loss.lost),
			 "marks_lost", document_int(loss.marks_lost), "sleeps",
			 document_int(loss.sleeps), "resets", document_int(loss.resets));
}

static json_t *phases_json(const struct view *view)
{
	int count = Monitor_phases(view->model.mon, NULL, 0);
	struct Monitor_phase *phases, *behind = NULL;
	json_t *list = json_array();
	uint64_t within_ns;

	if (count <= 0)
		return list;
	phases = tool_memory((size_t)count, sizeof(*phases));
	Monitor_phases(view->model.mon, phases, (size_t)count);
	if (view->model.told) {
		behind = phases;
		phases = tool_memory((size_t)count, sizeof(*phases));
		view_need(Monitor_accesses_show(view->model.mon, 1));
		Monitor_phases(view->model.mon, phases, (size_t)count);
		Monitor_accesses_show(view->model.mon, 0);
	}
	for (int i = 0; i < count; i++) {
		json_t *phase =
			json_pack("{s:o, s:b, s:I, s:I, s:I}", "name",
				  document_text(Monitor_phase_name(view->model.mon, (size_t)i)),
				  "open", phases[i].open, "event", (json_int_t)phases[i].event,
				  "end_ns", document_int(phases[i].end_ns), "accesses",
				  document_int(phases[i].accesses));

		if (Monitor_phase_spread(view->model.mon, (size_t)i, &within_ns) >= 0)
			json_object_set_new(phase, "began_within_ns",
					    json_integer(document_int(within_ns)));
		if (behind)
			json_object_set_new(
				phase, "transactions",
				json_pack("{s:I}", "accesses", document_int(behind[i].accesses)));
		json_array_append_new(list, phase);
	}
	free(phases);
	free(behind);
	return list;
}

/* Count the pages on each node. Pages that no other node accesses are included. */
static json_t *placed_json(const struct view *view)
{
	size_t nodes = view->model.rows.nodes;
	int count = Monitor_homes(view->model.mon, NULL, 0);
	struct Monitor_home *homes;
	uint64_t *placed;
	json_t *list;

	if (count <= 0)
		return json_null();
	homes = tool_memory((size_t)count, sizeof(*homes));
	placed = tool_memory(nodes, sizeof(*placed));
	Monitor_homes(view->model.mon, homes, (size_t)count);
	for (int i = 0; i < count; i++)
		if (homes[i].node < nodes)
			placed[homes[i].node] += homes[i].pages;
	list = document_counts(placed, nodes);
	free(homes);
	free(placed);
	return list;
}

/*
 * Load the model, by changing the kept model if possible. For samples this is not possible, because
 * the mark of samples changes the pages.
 */
static int model_load(struct view *view, struct view_kept *kept)
{
	int done = kept && !view->run.samples.object ? view_kept_load(kept, &view->model) : 0;

	return tool_result(done ? done : view_model_load(&view->model));
}

/*
 * Load the ranges within the pages that lose the most cycles. If records cannot be read, these
 * pages have no ranges.
 */
static int ranges_load(const struct view *view)
{
	size_t count = 0, *dearest = view_pages_dearest(&view->model, view->details, &count);
	uint64_t *pages = tool_memory(count, sizeof(*pages));
	int failed;

	for (size_t i = 0; i < count; i++)
		pages[i] = view->model.pages[dearest[i]].number;
	failed = dearest ? Monitor_ranges_of(view->model.mon, pages, count) : -ENOMEM;
	free(dearest);
	free(pages);
	return tool_result(failed);
}

static json_t *document_make(struct view *view, const struct view_options *options)
{
	json_t *latency = cost_load(view);

	if (model_load(view, options->kept) != TOOL_OK ||
	    (view->run.samples.object && tool_result(view_sampled_load(view)) != TOOL_OK) ||
	    (options->ranges_later && Monitor_ended(view->model.mon) &&
	     ranges_load(view) != TOOL_OK)) {
		json_decref(latency);
		return NULL;
	}
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:I, s:i, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o, s:o, s:b}",
		"schema", "smile.view/1", "version", SMILE_VERSION, "files", files_json(view),
		"origin", origin_json(view), "nodes", (json_int_t)view->model.rows.nodes,
		"page_bytes", SMILE_PAGE_BYTES, "untyped", view->model.rows.untyped, "latency",
		latency, "loss", loss_json(view), "summary", view_summary_json(&view->model), "hot",
		view_hot_json(&view->model), "transfers", view_transfers_json(&view->model),
		"phases", phases_json(view), "regions", view_regions_json(&view->model), "placed",
		placed_json(view), "groups", view_groups_json(&view->model), "details",
		view_details_json(&view->model, view->details), "run",
		view->run.document ? json_incref(view->run.document) : json_null(), "own_known",
		view->model.own_known);
}

/*
 * If no variable was accessed, or if variables are not known, the document has no members
 * "variables" and "types".
 */
static void variables_set(json_t *document, const struct view_model *model,
			  const struct view_variables *variables)
{
	if (!variables->count)
		return;
	json_object_set_new(document, "variables", view_variables_json(model, variables));
	json_object_set_new(document, "types", view_types_json(model, variables));
}

json_t *view_document(struct Monitor *mon, char **files, int file_count,
		      const struct state_file *states, const struct view_options *options)
{
	struct view view = {.model.mon = mon,
			    .files = files,
			    .file_count = file_count,
			    .details = options->details};
	int nodes = Monitor_nodes(mon);
	struct view_variables variables = {0};
	json_t *document;

	if (nodes > VIEW_NODES_MAX) {
		tool_error("%s: node ids up to %d are too many to view (at most %d nodes); `smile "
			   "report pages` shows them",
			   files[0], nodes - 1, VIEW_NODES_MAX);
		return NULL;
	}
	view_need(run_facts_load(mon, &view.run));
	view.missing = run_facts_missing(&view.run, options->recordings ? options->recordings
									: (size_t)file_count);
	document = document_make(&view, options);
	if (document && view.run.samples.object)
		json_object_set_new(document, "sampled", view_sampled_json(&view));
	if (document) {
		/*
		 * Load the variables first. Types are numbered in the order in which they are
		 * requested, so the variables' types get the first numbers.
		 */
		view_need(view_variables_load(&variables, &view.model));
		json_object_set_new(document, "transfer_bytes",
				    view_transfer_bytes_json(&view.model));
		json_object_set_new(document, "transfer_phases",
				    view_transfer_phases_json(&view.model));
		json_object_set_new(document, "advice",
				    options->advice ? options->advice(&view, options->opaque)
						    : view_advice_json(&view));
		if (states)
			json_object_set_new(document, "state",
					    state_columns_json(state_file_columns(states),
							       state_file_path(states), 0));
		if (options->hot.text)
			json_object_set_new(document, "hot_from", json_string(options->hot.text));
		variables_set(document, &view.model, &variables);
	}
	/*
	 * Add the largest part of the document last, so that a person can read the other parts at
	 * its beginning.
	 */
	if (document &&
	    json_object_set_new(document, "pages", view_pages_json(&view.model, options->kept))) {
		tool_error("no memory");
		json_decref(document);
		document = NULL;
	}
	view_variables_free(&variables);
	view_model_free(&view.model);
	run_facts_free(&view.run);
	return document;
}
