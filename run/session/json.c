// SPDX-License-Identifier: MIT
/*
 * run/session: writes the summary as a JSON document, smile.run/2.
 *
 * What lives here: the members that smile-run(1) documents, in the same order.
 */
#include "run/session/session_inside.h"
#include "run/session/migration.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/analysis/document.h"

/*
 * The number of locks that are listed. The listed locks are the locks for which threads have waited
 * longest.
 */
#define LOCK_WAITS 16

static json_t *json_types(const uint64_t *values)
{
	return json_pack("{s:I, s:I, s:I}", "reads", (json_int_t)values[SMILE_TYPE_READ], "writes",
			 (json_int_t)values[SMILE_TYPE_WRITE], "locks",
			 (json_int_t)values[SMILE_TYPE_LOCK]);
}

/* Get the cycles of a read, by node and home. */
static json_t *json_pairs(const struct run *run)
{
	json_t *nodes = json_array();

	for (unsigned n = 0; n < run->config.nodes; n++) {
		json_t *homes = json_array();

		for (unsigned home = 0; home < run->config.nodes; home++)
			json_array_append_new(homes,
					      json_integer(latency_cycles(&run->config.latency, n,
									  home, SMILE_TYPE_READ)));
		json_array_append_new(nodes, homes);
	}
	return nodes;
}

static json_t *json_latency(const struct run *run)
{
	const struct latency_model *latency = &run->config.latency;
	json_t *object =
		json_pack("{s:s, s:I, s:I, s:{s:I, s:I, s:I}}", "model", latency->name,
			  "frequency_hz", (json_int_t)latency->frequency_hz, "local_cycles",
			  (json_int_t)latency->local_cycles, "remote_cycles", "read",
			  (json_int_t)latency->remote_cycles[SMILE_TYPE_READ], "write",
			  (json_int_t)latency->remote_cycles[SMILE_TYPE_WRITE], "lock",
			  (json_int_t)latency->remote_cycles[SMILE_TYPE_LOCK]);

	if (latency->pairs)
		json_object_set_new(object, "read_cycles", json_pairs(run));
	return object;
}

static json_t *json_caches(const struct run *run)
{
	const struct caches_shape *caches = &run->config.caches;
	json_t *list;

	if (!caches->count)
		return json_null();
	list = json_array();
	for (unsigned i = 0; i < caches->count; i++) {
		const struct caches_level *level = &caches->levels[i];

		json_array_append_new(
			list, json_pack("{s:s, s:I, s:i, s:i, s:I, s:b}", "level", level->name,
					"bytes", (json_int_t)level->bytes, "line_bytes",
					(int)level->line_bytes, "ways", (int)level->ways, "cycles",
					(json_int_t)level->cycles, "shared", (int)level->shared));
	}
	return list;
}

/*
 * Add the accesses that the caches have served, the accesses that the caches have not served, and
 * the traffic that these accesses cause.
 */
static void json_served(const struct run *run, const struct machine_statistics *node, json_t *to)
{
	const struct caches_shape *caches = &run->config.caches;
	json_t *levels = json_array();

	for (unsigned i = 0; i <= caches->count; i++) {
		json_t *level = json_types(node->level_hits[i]);

		json_object_set_new(level, "level", json_string(run_level_name(run, i)));
		json_array_append_new(levels, level);
	}
	json_object_set_new(to, "transactions",
			    json_pack("{s:o, s:o}", "local", json_types(node->local), "remote",
				      json_types(node->remote)));
	json_object_set_new(to, "hits_by_level", levels);
	json_object_set_new(to, "cache_misses", json_types(node->misses));
	json_object_set_new(to, "transfers", json_integer((json_int_t)node->transfers));
	json_object_set_new(to, "write_backs", json_integer((json_int_t)node->backs));
}

static json_t *json_cache(const struct run *run)
{
	const struct machine_cache *cache = &run->config.cache;

	if (!cache->bytes)
		return json_null();
	return json_pack("{s:I, s:i, s:i}", "bytes", (json_int_t)cache->bytes, "line_bytes",
			 (int)cache->line_bytes, "ways", (int)cache->ways);
}

