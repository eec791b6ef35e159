// SPDX-License-Identifier: MIT
/*
 * smile report pages: print the accesses to each page by node.
 *
 * What lives here: the output of pages, each printed when the library visits it.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/bands.h"
#include "tools/common/band_cells.h"
#include "tools/common/csv.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/histogram_rows.h"
#include "lib/analysis/sampled.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/page_name.h"
#include "tools/common/tool.h"

/**
 * struct member - An array of counts that the document has for each page.
 * @name: key of the array in the document
 * @bands: first part of the keys of the array's confidence intervals; low_95 and high_95 are
 *         appended to it
 * @offset: offset of the count in struct Monitor_histogram_row
 */
static const struct member {
	const char *name;
	const char *bands;
	size_t offset;
} members[] = {
	{"accesses", "", offsetof(struct Monitor_histogram_row, accesses)},
	{"reads", "reads", offsetof(struct Monitor_histogram_row, reads)},
	{"writes", "writes", offsetof(struct Monitor_histogram_row, writes)},
	{"locks", "locks", offsetof(struct Monitor_histogram_row, locks)},
};

#define MEMBERS (sizeof(members) / sizeof(members[0]))

/*
 * Set the arrays of counts of a page. @banded: the number of arrays that also get confidence
 * intervals, because the counts are of samples.
 * @scratch: shape [@nodes]; all zero before and after the call.
 */
static void counts_set(json_t *object, const struct rows_page *page, uint64_t *scratch,
		       size_t nodes, size_t banded)
{
	for (size_t m = 0; m < MEMBERS; m++) {
		for (size_t i = 0; i < page->count; i++)
			if (page->rows[i].source < nodes)
				memcpy(&scratch[page->rows[i].source],
				       (const char *)&page->rows[i] + members[m].offset,
				       sizeof(*scratch));
		json_object_set_new(object, members[m].name, document_counts(scratch, nodes));
		if (m < banded)
			sampled_counts_set(object, members[m].bands, scratch, nodes);
		memset(scratch, 0, nodes * sizeof(*scratch));
	}
	if (!banded)
		return;
	/* The share of accesses by nodes other than the home node. */
	json_object_set_new(object, "remote_share",
			    json_real(sampled_share(page->remote, page->accesses).share));
	sampled_share_set(object, "remote_share", page->remote, page->accesses);
}

/* Make the JSON object of a page. @behind: transactions between nodes, or NULL. */
static json_t *pages_object(const struct report *report, struct Monitor *mon,
			    const struct rows_page *page, const struct rows_page *behind,
			    uint64_t *scratch, size_t nodes)
{
	json_t *object = json_pack("{s:I,s:I}", "page", (json_int_t)page->rows->page, "home",
				   (json_int_t)page->rows->home);
	size_t banded = !report->sampled ? 0 : report_typed(report) ? MEMBERS : 1;

	counts_set(object, page, scratch, nodes, banded);
	if (behind) {
		json_t *transactions = json_object();

		counts_set(transactions, behind, scratch, nodes, banded);
		json_object_set_new(object, "transactions", transactions);
	}
	if (mon)
		regions_page_json(mon, page->rows->page, object);
	return object;
}

/**
 * struct listing - State of the output of pages. The size of all pages is pages x nodes. Print the
 * pages one by one, because all of them could need much memory.
 * @report: the user's options
 * @mon: the Monitor, for the names of regions; NULL: regions are not known
 * @nodes: number of nodes
 * @scratch: for JSON: shape [@nodes]; all zero between pages
 * @sums: for the table: accesses by each node, shape [@nodes]
 * @columns: for the table: nodes that have a column, shape [@column_count]
 * @column_count: number of @columns
 * @untyped: reads, writes and locks have no columns, since the types of accesses are not known
 * @table: for the table: the table that is being filled
 * @pages: number of pages that were printed so far
 * @hot: the threshold that the user has given
 * @least: smallest number of accesses of a listed page
 * @take: called for each listed page
 * @cold: number of pages below the threshold
 * @cold_accesses: accesses to the pages below the threshold
 * @status: status of the output
 * @others: if @both is set, the transactions between nodes
 * @both: transactions between nodes are shown in addition to accesses of the processors
 * @other_at: index of the next page in @others
 * @behind: transactions of the page that is being printed
 */
struct listing {
	const struct report *report;
	struct Monitor *mon;
	size_t nodes;
	uint64_t *scratch;
	uint64_t *sums;
	unsigned int *columns;
	size_t column_count;
	int untyped;
	struct output_table *table;
	size_t pages;
	struct hot_threshold hot;
	uint64_t least;
	rows_function take;
	size_t cold;
	uint64_t cold_accesses;
	int status;
	struct rows others;
	int both;
	size_t other_at;
	struct rows_page behind;
};

