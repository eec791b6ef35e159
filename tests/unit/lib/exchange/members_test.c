/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/exchange/members.c: nodes in one process, in ordinary memory. Each node must have
 * the state of one filter that receives all readings in time. In other tests, a node stops,
 * disappears, arrives late or has different memory, or the tests look for the node that differs.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/exchange/members.h"

#define NODES 4
#define COUNTERS 6
#define INTERVAL_NS 20000000
/* The number of counters that are read in each interval. */
#define AT_ONCE 2

static struct Estimate_process processes[COUNTERS];
static struct members nodes[NODES];
static uint64_t *memory[NODES];

static int setup(void **state)
{
	for (size_t i = 0; i < COUNTERS; i++)
		processes[i] = (struct Estimate_process){
			.sigma = 100, .beta = 3 + (double)i, .mean = 1000, .r = i % 2 ? 0 : 25};
	for (size_t self = 0; self < NODES; self++) {
		const struct members_setup members = {
			.nodes = NODES,
			.self = self,
			.counters = COUNTERS,
			.processes = processes,
			.interval_ns = INTERVAL_NS,
			.agreement = 42,
			.incarnation = self + 1,
		};

		memory[self] = malloc(exchange_bytes(COUNTERS));
		assert_int_equal(members_init(&nodes[self], &members, memory[self]), 0);
	}
	return 0;
}

static int teardown(void **state)
{
	for (size_t self = 0; self < NODES; self++) {
		members_free(&nodes[self]);
		free(memory[self]);
	}
	return 0;
}

static void connect_all(void)
{
	for (size_t self = 0; self < NODES; self++)
		for (size_t other = 0; other < NODES; other++)
			if (other != self)
				assert_int_equal(members_connect(&nodes[self], other, memory[other],
								 exchange_bytes(COUNTERS)),
						 0);
}

/* The count of a node's counter in an interval. */
static double truth(size_t node, size_t counter, uint64_t interval)
{
	return 1000 + 150 * sin((double)(interval * (counter + 1) + 7 * node) / 9);
}

static struct exchange_record record_of(size_t node, uint64_t interval)
{
	struct exchange_record record = {.interval = interval,
					 .begin_ns = interval * INTERVAL_NS,
					 .end_ns = (interval + 1) * INTERVAL_NS,
					 .count = AT_ONCE};

	for (size_t k = 0; k < AT_ONCE; k++) {
		record.counters[k] = (uint16_t)((interval - 1) * AT_ONCE % COUNTERS + k);
		record.values[k] = truth(node, record.counters[k], interval);
	}
	return record;
}

/* Publish the record of one interval of a node. */
static void count(size_t node, uint64_t interval)
{
	struct exchange_record record = record_of(node, interval);

	members_begin(&nodes[node], interval);
	assert_int_equal(members_publish(&nodes[node], &record), 0);
}

static struct Estimate_band band_of(size_t self, size_t node, size_t counter)
{
	struct Estimate_band band;

	assert_true(Estimate_cluster_band(nodes[self].cluster, node, counter, &band) >= 0);
	return band;
}

/* Compare with a filter that receives the readings of @node in time. */
static void filter_equals(size_t self, size_t node, uint64_t last, uint64_t but)
{
	double estimates[COUNTERS], deviations[COUNTERS];
	struct Estimate_filter *filter;

	assert_int_equal(Estimate_filter_new(&filter, processes, COUNTERS, ESTIMATE_GAUSS_MARKOV),
			 0);
	for (uint64_t i = 1; i <= last; i++) {
		struct exchange_record record = record_of(node, i);
		size_t places[AT_ONCE];

		if (i > 1)
			Estimate_filter_predict(filter, INTERVAL_NS / 1e9);
		for (size_t k = 0; k < AT_ONCE; k++)
			places[k] = record.counters[k];
		if (i != but)
			Estimate_filter_correct(filter, places, record.values, AT_ONCE);
	}
	Estimate_filter_estimates(filter, estimates, deviations);
	for (size_t i = 0; i < COUNTERS; i++) {
		struct Estimate_band band = band_of(self, node, i);

		assert_true(fabs(band.value - estimates[i]) < 1e-9);
		assert_true(fabs(band.deviation - deviations[i]) < 1e-9);
	}
	Estimate_filter_free(filter);
}

