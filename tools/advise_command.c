// SPDX-License-Identifier: MIT
/*
 * smile advise: the command of the recorded run, made from what the recording tells of it.
 */
#include "tools/advise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report.h"
#include "tools/run.h"
#include "tools/smile.h"

/* ---- words ----------------------------------------------------------------------------------- */

static void words_add(struct advise_words *words, const char *word)
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

void advise_words_free(struct advise_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct advise_words){0};
}

/* Undo tool_command_line(): words between blanks, in single quotes if they hold anything special. */
static void words_split(struct advise_words *words, const char *line)
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
static int options_add(struct advise_words *words, const struct advise_words *recorded)
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
static void machine_add(struct advise_words *words, const struct advise *advise)
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

static int is_of(const struct advise_words *recorded, const char *command)
{
	return recorded->count > 2 && !strcmp(recorded->list[1], command);
}

/* A simulation once more: all that was said, and where its results go. */
static void simulation_add(struct advise_words *words, const struct advise_words *recorded,
			   const char *const *results, size_t count)
{
	for (size_t i = 1; i < recorded->count; i++)
		words_add(words, recorded->list[i]);
	for (size_t i = 0; i < count; i++)
		words_add(words, results[i]);
}

int advise_command_make(const struct advise *advise, struct advise_words *words,
			const char *const *results, size_t count)
{
	struct advise_words recorded = {0};
	struct Monitor_origin origin;
	int program = -1;

	if (Monitor_origin(advise->mon, &origin) == 0 && origin.command_line)
		words_split(&recorded, origin.command_line);
	words_add(words, "smile");
	if (is_of(&recorded, "sim") && !advise->program) {
		simulation_add(words, &recorded, results, count);
		advise_words_free(&recorded);
		return 1;
	}
	words_add(words, "run");
	for (size_t i = 0; i < count; i++)
		words_add(words, results[i]);
	if (is_of(&recorded, "run"))
		program = options_add(words, &recorded);
	else
		machine_add(words, advise);
	words_add(words, "--");
	for (char **word = advise->program; word && *word; word++)
		words_add(words, *word);
	for (size_t i = (size_t)program; !advise->program && program > 0 && i < recorded.count; i++)
		words_add(words, recorded.list[i]);
	advise_words_free(&recorded);
	return advise->program || program > 0;
}

char *advise_command(const struct advise *advise, const char *placement)
{
	const char *const results[] = {"--place", placement, "-o", "placed"};
	struct advise_words words = {0};
	char *line = NULL;

	if (advise_command_make(advise, &words, results, 4))
		line = tool_command_line((int)words.count - 1, words.list + 1);
	advise_words_free(&words);
	return line;
}

char *advise_own_command(const struct advise *advise, const char *placement)
{
	char **words = report_memory((size_t)advise->file_count + 3, sizeof(*words));
	char *line;

	words[0] = (char *)"advise";
	for (int i = 0; i < advise->file_count; i++)
		words[i + 1] = advise->files[i];
	words[advise->file_count + 1] = (char *)"-o";
	words[advise->file_count + 2] = (char *)placement;
	line = tool_command_line(advise->file_count + 3, words);
	free(words);
	return line;
}
