// SPDX-License-Identifier: MIT
/*
 * smile advise: give advice from recordings of samples.
 *
 * What lives here: the table, the JSON document and the placement file of this advice. Each
 * estimate is printed with its confidence interval.
 */
#include "tools/advise/advise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/analysis/regions.h"
#include "lib/analysis/sampled.h"
#include "tools/advise/sampled_verify.h"
#include "tools/common/band_cells.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* Get the number of samples in a run of pages that are accesses by the run's advised node. */
static uint64_t run_own(const struct Monitor_advise *result, const struct Monitor_advise_run *run)
{
	uint64_t own = 0;

	for (size_t i = run->first; i < run->first + run->count; i++)
		own += result->rows[i].own;
	return own;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *run_json(const struct Monitor_advise *result, const struct Monitor_advise_run *run)
{
	uint64_t page = result->rows[run->first].page, own = run_own(result, run);
	json_t *object = json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:f}", "page", (json_int_t)page, "pages",
		(json_int_t)run->count, "node", (json_int_t)result->rows[run->first].node, "moved",
		(json_int_t)advise_run_moved(result, run), "samples", document_int(run->accesses),
		"share", sampled_share(own, run->accesses).share);

	sampled_count_set(object, "samples", run->accesses);
	sampled_share_set(object, "share", own, run->accesses);
	regions_page_json(result->mon, page, object);
	return object;
}

static int document_print(const struct sampled_advice *advice,
			  const struct sampled_verified *verified)
{
	const struct Monitor_advise *result = advice->advise;
	json_t *runs = json_array(), *document;

	for (size_t i = 0; i < result->run_count; i++)
		json_array_append_new(runs, run_json(result, &result->runs[i]));
	document = json_pack(
		"{s:s, s:O, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:o}", "schema",
		"smile.advise-samples/1", "sampled", result->run.samples.object, "nodes",
		(json_int_t)result->nodes, "samples", document_int(advice->samples), "pages",
		document_int(advice->pages), "advised", document_int(result->count), "moved",
		document_int(advice->moved), "remote_share",
		sampled_share(advice->remote, advice->samples).share, "advised_remote_share",
		sampled_share(advice->advised_remote, advice->samples).share, "runs", runs);
	if (document) {
		json_object_set_new(document, "shared", json_integer(document_int(advice->shared)));
		sampled_count_set(document, "samples", advice->samples);
		sampled_share_set(document, "remote_share", advice->remote, advice->samples);
		sampled_share_set(document, "advised_remote_share", advice->advised_remote,
				  advice->samples);
	}
	if (document && verified->done)
		json_object_set_new(document, "verified", sampled_verified_json(verified));
	return output_json(document);
}

/* ---- table ----------------------------------------------------------------------------------- */

static void run_row(struct output_table *table, const struct Monitor_advise *result,
		    const struct Monitor_advise_run *run)
{
	uint64_t page = result->rows[run->first].page;
	char homes[ADVISE_HOMES_BYTES], where[REGIONS_NAME_BYTES];

	output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, page);
	output_table_count(table, OUTPUT_PLAIN, run->count);
	output_table_cell(table, OUTPUT_PLAIN, "%s", advise_run_homes(result, run, homes));
	output_table_cell(table, OUTPUT_STRONG, "%" PRIu32, result->rows[run->first].node);
	band_cell_count(table, OUTPUT_PLAIN, run->accesses);
	band_cell_share(table, "", run_own(result, run), run->accesses);
	output_table_cell(table, OUTPUT_PLAIN, "%s", regions_page(result->mon, page, where));
}

static void table_print(const struct sampled_advice *advice, uint64_t most)
{
	const struct Monitor_advise *result = advice->advise;
	struct output_table *table = output_table_new();

	output_table_columns(table, ">PAGE|>PAGES|<HOME|>NODE|>SAMPLES|>SHARE|~WHERE");
	for (size_t i = 0; i < result->run_count && i < most; i++)
		run_row(table, result, &result->runs[i]);
	output_table_print(table);
}

/* Check whether the program had several threads whose nodes the kernel chose. */
static bool unbound(const struct run_facts *run)
{
	return run->threads > 1 && !run->threads_bound;
}

