// SPDX-License-Identifier: MIT
/*
 * smile run: print the summary.
 *
 * What lives here: the table, the document, and the choice of their destinations. Standard output
 * belongs to the program, so the table is printed on standard error, and the document is written to
 * a file. `smile sim` prints the table on standard output.
 */
#include "tools/run/run_command.h"
#include "run/session/migration.h"
#include "run/session/network.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

/* The largest number of lines about moved pages. */
#define MIGRATION_LINES 8

static double seconds(const struct run *run, uint64_t cycles)
{
	return (double)cycles / (double)machine_frequency(run->machine);
}

/* ---- table ----------------------------------------------------------------------------------- */

static FILE *report_stream(const struct run_options *options)
{
	return options->summary_to_stdout ? stdout : stderr;
}

static void node_row(const struct run *run, struct output_table *table, unsigned n,
		     const struct machine_statistics *node)
{
	output_table_cell(table, OUTPUT_PLAIN, "%u", n);
	output_table_cell(table, OUTPUT_PLAIN, "%.6f", seconds(run, node->cycles));
	output_table_count(table, OUTPUT_PLAIN, node->remote_cycles[SMILE_TYPE_READ]);
	output_table_count(table, OUTPUT_PLAIN, node->remote_cycles[SMILE_TYPE_WRITE]);
	output_table_count(table, OUTPUT_PLAIN, node->remote_cycles[SMILE_TYPE_LOCK]);
	output_table_count(table, OUTPUT_PLAIN, node->wait_cycles);
	run_places_cells(run, table, node);
	if (run->config.prefix)
		output_table_count(table, OUTPUT_PLAIN,
				   run->config.records ? run->cards[n].records
						       : run->cards[n].loss.delivered);
}

/* Print the table of nodes. @part: the table is of this phase; NULL: of the whole run. */
static void report_nodes(const struct run *run, const struct run_phase *part)
{
	struct output_table *table = output_table_new();

	output_table_columns(table, ">node|>run time s|>lost to reads|>lost to writes"
				    "|>lost to locks|>waiting");
	run_places_columns(run, table);
	/* The heading names the unit of a node's recording: records or counts. */
	if (run->config.prefix)
		output_table_columns(table, run->config.records ? ">records" : ">counted");
	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct machine_statistics node;

		machine_statistics(run->machine, n, &node);
		node_row(run, table, n, part ? &part->nodes[n] : &node);
	}
	output_table_print(table);
}

static void report_checks(const struct run *run, const struct run_options *options)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks), wrong = 0;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	for (size_t i = 0; i < count; i++) {
		char node[24] = "";

		if (checks[i].is == checks[i].should_be)
			continue;
		wrong++;
		if (checks[i].node >= 0)
			snprintf(node, sizeof(node), "node %d: ", checks[i].node);
		tool_message("%s%s does not hold: %s, not %s", node, checks[i].name,
			     text_count(a, checks[i].is), text_count(b, checks[i].should_be));
	}
	/*
	 * The account has compared all accesses only if the run has ended without an error and was
	 * not interrupted.
	 */
	if (!wrong && !run->failed && !run->interrupted && !options->quiet)
		fprintf(report_stream(options), "checked: all traced accesses were replayed%s\n",
			run->config.prefix ? ", seen by the cards, and recorded" : "");
}

static void report_head(const struct run *run, FILE *out)
{
	struct schedule_statistics replayed;

	schedule_statistics(run->schedule, &replayed);
	fprintf(out, "\n%u nodes, %s, pages %s%s%s; threads %" PRIu64 "\n\n", run->config.nodes,
		output_name(run->config.latency.name), run_place_text(run),
		run->config.placement_file ? ", as they are not in " : "",
		output_name(run->config.placement_file), replayed.threads);
}

/* If a phase was requested, print its table before the tables of the run. */
static void report_part(const struct run *run, const struct run_phase *part, FILE *out)
{
	if (part)
		fprintf(out, "phase %s alone:\n\n", output_name(part->name));
	report_nodes(run, part);
	fprintf(out,
		"\nrun time: simulated; lost: cycles at %g MHz that the node's threads waited for "
		"remote\naccesses; waiting: for each other; %s\n\n",
		(double)machine_frequency(run->machine) / 1e6,
		run->config.caches.count
			? "local, remote: accesses; cached: accesses that caches\nserved; "
			  "lines: lines that were fetched and written back, and locks"
			: "local, remote: accesses, by the bytes of a B-Link packet");
	if (part)
		fprintf(out, "phase %s: %.6f s; on one node: %.6f s; speed-up %.4f\n\nall:\n\n",
			output_name(part->name), seconds(run, part->cycles),
			seconds(run, part->single_cycles), run_phase_speed_up(part));
	run_phases_table(run, out);
}

/* The largest number of lines about executed programs. */
#define PROGRAM_LINES 16

