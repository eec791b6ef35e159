// SPDX-License-Identifier: MIT
/*
 * smile advise: print the tables and sentences for a terminal.
 */
#include "tools/advise/advise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/structures.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/* ---- tables ---------------------------------------------------------------------------------- */

/*
 * Print a row of sums of some data. @bytes: size of the data; 0: the size is not known, or the row
 * is the sum of all data. @pages: number of pages of the data.
 */
static void sums_row(struct output_table *table, const char *label, uint64_t bytes, size_t pages,
		     const struct Monitor_advise_sums *sums)
{
	double gain;

	output_table_cell(table, OUTPUT_STRONG, "%s", label);
	if (bytes)
		output_table_count(table, OUTPUT_PLAIN, bytes);
	else
		output_table_cell(table, OUTPUT_PLAIN, "-");
	output_table_count(table, OUTPUT_PLAIN, pages);
	output_table_count(table, OUTPUT_PLAIN, sums->wrong);
	output_table_count(table, OUTPUT_PLAIN, sums->moved);
	output_table_count(table, OUTPUT_PLAIN, sums->shared);
	output_table_count(table, OUTPUT_PLAIN, sums->accesses);
	output_table_count(table, OUTPUT_PLAIN, sums->cycles);
	output_table_count(table, OUTPUT_PLAIN, sums->advised_cycles);
	/*
	 * The gain is negative if one rule for all pages of a variable costs cycles but still
	 * shortens the run.
	 */
	gain = (double)sums->cycles - (double)sums->advised_cycles;
	output_table_cell(table, OUTPUT_STRONG, "%.1f%%",
			  sums->cycles ? 100 * gain / (double)sums->cycles : 0.0);
}

/* Check whether the gain is large enough to recommend a change of the source code. */
static int is_worth_words(const struct Monitor_advise *advise,
			  const struct Monitor_advise_data *data)
{
	uint64_t gain = advise_gain(data->sums.cycles, data->sums.advised_cycles);

	/* One rule for all pages of a variable can cost cycles and still shorten the run. */
	if (data->sums.moved && data->choice != MONITOR_CHOICE_PAGES)
		gain = data->sums.cycles;
	return data->copies_gain || gain * 1000 > advise->sums.cycles;
}

/* Check whether nodes share the data, and whether its cost is large enough to mention it. */
static int is_shared(const struct Monitor_advise *advise, const struct Monitor_advise_data *data)
{
	return data->sums.shared && data->sums.cycles * 1000 > advise->sums.cycles;
}

/* Print a paragraph about a variable: its problem, and a remedy if there is one. */
static void data_words(const struct Monitor_advise *advise, const struct Monitor_advise_data *data,
		       const char *label)
{
	char words[MONITOR_SENTENCE_BYTES], *action = NULL, text[MONITOR_SENTENCE_BYTES];
	int worth = is_worth_words(advise, data);

	if (worth)
		action = Monitor_advise_action(advise, data, text);
	if ((worth && data->sums.moved) || is_shared(advise, data)) {
		output_styled(OUTPUT_STRONG, label, ": %s",
			      Monitor_advise_sentence(advise, data, words));
		if (action)
			output_text("    in the source: %s", action);
	} else if (action) {
		output_styled(OUTPUT_STRONG, label, ": in the source: %s", action);
	}
}

/* Check whether the cost is so small that the variable gets no row of its own. */
static int is_small(const struct Monitor_advise *advise, uint64_t cycles)
{
	return cycles * 1000 < advise->sums.cycles;
}

/*
 * Sum up the small variables for one common row. Return: the number of small variables; 0 if there
 * is only one, which then gets its own row.
 */
static size_t small_sum(const struct Monitor_advise *advise, struct Monitor_advise_data *sum)
{
	size_t small = 0;

	*sum = (struct Monitor_advise_data){.variable = NULL};
	for (size_t i = 0; i < advise->data_count; i++) {
		const struct Monitor_advise_data *data = &advise->data[i];

		if (!is_small(advise, data->sums.cycles))
			continue;
		small++;
		sum->count += data->count;
		for (size_t k = 0; k < data->count; k++)
			advise_row_sum(&sum->sums, &advise->rows[data->rows[k]]);
	}
	return small > 1 ? small : 0;
}

