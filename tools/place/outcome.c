// SPDX-License-Identifier: MIT
/*
 * smile place: print the result for each region. See tools/place/place.h.
 *
 * The table is printed on standard error, because standard output belongs to the program.
 */
#include "tools/place/place.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <smile/monitor.h>

#include "tools/common/output.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

#define WORDS_BYTES 256

static const char *const region_words[] = {
	[PLACEMENT_DATA] = "data",	 [PLACEMENT_VARIABLE] = "variable",
	[PLACEMENT_BLOCK] = "block",	 [PLACEMENT_NAMED] = "named",
	[PLACEMENT_PRIVATE] = "private", [PLACEMENT_SHARED] = "shared",
};

static const char *const result_words[PLAN_RESULTS] = {
	[PLAN_PLACED] = "placed",
	[PLAN_ABSENT] = "absent",
	[PLAN_BUSY] = "busy",
	[PLAN_NO_NODE] = "no such node",
	[PLAN_NO_MEMORY] = "no memory",
	[PLAN_SHARED] = "shared with another process",
	[PLAN_FORBIDDEN] = "not allowed",
	[PLAN_MOVED] = "moved away",
};

static int is_refusal(unsigned result)
{
	return result != PLAN_PLACED && result != PLAN_ABSENT && result != PLAN_MOVED;
}

static uint64_t refused_count(const uint64_t *results)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < PLAN_RESULTS; i++)
		count += is_refusal(i) ? results[i] : 0;
	return count;
}

static uint64_t pages_of(uint64_t bytes)
{
	return (bytes + SMILE_PAGE_BYTES - 1) / SMILE_PAGE_BYTES;
}

/* Check whether a region was found with a number of pages other than in the recorded run. */
static int is_resized(const struct plan_region *region)
{
	return region->found && region->found_bytes != region->bytes &&
	       pages_of(region->found_bytes) != pages_of(region->bytes);
}

/* Write why pages were not placed, as a text such as "2 busy, 1 no such node", or "not found". */
static void reasons(const struct plan_region *region, const struct place_region *asked, char *text)
{
	size_t used = 0;

	*text = '\0';
	if (asked->lost)
		snprintf(text, WORDS_BYTES, "another build");
	else if (!region->found)
		snprintf(text, WORDS_BYTES, "not found");
	else if (!region->known)
		snprintf(text, WORDS_BYTES, "not looked up");
	else if (is_resized(region))
		used += (size_t)snprintf(
			text, WORDS_BYTES, "%s %" PRIu64 " pages instead of %" PRIu64 "%s",
			region->scale ? "scaled to" : "not placed:", pages_of(region->found_bytes),
			pages_of(region->bytes),
			region->scale ? "" : ", and no rule in the placement");
	for (unsigned i = 0; i < PLAN_RESULTS && region->known; i++)
		if (is_refusal(i) && region->results[i] && used < WORDS_BYTES - 64)
			used += (size_t)snprintf(text + used, WORDS_BYTES - used,
						 "%s%" PRIu64 " %s", used ? ", " : "",
						 region->results[i], result_words[i]);
}

void place_plan_notes(const struct place_plan *plan, const struct place_request *request)
{
	for (size_t i = 0; i < request->object_count; i++) {
		const struct place_object *object = &request->objects[i];

		if (object->found + object->lost)
			tool_message("note: %s is not the build that was recorded: %zu of its "
				     "variables are found by their names, %zu other regions are "
				     "not; record it again for a new placement",
				     object->file, object->found, object->lost);
	}
	for (size_t i = 0; i < plan->lost_lock_count; i++)
		tool_message("warning: the lock at 0x%llx, under which threads take their parts of "
			     "the work, is not in global data: the order of the recorded run is "
			     "not kept, and threads may take other parts than in that run",
			     (unsigned long long)plan->lost_locks[i]);
}

/* Print notes about the run, after the program has ended. */
static void notes_print(const struct place_plan *plan)
{
	const struct plan_header *header = plan->header;
	const struct plan_order *orders =
		(const struct plan_order *)((const char *)header + header->orders_at);

	if (header->state == PLAN_WAITS)
		tool_message("the library was not loaded: the program is linked statically, or "
			     "runs with other rights than its user; nothing was placed");
	else if (header->state == PLAN_FOLLOWED)
		tool_message("the program was ended by a signal, or executed another one: the "
			     "pages that it had until then were not looked up");
	if (plan->unnamed)
		tool_message("note: %" PRIu64
			     " pages of the placement are in no region, but in small "
			     "blocks of the heap or in stacks: they were not placed",
			     plan->unnamed);
	if (header->unbound)
		tool_message("note: %u of %u threads could not be bound to their node: it has no "
			     "processor that the program may use",
			     header->unbound, header->threads);
	for (uint32_t i = 0; i < header->orders; i++)
		if (orders[i].given_up)
			tool_message(
				"warning: a thread was too late at the lock under which threads "
				"take their parts of the work: the order of the recorded run was "
				"given up, and threads may take other parts than in that run");
	if (header->no_node)
		tool_message("note: smile_place() was called %u times for a node that the machine "
			     "does not have",
			     header->no_node);
}

