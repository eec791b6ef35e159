// SPDX-License-Identifier: MIT
/*
 * smile advise: what is shown on a terminal, and the notes.
 */
#include "tools/advise/advise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

/* ---- sums ------------------------------------------------------------------------------------ */

void advise_sums(const struct advise *advise, struct advise_sums *sums)
{
	*sums = (struct advise_sums){.pages = advise->count};
	for (size_t i = 0; i < advise->count; i++) {
		const struct Monitor_advice *row = &advise->rows[i];

		sums->moved += row->node != row->home;
		sums->shared += (row->flags & MONITOR_ADVICE_SHARED) != 0;
		sums->accesses += row->accesses;
		sums->cycles += row->cycles;
		sums->advised_cycles += row->advised_cycles;
	}
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static int note_local(const struct advise *advise, char *text, size_t bytes)
{
	size_t count = advise_flagged(advise, MONITOR_ADVICE_LOCAL_UNKNOWN);

	if (count)
		snprintf(text, bytes,
			 "no card sees what a node accesses of its own memory, and for %zu pages "
			 "nobody else has told it: the gain is the most that can be had, less what "
			 "the page's home accesses itself",
			 count);
	return count != 0;
}

static int note_seen(const struct advise *advise, char *text, size_t bytes)
{
	size_t count = advise_flagged(advise, MONITOR_ADVICE_PARTLY_SEEN);

	if (count)
		snprintf(text, bytes,
			 "the recordings of the nodes on which %zu pages lie are not given: what "
			 "others access there is missing; give the recordings of all nodes",
			 count);
	return count != 0;
}

static int note_lost(const struct advise *advise, char *text, size_t bytes)
{
	struct Monitor_loss loss;

	if (Monitor_loss(advise->mon, &loss) < 0 || loss.balanced)
		return 0;
	if (!loss.lost)
		return 0;
	snprintf(text, bytes, "%" PRIu64 " accesses were lost, and are not weighed", loss.lost);
	return 1;
}

static int note_types(const struct advise *advise, char *text, size_t bytes)
{
	for (size_t i = 0; i < advise->count; i++) {
		const struct Monitor_advice *row = &advise->rows[i];

		if (row->reads + row->writes + row->locks == row->accesses)
			continue;
		snprintf(text, bytes, "reads and writes were not told apart: all count as reads");
		return 1;
	}
	return 0;
}

static int note_filter(const struct advise *advise, char *text, size_t bytes)
{
	const unsigned all = SMILE_FILTER_READ | SMILE_FILTER_WRITE | SMILE_FILTER_LOCK;
	struct smile_info info;

	if (Monitor_info(advise->mon, &info) < 0 || (info.config.filter & all) == all)
		return 0;
	snprintf(text, bytes,
		 "the cards did not count all types of accesses: the others are not "
		 "weighed");
	return 1;
}

static int note_cache(const struct advise *advise, char *text, size_t bytes)
{
	if (!json_is_object(json_object_get(advise->model.run, "cache")))
		return 0;
	snprintf(text, bytes,
		 "the machine has caches: what they served is not in the recordings, "
		 "and does not come back as local accesses");
	return 1;
}

const char *advise_note(const struct advise *advise, size_t index, char *text, size_t bytes)
{
	static int (*const notes[])(const struct advise *, char *, size_t) = {
		note_local, note_seen, note_lost, note_types, note_filter, note_cache};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i](advise, text, bytes) && !index--)
			return text;
	return NULL;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* @align: l, r, or n: a name, x: not essential. */
static void columns(struct output_table *table, const char *const *headings, size_t count,
		    const char *align)
{
	for (size_t i = 0; i < count; i++)
		if (align[i] == 'n')
			output_table_name(table, headings[i]);
		else if (align[i] == 'x')
			output_table_extra(table, headings[i], 'r');
		else
			output_table_column(table, headings[i], align[i]);
}

static void cost_cells(struct output_table *table, uint64_t accesses, uint64_t cycles,
		       uint64_t advised_cycles)
{
	output_table_count(table, OUTPUT_PLAIN, accesses);
	output_table_count(table, OUTPUT_PLAIN, cycles);
	output_table_count(table, OUTPUT_PLAIN, advised_cycles);
	output_table_cell(table, OUTPUT_STRONG, "%.1f%%", percent(cycles - advised_cycles, cycles));
}