/* Make the names of the first @count variables. The caller must free the list and each name. */
static char **labels_make(const struct Monitor_advise *advise, size_t count)
{
	const struct Monitor_variable **all = tool_memory(advise->data_count, sizeof(*all));
	char **labels = tool_memory(count, sizeof(*labels));

	for (size_t i = 0; i < advise->data_count; i++)
		all[i] = advise->data[i].variable;
	for (size_t i = 0; i < count; i++) {
		labels[i] = structures_label(all[i], all, advise->data_count);
		if (!labels[i])
			labels[i] = tool_memory(1, 1);
	}
	free(all);
	return labels;
}

/* Print the variables: first a table, then sentences about the remedies. */
static void data_show(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;
	struct output_table *table = output_table_new();
	struct Monitor_advise_data sum;
	size_t small = small_sum(advise, &sum), rows = 0, left = 0;
	char **labels = labels_make(advise, advise->data_count), text[64];

	output_table_columns(table, "~DATA|?BYTES|>PAGES|>WRONG NODE|>TO MOVE|?TRULY SHARED");
	output_table_columns(table, advise->run.caches.at ? "?ALL TRANSACTIONS" : "?ACCESSES");
	output_table_columns(table, ">CYCLES NOW|>CYCLES THEN|>GAIN");
	for (size_t i = 0; i < advise->data_count; i++) {
		const struct Monitor_advise_data *data = &advise->data[i];

		if (small && is_small(advise, data->sums.cycles))
			continue;
		if (rows++ < command->rows_shown)
			sums_row(table, labels[i], data->variable ? data->variable->bytes : 0,
				 data->count, &data->sums);
		else
			left++;
	}
	snprintf(text, sizeof(text), "%zu more, below 0.1%% each", small);
	if (small)
		sums_row(table, text, 0, sum.count, &sum.sums);
	sums_row(table, "all", 0, advise->count, &advise->sums);
	output_table_print(table);
	if (left)
		output_text("and %zu more, which gain less: see -n and --json", left);
	putchar('\n');
	for (size_t i = rows = 0; i < advise->data_count; i++) {
		const struct Monitor_advise_data *data = &advise->data[i];

		if ((small && is_small(advise, data->sums.cycles)) || rows++ >= command->rows_shown)
			continue;
		data_words(advise, data, labels[i]);
	}
	for (size_t i = 0; i < advise->data_count; i++)
		free(labels[i]);
	free(labels);
}

/* Check whether another region of the same name also has rows. */
static int is_name_twice(const struct Monitor_advise *advise, const struct Monitor_advise_run *run)
{
	for (size_t i = 0; run->in_region && i < advise->run_count; i++)
		if (advise->runs[i].in_region && !advise_runs_together(&advise->runs[i], run) &&
		    !strcmp(advise_run_name(&advise->runs[i]), advise_run_name(run)))
			return 1;
	return 0;
}

static void run_row(const struct Monitor_advise *advise, struct output_table *table,
		    const struct Monitor_advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];
	uint64_t first = run->in_region ? run->offset : row->page;
	char homes[ADVISE_HOMES_BYTES];

	if (is_name_twice(advise, run))
		output_table_cell(table, OUTPUT_STRONG, "%s at 0x%" PRIx64, advise_run_name(run),
				  run->region.start);
	else
		output_table_cell(table, OUTPUT_STRONG, "%s", advise_run_name(run));
	if (run->count > 1)
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64 "-%" PRIu64, first,
				  first + run->count - 1);
	else
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu64, first);
	output_table_cell(table, OUTPUT_PLAIN, "%s", advise_run_homes(advise, run, homes));
	output_table_cell(table, OUTPUT_STRONG, "node %" PRIu32, row->node);
	output_table_cell(table, OUTPUT_PLAIN, "%.1f%%", 100 * run->share);
	output_table_count(table, OUTPUT_PLAIN, run->cycles);
	output_table_count(table, OUTPUT_PLAIN, advise_gain(run->cycles, run->advised_cycles));
	output_table_cell(table, OUTPUT_PLAIN, "%s%s",
			  advise_run_moved(advise, run) ? "move" : "stays",
			  row->flags & MONITOR_ADVICE_SHARED ? ", truly shared" : "");
}

