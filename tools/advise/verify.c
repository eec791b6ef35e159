// SPDX-License-Identifier: MIT
/*
 * smile advise --verify: run the program again with the advised placement.
 *
 * What lives here: the run, and the parser of its summary. command.c composes the command line of
 * the run.
 */
#include "tools/advise/advise.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/child.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/signals.h"
#include "tools/run/run_command.h"
#include "tools/common/tool.h"

/* Compose the command line of the run, which writes its results into @scratch. */
static int command_make(const struct advise_command *command, struct advise_words *words,
			const char *scratch, const char *placement)
{
	char output[512], json[512], place[1024];
	const char *const results[] = {output, json, "--quiet", place};

	snprintf(output, sizeof(output), "--output=%s/run", scratch);
	snprintf(json, sizeof(json), "--json=%s/summary.json", scratch);
	snprintf(place, sizeof(place), "--place=%s", placement);
	if (advise_command_make(command, words, results, 4))
		return TOOL_OK;
	return tool_error("the recordings do not name the program that ran: give it: "
			  "--verify -- PROGRAM ARGUMENTS");
}

/* ---- the run --------------------------------------------------------------------------------- */

/*
 * Run the command. Its standard output is redirected to standard error, since `smile advise` prints
 * its own report on standard output. Return: the command's exit status; -1 if it could not be run.
 */
static int command_run(char **words, int input)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (input >= 0)
			dup2(input, STDIN_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execv("/proc/self/exe", words);
		_exit(RUN_NOT_EXECUTABLE);
	}
	return pid < 0 ? -1 : child_status(pid);
}

/*
 * Open the standard input of the recorded run again. Return: a descriptor; -1 if the program reads
 * the standard input of this command; -2 after a message.
 */
static int input_open(const struct advise_command *command)
{
	const char *path = command->advise->run.input;
	int input;

	if (!path)
		return -1;
	if (!*path) {
		tool_message("note: the recorded run read from a pipe: give the same input to this "
			     "command");
		return -1;
	}
	input = open(path, O_RDONLY | O_CLOEXEC);
	if (input >= 0)
		return input;
	tool_error("the recorded run's standard input, %s, cannot be read again: %s", path,
		   strerror(errno));
	return -2;
}

static uint64_t access_cycles(const struct run_facts_nodes *nodes)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < nodes->count; i++)
		cycles += nodes->at[i].access_cycles;
	return cycles;
}

static void summary_take(struct advise_command *command, const struct run_facts *summary)
{
	struct advise_verified *verified = &command->verified;

	verified->done = 1;
	verified->status = (int)summary->exit_status;
	verified->failed = summary->exit_status != command->advise->run.exit_status;
	if (!command->options.phase) {
		verified->cycles = summary->cycles;
		verified->access_cycles = access_cycles(&summary->by_node);
		return;
	}
	for (size_t i = 0; i < summary->phases.count; i++) {
		const struct run_facts_phase *phase = &summary->phases.at[i];

		if (!phase->name || strcmp(phase->name, command->options.phase))
			continue;
		verified->cycles += phase->cycles;
		verified->access_cycles += access_cycles(&phase->by_node);
	}
}

/* Read the summary of the run, which has ended with the status @ended. */
static int summary_read(struct advise_command *command, const char *scratch, int ended)
{
	struct run_facts summary;
	int status = TOOL_OK;
	char path[512];

	if (signals_count())
		return tool_error("interrupted: the placement is not verified");
	snprintf(path, sizeof(path), "%s/summary.json", scratch);
	if (run_facts_decode(json_load_file(path, 0, NULL), &summary) == 0 && summary.document)
		summary_take(command, &summary);
	else
		status = tool_error("the run with the placement failed with status %d: see above; "
				    "--verify -- PROGRAM ARGUMENTS names the program",
				    ended);
	run_facts_free(&summary);
	return status;
}

/* ---- reasons of a difference ----------------------------------------------------------------- */

/*
 * Check whether the run time differs from the prediction: more than 10 percent below the predicted
 * time, or more than 10 percent above the upper end of its range. If no page has moved, return 0,
 * because the placement has then not caused the difference between the recorded run and this run.
 */