static int all_take(const struct rows_page *page, void *opaque)
{
	*(uint64_t *)opaque += page->accesses;
	return 0;
}

/* Compute the threshold in accesses. If it was given as a percentage, sum up all pages first. */
static int listing_least(struct Monitor *mon, struct listing *listing)
{
	uint64_t all = 0;
	int status = TOOL_OK;

	if (listing->hot.percent > 0)
		status = tool_result(rows_walk(mon, all_take, &all));
	listing->least = hot_threshold_least(&listing->hot, all);
	return status;
}

/*
 * Print the pages that precede @page in the order and that have transactions but no accesses.
 * @page: the next page with accesses; NULL: all pages with accesses were printed. Return: as
 * rows_function.
 */
static int others_take(struct listing *listing, const struct rows_page *page)
{
	const struct Monitor_histogram_row *next = page ? page->rows : NULL;
	size_t at = listing->other_at;
	int over = 0;

	while (!over && rows_next(&listing->others, &at, &listing->behind)) {
		struct Monitor_histogram_row none = {.page = listing->behind.rows->page,
						     .home = listing->behind.rows->home};
		const struct rows_page alone = {.rows = &none};

		if (next && (none.page > next->page ||
			     (none.page == next->page && none.home >= next->home)))
			break;
		listing->other_at = at;
		if (!listing->least)
			over = listing->take(&alone, listing);
	}
	at = listing->other_at;
	listing->behind = (struct rows_page){0};
	if (next && at < listing->others.count && listing->others.rows[at].page == next->page &&
	    listing->others.rows[at].home == next->home)
		rows_next(&listing->others, &listing->other_at, &listing->behind);
	return over;
}

static int hot_take(const struct rows_page *page, void *opaque)
{
	struct listing *listing = opaque;

	if (listing->both && others_take(listing, page))
		return 1;
	if (page->accesses >= listing->least)
		return listing->take(page, opaque);
	listing->cold++;
	listing->cold_accesses += page->accesses;
	return 0;
}

/* Call @take for each page that is to be listed. */
static int listing_walk(struct Monitor *mon, rows_function take, struct listing *listing)
{
	listing->take = take;
	listing->cold = 0;
	listing->cold_accesses = 0;
	listing->other_at = 0;
	if (tool_result(rows_walk(mon, hot_take, listing)) != TOOL_OK)
		return TOOL_ERROR;
	if (listing->both && !output_stopped())
		others_take(listing, NULL);
	return TOOL_OK;
}

static int json_take(const struct rows_page *page, void *opaque)
{
	struct listing *listing = opaque;

	listing->status = output_json_item(pages_object(listing->report, listing->mon, page,
							listing->both ? &listing->behind : NULL,
							listing->scratch, listing->nodes),
					   !listing->pages++);
	return output_stopped() || listing->status != TOOL_OK;
}

static int pages_json(struct Monitor *mon, struct listing *listing)
{
	int status;

	/* After the array of pages, add the members that only some documents have. */
	listing->scratch = tool_memory(listing->nodes, sizeof(*listing->scratch));
	printf("{\"schema\":\"smile.pages/1\",\"nodes\":%zu,\"page_bytes\":%u,\"pages\":[",
	       listing->nodes, SMILE_PAGE_BYTES);
	status = listing_walk(mon, json_take, listing);
	putchar(']');
	if (option_given("transactions"))
		fputs(",\"counts\":\"transactions\"", stdout);
	if (listing->report->sampled) {
		fputs(",\"sampled\":", stdout);
		json_dumpf(listing->report->sampled->samples.object, stdout, JSON_COMPACT);
	}
	if (listing->hot.text)
		printf(",\"hot\":{\"accesses\":%" PRIu64 ",\"pages_below\":%zu,"
		       "\"accesses_below\":%" PRIu64 "}",
		       listing->least, listing->cold, listing->cold_accesses);
	fputs("}\n", stdout);
	free(listing->scratch);
	return status == TOOL_OK ? listing->status : status;
}

static void csv_counts(const struct Monitor_histogram_row *row)
{
	csv_count(row->accesses);
	csv_count(row->reads);
	csv_count(row->writes);
	csv_count(row->locks);
}

static void bands_csv(const struct report *report, const struct Monitor_histogram_row *row)
{
	const uint64_t counts[] = {row->reads, row->writes, row->locks};

	report_bands_csv(report, counts, sizeof(counts) / sizeof(counts[0]));
}

