// SPDX-License-Identifier: MIT
/*
 * smile report page: print the accesses to one page by section and node, with reads and writes in
 * separate columns.
 */
#include "tools/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/**
 * struct sections - The counts of one kind for all sections of a page: all accesses, reads, or
 * writes.
 * @counts: accesses that touch one section only, by [section][node]
 * @straddling: accesses that touch more than one section, by node
 * @totals: exact totals of the page by node, from the page histogram
 */
struct sections {
	uint64_t *counts;
	uint64_t *straddling;
	uint64_t *totals;
};

/**
 * struct page - All counts of a page.
 * @number: page number
 * @home: home node of the page
 * @nodes: number of nodes; each row has a count for each of them
 * @sections: number of sections of the page
 * @section_bytes: size of a section
 * @untyped: for some accesses it is not known whether they were reads or writes
 * @accesses: counts of all accesses
 * @reads: counts of the reads
 * @writes: counts of the writes
 * @behind: if @both is set, counts of the transactions between nodes: all, reads, and writes
 * @both: transactions between nodes are shown in addition to accesses of the processors
 */
struct page {
	uint64_t number;
	unsigned int home;
	size_t nodes;
	size_t sections;
	unsigned int section_bytes;
	int untyped;
	struct sections accesses;
	struct sections reads;
	struct sections writes;
	struct sections behind[3];
	int both;
};

typedef int (*sections_get)(struct Monitor *mon, unsigned int home, uint64_t page,
			    unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			    size_t nodes);

