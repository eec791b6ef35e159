// SPDX-License-Identifier: MIT
/*
 * smile report phases: print the phases of the program, or the accesses to one page in each phase.
 */
#include "tools/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/sampled.h"
#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define SPREAD_UNKNOWN UINT64_MAX

/**
 * struct phases - The data for both forms of the view.
 * @report: the user's options
 * @mon: the Monitor, for the names of the phases
 * @list: the phases
 * @count: number of phases
 * @named: some phases have names
 * @pages: accesses to the requested page, by [phase][node]; NULL: no page was requested
 * @nodes: number of nodes of each row of @pages
 * @spreads: for several recordings, the time in ns within which each phase began on all nodes;
 *           SPREAD_UNKNOWN: the time is not known; NULL: there is only one recording
 * @unknown: the reason why a time in @spreads is not known; NULL: all are known
 * @spreads_known: at least one time in @spreads is known and is not 0; for `smile run` all times
 *                 are 0
 * @home: home node of the requested page
 * @behind: transactions between nodes, by phase; NULL: not shown
 * @pages_behind: transactions with the requested page, by [phase][node]; NULL: not shown
 */
struct phases {
	const struct report *report;
	struct Monitor *mon;
	struct Monitor_phase *list;
	size_t count;
	int named;
	uint64_t *pages;
	size_t nodes;
	uint64_t *spreads;
	char *unknown;
	int spreads_known;
	unsigned int home;
	struct Monitor_phase *behind;
	uint64_t *pages_behind;
};

static json_t *phase_object(const struct phases *phases, size_t i)
{
	const struct Monitor_phase *phase = &phases->list[i];
	const char *name = Monitor_phase_name(phases->mon, i);
	json_t *object = json_pack("{s:I,s:b}", "phase", (json_int_t)i, "open", (int)phase->open);
	const uint64_t *behind = phases->pages_behind ? phases->pages_behind + i * phases->nodes
				 : phases->behind     ? &phases->behind[i].accesses
						      : NULL;
	json_t *transactions;

	json_object_set_new(object, "event",
			    phase->open ? json_null() : json_integer((json_int_t)phase->event));
	json_object_set_new(object, "end_ns",
			    phase->open ? json_null() : json_integer(document_int(phase->end_ns)));
	if (phases->spreads)
		json_object_set_new(object, "began_within_ns",
				    phases->spreads[i] == SPREAD_UNKNOWN
					    ? json_null()
					    : json_integer(document_int(phases->spreads[i])));
	if (*name)
		json_object_set_new(object, "name", document_text(name));
	json_object_set_new(
		object, "accesses",
		phases->pages ? document_counts(phases->pages + i * phases->nodes, phases->nodes)
			      : json_integer(document_int(phase->accesses)));
	if (phases->report->sampled && phases->pages)
		sampled_counts_set(object, "", phases->pages + i * phases->nodes, phases->nodes);
	else if (phases->report->sampled)
		sampled_count_set(object, "", phase->accesses);
	if (behind) {
		transactions = json_object();
		json_object_set_new(transactions, "accesses",
				    phases->pages_behind ? document_counts(behind, phases->nodes)
							 : json_integer(document_int(*behind)));
		if (phases->report->sampled && phases->pages_behind)
			sampled_counts_set(transactions, "", behind, phases->nodes);
		else if (phases->report->sampled)
			sampled_count_set(transactions, "", *behind);
		json_object_set_new(object, "transactions", transactions);
	}
	return object;
}

/*
 * The size of the document is phases x nodes. Print it phase by phase, because the whole document
 * could need much memory.
 */
static int phases_json(const struct phases *phases, const struct report *report)
{
	json_t *head = phases->pages ? report_head(json_pack("{s:s,s:I,s:I,s:I}", "schema",
							     "smile.page-phases/1", "page",
							     (json_int_t)report->page, "home",
							     (json_int_t)phases->home, "nodes",
							     (json_int_t)phases->nodes))
				     : report_head(json_pack("{s:s}", "schema", "smile.phases/1"));
	int status;
	size_t i;

	if (phases->unknown)
		json_object_set_new(head, "began_unknown", document_text(phases->unknown));
	putchar('{');
	status = output_json_members(report_sampled_head(report, head));
	fputs(",\"phases\":[", stdout);
	for (i = 0; i < phases->count && status == TOOL_OK && !output_stopped(); i++)
		status = output_json_item(phase_object(phases, i), !i);
	fputs("]}\n", stdout);
	return status;
}

void report_phase_end_csv(const struct Monitor_phase *phase)
{
	csv_flag((int)phase->open);
	if (phase->open) {
		csv_empty(2);
	} else {
		csv_count(phase->event);
		csv_count(phase->end_ns);
	}
}

/*
 * Print the cells of a phase: its number, its name, whether it is open, the event that has ended
 * it, and the time of its end.
 */
static void phase_csv(const struct phases *phases, size_t i)
{
	const struct Monitor_phase *phase = &phases->list[i];

	csv_count(i);
	csv_text(Monitor_phase_name(phases->mon, i));
	report_phase_end_csv(phase);
}

