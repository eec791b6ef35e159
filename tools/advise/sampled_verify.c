// SPDX-License-Identifier: MIT
/*
 * smile advise --verify, for samples: run the program natively, with the placement and without it.
 *
 * What lives here: the runs, which alternate between the program with the placement and the program
 * without it, and the measurements. A measurement is the elapsed time of a run, and the nodes of
 * the pages that the placement names. `smile place` applies the placement. It reports the elapsed
 * time of the program, without the time that `smile place` itself needs to start.
 */
#include "tools/advise/sampled_verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/child.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/run/run_command.h"

/**
 * struct runs - The two commands that are run alternately.
 * @plain: the program without the placement; ends with NULL
 * @placed: `smile place` with the program; ends with NULL
 * @outcome: file to which `smile place` writes its result for each page
 * @reads: standard input is a file, which each run reads from its start
 */
struct runs {
	char **plain;
	char **placed;
	const char *outcome;
	bool reads;
};

/* ---- a run ----------------------------------------------------------------------------------- */

static void child_run(const char *file, char **words, bool reads, const char *errors)
{
	int input = open(reads ? "/proc/self/fd/0" : "/dev/null", O_RDONLY);
	int output = open("/dev/null", O_WRONLY);
	int error = errors ? open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (input >= 0)
		dup2(input, STDIN_FILENO);
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	if (error >= 0)
		dup2(error, STDERR_FILENO);
	execvp(file, words);
	tool_error("%s cannot be run: %s", file, strerror(errno));
	_exit(errno == ENOENT ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE);
}

int sampled_run_once(const char *file, char **words, bool reads, const char *errors,
		     double *seconds)
{
	uint64_t began_ns = tool_now_ns();
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (!pid)
		child_run(file, words, reads, errors);
	status = pid < 0 ? -1 : child_status(pid);
	*seconds = (double)(tool_now_ns() - began_ns) / 1e9;
	return status;
}

/* ---- measurements ---------------------------------------------------------------------------- */

