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
	bool sampled = Monitor_open(&mon, source) >= 0 && run_facts_are_sampled(mon);

	Monitor_close(mon);
	return sampled;
}

/* Get the number of the process of `smile sample --children`; 0: the recording names no process. */
static uint64_t process_of(struct Monitor *mon)
{
	struct run_facts *sampled = run_facts_sampled(mon);
	uint64_t process = sampled ? sampled->process : 0;

	run_facts_sampled_free(sampled);
	return process;
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
	uint64_t one = process_of(in->mon), other = process_of(added->mon);

	if (!one || !other || one == other)
		return false;
	snprintf(text, RECORDINGS_TEXT_BYTES,
		 "%s is of process %" PRIu64 ", and %s of process %" PRIu64
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
	int result, failed = TOOL_OK;

	if (!source)
		return tool_error("no memory");
	result = first ? Monitor_open(mon, source) : Monitor_attach(*mon, source);
	/*
	 * An attached recording that has no parameters of its own gets the parameters of the view.
	 * To find out whether this recording has samples, open it separately.
	 */
	if (result >= 0)
		*sampled = first || !before ? run_facts_are_sampled(*mon) : is_sampled(source);
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

void recordings_missing(const struct run_facts *sampled, size_t given)
{
	size_t missing = run_facts_missing(sampled, given);

	if (missing)
		tool_message(
			"note: %zu of the %zu recordings of the run are not given; the samples "
			"of their nodes in their own memory are missing, so counts are too "
			"small, and shares wrong; give the recordings of all nodes",
			missing, missing + given);
}

/* Close recordings of samples for a command that needs exact counts. Return: NULL. */
static struct Monitor *sampled_refuse(struct Monitor *mon, const char *file)
{
	tool_error(
		"%s holds samples, whose counts are estimates, and %s needs exact counts: `smile "
		"report pages`, structures, phases, threads, latency and lost, `smile view`, top, "
		"serve, advise and diff show samples with their bands; `smile run` counts exactly",
		file, tool_name());
	Monitor_close(mon);
	return NULL;
}

struct Monitor *recordings_open(char **files, int count, struct run_facts **sampled)
{
	struct Monitor *mon = NULL;
	bool are_sampled = false;

	if (sampled)
		*sampled = NULL;
	for (int i = 0; i < count; i++)
		if (recording_add(&mon, files[0], files[i], &are_sampled) != TOOL_OK) {
			Monitor_close(mon);
			return NULL;
		}
	if (!sampled)
		return are_sampled ? sampled_refuse(mon, files[0]) : mon;
	if (are_sampled)
		*sampled = run_facts_sampled(mon);
	if (*sampled)
		recordings_missing(*sampled, (size_t)count);
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
