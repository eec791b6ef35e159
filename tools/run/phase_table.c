// SPDX-License-Identifier: MIT
/*
 * smile run: the table of phases.
 */
#include "tools/run/run_command.h"

#include "tools/common/output.h"

#define PHASES_SHOWN 32U

/*
 * There is always a phase before the first mark, if only for a moment. It is shown if nodes were
 * active in it.
 */
static bool phase_empty(const struct run *run, const struct run_phase *phase)
{
	for (unsigned n = 0; n < run->config.nodes; n++)
		if (phase->nodes[n].work_cycles || phase->nodes[n].accesses)
			return false;
	return !phase->cycles;
}

static void phase_row(const struct run *run, struct output_table *table, size_t index)
{
	const struct run_phase *phase = &run->phases.list[index];
	struct machine_statistics all = {0};
	double frequency = (double)machine_frequency(run->machine);
	uint64_t local, remote;

	for (unsigned n = 0; n < run->config.nodes; n++)
		run_statistics_add(&all, &phase->nodes[n]);
	local = run_types(all.local) + (run->config.caches.count ? 0 : all.hits);
	remote = run_types(all.remote);
	output_table_cell(table, OUTPUT_STRONG, "%zu", index);
	output_table_cell(table, OUTPUT_STRONG, "%s", *phase->name ? phase->name : "-");
	output_table_cell(table, OUTPUT_PLAIN, "%.6f", (double)phase->cycles / frequency);
	output_table_cell(table, OUTPUT_PLAIN, "%.4f", run_phase_speed_up(phase));
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_READ]);
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_WRITE]);
	output_table_count(table, OUTPUT_PLAIN, all.remote_cycles[SMILE_TYPE_LOCK]);
	output_table_count(table, OUTPUT_PLAIN, all.wait_cycles);
	if (run->config.caches.count)
		output_table_count(table, OUTPUT_PLAIN, all.hits);
	output_table_count(table, OUTPUT_PLAIN, local);
	output_table_count(table, OUTPUT_PLAIN, remote);
}

void run_phases_table(const struct run *run, FILE *out)
{
	static const char *const headings[] = {
		"time s", "speed-up", "lost to reads", "lost to writes", "lost to locks", "waiting",
	};
	struct output_table *table;
	size_t count = run->phases.count;

	/* A single phase is the whole run, which was shown already. */
	if (count < 2)
		return;
	table = output_table_new();
	output_table_column(table, "phase", 'r');
	output_table_column(table, "name", 'l');
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		output_table_column(table, headings[i], 'r');
	if (run->config.caches.count)
		output_table_column(table, "cached", 'r');
	output_table_column(table, "local", 'r');
	output_table_column(table, "remote", 'r');
	for (size_t i = 0; i < count && i < PHASES_SHOWN; i++)
		if (i || !phase_empty(run, &run->phases.list[i]))
			phase_row(run, table, i);
	output_table_print(table);
	if (count > PHASES_SHOWN)
		fprintf(out, "and %zu more: see --json\n", count - PHASES_SHOWN);
	fputc('\n', out);
}