static int by_size(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static struct sampled_times times_of(double *seconds, size_t count)
{
	qsort(seconds, count, sizeof(*seconds), by_size);
	return (struct sampled_times){
		.median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
		.least = seconds[0],
		.most = seconds[count - 1],
	};
}

/* Read the results of `smile place`. Return: the elapsed time of the program. */
static double outcome_take(struct sampled_verified *verified, const char *path)
{
	struct run_facts outcome;
	double seconds;

	run_facts_decode(json_load_file(path, 0, NULL), &outcome);
	seconds = (double)outcome.elapsed_ns / 1e9;
	verified->pages = verified->placed = 0;
	for (size_t i = 0; i < outcome.regions.count; i++) {
		verified->pages += outcome.regions.at[i].pages;
		verified->placed += outcome.regions.at[i].placed;
	}
	verified->looked_up = outcome.looked_up;
	run_facts_free(&outcome);
	unlink(path);
	return seconds;
}

/*
 * Note whether the exit status of a run differs from that of another run, or from the recorded exit
 * status.
 */
static void status_check(struct sampled_verified *verified, int status, int recorded)
{
	if (status != recorded && verified->status == recorded)
		verified->status = status;
}

static int measure(struct sampled_verified *verified, const struct runs *runs, int recorded)
{
	double *plain = tool_memory(verified->runs, sizeof(*plain));
	double *placed = tool_memory(verified->runs, sizeof(*placed));
	int status = TOOL_OK;

	verified->status = recorded;
	for (size_t i = 0; i < verified->runs && status == TOOL_OK; i++) {
		int without =
			sampled_run_once(runs->plain[0], runs->plain, runs->reads, NULL, &plain[i]);
		int with = sampled_run_once("/proc/self/exe", runs->placed, runs->reads, NULL,
					    &placed[i]);

		if (without < 0 || with < 0)
			status = tool_error("the program cannot be started: %s", strerror(errno));
		status_check(verified, without, recorded);
		status_check(verified, with, recorded);
		placed[i] = outcome_take(verified, runs->outcome);
		if (status == TOOL_OK && !verified->pages)
			status =
				tool_error("the program did not run with the placement: see above");
	}
	if (status == TOOL_OK) {
		verified->without = times_of(plain, verified->runs);
		verified->with = times_of(placed, verified->runs);
		verified->done = true;
	}
	free(plain);
	free(placed);
	return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

/*
 * Get the recorded program and its arguments. The caller must free them. Return: NULL if they are
 * not known.
 */
static char **recorded_words(const struct run_facts *run)
{
	char **words;

	if (!run->arguments.count)
		return NULL;
	words = tool_memory(run->arguments.count + 1, sizeof(*words));
	memcpy(words, run->arguments.at, run->arguments.count * sizeof(*words));
	return words;
}

static bool input_is_file(void)
{
	struct stat input;
	bool file = !fstat(STDIN_FILENO, &input) && S_ISREG(input.st_mode);

	if (!file)
		tool_message("note: the program's standard input is empty: give it a file with <");
	return file;
}

static int verify_in(struct sampled_verified *verified, const struct sampled_again *again)
{
	char json[560], outcome[512];
	/*
	 * If the threads were not bound to nodes when they were sampled, do not bind them in these
	 * runs.
	 */
	char *head[] = {(char *)"smile",
			(char *)"place",
			(char *)"-q",
			json,
			again->bound ? (char *)"-q" : (char *)"--no-binding",
			(char *)again->placement,
			(char *)"--"};
	const size_t before = sizeof(head) / sizeof(head[0]);
	struct runs runs = {.plain = again->program, .outcome = outcome, .reads = again->reads};
	size_t count = 0;
	int status;

	snprintf(outcome, sizeof(outcome), "%s/outcome.json", again->scratch);
	snprintf(json, sizeof(json), "--json=%s", outcome);
	while (again->program[count])
		count++;
	runs.placed = tool_memory(before + count + 1, sizeof(*runs.placed));
	memcpy(runs.placed, head, sizeof(head));
	memcpy(runs.placed + before, again->program, count * sizeof(*runs.placed));
	status = measure(verified, &runs, again->recorded);
	free(runs.placed);
	if (status == TOOL_OK)
		sampled_remote_measure(&verified->remote, again);
	return status;
}

int sampled_verify(struct sampled_verified *verified, const struct advise_command *command,
		   const struct run_facts *run, const char *placement, const char *scratch)
{
	char **words = recorded_words(run);
	struct sampled_again again = {
		.program = command->program ? command->program : words,
		.source = strcmp(run->samples.source, "?") ? run->samples.source : "auto",
		.bound = run->threads_bound > 0,
		.recorded = (int)run->exit_status,
		.placement = placement,
		.scratch = scratch,
	};
	int status;

	if (!again.program) {
		status = tool_error("the recordings do not name the program that ran: give it: "
				    "--verify -- PROGRAM ARGUMENTS");
	} else {
		again.reads = input_is_file();
		if (run->parent && !command->program)
			tool_message("note: another program has started this one when it was "
				     "sampled: here it runs by itself, without the environment "
				     "and the files that it got from the other program");
		status = verify_in(verified, &again);
	}
	if (again.program && status == TOOL_OK)
		verified->failed = verified->status != again.recorded;
	free(words);
	return status;
}

/* ---- verdict and output ---------------------------------------------------------------------- */

enum sampled_verdict sampled_verdict(const struct sampled_verified *verified)
{
	if (verified->failed)
		return SAMPLED_FAILED;
	if (verified->with.most < verified->without.least)
		return SAMPLED_FASTER;
	return verified->with.least > verified->without.most ? SAMPLED_SLOWER : SAMPLED_ALIKE;
}

void sampled_verified_print(const struct sampled_verified *verified)
{
	const struct sampled_times *with = &verified->with, *without = &verified->without;
	static const char *const verdicts[] = {
		[SAMPLED_FASTER] = "it is faster with it",
		[SAMPLED_SLOWER] = "it is slower with it",
		[SAMPLED_ALIKE] = "the runs show no difference",
		[SAMPLED_FAILED] = "it ended in another way than when it was sampled",
	};
	char remote[1024];

	sampled_remote_text(&verified->remote, remote, sizeof(remote));
	output_text("verified, %zu runs each, natively: %.3f s without the placement [%.3f-%.3f], "
		    "%.3f s with it [%.3f-%.3f], %+.1f%%: %s. %" PRIu64 " of the %" PRIu64
		    " pages that it names lay on their nodes%s. %s",
		    verified->runs, without->median, without->least, without->most, with->median,
		    with->least, with->most, 100 * (with->median / without->median - 1),
		    verdicts[sampled_verdict(verified)], verified->placed, verified->pages,
		    verified->looked_up ? "" : " as far as they were looked up", remote);
}

json_t *sampled_verified_json(const struct sampled_verified *verified)
{
	static const char *const verdicts[] = {
		[SAMPLED_FASTER] = "faster",
		[SAMPLED_SLOWER] = "slower",
		[SAMPLED_ALIKE] = "alike",
		[SAMPLED_FAILED] = "failed",
	};
	const struct sampled_times *with = &verified->with, *without = &verified->without;

	return json_pack("{s:i, s:s, s:i, s:[f,f,f], s:[f,f,f], s:I, s:I, s:b, s:o}", "runs",
			 (int)verified->runs, "verdict", verdicts[sampled_verdict(verified)],
			 "exit_status", verified->status, "without_s", without->least,
			 without->median, without->most, "with_s", with->least, with->median,
			 with->most, "pages", (json_int_t)verified->pages, "placed",
			 (json_int_t)verified->placed, "looked_up", verified->looked_up,
			 "remote_share", sampled_remote_json(&verified->remote));
}
