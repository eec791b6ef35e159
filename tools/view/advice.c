// SPDX-License-Identifier: MIT
/*
 * View: add the advice of `smile advise` to the document.
 */
#include "tools/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/advise/advise.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* The largest number of variables, and of lines of a placement file, in the document. */
#define DATA_MAX 256
#define LINES_MAX 4096
/* The name of the placement file in commands. */
#define PLACEMENT "placement"

/*
 * Get the text of the placement file. Return: JSON null if no file can express the placement, or if
 * the text would be too long.
 */
static json_t *placement_json(const struct Monitor_advise *advise)
{
	size_t bytes;
	char *text = NULL;
	FILE *out;
	int failed;
	json_t *json;

	if (advise->run_count > LINES_MAX)
		return json_null();
	out = open_memstream(&text, &bytes);
	if (!out)
		return json_null();
	failed = Monitor_advise_placement(advise, out);
	json = !fclose(out) && !failed ? document_text(text) : json_null();
	free(text);
	return json;
}

/*
 * Get names of the recordings for a command. The command must be run in the directory of the
 * recorded run, because the name of its program may be relative to this directory. Recordings in
 * other directories therefore get absolute names. Return: the names, shape [file_count]; the list
 * and each name must be freed.
 */
static char **files_named(const struct advise_command *command)
{
	char **names = tool_memory((size_t)command->file_count, sizeof(*names));
	int here = advise_recorded_here(command);

	for (int i = 0; i < command->file_count; i++) {
		names[i] = here ? NULL : realpath(command->files[i], NULL);
		if (!names[i])
			names[i] = strdup(command->files[i]);
	}
	return names;
}

/*
 * Get the `smile advise` command that writes the placement file. Return: the command, which the
 * caller must free; NULL if memory ran out.
 */
static char *own_command(const struct advise_command *command)
{
	struct advise_command named = *command;
	char *line = NULL;
	int i, complete = 1;

	named.files = files_named(command);
	for (i = 0; i < named.file_count; i++)
		complete = complete && named.files[i];
	if (complete)
		line = advise_own_command(&named, PLACEMENT);
	for (i = 0; i < named.file_count; i++)
		free(named.files[i]);
	free(named.files);
	return line;
}

bool view_files_are_here(const struct view *view)
{
	for (int i = 0; i < view->file_count; i++) {
		const char *file = view->files[i];

		if (access(strncmp(file, "file:", 5) ? file : file + 5, R_OK))
			return false;
	}
	return true;
}

/*
 * Get the command that writes the placement file and runs the program with it. Return: the command,
 * which the caller must free; NULL if the recordings do not name the program, as recordings of
 * cards do not.
 */
static char *command_line(const struct advise_command *command)
{
	char *place = own_command(command);
	char *run = advise_command_line(command, PLACEMENT);
	char *line = NULL;

	if (place && run && asprintf(&line, "%s && %s", place, run) < 0)
		line = NULL;
	free(run);
	free(place);
	return line;
}

static json_t *document(const struct view *view, const struct advise_command *command)
{
	char *line = command_line(command);
	bool here = view_files_are_here(view);
	const struct Monitor_advise *advise = command->advise;
	const struct Monitor_advise_sums *sums = &advise->sums;
	json_t *json = json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:I, s:o, s:o, s:o, s:b, s:o}", "pages",
		(json_int_t)advise->count, "wrong_node", (json_int_t)sums->wrong, "to_move",
		(json_int_t)sums->moved, "truly_shared", (json_int_t)sums->shared, "cycles",
		document_int(sums->cycles), "advised_cycles", document_int(sums->advised_cycles),
		"shared_below", advise->options.shared_below, "data",
		advise_data_json(advise, DATA_MAX), "data_count", (json_int_t)advise->data_count,
		"notes", advise_notes_json(advise), "roles", advise_roles_json(advise), "command",
		line && here ? document_text(line) : json_null(), "elsewhere", line && !here,
		"placement", placement_json(advise));

	free(line);
	return json;
}

json_t *view_advice_json(const struct view *view)
{
	struct advise_command command = {
		.files = view->files,
		.file_count = view->file_count,
		.options = ADVISE_OPTIONS,
	};
	json_t *advice = NULL;

	/*
	 * For samples there is no such advice, because they have neither cycles nor gains: see
	 * view_sampled_json().
	 */
	if (!view->model.page_count || view->run.samples.object)
		return json_null();
	command.options.fallback = advise_fallback();
	command.options.expected_pages = view->model.page_count;
	if (tool_result(Monitor_advise_new(view->model.mon, &command.options, &command.advise)) ==
	    TOOL_OK)
		advice = document(view, &command);
	Monitor_advise_free(command.advise);
	return advice ? advice : json_null();
}