void place_outcome_print(const struct place_plan *plan, const struct place_request *request)
{
	const struct plan_region *regions = place_plan_regions(plan);
	struct output_table *table;

	notes_print(plan);
	if (plan->header->state == PLAN_WAITS)
		return;
	output_to(stderr);
	table = output_table_new();
	output_table_columns(table, "~region|>pages|>placed|>absent|>moved away|>refused|<why");
	for (uint32_t i = 0; i < plan->header->regions; i++) {
		const uint64_t *results = regions[i].results;
		char name[PLACE_NAME_BYTES], why[WORDS_BYTES];
		uint64_t refused = refused_count(results);

		if (!regions[i].pages)
			continue;
		place_region_name(&request->regions[i], name);
		reasons(&regions[i], &request->regions[i], why);
		output_table_cell(table, OUTPUT_PLAIN, "%s", name);
		output_table_count(table, OUTPUT_PLAIN, regions[i].pages);
		output_table_count(table, OUTPUT_PLAIN, results[PLAN_PLACED]);
		output_table_count(table, OUTPUT_PLAIN, results[PLAN_ABSENT]);
		output_table_count(table, results[PLAN_MOVED] ? OUTPUT_BAD : OUTPUT_PLAIN,
				   results[PLAN_MOVED]);
		output_table_count(table, refused ? OUTPUT_BAD : OUTPUT_PLAIN, refused);
		output_table_cell(table, OUTPUT_PLAIN, "%s", why);
	}
	output_table_print(table);
	fputs("legend: absent = never touched, or given back; moved away = by the kernel, after it "
	      "was placed\n",
	      stderr);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *region_json(const struct plan_region *region, const struct place_region *asked)
{
	char name[PLACE_NAME_BYTES];
	json_t *refused = json_object();

	place_region_name(asked, name);
	for (unsigned i = 0; i < PLAN_RESULTS; i++)
		if (is_refusal(i) && region->results[i])
			json_object_set_new(refused, result_words[i],
					    json_integer((json_int_t)region->results[i]));
	return json_pack("{s:o,s:s,s:I,s:b,s:b,s:I,s:I,s:I,s:o,s:I,s:o}", "name",
			 document_text(name), "kind", region_words[asked->line.region], "pages",
			 (json_int_t)region->pages, "found", region->found, "looked_up",
			 region->known, "placed", (json_int_t)region->results[PLAN_PLACED],
			 "absent", (json_int_t)region->results[PLAN_ABSENT], "moved_away",
			 (json_int_t)region->results[PLAN_MOVED], "refused", refused,
			 "recorded_bytes", (json_int_t)region->bytes, "found_bytes",
			 region->found ? json_integer((json_int_t)region->found_bytes)
				       : json_null());
}

int place_outcome_json(const struct place_plan *plan, const struct place_request *request,
		       const struct place_nodes *nodes, const char *file,
		       const struct place_run *run)
{
	const struct plan_region *regions = place_plan_regions(plan);
	const struct plan_header *header = plan->header;
	json_t *list = json_array(), *document;
	FILE *out = strcmp(file, "-") ? output_file_create(file) : stdout;
	int failed;

	for (uint32_t i = 0; i < header->regions; i++)
		if (regions[i].pages)
			json_array_append_new(list, region_json(&regions[i], &request->regions[i]));
	document = json_pack(
		"{s:s,s:i,s:I,s:i,s:b,s:b,s:i,s:i,s:i,s:I,s:o}", "schema", "smile.place/1",
		"exit_status", run->status, "elapsed_ns", (json_int_t)run->elapsed_ns, "nodes",
		(int)nodes->count, "library_loaded", header->state != PLAN_WAITS, "looked_up",
		header->state == PLAN_LOOKED_UP, "threads", (int)header->threads, "threads_unbound",
		(int)header->unbound, "no_node_calls", (int)header->no_node, "pages_without_region",
		(json_int_t)plan->unnamed, "regions", list);
	if (!out) {
		json_decref(document);
		return TOOL_ERROR;
	}
	failed = !document || json_dumpf(document, out, JSON_COMPACT) || fputc('\n', out) == EOF;
	json_decref(document);
	if ((out == stdout ? fflush(out) : fclose(out)))
		failed = 1;
	return failed ? tool_error("%s cannot be written: %s", file, strerror(errno)) : TOOL_OK;
}