static void csv_head(const char *columns, const struct report *report)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s", columns, report_band_columns(report));
	csv_begin(text);
}

static int phases_csv(const struct phases *phases, const struct report *report)
{
	static const char *const columns[2][2] = {
		{"phase,name,open,event,end_ns,accesses",
		 "phase,name,open,event,end_ns,accesses,transactions"},
		{"page,home,phase,name,open,event,end_ns,source,accesses",
		 "page,home,phase,name,open,event,end_ns,source,accesses,transactions"},
	};

	csv_head(columns[phases->pages != NULL][report->both], report);
	for (size_t i = 0; i < phases->count && !phases->pages && !output_stopped(); i++) {
		phase_csv(phases, i);
		csv_count(phases->list[i].accesses);
		if (phases->behind)
			csv_count(phases->behind[i].accesses);
		report_band_csv(report, phases->list[i].accesses);
		if (phases->behind)
			report_behind_band_csv(report, phases->behind[i].accesses);
		csv_end();
	}
	if (!phases->pages)
		return TOOL_OK;
	/* Print a row for each node that has accesses in the phase. */
	for (size_t i = 0; i < phases->count * phases->nodes && !output_stopped(); i++) {
		if (!phases->pages[i] && (!report->both || !phases->pages_behind[i]))
			continue;
		csv_count(report->page);
		csv_count(phases->home);
		phase_csv(phases, i / phases->nodes);
		csv_count(i % phases->nodes);
		csv_count(phases->pages[i]);
		if (report->both)
			csv_count(phases->pages_behind[i]);
		report_band_csv(report, phases->pages[i]);
		if (report->both)
			report_behind_band_csv(report, phases->pages_behind[i]);
		csv_end();
	}
	return TOOL_OK;
}

static void phase_row(struct output_table *table, const struct phases *phases, size_t i)
{
	const struct Monitor_phase *phase = &phases->list[i];
	const char *name = Monitor_phase_name(phases->mon, i);

	output_table_cell(table, OUTPUT_STRONG, "%zu", i);
	if (phases->named)
		output_table_cell(table, OUTPUT_STRONG, "%s", *name ? name : "-");
	if (phase->open) {
		output_table_cell(table, OUTPUT_PLAIN, "open");
		output_table_cell(table, OUTPUT_PLAIN, "-");
	} else {
		output_table_cell(table, OUTPUT_PLAIN, "event %" PRIu32, phase->event);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64 ".%06" PRIu64,
				  phase->end_ns / 1000000, phase->end_ns % 1000000);
	}
	if (!phases->spreads_known)
		return;
	if (phases->spreads[i] == SPREAD_UNKNOWN)
		output_table_cell(table, OUTPUT_PLAIN, "-");
	else
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64 ".%03" PRIu64,
				  phases->spreads[i] / 1000, phases->spreads[i] % 1000);
}

/* Sum up the transactions of the requested page in a phase. */
static uint64_t page_behind(const struct phases *phases, size_t i)
{
	uint64_t all = 0;

	for (size_t node = 0; node < phases->nodes; node++)
		all += phases->pages_behind[i * phases->nodes + node];
	return all;
}

/*
 * Print the largest time within which a phase began on all nodes. If such a time is not known,
 * print the reason.
 */
static void spreads_text(const struct phases *phases)
{
	size_t worst = 0;

	for (size_t i = 1; phases->spreads && i < phases->count; i++)
		if (phases->spreads[i] != SPREAD_UNKNOWN &&
		    (!worst || phases->spreads[i] > phases->spreads[worst]))
			worst = i;
	if (worst && !phases->spreads_known)
		output_text("Each phase began on all nodes at the same time.");
	else if (worst)
		output_text("No phase needed longer to begin on all nodes than phase %zu, which "
			    "needed at most %" PRIu64 ".%03" PRIu64
			    " us. Began within = an upper bound on this time, which includes the "
			    "errors of the clocks.",
			    worst, phases->spreads[worst] / 1000, phases->spreads[worst] % 1000);
	if (phases->unknown)
		output_text("For %s phases, it is not known how long they needed to begin on all "
			    "nodes: %s.",
			    worst ? "some" : "the", phases->unknown);
}

