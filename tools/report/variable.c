// SPDX-License-Identifier: MIT
/*
 * smile report structures --variable: print all data about one variable.
 *
 * What lives here: the parts of the variable and its pages. The parts are items or members, rows of
 * an array, or blocks of the heap.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "lib/analysis/spans.h"
#include "tools/report/report.h"
#include "tools/report/variable_find.h"

#define PARTS_MAX 16U
/* The largest number of parts that are counted. */
#define SPANS_MAX (1U << 20)

static int most_first(const void *left, const void *right)
{
	const struct structure *a = left, *b = right;
	uint64_t a_all = a->all + a->straddling, b_all = b->all + b->straddling;

	if (a_all != b_all)
		return a_all > b_all ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int by_index(const void *left, const void *right)
{
	const struct structure *a = left, *b = right;

	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * If there are more than PARTS_MAX spans, keep the spans with the most accesses. Return: the number
 * of spans that were kept.
 */
static size_t spans_kept(struct spans *spans)
{
	if (spans->count <= PARTS_MAX)
		return spans->count;
	qsort(spans->structures, spans->count, sizeof(*spans->structures), most_first);
	qsort(spans->structures, PARTS_MAX, sizeof(*spans->structures), by_index);
	return PARTS_MAX;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/*
 * Add a span for each item or member of the variable. Return: 1; 0 if there are too many, and none
 * was added.
 */
static int add_elements(struct spans *spans, struct Monitor *mon,
			const struct Monitor_extent *extent)
{
	uint64_t at = extent->start;

	while (at < extent->end && spans->count < PARTS_MAX) {
		struct Monitor_place place;
		uint64_t end;

		if (Monitor_variable_find(mon, at, &place) < 0)
			break;
		end = place.start + place.bytes;
		if (end <= at || end > extent->end || place.bytes == extent->end - extent->start)
			end = extent->end;
		/* Add the span unless it is the gap after the last member. */
		if (place.start >= at || end < extent->end || !spans->count)
			spans_add(spans, at, end);
		at = end;
	}
	if (at >= extent->end)
		return 1;
	spans->count = 0;
	return 0;
}

/*
 * Divide the variable into equal groups of rows or items. If it has neither, divide it into groups
 * of 8-byte units.
 */
static void add_groups(struct spans *spans, const struct Monitor_variable *variable,
		       const struct Monitor_extent *extent)
{
	uint64_t item = variable->item_bytes ? variable->item_bytes : 8;
	uint64_t items = (extent->end - extent->base + item - 1) / item;
	uint64_t group = item * ((items + PARTS_MAX - 1) / PARTS_MAX);

	for (uint64_t start = extent->base; start < extent->end; start += group)
		spans_add(spans, start > extent->start ? start : extent->start,
			  extent->end - start < group ? extent->end : start + group);
}

static void add_parts(struct spans *spans, const struct report *report,
		      const struct Monitor_variable *variable, const struct Monitor_extent *extents,
		      size_t count)
{
	if (count == 1) {
		if (variable->kind == MONITOR_VARIABLE_HEAP ||
		    !add_elements(spans, report->mon, &extents[0]))
			add_groups(spans, variable, &extents[0]);
		return;
	}
	for (size_t i = 0; i < count; i++)
		spans_add(spans, extents[i].start, extents[i].end);
}

/* Add a span for each page: the part of the page that belongs to the variable. */
static void add_pages(struct spans *spans, const struct Monitor_extent *extents, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t start = extents[i].start, next;

		for (; start < extents[i].end; start = next) {
			next = (start / SMILE_PAGE_BYTES + 1) * SMILE_PAGE_BYTES;
			spans_add(spans, start, next < extents[i].end ? next : extents[i].end);
		}
	}
}

/* ---- output ---------------------------------------------------------------------------------- */

static void name_at(struct Monitor *mon, uint64_t address, char *text)
{
	struct Monitor_place place;

	if (Monitor_variable_find(mon, address, &place) < 0)
		snprintf(text, MONITOR_NAME_BYTES, "0x%" PRIx64, address);
	else
		memcpy(text, place.name, MONITOR_NAME_BYTES);
}

/* Write the name of a span: "a[0]", or "a[0] - a[3]". */
static void span_name(struct Monitor *mon, uint64_t start, uint64_t end, char *text)
{
	char last[MONITOR_NAME_BYTES];
	struct Monitor_place place;
	size_t length;

	name_at(mon, start, text);
	if (Monitor_variable_find(mon, end - 1, &place) >= 0 && place.start > start)
		name_at(mon, place.start, last);
	else
		return;
	length = strlen(text);
	if (strcmp(text, last))
		snprintf(text + length, 2 * MONITOR_NAME_BYTES - length, " - %s", last);
}

/**
 * struct both - Spans, and the counts of each span.
 * @spans: the spans, with the numbers of accesses
 * @behind: the same spans with the numbers of transactions between nodes, if @told is set
 * @told: transactions are counted separately from accesses
 */
struct both {
	struct spans spans;
	struct spans behind;
	int told;
};

/* Find the counterpart of a span in @behind, where the spans may have another order. */
static const struct structure *behind_of(const struct both *both, const struct structure *structure)
{
	return both->told ? &both->behind.structures[structure->index] : NULL;
}

static void counts_json(json_t *object, const struct structure *structure, size_t nodes)
{
	json_t *counts = json_pack(
		"{s:o,s:o,s:I,s:I,s:I,s:I}", "homes", document_counts(structure->homes, nodes),
		"accesses", document_counts(structure->accesses, nodes), "reads",
		document_int(structure->all_reads), "writes", document_int(structure->all_writes),
		"locks", document_int(structure->all_locks), "straddling",
		document_int(structure->straddling));

	json_object_update(object, counts);
	json_decref(counts);
}

static json_t *span_json(const struct report *report, const struct both *both,
			 const struct structure *structure)
{
	const struct spans *spans = &both->spans;
	const struct structure *behind = behind_of(both, structure);
	uint64_t start = spans->starts[structure->index], end = spans->ends[structure->index];
	char name[2 * MONITOR_NAME_BYTES];
	json_t *object, *transactions;

	span_name(report->mon, start, end, name);
	object = json_pack("{s:o,s:I,s:I}", "name", document_text(name), "address",
			   (json_int_t)start, "bytes", (json_int_t)(end - start));
	counts_json(object, structure, spans->nodes);
	if (behind) {
		transactions = json_object();
		counts_json(transactions, behind, spans->nodes);
		json_object_set_new(object, "transactions", transactions);
	}
	return object;
}

static json_t *spans_json(const struct report *report, const struct both *both)
{
	json_t *array = json_array();

	for (size_t i = 0; i < both->spans.count; i++)
		json_array_append_new(array, span_json(report, both, &both->spans.structures[i]));
	return array;
}

static void span_row(struct output_table *table, const struct report *report,
		     const struct both *both, const struct structure *structure, int is_page,
		     const unsigned int *columns, size_t count)
{
	const struct spans *spans = &both->spans;
	const struct structure *behind = behind_of(both, structure);

	uint64_t start = spans->starts[structure->index], end = spans->ends[structure->index];
	char name[2 * MONITOR_NAME_BYTES], homes[STRUCTURES_TEXT_BYTES];

	if (is_page)
		output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, start / SMILE_PAGE_BYTES);
	span_name(report->mon, start, end, name);
	output_table_cell(table, is_page ? OUTPUT_PLAIN : OUTPUT_STRONG, "%s", name);
	output_table_count(table, OUTPUT_PLAIN, end - start);
	output_table_cell(table, OUTPUT_PLAIN, "%s",
			  structures_homes(structure->homes, spans->nodes, homes));
	report_structure_counts(report, table, structure, columns, count);
	if (behind)
		output_table_count(table, OUTPUT_STRONG, behind->all);
}

static void spans_table(const struct report *report, struct both *both, int is_page)
{
	struct spans *spans = &both->spans;
	unsigned int *columns = tool_memory(spans->nodes, sizeof(*columns));
	uint64_t *nodes = tool_memory(spans->nodes, sizeof(*nodes));
	struct output_table *table = output_table_new();
	size_t kept = spans_kept(spans), count;

	for (size_t i = 0; i < kept; i++)
		for (size_t node = 0; node < spans->nodes; node++)
			nodes[node] += spans->structures[i].accesses[node];
	count = report_columns(nodes, spans->nodes, columns);

	output_table_columns(table,
			     is_page ? ">PAGE|~WHAT OF IT|?BYTES|~HOME" : "~PART|?BYTES|~HOME");
	for (size_t i = 0; i < count; i++)
		output_table_node(table, "node", "others", columns[i]);
	output_table_columns(table, both->told ? ">ACCESSES" : ">ALL");
	output_table_columns(table, "?READS|?WRITES|?LOCKS|?STRADDLE");
	if (both->told)
		output_table_columns(table, ">REMOTE TRANSACTIONS");
	for (size_t i = 0; i < kept; i++)
		span_row(table, report, both, &spans->structures[i], is_page, columns, count);
	output_table_print(table);
	if (kept < spans->count)
		output_text("The %zu of %zu %s with the most accesses.", kept, spans->count,
			    is_page ? "pages" : "parts");
	putchar('\n');
	free(columns);
	free(nodes);
}

static void head(const struct structures *structures, uint32_t index, const char *place)
{
	const struct Monitor_variable *variable = &structures->variables[index];
	char text[TEXT_COUNT_BYTES];

	if (place)
		printf("address    %s\n", output_name(place));
	printf("variable   %s%s%s\n", output_begin(OUTPUT_STRONG), output_name(variable->name),
	       output_end(OUTPUT_STRONG));
	printf("kind       %s\n", structures_kind(variable->kind));
	if (*variable->type)
		printf("type       %s\n", output_name(variable->type));
	if (*variable->file)
		printf("source     %s:%" PRIu32 "\n", output_name(variable->file), variable->line);
	if (*variable->object)
		printf("object     %s\n", output_name(variable->object));
	printf("first at   0x%" PRIx64 "\n", variable->address);
	printf("bytes      %s", text_count(text, variable->bytes));
	if (variable->extents > 1)
		printf(" in %s pieces", text_count(text, variable->extents));
	putchar('\n');
	if (variable->blocks)
		printf("blocks     %s allocated", text_count(text, variable->blocks));
	if (variable->lost)
		printf("; where %s of them were is not in the recording",
		       text_count(text, variable->lost));
	puts(variable->blocks ? "\n" : "");
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void span_csv(const struct report *report, const struct both *both,
		     const struct structure *structure, const char *part, size_t node)
{
	const struct spans *spans = &both->spans;
	const struct structure *behind = behind_of(both, structure);
	uint64_t start = spans->starts[structure->index], end = spans->ends[structure->index];
	char name[2 * MONITOR_NAME_BYTES];

	span_name(report->mon, start, end, name);
	csv_text(part);
	csv_text(name);
	csv_count(start);
	csv_count(end - start);
	csv_count(structure->all_reads);
	csv_count(structure->all_writes);
	csv_count(structure->all_locks);
	csv_count(structure->straddling);
	if (node == SIZE_MAX) {
		csv_empty(3);
	} else {
		csv_count(node);
		csv_count(structure->accesses[node]);
		csv_count(structure->homes[node]);
	}
	if (behind) {
		csv_count(behind->all_reads);
		csv_count(behind->all_writes);
		csv_count(behind->all_locks);
		csv_count(behind->straddling);
	}
	if (behind && node == SIZE_MAX) {
		csv_empty(2);
	} else if (behind) {
		csv_count(behind->accesses[node]);
		csv_count(behind->homes[node]);
	}
	csv_end();
}

static int counts_any(const struct structure *structure, size_t node)
{
	return structure && (structure->accesses[node] || structure->homes[node]);
}

/*
 * Print a CSV row for each node that has accesses to the span, or on which pages of the span lie.
 * If there is no such node, print one row for the span.
 */
static void spans_csv(const struct report *report, const struct both *both, const char *part)
{
	const struct spans *spans = &both->spans;

	for (size_t i = 0; i < spans->count && !output_stopped(); i++) {
		const struct structure *structure = &spans->structures[i];
		int any = 0;

		for (size_t node = 0; node < spans->nodes; node++) {
			if (!counts_any(structure, node) &&
			    !counts_any(behind_of(both, structure), node))
				continue;
			span_csv(report, both, structure, part, node);
			any = 1;
		}
		if (!any)
			span_csv(report, both, structure, part, SIZE_MAX);
	}
}

/* ---- the whole view -------------------------------------------------------------------------- */

static json_t *place_json(const struct Monitor_place *place)
{
	return json_pack("{s:o,s:o,s:I,s:I}", "name", document_text(place->name), "type",
			 document_text(place->type), "address", (json_int_t)place->start, "bytes",
			 document_int(place->bytes));
}

/*
 * Count the accesses to each span. If there are caches, also count the transactions. Return: exit
 * status.
 */
static int both_count(struct both *both, const struct report *report)
{
	struct spans *spans = &both->spans, *behind = &both->behind;
	int status = tool_result(spans_count(spans, report->mon));

	if (status != TOOL_OK || !report->both)
		return status;
	both->told = 1;
	status = tool_result(spans_new(behind, spans->count, spans->nodes));
	if (status != TOOL_OK)
		return status;
	for (size_t i = 0; i < spans->count; i++)
		spans_add(behind, spans->starts[i], spans->ends[i]);
	Monitor_accesses_show(report->mon, 0);
	status = tool_result(spans_count(behind, report->mon));
	Monitor_accesses_show(report->mon, 1);
	return status;
}

static void both_free(struct both *both)
{
	spans_free(&both->spans);
	spans_free(&both->behind);
}

#define VARIABLE_CSV                                                                               \
	"part,name,address,bytes,reads,writes,locks,straddling,node,accesses,home_accesses"

static int show(const struct report *report, const struct structures *structures, uint32_t index,
		const struct Monitor_place *place)
{
	const struct Monitor_variable *variable = &structures->variables[index];
	struct Monitor_extent *extents = tool_memory((size_t)variable->extents, sizeof(*extents));
	struct both parts = {0}, pages = {0};
	int status, count;
	size_t most;

	count = Monitor_extents(report->mon, index, extents, (size_t)variable->extents);
	most = (size_t)(variable->bytes / SMILE_PAGE_BYTES + 2 * variable->extents + PARTS_MAX);
	if (most > SPANS_MAX)
		most = SPANS_MAX;
	status = tool_result(spans_new(&parts.spans, variable->extents > 1 ? most : PARTS_MAX + 1,
				       structures->nodes));
	if (status == TOOL_OK)
		status = tool_result(spans_new(&pages.spans, most, structures->nodes));
	if (status == TOOL_OK) {
		add_parts(&parts.spans, report, variable, extents, (size_t)count);
		add_pages(&pages.spans, extents, (size_t)count);
		status = both_count(&parts, report);
	}
	if (status == TOOL_OK)
		status = both_count(&pages, report);
	if (status == TOOL_OK && report->csv) {
		csv_begin(report->both ? VARIABLE_CSV
				  ",transaction_reads,transaction_writes,transaction_locks,"
				  "transaction_straddling,transactions,transaction_home_accesses"
				       : VARIABLE_CSV);
		spans_csv(report, &parts, "part");
		spans_csv(report, &pages, "page");
	} else if (status == TOOL_OK && report->json) {
		json_t *document = report_head(json_pack(
			"{s:s,s:I,s:I,s:o,s:s,s:o,s:I,s:I,s:I}", "schema", "smile.structures/1",
			"nodes", (json_int_t)structures->nodes, "page_bytes",
			(json_int_t)SMILE_PAGE_BYTES, "name", document_text(variable->name), "kind",
			structures_kind(variable->kind), "type", document_text(variable->type),
			"address", (json_int_t)variable->address, "bytes",
			document_int(variable->bytes), "pieces", document_int(variable->extents)));

		if (place)
			json_object_set_new(document, "place", place_json(place));
		json_object_set_new(document, "parts", spans_json(report, &parts));
		json_object_set_new(document, "page_parts", spans_json(report, &pages));
		status = output_json(document);
	} else if (status == TOOL_OK) {
		head(structures, index, place ? place->name : NULL);
		spans_table(report, &parts, 0);
		spans_table(report, &pages, 1);
		output_text("legend: home = nodes that hold the accessed parts, node N = accesses "
			    "by node N; straddle = accesses that were counted for a range which "
			    "contains more than this part; no other number here includes them.");
		if (report->both)
			output_text("%s", report_both_sentence);
		output_text("`smile report page --page N` shows a page by sections.");
	}
	both_free(&parts);
	both_free(&pages);
	free(extents);
	return status;
}

int report_variable(const struct report *report)
{
	struct Monitor_place place;
	struct structures structures;
	int nodes = report_nodes(report), status;
	int64_t index;

	if (nodes < 0)
		return TOOL_ERROR;
	status = tool_result(structures_load(&structures, report->mon, (size_t)nodes, 0));
	if (status == TOOL_OK) {
		if (option_given("address"))
			index = variable_at(report->mon, report->address, &place);
		else
			index = variable_named(&structures, report->variable);
		status = index < 0 ? TOOL_ERROR
				   : show(report, &structures, (uint32_t)index,
					  option_given("address") ? &place : NULL);
		if (index >= 0)
			structures_note(&structures, structures.variables[index].object);
	}
	structures_free(&structures);
	return status;
}
