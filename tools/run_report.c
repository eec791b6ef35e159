// SPDX-License-Identifier: MIT
/*
 * smile run: the summary.
 *
 * What lives here: the table, and the document smile.run/1. Standard output is the program's own: the
 * table goes to standard error, the document to a file.
 */
#include "tools/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/output.h"
#include "tools/smile.h"

static uint64_t sum(const uint64_t *counts)
{
	uint64_t all = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		all += counts[type];
	return all;
}

static double seconds(const struct run *run, uint64_t cycles)
{
	return (double)cycles / (double)machine_frequency(run->machine);
}

static double speed_up(const struct run *run, uint64_t cycles)
{
	return cycles ? (double)machine_single_cycles(run->machine) / (double)cycles : 1;
}

static const char *place_text(const struct run *run)
{
	return run->options.place ? run->options.place : PLACEMENT_DEFAULT;
}

/* ---- table ----------------------------------------------------------------------------------- */

static void report_nodes(const struct run *run)
{
	static const char *const headings[] = {
		"node",	   "run time s", "lost to reads", "lost to writes", "lost to locks",
		"waiting", "local",	 "remote",	  "records",
	};
	struct output_table *table = output_table_new();

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		output_table_column(table, headings[i], 'r');
	for (unsigned n = 0; n < run->options.nodes; n++) {
		struct machine_statistics node;

		machine_statistics(run->machine, n, &node);
		output_table_cell(table, OUTPUT_PLAIN, "%u", n);
		output_table_cell(table, OUTPUT_PLAIN, "%.6f", seconds(run, node.cycles));
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_READ]);
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_WRITE]);
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_LOCK]);
		output_table_count(table, OUTPUT_PLAIN, node.wait_cycles);
		output_table_count(table, OUTPUT_PLAIN, sum(node.local) + node.hits);
		output_table_count(table, OUTPUT_PLAIN, sum(node.remote));
		output_table_count(table, OUTPUT_PLAIN, run->cards[n].records);
	}
	output_table_print(table);
}

static void report_checks(const struct run *run)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks), wrong = 0;
	char a[OUTPUT_COUNT_BYTES], b[OUTPUT_COUNT_BYTES];

	for (size_t i = 0; i < count; i++) {
		char node[24] = "";

		if (checks[i].is == checks[i].should_be)
			continue;
		wrong++;
		if (checks[i].node >= 0)
			snprintf(node, sizeof(node), "node %d: ", checks[i].node);
		tool_message("%s%s does not hold: %s, not %s", node, checks[i].name,
			     output_count(a, checks[i].is), output_count(b, checks[i].should_be));
	}
	if (!wrong)
		fprintf(stderr, "checked: what was traced was replayed, seen by the cards, and "
				"recorded\n");
}