static void all_equal(uint64_t last)
{
	for (size_t self = 0; self < NODES; self++)
		for (size_t node = 0; node < NODES; node++)
			filter_equals(self, node, last, 0);
}

static void same_state(void **state)
{
	connect_all();
	for (uint64_t i = 1; i <= 100; i++) {
		for (size_t node = 0; node < NODES; node++)
			count(node, i);
		for (size_t node = 0; node < NODES; node++)
			members_step(&nodes[node], i);
	}
	all_equal(100);
	assert_int_equal(nodes[1].member[2].taken, 100);
	assert_int_equal(nodes[1].member[2].late, 0);
}

/* Each node makes its step before the others have written, and at a different rate. */
static void late_readings(void **state)
{
	connect_all();
	for (uint64_t i = 1; i <= 200; i++)
		for (size_t node = 0; node < NODES; node++) {
			count(node, i);
			if ((i + node) % (3 * node + 1) == 0)
				members_step(&nodes[node], i);
		}
	for (size_t node = 0; node < NODES; node++)
		members_step(&nodes[node], 200);
	all_equal(200);
	assert_true(nodes[0].member[3].late == 0);
	/*
	 * This node reads nine intervals of the others at once, but in order, so no reading is
	 * late.
	 */
	assert_int_equal(nodes[3].member[0].late, 0);
}

/* A reading of an interval that this node has not yet begun must wait. */
static void early_readings(void **state)
{
	connect_all();
	for (uint64_t i = 1; i <= 50; i++)
		count(2, i);
	members_step(&nodes[0], 10);
	assert_int_equal(nodes[0].member[2].taken, 10);
	filter_equals(0, 2, 10, 0);
	assert_int_equal(members_begun(&nodes[0]), 50);
}

static void stands_still(void **state)
{
	struct Estimate_band band;

	connect_all();
	for (uint64_t i = 1; i <= 400; i++) {
		for (size_t node = 0; node < NODES; node++)
			if (node != 2 || i <= 100)
				count(node, i);
		members_step(&nodes[0], i);
		if (i == 100 + MEMBER_SILENT_AFTER)
			assert_int_equal(nodes[0].member[2].state, MEMBER_HERE);
	}
	assert_int_equal(nodes[0].member[2].state, MEMBER_SILENT);
	assert_int_equal(nodes[0].member[3].state, MEMBER_HERE);
	/*
	 * The confidence intervals of the stopped node are those of the process. Those of the other
	 * nodes have not changed.
	 */
	for (size_t i = 0; i < COUNTERS; i++) {
		band = band_of(0, 2, i);
		assert_true(fabs(band.deviation - processes[i].sigma) < 1e-3);
		assert_true(fabs(band.value - processes[i].mean) < 1);
	}
	filter_equals(0, 3, 400, 0);

	/* While the node was stopped, the others looked for its records less and less often. */
	assert_in_range(nodes[0].member[2].look, 401, 440);

	/* The node continues, and all its readings are accepted as late readings. */
	for (uint64_t i = 101; i <= 400; i++)
		count(2, i);
	for (uint64_t i = 401; i <= 440; i++) {
		for (size_t node = 0; node < NODES; node++)
			count(node, i);
		members_step(&nodes[0], i);
	}
	assert_int_equal(nodes[0].member[2].state, MEMBER_HERE);
	filter_equals(0, 2, 440, 0);
	assert_true(nodes[0].member[2].late > 200);
}