/* If more than one program was executed, list the programs. */
static void report_programs(const struct run *run, FILE *out)
{
	struct schedule_program program;
	char text[TEXT_COUNT_BYTES];
	size_t count = 0;

	if (schedule_program(run->schedule, 1, &program))
		return;
	fprintf(out, "programs and forked processes, with the first address of each:\n");
	for (; !schedule_program(run->schedule, count, &program); count++)
		if (count < PROGRAM_LINES)
			fprintf(out, "  process %u  %#14" PRIx64 "  %10s accesses  %s%s\n",
				program.process, STREAM_PROGRAM_AT(program.number),
				text_count(text, program.accesses),
				output_name(*program.name ? program.name : run->program),
				program.forked ? " (forked)" : "");
	if (count > PROGRAM_LINES)
		fprintf(out, "  and %zu more: see --json\n", count - PROGRAM_LINES);
}

/* Print the numbers of accesses that were not counted. A number of 0 is left out. */
static void report_left(const struct run *run, FILE *out)
{
	const char *between = "not counted: ";
	char text[TEXT_COUNT_BYTES];
	struct run_left left;

	for (size_t i = 0; run_left(run, i, &left); i++) {
		if (left.known && !left.accesses)
			continue;
		fputs(between, out);
		if (left.known)
			fprintf(out, "%s: ", text_count(text, left.accesses));
		fputs(output_name(left.reason), out);
		between = ";\n             ";
	}
	fputc('\n', out);
}

/*
 * Print an item of a list with its number of occurrences, after the separator @between. If the
 * number is 0, print nothing.
 */
static void report_item(FILE *out, const char **between, const char *what, uint64_t times)
{
	char text[TEXT_COUNT_BYTES];

	if (!times)
		return;
	fprintf(out, "%s%s (%s time%s)", *between, output_name(what), text_count(text, times),
		times == 1 ? "" : "s");
	*between = ", ";
}

/* List the data that came from the host. The next run may get different data. */
static void report_host(const struct run *run, FILE *out)
{
	const char *between = "from the host, and perhaps different in another run: ";

	for (unsigned int what = 0; what < STREAM_HOST_DATA_COUNT; what++)
		report_item(out, &between, run_host_data_text(what), run_host_data(run, what));
	if (*between == ',')
		fputc('\n', out);
}

/* List the system calls whose results may make the program behave differently than natively. */
static void report_unsupported(const struct run *run, FILE *out)
{
	const char *between =
		"not executed by QEMU, so that the program may behave differently than "
		"natively: ";

	for (unsigned int number = 0; number < STREAM_SYSCALLS; number++)
		report_item(out, &between, run_unsupported_name(number),
			    run_unsupported(run, number));
	if (*between == ',')
		fputc('\n', out);
}

/* Print how many accesses each level of the caches has served. */
static void report_levels(const struct run *run, FILE *out)
{
	uint64_t served[MACHINE_LEVELS] = {0}, transfers = 0;
	char text[TEXT_COUNT_BYTES];
	struct run_totals totals;

	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct machine_statistics node;

		machine_statistics(run->machine, n, &node);
		transfers += node.transfers;
		for (unsigned i = 0; i <= run->config.caches.count; i++)
			served[i] += run_types(node.level_hits[i]);
	}
	fputs("served by", out);
	for (unsigned i = 0; i <= run->config.caches.count; i++)
		fprintf(out, "%s %s: %s", i ? "," : "", run_level_name(run, i),
			text_count(text, served[i]));
	run_totals(run, &totals);
	fprintf(out, "; by memory: %s", text_count(text, totals.misses));
	fprintf(out, ", of these %s to lines that another node had modified",
		text_count(text, transfers));
	fprintf(out, "\nlines written back: %s\n", text_count(text, totals.backs));
}

static void report_totals(const struct run *run, FILE *out)
{
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES], c[TEXT_COUNT_BYTES];
	struct run_totals totals;

	run_totals(run, &totals);
	fprintf(out, "accesses: %s = ", text_count(a, totals.accesses + totals.split));
	if (run->config.caches.count)
		fprintf(out, "%s by memory", text_count(b, totals.misses));
	else
		fprintf(out, "%s local + %s remote", text_count(b, totals.local),
			text_count(c, totals.remote));
	if (run->config.cache.bytes || run->config.caches.count)
		fprintf(out, " + %s cache hits", text_count(a, totals.hits));
	if (totals.split)
		fprintf(out, " (%s were in two parts or more)", text_count(a, totals.split));
	fputc('\n', out);
	if (run->config.caches.count)
		report_levels(run, out);
	report_left(run, out);
	report_host(run, out);
	report_unsupported(run, out);
	fprintf(out, "run time: %.6f s; on one node: %.6f s; speed-up %.4f\n",
		seconds(run, totals.cycles), seconds(run, machine_single_cycles(run->machine)),
		run_speed_up(run, totals.cycles));
}