/*
 * Print the row of a node that has accesses, transactions, or both. Return: whether the output can
 * still be written.
 */
static int csv_node(const struct listing *listing, const struct Monitor_histogram_row *row,
		    const struct Monitor_histogram_row *behind)
{
	csv_count(row->page);
	csv_count(row->home);
	csv_count(row->source);
	csv_counts(row);
	page_name_csv(listing->mon, row->page);
	if (listing->both)
		csv_counts(behind);
	report_band_csv(listing->report, row->accesses);
	report_behind_band_csv(listing->report, behind->accesses);
	bands_csv(listing->report, row);
	if (listing->both)
		bands_csv(listing->report, behind);
	return csv_end();
}

static int csv_take(const struct rows_page *page, void *opaque)
{
	const struct listing *listing = opaque;
	const struct rows_page *behind = &listing->behind;
	size_t i = 0, j = 0;

	while (i < page->count || j < behind->count) {
		struct Monitor_histogram_row none = {.page = page->rows->page,
						     .home = page->rows->home};
		const struct Monitor_histogram_row *row = &none, *other = &none;

		if (i < page->count)
			row = &page->rows[i];
		if (j < behind->count)
			other = &behind->rows[j];
		if (row != &none && other != &none && row->source < other->source)
			other = &none;
		else if (row != &none && other != &none && row->source > other->source)
			row = &none;
		i += row != &none;
		j += other != &none;
		none.source = row != &none ? row->source : other->source;
		if (!csv_node(listing, row, other))
			return 1;
	}
	return 0;
}

#define PAGES_CSV "page,home,source,accesses,reads,writes,locks," REGIONS_CSV
#define PAGES_BANDS_CSV                                                                            \
	",reads_low_95,reads_high_95,writes_low_95,writes_high_95,locks_low_95"                    \
	",locks_high_95"
#define PAGES_BEHIND_BANDS_CSV                                                                     \
	",transaction_reads_low_95,transaction_reads_high_95"                                      \
	",transaction_writes_low_95,transaction_writes_high_95"                                    \
	",transaction_locks_low_95,transaction_locks_high_95"

static int pages_csv(struct Monitor *mon, struct listing *listing)
{
	const bool sampled = listing->report->sampled;
	char columns[1024];

	snprintf(columns, sizeof(columns), "%s%s%s%s",
		 listing->both ? PAGES_CSV REPORT_BEHIND_CSV : PAGES_CSV,
		 report_band_columns(listing->report), sampled ? PAGES_BANDS_CSV : "",
		 sampled && listing->both ? PAGES_BEHIND_BANDS_CSV : "");
	csv_begin(columns);
	return listing_walk(mon, csv_take, listing);
}

static void remote_cell(const struct report *report, struct output_table *table,
			const struct rows_page *page)
{
	if (report->sampled)
		band_cell_share(table, "", page->remote, page->accesses);
	else
		output_table_cell(table, OUTPUT_PLAIN, "%.1f%%",
				  page->accesses
					  ? 100.0 * (double)page->remote / (double)page->accesses
					  : 0.0);
}

static int row_take(const struct rows_page *page, void *opaque)
{
	const struct listing *listing = opaque;
	struct output_table *table = listing->table;
	char where[REGIONS_NAME_BYTES];
	size_t i, row = 0;

	output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, page->rows->page);
	output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, page->rows->home);
	for (i = 0; i < listing->column_count; i++) {
		while (row < page->count && page->rows[row].source < listing->columns[i])
			row++;
		if (row < page->count && page->rows[row].source == listing->columns[i])
			report_count(listing->report, table, 0, page->rows[row].accesses);
		else
			output_table_none(table);
	}
	report_count(listing->report, table, 1, page->accesses);
	if (!listing->untyped) {
		report_count(listing->report, table, 0, page->reads);
		report_count(listing->report, table, 0, page->writes);
		report_count(listing->report, table, 0, page->locks);
	}
	if (listing->both)
		report_count(listing->report, table, 1, listing->behind.accesses);
	remote_cell(listing->report, table, page);
	if (listing->mon)
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  regions_page(listing->mon, page->rows->page, where));
	return output_stopped();
}

static void pages_columns(const struct listing *listing)
{
	struct output_table *table = listing->table;

	output_table_columns(table, ">PAGE|>HOME");
	for (size_t i = 0; i < listing->column_count; i++)
		report_node_column(listing->report, table, listing->columns[i]);
	output_table_columns(table, listing->both ? ">ACCESSES" : ">ALL");
	if (!listing->untyped)
		output_table_columns(table, "?READS|?WRITES|?LOCKS");
	if (listing->both)
		output_table_columns(table, ">REMOTE TRANSACTIONS");
	output_table_columns(table, listing->mon ? ">REMOTE|~WHERE" : ">REMOTE");
}

