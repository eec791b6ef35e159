// SPDX-License-Identifier: MIT
/*
 * smile trace import: add captures to a trace database.
 */
#include "tools/trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "lib/trace-db/trace_db.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

static const char *const import_help[] = {
#include "tools/help/trace-import.h"
	NULL,
};

struct import_choice {
	const char *database;
	const char *name;
	int64_t node;
	bool no_data;
	bool json;
};

static int import_stop(void *opaque, uint64_t packets)
{
	progress_show("%s: %" PRIu64 " packets", (const char *)opaque, packets);
	return signals_count();
}

static void import_report(const struct import_choice *choice, const struct trace_import *import)
{
	char packets[TEXT_COUNT_BYTES], faults[TEXT_COUNT_BYTES];

	if (choice->json) {
		output_json(json_pack(
			"{s:s, s:o, s:o, s:I, s:I, s:I, s:b, s:o}", "schema",
			"smile.trace.import/1", "file", document_text(import->file), "interface",
			import->interface_name[0] ? document_text(import->interface_name)
						  : json_null(),
			"trace", (json_int_t)import->trace, "packets", (json_int_t)import->packets,
			"malformed", (json_int_t)import->faults, "already", import->already,
			"damage", import->damage[0] ? document_text(import->damage) : json_null()));
		return;
	}
	printf("%s", output_name(import->file));
	if (import->interfaces > 1 && import->interface_name[0])
		printf(", interface %s", output_name(import->interface_name));
	else if (import->interfaces > 1)
		printf(", interface %u of %u", import->interface + 1, import->interfaces);
	if (import->already) {
		printf(" is trace %" PRIu64 " already: nothing was added\n", import->trace);
		return;
	}
	printf(": trace %" PRIu64 ", %s packets", import->trace,
	       text_count(packets, import->packets));
	if (import->faults)
		printf(", %s of them malformed", text_count(faults, import->faults));
	putchar('\n');
}

/* Import the packets of one interface of a file. */
static int import_interface(struct trace_db **db, const struct import_choice *choice,
			    struct trace_import *import)
{
	struct Monitor_capture *capture;
	bool first = !import->interface;
	int error;

	/*
	 * Open the capture before the database. Otherwise a database would be created even if the
	 * file is not a capture.
	 */
	if (Monitor_capture_open_any(&capture, import->file) < 0)
		return tool_error("%s", Monitor_error_message());
	/*
	 * If the capture is a pipe, no interface can be selected. The first interface must then be
	 * the only one.
	 */
	if (Monitor_capture_select(capture, import->interface) < 0 && !first) {
		Monitor_capture_close(capture);
		return tool_error("%s", Monitor_error_message());
	}
	error = *db ? 0 : trace_db_create(db, choice->database);
	if (!error && first)
		error = trace_db_begin(*db);
	if (!error)
		error = trace_db_import(*db, capture, import);
	Monitor_capture_close(capture);
	progress_clear();
	if (error)
		return tool_error("%s", trace_db_message(*db));
	if (import->interfaces > 1 && choice->node >= 0)
		return tool_error("%s has packets of %u interfaces, so --node %" PRId64
				  " cannot be the node of all: omit it, and set the column "
				  "'node' of the table 'traces'",
				  import->file, import->interfaces, choice->node);
	return TOOL_OK;
}

/* Import all interfaces of a file, each as a trace. If one of them fails, import none. */
static int import_file(struct trace_db **db, const struct import_choice *choice, char *path)
{
	struct trace_import *traces = NULL;
	unsigned int count = 1, i;
	int status = TOOL_OK;

	for (i = 0; i < count && status == TOOL_OK; i++) {
		traces = tool_larger(traces, i + 1, sizeof(*traces));
		traces[i] = (struct trace_import){
			.name = choice->name,
			.file = path,
			.interface = i,
			.node = choice->node,
			.no_data = choice->no_data,
			.stop = import_stop,
			.opaque = path,
		};
		status = import_interface(db, choice, &traces[i]);
		if (status == TOOL_OK)
			count = traces[i].interfaces;
	}
	if (*db && trace_db_end(*db, status == TOOL_OK) && status == TOOL_OK)
		status = tool_error("%s", trace_db_message(*db));
	for (i = 0; i < count && status == TOOL_OK; i++)
		import_report(choice, &traces[i]);
	for (i = 0; i < count && status == TOOL_OK; i++)
		if (traces[i].damage[0])
			status = tool_error("%s: the packets before the damage are trace %" PRIu64,
					    traces[i].damage, traces[i].trace);
	free(traces);
	return status;
}

/* Close the database. If the database was created by this command and is still empty, remove it. */
static void import_end(struct trace_db *db, const struct import_choice *choice, int fresh)
{
	struct trace_info info;
	int empty = db && fresh && trace_db_traces(db, &info, 1) == 0;

	trace_db_close(db);
	if (empty)
		unlink(choice->database);
}

static int import_run(const struct import_choice *choice, char **files, int count)
{
	int fresh = access(choice->database, F_OK) != 0, status = TOOL_OK;
	struct trace_db *db = NULL;

	signals_catch();
	for (int i = 0; i < count && !signals_count(); i++)
		if (import_file(&db, choice, files[i]) != TOOL_OK)
			status = TOOL_ERROR;
	import_end(db, choice, fresh);
	return signals_count() ? TOOL_ERROR : status;
}

int trace_import(int argc, char **argv)
{
	struct import_choice choice = {0};
	uint64_t node = UINT64_MAX; /* not given */
	const struct tool_option options[] = {
		OPTION_OUTPUT("output", 'o', &choice.database),
		OPTION_NUMBER("node", 0, 0, UINT16_MAX, &node),
		OPTION_TEXT("name", 0, &choice.name),
		OPTION_FLAG("no-data", 0, &choice.no_data),
		OPTION_FLAG("json", 0, &choice.json),
		OPTION_HELP(import_help),
		OPTION_END,
	};
	int status;

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	choice.node = (int64_t)node;
	if (!choice.database || !*choice.database)
		return tool_usage("into which database? Give -o FILE");
	if (optind == argc)
		return tool_usage("which capture? Give files, or - for standard input");
	if ((choice.node >= 0 || choice.name) && optind + 1 < argc)
		return tool_usage(
			"--node and --name are for one capture: import the others separately");
	return import_run(&choice, argv + optind, argc - optind);
}