static int differs(const struct advise_command *command)
{
	const struct Monitor_advise_time *time = &command->advise->time;
	double measured = (double)command->verified.cycles;

	return command->advise->sums.moved &&
	       (measured < 0.9 * (double)time->then || measured > 1.1 * (double)time->most);
}

/*
 * Check whether the run failed early, for example because the program refuses to overwrite the
 * files of its first run.
 */
static int is_early(const struct advise_command *command)
{
	const struct advise_verified *verified = &command->verified;

	return verified->failed &&
	       verified->access_cycles < command->advise->time.access_cycles / 2;
}

static int why_find(struct advise_command *command, const char *scratch)
{
	size_t nodes = command->advise->nodes;
	char **files = tool_memory(nodes, sizeof(*files));
	struct Monitor *mon = NULL;
	int status = TOOL_OK;

	for (size_t n = 0; n < nodes; n++)
		if (asprintf(&files[n], "%s/run-node%zu.rec", scratch, n) < 0)
			files[n] = NULL;
	if (files[nodes - 1])
		mon = recordings_open(files, (int)nodes, NULL);
	if (!mon || recordings_take_in(mon) != TOOL_OK)
		status = TOOL_ERROR;
	else
		status = tool_result(
			Monitor_advise_explain(command->advise, mon, command->verified.why));
	Monitor_close(mon);
	for (size_t n = 0; n < nodes; n++)
		free(files[n]);
	free(files);
	return status;
}

/* ---- scratch --------------------------------------------------------------------------------- */

static void scratch_remove(size_t nodes, const char *scratch)
{
	char path[512];

	for (size_t n = 0; n < nodes; n++) {
		snprintf(path, sizeof(path), "%s/run-node%zu.rec", scratch, n);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/summary.json", scratch);
	unlink(path);
	snprintf(path, sizeof(path), "%s/placement", scratch);
	unlink(path);
	rmdir(scratch);
}

static int verify_in(struct advise_command *command, const char *scratch, const char *placement)
{
	struct advise_words words = {0};
	char path[512];
	int status, ended, input = -1;

	snprintf(path, sizeof(path), "%s/placement", scratch);
	if (!placement) {
		placement = path;
		if (advise_place_write(command->advise, NULL, placement) != TOOL_OK)
			return TOOL_ERROR;
	}
	status = command_make(command, &words, scratch, placement);
	if (status == TOOL_OK) {
		input = input_open(command);
		status = input == -2 ? TOOL_ERROR : TOOL_OK;
	}
	if (status == TOOL_OK) {
		ended = command_run(words.list, input);
		if (input >= 0)
			close(input);
		status = summary_read(command, scratch, ended);
		command->verified.early = status == TOOL_OK && is_early(command);
		if (status == TOOL_OK && differs(command) && !command->verified.early)
			status = why_find(command, scratch);
	}
	advise_words_free(&words);
	return status;
}

int advise_scratch_make(char scratch[ADVISE_SCRATCH_BYTES])
{
	const char *directory = getenv("TMPDIR");

	if (!directory || !*directory)
		directory = "/tmp";
	snprintf(scratch, ADVISE_SCRATCH_BYTES, "%s/smile-advise-XXXXXX", directory);
	if (mkdtemp(scratch))
		return TOOL_OK;
	return tool_error("no directory for the run can be made in %s: %s", directory,
			  strerror(errno));
}

int advise_verify(struct advise_command *command, const char *placement)
{
	const struct Monitor_advise_role *queue;
	char scratch[ADVISE_SCRATCH_BYTES], waits[512];
	int status;

	if (!command->advise->time.known)
		return tool_error("--verify compares with the run time, which these recordings do "
				  "not hold: record with `smile run`");
	/* If the command is interrupted, it must still remove the directory. */
	signals_catch();
	if (advise_scratch_make(scratch) != TOOL_OK)
		return TOOL_ERROR;
	queue = advise_queue(command->advise);
	if (queue && command->advise->sums.moved)
		tool_message("note: the work %s at %s: threads may take other parts of it in this "
			     "run, so the placement may not hold",
			     advise_queue_is(queue), advise_queue_place(queue));
	if (advise_lock_waits(command->advise, waits, sizeof(waits)))
		tool_message("note: %s", waits);
	status = verify_in(command, scratch, placement);
	scratch_remove(command->advise->nodes, scratch);
	return status;
}