static void vanishes(void **state)
{
	connect_all();
	for (uint64_t i = 1; i <= 20; i++) {
		for (size_t node = 0; node < NODES; node++)
			count(node, i);
		members_step(&nodes[0], i);
	}
	memset(memory[1], 0xff, exchange_bytes(COUNTERS));
	for (uint64_t i = 21; i <= 60; i++) {
		count(0, i);
		count(2, i);
		members_step(&nodes[0], i);
	}
	assert_int_equal(nodes[0].member[1].state, MEMBER_GONE);
	assert_null(nodes[0].member[1].words);
	filter_equals(0, 2, 60, 0);
	assert_true(band_of(0, 1, 3).deviation > 50);
}

/*
 * A second program starts on the same node. Its first interval is the current interval of the
 * others.
 */
static void starts_again(void **state)
{
	struct members_setup again = nodes[1].setup;

	connect_all();
	for (uint64_t i = 1; i <= 20; i++) {
		for (size_t node = 0; node < NODES; node++)
			count(node, i);
		members_step(&nodes[0], i);
	}
	members_free(&nodes[1]);
	again.incarnation = 99;
	assert_int_equal(members_init(&nodes[1], &again, memory[1]), 0);
	assert_int_equal(members_connect(&nodes[0], 1, memory[1], exchange_bytes(COUNTERS)), 0);
	assert_int_equal(members_connect(&nodes[1], 0, memory[0], exchange_bytes(COUNTERS)), 0);
	assert_int_equal(members_begun(&nodes[1]), 20);
	for (uint64_t i = 22; i <= 40; i++) {
		count(0, i);
		count(1, i);
		members_step(&nodes[0], i);
		members_step(&nodes[1], i);
	}
	assert_int_equal(nodes[0].member[1].taken, 20 + 19);
	/* The new program reads the records that are in the rings of the others. */
	assert_int_equal(nodes[1].member[0].taken, 20 + 19);
	assert_true(fabs(band_of(1, 0, 2).value - band_of(0, 0, 2).value) < 1e-9);
}

/* A node that starts very late begins with the current interval of the others. */
static void comes_late(void **state)
{
	const uint64_t first = 1000000;

	connect_all();
	for (uint64_t i = first; i < first + 3000; i++)
		count(0, i);
	members_look(&nodes[3], 0);
	assert_int_equal(members_begun(&nodes[3]), first + 2999);
	members_step(&nodes[3], first + 2999);
	assert_int_equal(nodes[3].member[0].taken, EXCHANGE_RECORDS);
	assert_int_equal(nodes[3].member[0].lost, 0);
	members_step(&nodes[0], first + 2999);
	for (size_t i = 0; i < COUNTERS; i++)
		assert_true(fabs(band_of(3, 0, i).value - band_of(0, 0, i).value) < 1e-9);
	/* The records that were overwritten meanwhile are counted as lost. */
	for (uint64_t i = first + 3000; i < first + 6000; i++)
		count(0, i);
	members_look(&nodes[3], 0);
	members_step(&nodes[3], first + 3000);
	assert_int_equal(nodes[3].member[0].taken, EXCHANGE_RECORDS);
	assert_int_equal(nodes[3].member[0].lost, 3000 - EXCHANGE_RECORDS);
}

