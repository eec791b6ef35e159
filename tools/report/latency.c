// SPDX-License-Identifier: MIT
/*
 * smile report latency: print latencies of sampled accesses, by structure, by page, and by the
 * source that served them.
 *
 * What lives here: the latencies by page, which recordings of samples contain in their parameters.
 * The latencies of a page are added to a structure only if the page contains no other structure.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/search.h>
#include <uapi/smile_monitor.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/sampled.h"
#include "lib/analysis/structures.h"
#include "tools/common/csv.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define SERVED_MAX 8U

/**
 * struct sum - The samples of some accesses, and their latencies.
 * @samples: number of samples
 * @cycles: sum of the latencies of the samples
 * @squares: sum of the squares of the latencies
 */
struct sum {
	uint64_t samples;
	double cycles;
	double squares;
};

/**
 * struct row - A row for a structure or a page. Entry [i] sums the samples that the source names[i]
 * has served.
 * @page: page number
 * @variable: index of the variable; UINT32_MAX: the page contains no variable, or several
 */
struct row {
	struct sum served[SERVED_MAX];
	uint64_t page;
	uint32_t variable;
};

/**
 * struct latency - All latencies of the recordings.
 * @names: names of the sources that serve accesses, such as caches and memory; shape [@served]
 * @pages: a row for each page; shape [@page_count]
 * @structures: a row for each variable, and a last row for pages with no variable or with several;
 *              shape [@variable_count + 1]
 * @all: sum of all rows
 * @left_out: number of rows that the recordings do not contain, because there was no room for them
 */
struct latency {
	const char *names[SERVED_MAX];
	unsigned served;
	struct row *pages;
	size_t page_count;
	struct row *structures;
	struct row all;
	struct Monitor_variable *variables;
	size_t variable_count;
	struct Monitor_extent *extents;
	size_t extent_count;
	uint64_t left_out;
};

static void add(struct row *to, const struct run_facts_latency *one)
{
	struct sum *sum = &to->served[one->served];

	sum->samples += one->samples;
	sum->cycles += one->cycles;
	sum->squares += one->squares;
}

static uint64_t samples_of(const struct row *row)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SERVED_MAX; i++)
		sum += row->served[i].samples;
	return sum;
}

static int by_samples(const void *left, const void *right)
{
	uint64_t a = samples_of(left), b = samples_of(right);

	return (a < b) - (a > b);
}

/*
 * Find the variable of a page. Return: its index; UINT32_MAX if the page contains no variable, or
 * several.
 */
static uint32_t variable_of(const struct latency *latency, uint64_t page)
{
	const uint64_t start = page * SMILE_PAGE_BYTES, end = start + SMILE_PAGE_BYTES;
	uint32_t found = UINT32_MAX;
	size_t at;

	/* Find the first extent that ends after the start of the page. */
	SEARCH_FIRST(at, latency->extent_count, i, latency->extents[i].end > start);
	for (; at < latency->extent_count && latency->extents[at].start < end; at++) {
		if (found != UINT32_MAX && found != latency->extents[at].variable)
			return UINT32_MAX;
		found = latency->extents[at].variable;
	}
	return found < latency->variable_count ? found : UINT32_MAX;
}

/* ---- reading the recordings ------------------------------------------------------------------ */

/* Add the latencies of a page. A recording may contain any numbers, so check them. */
static void row_take(struct latency *latency, const struct run_facts_latency *one)
{
	const uint64_t page = (uint64_t)one->page;
	struct row *last;
	size_t of;

	if (!one->samples || one->served < 0 || one->served >= latency->served || one->page < 0 ||
	    page >= 1ULL << SMILE_ADDRESS_BITS)
		return;
	last = latency->page_count ? &latency->pages[latency->page_count - 1] : NULL;
	if (!last || last->page != page) {
		last = &latency->pages[latency->page_count++];
		*last = (struct row){.page = page, .variable = variable_of(latency, page)};
	}
	of = last->variable < latency->variable_count ? last->variable : latency->variable_count;
	latency->structures[of].variable = last->variable;
	add(last, one);
	add(&latency->structures[of], one);
	add(&latency->all, one);
}

