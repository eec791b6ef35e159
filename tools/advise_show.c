// SPDX-License-Identifier: MIT
/*
 * smile advise: what is shown on a terminal, and the notes.
 */
#include "tools/advise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/output.h"
#include "tools/smile.h"

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

static void columns(struct output_table *table, const char *const *headings, size_t count,
		    const char *align)
{
	for (size_t i = 0; i < count; i++)
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

static void region_row(const struct advise *advise, struct output_table *table, size_t first,
		       size_t end)
{
	uint64_t pages = 0, moved = 0, shared = 0, accesses = 0, cycles = 0, advised = 0;

	for (size_t i = first; i < end; i++) {
		const struct advise_run *run = &advise->runs[i];

		pages += run->count;
		moved += advise_run_moved(advise, run);
		if (advise->rows[run->first].flags & MONITOR_ADVICE_SHARED)
			shared += run->count;
		accesses += run->accesses;
		cycles += run->cycles;
		advised += run->advised_cycles;
	}
	output_table_cell(table, OUTPUT_STRONG, "%s", advise_run_name(&advise->runs[first]));
	output_table_count(table, OUTPUT_PLAIN, pages);
	output_table_count(table, OUTPUT_PLAIN, moved);
	output_table_count(table, OUTPUT_PLAIN, shared);
	cost_cells(table, accesses, cycles, advised);
}

static void regions_show(const struct advise *advise)
{
	static const char *const headings[] = {"REGION",       "PAGES",	   "TO MOVE",
					       "TRULY SHARED", "ACCESSES", "CYCLES NOW",
					       "CYCLES THEN",  "GAIN"};
	struct output_table *table = output_table_new();
	struct advise_sums sums;
	size_t next;

	columns(table, headings, 8, "lrrrrrrr");
	for (size_t i = 0; i < advise->run_count; i = next) {
		for (next = i + 1; next < advise->run_count; next++)
			if (!advise_runs_together(&advise->runs[i], &advise->runs[next]))
				break;
		region_row(advise, table, i, next);
	}
	advise_sums(advise, &sums);
	output_table_cell(table, OUTPUT_STRONG, "all");
	output_table_count(table, OUTPUT_PLAIN, sums.pages);
	output_table_count(table, OUTPUT_PLAIN, sums.moved);
	output_table_count(table, OUTPUT_PLAIN, sums.shared);
	cost_cells(table, sums.accesses, sums.cycles, sums.advised_cycles);
	output_table_print(table);
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

	columns(table, headings, 8, "lrrrrrrl");
	for (size_t i = 0; i < advise->run_count && i < advise->rows_shown; i++)
		run_row(advise, table, &advise->runs[i]);
	output_table_print(table);
	if (advise->run_count > advise->rows_shown)
		printf("and %zu more: see -n, -o and --json\n",
		       advise->run_count - (size_t)advise->rows_shown);
	printf("\npages: of the region, from 0; share: of the advised node in what all accesses "
	       "would cost\nif they were remote; truly shared: no node has %.0f%% of that\n",
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
	printf("\n(a phase takes as long as its busiest node; that nodes wait for each other "
	       "changes "
	       "with it,\nor stays%s)\n",
	       time->estimated ? "; work is estimated from accesses" : "");
}

static void verified_show(const struct advise *advise)
{
	const struct advise_verified *verified = &advise->verified;
	char a[OUTPUT_COUNT_BYTES], b[OUTPUT_COUNT_BYTES];

	printf("verified:  %.6f s", seconds(advise, verified->cycles));
	speed_up_show(advise, verified->cycles);
	printf("; cycles of accesses: %s predicted, %s measured\n",
	       output_count(a, verified->predicted_access_cycles),
	       output_count(b, verified->access_cycles));
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

void advise_show(const struct advise *advise)
{
	const struct advise_model *model = &advise->model;
	const char *note;
	char text[512];

	printf("%zu nodes, %s: local %" PRIu64 ", remote read %" PRIu64 ", write %" PRIu64
	       ", lock %" PRIu64 " cycles%s%s\n\n",
	       model->nodes, model->name, model->weights.local, model->weights.read,
	       model->weights.write, model->weights.lock, advise->phase ? "; phase " : "",
	       advise->phase ? advise->phase : "");
	regions_show(advise);
	putchar('\n');
	runs_show(advise);
	putchar('\n');
	time_show(advise);
	for (size_t i = 0; (note = advise_note(advise, i, text, sizeof(text))); i++)
		printf("note: %s\n", note);
	if (advise->verified.done)
		verified_show(advise);
	if (advise->output)
		printf("written: %s: see `smile run --place %s`\n", advise->output, advise->output);
}
