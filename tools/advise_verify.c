// SPDX-License-Identifier: MIT
/*
 * smile advise --verify: the program once more, with its pages as advised.
 *
 * What lives here: the command line of that run, made from the recording's; the run; and what its
 * summary says.
 */
#include "tools/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/output.h"
#include "tools/report.h"
#include "tools/run.h"
#include "tools/smile.h"

/**
 * struct words - A command line.
 * @list: ended by NULL; all to be freed; shape [@room]
 * @count: how many
 * @room: for them
 */
struct words {
	char **list;
	size_t count;
	size_t room;
};

static void words_add(struct words *words, const char *word)
{
	if (words->count + 1 >= words->room) {
		size_t room = 2 * words->room + 16;
		char **list = report_memory(room, sizeof(*list));

		if (words->count)
			memcpy(list, words->list, words->count * sizeof(*list));
		free(words->list);
		words->list = list;
		words->room = room;
	}
	words->list[words->count] = report_memory(strlen(word) + 1, 1);
	strcpy(words->list[words->count++], word);
	words->list[words->count] = NULL;
}

static void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
}

/* Undo tool_command_line(): words between blanks, in single quotes if they hold anything special. */
static void words_split(struct words *words, const char *line)
{
	char *word = report_memory(strlen(line) + 1, 1);

	while (*line) {
		size_t used = 0;
		int quoted = 0;

		for (; *line == ' '; line++)
			;
		if (!*line)
			break;
		for (; *line && (quoted || *line != ' '); line++) {
			if (*line == '\'')
				quoted = !quoted;
			else if (*line == '\\' && !quoted && line[1])
				word[used++] = *++line;
			else
				word[used++] = *line;
		}
		word[used] = '\0';
		words_add(words, word);
	}
	free(word);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The options of the recorded run. Return: where its program stands in @recorded; -1 if none. */
static int options_add(struct words *words, const struct words *recorded)
{
	char **options = report_memory(recorded->count, sizeof(*options));
	size_t count;
	int program =
		run_options_again((int)recorded->count - 1, recorded->list + 1, options, &count);

	for (size_t i = 0; i < count; i++) {
		words_add(words, options[i]);
		free(options[i]);
	}
	free(options);
	return program < 0 ? -1 : program + 1;
}

/* Where nothing was recorded: the machine alone. */
static void machine_add(struct words *words, const struct advise *advise)
{
	const struct advise_model *model = &advise->model;
	char text[256];

	snprintf(text, sizeof(text), "--nodes=%zu", model->nodes);
	words_add(words, text);
	snprintf(text, sizeof(text),
		 "--latency=" LATENCY_DEFAULT ",local=%" PRIu64 ",read=%" PRIu64 ",write=%" PRIu64
		 ",lock=%" PRIu64 ",mhz=%" PRIu64,
		 model->weights.local, model->weights.read, model->weights.write,
		 model->weights.lock, model->frequency_hz / 1000000);
	words_add(words, text);
}

static void results_add(struct words *words, const char *scratch, const char *placement)
{
	char text[512];

	snprintf(text, sizeof(text), "--output=%s/run", scratch);
	words_add(words, text);
	snprintf(text, sizeof(text), "--json=%s/summary.json", scratch);
	words_add(words, text);
	words_add(words, "--quiet");
	snprintf(text, sizeof(text), "--place=%s", placement);
	words_add(words, text);
}

static int command_make(const struct advise *advise, struct words *words, const char *scratch,
			const char *placement)
{
	struct words recorded = {0};
	struct Monitor_origin origin;
	int program = -1, status = TOOL_OK;

	if (Monitor_origin(advise->mon, &origin) == 0 && origin.command_line)
		words_split(&recorded, origin.command_line);
	words_add(words, "smile");
	if (recorded.count > 2 && !strcmp(recorded.list[1], "sim") && !advise->program) {
		for (size_t i = 1; i < recorded.count; i++)
			words_add(words, recorded.list[i]);
		results_add(words, scratch, placement);
		words_free(&recorded);
		return TOOL_OK;
	}
	words_add(words, "run");
	if (recorded.count > 2 && !strcmp(recorded.list[1], "run"))
		program = options_add(words, &recorded);
	else
		machine_add(words, advise);
	results_add(words, scratch, placement);
	words_add(words, "--");
	for (char **word = advise->program; word && *word; word++)
		words_add(words, *word);
	for (size_t i = (size_t)program; !advise->program && program > 0 && i < recorded.count; i++)
		words_add(words, recorded.list[i]);
	if (!advise->program && program < 0)
		status =
			tool_error("the recordings do not tell which program they are of: give it: "
				   "--verify -- PROGRAM ARGUMENTS");
	words_free(&recorded);
	return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Its standard output is not ours: what is told here goes there. Return: its exit status; -1. */
static int command_run(char **command)
{
	pid_t pid;
	int state;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execv("/proc/self/exe", command);
		_exit(RUN_NOT_EXECUTABLE);
	}
	while (pid > 0 && waitpid(pid, &state, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (pid < 0)
		return -1;
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

static uint64_t number(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

static uint64_t access_cycles(const json_t *nodes)
{
	const json_t *node;
	uint64_t cycles = 0;
	size_t i;

	json_array_foreach(nodes, i, node)
	{
		const json_t *remote = json_object_get(node, "remote_cycles");

		cycles += number(node, "local_cycles") + number(node, "cache_cycles") +
			  number(remote, "reads") + number(remote, "writes") +
			  number(remote, "locks");
	}
	return cycles;
}

static void summary_take(struct advise *advise, const json_t *summary)
{
	const json_t *phases = json_object_get(summary, "phases"), *phase;
	struct advise_verified *verified = &advise->verified;
	size_t i;

	verified->done = 1;
	verified->status = (int)json_integer_value(json_object_get(summary, "exit_status"));
	if (!advise->phase) {
		verified->cycles = number(summary, "cycles");
		verified->access_cycles = access_cycles(json_object_get(summary, "by_node"));
		return;
	}
	json_array_foreach(phases, i, phase)
	{
		const char *name = json_string_value(json_object_get(phase, "name"));

		if (!name || strcmp(name, advise->phase))
			continue;
		verified->cycles += number(phase, "cycles");
		verified->access_cycles += access_cycles(json_object_get(phase, "by_node"));
	}
}

/* ---- scratch --------------------------------------------------------------------------------- */

static void scratch_remove(const struct advise *advise, const char *scratch)
{
	char path[512];

	for (size_t n = 0; n < advise->model.nodes; n++) {
		snprintf(path, sizeof(path), "%s/run-node%zu.rec", scratch, n);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/summary.json", scratch);
	unlink(path);
	snprintf(path, sizeof(path), "%s/placement", scratch);
	unlink(path);
	rmdir(scratch);
}

static int verify_in(struct advise *advise, const char *scratch, const char *placement)
{
	struct words command = {0};
	char path[512];
	json_t *summary;
	int status, ended;

	snprintf(path, sizeof(path), "%s/placement", scratch);
	if (!placement) {
		placement = path;
		if (advise_place_write(advise, placement) != TOOL_OK)
			return TOOL_ERROR;
	}
	status = command_make(advise, &command, scratch, placement);
	if (status == TOOL_OK) {
		ended = command_run(command.list);
		snprintf(path, sizeof(path), "%s/summary.json", scratch);
		summary = json_load_file(path, 0, NULL);
		if (summary)
			summary_take(advise, summary);
		else
			status =
				tool_error("the run with the placement failed with status %d: see "
					   "above; --verify -- PROGRAM ARGUMENTS names the program",
					   ended);
		json_decref(summary);
	}
	words_free(&command);
	return status;
}

int advise_verify(struct advise *advise, const char *placement)
{
	const char *directory = getenv("TMPDIR");
	char scratch[256];
	int status;

	if (!advise->time.known)
		return tool_error("--verify compares with the run time, which these recordings do "
				  "not tell: record with `smile run`");
	snprintf(scratch, sizeof(scratch), "%s/smile-advise-XXXXXX",
		 directory && *directory ? directory : "/tmp");
	if (!mkdtemp(scratch))
		return tool_error("no directory for the run can be made in %s: %s",
				  directory && *directory ? directory : "/tmp", strerror(errno));
	status = verify_in(advise, scratch, placement);
	scratch_remove(advise, scratch);
	return status;
}
