// SPDX-License-Identifier: MIT
/*
 * smile view: write the data of recordings as a web page. It is the Data Layout Visualizer of the
 * papers.
 *
 * What lives here: the options, and the output of the file. Source: "Memory access behavior
 * analysis of NUMA-based shared memory programs" (2002), section 4.1.
 */
#include "tools/view/view.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/hot_option.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

static const char *const view_help[] = {
#include "tools/help/view.h"
	NULL,
};

#define VIEW_DETAILS_MAX 1000000
/*
 * The size from which recordings count as large. Recordings with exact counts need a tenth of the
 * size of other recordings, or less.
 */
#define VIEW_LARGE_BYTES ((off_t)256 << 10)

/*
 * Write a new file and rename it at the end, so that an existing page is kept until the new page is
 * complete. A device, a pipe or a link is written itself, since the rename would replace it.
 */
static int page_to_file(json_t *document, const char *path)
{
	struct stat status;
	bool renames = lstat(path, &status) || S_ISREG(status.st_mode);
	char *temporary;
	FILE *out;
	int failed;

	if (asprintf(&temporary, "%s%s", path, renames ? ".part" : "") < 0)
		return tool_error("no memory");
	out = output_file_create(temporary);
	if (!out) {
		free(temporary);
		return TOOL_ERROR;
	}
	errno = 0;
	failed = view_page_write(out, document);
	failed |= fclose(out);
	failed |= !failed && renames && rename(temporary, path);
	if (failed) {
		tool_error("the page %s cannot be written: %s", path,
			   errno ? strerror(errno) : "no memory");
		if (renames)
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

/*
 * Remove the state file from the list of files, and open it. Return: TOOL_OK; TOOL_ERROR after a
 * message.
 */
static int states_open(char **files, int *count, struct state_file **states)
{
	int recordings = 0;

	for (int i = 0; i < *count; i++) {
		if (!state_file_is(files[i])) {
			files[recordings++] = files[i];
			continue;
		}
		if (*states)
			return tool_usage("%s: one state file can be viewed at a time", files[i]);
		if (state_file_open(states, files[i]) < 0)
			return tool_error("%s", Monitor_error_message());
	}
	*count = recordings;
	return TOOL_OK;
}

/* Read the intervals that the state file contains now. */
static int states_take_in(struct state_file *states)
{
	int got, idle = 0;

	/* Read until two calls have found no more data, which is the end of the file. */
	do {
		got = state_file_poll(states);
		idle += !got;
	} while (got >= 0 && idle < 2);
	if (got < 0) {
		tool_error("%s", Monitor_error_message());
		tool_message("the page covers only the part that could be read");
		return TOOL_ERROR;
	}
	return TOOL_OK;
}

/* Open the recordings. If there are none, open an emulated card without traffic instead. */
static struct Monitor *monitor_open(char **files, int count)
{
	struct Monitor *mon = NULL;
	struct run_facts *sampled;

	if (count) {
		mon = recordings_open(files, count, &sampled);
		/* Release the facts, because view_document() reads them again. */
		run_facts_sampled_free(sampled);
		return mon;
	}
	if (Monitor_open(&mon, "emu:") < 0)
		tool_error("%s", Monitor_error_message());
	return mon;
}

/*
 * Let malloc() keep freed memory. Tables that grow free memory that is soon needed again. If this
 * memory were returned to the kernel, the kernel would clear it each time.
 */
static void memory_keep(void)
{
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

/*
 * Check whether the recordings are so large that reading them twice takes less time than counting
 * all ranges.
 */
static bool are_large(char **files, int count)
{
	off_t bytes = 0;
	struct stat status;

	for (int i = 0; i < count; i++) {
		const char *file = files[i];

		if (!strncmp(file, "file:", 5))
			file += 5;
		/* A pipe cannot be read twice. */
		if (stat(file, &status) || !S_ISREG(status.st_mode))
			return false;
		bytes += status.st_size;
	}
	return bytes >= VIEW_LARGE_BYTES;
}

static int view_opened(struct Monitor *mon, struct state_file *states, char **files, int count,
		       const struct view_options *options, json_t **document)
{
	int alone = states && !count, taken_in = TOOL_OK, states_in = TOOL_OK;
	char *name = alone ? (char *)state_file_path(states) : NULL;

	/*
	 * The ranges of other pages need not be counted, because only the ranges of the pages that
	 * lose the most cycles are shown.
	 */
	if (options->ranges_later && tool_result(Monitor_variables_only(mon)) != TOOL_OK)
		return TOOL_ERROR;
	if (!alone)
		taken_in = recordings_take_in(mon);
	if (states)
		states_in = states_take_in(states);
	*document = view_document(mon, alone ? &name : files, alone ? 1 : count, states, options);
	return taken_in != TOOL_OK ? taken_in : states_in;
}

static int view_files(char **files, int count, const char *path, int json,
		      struct view_options *options)
{
	struct state_file *states = NULL;
	struct Monitor *mon = NULL;
	json_t *document = NULL;
	int taken_in, status = TOOL_ERROR;

	if (states_open(files, &count, &states) == TOOL_OK &&
	    (count || option_form_idle("a state file alone", "details hot") == TOOL_OK)) {
		options->ranges_later = are_large(files, count);
		if (options->ranges_later)
			memory_keep();
		mon = monitor_open(files, count);
	}
	if (!mon) {
		state_file_close(states);
		return TOOL_ERROR;
	}
	taken_in = view_opened(mon, states, files, count, options, &document);
	state_file_close(states);
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
	int json = 0, status;
	const struct tool_option table[] = {
		OPTION_OUTPUT("output", 'o', &path),
		OPTION_NUMBER("details", 0, 0, VIEW_DETAILS_MAX, &details),
		OPTION_FLAG("json", 0, &json),
		OPTION_TAKE("hot", 0, hot_option_take, &options.hot),
		OPTION_HELP(view_help),
		OPTION_END,
	};

	if (!option_table_parse(argc, argv, "", table, &status))
		return status;
	if (json && path)
		return tool_usage("-o names a page; --json prints to standard output");
	if (optind == argc)
		return tool_usage("which recording? Give a file, or several of different nodes");
	options.details = (size_t)details;
	return view_files(argv + optind, argc - optind, path ? path : "report.html", json,
			  &options);
}
