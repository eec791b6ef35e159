// SPDX-License-Identifier: MIT
/*
 * Recordings. See tools/common/recordings.h. A path is always opened as "file:...", so that a file
 * with a name such as "emu:" is still opened as a file.
 */
#include "tools/common/recordings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/sampled.h"
#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/tool.h"

/* After this many failures, a source is given up. */
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

/* Does this file hold samples? */
static bool is_sampled(const char *source)
{
	struct Monitor *mon = NULL;
	json_t *mark = Monitor_open(&mon, source) < 0 ? NULL : sampled_mark(mon);
	bool sampled = mark != NULL;

	json_decref(mark);
	Monitor_close(mon);
	return sampled;
}

/*
 * Open a file, or attach it to the files before it. @sampled: whether those hold samples; updated.
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
static int recording_add(struct Monitor **mon, const char *file, bool *sampled)
{
	char *source = recordings_source(file);
	bool first = !*mon, before = *sampled;
	json_t *mark;
	int result;

	if (!source)
		return tool_error("no memory");
	result = first ? Monitor_open(mon, source) : Monitor_attach(*mon, source);
	if (result >= 0) {
		mark = sampled_mark(*mon);
		/*
		 * Once it is attached, a recording without parameters has the parameters of the
		 * others.
		 */
		*sampled = mark && (first || !before || is_sampled(source));
		json_decref(mark);
	}
	free(source);
	if (result < 0)
		return tool_error("%s", Monitor_error_message());
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

/* Check that the counts are exact. Return: NULL after a message if they are not. */
static struct Monitor *exact_only(struct Monitor *mon, const char *file)
{
	json_t *mark = sampled_mark(mon);

	if (!mark)
		return mon;
	json_decref(mark);
	tool_error(
		"%s holds samples, whose counts are estimates, and %s needs exact counts: `smile "
		"report pages`, structures, phases and lost, `smile view`, top, serve, advise and "
		"diff show samples with their bands; `smile run` counts exactly",
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
		if (recording_add(&mon, files[i], &sampled) != TOOL_OK) {
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

/* Return: the number of errors; the first one is reported, unless @quietly. */
static unsigned int take_in(struct Monitor *mon, bool quietly)
{
	unsigned int failures = 0;
	uint64_t records = 0;

	/* A damaged record, or a truncated recording, must not hide the records after it. */
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

	if (take_in(mon, false)) {
		tool_message("the output covers only the part that could be read");
		return TOOL_ERROR;
	}
	/* There may be several recordings: the message names the recording that was not closed. */
	if (Monitor_statistics(mon, &statistics) == -ENODATA)
		tool_message(
			"note: %s; was the recording process killed? Counts that were still in the "
			"card are missing",
			Monitor_error_message());
	return TOOL_OK;
}
