// SPDX-License-Identifier: MIT
/*
 * Recordings. See tools/common/recordings.h. A path is always opened as "file:...", so that a file
 * whose name is, for example, "emu:" is opened as a file.
 */
#include "tools/common/recordings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/sampled.h"
#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/tool.h"

/* The number of failures after which the rest of a recording is not read. */
#define RECORDINGS_FAILURES_MAX 100000

const char *recordings_prefix_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash[1] ? slash + 1 : program;
}

static char *recordings_source(const char *file)
{
	char *source;

	if (asprintf(&source, "%s%s", strncmp(file, "file:", 5) ? "file:" : "", file) < 0)
		return NULL;
	return source;
}

/* Check whether a file contains samples. */
static bool is_sampled(const char *source)
{
	struct Monitor *mon = NULL;
	json_t *mark = Monitor_open(&mon, source) < 0 ? NULL : sampled_mark(mon);
	bool sampled = mark != NULL;

	json_decref(mark);
	Monitor_close(mon);
	return sampled;
}

/* Get the length of a path without "-nodeN.rec". */
static int prefix_length(const char *file)
{
	const char *end = NULL;

	for (const char *at = file; (at = strstr(at, "-node")); at++)
		end = at;
	return (int)(end ? (size_t)(end - file) : strlen(file));
}

bool recordings_of_two(const struct recordings_part *in, const struct recordings_part *added,
		       char *text)
{
	uint32_t one = sampled_process(in->mon), other = sampled_process(added->mon);

	if (!one || !other || one == other)
		return false;
	snprintf(text, RECORDINGS_TEXT_BYTES,
		 "%s is of process %" PRIu32 ", and %s of process %" PRIu32
		 ": two processes have different memory at the same addresses, and are not added "
		 "up; give the recordings of one process: %.*s-node*.rec or %.*s-node*.rec; "
		 "`smile diff` compares two processes",
		 added->file, other, in->file, one, prefix_length(in->file), in->file,
		 prefix_length(added->file), added->file);
	return true;
}

/* Report why a file cannot be attached to the view. @first: the first file of the view. */
static int attach_failed(struct Monitor *mon, const char *first, const char *file,
			 const char *source)
{
	char text[RECORDINGS_TEXT_BYTES], *why = strdup(Monitor_error_message());
	struct Monitor *alone = NULL;
	bool two = Monitor_open(&alone, source) >= 0 &&
		   recordings_of_two(&(struct recordings_part){first, mon},
				     &(struct recordings_part){file, alone}, text);
	int result = tool_error("%s", two ? text : why ? why : "no memory");

	Monitor_close(alone);
	free(why);
	return result;
}

/*
 * Open a file as a new view, or attach it to the view of the files before it. @first_file: the
 * first file of the view.
 * @sampled: whether the files of the view contain samples; updated. Return: TOOL_OK; TOOL_ERROR
 *           after a message.
 */
static int recording_add(struct Monitor **mon, const char *first_file, const char *file,
			 bool *sampled)
{
	char *source = recordings_source(file);
	bool first = !*mon, before = *sampled;
	json_t *mark;
	int result, failed = TOOL_OK;

	if (!source)
		return tool_error("no memory");
	result = first ? Monitor_open(mon, source) : Monitor_attach(*mon, source);
	if (result >= 0) {
		mark = sampled_mark(*mon);
		/*
		 * An attached recording that has no parameters of its own gets the parameters of
		 * the view. To find out whether this recording has samples, open it separately.
		 */
		*sampled = mark && (first || !before || is_sampled(source));
		json_decref(mark);
	}
	if (result < 0)
		failed = first ? tool_error("%s", Monitor_error_message())
			       : attach_failed(*mon, first_file, file, source);
	free(source);
	if (failed)
		return failed;
	if (!first && *sampled != before)
		return tool_error("%s is not of the same kind as the recordings before it: samples "
				  "and exact counts are not added up",
				  file);
	return TOOL_OK;
}

bool recordings_missing(struct Monitor *mon, size_t given)
{
	size_t missing = sampled_missing(mon, given);

	if (missing)
		tool_message(
			"note: %zu of the %zu recordings of the run are not given; the samples "
			"of their nodes in their own memory are missing, so counts are too "
			"small, and shares wrong; give the recordings of all nodes",
			missing, missing + given);
	return missing;
}

/*
 * Check that the counts are exact. Return: @mon; NULL after a message if the counts are estimates.
 */
static struct Monitor *exact_only(struct Monitor *mon, const char *file)
{
	json_t *mark = sampled_mark(mon);

	if (!mark)
		return mon;
	json_decref(mark);
	tool_error(
		"%s holds samples, whose counts are estimates, and %s needs exact counts: `smile "
		"report pages`, structures, phases, threads, latency and lost, `smile view`, top, "
		"serve, advise and diff show samples with their bands; `smile run` counts exactly",
		file, tool_name());
	Monitor_close(mon);
	return NULL;
}

struct Monitor *recordings_open(char **files, int count, json_t **mark)
{
	struct Monitor *mon = NULL;
	bool sampled = false;

	if (mark)
		*mark = NULL;
	for (int i = 0; i < count; i++)
		if (recording_add(&mon, files[0], files[i], &sampled) != TOOL_OK) {
			Monitor_close(mon);
			return NULL;
		}
	if (!mark)
		return exact_only(mon, files[0]);
	if (sampled) {
		*mark = sampled_mark(mon);
		recordings_missing(mon, (size_t)count);
	}
	return mon;
}

/*
 * Read all records. Return: the number of errors. The first error is reported, unless @quietly is
 * set.
 */
static unsigned int take_in(struct Monitor *mon, bool quietly)
{
	unsigned int failures = 0;
	uint64_t records = 0;

	/*
	 * After a damaged record or at the end of a truncated recording, continue with the records
	 * that follow.
	 */
	do {
		int result = Monitor_poll(mon, 0);

		if (result < 0 && !failures++ && !quietly)
			tool_error("%s", Monitor_error_message());
		records += result > 0 ? (uint64_t)result : 0;
		if (progress_due()) {
			char text[TEXT_COUNT_BYTES];

			progress_show("%s records", text_count(text, records));
		}
	} while (!Monitor_ended(mon) && failures < RECORDINGS_FAILURES_MAX);
	progress_clear();
	return failures;
}

void recordings_take_in_quietly(struct Monitor *mon)
{
	take_in(mon, true);
}

int recordings_take_in(struct Monitor *mon)
{
	struct smile_statistics statistics;
	char why[256];

	if (run_facts_incomplete(mon, why, sizeof(why)))
		tool_message("note: not all of the run is counted: %s", why);
	if (take_in(mon, false)) {
		tool_message("the output covers only the part that could be read");
		return TOOL_ERROR;
	}
	/*
	 * There may be several recordings, so the library's message names the recording that was
	 * not closed.
	 */
	if (Monitor_statistics(mon, &statistics) == -ENODATA)
		tool_message(
			"note: %s; was the recording process killed? Counts that were still in the "
			"card are missing",
			Monitor_error_message());
	return TOOL_OK;
}