static void report_table(const struct run *run)
{
	char a[OUTPUT_COUNT_BYTES], b[OUTPUT_COUNT_BYTES], c[OUTPUT_COUNT_BYTES];
	struct schedule_statistics replayed;
	struct run_totals totals;

	run_totals(run, &totals);
	schedule_statistics(run->schedule, &replayed);
	output_to(stderr);
	fprintf(stderr, "\n%u nodes, %s, pages %s%s%s; threads %" PRIu64 "\n\n", run->options.nodes,
		run->options.latency.name, place_text(run),
		run->options.placement_file ? ", as they are not in " : "",
		run->options.placement_file ? run->options.placement_file : "", replayed.threads);
	report_nodes(run);
	fprintf(stderr,
		"\nrun time: simulated; lost: cycles at %g MHz that the node's threads waited for "
		"remote\naccesses; waiting: for each other; local, remote: accesses, by the bytes "
		"of "
		"a B-Link packet\n\n",
		(double)machine_frequency(run->machine) / 1e6);
	fprintf(stderr, "accesses: %s = %s local + %s remote",
		output_count(a, totals.accesses + totals.split), output_count(b, totals.local),
		output_count(c, totals.remote));
	if (run->options.cache.bytes)
		fprintf(stderr, " + %s cache hits", output_count(a, totals.hits));
	if (totals.split)
		fprintf(stderr, " (%s were in two parts or more)", output_count(a, totals.split));
	fprintf(stderr, "\nrun time: %.6f s; on one node: %.6f s; speed-up %.2f\n",
		seconds(run, totals.cycles), seconds(run, machine_single_cycles(run->machine)),
		speed_up(run, totals.cycles));
	report_checks(run);
	fprintf(stderr, "recorded: %s-node%s.rec: see `smile report pages`\n", run->options.prefix,
		run->options.nodes > 1 ? "*" : "0");
	output_to(NULL);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_types(const uint64_t *values)
{
	return json_pack("{s:I, s:I, s:I}", "reads", (json_int_t)values[SMILE_TYPE_READ], "writes",
			 (json_int_t)values[SMILE_TYPE_WRITE], "locks",
			 (json_int_t)values[SMILE_TYPE_LOCK]);
}

static json_t *json_latency(const struct run *run)
{
	const struct latency_model *latency = &run->options.latency;

	return json_pack("{s:s, s:I, s:I, s:{s:I, s:I, s:I}}", "model", latency->name,
			 "frequency_hz", (json_int_t)latency->frequency_hz, "local_cycles",
			 (json_int_t)latency->local_cycles, "remote_cycles", "read",
			 (json_int_t)latency->remote_cycles[SMILE_TYPE_READ], "write",
			 (json_int_t)latency->remote_cycles[SMILE_TYPE_WRITE], "lock",
			 (json_int_t)latency->remote_cycles[SMILE_TYPE_LOCK]);
}

static json_t *json_cache(const struct run *run)
{
	const struct machine_cache *cache = &run->options.cache;

	if (!cache->bytes)
		return json_null();
	return json_pack("{s:I, s:i, s:i}", "bytes", (json_int_t)cache->bytes, "line_bytes",
			 (int)cache->line_bytes, "ways", (int)cache->ways);
}

static json_t *json_node(const struct run *run, unsigned n)
{
	struct machine_statistics node;

	machine_statistics(run->machine, n, &node);
	return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:I, s:I}",
			 "node", (int)n, "time_ns",
			 (json_int_t)machine_time_ns(run->machine, node.cycles), "cycles",
			 (json_int_t)node.cycles, "work_cycles", (json_int_t)node.work_cycles,
			 "local_cycles", (json_int_t)node.local_cycles, "cache_cycles",
			 (json_int_t)node.cache_cycles, "remote_cycles",
			 json_types(node.remote_cycles), "wait_cycles",
			 (json_int_t)node.wait_cycles, "idle_cycles", (json_int_t)node.idle_cycles,
			 "local", json_types(node.local), "remote", json_types(node.remote),
			 "cache_hits", (json_int_t)node.hits, "frames", (json_int_t)node.frames);
}

static json_t *json_thread(const struct run *run, size_t number)
{
	struct schedule_thread thread;

	schedule_thread(run->schedule, number, &thread);
	return json_pack("{s:I, s:i, s:I, s:I, s:I, s:o}", "thread", (json_int_t)number, "node",
			 (int)thread.node, "begin_cycle", (json_int_t)thread.begin_cycle,
			 "end_cycle", (json_int_t)thread.cycle, "instructions",
			 (json_int_t)thread.instructions, "accesses", json_types(thread.accesses));
}

/* Threads are listed up to a number that a reader can still make sense of. */
#define THREADS_SHOWN 4096

static json_t *json_lists(const struct run *run, uint64_t threads)
{
	json_t *nodes = json_array(), *list = json_array();

	for (unsigned n = 0; n < run->options.nodes; n++)
		json_array_append_new(nodes, json_node(run, n));
	for (size_t t = 0; t < threads && t < THREADS_SHOWN; t++)
		json_array_append_new(list, json_thread(run, t));
	return json_pack("{s:o, s:o}", "by_node", nodes, "by_thread", list);
}

static json_t *json_replay(const struct schedule_statistics *replayed)
{
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "instructions",
		(json_int_t)replayed->instructions, "threads", (json_int_t)replayed->threads,
		"processes", (json_int_t)replayed->processes, "barriers",
		(json_int_t)replayed->barriers, "acquisitions", (json_int_t)replayed->acquisitions,
		"contended", (json_int_t)replayed->contended, "phases",
		(json_int_t)replayed->phases, "host_waits", (json_int_t)replayed->host_waits,
		"host_orders", (json_int_t)replayed->host_orders, "deadlocks",
		(json_int_t)replayed->deadlocks, "refused", (json_int_t)replayed->refused);
}

