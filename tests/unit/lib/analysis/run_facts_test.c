// SPDX-License-Identifier: MIT
/*
 * Tests of run facts: documents of all kinds and versions, whose members may be missing or have
 * other types.
 */
#include "lib/analysis/run_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct run_facts facts_of(const char *text)
{
	struct run_facts facts;

	assert_int_equal(run_facts_decode(json_loads(text, 0, NULL), &facts), 0);
	return facts;
}

#define LATENCY                                                                                    \
	"\"latency\": {\"model\": \"test\", \"frequency_hz\": 100, \"local_cycles\": 2, "          \
	"\"remote_cycles\": {\"read\": 3, \"write\": 4, \"lock\": 5}}"

static void a_run_has_its_facts(void **state)
{
	struct run_facts facts = facts_of(
		"{\"schema\": \"smile.run/2\", \"nodes\": 2, \"cycles\": 70, "
		"\"single_node_cycles\": 90, \"placement\": \"first-touch\", \"exit_status\": 3, "
		"\"cache\": {\"bytes\": 4096, \"line_bytes\": 64, \"ways\": 2}, \"caches\": null, "
		"\"arguments\": [\"sort\", \"-n\"], \"standard_input\": {\"kind\": \"pipe\"}, "
		"\"machine\": {\"name\": \"smile1998\"}, \"migration\": {}, "
		"\"work_by_phase\": [[1, 2], [3]], "
		"\"by_node\": [{\"cache_hits\": 7, \"remote\": {\"reads\": 8}, "
		"\"local_cycles\": 1, \"cache_cycles\": 2, "
		"\"remote_cycles\": {\"reads\": 4, \"writes\": 8, \"locks\": 16}}], "
		"\"by_thread\": [{\"node\": 1, \"begin_cycle\": 5, \"end_cycle\": 6}], "
		"\"intervals\": [{\"phase\": 1, \"cycles\": 9, \"threads\": [1.5, 1], "
		"\"handed_out\": false}, {}], "
		"\"roles\": [{\"lock\": 11, \"even\": true, \"threads\": [1, 0]}], "
		"\"lock_waits\": {\"cycles\": 12, \"locks\": [{\"lock\": 13, \"site\": 14}]}, "
		"\"account\": {\"accesses\": 20, \"counted\": 15, \"left_out\": "
		"[{\"reason\": \"stack\", \"accesses\": 5}, {\"accesses\": null}]}, "
		"\"network\": {\"topology\": \"ring\", \"link_bytes_per_s\": 667000000, "
		"\"requests\": {\"read\": \"nread64\"}, \"busiest\": {\"ringlet\": 1, \"from\": 0, "
		"\"to\": null, \"load\": 0.5, \"crossed_by\": [{\"source\": 2, \"target\": 3, "
		"\"share\": 0.25}]}}, " LATENCY "}");

	assert_int_equal(facts.nodes, 2);
	assert_int_equal(facts.cycles, 70);
	assert_int_equal(facts.single_node_cycles, 90);
	assert_int_equal(facts.exit_status, 3);
	assert_string_equal(facts.placement, "first-touch");
	assert_null(facts.placement_file);
	assert_int_equal(facts.cache.bytes, 4096);
	assert_null(facts.caches.at);
	assert_int_equal(facts.arguments.count, 2);
	assert_string_equal(facts.arguments.at[1], "-n");
	assert_string_equal(facts.input, "");
	assert_string_equal(facts.model, "smile1998");
	assert_non_null(facts.migration);
	assert_string_equal(facts.machine.name, "test");
	assert_int_equal(facts.machine.frequency_hz, 100);
	assert_int_equal(facts.machine.weights.local, 2);
	assert_int_equal(facts.machine.weights.lock, 5);
	assert_true(run_facts_in(&facts.work_by_phase, 0, 1) == 2);
	assert_true(run_facts_in(&facts.work_by_phase, 1, 1) == 0);
	assert_true(run_facts_in(&facts.work_by_phase, 2, 0) == 0);
	assert_int_equal(facts.by_node.at[0].remote_reads, 8);
	assert_int_equal(facts.by_node.at[0].access_cycles, 31);
	assert_int_equal(facts.by_thread.at[0].end_cycle, 6);
	assert_int_equal(facts.intervals.count, 2);
	assert_true(run_facts_at(&facts.intervals.at[0].threads, 0) == 1.5);
	assert_true(facts.intervals.at[0].not_handed_out);
	assert_false(facts.intervals.at[1].not_handed_out);
	assert_true(facts.roles.at[0].even && !facts.roles.at[0].later);
	assert_int_equal(facts.roles.at[0].threads.count, 2);
	assert_int_equal(facts.lock_waits.locks.at[0].site, 14);
	assert_int_equal(facts.account.counted, 15);
	assert_int_equal(facts.account.left_out.at[0].accesses, 5);
	assert_null(facts.account.left_out.at[1].reason);
	assert_int_equal(facts.account.left_out.at[1].accesses, -1);
	assert_int_equal(facts.network.link_bytes_per_s, 667000000);
	assert_string_equal(facts.network.requests.read, "nread64");
	assert_null(facts.network.requests.lock);
	assert_int_equal(facts.network.busiest.from, 0);
	assert_int_equal(facts.network.busiest.to, -1);
	assert_int_equal(facts.network.busiest.crossed_by.at[0].target, 3);
	assert_true(facts.network.busiest.crossed_by.at[0].share == 0.25);
	run_facts_free(&facts);
}

