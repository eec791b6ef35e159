/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/cluster.c: readings that arrive late, in another order, or never; and the
 * order of the measurement vector. The result must equal that of one filter that receives all
 * readings in time.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <smile/estimate.h>

#include "tests/unit/lib/estimate/allocations.h"

#define NODES 4
#define EACH 6
#define ALL (NODES * EACH)
#define INTERVALS 120
#define KEPT 8
#define REGISTERS 2
/* The number of readings in an interval. */
#define READ (NODES * REGISTERS)

static const size_t counters[NODES] = {EACH, EACH, EACH, EACH};
static struct Estimate_process processes[ALL];
static double truth[ALL][INTERVALS];

static double length_of(uint64_t interval)
{
	return interval % 11 ? 0.02 : 0.03;
}

static int setup(void **state)
{
	uint64_t seed = 5;

	for (size_t i = 0; i < ALL; i++) {
		processes[i] = (struct Estimate_process){
			.sigma = 100 + (double)i,
			.beta = 5 + (double)(i % 7),
			.mean = 1000,
			.r = i % 2 ? 0 : 25,
		};
		Estimate_process_simulate(&processes[i], 0.02, &seed, truth[i], INTERVALS);
	}
	return 0;
}

static struct Estimate_cluster *cluster_new(size_t kept)
{
	struct Estimate_cluster *cluster;

	assert_int_equal(Estimate_cluster_new(&cluster, processes, counters, NODES, kept), 0);
	return cluster;
}

static double value_of(const struct Estimate_element *element, uint64_t interval)
{
	return truth[element->node * EACH + element->counter][interval - 1];
}

static void reading_give(struct Estimate_cluster *cluster, uint64_t interval, size_t element,
			 int late)
{
	struct Estimate_element elements[READ];

	assert_int_equal(
		Estimate_cluster_vector(cluster, interval, EACH, REGISTERS, elements, READ), READ);
	assert_int_equal(Estimate_cluster_reading(cluster, interval, elements[element].node,
						  elements[element].counter,
						  value_of(&elements[element], interval)),
			 late);
}

static struct Estimate_band band_of(const struct Estimate_cluster *cluster, size_t i)
{
	struct Estimate_band band;

	assert_true(Estimate_cluster_band(cluster, i / EACH, i % EACH, &band) >= 0);
	return band;
}

/* Both states must be equal except for rounding errors. */
static void assert_same(const struct Estimate_cluster *a, const struct Estimate_cluster *b)
{
	for (size_t i = 0; i < ALL; i++) {
		struct Estimate_band of_a = band_of(a, i), of_b = band_of(b, i);

		assert_true(fabs(of_a.value - of_b.value) <= 1e-12 * fabs(of_a.value));
		assert_true(fabs(of_a.deviation - of_b.deviation) <= 1e-12 * fabs(of_a.deviation));
	}
}

static void in_time_it_is_the_filter(void **state)
{
	struct Estimate_cluster *cluster = cluster_new(1);
	double estimates[ALL], deviations[ALL];
	struct Estimate_element elements[READ];
	struct Estimate_filter *filter;

	assert_int_equal(Estimate_filter_new(&filter, processes, ALL, ESTIMATE_GAUSS_MARKOV), 0);
	for (uint64_t k = 1; k <= INTERVALS; k++) {
		assert_int_equal(Estimate_cluster_predict(cluster, length_of(k)), 0);
		Estimate_filter_predict(filter, length_of(k));
		Estimate_cluster_vector(cluster, k, EACH, REGISTERS, elements, READ);
		for (size_t e = 0; e < READ; e++) {
			size_t i = elements[e].node * EACH + elements[e].counter;
			double value = value_of(&elements[e], k);

			reading_give(cluster, k, e, 0);
			Estimate_filter_correct(filter, &i, &value, 1);
		}
		Estimate_filter_estimates(filter, estimates, deviations);
		for (size_t i = 0; i < ALL; i++) {
			struct Estimate_band band = band_of(cluster, i);

			assert_true(fabs(band.value - estimates[i]) < 1e-9 * estimates[i]);
			assert_true(fabs(band.deviation - deviations[i]) <
				    1e-9 * (1 + deviations[i]));
		}
	}
	Estimate_filter_free(filter);
	Estimate_cluster_free(cluster);
}