static json_t *json_node(const struct run *run, unsigned n, const struct machine_statistics *node)
{
	const bool caches = run->config.caches.count != 0;
	json_t *object = json_pack(
		"{s:i, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:I, s:I}", "node", (int)n,
		"time_ns", (json_int_t)machine_time_ns(run->machine, node->cycles), "cycles",
		(json_int_t)node->cycles, "work_cycles", (json_int_t)node->work_cycles,
		"local_cycles", (json_int_t)node->local_cycles, "cache_cycles",
		(json_int_t)node->cache_cycles, "remote_cycles", json_types(node->remote_cycles),
		"wait_cycles", (json_int_t)node->wait_cycles, "idle_cycles",
		(json_int_t)node->idle_cycles, "local",
		json_types(caches ? node->made_local : node->local), "remote",
		json_types(caches ? node->made_remote : node->remote), "cache_hits",
		(json_int_t)node->hits, "frames", (json_int_t)node->frames);

	if (caches)
		json_served(run, node, object);
	return object;
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

/* The largest number of threads that are listed. A longer list would not help a reader. */
#define THREADS_SHOWN 4096

static json_t *json_lists(const struct run *run, uint64_t threads)
{
	json_t *nodes = json_array(), *list = json_array();

	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct machine_statistics node;

		machine_statistics(run->machine, n, &node);
		json_array_append_new(nodes, json_node(run, n, &node));
	}
	for (size_t t = 0; t < threads && t < THREADS_SHOWN; t++)
		json_array_append_new(list, json_thread(run, t));
	return json_pack("{s:o, s:o}", "by_node", nodes, "by_thread", list);
}

static json_t *json_replay(const struct schedule_statistics *replayed)
{
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "instructions",
		(json_int_t)replayed->instructions, "threads", (json_int_t)replayed->threads,
		"processes", (json_int_t)replayed->processes, "barriers",
		(json_int_t)replayed->barriers, "acquisitions", (json_int_t)replayed->acquisitions,
		"contended", (json_int_t)replayed->contended, "phases",
		(json_int_t)replayed->phases, "host_waits", (json_int_t)replayed->host_waits,
		"host_orders", (json_int_t)replayed->host_orders, "chances",
		(json_int_t)replayed->chances, "deadlocks", (json_int_t)replayed->deadlocks,
		"refused", (json_int_t)replayed->refused, "unknown", (json_int_t)replayed->unknown);
}

/* Get the number of times that the host supplied data to the program, by kind. */
static json_t *json_host(const struct run *run)
{
	json_t *object = json_object();

	for (unsigned int what = 0; what < STREAM_HOST_DATA_COUNT; what++)
		json_object_set_new(object, run_host_data_key(what),
				    json_integer((json_int_t)run_host_data(run, what)));
	return object;
}

/* Get the system calls that QEMU did not execute. */
static json_t *json_unsupported(const struct run *run)
{
	json_t *list = json_array();

	for (unsigned int number = 0; number < STREAM_SYSCALLS; number++) {
		uint32_t times = run_unsupported(run, number);

		if (times)
			json_array_append_new(list,
					      json_pack("{s:s, s:i, s:I}", "call",
							run_unsupported_name(number), "number",
							(int)number, "times", (json_int_t)times));
	}
	return list;
}

/* Get the number of accesses of the program and its libraries, whether they were counted or not. */
static json_t *json_account(const struct run *run, uint64_t counted)
{
	json_t *list = json_array();
	uint64_t all = counted;
	struct run_left left;
	char why[RUN_WHY_BYTES];
	bool complete = run_complete(run, why, sizeof(why));

	for (size_t i = 0; run_left(run, i, &left); i++) {
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:s?}", "reason", left.reason, "accesses",
					left.known ? json_integer((json_int_t)left.accesses)
						   : json_null(),
					"rule", left.rule));
		all += left.known ? left.accesses : 0;
	}
	return json_pack("{s:I, s:I, s:o, s:s?}", "accesses", (json_int_t)all, "counted",
			 (json_int_t)counted, "left_out", list, "incomplete",
			 complete ? NULL : why);
}

/*
 * The largest number of moves that are listed. All moves are counted, whether they are listed or
 * not.
 */
#define MOVES_SHOWN 4096

static json_t *json_migration(const struct run *run)
{
	const struct migrate_move *moves;
	struct migrate_totals totals;
	json_t *list;
	size_t count;

	if (!run->migrate)
		return json_null();
	list = json_array();
	totals = migrate_totals(run->migrate);
	count = migrate_moves(run->migrate, &moves);
	for (size_t i = 0; i < count && i < MOVES_SHOWN; i++)
		json_array_append_new(
			list,
			json_pack("{s:I, s:I, s:i, s:i, s:b}", "time_ns",
				  (json_int_t)machine_time_ns(run->machine, moves[i].cycle), "page",
				  (json_int_t)moves[i].page, "from", (int)moves[i].from, "to",
				  (int)moves[i].to, "back", (int)moves[i].back));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "epoch_ns",
			 (json_int_t)run->config.migrate_ns, "epochs", (json_int_t)totals.epochs,
			 "moves", (json_int_t)totals.moves, "back", (json_int_t)totals.back,
			 "cycles", (json_int_t)totals.cycles, "list", list);
}

