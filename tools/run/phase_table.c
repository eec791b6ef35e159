// SPDX-License-Identifier: MIT
/*
 * smile run: print the table of phases. What lives here: this table, and the columns that it shares
 * with the table of nodes.
 */
#include "tools/run/run_command.h"

#include "tools/common/output.h"

#define PHASES_SHOWN 32U

/*
 * Check whether nothing has happened in a phase. There is always a phase before the first mark, but
 * it may be empty. An empty phase is not shown.
 */
static bool phase_empty(const struct run *run, const struct run_phase *phase)
{
	for (unsigned n = 0; n < run->config.nodes; n++)
		if (phase->nodes[n].work_cycles || phase->nodes[n].accesses)
			return false;
	return !phase->cycles;
}

void run_places_columns(const struct run *run, struct output_table *table)
{
	output_table_columns(table, ">local|>remote");
	if (!run->config.caches.count)
		return;
	output_table_columns(table, ">cached|>local lines|>remote lines");
}

void run_places_cells(const struct run *run, struct output_table *table,
		      const struct machine_statistics *of)
{
	if (!run->config.caches.count) {
		/* If there is only the papers' cache, accesses that it serves count as local. */
		output_table_count(table, OUTPUT_PLAIN, run_types(of->local) + of->hits);
		output_table_count(table, OUTPUT_PLAIN, run_types(of->remote));
		return;
	}
	output_table_count(table, OUTPUT_PLAIN, run_types(of->made_local));
	output_table_count(table, OUTPUT_PLAIN, run_types(of->made_remote));
	output_table_count(table, OUTPUT_PLAIN, of->hits);
	output_table_count(table, OUTPUT_PLAIN, run_types(of->local));
	output_table_count(table, OUTPUT_PLAIN, run_types(of->remote));
}

static void phase_row(const struct run *run, struct output_table *table, size_t index)
{
	const struct run_phase *phase = &run->phases.list[index];
	struct machine_statistics all = {0};
	double frequency = (double)machine_frequency(run->machine);

	for (unsigned n = 0; n < run->config.nodes; n++)
		run_statistics_add(&all, &phase->nodes[n]);
	output_table_cell(table, OUTPUT_STRONG, "%zu", index);
	output_table_cell(table, OUTPUT_STRONG, "%s", *phase->name ? phase->name : "-");
	output_table_cell(table, OUTPUT_PLAIN, "%.6f", (double)phase->cycles / frequency);
	output_table_cell(table, OUTPUT_PLAIN, "%.4f", run_phase_speed_up(phase));
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_READ]);
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_WRITE]);
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_LOCK]);
	output_table_count(table, OUTPUT_PLAIN, all.wait_cycles);
	run_places_cells(run, table, &all);
}

void run_phases_table(const struct run *run, FILE *out)
{
	struct output_table *table;
	size_t count = run->phases.count;

	/* A single phase is the whole run, which the table of nodes has already shown. */
	if (count < 2)
		return;
	table = output_table_new();
	output_table_columns(table, ">phase|<name|>time s|>speed-up|>lost to reads|>lost to writes"
				    "|>lost to locks|>waiting");
	run_places_columns(run, table);
	for (size_t i = 0; i < count && i < PHASES_SHOWN; i++)
		if (i || !phase_empty(run, &run->phases.list[i]))
			phase_row(run, table, i);
	output_table_print(table);
	if (count > PHASES_SHOWN)
		fprintf(out, "and %zu more: see --json\n", count - PHASES_SHOWN);
	fputc('\n', out);
}