/* Write the name of a node of the network, or of a port of the network's switch. */
static const char *network_node(char *text, size_t room, uint32_t node)
{
	if (node == NETWORK_BRIDGE)
		snprintf(text, room, "the switch");
	else
		snprintf(text, room, "node %" PRIu32, node);
	return text;
}

/* Print the busiest link, and the node that has waited longest. */
static void report_network(const struct run *run, FILE *out)
{
	char from[24], to[24], cycles[TEXT_COUNT_BYTES];
	struct run_network_link link;
	unsigned longest = 0;

	if (!run->network)
		return;
	run_network_link(run->network, run_network_busiest(run->network), &link);
	for (unsigned node = 1; node < run->config.nodes; node++)
		if (run_network_waited(run->network, node) >
		    run_network_waited(run->network, longest))
			longest = node;
	fprintf(out,
		"network %s: busiest link from %s to %s, load %.3f, full for %.1f %% of the time; "
		"node %u waited longest, %s cycles\n",
		output_name(run->config.network_name),
		network_node(from, sizeof(from), link.at.from),
		network_node(to, sizeof(to), link.at.to), link.load, 100 * link.full, longest,
		text_count(cycles, run_network_waited(run->network, longest)));
}

/* Print the numbers of moved pages. Epochs in which many pages moved have their own lines. */
static void report_migration(const struct run *run, FILE *out)
{
	const struct migrate_move *moves;
	struct migrate_totals totals;
	size_t count, next, lines = 0;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	if (!run->migrate)
		return;
	totals = migrate_totals(run->migrate);
	count = migrate_moves(run->migrate, &moves);
	fprintf(out,
		"pages moved: %s, %" PRIu64 " of them back, in %" PRIu64
		" epochs; nodes stood still for %s cycles\n",
		text_count(a, totals.moves), totals.back, totals.epochs,
		text_count(b, totals.cycles));
	for (size_t i = 0; i < count; i = next) {
		for (next = i; next < count && moves[next].cycle == moves[i].cycle;)
			next++;
		if (lines++ < MIGRATION_LINES)
			fprintf(out,
				"  at %.6f s: %zu page%s, the first %" PRIu64
				" from node %u to %u\n",
				seconds(run, moves[i].cycle), next - i, next - i == 1 ? "" : "s",
				moves[i].page, moves[i].from, moves[i].to);
	}
	if (lines > MIGRATION_LINES)
		fprintf(out, "  and at %zu more times: see --json\n", lines - MIGRATION_LINES);
}

static void report_table(const struct run *run, const struct run_options *options)
{
	FILE *out = report_stream(options);

	output_to(out);
	report_head(run, out);
	report_part(run, run->config.only ? &run->phases.part : NULL, out);
	report_totals(run, out);
	report_programs(run, out);
	report_network(run, out);
	report_migration(run, out);
	report_checks(run, options);
	if (run->config.prefix)
		fprintf(out, "recorded: %s-node%s.rec: see `smile report pages`\n",
			output_name(run->config.prefix), run->config.nodes > 1 ? "*" : "0");
	output_to(NULL);
}

/* ---- both ------------------------------------------------------------------------------------ */

static int report_to_file(const struct run *run, const struct run_options *options)
{
	json_t *document = run_report_json(run, 0);
	const char *path = options->json;
	int to_stdout = !strcmp(path, "-"), failed;
	FILE *out = to_stdout ? stdout : output_file_create(path);

	if (!out) {
		json_decref(document);
		return TOOL_ERROR;
	}
	errno = 0;
	failed = !document || json_dumpf(document, out, JSON_COMPACT);
	json_decref(document);
	failed |= fputc('\n', out) == EOF;
	failed |= to_stdout ? fflush(out) : fclose(out);
	return failed ? tool_error("the summary %s cannot be written: %s", path,
				   errno ? strerror(errno) : "no memory")
		      : TOOL_OK;
}

/*
 * Check whether the program has failed and has printed its own message. There is then nothing to
 * report.
 */
static int report_needless(const struct run *run)
{
	return run->config.workload && run->status == TOOL_ERROR;
}

static const char incomplete_remedy[] =
	"; the exit status is 1 if the program's is 0 (--allow-incomplete: it is 0)";

int run_report(const struct run *run, const struct run_options *options)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks);
	int status = TOOL_OK;
	char text[RUN_WHY_BYTES];

	if (report_needless(run))
		return TOOL_ERROR;
	for (size_t i = 0; i < count; i++)
		if (checks[i].is != checks[i].should_be)
			status = TOOL_FINDING;
	if (!run_complete(run, text, sizeof(text))) {
		if (!run->failed)
			tool_message("not all is counted: %s%s", text,
				     options->run.allow_incomplete ? "" : incomplete_remedy);
		if (!options->run.allow_incomplete)
			status = TOOL_FINDING;
	}
	if (!options->quiet)
		report_table(run, options);
	else
		report_checks(run, options);
	if (options->json && report_to_file(run, options) != TOOL_OK)
		status = TOOL_ERROR;
	return run->failed ? TOOL_ERROR : status;
}
