// SPDX-License-Identifier: MIT
/*
 * Advise: the writer of the placement file that `smile run --place` and `smile place` read. Each
 * line of the file has the reason for the placement. placement_regions.c writes the names of the
 * data at the addresses of the file.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/placement_lines.h"
#include "lib/analysis/text.h"

static void head_put(FILE *out, const struct Monitor_advise *advise)
{
	const struct Monitor_advise_machine *machine = &advise->machine;
	const char *note;
	char text[512];

	fprintf(out, "# Where pages should lie, for `smile run --place`, by "
		     "`smile advise`.\n");
	fprintf(out,
		"# %s: local %" PRIu64 ", remote read %" PRIu64 ", write %" PRIu64 ", lock %" PRIu64
		" cycles.\n",
		machine->name, machine->weights.local, machine->weights.read,
		machine->weights.write, machine->weights.lock);
	if (advise->options.phase)
		fprintf(out, "# Only accesses of phase %s.\n", advise->options.phase);
	for (size_t i = 0; (note = Monitor_advise_note(advise, i, text, sizeof(text))); i++)
		fprintf(out, "# Note: %s\n", note);
}

/* The word that follows the node in the line for a row. */
enum row_word {
	WORD_NONE,
	WORD_OWN, /* First touch may place the page. */
	WORD_FILE, /* The page is a constant of a file. */
	/*
	 * The page has no line. The recorded run used first touch, and first touch places the page.
	 */
	WORD_LEFT,
};

/*
 * Return whether first touch places the page on its advised node. In the recorded run, first touch
 * may have placed the page on another node although that node made no counted access. This happens
 * if the kernel wrote to the page on behalf of that node, for example in read(2).
 */
static int first_touch_places(const struct Monitor_advise *advise, const struct Monitor_advice *row)
{
	return advise->first_touch && advise_is_own(row) &&
	       (row->node == row->home || !advise_recorded_first_touch(advise));
}

static enum row_word word_of(const struct Monitor_advise *advise, size_t row)
{
	switch (advise->fixed[row]) {
	case ADVISE_CONSTANT:
		return WORD_FILE;
	case ADVISE_SEVERAL_HOMES:
		return WORD_LEFT;
	}
	return first_touch_places(advise, &advise->rows[row]) ? WORD_OWN : WORD_NONE;
}

/*
 * Return whether a row needs no line. Constants stay on the nodes on which the policy of the
 * recorded run placed them. The file has lines for constants only if it replaces this policy. Only
 * `smile run` uses the lines for constants.
 */
static int is_needless(const struct Monitor_advise *advise, size_t row)
{
	enum row_word word = word_of(advise, row);

	return word == WORD_LEFT ||
	       (word == WORD_FILE && (!advise->first_touch || advise_recorded_first_touch(advise)));
}

static void default_put(FILE *out, const struct Monitor_advise *advise)
{
	if (advise->first_touch)
		fputs("\n# Pages that no line names, and `own` pages, are placed on the node that "
		      "accesses them first.\ndefault " PLACEMENT_FIRST_TOUCH "\n",
		      out);
}

/*
 * Write the recorded program and its arguments. A reader of the file can then detect that it runs
 * another program.
 */
static void program_put(FILE *out, const struct Monitor_advise *advise)
{
	size_t count = advise->run.arguments.count, bytes = 1;
	const char **words = advise->run.arguments.at;
	char *text, *to;

	for (size_t i = 1; i < count; i++)
		bytes += strlen(words[i]) + 1;
	text = count && *words[0] ? calloc(1, bytes) : NULL;
	if (!text)
		return;
	to = text;
	for (size_t i = 1; i < count; i++)
		to += sprintf(to, "%s%s", i > 1 ? "\n" : "", words[i]);
	fputs("\nprogram", out);
	advise_word_put(out, words[0]);
	if (*text)
		advise_word_put(out, text);
	fputc('\n', out);
	free(text);
}

static void region_put(FILE *out, const struct Monitor_advise_run *run)
{
	char *name = run->in_region ? strdup(advise_run_name(run)) : NULL;

	/* The name is in a comment, which a line feed would end. */
	if (name)
		fprintf(out, "\n# %s, from 0x%" PRIx64 " on:\n", text_printable(name),
			run->region.start);
	else
		fprintf(out, "\n# pages in no known region:\n");
	free(name);
}

