// SPDX-License-Identifier: MIT
/*
 * smile trace import: captures into a trace database.
 */
#include "tools/trace/trace.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "lib/trace-db/trace_db.h"
#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

static const char *const import_help[] = {
#include "tools/help/trace-import.h"
	NULL,
};

enum import_code {
	IMPORT_NODE = 0x100,
	IMPORT_NAME,
	IMPORT_NO_DATA,
	IMPORT_JSON,
};

static const struct option import_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"node", required_argument, NULL, IMPORT_NODE},
	{"name", required_argument, NULL, IMPORT_NAME},
	{"no-data", no_argument, NULL, IMPORT_NO_DATA},
	{"json", no_argument, NULL, IMPORT_JSON},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
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
			"{s:s, s:o, s:I, s:I, s:I, s:b, s:o}", "schema", "smile.trace.import/1",
			"file", document_text(import->file), "trace", (json_int_t)import->trace,
			"packets", (json_int_t)import->packets, "malformed",
			(json_int_t)import->faults, "already", import->already, "damage",
			import->damage[0] ? document_text(import->damage) : json_null()));
		return;
	}
	if (import->already) {
		printf("%s is trace %" PRIu64 " already: nothing was added\n", import->file,
		       import->trace);
		return;
	}
	printf("%s: trace %" PRIu64 ", %s packets", import->file, import->trace,
	       text_count(packets, import->packets));
	if (import->faults)
		printf(", %s of them malformed", text_count(faults, import->faults));
	putchar('\n');
}

static int import_file(struct trace_db **db, const struct import_choice *choice, char *path)
{
	struct trace_import import = {
		.name = choice->name,
		.file = path,
		.node = choice->node,
		.no_data = choice->no_data,
		.stop = import_stop,
		.opaque = path,
	};
	struct Monitor_capture *capture;
	int error;

	/* The capture first: what is none leaves no database behind. */
	if (Monitor_capture_open(&capture, path) < 0)
		return tool_error("%s", Monitor_error_message());
	error = *db ? 0 : trace_db_create(db, choice->database);
	if (!error)
		error = trace_db_import(*db, capture, &import);
	Monitor_capture_close(capture);
	progress_clear();
	if (error)
		return tool_error("%s", trace_db_message(*db));
	import_report(choice, &import);
	if (import.damage[0])
		return tool_error("%s: the packets before that are trace %" PRIu64, import.damage,
				  import.trace);
	return TOOL_OK;
}

/* A database that was made for an import that failed is taken away again. */
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
	struct import_choice choice = {.node = -1};
	uint64_t node;
	int option;

	while ((option = getopt_long(argc, argv, "o:h", import_options, NULL)) != -1) {
		switch (option) {
		case 'o':
			choice.database = optarg;
			break;
		case IMPORT_NODE:
			if (tool_number("--node", optarg, 0, UINT16_MAX, &node))
				return TOOL_ERROR;
			choice.node = (int64_t)node;
			break;
		case IMPORT_NAME:
			choice.name = optarg;
			break;
		case IMPORT_NO_DATA:
			choice.no_data = true;
			break;
		case IMPORT_JSON:
			choice.json = true;
			break;
		case 'h':
			tool_help(import_help);
			return TOOL_OK;
		default:
			return tool_unknown_option();
		}
	}
	if (!choice.database || !*choice.database)
		return tool_usage("into which database? Give -o FILE");
	if (optind == argc)
		return tool_usage("which capture? Give files, or - for standard input");
	if ((choice.node >= 0 || choice.name) && optind + 1 < argc)
		return tool_usage("--node and --name are of one capture: import the others apart");
	return import_run(&choice, argv + optind, argc - optind);
}
