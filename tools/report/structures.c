// SPDX-License-Identifier: MIT
/*
 * smile report structures: print the accesses to the variables of the program.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/band_cells.h"
#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/sampled.h"
#include "tools/common/tool.h"
#include "tools/report/report.h"
#include "tools/report/variable_find.h"

#define TYPE_WIDTH 28
/* Check whether the options select this structure. */
static int is_wanted(const struct report *report, const struct structure *structure)
{
	if (option_given("min-accesses") && structure->all < report->min_accesses)
		return 0;
	if (!(option_given("match")))
		return 1;
	return structure->variable && !fnmatch(report->match, structure->variable->name, 0);
}

/*
 * Make a structure whose counts are 0. It is used for the transactions of a structure if caches
 * have served all accesses to the structure.
 */
static struct structure structure_none(const struct structures *structures)
{
	return (struct structure){
		.homes = structures->zeros,
		.accesses = structures->zeros,
		.reads = structures->zeros,
		.writes = structures->zeros,
		.locks = structures->zeros,
	};
}

static double share(const struct structure *structure)
{
	return structure->all
		       ? (double)structure->accesses[structure->dominant] / (double)structure->all
		       : 0.0;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *state_name(uint32_t state)
{
	static const char *const names[] = {
		[MONITOR_OBJECT_DEBUG] = "debug",      [MONITOR_OBJECT_SYMBOLS] = "symbols",
		[MONITOR_OBJECT_DYNAMIC] = "stripped", [MONITOR_OBJECT_NAMELESS] = "nameless",
		[MONITOR_OBJECT_MISSING] = "missing",  [MONITOR_OBJECT_CHANGED] = "changed",
		[MONITOR_OBJECT_DAMAGED] = "damaged",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

static json_t *objects_json(const struct structures *structures)
{
	json_t *array = json_array();

	for (size_t i = 0; i < structures->object_count; i++) {
		const struct Monitor_object *object = &structures->objects[i];

		json_array_append_new(array, json_pack("{s:o,s:o,s:s,s:I,s:o}", "path",
						       document_text(object->path), "build",
						       document_text(object->build), "state",
						       state_name(object->state), "variables",
						       (json_int_t)object->variables, "message",
						       document_text(object->message)));
	}
	return array;
}

static void variable_json(json_t *object, const struct Monitor_variable *variable)
{
	json_object_set_new(object, "name", document_text(variable->name));
	json_object_set_new(object, "kind", json_string(structures_kind(variable->kind)));
	json_object_set_new(object, "type", document_text(variable->type));
	json_object_set_new(object, "object", document_text(variable->object));
	json_object_set_new(object, "file", document_text(variable->file));
	json_object_set_new(object, "line", json_integer(variable->line));
	json_object_set_new(object, "address", json_integer((json_int_t)variable->address));
	json_object_set_new(object, "bytes", json_integer(document_int(variable->bytes)));
	json_object_set_new(object, "pieces", json_integer(document_int(variable->extents)));
	json_object_set_new(object, "blocks", json_integer(document_int(variable->blocks)));
	json_object_set_new(object, "blocks_lost", json_integer(document_int(variable->lost)));
}

/* Add the confidence intervals of samples to a document. */
static void bands_json(const struct report *report, json_t *object,
		       const struct structure *structure, size_t nodes)
{
	sampled_counts_set(object, "", structure->accesses, nodes);
	sampled_counts_set(object, "homes", structure->homes, nodes);
	if (report_typed(report)) {
		sampled_counts_set(object, "reads", structure->reads, nodes);
		sampled_counts_set(object, "writes", structure->writes, nodes);
		sampled_counts_set(object, "locks", structure->locks, nodes);
	}
	sampled_count_set(object, "straddling", structure->straddling);
	sampled_count_set(object, "remote", structure->remote);
	sampled_share_set(object, "share", structure->accesses[structure->dominant],
			  structure->all);
}

static void counts_json(const struct report *report, json_t *object,
			const struct structure *structure, size_t nodes)
{
	json_object_set_new(object, "homes", document_counts(structure->homes, nodes));
	json_object_set_new(object, "accesses", document_counts(structure->accesses, nodes));
	json_object_set_new(object, "reads", document_counts(structure->reads, nodes));
	json_object_set_new(object, "writes", document_counts(structure->writes, nodes));
	json_object_set_new(object, "locks", document_counts(structure->locks, nodes));
	json_object_set_new(object, "straddling",
			    json_integer(document_int(structure->straddling)));
	json_object_set_new(object, "remote", json_integer(document_int(structure->remote)));
	json_object_set_new(object, "dominant", json_integer((json_int_t)structure->dominant));
	json_object_set_new(object, "share", json_real(share(structure)));
	if (report->sampled)
		bands_json(report, object, structure, nodes);
}

static json_t *structure_json(const struct report *report, const struct structures *structures,
			      const struct structure *structure)
{
	static const struct Monitor_variable none = {
		.name = "",
		.type = "",
		.object = "",
		.file = "",
		.kind = UINT32_MAX,
	};
	json_t *object = json_object();

	variable_json(object, structure->variable ? structure->variable : &none);
	json_object_set_new(object, "pages", json_integer(document_int(structure->pages)));
	counts_json(report, object, structure, structures->nodes);
	if (structures->behind) {
		json_t *transactions = json_object();
		const struct structure alone = structure_none(structures);

		counts_json(report, transactions, structure->behind ? structure->behind : &alone,
			    structures->nodes);
		json_object_set_new(object, "transactions", transactions);
	}
	return object;
}

static int structures_json(const struct report *report, const struct structures *structures)
{
	int status, first = 1;
	size_t rows = 0;
	json_t *head;

	printf("{\"schema\":\"smile.structures/1\",");
	head = report_head(json_pack(
		"{s:I,s:I,s:I,s:I,s:o}", "nodes", (json_int_t)structures->nodes, "page_bytes",
		(json_int_t)SMILE_PAGE_BYTES, "accesses", document_int(structures->all),
		"straddling", document_int(structures->straddling), "objects",
		objects_json(structures)));
	if (report->sampled) {
		sampled_count_set(head, "", structures->all);
		sampled_count_set(head, "straddling", structures->straddling);
	}
	status = output_json_members(report_sampled_head(report, head));
	if (status == TOOL_OK && structures->behind) {
		json_t *behind =
			json_pack("{s:I,s:I}", "accesses", document_int(structures->behind_all),
				  "straddling", document_int(structures->behind_straddling));

		if (report->sampled) {
			sampled_count_set(behind, "", structures->behind_all);
			sampled_count_set(behind, "straddling", structures->behind_straddling);
		}
		putchar(',');
		status = output_json_members(json_pack("{s:o}", "transactions", behind));
	}
	fputs(",\"structures\":[", stdout);
	for (size_t i = 0; i < structures->count && status == TOOL_OK && !output_stopped(); i++) {
		const struct structure *structure = &structures->list[i];

		if (!is_wanted(report, structure) ||
		    (option_given("rows") && rows++ >= report->rows))
			continue;
		status = output_json_item(structure_json(report, structures, structure), first);
		first = 0;
	}
	fputs("]}\n", stdout);
	return status;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/*
 * Write the CSV cells that describe a variable. Each row of the variable begins with these cells.
 */
static void structure_csv_head(const struct structure *structure)
{
	const struct Monitor_variable *variable = structure->variable;

	if (variable) {
		csv_text(variable->name);
		csv_text(structures_kind(variable->kind));
		csv_text(variable->type);
		csv_text(variable->object);
		csv_text(variable->file);
		csv_count(variable->line);
		csv_count(variable->address);
		csv_count(variable->bytes);
		csv_count(variable->extents);
		csv_count(variable->blocks);
		csv_count(variable->lost);
	} else {
		csv_empty(11);
	}
	csv_count(structure->pages);
	csv_count(structure->straddling);
	csv_count(structure->remote);
	csv_count(structure->dominant);
	csv_real(share(structure));
}

static void structure_csv_counts(const struct structure *structure, size_t node)
{
	csv_count(structure->accesses[node]);
	csv_count(structure->reads[node]);
	csv_count(structure->writes[node]);
	csv_count(structure->locks[node]);
	csv_count(structure->homes[node]);
}

#define BANDS_CSV                                                                                  \
	",straddling_low_95,straddling_high_95,remote_low_95,remote_high_95"                       \
	",share_low_95,share_high_95,reads_low_95,reads_high_95,writes_low_95"                     \
	",writes_high_95,locks_low_95,locks_high_95,home_accesses_low_95"                          \
	",home_accesses_high_95"
#define BEHIND_BANDS_CSV                                                                           \
	",transaction_reads_low_95,transaction_reads_high_95"                                      \
	",transaction_writes_low_95,transaction_writes_high_95"                                    \
	",transaction_locks_low_95,transaction_locks_high_95"                                      \
	",transaction_home_accesses_low_95,transaction_home_accesses_high_95"                      \
	",transaction_straddling_low_95,transaction_straddling_high_95"

/* Write the CSV cells with the confidence intervals of the counts of one node. */
static void structure_csv_node_bands(const struct report *report, const struct structure *structure,
				     size_t node)
{
	if (node == SIZE_MAX) {
		csv_empty(8);
	} else {
		const uint64_t counts[] = {structure->reads[node], structure->writes[node],
					   structure->locks[node], structure->homes[node]};

		report_bands_csv(report, counts, sizeof(counts) / sizeof(counts[0]));
	}
}

/*
 * Write the confidence intervals of a CSV row. The arguments are the same as those of
 * structure_csv_row().
 */
static void structure_csv_bands(const struct report *report, const struct structure *structure,
				const struct structure *behind, size_t node)
{
	const uint64_t counts[] = {structure->straddling, structure->remote};

	report_bands_csv(report, counts, sizeof(counts) / sizeof(counts[0]));
	report_share_band_csv(report, structure->accesses[structure->dominant], structure->all);
	structure_csv_node_bands(report, structure, node);
	if (!behind)
		return;
	structure_csv_node_bands(report, behind, node);
	report_band_csv(report, behind->straddling);
}

/*
 * Write a CSV row. @behind: transactions between nodes; NULL: they have no columns. @node: the node
 * of the row; SIZE_MAX: the row has no node.
 */
static int structure_csv_row(const struct report *report, const struct structure *structure,
			     const struct structure *behind, size_t node)
{
	structure_csv_head(structure);
	if (node == SIZE_MAX) {
		csv_empty(6);
	} else {
		csv_count(node);
		structure_csv_counts(structure, node);
	}
	if (behind && node == SIZE_MAX) {
		csv_empty(5);
	} else if (behind) {
		structure_csv_counts(behind, node);
	}
	if (behind)
		csv_count(behind->straddling);
	if (node != SIZE_MAX) {
		report_band_csv(report, structure->accesses[node]);
		if (behind)
			report_behind_band_csv(report, behind->accesses[node]);
	} else if (report->sampled) {
		csv_empty(behind ? 4 : 2);
	}
	if (report->sampled)
		structure_csv_bands(report, structure, behind, node);
	return csv_end();
}

static int structure_on(const struct structure *structure, size_t node)
{
	return structure->accesses[node] || structure->homes[node];
}

/*
 * Print a CSV row for each node that has accesses to the variable, or on which accessed parts of
 * the variable lie. If there is no such node, print one row without a node.
 */
static void structure_csv(const struct report *report, const struct structures *structures,
			  const struct structure *structure)
{
	const struct structure alone = structure_none(structures);
	const struct structure *behind = structure->behind ? structure->behind : &alone;
	size_t rows = 0;

	if (!structures->behind)
		behind = NULL;
	for (size_t node = 0; node < structures->nodes; node++)
		if (structure_on(structure, node) || (behind && structure_on(behind, node)))
			rows += (size_t)structure_csv_row(report, structure, behind, node);
	if (!rows && !output_stopped())
		structure_csv_row(report, structure, behind, SIZE_MAX);
}

#define STRUCTURES_CSV                                                                             \
	"name,kind,type,object,file,line,address,bytes,pieces,blocks,blocks_lost,pages,"           \
	"straddling,remote,dominant,share,node,accesses,reads,writes,locks,home_accesses"

static int structures_csv(const struct report *report, const struct structures *structures)
{
	char columns[1024];
	size_t rows = 0;

	snprintf(columns, sizeof(columns), "%s%s%s%s",
		 structures->behind ? STRUCTURES_CSV REPORT_BEHIND_CSV
			 ",transaction_home_accesses,transaction_straddling"
				    : STRUCTURES_CSV,
		 report_band_columns(report), report->sampled ? BANDS_CSV : "",
		 report->sampled && structures->behind ? BEHIND_BANDS_CSV : "");
	csv_begin(columns);
	for (size_t i = 0; i < structures->count && !output_stopped(); i++)
		if (is_wanted(report, &structures->list[i]) &&
		    (structures->list[i].all || structures->list[i].straddling ||
		     structures->list[i].behind) &&
		    (!(option_given("rows")) || rows++ < report->rows))
			structure_csv(report, structures, &structures->list[i]);
	return TOOL_OK;
}

/* ---- table ----------------------------------------------------------------------------------- */

void report_structure_counts(const struct report *report, struct output_table *table,
			     const struct structure *structure, const unsigned int *columns,
			     size_t count)
{
	for (size_t i = 0; i < count; i++)
		report_count(report, table, 0, structure->accesses[columns[i]]);
	report_count(report, table, 1, structure->all);
	if (report_typed(report)) {
		report_count(report, table, 0, structure->all_reads);
		report_count(report, table, 0, structure->all_writes);
		report_count(report, table, 0, structure->all_locks);
	}
	report_count(report, table, 0, structure->straddling);
}

static void dominant_cell(const struct report *report, struct output_table *table,
			  const struct structure *structure)
{
	char node[32];

	snprintf(node, sizeof(node), "node %zu ", structure->dominant);
	if (!structure->all)
		output_table_none(table);
	else if (report->sampled)
		band_cell_share(table, node, structure->accesses[structure->dominant],
				structure->all);
	else
		output_table_cell(table, OUTPUT_PLAIN, "%s%.1f%%", node, 100.0 * share(structure));
}

static void row(const struct report *report, struct output_table *table,
		const struct structure *structure, const char *label, size_t nodes,
		const unsigned int *columns, size_t count, bool both)
{
	const struct Monitor_variable *variable = structure->variable;
	char text[STRUCTURES_TEXT_BYTES];

	output_table_cell(table, OUTPUT_STRONG, "%s", variable ? label : "(no variable)");
	output_table_cell(table, OUTPUT_PLAIN, "%s",
			  variable && *variable->type ? variable->type : "-");
	output_table_cell(table, OUTPUT_PLAIN, "%s",
			  variable ? structures_where(variable, text) : "-");
	if (variable) {
		output_table_count(table, OUTPUT_PLAIN, variable->bytes);
		output_table_count(table, OUTPUT_PLAIN, structure->pages);
	} else {
		output_table_cell(table, OUTPUT_PLAIN, "-");
		output_table_cell(table, OUTPUT_PLAIN, "-");
	}
	output_table_cell(table, OUTPUT_PLAIN, "%s",
			  structures_homes(structure->homes, nodes, text));
	report_structure_counts(report, table, structure, columns, count);
	if (both)
		report_count(report, table, 1, structure->behind ? structure->behind->all : 0);
	dominant_cell(report, table, structure);
}

static void headings(const struct report *report, struct output_table *table,
		     const unsigned int *columns, size_t count, bool both)
{
	output_table_columns(table, "~NAME");
	output_table_extra_name(table, "TYPE", TYPE_WIDTH);
	output_table_extra_name(table, "WHERE", TYPE_WIDTH);
	output_table_columns(table, "?BYTES|?PAGES");
	output_table_extra_name(table, "HOME", TYPE_WIDTH);
	for (size_t i = 0; i < count; i++)
		report_node_column(report, table, columns[i]);
	output_table_columns(table, both ? ">ACCESSES" : ">ALL");
	if (report_typed(report))
		output_table_columns(table, "?READS|?WRITES|?LOCKS");
	output_table_columns(table, both ? "?STRADDLE|>REMOTE TRANSACTIONS|<DOMINANT"
					 : "?STRADDLE|<DOMINANT");
}

/**
 * struct small - The variables with very few accesses, which share a line of the table.
 * @count: number of variables with very few accesses
 * @accesses: number of accesses to these variables
 * @transactions: number of transactions of these variables
 */
struct small {
	size_t count;
	uint64_t accesses;
	uint64_t transactions;
};

/*
 * Check whether the variable has less than 0.1 % of all accesses. If the user has selected
 * variables, or their number, no variable counts as small.
 */
static int is_small(const struct report *report, const struct structures *structures,
		    const struct structure *structure)
{
	uint64_t all = structure->all + structure->straddling;
	uint64_t behind =
		structure->behind ? structure->behind->all + structure->behind->straddling : 0;

	if (option_given("rows") || option_given("match") || option_given("min-accesses") ||
	    !is_wanted(report, structure))
		return 0;
	return all * 1000 < structures->all && (!behind || behind * 1000 < structures->behind_all);
}

/*
 * Sum up the small variables for one common line. If there is only one, it gets its own row, and
 * the sum is empty.
 */
static struct small small_sum(const struct report *report, const struct structures *structures)
{
	struct small small = {.count = 0};

	for (size_t i = 0; i < structures->count; i++) {
		const struct structure *structure = &structures->list[i];

		if (!is_small(report, structures, structure))
			continue;
		small.count++;
		small.accesses += structure->all;
		small.transactions += structure->behind ? structure->behind->all : 0;
	}
	return small.count > 1 ? small : (struct small){.count = 0};
}

static void small_text(const struct report *report, const struct small *small)
{
	char accesses[BAND_TEXT_BYTES], transactions[BAND_TEXT_BYTES];

	output_text("%zu more, below 0.1%% each: see --csv and --json (accesses of all: %s%s%s).",
		    small->count, report_count_text(report, accesses, small->accesses),
		    report->both ? "; transactions: " : "",
		    report->both ? report_count_text(report, transactions, small->transactions)
				 : "");
}

static void structures_table(const struct report *report, const struct structures *structures)
{
	uint64_t *sums = tool_memory(structures->nodes, sizeof(*sums));
	unsigned int *columns = tool_memory(structures->nodes, sizeof(*columns));
	const struct Monitor_variable **all = tool_memory(structures->count, sizeof(*all));
	struct output_table *table = output_table_new();
	char text[BAND_TEXT_BYTES], *label;
	const struct small small = small_sum(report, structures);
	size_t count, rows = 0, left = 0;

	for (size_t i = 0; i < structures->count; i++)
		if (is_wanted(report, &structures->list[i]))
			all[i] = structures->list[i].variable;
	for (size_t i = 0; i < structures->count; i++)
		for (size_t node = 0; node < structures->nodes; node++)
			sums[node] += structures->list[i].accesses[node];
	count = report_columns(sums, structures->nodes, columns);
	headings(report, table, columns, count, report->both);
	for (size_t i = 0; i < structures->count; i++) {
		if (!is_wanted(report, &structures->list[i]) ||
		    (small.count && is_small(report, structures, &structures->list[i])))
			continue;
		if (option_given("rows") && rows >= report->rows) {
			left++;
			continue;
		}
		label = structures_label(all[i], all, structures->count);
		row(report, table, &structures->list[i], label ? label : all[i]->name,
		    structures->nodes, columns, count, report->both);
		free(label);
		rows++;
	}
	output_table_print(table);
	if (small.count)
		small_text(report, &small);
	putchar('\n');
	output_text("legend: %zu variable%s that %s; bytes and pages of each, home = nodes that "
		    "hold its accessed parts, node N = accesses by node N, dominant "
		    "= node with the most, and its share.",
		    rows, rows == 1 ? "" : "s",
		    report->both || report->sampled ? "processors have accessed"
						    : "other nodes access");
	output_text("Straddle = accesses that were counted for a range which contains parts of "
		    "this variable and of another; no other number here includes them. They are %s "
		    "in total.%s",
		    report_count_text(report, text, structures->straddling),
		    report->sampled ? "" : " A smaller --range, or more --counters, reduces them.");
	report_both_legend(report);
	report_sampled_legend(report);
	if (left)
		output_text("%zu more: a larger -n shows them.", left);
	free(all);
	free(sums);
	free(columns);
}

int report_structures(const struct report *report)
{
	struct structures structures;
	int nodes, status;

	if (!regions_known(report->mon))
		return tool_error("%s holds no address map, so structures have no names; "
				  "`smile report pages` shows the pages",
				  report->files[0]);
	if (option_given("variable") || option_given("address"))
		return report_variable(report);
	nodes = report_nodes(report);
	if (nodes < 0)
		return TOOL_ERROR;
	status =
		tool_result(structures_load(&structures, report->mon, (size_t)nodes, report->both));
	if (status == TOOL_OK) {
		if (report->csv)
			status = structures_csv(report, &structures);
		else if (report->json)
			status = structures_json(report, &structures);
		else
			structures_table(report, &structures);
		structures_note(&structures, NULL);
	}
	structures_free(&structures);
	return status;
}