/* Sum up the small runs of pages for one common row, as small_sum() does for variables. */
static size_t small_runs(const struct Monitor_advise *advise, struct Monitor_advise_run *sum)
{
	size_t small = 0;

	*sum = (struct Monitor_advise_run){.count = 0};
	for (size_t i = 0; i < advise->run_count; i++) {
		const struct Monitor_advise_run *run = &advise->runs[i];

		if (!is_small(advise, run->cycles))
			continue;
		small++;
		sum->count += run->count;
		sum->cycles += run->cycles;
		sum->advised_cycles += run->advised_cycles;
	}
	return small > 1 ? small : 0;
}

/*
 * Print the common row of the small runs of pages. The column of pages has the number of pages of
 * all small runs.
 */
static void small_row(struct output_table *table, size_t small,
		      const struct Monitor_advise_run *sum)
{
	output_table_cell(table, OUTPUT_STRONG, "%zu more, below 0.1%% each", small);
	output_table_cell(table, OUTPUT_PLAIN, "%zu in all", sum->count);
	for (int i = 0; i < 3; i++)
		output_table_cell(table, OUTPUT_PLAIN, "-");
	output_table_count(table, OUTPUT_PLAIN, sum->cycles);
	output_table_count(table, OUTPUT_PLAIN, advise_gain(sum->cycles, sum->advised_cycles));
	output_table_cell(table, OUTPUT_PLAIN, "-");
}

static void runs_show(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;
	struct output_table *table = output_table_new();
	struct Monitor_advise_run sum;
	size_t small = small_runs(advise, &sum), rows = 0, left = 0;

	output_table_columns(table, "~REGION|>PAGES|>NOW ON|>ADVISED|?SHARE|>CYCLES NOW|>SAVED|<");
	for (size_t i = 0; i < advise->run_count; i++) {
		if (small && is_small(advise, advise->runs[i].cycles))
			continue;
		if (rows++ < command->rows_shown)
			run_row(advise, table, &advise->runs[i]);
		else
			left++;
	}
	if (small)
		small_row(table, small, &sum);
	output_table_print(table);
	if (left)
		output_text("and %zu more: see -n, -o, --csv and --json", left);
	putchar('\n');
	output_text(
		"pages: of the region, from 0; share: of the advised node in the cost that all "
		"accesses would have if they were remote; truly shared: no node has %.0f%% of that "
		"cost%s",
		100 * advise->options.shared_below,
		advise->run.caches.at
			? "; all transactions: lines fetched or written back behind the caches, "
			  "and locks, of the node's own memory and of others'"
			: "");
}

/* ---- all ------------------------------------------------------------------------------------- */

static double seconds(const struct Monitor_advise *advise, uint64_t cycles)
{
	return (double)cycles / (double)advise->machine.frequency_hz;
}

static void speed_up_show(const struct Monitor_advise *advise, uint64_t cycles)
{
	if (advise->time.single && cycles)
		printf(" (speed-up %.4f)", (double)advise->time.single / (double)cycles);
}

static void time_show(const struct Monitor_advise *advise)
{
	const struct Monitor_advise_time *time = &advise->time;

	if (!time->known) {
		printf("run time: not known from these recordings\n");
		return;
	}
	printf("run time%s%s: %.6f s now", advise->options.phase ? " of phase " : "",
	       output_name(advise->options.phase), seconds(advise, time->now));
	speed_up_show(advise, time->now);
	printf("\npredicted: %.6f s", seconds(advise, time->then));
	speed_up_show(advise, time->then);
	if (time->least < time->then)
		printf("; %.6f to %.6f s, by %s", seconds(advise, time->least),
		       seconds(advise, time->most),
		       advise_queue(advise) ? "who takes what" : "how long threads wait");
	else if (time->most > time->then)
		printf(" to %.6f s", seconds(advise, time->most));
	putchar('\n');
	output_text("(each part of the run takes as long as its busiest node; if this time "
		    "changes, the time that nodes wait for each other changes with it, or stays "
		    "the same, as waits for locks do%s)",
		    time->estimated ? "; work is estimated from accesses" : "");
}

static void early_show(const struct advise_command *command)
{
	const struct advise_verified *verified = &command->verified;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	output_text("%snot verified%s: the program ended with status %d after %.6f s, in the "
		    "recorded run with %d; cycles of accesses: %s predicted, %s measured",
		    output_begin(OUTPUT_BAD), output_end(OUTPUT_BAD), verified->status,
		    seconds(command->advise, verified->cycles),
		    (int)command->advise->run.exit_status,
		    text_count(a, command->advise->time.access_cycles),
		    text_count(b, verified->access_cycles));
	output_text("it failed early: see its messages above; if a file that it has written "
		    "prevents a second run, remove the file, or run the program with another one: "
		    "--verify -- PROGRAM ARGUMENTS");
}