static uint64_t random_next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005U + 1442695040888963407U;
	return *seed >> 33;
}

/*
 * Each node receives its own readings immediately, and the readings of the other nodes in any
 * order, up to KEPT - 1 intervals late. When all readings have arrived, all nodes have the state of
 * a node that received all readings in time.
 */
static void nodes_agree_whatever_the_order(void **state)
{
	struct Estimate_cluster *prompt = cluster_new(KEPT), *nodes[NODES];
	static uint64_t due[NODES][INTERVALS + 1][READ];
	uint64_t seed = 11;

	for (size_t n = 0; n < NODES; n++) {
		nodes[n] = cluster_new(KEPT);
		for (uint64_t k = 1; k <= INTERVALS; k++)
			for (size_t e = 0; e < READ; e++) {
				due[n][k][e] = k;
				if (e / REGISTERS != n)
					due[n][k][e] += random_next(&seed) % KEPT;
				if (due[n][k][e] > INTERVALS)
					due[n][k][e] = INTERVALS;
			}
	}
	for (uint64_t now = 1; now <= INTERVALS; now++) {
		Estimate_cluster_predict(prompt, length_of(now));
		for (size_t e = 0; e < READ; e++)
			reading_give(prompt, now, e, 0);
		for (size_t n = 0; n < NODES; n++) {
			uint64_t oldest = now >= KEPT ? now - KEPT + 1 : 1;
			size_t first = random_next(&seed) % READ;

			Estimate_cluster_predict(nodes[n], length_of(now));
			assert_int_equal(Estimate_cluster_interval(nodes[n]), now);
			/* Pass the readings of the newest interval first. */
			for (uint64_t k = now; k >= oldest; k--)
				for (size_t e = 0; e < READ; e++)
					if (due[n][k][(e + first) % READ] == now)
						reading_give(nodes[n], k, (e + first) % READ,
							     (int)(now - k));
		}
	}
	for (size_t n = 0; n < NODES; n++) {
		assert_same(prompt, nodes[n]);
		Estimate_cluster_free(nodes[n]);
	}
	Estimate_cluster_free(prompt);
}

/*
 * Node 2 sends nothing for some intervals, and continues later. Meanwhile, only the confidence
 * intervals of node 2 grow.
 */
static void a_node_that_is_gone_is_not_waited_for(void **state)
{
	struct Estimate_cluster *cluster = cluster_new(KEPT), *whole = cluster_new(KEPT);
	double before[ALL], within = 0, all = 0;

	for (uint64_t k = 1; k <= INTERVALS; k++) {
		int gone = k > 30 && k <= 90;

		Estimate_cluster_predict(cluster, 0.02);
		Estimate_cluster_predict(whole, 0.02);
		for (size_t e = 0; e < READ; e++) {
			reading_give(whole, k, e, 0);
			if (!gone || e / REGISTERS != 2)
				reading_give(cluster, k, e, 0);
		}
		for (size_t i = 0; i < ALL; i++) {
			struct Estimate_band band = band_of(cluster, i);

			if (i / EACH != 2) {
				struct Estimate_band of_whole = band_of(whole, i);

				assert_true(!(fabs(band.value - of_whole.value) > 0) &&
					    !(fabs(band.deviation - of_whole.deviation) > 0));
			} else if (gone) {
				assert_true(band.deviation > before[i]);
				assert_true(band.deviation <= processes[i].sigma);
				within +=
					band.low <= truth[i][k - 1] && truth[i][k - 1] <= band.high;
				all++;
			}
			before[i] = band.deviation;
		}
		if (k == 90)
			for (size_t i = 2 * EACH; i < 3 * EACH; i++)
				assert_true(before[i] > 0.99 * processes[i].sigma);
	}
	/* Most counts that were not read are within their confidence intervals. */
	assert_true(within > 0.85 * all);
	for (size_t i = 0; i < ALL; i++)
		assert_true(fabs(band_of(cluster, i).deviation - band_of(whole, i).deviation) <
			    1e-3 * processes[i].sigma);
	Estimate_cluster_free(cluster);
	Estimate_cluster_free(whole);
}