static void phases_table(const struct phases *phases, const struct report *report)
{
	uint64_t *sums = tool_memory(phases->nodes, sizeof(*sums));
	unsigned int *columns = tool_memory(phases->nodes, sizeof(*columns));
	struct output_table *table = output_table_new();
	size_t i, j, count = 0;

	output_table_columns(table, phases->named ? ">PHASE|~NAME" : ">PHASE");
	output_table_extra_name(table, "ENDED BY", 0);
	output_table_columns(table,
			     phases->spreads_known ? ">END [ms]|?BEGAN WITHIN [us]" : ">END [ms]");
	if (phases->pages) {
		for (i = 0; i < phases->count * phases->nodes; i++)
			sums[i % phases->nodes] += phases->pages[i];
		count = report_columns(sums, phases->nodes, columns);
		for (j = 0; j < count; j++)
			report_node_column(report, table, columns[j]);
	} else {
		output_table_columns(table, ">ACCESSES");
	}
	if (report->both)
		output_table_columns(table, ">REMOTE TRANSACTIONS");
	for (i = 0; i < phases->count; i++) {
		phase_row(table, phases, i);
		for (j = 0; j < count; j++)
			report_count(report, table, 0,
				     phases->pages[i * phases->nodes + columns[j]]);
		if (!phases->pages)
			report_count(report, table, 0, phases->list[i].accesses);
		if (report->both)
			report_count(report, table, 0,
				     phases->pages ? page_behind(phases, i)
						   : phases->behind[i].accesses);
	}
	if (phases->pages)
		printf("page %" PRIu64 " of home node %u\n\n", report->page, phases->home);
	output_table_print(table);
	putchar('\n');
	output_text(
		"legend: a phase = what was counted up to a phase mark; open = no mark has ended "
		"it; end = the card's clock at the mark, in milliseconds%s.",
		phases->pages ? "; node N = accesses by node N"
			      : "; accesses = to all pages, by all nodes");
	spreads_text(phases);
	report_both_legend(report);
	report_sampled_legend(report);
	free(sums);
	free(columns);
}

static int phases_load(struct phases *phases, struct Monitor *mon)
{
	int count = Monitor_phases(mon, NULL, 0);

	if (count >= 0) {
		phases->list = tool_memory((size_t)count, sizeof(*phases->list));
		count = Monitor_phases(mon, phases->list, (size_t)count);
	}
	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	phases->mon = mon;
	phases->count = (size_t)count;
	for (size_t i = 0; i < phases->count; i++)
		phases->named |= *Monitor_phase_name(mon, i) != '\0';
	return TOOL_OK;
}

/*
 * Read the times within which phases began on all nodes. Phase 0 has no such time, since it begins
 * with the recording and not with a mark.
 */
static void phases_load_spreads(struct phases *phases)
{
	phases->spreads = tool_memory(phases->count, sizeof(*phases->spreads));
	for (size_t i = 0; i < phases->count; i++) {
		phases->spreads[i] = SPREAD_UNKNOWN;
		if (!i)
			continue;
		if (Monitor_phase_spread(phases->mon, i, &phases->spreads[i]) == 0)
			phases->spreads_known |= phases->spreads[i] != 0;
		else if (!phases->unknown)
			phases->unknown = strdup(Monitor_error_message());
	}
}

static void phases_load_behind(struct phases *phases, struct Monitor *mon)
{
	phases->behind = tool_memory(phases->count, sizeof(*phases->behind));
	Monitor_accesses_show(mon, 0);
	Monitor_phases(mon, phases->behind, phases->count);
	Monitor_accesses_show(mon, 1);
}

/*
 * Get the counts of a page by phase. Return: 1; 0 if the page has no counts of this kind; negative
 * on an error.
 */
static int page_phases_get(const struct phases *phases, uint64_t page, uint64_t *counts)
{
	int result = Monitor_phase_info(phases->mon, phases->home, page, counts, phases->count,
					phases->nodes);

	return result == -ENOENT ? 0 : result < 0 ? result : 1;
}

static int phases_load_page(struct phases *phases, const struct report *report)
{
	int home = report_home(report), nodes = report_nodes(report), found, behind = 0;

	if (home < 0 || nodes < 0)
		return TOOL_ERROR;
	phases->home = (unsigned int)home;
	phases->nodes = (size_t)nodes;
	phases->pages = tool_memory(phases->count * phases->nodes, sizeof(*phases->pages));
	found = page_phases_get(phases, report->page, phases->pages);
	if (report->both && found >= 0) {
		phases->pages_behind =
			tool_memory(phases->count * phases->nodes, sizeof(*phases->pages_behind));
		Monitor_accesses_show(report->mon, 0);
		behind = page_phases_get(phases, report->page, phases->pages_behind);
		Monitor_accesses_show(report->mon, 1);
	}
	if (found < 0 || behind < 0 || !(found || behind))
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

int report_phases(const struct report *report)
{
	struct phases phases = {.report = report};
	int status = phases_load(&phases, report->mon);

	if (status == TOOL_OK && report->file_count > 1)
		phases_load_spreads(&phases);
	if (status == TOOL_OK && option_given("page"))
		status = phases_load_page(&phases, report);
	else if (status == TOOL_OK && report->both)
		phases_load_behind(&phases, report->mon);
	if (status == TOOL_OK && report->csv)
		status = phases_csv(&phases, report);
	else if (status == TOOL_OK && report->json)
		status = phases_json(&phases, report);
	else if (status == TOOL_OK)
		phases_table(&phases, report);
	free(phases.list);
	free(phases.pages);
	free(phases.behind);
	free(phases.pages_behind);
	free(phases.spreads);
	free(phases.unknown);
	return status;
}