static void data_row(struct output_table *table, const struct advise_data *data)
{
	output_table_cell(table, OUTPUT_STRONG, "%s", advise_data_name(data));
	if (data->variable)
		output_table_count(table, OUTPUT_PLAIN, data->variable->bytes);
	else
		output_table_cell(table, OUTPUT_PLAIN, "-");
	output_table_count(table, OUTPUT_PLAIN, data->count);
	output_table_count(table, OUTPUT_PLAIN, data->wrong);
	output_table_count(table, OUTPUT_PLAIN, data->moved);
	output_table_count(table, OUTPUT_PLAIN, data->shared);
	cost_cells(table, data->accesses, data->cycles, data->advised_cycles);
}

static void sums_row(const struct advise *advise, struct output_table *table)
{
	struct advise_sums sums;
	size_t wrong = 0;

	advise_sums(advise, &sums);
	for (size_t i = 0; i < advise->data_count; i++)
		wrong += advise->data[i].wrong;
	output_table_cell(table, OUTPUT_STRONG, "all");
	output_table_cell(table, OUTPUT_PLAIN, "-");
	output_table_count(table, OUTPUT_PLAIN, sums.pages);
	output_table_count(table, OUTPUT_PLAIN, wrong);
	output_table_count(table, OUTPUT_PLAIN, sums.moved);
	output_table_count(table, OUTPUT_PLAIN, sums.shared);
	cost_cells(table, sums.accesses, sums.cycles, sums.advised_cycles);
}

/* By variable: first in numbers, then what to do about it in words. */
static void data_show(const struct advise *advise)
{
	static const char *const headings[] = {
		"DATA",		"BYTES",    "PAGES",	  "WRONG NODE",	 "TO MOVE",
		"TRULY SHARED", "ACCESSES", "CYCLES NOW", "CYCLES THEN", "GAIN"};
	struct output_table *table = output_table_new();
	char words[ADVISE_WORDS_BYTES];
	size_t shown = advise->data_count;

	if (shown > advise->rows_shown)
		shown = (size_t)advise->rows_shown;
	columns(table, headings, 10, "nxrrrxxrrr");
	for (size_t i = 0; i < shown; i++)
		data_row(table, &advise->data[i]);
	sums_row(advise, table);
	output_table_print(table);
	if (advise->data_count > shown)
		output_text("and %zu more, which gain less: see -n and --json",
			    advise->data_count - shown);
	putchar('\n');
	for (size_t i = 0; i < shown; i++) {
		const struct advise_data *data = &advise->data[i];

		if (data->moved || data->shared)
			output_styled(OUTPUT_STRONG, advise_data_name(data), ": %s",
				      advise_data_words(advise, data, words));
	}
}

static void run_row(const struct advise *advise, struct output_table *table,
		    const struct advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];
	uint64_t first = run->in_region ? run->offset : row->page;
	char homes[ADVISE_HOMES_BYTES];

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
	output_table_count(table, OUTPUT_PLAIN, run->cycles - run->advised_cycles);
	output_table_cell(table, OUTPUT_PLAIN, "%s%s",
			  advise_run_moved(advise, run) ? "move" : "stays",
			  row->flags & MONITOR_ADVICE_SHARED ? ", truly shared" : "");
}

static void runs_show(const struct advise *advise)
{
	static const char *const headings[] = {"REGION", "PAGES",      "NOW ON", "ADVISED",
					       "SHARE",	 "CYCLES NOW", "SAVED",	 ""};
	struct output_table *table = output_table_new();

	columns(table, headings, 8, "nrrrxrrl");
	for (size_t i = 0; i < advise->run_count && i < advise->rows_shown; i++)
		run_row(advise, table, &advise->runs[i]);
	output_table_print(table);
	if (advise->run_count > advise->rows_shown)
		output_text("and %zu more: see -n, -o, --csv and --json",
			    advise->run_count - (size_t)advise->rows_shown);
	putchar('\n');
	output_text("pages: of the region, from 0; share: of the advised node in what all accesses "
		    "would cost if they were remote; truly shared: no node has %.0f%% of that",
		    100 * advise->shared_below);
}

