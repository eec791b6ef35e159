// SPDX-License-Identifier: MIT
/*
 * smile report static: print the event and the counts of each static counter, in total and by
 * phase.
 */
#include <base/field.h>

#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/**
 * struct statics - The data for both forms of the view.
 * @tables: the static tables, which define the event of each counter
 * @phases: the phases
 * @phase_count: number of phases
 * @counts: counts by [phase][counter]
 */
struct statics {
	struct smile_static tables;
	struct Monitor_phase *phases;
	size_t phase_count;
	uint64_t *counts;
};

static int counter_is_used(const struct statics *statics, unsigned int i)
{
	return (statics->tables.counter[i] & SMILE_STATIC_COUNTER_COUNT_VALID) != 0;
}

static uint64_t counter_total(const struct statics *statics, unsigned int i)
{
	uint64_t total = 0;
	size_t phase;

	for (phase = 0; phase < statics->phase_count; phase++)
		total += statics->counts[phase * SMILE_STATIC_COUNTERS + i];
	return total;
}

/* ---- events -------------------------------------------------------------------------------- */

/**
 * struct static_event - A decoded memory event of the tables.
 */
struct static_event {
	unsigned int node;
	uint64_t address;
	unsigned int bytes;
	int read;
	int write;
	int lock;
	int request;
	int response;
};

static struct static_event event_decode(const struct smile_static *tables, unsigned int id)
{
	uint32_t word = tables->event[id];
	unsigned int page = SMILE_GET(SMILE_STATIC_EVENT_PAGE, word);
	unsigned int bottom = SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, word);
	unsigned int top = SMILE_GET(SMILE_STATIC_EVENT_TOP, word);

	return (struct static_event){
		.node = tables->node[page],
		.address = (uint64_t)SMILE_GET(SMILE_STATIC_PAGE_NUMBER, tables->page[page]) *
				   SMILE_PAGE_BYTES +
			   bottom * SMILE_WORD_BYTES,
		.bytes = (top - bottom + 1) * SMILE_WORD_BYTES,
		.read = (word & SMILE_STATIC_EVENT_READ) != 0,
		.write = (word & SMILE_STATIC_EVENT_WRITE) != 0,
		.lock = (word & SMILE_STATIC_EVENT_LOCK) != 0,
		.request = (word & SMILE_STATIC_EVENT_REQUEST) != 0,
		.response = (word & SMILE_STATIC_EVENT_RESPONSE) != 0,
	};
}

static const char *packets_word(const struct static_event *event)
{
	return !event->response ? "requests" : event->request ? "all" : "responses";
}

/* Describe an event: a global event, or an access to a range. */
static json_t *event_object(const struct smile_static *tables, unsigned int id)
{
	struct static_event event;
	json_t *types;

	if (id >= SMILE_STATIC_GLOBAL)
		return json_pack("{s:i}", "global_event", (int)(id - SMILE_STATIC_GLOBAL));
	event = event_decode(tables, id);
	types = json_array();
	if (event.read)
		json_array_append_new(types, json_string("read"));
	if (event.write)
		json_array_append_new(types, json_string("write"));
	if (event.lock)
		json_array_append_new(types, json_string("lock"));
	return json_pack("{s:i,s:I,s:I,s:i,s:o,s:s}", "node", (int)event.node, "page",
			 (json_int_t)(event.address / SMILE_PAGE_BYTES), "address",
			 (json_int_t)event.address, "length_bytes", (int)event.bytes, "types",
			 types, "packets", packets_word(&event));
}

#define EVENT_TEXT_BYTES 96

static const char *event_text(const struct smile_static *tables, unsigned int id, char *text)
{
	struct static_event event;

	if (id >= SMILE_STATIC_GLOBAL) {
		snprintf(text, EVENT_TEXT_BYTES, "global event %u", id - SMILE_STATIC_GLOBAL);
		return text;
	}
	event = event_decode(tables, id);
	snprintf(text, EVENT_TEXT_BYTES, "%s%s%s%s%s %s", event.read ? "read" : "",
		 event.read && (event.write || event.lock) ? "+" : "", event.write ? "write" : "",
		 event.write && event.lock ? "+" : "", event.lock ? "lock" : "",
		 event.request && event.response ? "packets" : packets_word(&event));
	return text;
}

static const char *range_text(const struct smile_static *tables, unsigned int id, char *text)
{
	struct static_event event;

	if (id >= SMILE_STATIC_GLOBAL)
		return "-";
	event = event_decode(tables, id);
	snprintf(text, EVENT_TEXT_BYTES, "node %u 0x%" PRIx64 "-0x%" PRIx64, event.node,
		 event.address, event.address + event.bytes - 1);
	return text;
}

/*
 * Write a trigger in the syntax of --static: "gN", or "mN" where N is the first counter that counts
 * the event.
 */
