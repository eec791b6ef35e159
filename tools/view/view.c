// SPDX-License-Identifier: MIT
/*
 * smile view: the Data Layout Visualizer as a web page.
 *
 * What lives here: the options, and writing the file. Source: "Memory access behavior analysis of
 * NUMA-based shared memory programs" (2002), section 4.1.
 */
#include "tools/view/view.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/hot_option.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"

static const char *const view_help[] = {
#include "tools/help/view.h"
	NULL,
};

enum view_code {
	CODE_DETAILS = 0x100,
	CODE_JSON,
	CODE_HOT,
};

static const struct option view_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"details", required_argument, NULL, CODE_DETAILS},
	{"json", no_argument, NULL, CODE_JSON},
	{"hot", required_argument, NULL, CODE_HOT},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

#define VIEW_DETAILS_MAX 1000000

/* A page that was there stays until the new one is complete. */
static int page_to_file(json_t *document, const char *path)
{
	char *temporary;
	FILE *out;
	int failed;

	if (asprintf(&temporary, "%s.part", path) < 0)
		return tool_error("no memory");
	out = fopen(temporary, "we");
	if (!out) {
		tool_error("the page %s cannot be written: %s", path, strerror(errno));
		free(temporary);
		return TOOL_ERROR;
	}
	errno = 0;
	failed = view_page_write(out, document);
	failed |= fclose(out);
	failed |= !failed && rename(temporary, path);
	if (failed) {
		tool_error("the page %s cannot be written: %s", path,
			   errno ? strerror(errno) : "no memory");
		unlink(temporary);
	}
	free(temporary);
	return failed ? TOOL_ERROR : TOOL_OK;
}

static int document_out(json_t *document, const char *path)
{
	int status;

	if (!strcmp(path, "-")) {
		view_page_write(stdout, document);
		return TOOL_OK;
	}
	status = page_to_file(document, path);
	if (status == TOOL_OK)
		tool_message("wrote %s: open it in a browser", path);
	return status;
}

static int view_files(char **files, int count, const char *path, int json,
		      const struct view_options *options)
{
	struct Monitor *mon = recordings_open(files, count);
	json_t *document;
	int taken_in, status = TOOL_ERROR;

	if (!mon)
		return TOOL_ERROR;
	taken_in = recordings_take_in(mon);
	document = view_document(mon, files, count, options);
	Monitor_close(mon);
	if (document && json)
		return output_json(document) == TOOL_OK ? taken_in : TOOL_ERROR;
	if (document)
		status = document_out(document, path);
	json_decref(document);
	return taken_in != TOOL_OK ? taken_in : status;
}

int view_main(int argc, char **argv)
{
	const char *path = NULL;
	uint64_t details = VIEW_DETAILS;
	struct view_options options = {0};
	int option, json = 0;

	while ((option = getopt_long(argc, argv, "o:h", view_options, NULL)) != -1) {
		switch (option) {
		case 'h':
			tool_help(view_help);
			return TOOL_OK;
		case 'o':
			path = optarg;
			break;
		case CODE_DETAILS:
			if (tool_number("--details", optarg, 0, VIEW_DETAILS_MAX, &details))
				return TOOL_ERROR;
			break;
		case CODE_HOT:
			if (hot_option_parse(optarg, &options.hot))
				return TOOL_ERROR;
			break;
		case CODE_JSON:
			json = 1;
			break;
		default:
			return tool_unknown_option();
		}
	}
	if (json && path)
		return tool_usage("-o names a page; --json prints to standard output");
	if (optind == argc)
		return tool_usage("which recording? Give a file, or several of different nodes");
	options.details = (size_t)details;
	return view_files(argv + optind, argc - optind, path ? path : "report.html", json,
			  &options);
}