static void variables_load(struct latency *latency, struct Monitor *mon)
{
	int variables = Monitor_variables(mon, NULL, 0),
	    extents = Monitor_extents(mon, MONITOR_VARIABLES_ALL, NULL, 0);

	if (variables < 0 || extents < 0)
		return;
	latency->variable_count = (size_t)variables;
	latency->extent_count = (size_t)extents;
	latency->variables = tool_memory((size_t)variables + 1, sizeof(*latency->variables));
	latency->extents = tool_memory((size_t)extents + 1, sizeof(*latency->extents));
	Monitor_variables(mon, latency->variables, latency->variable_count);
	Monitor_extents(mon, MONITOR_VARIABLES_ALL, latency->extents, latency->extent_count);
}

static void load(struct latency *latency, struct Monitor *mon, const struct run_facts *run)
{
	variables_load(latency, mon);
	latency->left_out = run->latencies.rows_left_out;
	for (size_t i = 0; i < run->latencies.names.count && i < SERVED_MAX; i++) {
		const char *name = run->latencies.names.at[i];

		latency->names[latency->served++] = name ? name : "?";
	}
	latency->pages = tool_memory(run->latencies.pages.count + 1, sizeof(*latency->pages));
	latency->structures =
		tool_memory(latency->variable_count + 1, sizeof(*latency->structures));
	for (size_t i = 0; i < run->latencies.pages.count; i++)
		row_take(latency, &run->latencies.pages.at[i]);
	qsort(latency->structures, latency->variable_count + 1, sizeof(*latency->structures),
	      by_samples);
}

static const char *name_of(const struct latency *latency, const struct row *row)
{
	return row->variable < latency->variable_count ? latency->variables[row->variable].name
						       : "(none or several)";
}

/* ---- output ---------------------------------------------------------------------------------- */

static struct sampled_mean mean_of(const struct sum *sum)
{
	return sampled_mean(sum->samples, sum->cycles, sum->squares);
}

static void cells(const struct latency *latency, struct output_table *table, const struct row *row)
{
	for (unsigned i = 0; i < latency->served; i++) {
		struct sampled_mean mean = mean_of(&row->served[i]);

		if (!latency->all.served[i].samples)
			continue;
		if (!row->served[i].samples)
			output_table_none(table);
		else if (!mean.known)
			output_table_cell(table, OUTPUT_PLAIN, "%.0f [not known]", mean.mean);
		else
			output_table_cell(table, OUTPUT_PLAIN, "%.0f [%.0f-%.0f]", mean.mean,
					  floor(mean.low), ceil(mean.high));
	}
}

static void show(const struct report *report, const struct latency *latency)
{
	struct output_table *table = output_table_new();
	char where[STRUCTURES_TEXT_BYTES], text[64];
	size_t rows = 0;

	output_table_columns(table, "<NAME|<WHERE");
	for (unsigned i = 0; i < latency->served; i++)
		if (latency->all.served[i].samples) {
			snprintf(text, sizeof(text), "%s", latency->names[i]);
			output_table_column(table, text_printable(text), 'r');
		}
	for (size_t i = 0; i <= latency->variable_count; i++) {
		const struct row *row = &latency->structures[i];

		if (!samples_of(row) || (option_given("rows") && rows++ >= report->rows))
			continue;
		output_table_cell(table, OUTPUT_STRONG, "%s", name_of(latency, row));
		if (row->variable < latency->variable_count)
			output_table_cell(
				table, OUTPUT_PLAIN, "%s",
				structures_where(&latency->variables[row->variable], where));
		else
			output_table_none(table);
		cells(latency, table, row);
	}
	output_table_cell(table, OUTPUT_STRONG, "all");
	output_table_none(table);
	cells(latency, table, &latency->all);
	output_table_print(table);
	putchar('\n');
	output_text("legend: mean latency of the samples in cycles, by what served the access: a "
		    "cache of the node, local memory, remote memory, elsewhere (another node's "
		    "cache, or memory that is neither local nor remote), or not known. none or "
		    "several = pages without a variable, or with more than one.");
	output_text(
		"Estimates: [A-B] behind a mean is its 95%% band, by Student's distribution; the "
		"band of a single sample is not known. The processor chooses the accesses that "
		"are sampled: Intel's processors sample only loads of 30 cycles or more.");
	if (latency->left_out)
		output_text("%" PRIu64 " rows by page had no room in the recordings, and are left "
			    "out here.",
			    latency->left_out);
}

