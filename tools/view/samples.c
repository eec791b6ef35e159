// SPDX-License-Identifier: MIT
/*
 * View: add the data of recordings of samples to the document.
 *
 * What lives here: the search for pages on the wrong node, by the rule of `smile advise` for
 * samples; and the key "sampled" of the document. docs/sample.md describes the assumptions on which
 * the confidence intervals are based.
 */
#include "tools/view/view.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/sampled_pages.h"
#include "lib/analysis/sampled.h"
#include "tools/advise/advise.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/*
 * The document contains the confidence intervals of all counts below this number. For larger counts
 * it contains confidence intervals in steps of 5 %.
 */
#define BANDS_EACH 100
#define BANDS_STEP 1.05
#define BANDS_MAX 1e15

int view_sampled_load(struct view *view)
{
	struct view_model *model = &view->model;
	struct sampled_advice advice;
	double *gain = tool_memory(model->page_count, sizeof(*gain));
	int failed;

	for (size_t i = 0; i < model->page_count; i++) {
		model->pages[i].misplaced = 0;
		gain[i] = model->pages[i].gain;
		model->pages[i].gain = 0;
	}
	/*
	 * If recordings are missing, do not search. Without the samples of a node, the node's pages
	 * would seem to belong to other nodes.
	 */
	if (view->missing) {
		free(gain);
		return 0;
	}
	failed = sampled_advise(model->mon, &advice);
	for (size_t i = 0; !failed && i < advice.advise->count; i++) {
		const struct Monitor_advice *row = &advice.advise->rows[i];
		size_t page = row->node == row->home ? VIEW_NO_PAGE
						     : view_page_find(model, row->page, row->home);

		/*
		 * If the row is of a node on which the page lay before, there is no page to move.
		 */
		if (page == VIEW_NO_PAGE)
			continue;
		model->pages[page].misplaced = 1;
		model->pages[page].gain = gain[page];
	}
	free(gain);
	sampled_advise_free(&advice);
	return failed;
}

static json_t *misplaced_json(const struct view_model *model)
{
	struct view_pack pack = {0};
	size_t before = 0;

	for (size_t i = 0; i < model->page_count; i++) {
		if (!model->pages[i].misplaced)
			continue;
		view_pack_number(&pack, i - before);
		before = i;
	}
	return view_packed(&pack);
}

static void band_append(json_t *bands, uint64_t count)
{
	const struct sampled_band band = sampled_count(count);

	json_array_append_new(bands,
			      json_pack("[I, f, f]", document_int(count), band.low, band.high));
}

static json_t *bands_json(void)
{
	json_t *bands = json_array();

	for (uint64_t count = 0; count < BANDS_EACH; count++)
		band_append(bands, count);
	for (double count = BANDS_EACH; count < BANDS_MAX; count *= BANDS_STEP)
		band_append(bands, (uint64_t)count);
	return bands;
}

/*
 * Get the command that makes a placement. Return: JSON null if recordings are missing, or are not
 * on this machine.
 */
static json_t *command_json(const struct view *view)
{
	struct advise_command command = {.files = view->files, .file_count = view->file_count};
	bool complete = !view->missing && view_files_are_here(view);
	char *line = complete ? advise_own_command(&command, "placement") : NULL;
	json_t *json = line ? document_text(line) : json_null();

	free(line);
	return json;
}

json_t *view_sampled_json(const struct view *view)
{
	json_t *sampled = json_copy(view->run.samples.object);

	json_object_set_new(sampled, "command", command_json(view));
	json_object_set_new(sampled, "missing", json_integer((json_int_t)view->missing));
	json_object_set_new(sampled, "misplaced", misplaced_json(&view->model));
	json_object_set_new(sampled, "bands", bands_json());
	return sampled;
}