/*
 * The example of table 8.1 of the paper of 2006: two nodes with two processors and one node with
 * one processor. Three sets of two events: 1 and 2, 36 and 37, 73 and 74.
 */
static void the_vector_has_the_order_of_table_8_1(void **state)
{
	static const size_t table_nodes[10] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
	static const size_t table_processors[10] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0};
	static const int table_events[4][2] = {{1, 2}, {36, 37}, {73, 74}, {1, 2}};
	static const int selected[EACH] = {1, 2, 36, 37, 73, 74};
	static const size_t sizes[3] = {2 * EACH, 2 * EACH, EACH};
	struct Estimate_process alike[5 * EACH];
	struct Estimate_element elements[11];
	struct Estimate_cluster *cluster;

	for (size_t i = 0; i < 5 * EACH; i++)
		alike[i] = (struct Estimate_process){.sigma = 1, .beta = 1};
	assert_int_equal(Estimate_cluster_new(&cluster, alike, sizes, 3, 1), 0);
	for (uint64_t sample = 1; sample <= 4; sample++) {
		assert_int_equal(Estimate_cluster_vector(cluster, sample, EACH, 2, elements, 11),
				 10);
		for (size_t e = 0; e < 10; e++) {
			assert_int_equal(elements[e].node, table_nodes[e]);
			assert_int_equal(elements[e].counter / EACH, table_processors[e]);
			assert_int_equal(selected[elements[e].counter % EACH],
					 table_events[sample - 1][e % 2]);
		}
	}
	assert_int_equal(Estimate_cluster_vector(cluster, 1, EACH, 4, elements, 10), -E2BIG);
	assert_int_equal(Estimate_cluster_vector(cluster, 2, 3, 2, elements, 11), -E2BIG);
	assert_int_equal(Estimate_cluster_vector(cluster, 1, EACH, 0, elements, 11), -EINVAL);
	assert_int_equal(Estimate_cluster_vector(cluster, 1, EACH, 7, elements, 11), -EINVAL);
	assert_int_equal(Estimate_cluster_vector(cluster, 0, EACH, 2, elements, 11), -EINVAL);
	assert_int_equal(Estimate_cluster_vector(cluster, 1, 5, 2, elements, 11), -EINVAL);
	Estimate_cluster_free(cluster);
	/*
	 * Three events are read in sets of two, so the last set contains the first event a second
	 * time.
	 */
	assert_int_equal(Estimate_cluster_new(&cluster, alike, sizes, 1, 1), 0);
	assert_int_equal(Estimate_cluster_vector(cluster, 2, 3, 2, elements, 11), 8);
	assert_int_equal(elements[0].counter, 2);
	assert_int_equal(elements[1].counter, 0);
	Estimate_cluster_free(cluster);
}

/* The mean of all nodes includes the node itself. */
static void differences_are_from_the_mean_of_all_nodes(void **state)
{
	static const size_t one[3] = {1, 1, 1}, uneven[2] = {2, 1};
	static const struct Estimate_process alike[3] = {{.sigma = 3, .beta = 1, .mean = 10},
							 {.sigma = 3, .beta = 1, .mean = 10},
							 {.sigma = 3, .beta = 1, .mean = 10}};
	struct Estimate_cluster *cluster;
	struct Estimate_band band;

	assert_int_equal(Estimate_cluster_new(&cluster, alike, one, 3, 1), 0);
	Estimate_cluster_predict(cluster, 1);
	Estimate_cluster_reading(cluster, 1, 0, 0, 19);
	assert_int_equal(Estimate_cluster_difference(cluster, 0, 0, &band), 0);
	assert_true(fabs(band.value - 6) < 1e-12);
	assert_true(fabs(band.deviation - sqrt(2 * 9.0 / 9)) < 1e-12);
	assert_int_equal(Estimate_cluster_difference(cluster, 1, 0, &band), 0);
	assert_true(fabs(band.value + 3) < 1e-12 && band.low < -3);
	/*
	 * The difference is 2/3 of the own counter less 1/3 of the other counter, which is unknown.
	 */
	assert_true(fabs(band.deviation - sqrt(9 * 4.0 / 9 + 9 * 1.0 / 9)) < 1e-12);
	assert_int_equal(Estimate_cluster_difference(cluster, 3, 0, &band), -EINVAL);
	Estimate_cluster_free(cluster);
	assert_int_equal(Estimate_cluster_new(&cluster, alike, uneven, 2, 1), 0);
	assert_int_equal(Estimate_cluster_difference(cluster, 0, 0, &band), 0);
	assert_int_equal(Estimate_cluster_difference(cluster, 0, 1, &band), -EINVAL);
	Estimate_cluster_free(cluster);
}