/*
 * Check whether the run took longer than the recorded run. If no page has moved, return 0, because
 * the placement is then not the reason.
 */
static int is_slower(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;

	return advise->sums.moved && command->verified.cycles > advise->time.now;
}

static void verified_show(const struct advise_command *command)
{
	const struct advise_verified *verified = &command->verified;
	const struct Monitor_advise *advise = command->advise;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	if (verified->early) {
		early_show(command);
		return;
	}
	printf("verified:  %.6f s", seconds(advise, verified->cycles));
	speed_up_show(advise, verified->cycles);
	printf("; cycles of accesses: %s predicted, %s measured\n",
	       text_count(a, advise->time.access_cycles), text_count(b, verified->access_cycles));
	if (*verified->why)
		output_text("difference: %s", verified->why);
	if (verified->failed)
		output_text(
			"%sthe program ended with status %d%s, in the recorded run with %d: "
			"with this placement its result is wrong, or it failed for another reason",
			output_begin(OUTPUT_BAD), verified->status, output_end(OUTPUT_BAD),
			(int)advise->run.exit_status);
	if (is_slower(command))
		printf("%sthe program became slower%s: keep the placement that it had\n",
		       output_begin(OUTPUT_BAD), output_end(OUTPUT_BAD));
	else if (!advise->sums.moved && verified->cycles != advise->time.now)
		output_text(
			"no page was to be moved: two runs of this program differ by this much");
}

int advise_finding(const struct advise_command *command)
{
	const struct advise_verified *verified = &command->verified;

	return verified->done && (verified->failed || is_slower(command)) ? TOOL_FINDING : TOOL_OK;
}

/*
 * Print a command for a shell. Words with special characters are in single quotes. A character that
 * a terminal would interpret is printed as $'\033' between the quoted parts; bash and zsh
 * understand this form.
 */
static void command_show(const char *line)
{
	while (*line) {
		size_t control = text_control_bytes(line);

		if (!control)
			putchar(*line++);
		else
			fputs("'$'", stdout);
		for (size_t i = 0; i < control; i++)
			printf("\\%03o", (unsigned char)*line++);
		if (control)
			fputs("''", stdout);
	}
	putchar('\n');
}

static void written_show(const struct advise_command *command)
{
	char *line = advise_command_line(command, command->output);
	const char *input = command->advise->run.input;

	output_text("written: %s", command->output);
	if (line) {
		fputs("run it:  ", stdout);
		command_show(line);
	} else {
		output_text("for `smile run --place %s`", command->output);
	}
	if (line && input && !*input)
		output_text("its standard input was a pipe: give it the same");
	free(line);
}

static void advice_show(const struct advise_command *command)
{
	putchar('\n');
	data_show(command);
	putchar('\n');
	runs_show(command);
	putchar('\n');
	time_show(command->advise);
}

void advise_show(const struct advise_command *command)
{
	const struct Monitor_advise *advise = command->advise;
	const struct Monitor_advise_machine *machine = &advise->machine;
	const char *note, *nothing;
	char text[512], why[512], words[MONITOR_SENTENCE_BYTES];

	output_text("%zu nodes, %s: local %" PRIu64 ", remote read %" PRIu64 ", write %" PRIu64
		    ", lock %" PRIu64 " cycles%s%s",
		    advise->nodes, machine->name, machine->weights.local, machine->weights.read,
		    machine->weights.write, machine->weights.lock,
		    advise->options.phase ? "; phase " : "",
		    advise->options.phase ? advise->options.phase : "");
	nothing = advise_nothing(advise, why);
	if (nothing)
		output_text("nothing to do: %s", nothing);
	else
		advice_show(command);
	for (size_t i = 0; i < advise->role_count && !nothing; i++)
		output_text("roles: %s", Monitor_advise_role_sentence(&advise->roles[i], words));
	for (size_t i = 0; (note = Monitor_advise_note(advise, i, text, sizeof(text))); i++)
		if (!nothing || strcmp(note, nothing))
			output_text("note: %s", note);
	if (command->verified.done)
		verified_show(command);
	if (command->output)
		written_show(command);
}