/* Version 1 lacks some members of version 2, such as the machine and the caches. */
static void version_1_is_read(void **state)
{
	struct run_facts facts = facts_of("{\"schema\": \"smile.run/1\", \"cycles\": 5, " LATENCY
					  ", \"standard_input\": {\"path\": \"in\"}}");

	assert_int_equal(facts.cycles, 5);
	assert_string_equal(facts.machine.name, "test");
	assert_string_equal(facts.input, "in");
	assert_null(facts.model);
	assert_null(facts.caches.at);
	run_facts_free(&facts);
}

static void samples_are_read(void **state)
{
	struct run_facts facts = facts_of(
		"{\"schema\": \"smile.sample/1\", \"sampled\": {\"source\": \"memory\", "
		"\"unit\": \"loads\"}, \"nodes\": 4, \"transactions\": 9, \"remote\": 7, "
		"\"elapsed_ns\": 5, \"threads\": 2, \"threads_bound\": 1, "
		"\"process\": {\"process\": 78, \"parent\": null, \"copy\": true}, "
		"\"latency\": {\"served\": [{\"served\": \"cache\", \"samples\": 2, \"cycles\": "
		"1.5, "
		"\"cycles_low_95\": 1.25, \"cycles_high_95\": null}], \"names\": [\"cache\", 3], "
		"\"pages\": [[16, 1, 2, 3.5, 6], [17], {\"0\": 18}, 19, [\"20\", -1, -2]], "
		"\"rows_left_out\": 4}, "
		"\"thread_names\": {\"rows\": [{\"name\": null, \"threads\": 3, \"by_node\": "
		"[1, -2, \"x\", 5], \"remote\": 4}], \"samples_left_out\": 6}, "
		"\"homes\": {\"nodes\": [0, 2], \"start\": [8, 9], \"moved_pages\": 1, \"phases\": "
		"[{\"phase\": null, \"pages\": [1]}, {\"phase\": \"a\", \"moves\": 2}]}, "
		"\"placement\": {\"unscanned_nodes\": [1]}, "
		"\"account\": {\"unit\": \"samples\"}}");

	assert_non_null(facts.samples.object);
	assert_string_equal(facts.samples.source, "memory");
	assert_string_equal(facts.samples.unit, "loads");
	assert_int_equal(facts.transactions, 9);
	assert_int_equal(facts.remote, 7);
	assert_int_equal(facts.elapsed_ns, 5);
	assert_int_equal(facts.threads, 2);
	assert_int_equal(facts.threads_bound, 1);
	assert_int_equal(facts.process, 78);
	assert_int_equal(facts.parent, 0);
	assert_true(facts.copy);
	assert_string_equal(facts.latencies.served.at[0].served, "cache");
	assert_true(facts.latencies.served.at[0].low == 1.25);
	assert_true(facts.latencies.served.at[0].high == 0);
	assert_null(facts.latencies.names.at[1]);
	assert_int_equal(facts.latencies.rows_left_out, 4);
	assert_int_equal(facts.latencies.pages.count, 5);
	assert_int_equal(facts.latencies.pages.at[0].page, 16);
	assert_int_equal(facts.latencies.pages.at[0].served, 1);
	assert_int_equal(facts.latencies.pages.at[0].samples, 2);
	assert_true(facts.latencies.pages.at[0].cycles == 3.5);
	assert_true(facts.latencies.pages.at[0].squares == 6);
	assert_int_equal(facts.latencies.pages.at[1].served, -1);
	assert_int_equal(facts.latencies.pages.at[3].page, -1);
	assert_int_equal(facts.latencies.pages.at[4].page, -1);
	assert_int_equal(facts.latencies.pages.at[4].samples, 0);
	assert_int_equal(json_array_size(facts.thread_names.array), 1);
	assert_null(facts.thread_names.rows.at[0].name);
	assert_int_equal(facts.thread_names.rows.at[0].threads, 3);
	assert_int_equal(facts.thread_names.rows.at[0].remote, 4);
	assert_int_equal(facts.thread_names.rows.at[0].by_node.count, 4);
	assert_int_equal(facts.thread_names.rows.at[0].by_node.at[1], 0);
	assert_int_equal(facts.thread_names.rows.at[0].by_node.at[3], 5);
	assert_int_equal(facts.thread_names.samples_left_out, 6);
	assert_int_equal(facts.homes.nodes.at[1], 2);
	assert_int_equal(facts.homes.start.at[0], 8);
	assert_null(facts.homes.end.at);
	assert_int_equal(facts.homes.moved_pages, 1);
	assert_null(facts.homes.phases.at[0].phase);
	assert_int_equal(facts.homes.phases.at[0].pages.at[0], 1);
	assert_int_equal(facts.homes.phases.at[1].moves, 2);
	assert_int_equal(facts.unscanned_nodes.at[0], 1);
	assert_string_equal(facts.account.unit, "samples");
	assert_null(facts.machine.name);
	assert_int_equal(run_facts_missing(&facts, 3), 1);
	assert_int_equal(run_facts_missing(&facts, 5), 0);
	run_facts_free(&facts);
}