static const char *trigger_text(const struct smile_static *tables, uint32_t valid, uint32_t field,
				uint32_t counter, char *text)
{
	uint32_t id = SMILE_GET(field, counter);
	unsigned int i;

	if (!(counter & valid))
		return "";
	if (id >= SMILE_STATIC_GLOBAL) {
		snprintf(text, EVENT_TEXT_BYTES, "g%u", id - SMILE_STATIC_GLOBAL);
		return text;
	}
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		if (tables->counter[i] & SMILE_STATIC_COUNTER_COUNT_VALID &&
		    SMILE_GET(SMILE_STATIC_COUNTER_COUNT, tables->counter[i]) == id) {
			snprintf(text, EVENT_TEXT_BYTES, "m%u", i);
			return text;
		}
	}
	snprintf(text, EVENT_TEXT_BYTES, "memory event %u", id);
	return text;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *trigger_object(const struct smile_static *tables, uint32_t valid, uint32_t field,
			      uint32_t counter)
{
	return counter & valid ? event_object(tables, SMILE_GET(field, counter)) : json_null();
}

static json_t *counter_object(const struct statics *statics, unsigned int i)
{
	const struct smile_static *tables = &statics->tables;
	uint32_t counter = tables->counter[i];

	return json_pack("{s:i,s:o,s:o,s:o,s:I}", "counter", (int)i, "counts",
			 event_object(tables, SMILE_GET(SMILE_STATIC_COUNTER_COUNT, counter)),
			 "from",
			 trigger_object(tables, SMILE_STATIC_COUNTER_ACTIVATE_VALID,
					SMILE_STATIC_COUNTER_ACTIVATE, counter),
			 "until",
			 trigger_object(tables, SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
					SMILE_STATIC_COUNTER_DEACTIVATE, counter),
			 "total", (json_int_t)counter_total(statics, i));
}

static json_t *phase_object(const struct statics *statics, size_t i)
{
	const struct Monitor_phase *phase = &statics->phases[i];
	json_t *object = json_pack("{s:I,s:b}", "phase", (json_int_t)i, "open", (int)phase->open);

	json_object_set_new(object, "event",
			    phase->open ? json_null() : json_integer((json_int_t)phase->event));
	json_object_set_new(object, "end_ns",
			    phase->open ? json_null() : json_integer(document_int(phase->end_ns)));
	json_object_set_new(object, "counts",
			    document_counts(statics->counts + i * SMILE_STATIC_COUNTERS,
					    SMILE_STATIC_COUNTERS));
	return object;
}

static int statics_json(const struct statics *statics)
{
	int status, first = 1;
	size_t i;

	putchar('{');
	status = output_json_members(json_pack("{s:s}", "schema", "smile.static/1"));
	fputs(",\"counters\":[", stdout);
	for (i = 0; i < SMILE_STATIC_COUNTERS && status == TOOL_OK; i++) {
		if (!counter_is_used(statics, (unsigned int)i))
			continue;
		status = output_json_item(counter_object(statics, (unsigned int)i), first);
		first = 0;
	}
	fputs("],\"phases\":[", stdout);
	for (i = 0; i < statics->phase_count && status == TOOL_OK && !output_stopped(); i++)
		status = output_json_item(phase_object(statics, i), !i);
	fputs("]}\n", stdout);
	return status;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

/*
 * Write the cells of a counter: seven cells for its event, then the triggers that start and stop
 * the counter.
 */
static void counter_csv(const struct smile_static *tables, uint32_t counter)
{
	unsigned int id = SMILE_GET(SMILE_STATIC_COUNTER_COUNT, counter);
	struct static_event event;
	char text[EVENT_TEXT_BYTES];

	if (id >= SMILE_STATIC_GLOBAL) {
		csv_count(id - SMILE_STATIC_GLOBAL);
		csv_empty(5);
	} else {
		event = event_decode(tables, id);
		csv_empty(1);
		csv_count(event.node);
		csv_count(event.address);
		csv_count(event.bytes);
		snprintf(text, sizeof(text), "%s%s%s", event.read ? " read" : "",
			 event.write ? " write" : "", event.lock ? " lock" : "");
		csv_text(*text ? text + 1 : "");
		csv_text(packets_word(&event));
	}
	csv_text(trigger_text(tables, SMILE_STATIC_COUNTER_ACTIVATE_VALID,
			      SMILE_STATIC_COUNTER_ACTIVATE, counter, text));
	csv_text(trigger_text(tables, SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
			      SMILE_STATIC_COUNTER_DEACTIVATE, counter, text));
}

static int statics_csv(const struct statics *statics)
{
	csv_begin("counter,global_event,node,address,length_bytes,types,packets,from,until,phase,"
		  "open,event,end_ns,count");
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		if (!counter_is_used(statics, i))
			continue;
		for (size_t at = 0; at < statics->phase_count && !output_stopped(); at++) {
			csv_count(i);
			counter_csv(&statics->tables, statics->tables.counter[i]);
			csv_count(at);
			report_phase_end_csv(&statics->phases[at]);
			csv_count(statics->counts[at * SMILE_STATIC_COUNTERS + i]);
			csv_end();
		}
	}
	return TOOL_OK;
}