static void text_print(const struct sampled_advice *advice, uint64_t most)
{
	const struct Monitor_advise *result = advice->advise;
	struct sampled_share now = sampled_share(advice->remote, advice->samples);
	struct sampled_share then = sampled_share(advice->advised_remote, advice->samples);

	if (result->count) {
		table_print(advice, most);
		putchar('\n');
	}
	output_text("%zu of %" PRIu64 " pages with samples belong on one node; %" PRIu64
		    " of them lay on another at the end. All others are left alone: they have too "
		    "few samples, or several nodes use them.",
		    result->count, advice->pages, advice->moved);
	output_text("Estimates: remote samples in this run %.1f%% [%.1f-%.1f]; if all pages had "
		    "been on these nodes from the start, %.1f%% [%.1f-%.1f].",
		    100 * now.share, sampled_percent_low(&now), sampled_percent_high(&now),
		    100 * then.share, sampled_percent_low(&then), sampled_percent_high(&then));
	if (advice->shared)
		output_text("%" PRIu64
			    " pages of memory that processes share are left alone: they have "
			    "samples of other processes, which are not in these recordings.",
			    advice->shared);
	if (result->run.one_thread)
		output_text(
			"The program has had one thread. Its pages on the node of this thread have "
			"too few samples, so the shares of remote samples above are too large.");
	if (unbound(&result->run))
		output_text(
			"Threads were not bound to nodes. If the program does not bind them "
			"itself, they may run on other nodes in the next run: sample with --bind.");
	output_text("legend: page = the first page of a row, pages = the number of neighbouring "
		    "pages in the row; home = the node that held them at the end of the run; node "
		    "= the node on which they belong; share = this node's share of their samples; "
		    "[A-B] = 95%% band.");
	if (result->run_count > most)
		output_text("%zu more: a larger -n shows them.", result->run_count - (size_t)most);
}

/*
 * Verify the advice with the placement file that the user requested, or with a temporary placement
 * file.
 */
static int verify(struct sampled_verified *verified, const struct advise_command *command,
		  const struct sampled_advice *advice)
{
	char scratch[ADVISE_SCRATCH_BYTES], own[ADVISE_SCRATCH_BYTES + 16];
	const char *placement = command->output ? command->output : own;
	int status = TOOL_OK;

	if (advise_scratch_make(scratch) != TOOL_OK)
		return TOOL_ERROR;
	snprintf(own, sizeof(own), "%s/placement", scratch);
	if (!command->output)
		status = advise_place_write(advice->advise, advice, own);
	if (status == TOOL_OK)
		status =
			sampled_verify(verified, command, &advice->advise->run, placement, scratch);
	unlink(own);
	rmdir(scratch);
	return status;
}

/*
 * If the recording is of a copy of a program, refuse a placement file, because `smile place` would
 * apply the file to the parent's memory.
 */
static int copy_refuse(const struct advise_command *command, const struct run_facts *run)
{
	if (!run->copy || (!command->output && !command->verify))
		return TOOL_OK;
	return tool_error("%s is of a process that is a copy of its parent, and has executed no "
			  "program: smile place reaches the program that it starts, and no copies "
			  "of it. Without -o and --verify, smile advise shows where the pages "
			  "belong",
			  command->files[0]);
}

int advise_sampled(const struct advise_command *command, struct Monitor *mon,
		   const struct run_facts *sampled)
{
	struct sampled_advice advice = {.advise = NULL};
	struct sampled_verified verified = {.runs = command->runs};
	int status = option_form_only("samples", "output verify runs rows json color");

	if (status == TOOL_OK && run_facts_missing(sampled, (size_t)command->file_count))
		status =
			tool_error("advice from samples needs the recordings of all nodes: without "
				   "a node's own samples its pages seem to belong elsewhere");
	if (status == TOOL_OK)
		status = tool_result(sampled_advise(mon, &advice));
	if (status == TOOL_OK)
		status = copy_refuse(command, &advice.advise->run);
	if (status == TOOL_OK && command->output)
		status = advise_place_write(advice.advise, &advice, command->output);
	if (status == TOOL_OK && command->verify && !advice.advise->count)
		tool_message("note: there is no placement to verify: no page clearly belongs on "
			     "one node");
	else if (status == TOOL_OK && command->verify)
		status = verify(&verified, command, &advice);
	if (status == TOOL_OK && command->json)
		status = document_print(&advice, &verified);
	else if (status == TOOL_OK)
		text_print(&advice, command->rows_shown);
	if (status == TOOL_OK && verified.done && !command->json)
		sampled_verified_print(&verified);
	sampled_advise_free(&advice);
	if (status != TOOL_OK || !verified.done)
		return status;
	return sampled_verdict(&verified) == SAMPLED_SLOWER || verified.failed ||
			       sampled_remote_change(&verified.remote) == SAMPLED_MORE
		       ? TOOL_FINDING
		       : TOOL_OK;
}
