// SPDX-License-Identifier: MIT
/*
 * smile diff: compare recordings of samples.
 *
 * What lives here: the comparison of structures, with confidence intervals, and its output. Numbers
 * of samples depend on the run time of a program, and page numbers depend on its addresses.
 * Therefore the shares of remote samples are compared instead.
 */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/difference/sampled_pairs.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/sampled.h"
#include "tools/common/band_cells.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

static bool is_clear(const struct sampled_share *difference)
{
	return difference->low > 0 || difference->high < 0;
}

/* ---- table ----------------------------------------------------------------------------------- */

static void difference_cell(struct output_table *table, const struct sampled_pair *pair)
{
	struct sampled_share difference = sampled_difference(pair->remote, pair->samples);

	if (!pair->samples[0] || !pair->samples[1])
		output_table_none(table);
	else
		output_table_cell(table, is_clear(&difference) ? OUTPUT_STRONG : OUTPUT_PLAIN,
				  "%+.1f [%+.0f to %+.0f]%s", 100 * difference.share,
				  floor(100 * difference.low), ceil(100 * difference.high),
				  is_clear(&difference) ? "" : " unclear");
}

static void pair_row(struct output_table *table, const struct sampled_pair *pair, const char *name)
{
	char where[STRUCTURES_TEXT_BYTES];

	output_table_cell(table, OUTPUT_STRONG, "%s", name);
	if (pair->variable)
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  structures_where(pair->variable, where));
	else
		output_table_none(table);
	for (int side = 0; side < 2; side++)
		band_cell_count(table, OUTPUT_PLAIN, pair->samples[side]);
	for (int side = 0; side < 2; side++)
		if (pair->samples[side])
			band_cell_share(table, "", pair->remote[side], pair->samples[side]);
		else
			output_table_none(table);
	difference_cell(table, pair);
}

static void show(const struct sampled_pairs *pairs, const struct run_facts *sampled, uint64_t most)
{
	struct output_table *table = output_table_new();
	bool memory = !strcmp(sampled->samples.source, "memory");

	output_table_columns(
		table, "<NAME|<WHERE|>FIRST|>SECOND|>REMOTE FIRST|>REMOTE SECOND|>+/- POINTS");
	for (size_t i = 0; i < pairs->count && i < most; i++)
		pair_row(table, &pairs->list[i],
			 pairs->list[i].variable ? pairs->list[i].variable->name : "(no variable)");
	pair_row(table, &pairs->all, "all");
	output_table_print(table);
	putchar('\n');
	if (pairs->count > most)
		output_text("%zu more: a larger -n shows them.", pairs->count - (size_t)most);
	output_text("legend: structures of the same name, kind and place in the program; first, "
		    "second = %s in the recordings; remote = share of them by other nodes than the "
		    "home; +/- = the second share minus the first, in percentage points; unclear = "
		    "its band contains 0: the samples do not show a change.",
		    memory ? "samples that no cache of the node has served" : "samples");
	output_text(
		"Estimates: [A-B] behind a figure is its 95%% band. The number of samples depends "
		"on the run time of the programs. Pages are not compared, since a program has "
		"other addresses in each run: see `smile report pages`.");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void pair_set(json_t *object, const struct sampled_pair *pair)
{
	struct sampled_share difference = sampled_difference(pair->remote, pair->samples);
	json_t *shares = json_array(), *low = json_array(), *high = json_array();

	for (int side = 0; side < 2; side++) {
		struct sampled_share share = sampled_share(pair->remote[side], pair->samples[side]);

		json_array_append_new(shares, json_real(share.share));
		json_array_append_new(low, json_real(share.low));
		json_array_append_new(high, json_real(share.high));
	}
	json_object_set_new(object, "samples", document_counts(pair->samples, 2));
	sampled_counts_set(object, "samples", pair->samples, 2);
	json_object_set_new(object, "remote", document_counts(pair->remote, 2));
	sampled_counts_set(object, "remote", pair->remote, 2);
	json_object_set_new(object, "remote_share", shares);
	json_object_set_new(object, "remote_share_low_95", low);
	json_object_set_new(object, "remote_share_high_95", high);
	json_object_set_new(object, "difference", json_real(difference.share));
	json_object_set_new(object, "difference_low_95", json_real(difference.low));
	json_object_set_new(object, "difference_high_95", json_real(difference.high));
	json_object_set_new(object, "clear", json_boolean(is_clear(&difference)));
}

static int document(const struct sampled_pairs *pairs, const struct run_facts *sampled)
{
	json_t *head = json_pack("{s:s, s:O}", "schema", "smile.diff-samples/1", "sampled",
				 sampled->samples.object);
	json_t *list = json_array();

	for (size_t i = 0; i < pairs->count; i++) {
		const struct Monitor_variable *variable = pairs->list[i].variable;
		json_t *object = json_pack("{s:o, s:s, s:o, s:I}", "name",
					   document_text(variable ? variable->name : ""), "kind",
					   structures_kind(variable ? variable->kind : UINT32_MAX),
					   "file", document_text(variable ? variable->file : ""),
					   "line", (json_int_t)(variable ? variable->line : 0));

		pair_set(object, &pairs->list[i]);
		json_array_append_new(list, object);
	}
	pair_set(head, &pairs->all);
	json_object_set_new(head, "structures", list);
	return output_json(head);
}

/* ---- comparison ------------------------------------------------------------------------------ */

int diff_sampled_fits(const struct diff *diff)
{
	struct run_facts *const *sampled = diff->sampled;
	const char *sources[2];

	if (!sampled[0] != !sampled[1])
		return tool_error("%s holds samples, and %s exact counts: they are not compared; "
				  "`smile report structures` shows either",
				  diff->files[sampled[1] ? 1 : 0][0],
				  diff->files[sampled[1] ? 0 : 1][0]);
	sources[0] = sampled[0]->samples.source;
	sources[1] = sampled[1]->samples.source;
	if (strcmp(sources[0], sources[1]) != 0)
		return tool_error("%s holds samples of source %s, and %s of source %s, which have "
				  "different meanings: sample both programs with the same --source",
				  diff->files[0][0], sources[0], diff->files[1][0], sources[1]);
	return option_form_only("samples", "rows json color");
}

int diff_sampled(const struct diff *diff)
{
	struct structures both[2] = {{.count = 0}, {.count = 0}};
	struct sampled_pairs pairs = {.list = NULL};
	int status = TOOL_OK;

	for (int side = 0; side < 2 && status == TOOL_OK; side++) {
		struct Monitor *mon = diff->comparison.mon[side];
		int nodes = Monitor_nodes(mon);

		status = nodes < 0 ? tool_result(nodes)
				   : tool_result(structures_load(&both[side], mon,
								 nodes ? (size_t)nodes : 1, 0));
	}
	if (status == TOOL_OK && sampled_pairs_make(&pairs, both) < 0)
		status = tool_error("no memory");
	if (status == TOOL_OK && diff->json)
		status = document(&pairs, diff->sampled[0]);
	else if (status == TOOL_OK)
		show(&pairs, diff->sampled[0], diff->rows_shown);
	free(pairs.list);
	structures_free(&both[0]);
	structures_free(&both[1]);
	return status;
}