/* ---- all ------------------------------------------------------------------------------------- */

static double seconds(const struct advise *advise, uint64_t cycles)
{
	return (double)cycles / (double)advise->model.frequency_hz;
}

static void speed_up_show(const struct advise *advise, uint64_t cycles)
{
	if (advise->time.single && cycles)
		printf(" (speed-up %.4f)", (double)advise->time.single / (double)cycles);
}

static void time_show(const struct advise *advise)
{
	const struct advise_time *time = &advise->time;

	if (!time->known) {
		printf("run time: not known from these recordings\n");
		return;
	}
	printf("run time%s%s: %.6f s now", advise->phase ? " of phase " : "",
	       advise->phase ? advise->phase : "", seconds(advise, time->now));
	speed_up_show(advise, time->now);
	printf("\npredicted: %.6f s", seconds(advise, time->then));
	speed_up_show(advise, time->then);
	if (time->most > time->then)
		printf(" to %.6f s", seconds(advise, time->most));
	putchar('\n');
	output_text("(a phase takes as long as its busiest node; that nodes wait for each other "
		    "changes with it, or stays%s)",
		    time->estimated ? "; work is estimated from accesses" : "");
}

static void verified_show(const struct advise *advise)
{
	const struct advise_verified *verified = &advise->verified;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	printf("verified:  %.6f s", seconds(advise, verified->cycles));
	speed_up_show(advise, verified->cycles);
	printf("; cycles of accesses: %s predicted, %s measured\n",
	       text_count(a, verified->predicted_access_cycles),
	       text_count(b, verified->access_cycles));
	if (verified->status)
		printf("%sthe program ended with status %d%s: with this placement its result is "
		       "wrong, or it\nfailed otherwise\n",
		       output_begin(OUTPUT_BAD), verified->status, output_end(OUTPUT_BAD));
	if (verified->cycles > advise->time.now)
		printf("%sit got slower%s: keep the placement it had\n", output_begin(OUTPUT_BAD),
		       output_end(OUTPUT_BAD));
}

int advise_finding(const struct advise *advise)
{
	const struct advise_verified *verified = &advise->verified;

	return verified->done && (verified->status || verified->cycles > advise->time.now)
		       ? TOOL_FINDING
		       : TOOL_OK;
}

/*
 * A command as a shell takes it. Whatever is special stands in single quotes; what of it a terminal
 * would obey is shown, and taken by bash and zsh, as $'\033' between these.
 */
static void command_show(const char *command)
{
	while (*command) {
		size_t control = text_control_bytes(command);

		if (!control)
			putchar(*command++);
		else
			fputs("'$'", stdout);
		for (size_t i = 0; i < control; i++)
			printf("\\%03o", (unsigned char)*command++);
		if (control)
			fputs("''", stdout);
	}
	putchar('\n');
}

static void written_show(const struct advise *advise)
{
	char *command = advise_command(advise, advise->output);

	output_text("written: %s", advise->output);
	if (command) {
		fputs("run it:  ", stdout);
		command_show(command);
	} else {
		output_text("as `smile run --place %s` takes it", advise->output);
	}
	free(command);
}

void advise_show(const struct advise *advise)
{
	const struct advise_model *model = &advise->model;
	const char *note;
	char text[512];

	output_text("%zu nodes, %s: local %" PRIu64 ", remote read %" PRIu64 ", write %" PRIu64
		    ", lock %" PRIu64 " cycles%s%s",
		    model->nodes, model->name, model->weights.local, model->weights.read,
		    model->weights.write, model->weights.lock, advise->phase ? "; phase " : "",
		    advise->phase ? advise->phase : "");
	putchar('\n');
	data_show(advise);
	putchar('\n');
	runs_show(advise);
	putchar('\n');
	time_show(advise);
	for (size_t i = 0; (note = advise_note(advise, i, text, sizeof(text))); i++)
		output_text("note: %s", note);
	if (advise->verified.done)
		verified_show(advise);
	if (advise->output)
		written_show(advise);
}
