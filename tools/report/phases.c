// SPDX-License-Identifier: MIT
/*
 * smile report phases: the program phases, or one page over them.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/analysis/sampled.h"
#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/**
 * struct phases - What both forms show.
 * @report: what was asked for
 * @mon: which knows their names
 * @list: the phases
 * @count: how many
 * @named: some have names
 * @pages: NULL, or accesses to the page asked for, by [phase][node]
 * @nodes: nodes of each row of @pages
 * @home: home node of that page
 * @fronts: NULL, or accesses in front of the caches, by phase
 */
struct phases {
	const struct report *report;
	struct Monitor *mon;
	struct Monitor_phase *list;
	size_t count;
	int named;
	uint64_t *pages;
	size_t nodes;
	unsigned int home;
	struct Monitor_phase *fronts;
};

static json_t *phase_object(const struct phases *phases, size_t i)
{
	const struct Monitor_phase *phase = &phases->list[i];
	const char *name = Monitor_phase_name(phases->mon, i);
	json_t *object = json_pack("{s:I,s:b}", "phase", (json_int_t)i, "open", (int)phase->open);

	json_object_set_new(object, "event",
			    phase->open ? json_null() : json_integer((json_int_t)phase->event));
	json_object_set_new(object, "end_ns",
			    phase->open ? json_null() : json_integer(document_int(phase->end_ns)));
	if (*name)
		json_object_set_new(object, "name", document_text(name));
	if (phases->pages)
		json_object_set_new(
			object, "accesses",
			document_counts(phases->pages + i * phases->nodes, phases->nodes));
	else
		json_object_set_new(object, "accesses", json_integer((json_int_t)phase->accesses));
	if (phases->report->sampled && phases->pages)
		sampled_counts_set(object, "", phases->pages + i * phases->nodes, phases->nodes);
	else if (phases->report->sampled)
		sampled_count_set(object, "", phase->accesses);
	if (phases->fronts)
		json_object_set_new(
			object, "before_caches",
			json_pack("{s:I}", "accesses", document_int(phases->fronts[i].accesses)));
	return object;
}

/* Phase by phase, so that memory does not grow with phases x nodes. */
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
		csv_empty();
		csv_empty();
	} else {
		csv_count(phase->event);
		csv_count(phase->end_ns);
	}
}

/* The phase, its name, whether it is open, which event has ended it, and when. */
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

	snprintf(text, sizeof(text), "%s%s", columns, report->sampled ? ",low_95,high_95" : "");
	csv_begin(text);
}

static int phases_csv(const struct phases *phases, const struct report *report)
{
	csv_head(phases->pages ? "page,home,phase,name,open,event,end_ns,source,accesses"
			       : "phase,name,open,event,end_ns,accesses",
		 report);
	for (size_t i = 0; i < phases->count && !phases->pages && !output_stopped(); i++) {
		phase_csv(phases, i);
		csv_count(phases->list[i].accesses);
		report_band_csv(report, phases->list[i].accesses);
		csv_end();
	}
	if (!phases->pages)
		return TOOL_OK;
	/* A node without accesses in a phase has no row of it. */
	for (size_t i = 0; i < phases->count * phases->nodes && !output_stopped(); i++) {
		if (!phases->pages[i])
			continue;
		csv_count(report->page);
		csv_count(phases->home);
		phase_csv(phases, i / phases->nodes);
		csv_count(i % phases->nodes);
		csv_count(phases->pages[i]);
		report_band_csv(report, phases->pages[i]);
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
}

static void phases_table(const struct phases *phases, const struct report *report)
{
	uint64_t *sums = tool_memory(phases->nodes, sizeof(*sums));
	unsigned int *columns = tool_memory(phases->nodes, sizeof(*columns));
	struct output_table *table = output_table_new();
	size_t i, j, count = 0;

	output_table_column(table, "PHASE", 'r');
	if (phases->named)
		output_table_name(table, "NAME");
	output_table_extra(table, "ENDED BY", 'l');
	output_table_column(table, "END [ms]", 'r');
	if (phases->pages) {
		for (i = 0; i < phases->count * phases->nodes; i++)
			sums[i % phases->nodes] += phases->pages[i];
		count = report_columns(sums, phases->nodes, columns);
		for (j = 0; j < count; j++)
			report_node_column(report, table, columns[j]);
	} else {
		output_table_column(table, phases->fronts ? "TRANSACTIONS" : "ACCESSES", 'r');
		if (phases->fronts)
			output_table_column(table, "ACCESSED", 'r');
	}
	for (i = 0; i < phases->count; i++) {
		phase_row(table, phases, i);
		for (j = 0; j < count; j++)
			report_count(report, table, 0,
				     phases->pages[i * phases->nodes + columns[j]]);
		if (!phases->pages)
			report_count(report, table, 0, phases->list[i].accesses);
		if (phases->fronts)
			output_table_count(table, OUTPUT_PLAIN, phases->fronts[i].accesses);
	}
	if (phases->pages)
		printf("page %" PRIu64 " of home node %u\n\n", report->page, phases->home);
	output_table_print(table);
	putchar('\n');
	output_text(
		"legend: a phase = what was counted up to a phase mark; open = no mark has ended "
		"it; end = the card's clock at the mark, in milliseconds%s.",
		phases->pages	 ? "; node N = accesses by node N"
		: phases->fronts ? "; transactions = with all pages, by all nodes"
				 : "; accesses = to all pages, by all nodes");
	if (phases->fronts)
		output_text("%s", report_fronts_sentence);
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

static int phases_load_fronts(struct phases *phases, struct Monitor *mon)
{
	int status = tool_result(Monitor_accesses_show(mon, 1));

	if (status != TOOL_OK)
		return status;
	phases->fronts = tool_memory(phases->count, sizeof(*phases->fronts));
	Monitor_phases(mon, phases->fronts, phases->count);
	Monitor_accesses_show(mon, 0);
	return TOOL_OK;
}

static int phases_load_page(struct phases *phases, const struct report *report)
{
	int home = report_home(report), nodes = report_nodes(report);

	if (home < 0 || nodes < 0)
		return TOOL_ERROR;
	phases->home = (unsigned int)home;
	phases->nodes = (size_t)nodes;
	phases->pages = tool_memory(phases->count * phases->nodes, sizeof(*phases->pages));
	if (Monitor_phase_info(report->mon, phases->home, report->page, phases->pages,
			       phases->count, phases->nodes) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

int report_phases(const struct report *report)
{
	struct phases phases = {.report = report};
	int status = phases_load(&phases, report->mon);

	if (status == TOOL_OK && option_given("page"))
		status = phases_load_page(&phases, report);
	else if (status == TOOL_OK && report->fronts && !report->csv)
		status = phases_load_fronts(&phases, report->mon);
	if (status == TOOL_OK && report->csv)
		status = phases_csv(&phases, report);
	else if (status == TOOL_OK && report->json)
		status = phases_json(&phases, report);
	else if (status == TOOL_OK)
		phases_table(&phases, report);
	free(phases.list);
	free(phases.pages);
	free(phases.fronts);
	return status;
}
