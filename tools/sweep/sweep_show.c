// SPDX-License-Identifier: MIT
/*
 * Sweep: print the results as tables, JSON or CSV.
 */
#include "tools/sweep/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

enum show_what { SHOW_FLUSHES, SHOW_BYTES, SHOW_EXTENSIONS, SHOW_RATE };

static const char *const show_titles[] = {
	[SHOW_FLUSHES] = "flushes (records written to the ring)",
	[SHOW_BYTES] = "bytes flushed",
	[SHOW_EXTENSIONS] = "extensions (a counter's range grew)",
	[SHOW_RATE] = "data rate, KB/s (1 KB = 1000 bytes)",
};

static void show_cell(struct output_table *table, const struct sweep *sweep,
		      const struct sweep_point *point, enum show_what what)
{
	switch (what) {
	case SHOW_FLUSHES:
		output_table_count(table, OUTPUT_PLAIN, point->flushes);
		break;
	case SHOW_BYTES:
		output_table_count(table, OUTPUT_PLAIN, point->flushes * SMILE_RECORD_BYTES);
		break;
	case SHOW_EXTENSIONS:
		output_table_count(table, OUTPUT_PLAIN, point->extensions);
		break;
	case SHOW_RATE:
		output_table_cell(table, OUTPUT_PLAIN, "%.1f",
				  sweep_bytes_per_second(point, sweep->seconds) / 1000);
		break;
	}
}

static void show_table(const struct sweep *sweep, enum show_what what)
{
	struct output_table *table = output_table_new();
	char heading[32];

	output_table_column(table, "COUNTERS \\ RANGE", 'r');
	for (size_t j = 0; j < sweep->ranges_count; j++) {
		snprintf(heading, sizeof(heading), "%u B", sweep->ranges[j]);
		output_table_column(table, heading, 'r');
	}
	for (size_t i = 0; i < sweep->counters_count; i++) {
		output_table_cell(table, OUTPUT_STRONG, "%u", sweep->counters[i]);
		for (size_t j = 0; j < sweep->ranges_count; j++)
			show_cell(table, sweep, &sweep->points[i * sweep->ranges_count + j], what);
	}
	printf("\n%s%s%s\n", output_begin(OUTPUT_STRONG), show_titles[what],
	       output_end(OUTPUT_STRONG));
	output_table_print(table);
}

void sweep_show_tables(const struct sweep *sweep)
{
	const struct sweep_traffic *traffic = &sweep->traffic;
	char text[TEXT_COUNT_BYTES];

	text_count(text, traffic->count);
	if (sweep->choice.whole)
		printf("node %u, all its accesses: %s\n", traffic->node, text);
	else
		printf("page %" PRIu64 " at its home, node %u: %s accesses%s\n", traffic->page,
		       traffic->node, text,
		       sweep->choice.page_given ? "" : ", the most of all pages");
	show_table(sweep, SHOW_FLUSHES);
	show_table(sweep, SHOW_BYTES);
	show_table(sweep, SHOW_EXTENSIONS);
	if (sweep->seconds > 0)
		show_table(sweep, SHOW_RATE);
	putchar('\n');
	output_text("legend: rows are counters of the dynamic array, columns MAX_RANGE; a record "
		    "has %u bytes; flushes include the counters' final contents; tags are %s%s.",
		    SMILE_RECORD_BYTES, sweep->mode & SMILE_MODE_TYPED_TAGS ? "typed" : "untyped",
		    sweep->mode & SMILE_MODE_ALIGNED ? ", ranges aligned" : "");
	if (sweep->seconds > 0)
		output_text("Rates are over %.6g s.", sweep->seconds);
	else
		output_text(
			"No rates: the files do not have the duration of the traffic; give it with "
			"--seconds.");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_point(const struct sweep *sweep, const struct sweep_point *point)
{
	json_t *rate = sweep->seconds > 0 ? json_real(sweep_bytes_per_second(point, sweep->seconds))
					  : json_null();

	return json_pack("{s:i, s:i, s:I, s:I, s:I, s:I, s:o}", "counters", (int)point->counters,
			 "range_bytes", (int)point->range_bytes, "flushes",
			 document_int(point->flushes), "drained", document_int(point->drained),
			 "bytes", document_int(point->flushes * SMILE_RECORD_BYTES), "extensions",
			 document_int(point->extensions), "bytes_per_second", rate);
}

int sweep_show_json(const struct sweep *sweep)
{
	const struct sweep_traffic *traffic = &sweep->traffic;
	size_t count = sweep->counters_count * sweep->ranges_count;
	json_t *files = json_array(), *points = json_array();

	for (int i = 0; i < sweep->files_count; i++)
		json_array_append_new(files, document_text(sweep->files[i]));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(points, json_point(sweep, &sweep->points[i]));
	/*
	 * If memory runs out, print no document, because an array with a missing item would be
	 * wrong.
	 */
	if (json_array_size(points) != count ||
	    json_array_size(files) != (size_t)sweep->files_count) {
		json_decref(files);
		json_decref(points);
		return output_json(NULL);
	}
	return output_json(json_pack(
		"{s:s, s:o, s:i, s:o, s:I, s:i, s:b, s:b, s:o, s:o}", "schema", "smile.sweep/1",
		"files", files, "node", (int)traffic->node, "page",
		sweep->choice.whole ? json_null() : json_integer(document_int(traffic->page)),
		"accesses", document_int(traffic->count), "record_bytes", SMILE_RECORD_BYTES,
		"typed_tags", !!(sweep->mode & SMILE_MODE_TYPED_TAGS), "aligned",
		!!(sweep->mode & SMILE_MODE_ALIGNED), "seconds",
		sweep->seconds > 0 ? json_real(sweep->seconds) : json_null(), "points", points));
}

/* ---- CSV ------------------------------------------------------------------------------------- */

void sweep_show_csv(const struct sweep *sweep)
{
	csv_begin("node,page,accesses,counters,range_bytes,flushes,drained,bytes,extensions,"
		  "bytes_per_second");
	for (size_t i = 0; i < sweep->counters_count * sweep->ranges_count; i++) {
		const struct sweep_point *point = &sweep->points[i];

		csv_count(sweep->traffic.node);
		if (sweep->choice.whole)
			csv_empty(1);
		else
			csv_count(sweep->traffic.page);
		csv_count(sweep->traffic.count);
		csv_count(point->counters);
		csv_count(point->range_bytes);
		csv_count(point->flushes);
		csv_count(point->drained);
		csv_count(point->flushes * SMILE_RECORD_BYTES);
		csv_count(point->extensions);
		csv_real(sweep->seconds > 0 ? sweep_bytes_per_second(point, sweep->seconds) : NAN);
		if (!csv_end())
			break;
	}
}