static json_t *json_checks(const struct run *run)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks);
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *check = json_pack("{s:s, s:b, s:I, s:I}", "check", checks[i].name, "holds",
					  checks[i].is == checks[i].should_be, "is",
					  (json_int_t)checks[i].is, "should_be",
					  (json_int_t)checks[i].should_be);

		if (checks[i].node >= 0)
			json_object_set_new(check, "node", json_integer(checks[i].node));
		json_array_append_new(list, check);
	}
	return list;
}

static json_t *json_recordings(const struct run *run)
{
	json_t *list = json_array();

	for (unsigned n = 0; n < run->options.nodes; n++) {
		const struct run_card *card = &run->cards[n];

		json_array_append_new(
			list,
			json_pack("{s:i, s:o, s:I, s:I, s:I, s:I, s:I, s:b}", "node", (int)n,
				  "file", output_json_string(card->file), "records",
				  (json_int_t)card->records, "packets_seen",
				  (json_int_t)card->statistics.packets_seen, "events_accepted",
				  (json_int_t)card->loss.accepted, "events_delivered",
				  (json_int_t)card->loss.delivered, "events_lost",
				  (json_int_t)card->loss.lost, "balanced", card->loss.balanced));
	}
	return list;
}

json_t *run_report_json(const struct run *run, int recorded)
{
	struct schedule_statistics replayed;
	struct run_totals totals;
	json_t *document, *lists;

	run_totals(run, &totals);
	schedule_statistics(run->schedule, &replayed);
	document = json_pack(
		"{s:s, s:i, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:o}",
		"schema", "smile.run/1", "nodes", (int)run->options.nodes, "placement",
		place_text(run), "placement_file",
		run->options.placement_file ? output_json_string(run->options.placement_file)
					    : json_null(),
		"latency", json_latency(run), "cache", json_cache(run), "time_ns",
		(json_int_t)machine_time_ns(run->machine, totals.cycles), "cycles",
		(json_int_t)totals.cycles, "single_node_cycles",
		(json_int_t)machine_single_cycles(run->machine), "speed_up",
		speed_up(run, totals.cycles), "accesses", (json_int_t)totals.accesses, "local",
		(json_int_t)totals.local, "remote", (json_int_t)totals.remote, "cache_hits",
		(json_int_t)totals.hits, "split", (json_int_t)totals.split, "replay",
		json_replay(&replayed));
	lists = json_lists(run, replayed.threads);
	json_object_update(document, lists);
	json_decref(lists);
	if (recorded || !document)
		return document;
	json_object_set_new(document, "command_line", output_json_string(run->command_line));
	json_object_set_new(document, "exit_status", json_integer(run->status));
	json_object_set_new(document, "complete", json_boolean(!run->failed && !run->interrupted));
	json_object_set_new(document, "recordings", json_recordings(run));
	json_object_set_new(document, "checks", json_checks(run));
	return document;
}

static int report_to_file(const struct run *run)
{
	json_t *document = run_report_json(run, 0);
	const char *path = run->options.json;
	int to_stdout = !strcmp(path, "-"), failed;
	FILE *out = to_stdout ? stdout : fopen(path, "we");

	if (!out) {
		failed = errno;
		json_decref(document);
		return tool_error("the summary %s cannot be written: %s", path, strerror(failed));
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

int run_report(const struct run *run)
{
	struct run_check checks[RUN_CHECKS_MAX];
	size_t count = run_account(run, checks);
	int status = TOOL_OK;

	for (size_t i = 0; i < count; i++)
		if (checks[i].is != checks[i].should_be)
			status = TOOL_FINDING;
	if (!run->options.quiet)
		report_table(run);
	else if (status == TOOL_FINDING)
		report_checks(run);
	if (run->options.json && report_to_file(run) != TOOL_OK)
		status = TOOL_ERROR;
	return run->failed ? TOOL_ERROR : status;
}