static int sums_take(const struct rows_page *page, void *opaque)
{
	struct listing *listing = opaque;

	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].source < listing->nodes)
			listing->sums[page->rows[i].source] += page->rows[i].accesses;
	listing->untyped |= rows_untyped(page);
	listing->pages++;
	return 0;
}

/**
 * struct filling - The data for filling the rows of the table.
 */
struct filling {
	struct Monitor *mon;
	struct listing *listing;
};

static int rows_fill(struct output_table *table, void *opaque)
{
	const struct filling *filling = opaque;

	return listing_walk(filling->mon, row_take, filling->listing);
}

static void pages_legend(const struct listing *listing)
{
	output_text(
		"legend: %zu page%s of %u bytes; page = address / %u, home = node that holds it, "
		"node N = accesses by node N, - = none, remote = share of the accesses by other "
		"nodes than the home.",
		listing->pages, listing->pages == 1 ? "" : "s", SMILE_PAGE_BYTES, SMILE_PAGE_BYTES);
	report_both_legend(listing->report);
	if (listing->hot.text)
		output_text("Hot pages only: %" PRIu64
			    " accesses or more (--hot %s); %zu other page%s "
			    "with %" PRIu64 " accesses left out.",
			    listing->least, listing->hot.text, listing->cold,
			    listing->cold == 1 ? "" : "s", listing->cold_accesses);
	if (listing->untyped && !listing->report->sampled)
		output_text("Reads, writes and locks were counted together (untyped tags).");
	report_sampled_legend(listing->report);
	if (listing->mon)
		output_text("Where: the region of the program's memory, and the page's offset in "
			    "it.");
	if (listing->column_count < listing->nodes)
		output_text("Nodes without accesses are left out.");
}

/*
 * Print the table. All pages are visited three times: to find the nodes that get a column, to find
 * the widths of the columns, and to print the rows.
 */
static int pages_table(struct Monitor *mon, struct listing *listing)
{
	struct filling filling = {mon, listing};
	int status;

	listing->sums = tool_memory(listing->nodes, sizeof(*listing->sums));
	listing->columns = tool_memory(listing->nodes, sizeof(*listing->columns));
	status = listing_walk(mon, sums_take, listing);
	if (status == TOOL_OK) {
		listing->column_count =
			report_columns(listing->sums, listing->nodes, listing->columns);
		listing->table = output_table_new();
		pages_columns(listing);
		status = output_table_print_rows(listing->table, rows_fill, &filling);
	}
	if (status == TOOL_OK) {
		putchar('\n');
		pages_legend(listing);
	}
	free(listing->sums);
	free(listing->columns);
	return status;
}

/*
 * Print bands of pages. If the machine has caches for all memory, the bands are formed from
 * transactions, and the accesses to a band are shown in addition.
 */
static int pages_bands(const struct report *report)
{
	struct rows histogram, accesses;
	int status = tool_result(rows_load(&accesses, report->mon));

	if (status != TOOL_OK)
		return status;
	if (report->both) {
		status = tool_result(rows_load_other(&histogram, report->mon, 0));
		if (status == TOOL_OK) {
			status = bands_report(&histogram, &accesses, report);
			rows_free(&histogram);
		}
	} else {
		status = bands_report(&accesses, NULL, report);
	}
	rows_free(&accesses);
	return status;
}

int report_pages(const struct report *report)
{
	struct listing listing = {
		.report = report,
		.mon = regions_known(report->mon) ? report->mon : NULL,
		.nodes = rows_nodes(report->mon),
		.hot = report->hot,
		.status = TOOL_OK,
	};
	int status;

	if (!listing.nodes)
		return tool_error("%s", Monitor_error_message());
	if (option_given("bands"))
		return pages_bands(report);
	status = listing_least(report->mon, &listing);
	listing.both = report->both;
	if (status == TOOL_OK && listing.both)
		status = tool_result(rows_load_other(&listing.others, report->mon, 0));
	if (status == TOOL_OK && report->csv)
		status = pages_csv(report->mon, &listing);
	else if (status == TOOL_OK && report->json)
		status = pages_json(report->mon, &listing);
	else if (status == TOOL_OK)
		status = pages_table(report->mon, &listing);
	rows_free(&listing.others);
	return status;
}