static json_t *json_roles(const struct run *run)
{
	struct schedule_role role;
	json_t *list = json_array();
	size_t position = 0;

	while (schedule_role(run->schedule, &position, &role)) {
		json_t *threads = json_array();

		for (size_t i = 0; i < role.count; i++)
			json_array_append_new(threads, json_integer(role.threads[i]));
		json_array_append_new(list,
				      json_pack("{s:I, s:b, s:b, s:b, s:b, s:I, s:I, s:o}", "lock",
						(json_int_t)role.lock, "atomic", role.atomic,
						"loop", role.loop, "even", role.even, "later",
						role.later, "site", (json_int_t)role.site, "turns",
						(json_int_t)role.turns, "threads", threads));
	}
	return list;
}

static int by_cycles(const void *left, const void *right)
{
	const struct schedule_lock_wait *a = left, *b = right;

	if (a->cycles != b->cycles)
		return a->cycles < b->cycles ? 1 : -1;
	return (a->lock > b->lock) - (a->lock < b->lock);
}

/* Get the locks for which threads have waited longest, and the waits for all locks. */
static json_t *json_lock_waits(const struct run *run)
{
	struct schedule_lock_wait waits[LOCK_WAITS + 1];
	json_t *list = json_array();
	size_t position = 0, count = 0;
	uint64_t all = 0;

	while (schedule_lock_wait(run->schedule, &position, &waits[count])) {
		count++;
		qsort(waits, count, sizeof(*waits), by_cycles);
		count -= count > LOCK_WAITS;
	}
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:I, s:I, s:I, s:I}", "lock",
						      (json_int_t)waits[i].lock, "site",
						      (json_int_t)waits[i].site, "turns",
						      (json_int_t)waits[i].turns, "cycles",
						      (json_int_t)waits[i].cycles));
	for (unsigned n = 0; n < run->config.nodes; n++)
		all += schedule_lock_waits(run->schedule, n);
	return json_pack("{s:I, s:o}", "cycles", (json_int_t)all, "locks", list);
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

	for (unsigned n = 0; run->config.prefix && n < run->config.nodes; n++) {
		const struct run_card *card = &run->cards[n];

		json_array_append_new(
			list,
			json_pack("{s:i, s:o, s:I, s:I, s:I, s:I, s:I, s:b}", "node", (int)n,
				  "file", document_text(card->file), "records",
				  (json_int_t)card->records, "packets_seen",
				  (json_int_t)card->statistics.packets_seen, "events_accepted",
				  (json_int_t)card->loss.accepted, "events_delivered",
				  (json_int_t)card->loss.delivered, "events_lost",
				  (json_int_t)card->loss.lost, "balanced", card->loss.balanced));
	}
	return list;
}

static json_t *json_phase(const struct run *run, const struct run_phase *phase)
{
	json_t *nodes = json_array();

	for (unsigned n = 0; n < run->config.nodes; n++) {
		json_t *node = json_node(run, n, &phase->nodes[n]);

		/*
		 * Do not write the idle cycles. Otherwise the idle time of a thread's first phase
		 * would include the time before the thread existed.
		 */
		json_object_del(node, "idle_cycles");
		json_array_append_new(nodes, node);
	}
	return json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:f, s:o}", "name", phase->name, "counted",
			 (int)phase->counted, "start_ns",
			 (json_int_t)machine_time_ns(run->machine, phase->start_cycle), "time_ns",
			 (json_int_t)machine_time_ns(run->machine, phase->cycles), "cycles",
			 (json_int_t)phase->cycles, "single_node_cycles",
			 (json_int_t)phase->single_cycles, "speed_up", run_phase_speed_up(phase),
			 "by_node", nodes);
}

static json_t *json_phases(const struct run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < run->phases.count; i++)
		json_array_append_new(list, json_phase(run, &run->phases.list[i]));
	return list;
}

/* Get the programs that the processes have executed, in the order of execution. */
static json_t *json_programs(const struct run *run)
{
	struct schedule_program program;
	json_t *list = json_array();

	for (size_t i = 0; !schedule_program(run->schedule, i, &program); i++)
		json_array_append_new(
			list,
			json_pack("{s:o, s:i, s:b, s:I, s:I}", "program",
				  document_text(*program.name ? program.name : run->program),
				  "process", (int)program.process, "forked", program.forked,
				  "first_address", (json_int_t)(STREAM_PROGRAM_AT(program.number)),
				  "accesses", (json_int_t)program.accesses));
	return list;
}

