// SPDX-License-Identifier: MIT
/*
 * smile advise: rebuild the command line of the recorded run from the recording.
 */
#include "tools/advise/advise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/run_command.h"
#include "tools/common/tool.h"

/* ---- words ----------------------------------------------------------------------------------- */

static void words_add(struct advise_words *words, const char *word)
{
	tool_reserve(&words->list, &words->room, words->count + 1, sizeof(*words->list));
	words->list[words->count] = tool_memory(strlen(word) + 1, 1);
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

/*
 * Undo tool_command_line(): split a line at its blanks into words. A word with special characters
 * is in single quotes.
 */
static void words_split(struct advise_words *words, const char *line)
{
	char *word = tool_memory(strlen(line) + 1, 1);

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

/**
 * struct recorded - The command line in the recording.
 * @words: all words
 * @again: the options of this command line, if its command is `smile run` or `smile sim`
 * @sim: the command is `smile sim`
 * @run: the command is `smile run`
 * @program: index in @words of the program or the workload; 0: the command line names neither
 */
struct recorded {
	struct advise_words words;
	struct run_again again;
	int sim;
	int run;
	size_t program;
};

static int is_of(const struct advise_words *words, const char *name)
{
	return words->count > 2 && !strcmp(words->list[1], name);
}

static void recorded_load(const struct advise_command *command, struct recorded *recorded)
{
	struct advise_words *words = &recorded->words;
	struct Monitor_origin origin;
	int argc, program;

	*recorded = (struct recorded){.run = 0};
	if (Monitor_origin(command->advise->mon, &origin) == 0 && origin.command_line)
		words_split(words, origin.command_line);
	recorded->run = is_of(words, "run");
	recorded->sim = is_of(words, "sim");
	if (!recorded->run && !recorded->sim)
		return;
	argc = (int)words->count - 1;
	recorded->again.words = tool_memory(words->count, sizeof(*recorded->again.words));
	program = (recorded->run ? run_again : sim_again)(argc, words->list + 1, &recorded->again);
	recorded->program = program > 0 ? (size_t)program + 1 : 0;
}

static void recorded_free(struct recorded *recorded)
{
	for (size_t i = 0; i < recorded->again.count; i++)
		free(recorded->again.words[i]);
	free(recorded->again.words);
	advise_words_free(&recorded->words);
}

/*
 * Get the name of the recorded machine. If a recording has no name of a machine, it was made with
 * the papers' machine.
 */
static const char *machine_name(const struct advise_command *command)
{
	const char *name = command->advise->run.model;

	return name ? name : MODEL_PAPERS;
}

/*
 * Add the option for the recorded machine, because the default machine may have changed since the
 * recorded run.
 */
static void model_add(struct advise_words *words, const struct advise_command *command,
		      const struct run_again *again)
{
	char text[256];

	for (size_t i = 0; i < again->count; i++)
		if (!strncmp(again->words[i], "--machine=", strlen("--machine=")))
			return;
	if (!machine_model_find(machine_name(command)) ||
	    !strcmp(machine_name(command), run_machine_default()))
		return;
	snprintf(text, sizeof(text), "--machine=%s", machine_name(command));
	words_add(words, text);
}

/*
 * Add the caches of the recorded machine, whether they are the machine's own or were set by an
 * option.
 */
static void caches_words_add(struct advise_words *words, const struct advise_command *command)
{
	const struct run_facts *run = &command->advise->run;
	const struct machine_model *model = machine_model_find(machine_name(command));
	char text[256] = "--caches=none";
	size_t used = strlen("--caches=");

	for (size_t i = 0; i < run->caches.count && used + 100 < sizeof(text); i++) {
		const struct run_facts_cache *level = &run->caches.at[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%.8s=%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64,
					 i ? "," : "", level->level ? level->level : "",
					 level->bytes, level->line_bytes, level->ways,
					 level->cycles);
	}
	if (run->cache.bytes)
		snprintf(text, sizeof(text), "--cache=%" PRIu64 ",%" PRIu64 ",%" PRIu64,
			 run->cache.bytes, run->cache.line_bytes, run->cache.ways);
	if (run->caches.at || run->cache.bytes || (model && model->caches.count))
		words_add(words, text);
}

/* If the recording does not contain its command, add only the machine. */
static void machine_add(struct advise_words *words, const struct advise_command *command)
{
	const struct Monitor_advise_machine *machine = &command->advise->machine;
	const struct run_again none = {.count = 0};
	char text[256];

	model_add(words, command, &none);
	snprintf(text, sizeof(text), "--nodes=%zu", command->advise->nodes);
	words_add(words, text);
	caches_words_add(words, command);
	if (strcmp(machine_name(command), MODEL_PAPERS))
		return;
	snprintf(text, sizeof(text),
		 "--latency=" LATENCY_DEFAULT ",local=%" PRIu64 ",read=%" PRIu64 ",write=%" PRIu64
		 ",lock=%" PRIu64 ",mhz=%" PRIu64,
		 machine->weights.local, machine->weights.read, machine->weights.write,
		 machine->weights.lock, machine->frequency_hz / 1000000);
	words_add(words, text);
}

static void list_add(struct advise_words *words, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words_add(words, list[i]);
}

/* Add the recorded simulation. Return: 0 if the simulation is not known. */
static int simulation_add(struct advise_words *words, const struct recorded *recorded,
			  const char *const *results, size_t count)
{
	if (!recorded->program)
		return 0;
	words_add(words, "sim");
	words_add(words, recorded->words.list[recorded->program]);
	list_add(words, results, count);
	list_add(words, (const char *const *)recorded->again.words, recorded->again.count);
	return 1;
}

/* Add the recorded program, or command->program. Return: 0 if neither of them is known. */
static int program_add(struct advise_words *words, const struct advise_command *command,
		       const struct recorded *recorded, const char *const *results, size_t count)
{
	size_t first = recorded->run ? recorded->program : 0;

	words_add(words, "run");
	list_add(words, results, count);
	if (recorded->run) {
		model_add(words, command, &recorded->again);
		list_add(words, (const char *const *)recorded->again.words, recorded->again.count);
	} else {
		machine_add(words, command);
	}
	words_add(words, "--");
	for (char **word = command->program; word && *word; word++)
		words_add(words, *word);
	for (size_t i = first; !command->program && first && i < recorded->words.count; i++)
		words_add(words, recorded->words.list[i]);
	return command->program || first;
}

int advise_command_make(const struct advise_command *command, struct advise_words *words,
			const char *const *results, size_t count)
{
	struct recorded recorded;
	int known;

	recorded_load(command, &recorded);
	words_add(words, "smile");
	known = recorded.sim && !command->program
			? simulation_add(words, &recorded, results, count)
			: program_add(words, command, &recorded, results, count);
	recorded_free(&recorded);
	return known;
}

int advise_recorded_here(const struct advise_command *command)
{
	struct recorded recorded;
	int here;

	recorded_load(command, &recorded);
	here = !recorded.again.output || !strchr(recorded.again.output, '/');
	for (int i = 0; i < command->file_count; i++)
		here = here && !strchr(command->files[i], '/');
	recorded_free(&recorded);
	return here;
}

/*
 * Append the redirection of the recorded standard input to a command line. @line is freed. Return:
 * the new line; NULL if memory ran out.
 */
static char *with_input(const struct advise_command *command, char *line)
{
	const char *path = command->advise->run.input;
	char *word = path && *path ? tool_command_line(1, (char **)&path) : NULL, *whole = NULL;

	if (!word)
		return line;
	/* This word is "smile PATH". */
	if (asprintf(&whole, "%s <%s", line, strchr(word, ' ')) < 0)
		whole = NULL;
	free(word);
	free(line);
	return whole;
}

char *advise_command_line(const struct advise_command *command, const char *placement)
{
	const char *const results[] = {"--place", placement, "-o", "placed"};
	struct advise_words words = {0};
	char *line = NULL;

	if (advise_command_make(command, &words, results, 4))
		line = tool_command_line((int)words.count - 1, words.list + 1);
	advise_words_free(&words);
	return line && !command->program ? with_input(command, line) : line;
}

char *advise_own_command(const struct advise_command *command, const char *placement)
{
	char **words = tool_memory((size_t)command->file_count + 3, sizeof(*words));
	char *line;

	words[0] = (char *)"advise";
	for (int i = 0; i < command->file_count; i++)
		words[i + 1] = command->files[i];
	words[command->file_count + 1] = (char *)"-o";
	words[command->file_count + 2] = (char *)placement;
	line = tool_command_line(command->file_count + 3, words);
	free(words);
	return line;
}