static int sections_load(struct sections *sections, const struct page *page, struct Monitor *mon,
			 sections_get get)
{
	int result;

	sections->counts = tool_memory(page->sections * page->nodes, sizeof(uint64_t));
	sections->straddling = tool_memory(page->nodes, sizeof(uint64_t));
	sections->totals = tool_memory(page->nodes, sizeof(uint64_t));
	result = get(mon, page->home, page->number, page->section_bytes, sections->counts,
		     sections->straddling, page->nodes);
	/*
	 * If both kinds are shown, one of them can be missing: the caches may have served all
	 * accesses to the page, or the page may have only transactions.
	 */
	if (result == -ENOENT && page->both)
		return TOOL_OK;
	return result < 0 ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

static void sections_free(struct sections *sections)
{
	free(sections->counts);
	free(sections->straddling);
	free(sections->totals);
}

/*
 * Fill in the totals of all accesses, of reads and of writes. @untyped: set if the type of some
 * accesses is not known.
 */
static int totals_load(const struct page *page, struct Monitor *mon, struct sections *const *all,
		       int *untyped)
{
	struct Monitor_histogram_row *rows = tool_memory(page->nodes, sizeof(*rows));
	int count = Monitor_histogram_page(mon, page->number, page->home, rows, page->nodes);

	for (size_t i = 0; count > 0 && i < (size_t)count && i < page->nodes; i++) {
		if (rows[i].source >= page->nodes)
			continue;
		all[0]->totals[rows[i].source] = rows[i].accesses;
		all[1]->totals[rows[i].source] = rows[i].reads;
		all[2]->totals[rows[i].source] = rows[i].writes;
		*untyped |= rows[i].accesses > rows[i].reads + rows[i].writes + rows[i].locks;
	}
	free(rows);
	return tool_result(count);
}

static json_t *page_json_counts(const struct page *page, const uint64_t *accesses,
				const uint64_t *reads, const uint64_t *writes)
{
	return json_pack("{s:o,s:o,s:o}", "accesses", document_counts(accesses, page->nodes),
			 "reads", document_counts(reads, page->nodes), "writes",
			 document_counts(writes, page->nodes));
}

static json_t *page_json_section(const struct page *page, size_t i)
{
	size_t at = i * page->nodes;
	json_t *section = json_pack("{s:I,s:I}", "section", (json_int_t)i, "offset_bytes",
				    (json_int_t)(i * page->section_bytes));
	json_t *counts = page_json_counts(page, page->accesses.counts + at, page->reads.counts + at,
					  page->writes.counts + at);

	json_object_update(section, counts);
	json_decref(counts);
	if (page->both)
		json_object_set_new(section, "transactions",
				    page_json_counts(page, page->behind[0].counts + at,
						     page->behind[1].counts + at,
						     page->behind[2].counts + at));
	return section;
}

/*
 * The size of the document is sections x nodes. Print it section by section, because the whole
 * document could need much memory.
 */
static int page_json(const struct page *page)
{
	int status;
	size_t i;

	putchar('{');
	status = output_json_members(report_head(json_pack(
		"{s:s,s:I,s:I,s:I,s:I,s:I,s:b}", "schema", "smile.page/1", "page",
		(json_int_t)page->number, "home", (json_int_t)page->home, "nodes",
		(json_int_t)page->nodes, "page_bytes", (json_int_t)SMILE_PAGE_BYTES,
		"section_bytes", (json_int_t)page->section_bytes, "typed", !page->untyped)));
	fputs(",\"sections\":[", stdout);
	for (i = 0; i < page->sections && status == TOOL_OK && !output_stopped(); i++)
		status = output_json_item(page_json_section(page, i), !i);
	fputs("],", stdout);
	if (status == TOOL_OK)
		status = output_json_members(
			json_pack("{s:o,s:o}", "straddling",
				  page_json_counts(page, page->accesses.straddling,
						   page->reads.straddling, page->writes.straddling),
				  "totals",
				  page_json_counts(page, page->accesses.totals, page->reads.totals,
						   page->writes.totals)));
	if (status == TOOL_OK && page->both) {
		putchar(',');
		status = output_json_members(json_pack(
			"{s:{s:o,s:o}}", "transactions", "straddling",
			page_json_counts(page, page->behind[0].straddling,
					 page->behind[1].straddling, page->behind[2].straddling),
			"totals",
			page_json_counts(page, page->behind[0].totals, page->behind[1].totals,
					 page->behind[2].totals)));
	}
	fputs("}\n", stdout);
	return status;
}

/*
 * Print a CSV row for each node with counts. @section: SIZE_MAX: the counts are of the whole page.
 * @counts: all accesses, reads and writes by node; then the same counts of transactions between
 * nodes, or NULL.
 */
static void page_csv_part(const struct page *page, const char *part, size_t section,
			  const uint64_t *const *counts)
{
	for (size_t node = 0; node < page->nodes; node++) {
		if (!counts[0][node] && (!page->both || !counts[3][node]))
			continue;
		csv_count(page->number);
		csv_count(page->home);
		csv_text(part);
		if (section == SIZE_MAX) {
			csv_empty(3);
		} else {
			csv_count(section);
			csv_count(section * page->section_bytes);
			csv_count(page->section_bytes);
		}
		csv_count(node);
		for (size_t i = 0; i < (page->both ? 6 : 3); i++)
			csv_count(counts[i][node]);
		csv_end();
	}
}

#define PAGE_CSV "page,home,part,section,offset_bytes,section_bytes,source,accesses,reads,writes"

static int page_csv(const struct page *page)
{
	const struct sections *all[] = {&page->accesses,  &page->reads,	    &page->writes,
					&page->behind[0], &page->behind[1], &page->behind[2]};
	const uint64_t *counts[6] = {NULL}, *straddling[6], *totals[6];

	for (size_t i = 0; i < 6; i++) {
		straddling[i] = all[i]->straddling;
		totals[i] = all[i]->totals;
	}
	csv_begin(page->both ? PAGE_CSV ",transactions,transaction_reads,transaction_writes"
			     : PAGE_CSV);
	for (size_t section = 0; section < page->sections && !output_stopped(); section++) {
		for (size_t i = 0; i < (page->both ? 6 : 3); i++)
			counts[i] = all[i]->counts + section * page->nodes;
		page_csv_part(page, "section", section, counts);
	}
	page_csv_part(page, "straddling", SIZE_MAX, straddling);
	page_csv_part(page, "total", SIZE_MAX, totals);
	return TOOL_OK;
}

static void page_cell(struct output_table *table, enum output_style style, uint64_t count)
{
	if (count)
		output_table_count(table, style, count);
	else
		output_table_none(table);
}

/* Fill in the counts of a row of the table. @behind: transactions between nodes, or NULL. */
static void page_row(struct output_table *table, const struct page *page, const uint64_t *accesses,
		     const uint64_t *reads, const uint64_t *writes, const uint64_t *behind,
		     const unsigned int *columns, size_t count, enum output_style style)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < page->nodes; i++)
		all += accesses[i];
	for (i = 0; i < count; i++) {
		if (page->untyped) {
			page_cell(table, style, accesses[columns[i]]);
			continue;
		}
		page_cell(table, style, reads[columns[i]]);
		page_cell(table, style, writes[columns[i]]);
	}
	page_cell(table, OUTPUT_STRONG, all);
	if (!behind)
		return;
	for (i = all = 0; i < page->nodes; i++)
		all += behind[i];
	page_cell(table, OUTPUT_STRONG, all);
}

static void page_columns(struct output_table *table, const struct page *page,
			 const unsigned int *columns, size_t count)
{
	size_t i;

	output_table_columns(table, ">SECTION|>BYTES");
	for (i = 0; i < count; i++) {
		if (page->untyped) {
			output_table_node(table, "node", "others", columns[i]);
			continue;
		}
		output_table_node(table, "reads", "other reads", columns[i]);
		output_table_node(table, "writes", "other writes", columns[i]);
	}
	output_table_columns(table, page->both ? ">ACCESSES|>REMOTE TRANSACTIONS" : ">ALL");
}

static int section_is_empty(const struct page *page, size_t section)
{
	size_t i;

	for (i = 0; i < page->nodes; i++)
		if (page->accesses.counts[section * page->nodes + i] ||
		    (page->both && page->behind[0].counts[section * page->nodes + i]))
			return 0;
	return 1;
}

