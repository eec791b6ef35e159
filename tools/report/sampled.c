// SPDX-License-Identifier: MIT
/*
 * smile report: show recordings of samples.
 *
 * What lives here: the output of counts with their confidence intervals, for the views that show
 * samples.
 */
#include "tools/report/report.h"

#include <stdio.h>

#include "lib/analysis/sampled.h"
#include "tools/common/band_cells.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"

json_t *report_sampled_head(const struct report *report, json_t *head)
{
	if (report->sampled)
		json_object_set(head, "sampled", report->sampled->samples.object);
	return head;
}

void report_sampled_legend(const struct report *report)
{
	char text[256];

	if (!report->sampled)
		return;
	snprintf(text, sizeof(text), "%s, source %s", report->sampled->samples.unit,
		 report->sampled->samples.source);
	output_text(
		"Estimates: all counts are of samples (%s), and [A-B] behind a count is its 95%% "
		"band, for the expected number of samples. smile-sample(1) explains what a sample "
		"is.",
		text_printable(text));
}

void report_both_legend(const struct report *report)
{
	if (report->both && report->sampled)
		output_text(
			"Transactions = samples that no cache of the node has served. All other "
			"counts are counts of all samples of accesses.");
	else if (report->both)
		output_text("%s", report_both_sentence);
}

void report_node_column(const struct report *report, struct output_table *table, unsigned int node)
{
	char heading[32];

	if (!report->sampled) {
		output_table_node(table, "node", "others", node);
		return;
	}
	/*
	 * These columns are not declared as columns of nodes, because a narrow terminal would then
	 * print sums of several columns. The confidence interval of a sum is not the sum of the
	 * confidence intervals.
	 */
	snprintf(heading, sizeof(heading), "node %u", node);
	output_table_column(table, heading, 'r');
}

void report_count(const struct report *report, struct output_table *table, int strong,
		  uint64_t count)
{
	enum output_style style = strong ? OUTPUT_STRONG : OUTPUT_PLAIN;

	if (report->sampled)
		band_cell_count(table, style, count);
	else
		output_table_count(table, style, count);
}

char *report_count_text(const struct report *report, char *text, uint64_t count)
{
	return report->sampled ? band_text(text, count) : text_count(text, count);
}

void report_band_csv(const struct report *report, uint64_t count)
{
	struct sampled_band band;

	if (!report->sampled)
		return;
	band = sampled_count(count);
	csv_real(band.low);
	csv_real(band.high);
}

void report_behind_band_csv(const struct report *report, uint64_t count)
{
	if (report->both)
		report_band_csv(report, count);
}

const char *report_band_columns(const struct report *report)
{
	if (!report->sampled)
		return "";
	return report->both ? ",low_95,high_95,transaction_low_95,transaction_high_95"
			    : ",low_95,high_95";
}

void report_bands_csv(const struct report *report, const uint64_t *counts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		report_band_csv(report, counts[i]);
}

void report_share_band_csv(const struct report *report, uint64_t part, uint64_t all)
{
	struct sampled_share share;

	if (!report->sampled)
		return;
	share = sampled_share(part, all);
	csv_real(share.low);
	csv_real(share.high);
}