/* ---- tables -------------------------------------------------------------------------------- */

static void trigger_cell(struct output_table *table, const char *trigger)
{
	output_table_cell(table, OUTPUT_PLAIN, "%s", *trigger ? trigger : "-");
}

static void counter_row(struct output_table *table, const struct statics *statics, unsigned int i)
{
	const struct smile_static *tables = &statics->tables;
	uint32_t counter = tables->counter[i];
	uint32_t id = SMILE_GET(SMILE_STATIC_COUNTER_COUNT, counter);
	char text[EVENT_TEXT_BYTES];

	output_table_cell(table, OUTPUT_STRONG, "%u", i);
	output_table_cell(table, OUTPUT_PLAIN, "%s", event_text(tables, id, text));
	output_table_cell(table, OUTPUT_PLAIN, "%s", range_text(tables, id, text));
	trigger_cell(table, trigger_text(tables, SMILE_STATIC_COUNTER_ACTIVATE_VALID,
					 SMILE_STATIC_COUNTER_ACTIVATE, counter, text));
	trigger_cell(table, trigger_text(tables, SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
					 SMILE_STATIC_COUNTER_DEACTIVATE, counter, text));
	output_table_count(table, OUTPUT_STRONG, counter_total(statics, i));
}

static void counters_table(const struct statics *statics)
{
	struct output_table *table = output_table_new();
	unsigned int i;

	output_table_columns(table, ">COUNTER|<COUNTS|<OF|<FROM|<UNTIL|>TOTAL");
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (counter_is_used(statics, i))
			counter_row(table, statics, i);
	output_table_print(table);
}

static void phases_table(const struct statics *statics)
{
	struct output_table *table = output_table_new();
	unsigned int i;
	size_t phase;

	output_table_columns(table, ">PHASE|>END [ms]");
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		char heading[32];

		snprintf(heading, sizeof(heading), "counter %u", i);
		if (counter_is_used(statics, i))
			output_table_column(table, heading, 'r');
	}
	for (phase = 0; phase < statics->phase_count; phase++) {
		uint64_t end_ns = statics->phases[phase].end_ns;

		output_table_cell(table, OUTPUT_STRONG, "%zu", phase);
		if (statics->phases[phase].open)
			output_table_cell(table, OUTPUT_PLAIN, "open");
		else
			output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64 ".%06" PRIu64,
					  end_ns / 1000000, end_ns % 1000000);
		for (i = 0; i < SMILE_STATIC_COUNTERS; i++)
			if (counter_is_used(statics, i))
				output_table_count(
					table, OUTPUT_PLAIN,
					statics->counts[phase * SMILE_STATIC_COUNTERS + i]);
	}
	putchar('\n');
	output_table_print(table);
}

/*
 * Print a note if there are several recordings. Each recording has its own static tables, so the
 * counters of only one recording can be shown.
 */
static void merged_note(const struct report *report)
{
	if (report->file_count > 1)
		tool_message("note: of several recordings, the static counters of the first, %s, "
			     "are shown; report on each of the others separately",
			     report->files[0]);
}

static int statics_table(const struct report *report, const struct statics *statics)
{
	unsigned int i, used = 0;

	for (i = 0; i < SMILE_STATIC_COUNTERS; i++)
		used += (unsigned int)counter_is_used(statics, i);
	if (!used) {
		output_text("no static counter was in use in %s; --static of `smile record` and "
			    "`smile replay` configures them",
			    report->files[0]);
		return TOOL_OK;
	}
	counters_table(statics);
	if (statics->phase_count > 1)
		phases_table(statics);
	putchar('\n');
	output_text("legend: every access of this kind to this range of the node's memory was "
		    "counted once; of = home node, first and last byte; from, until = when "
		    "counting began and ended: gN = at global event N, mN = at an access that "
		    "counter N counts, - = at the beginning, at the end%s",
		    statics->phase_count > 1 ? "; end = the card's clock at the phase mark, in "
					       "milliseconds"
					     : "");
	return TOOL_OK;
}

int report_static(const struct report *report)
{
	struct statics statics = {0};
	int status, count;

	merged_note(report);
	if (Monitor_static_info(report->mon, &statics.tables) < 0)
		return tool_error("%s", Monitor_error_message());
	count = Monitor_phases(report->mon, NULL, 0);
	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	statics.phase_count = (size_t)count;
	statics.phases = tool_memory(statics.phase_count, sizeof(*statics.phases));
	statics.counts =
		tool_memory(statics.phase_count, SMILE_STATIC_COUNTERS * sizeof(*statics.counts));
	if (Monitor_phases(report->mon, statics.phases, statics.phase_count) < 0 ||
	    Monitor_static_counts(report->mon, statics.counts, statics.phase_count) < 0)
		status = tool_error("%s", Monitor_error_message());
	else if (report->csv)
		status = statics_csv(&statics);
	else
		status = report->json ? statics_json(&statics) : statics_table(report, &statics);
	free(statics.phases);
	free(statics.counts);
	return status;
}