/* A document of samples is recognised even if its schema is unknown or it names no source. */
static void any_samples_are_recognised(void **state)
{
	struct run_facts facts = facts_of("{\"schema\": \"smile.sample/9\", \"nodes\": 2, "
					  "\"sampled\": {\"unit\": 3}}");

	assert_non_null(facts.samples.object);
	assert_string_equal(facts.samples.source, "?");
	assert_string_equal(facts.samples.unit, "?");
	assert_int_equal(run_facts_missing(&facts, 1), 1);
	assert_null(facts.latencies.pages.at);
	assert_null(facts.thread_names.array);
	assert_null(facts.unscanned_nodes.at);
	run_facts_free(&facts);
	facts = facts_of("{\"schema\": \"smile.run/2\", \"nodes\": 2, \"sampled\": true}");
	assert_null(facts.samples.object);
	assert_int_equal(run_facts_missing(&facts, 1), 0);
	run_facts_free(&facts);
}

static void results_of_a_placement_are_read(void **state)
{
	struct run_facts facts = facts_of("{\"schema\": \"smile.place/1\", \"elapsed_ns\": 3, "
					  "\"looked_up\": true, \"regions\": [{\"pages\": 5, "
					  "\"placed\": 4}, {\"pages\": 2}]}");

	assert_int_equal(facts.elapsed_ns, 3);
	assert_true(facts.looked_up);
	assert_int_equal(facts.regions.count, 2);
	assert_int_equal(facts.regions.at[0].placed, 4);
	assert_int_equal(facts.regions.at[1].pages, 2);
	assert_null(facts.samples.object);
	run_facts_free(&facts);
}

static void what_is_missing_is_nothing(void **state)
{
	struct run_facts facts = facts_of("{\"schema\": \"smile.run/2\"}");

	assert_int_equal(facts.nodes, 0);
	assert_null(facts.placement);
	assert_null(facts.input);
	assert_null(facts.migration);
	assert_null(facts.by_node.at);
	assert_int_equal(facts.intervals.count, 0);
	assert_null(facts.account.object);
	assert_null(facts.network.busiest.object);
	run_facts_free(&facts);
}