static void page_table(const struct page *page)
{
	unsigned int *columns = tool_memory(page->nodes, sizeof(*columns));
	size_t count = report_columns(page->accesses.totals, page->nodes, columns), i, empty = 0;
	struct output_table *table = output_table_new();

	output_text("page %" PRIu64 " of home node %u: addresses %#" PRIx64 " to %#" PRIx64
		    ", %zu sections of %u bytes",
		    page->number, page->home, page->number * SMILE_PAGE_BYTES,
		    (page->number + 1) * SMILE_PAGE_BYTES - 1, page->sections, page->section_bytes);
	putchar('\n');
	page_columns(table, page, columns, count);
	for (i = 0; i < page->sections; i++) {
		size_t at = i * page->nodes;

		if (section_is_empty(page, i)) {
			empty++;
			continue;
		}
		output_table_cell(table, OUTPUT_STRONG, "%zu", i);
		output_table_cell(table, OUTPUT_PLAIN, "%zu-%zu", i * page->section_bytes,
				  (i + 1) * page->section_bytes - 1);
		page_row(table, page, page->accesses.counts + at, page->reads.counts + at,
			 page->writes.counts + at, page->both ? page->behind[0].counts + at : NULL,
			 columns, count, OUTPUT_PLAIN);
	}
	output_table_cell(table, OUTPUT_PLAIN, "straddling");
	output_table_cell(table, OUTPUT_PLAIN, "-");
	page_row(table, page, page->accesses.straddling, page->reads.straddling,
		 page->writes.straddling, page->behind[0].straddling, columns, count, OUTPUT_PLAIN);
	output_table_cell(table, OUTPUT_STRONG, "total");
	output_table_cell(table, OUTPUT_STRONG, "0-%u", SMILE_PAGE_BYTES - 1);
	page_row(table, page, page->accesses.totals, page->reads.totals, page->writes.totals,
		 page->behind[0].totals, columns, count, OUTPUT_STRONG);
	output_table_print(table);
	putchar('\n');
	output_text("legend: accesses; %s, all = with locks, - = none; bytes = offsets within the "
		    "page.",
		    page->untyped ? "node N = by node N, reads and writes together (untyped tags)"
				  : "reads N and writes N = by node N");
	output_text(
		"straddling = counted over a range that lies in more than one section: exact in "
		"the total, and in no section (record with --aligned on and --range up to %u to "
		"have none).",
		page->section_bytes);
	if (page->both)
		output_text("%s", report_both_sentence);
	if (empty)
		output_text("%zu sections without accesses are left out.", empty);
	free(columns);
}

static int totals_any(const struct page *page, const struct sections *sections)
{
	uint64_t any = 0;

	for (size_t i = 0; i < page->nodes; i++)
		any |= sections->totals[i];
	return any != 0;
}

static int behind_load(struct page *page, struct Monitor *mon)
{
	static const sections_get get[] = {Monitor_sections_info, Monitor_sections_read,
					   Monitor_sections_write};
	struct sections *const behind[] = {&page->behind[0], &page->behind[1], &page->behind[2]};
	int status = tool_result(Monitor_accesses_show(mon, 0)), untyped = 0;

	for (size_t i = 0; i < 3 && status == TOOL_OK; i++)
		status = sections_load(&page->behind[i], page, mon, get[i]);
	if (status == TOOL_OK)
		status = totals_load(page, mon, behind, &untyped);
	Monitor_accesses_show(mon, 1);
	if (status == TOOL_OK && !totals_any(page, &page->behind[0]) &&
	    !totals_any(page, &page->accesses))
		status = tool_error("page %" PRIu64 " of node %u was never accessed: smile report "
				    "pages lists the accessed pages",
				    page->number, page->home);
	return status;
}

int report_page(const struct report *report)
{
	int home = report_home(report), nodes = report_nodes(report), status;
	struct page page = {.number = report->page};
	struct sections *const all[] = {&page.accesses, &page.reads, &page.writes};

	if (home < 0 || nodes < 0)
		return TOOL_ERROR;
	page.home = (unsigned int)home;
	page.nodes = (size_t)nodes;
	page.section_bytes = (unsigned int)report->section_bytes;
	page.sections = SMILE_PAGE_BYTES / page.section_bytes;
	page.both = report->both;
	status = sections_load(&page.accesses, &page, report->mon, Monitor_sections_info);
	if (status == TOOL_OK)
		status = sections_load(&page.reads, &page, report->mon, Monitor_sections_read);
	if (status == TOOL_OK)
		status = sections_load(&page.writes, &page, report->mon, Monitor_sections_write);
	if (status == TOOL_OK)
		status = totals_load(&page, report->mon, all, &page.untyped);
	if (status == TOOL_OK && page.both)
		status = behind_load(&page, report->mon);
	if (status == TOOL_OK && report->csv)
		status = page_csv(&page);
	else if (status == TOOL_OK && report->json)
		status = page_json(&page);
	else if (status == TOOL_OK)
		page_table(&page);
	sections_free(&page.accesses);
	sections_free(&page.reads);
	sections_free(&page.writes);
	for (size_t i = 0; i < 3; i++)
		sections_free(&page.behind[i]);
	return status;
}