static void a_step_allocates_nothing(void **state)
{
	size_t before = allocations;
	struct Estimate_cluster *cluster = cluster_new(KEPT);
	struct Estimate_band band;

	assert_true(allocations > before);
	before = allocations;
	for (uint64_t k = 1; k <= 20; k++) {
		Estimate_cluster_predict(cluster, length_of(k));
		for (size_t e = 0; e < READ && k > 3; e++)
			reading_give(cluster, k - 3, e, 3);
		Estimate_cluster_band(cluster, 1, 1, &band);
		Estimate_cluster_difference(cluster, 1, 1, &band);
	}
	assert_int_equal(allocations, before);
	Estimate_cluster_free(cluster);
}

static void bad_input_is_refused(void **state)
{
	struct Estimate_cluster *cluster;
	struct Estimate_process wrong[1] = {{.sigma = 0}};
	static const size_t none[1] = {0}, one[1] = {1};
	struct Estimate_band band = {.value = 7};

	assert_int_equal(Estimate_cluster_new(&cluster, processes, counters, 0, 1), -EINVAL);
	assert_int_equal(Estimate_cluster_new(&cluster, processes, counters, 1, 0), -EINVAL);
	assert_int_equal(
		Estimate_cluster_new(&cluster, processes, counters, 1, ESTIMATE_KEPT_MAX + 1),
		-EINVAL);
	assert_int_equal(Estimate_cluster_new(&cluster, processes, none, 1, 1), -EINVAL);
	assert_int_equal(Estimate_cluster_new(&cluster, wrong, one, 1, 1), -EINVAL);
	cluster = cluster_new(2);
	assert_int_equal(Estimate_cluster_interval(cluster), 0);
	assert_int_equal(Estimate_cluster_reading(cluster, 0, 0, 0, 1), -ERANGE);
	assert_int_equal(Estimate_cluster_reading(cluster, 1, 0, 0, 1), -ERANGE);
	assert_int_equal(Estimate_cluster_predict(cluster, 0), -EINVAL);
	assert_int_equal(Estimate_cluster_predict(cluster, NAN), -EINVAL);
	for (int k = 0; k < 3; k++)
		assert_int_equal(Estimate_cluster_predict(cluster, 1), 0);
	assert_int_equal(Estimate_cluster_reading(cluster, 1, 0, 0, 1), -ESTALE);
	assert_int_equal(Estimate_cluster_reading(cluster, 4, 0, 0, 1), -ERANGE);
	assert_int_equal(Estimate_cluster_reading(cluster, 2, 0, 0, NAN), -EINVAL);
	assert_int_equal(Estimate_cluster_reading(cluster, 2, NODES, 0, 1), -EINVAL);
	assert_int_equal(Estimate_cluster_reading(cluster, 2, 0, EACH, 1), -EINVAL);
	assert_int_equal(Estimate_cluster_reading(cluster, 2, 0, 0, 1), 1);
	assert_int_equal(Estimate_cluster_reading(cluster, 2, 0, 0, 1), -EALREADY);
	assert_int_equal(Estimate_cluster_band(cluster, 0, EACH, &band), -EINVAL);
	assert_true(band.value == 7);
	assert_int_equal(Estimate_cluster_band(cluster, 0, 0, &band), 0);
	Estimate_cluster_free(cluster);
	Estimate_cluster_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_time_it_is_the_filter),
		cmocka_unit_test(nodes_agree_whatever_the_order),
		cmocka_unit_test(a_node_that_is_gone_is_not_waited_for),
		cmocka_unit_test(the_vector_has_the_order_of_table_8_1),
		cmocka_unit_test(differences_are_from_the_mean_of_all_nodes),
		cmocka_unit_test(a_step_allocates_nothing),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