static void what_is_of_another_type_is_nothing(void **state)
{
	struct run_facts facts =
		facts_of("{\"schema\": \"smile.run/2\", \"nodes\": \"4\", \"cycles\": -7, "
			 "\"single_node_cycles\": 1.5, \"placement\": 3, \"placement_file\": [], "
			 "\"migration\": true, \"by_node\": {\"cache_hits\": 1}, "
			 "\"by_thread\": [7, {\"node\": 1}], \"arguments\": [\"sort\", 3], "
			 "\"work_by_phase\": [5, [\"1\", 2]], \"roles\": [{\"even\": 1}], "
			 "\"lock_waits\": [], \"account\": 1, \"network\": {\"busiest\": 0}, "
			 "\"standard_input\": \"in\", \"latency\": {\"read_cycles\": 1}}");

	assert_int_equal(facts.nodes, 0);
	assert_int_equal(facts.cycles, 0);
	assert_int_equal(facts.single_node_cycles, 0);
	assert_null(facts.placement);
	assert_null(facts.placement_file);
	assert_null(facts.migration);
	assert_null(facts.by_node.at);
	assert_int_equal(facts.by_thread.count, 2);
	assert_int_equal(facts.by_thread.at[0].node, 0);
	assert_int_equal(facts.by_thread.at[1].node, 1);
	assert_int_equal(facts.arguments.count, 0);
	assert_true(run_facts_in(&facts.work_by_phase, 0, 0) == 0);
	assert_true(run_facts_in(&facts.work_by_phase, 1, 0) == 0);
	assert_true(run_facts_in(&facts.work_by_phase, 1, 1) == 2);
	assert_false(facts.roles.at[0].even);
	assert_int_equal(facts.lock_waits.locks.count, 0);
	assert_null(facts.account.object);
	assert_non_null(facts.network.object);
	assert_null(facts.network.busiest.object);
	assert_null(facts.input);
	assert_int_equal(facts.read_cycles.count, 0);
	run_facts_free(&facts);
}

static void a_machine_is_known_whole_or_not(void **state)
{
	const char *const without_write =
		"{\"schema\": \"smile.run/2\", %s \"latency\": {\"model\": \"test\", "
		"\"frequency_hz\": 100, \"local_cycles\": 2, "
		"\"remote_cycles\": {\"read\": 3, \"lock\": 5}}}";
	struct run_facts facts;
	char text[512];

	snprintf(text, sizeof(text), without_write, "");
	facts = facts_of(text);
	assert_null(facts.machine.name);
	run_facts_free(&facts);
	/* With caches, a processor does not wait for a write. */
	snprintf(text, sizeof(text), without_write, "\"caches\": [],");
	facts = facts_of(text);
	assert_string_equal(facts.machine.name, "test");
	run_facts_free(&facts);
	facts = facts_of("{\"schema\": \"smile.run/2\", \"caches\": [{\"level\": \"L1\", "
			 "\"bytes\": 64}], " LATENCY "}");
	assert_int_equal(facts.machine.weights.write, 0);
	assert_string_equal(facts.caches.at[0].level, "L1");
	assert_int_equal(facts.caches.at[0].bytes, 64);
	run_facts_free(&facts);
}

/* A document of another recorder is kept, but no facts are read from it. */
static void other_documents_have_no_facts(void **state)
{
	struct run_facts facts = facts_of("{\"schema\": \"other/1\", \"nodes\": 4, " LATENCY "}");

	assert_non_null(facts.document);
	assert_int_equal(facts.nodes, 0);
	assert_null(facts.machine.name);
	run_facts_free(&facts);
	facts = facts_of("[1]");
	assert_int_equal(facts.nodes, 0);
	run_facts_free(&facts);
	assert_int_equal(run_facts_decode(NULL, &facts), 0);
	assert_null(facts.document);
	run_facts_free(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_has_its_facts),
		cmocka_unit_test(version_1_is_read),
		cmocka_unit_test(samples_are_read),
		cmocka_unit_test(any_samples_are_recognised),
		cmocka_unit_test(results_of_a_placement_are_read),
		cmocka_unit_test(what_is_missing_is_nothing),
		cmocka_unit_test(what_is_of_another_type_is_nothing),
		cmocka_unit_test(a_machine_is_known_whole_or_not),
		cmocka_unit_test(other_documents_have_no_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