static json_t *served_json(const struct latency *latency, const struct row *row)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < latency->served; i++) {
		struct sampled_mean mean = mean_of(&row->served[i]);
		json_t *object;

		if (!row->served[i].samples)
			continue;
		object = json_pack("{s:o, s:I}", "served", document_text(latency->names[i]),
				   "samples", document_int(row->served[i].samples));
		sampled_count_set(object, "samples", row->served[i].samples);
		sampled_mean_set(object, "cycles", &mean);
		json_array_append_new(list, object);
	}
	return list;
}

static int document(const struct report *report, const struct latency *latency)
{
	json_t *structures = json_array(), *pages = json_array();

	for (size_t i = 0; i <= latency->variable_count; i++)
		if (samples_of(&latency->structures[i]))
			json_array_append_new(
				structures,
				json_pack("{s:o, s:o}", "name",
					  document_text(name_of(latency, &latency->structures[i])),
					  "latency",
					  served_json(latency, &latency->structures[i])));
	for (size_t i = 0; i < latency->page_count; i++)
		json_array_append_new(
			pages,
			json_pack("{s:I, s:o, s:o}", "page", document_int(latency->pages[i].page),
				  "name", document_text(name_of(latency, &latency->pages[i])),
				  "latency", served_json(latency, &latency->pages[i])));
	return output_json(
		json_pack("{s:s, s:O, s:s, s:o, s:o, s:o, s:I}", "schema", "smile.latencies/1",
			  "sampled", report->sampled->samples.object, "unit", "cycles", "latency",
			  served_json(latency, &latency->all), "structures", structures, "pages",
			  pages, "rows_left_out", document_int(latency->left_out)));
}

/* Print a CSV row for each page and each source that has served accesses to it. */
static void rows_csv(const struct latency *latency)
{
	csv_begin("page,name,served,samples,samples_low_95,samples_high_95,cycles,cycles_low_95,"
		  "cycles_high_95");
	for (size_t i = 0; i < latency->page_count && !output_stopped(); i++)
		for (unsigned s = 0; s < latency->served; s++) {
			const struct sum *sum = &latency->pages[i].served[s];
			struct sampled_band band = sampled_count(sum->samples);
			struct sampled_mean mean = mean_of(sum);

			if (!sum->samples)
				continue;
			csv_count(latency->pages[i].page);
			csv_text(name_of(latency, &latency->pages[i]));
			csv_text(latency->names[s]);
			csv_count(sum->samples);
			csv_real(band.low);
			csv_real(band.high);
			csv_real(mean.mean);
			csv_real(mean.known ? mean.low : NAN);
			csv_real(mean.known ? mean.high : NAN);
			csv_end();
		}
}

int report_latency(const struct report *report)
{
	struct latency latency = {.served = 0};
	int status = TOOL_OK;

	if (!report->sampled || !report->sampled->latencies.pages.at)
		return tool_error(
			"%s has no latencies: samples have latencies if they are taken by "
			"`smile sample --source memory`, or imported from `perf mem record`",
			report->files[0]);
	load(&latency, report->mon, report->sampled);
	if (report->json)
		status = document(report, &latency);
	else if (report->csv)
		rows_csv(&latency);
	else
		show(report, &latency);
	free(latency.variables);
	free(latency.extents);
	free(latency.pages);
	free(latency.structures);
	return status;
}