/*
 * Describe the standard input, so that a later run can use the same input. A file is described by
 * its path.
 */
static json_t *json_input(void)
{
	char path[PATH_MAX + 1];
	struct stat status;
	ssize_t length;

	if (fstat(STDIN_FILENO, &status))
		return json_null();
	if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
		return json_pack("{s:s, s:n}", "kind", "pipe", "path");
	length = S_ISREG(status.st_mode) ? readlink("/proc/self/fd/0", path, sizeof(path) - 1) : -1;
	if (length <= 0 || status.st_nlink == 0)
		return json_null();
	path[length] = '\0';
	return json_pack("{s:s, s:o}", "kind", "file", "path", document_text(path));
}

static json_t *json_arguments(const struct run *run)
{
	json_t *list = json_array();

	for (char **word = run->arguments; word && *word; word++)
		json_array_append_new(list, document_text(*word));
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
		"schema", "smile.run/2", "nodes", (int)run->config.nodes, "placement",
		run_place_text(run), "placement_file",
		run->config.placement_file ? document_text(run->config.placement_file)
					   : json_null(),
		"latency", json_latency(run), "cache", json_cache(run), "time_ns",
		(json_int_t)machine_time_ns(run->machine, totals.cycles), "cycles",
		(json_int_t)totals.cycles, "single_node_cycles",
		(json_int_t)machine_single_cycles(run->machine), "speed_up",
		run_speed_up(run, totals.cycles), "accesses", (json_int_t)totals.accesses, "local",
		(json_int_t)(run->config.caches.count ? totals.made_local : totals.local), "remote",
		(json_int_t)(run->config.caches.count ? totals.made_remote : totals.remote),
		"cache_hits", (json_int_t)totals.hits, "split", (json_int_t)totals.split, "replay",
		json_replay(&replayed));
	json_object_set_new(document, "account", json_account(run, totals.accesses));
	json_object_set_new(document, "host", json_host(run));
	json_object_set_new(document, "unsupported", json_unsupported(run));
	lists = json_lists(run, replayed.threads);
	json_object_update(document, lists);
	json_decref(lists);
	if (run->config.workload)
		json_object_set_new(document, "workload", json_string(run->config.workload));
	if (run->config.only)
		json_object_set_new(document, "only_phase", json_string(run->config.only));
	if (run->config.from)
		json_object_set_new(document, "from_phase", json_string(run->config.from));
	if (run->config.to)
		json_object_set_new(document, "to_phase", json_string(run->config.to));
	if (run->config.sample > 1)
		json_object_set_new(document, "sample_phases", json_integer(run->config.sample));
	json_object_set_new(document, "roles", json_roles(run));
	json_object_set_new(document, "lock_waits", json_lock_waits(run));
	json_object_set_new(document, "migration", json_migration(run));
	if (run->network)
		json_object_set_new(document, "network", run_network_json(run));
	json_object_set_new(document, "work_by_phase", run_work_json(run));
	json_object_set_new(document, "machine",
			    json_pack("{s:s, s:s}", "name", run->config.machine, "source",
				      run->config.machine_source));
	json_object_set_new(document, "caches", json_caches(run));
	if (run->config.cache.bytes || run->config.caches.count)
		json_object_set_new(document, "cache_by_phase", run_cache_json(run));
	if (run->config.caches.count) {
		json_object_set_new(document, "transactions",
				    json_pack("{s:I, s:I}", "local", (json_int_t)totals.local,
					      "remote", (json_int_t)totals.remote));
		json_object_set_new(document, "cache_misses",
				    json_integer((json_int_t)totals.misses));
		json_object_set_new(document, "write_backs",
				    json_integer((json_int_t)totals.backs));
	}
	json_object_set_new(document, "arguments", json_arguments(run));
	json_object_set_new(document, "standard_input", json_input());
	json_object_set_new(document, "exit_status", json_integer(run->status));
	if (recorded && document)
		json_object_set_new(document, "intervals", run_intervals_json(run));
	if (recorded || !document)
		return document;
	/* The recordings do not contain the phases, because there can be many. */
	json_object_set_new(document, "phases", json_phases(run));
	if (run->config.only)
		json_object_set_new(document, "part", json_phase(run, &run->phases.part));
	json_object_set_new(document, "command_line", document_text(run->config.command_line));
	json_object_set_new(document, "complete", json_boolean(run_complete(run, NULL, 0)));
	json_object_set_new(document, "programs", json_programs(run));
	json_object_set_new(document, "recordings", json_recordings(run));
	json_object_set_new(document, "checks", json_checks(run));
	return document;
}