static int by_index(const void *left, const void *right)
{
	const size_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Find the variable of a row. */
static const struct Monitor_advise_data *data_of(const struct Monitor_advise *advise, size_t row)
{
	for (size_t i = 0; i < advise->data_count; i++)
		if (bsearch(&row, advise->data[i].rows, advise->data[i].count, sizeof(row),
			    by_index))
			return &advise->data[i];
	return NULL;
}

/* Write the reason for the placement of a whole variable. */
static void choice_put(FILE *out, const struct Monitor_advise *advise,
		       const struct Monitor_advise_run *run)
{
	const struct Monitor_advise_data *data = data_of(advise, run->first);

	char phase[ADVISE_PHASE_BYTES];

	if (!data || data->choice == MONITOR_CHOICE_PAGES)
		return;
	if (data->choice == MONITOR_CHOICE_PHASE)
		fprintf(out, "; as %s needs it, which shortens the run most",
			text_printable(advise_phase_text(advise, data->choice_phase, phase)));
	else
		fprintf(out, "; %s, the simplest within 5%% of the shortest run",
			Monitor_choice_name(data->choice));
}

static void why_put(FILE *out, const struct Monitor_advise *advise,
		    const struct Monitor_advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];
	char homes[ADVISE_HOMES_BYTES], gain[TEXT_COUNT_BYTES];
	size_t moved = advise_run_moved(advise, run);

	fprintf(out, " # ");
	if (run->in_region && run->count > 1)
		fprintf(out, "%" PRIu64 "-%" PRIu64 ": ", run->offset,
			run->offset + run->count - 1);
	else if (run->in_region)
		fprintf(out, "%" PRIu64 ": ", run->offset);
	if (row->flags & MONITOR_ADVICE_SHARED)
		fprintf(out, "truly shared, ");
	fprintf(out, "%.1f%% of the cost is node %" PRIu32 "'s", 100 * run->share, row->node);
	if (moved)
		fprintf(out, "; from %s, saves %s cycles", advise_run_homes(advise, run, homes),
			text_count(gain, advise_gain(run->cycles, run->advised_cycles)));
	else
		fprintf(out, "; stays");
	choice_put(out, advise, run);
	fputc('\n', out);
}

static void run_put(FILE *out, const struct Monitor_advise *advise,
		    const struct Monitor_advise_run *run)
{
	static const char *const words[] = {
		[WORD_NONE] = "", [WORD_OWN] = " own", [WORD_FILE] = " file"};
	const struct Monitor_advice *row = &advise->rows[run->first];

	fprintf(out, "pages %" PRIu64, row->page);
	if (run->count > 1)
		fprintf(out, "-%" PRIu64, row->page + run->count - 1);
	fprintf(out, " node %" PRIu32 "%s", row->node, words[word_of(advise, run->first)]);
	why_put(out, advise, run);
}

/*
 * Divide a run into parts whose pages have the same enum row_word, and write a line for each part.
 */
static void run_parts_put(FILE *out, const struct Monitor_advise *advise,
			  const struct Monitor_advise_run *run)
{
	struct Monitor_advise_run part;
	size_t from, end;

	for (from = 0; from < run->count; from = end) {
		enum row_word word = word_of(advise, run->first + from);

		for (end = from + 1; end < run->count && word_of(advise, run->first + end) == word;
		     end++)
			;
		advise_run_part(advise, run, from, end - from, &part);
		if (!is_needless(advise, part.first))
			run_put(out, advise, &part);
	}
}

/* Write a role as a comment. A line feed in a name would end the comment. */
static void role_put(FILE *out, const struct Monitor_advise_role *role)
{
	char name[MONITOR_NAME_BYTES], call[MONITOR_NAME_BYTES];

	memcpy(name, role->name, sizeof(name));
	memcpy(call, role->call, sizeof(call));
	fprintf(out,
		"\n# threads take their part of the work in this order:\norder 0x%" PRIx64
		" threads ",
		role->lock);
	for (size_t i = 0; i < role->count; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "", role->threads[i]);
	fprintf(out, " # %s", role->atomic ? "atomic operation" : text_printable(name));
	if (*call)
		fprintf(out, ", taken at %s", text_printable(call));
	fputc('\n', out);
}

int Monitor_advise_placement(const struct Monitor_advise *advise, FILE *out)
{
	const struct Monitor_advice *rows = advise->rows;
	int failed;

	for (size_t i = 1; i < advise->count; i++)
		if (rows[i].page == rows[i - 1].page && word_of(advise, i) != WORD_LEFT)
			return Monitor_error_set(EINVAL,
						 "page %" PRIu64 " is there on nodes %" PRIu32
						 " and %" PRIu32
						 ": a placement file cannot distinguish them",
						 rows[i].page, rows[i - 1].home, rows[i].home);
	head_put(out, advise);
	program_put(out, advise);
	default_put(out, advise);
	for (size_t i = 0; i < advise->run_count; i++) {
		if (!i || !advise_runs_together(&advise->runs[i - 1], &advise->runs[i]))
			region_put(out, &advise->runs[i]);
		run_parts_put(out, advise, &advise->runs[i]);
	}
	failed = advise_placement_regions(advise, out);
	if (failed)
		return failed;
	for (size_t i = 0; i < advise->role_count; i++)
		if (!advise->roles[i].later && !advise->roles[i].loop)
			role_put(out, &advise->roles[i]);
	return ferror(out) ? Monitor_error_set(EIO, "the placement file cannot be written") : 0;
}