static void does_not_agree(void **state)
{
	struct members_setup other = nodes[1].setup;
	size_t bytes = exchange_bytes(COUNTERS);
	uint64_t version;

	members_free(&nodes[1]);
	other.agreement = 43;
	assert_int_equal(members_init(&nodes[1], &other, memory[1]), 0);
	assert_int_equal(members_connect(&nodes[0], 1, memory[1], bytes), -EPROTO);
	assert_int_equal(nodes[0].member[1].state, MEMBER_DISAGREES);
	assert_int_equal(members_connect(&nodes[0], 2, memory[3], bytes), -EPROTO);
	assert_int_equal(members_connect(&nodes[0], NODES, memory[3], bytes), -EINVAL);
	version = memory[3][1]++;
	assert_int_equal(members_connect(&nodes[0], 3, memory[3], bytes), -EPROTONOSUPPORT);
	assert_int_equal(nodes[0].member[3].state, MEMBER_VERSION);
	memory[3][1] = version;
	assert_int_equal(members_connect(&nodes[0], 3, memory[3], bytes), 0);
	/* The memory of a node gets random contents. Nothing more is read from it. */
	count(3, 1);
	members_step(&nodes[0], 1);
	memset(memory[3], 0x77, bytes);
	members_step(&nodes[0], 2);
	assert_int_equal(nodes[0].member[3].state, MEMBER_GARBAGE);
	assert_int_equal(nodes[0].member[3].taken, 1);
	assert_int_equal(members_begun(&nodes[0]), 0);
}

/*
 * If a record is of a much longer interval, it is ignored. A small difference in length is scaled.
 */
static void lengths(void **state)
{
	struct exchange_record record;

	connect_all();
	for (uint64_t i = 1; i <= 3; i++) {
		record = record_of(1, i);
		record.end_ns = record.begin_ns + (i == 2 ? 2 * INTERVAL_NS : INTERVAL_NS * 5 / 4);
		for (size_t k = 0; k < AT_ONCE && i != 2; k++)
			record.values[k] *= 1.25;
		assert_int_equal(members_publish(&nodes[1], &record), 0);
	}
	members_step(&nodes[0], 2);
	assert_true(isnan(nodes[0].read[COUNTERS + 2]));
	members_step(&nodes[0], 3);
	/*
	 * The value is the scaled reading. The estimate differs from it, since readings have
	 * errors.
	 */
	assert_true(fabs(nodes[0].read[COUNTERS + 4] - truth(1, 4, 3)) < 1e-9);
	assert_true(isnan(nodes[0].read[COUNTERS + 3]));
	assert_int_equal(nodes[0].member[1].uneven, 1);
	filter_equals(0, 1, 3, 2);
}

static void leads(void **state)
{
	connect_all();
	assert_true(members_lead(&nodes[0]));
	assert_false(members_lead(&nodes[1]));
	for (uint64_t i = 1; i <= 20; i++) {
		count(1, i);
		count(2, i);
		members_step(&nodes[1], i);
		members_step(&nodes[2], i);
	}
	assert_true(members_lead(&nodes[1]));
	assert_false(members_lead(&nodes[2]));
	exchange_end(memory[1], EXCHANGE_ENDED);
	members_step(&nodes[2], 21);
	assert_int_equal(nodes[2].member[1].state, MEMBER_ENDED);
	assert_true(members_lead(&nodes[2]));
}

static void differs(void **state)
{
	struct Estimate_band difference;

	connect_all();
	for (size_t node = 0; node < NODES; node++) {
		struct exchange_record record = {.interval = 1, .end_ns = INTERVAL_NS, .count = 2};

		record.counters[0] = 1;
		record.values[0] = node == 2 ? 2000 : 1000 + 50 * (double)node;
		record.counters[1] = 3;
		record.values[1] = 1000 + 50 * (double)node;
		members_publish(&nodes[node], &record);
	}
	members_step(&nodes[0], 1);
	for (size_t node = 0; node < NODES; node++) {
		assert_int_equal(members_differs(&nodes[0], node, 1, &difference), node == 2);
		assert_int_equal(members_differs(&nodes[0], node, 3, &difference), 0);
	}
	members_differs(&nodes[0], 2, 1, &difference);
	assert_true(fabs(difference.value - (2000 - (1000 + 1050 + 2000 + 1150) / 4.0)) < 1e-9);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(same_state), TEST(late_readings), TEST(early_readings), TEST(stands_still),
		TEST(vanishes),	  TEST(starts_again),  TEST(comes_late),     TEST(does_not_agree),
		TEST(lengths),	  TEST(leads),	       TEST(differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
