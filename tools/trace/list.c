// SPDX-License-Identifier: MIT
/*
 * smile trace list: print the packets of a trace database that fulfil the conditions, or list its
 * traces.
 */
#include "tools/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace-db/packet_json.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/trace/database.h"

static const char *const list_help[] = {
#include "tools/help/trace-list.h"
	NULL,
};

/*
 * --traces lists all traces, so conditions have no effect on this option. --count prints a number,
 * which does not depend on the order.
 */
static const struct option_form forms[] = {
	{"traces", .only = "traces json"},
	{"count", .idle = "json merge reverse"},
	{0},
};

static void traces_json(const struct trace_info *info)
{
	output_json(json_pack(
		"{s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}", "trace", (json_int_t)info->trace,
		"name", document_text(info->name), "file", document_text(info->file), "node",
		info->node < 0 ? json_null() : json_integer(info->node), "packets",
		document_int(info->packets), "malformed", document_int(info->faults), "first_ns",
		(json_int_t)info->first_ns, "last_ns", (json_int_t)info->last_ns, "damage",
		info->damage[0] ? document_text(info->damage) : json_null()));
}

static void traces_table(const struct trace_info *traces, int count)
{
	struct output_table *table = output_table_new();

	output_table_columns(table, ">trace|~name|>node|>packets|>malformed|>first ns|>last ns"
				    "|~damage");
	for (int i = 0; i < count; i++) {
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64, traces[i].trace);
		output_table_cell(table, OUTPUT_PLAIN, "%s", traces[i].name);
		if (traces[i].node < 0)
			output_table_none(table);
		else
			output_table_cell(table, OUTPUT_PLAIN, "%" PRId64, traces[i].node);
		output_table_count(table, OUTPUT_PLAIN, traces[i].packets);
		output_table_count(table, traces[i].faults ? OUTPUT_BAD : OUTPUT_PLAIN,
				   traces[i].faults);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRId64, traces[i].first_ns);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRId64, traces[i].last_ns);
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  traces[i].damage[0] ? traces[i].damage : "-");
	}
	output_table_print(table);
}

static int traces_list(struct trace_db *db, int json)
{
	struct trace_info *traces;
	int count = database_traces_read(db, &traces);

	if (count < 0)
		return TOOL_ERROR;
	if (json)
		for (int i = 0; i < count; i++)
			traces_json(&traces[i]);
	else
		traces_table(traces, count);
	free(traces);
	return TOOL_OK;
}

static int packets_list(struct trace_db *db, const struct trace_filter *filter, int json,
			int count_only)
{
	struct trace_rows rows;
	struct trace_row row;
	uint64_t count = 0;
	int got = trace_rows_begin(&rows, db, filter);

	if (got >= 0 && !json && !count_only)
		database_heading();
	while (got >= 0 && (got = trace_rows_next(&rows, &row)) > 0 && !output_stopped()) {
		count++;
		if (count_only)
			continue;
		if (json)
			packet_json_row_write(stdout, &row);
		else
			database_line(&row, NULL);
	}
	trace_rows_end(&rows);
	if (got < 0)
		return database_error(db);
	if (count_only)
		printf("%" PRIu64 "\n", count);
	return TOOL_OK;
}

/* If the option is --trace, append its number to the list of traces. */
static int condition_note(void *to, const char *name, const char *text)
{
	char **traces = to, *longer;
	uint64_t trace;

	if (strcmp(name, "trace") != 0 ||
	    tool_number("--trace", text, 0, TRACE_DB_TRACES, &trace) < 0)
		return TOOL_OK;
	if (asprintf(&longer, "%s%" PRIu64 ",", *traces ? *traces : ",", trace) < 0)
		return tool_error("no memory");
	free(*traces);
	*traces = longer;
	return TOOL_OK;
}

static int trace_list_run(int argc, char **argv, char **names)
{
	struct trace_filter choice, *filter = &choice;
	int traces = 0, json = 0, count = 0, status;
	const struct tool_option options[] = {
		OPTION_GROUP_NOTED(database_lines, filter, condition_note, names),
		OPTION_FLAG("traces", 0, &traces),
		OPTION_NUMBER("limit", 0, 1, INT64_MAX, &filter->limit),
		OPTION_FLAG("reverse", 0, &filter->backwards),
		OPTION_FLAG("merge", 0, &filter->merge),
		OPTION_FLAG("count", 0, &count),
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(list_help),
		OPTION_END,
	};
	struct trace_db *db;

	trace_filter_init(filter);
	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (optind + 1 != argc)
		return tool_usage("give one database, made by smile trace import");
	if (database_possible(filter, false) != TOOL_OK)
		return TOOL_ERROR;
	/*
	 * Use the list only if several traces were named. One trace is a condition on the key of
	 * the table, which is faster.
	 */
	if (*names && strchr(*names + 1, ',')[1]) {
		filter->trace = TRACE_ANY;
		filter->traces = *names;
	}
	db = database_open(argv[optind]);
	if (!db)
		return TOOL_ERROR;
	status = database_traces(db, filter);
	if (status == TOOL_OK)
		status = traces ? traces_list(db, json) : packets_list(db, filter, json, count);
	trace_db_close(db);
	return status;
}

int trace_list(int argc, char **argv)
{
	char *names = NULL;
	int status = trace_list_run(argc, argv, &names);

	free(names);
	return status;
}
