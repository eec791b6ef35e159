/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The emulated card against the reference: both process the same traffic, and every record and
 * every register is compared.
 *
 * What lives here: one test for each shape of traffic, and the few sequences that random traffic
 * does not contain. Each test runs with several seeds, and each seed starts with another search of
 * the range table. notice_test.c shows that a difference is noticed. May use cmocka, pair.h and
 * traffic.h.
 * differential_test SEED uses other seeds, starting at SEED.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/reference/pair.h"
#include "tests/reference/traffic.h"

#ifdef __SANITIZE_ADDRESS__
#define FRAMES 20000U
#define BURST_FRAMES 2000000U
#else
#define FRAMES 200000U
#define BURST_FRAMES 6000000U
#endif

#define SEEDS 3U
#define BATCH 200U

static uint64_t first_seed = 1;

/* The records that all shapes together have made the card write, by kind and cause. */
static uint64_t reported[16][16];

/*
 * Repeat the run and compare after each step of the last batch: the log ends with the wrong step.
 */
static void compare_each_step(enum traffic_shape shape, uint64_t seed, uint64_t good_steps)
{
	struct traffic *traffic = malloc(sizeof(*traffic));
	struct pair *pair = pair_new();
	bool same = true;

	assert_non_null(traffic);
	bench_search(pair->bench, seed);
	traffic_begin(traffic, shape, seed);
	while (same && pair->steps < good_steps + BATCH) {
		same = pair_do(pair, traffic_next(traffic));
		if (same && pair->steps >= good_steps)
			same = pair_compare(pair);
	}
	pair_print(pair);
	print_error("traffic \"%s\", seed %" PRIu64 "\n", traffic_name(shape), seed);
	pair_free(pair);
	free(traffic);
}

static void run(enum traffic_shape shape, uint64_t seed, uint64_t frames)
{
	struct traffic *traffic = malloc(sizeof(*traffic));
	struct pair *pair = pair_new();
	uint64_t random = seed, good_steps = 0;
	bool same = true;

	assert_non_null(traffic);
	bench_search(pair->bench, seed);
	traffic_begin(traffic, shape, seed);
	while (same && pair->frames < frames) {
		/* Batches of different lengths also show states that exist only within a batch. */
		uint32_t batch;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		batch = 1 + (uint32_t)(random >> 33) % BATCH;
		good_steps = pair->steps;
		while (same && batch-- > 0)
			same = pair_do(pair, traffic_next(traffic));
		same = pair_compare(pair);
	}
	for (unsigned int i = 0; i < 256; i++)
		reported[i / 16][i % 16] += pair->reported[i / 16][i % 16];
	if (!same)
		compare_each_step(shape, seed, good_steps);
	pair_free(pair);
	free(traffic);
	assert_true(same);
}

static void run_seeds(enum traffic_shape shape, uint64_t frames)
{
	for (uint64_t seed = first_seed; seed < first_seed + SEEDS; seed++)
		run(shape, seed, frames);
}

static void differential_uniform(void **state)
{
	run_seeds(TRAFFIC_UNIFORM, FRAMES);
}

static void differential_fewPages(void **state)
{
	run_seeds(TRAFFIC_FEW, FRAMES);
}

static void differential_dense(void **state)
{
	run_seeds(TRAFFIC_DENSE, FRAMES);
}

static void differential_bursts(void **state)
{
	run_seeds(TRAFFIC_BURST, BURST_FRAMES);
}

static void differential_boundaries(void **state)
{
	run_seeds(TRAFFIC_BOUNDARY, FRAMES);
}

static void differential_collidingIds(void **state)
{
	run_seeds(TRAFFIC_COLLIDING, FRAMES);
}

static void differential_brokenFrames(void **state)
{
	run_seeds(TRAFFIC_BROKEN, FRAMES);
}

static void differential_eventStorms(void **state)
{
	run_seeds(TRAFFIC_EVENTS, FRAMES);
}

static void differential_fullRing(void **state)
{
	run_seeds(TRAFFIC_FULL, FRAMES);
}

static void differential_timer(void **state)
{
	run_seeds(TRAFFIC_TIMER, FRAMES / 2);
}

static void differential_refusingBus(void **state)
{
	run_seeds(TRAFFIC_BUS, FRAMES);
}

static void differential_registers(void **state)
{
	run_seeds(TRAFFIC_REGISTERS, FRAMES / 2);
}

/*
 * Random traffic hardly ever contains this case: a counter that owes an OVERFLOW record and is 0
 * itself keeps the card from being at rest.
 */
static void differential_owedOverflow_isNotAtRest(void **state)
{
	static const struct {
		uint32_t offset;
		uint32_t value;
	} setup[] = {
		{SMILE_REG_STATIC_PAGE, SMILE_STATIC_PAGE_VALID | 40},
		{SMILE_REG_STATIC_NODE, 2},
		{SMILE_REG_STATIC_EVENT, SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ |
						 SMILE_STATIC_EVENT_REQUEST |
						 SMILE_STATIC_EVENT_TOP},
		{SMILE_REG_STATIC_COUNTER, SMILE_STATIC_COUNTER_COUNT_VALID},
		{SMILE_REG_DMA_BASE_LOW, 0x10000},
		{SMILE_REG_DMA_SIZE, 256},
		{SMILE_REG_MODE, SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC | SMILE_MODE_HOST_RING},
		{SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE},
	};
	struct pair *pair = pair_new();
	struct operation operation = {.kind = OPERATION_BUS, .value = 0};

	for (size_t i = 0; i < sizeof(setup) / sizeof(setup[0]); i++)
		assert_true(pair_write(pair, setup[i].offset, setup[i].value));
	assert_true(pair_do(pair, &operation));
	operation_frame(&operation, BLINK_READSB, 1, 2, 0, 40 * SMILE_PAGE_BYTES);
	operation.repeat = SMILE_COUNT_MAX;
	assert_true(pair_do(pair, &operation));
	assert_true(pair_write(pair, SMILE_REG_CONTROL, 0));
	assert_true(pair_compare(pair));
	assert_int_equal(bench_get(pair->bench, SMILE_REG_STATIC_VALUE), SMILE_VALUE_ACTIVE);

	pair_write(pair, SMILE_REG_NODE, 3);
	assert_true(pair_compare(pair));
	assert_int_equal(bench_get(pair->bench, SMILE_REG_NODE), 0);

	operation = (struct operation){.kind = OPERATION_BUS, .value = 1};
	assert_true(pair_do(pair, &operation));
	pair_write(pair, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR | SMILE_STATUS_BAD_WRITE);
	pair_write(pair, SMILE_REG_NODE, 3);
	assert_true(pair_compare(pair));
	assert_int_equal(bench_get(pair->bench, SMILE_REG_NODE), 3);
	assert_int_equal(pair->compared, 1);
	pair_free(pair);
}

/*
 * At rest, only a LOST or a TIME record can wait; another ring receives it immediately.
 */
static void differential_otherRing_takesWhatWaits(void **state)
{
	struct operation refuse = {.kind = OPERATION_BUS, .value = 0};
	struct operation tick = {.kind = OPERATION_TICK, .value = 1000};
	struct pair *pair = pair_new();

	pair_write(pair, SMILE_REG_DMA_SIZE, 256);
	pair_write(pair, SMILE_REG_TIME_PERIOD, 1);
	pair_write(pair, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	pair_write(pair, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	pair_do(pair, &refuse);
	pair_do(pair, &tick);
	pair_do(pair, &tick);
	pair_write(pair, SMILE_REG_CONTROL, 0);
	assert_true(pair_compare(pair));
	assert_int_equal(bench_counter(pair->bench, SMILE_REG_COUNT_RECORDS), 0);

	pair_write(pair, SMILE_REG_MODE, 0);
	assert_true(pair_compare(pair));
	assert_int_equal(pair->reported[SMILE_KIND_TIME][0], 1);
	assert_int_equal(bench_unread(pair->bench), 1);
	pair_free(pair);
}

/*
 * If no test made the card write a kind of record, the tests would prove nothing about that kind.
 */
static void differential_everyKindOfRecord_wasCompared(void **state)
{
	static const struct {
		unsigned int kind;
		unsigned int cause;
	} expected[] = {
		{SMILE_KIND_DYNAMIC, SMILE_CAUSE_CAPACITY},
		{SMILE_KIND_DYNAMIC, SMILE_CAUSE_OVERFLOW},
		{SMILE_KIND_DYNAMIC, SMILE_CAUSE_SWAP},
		{SMILE_KIND_STATIC, SMILE_CAUSE_SWAP},
		{SMILE_KIND_OVERFLOW, SMILE_CAUSE_OVERFLOW},
		{SMILE_KIND_EVENT, SMILE_RAISED_SOFTWARE},
		{SMILE_KIND_EVENT, SMILE_RAISED_TIMER},
		{SMILE_KIND_EVENT, SMILE_RAISED_BLINK},
		{SMILE_KIND_TIME, 0},
		{SMILE_KIND_LOST, 0},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		print_message("kind %u cause %u: %" PRIu64 " records\n", expected[i].kind,
			      expected[i].cause, reported[expected[i].kind][expected[i].cause]);
		assert_true(reported[expected[i].kind][expected[i].cause] > 0);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differential_uniform),
		cmocka_unit_test(differential_fewPages),
		cmocka_unit_test(differential_dense),
		cmocka_unit_test(differential_bursts),
		cmocka_unit_test(differential_boundaries),
		cmocka_unit_test(differential_collidingIds),
		cmocka_unit_test(differential_brokenFrames),
		cmocka_unit_test(differential_eventStorms),
		cmocka_unit_test(differential_fullRing),
		cmocka_unit_test(differential_timer),
		cmocka_unit_test(differential_refusingBus),
		cmocka_unit_test(differential_registers),
		cmocka_unit_test(differential_owedOverflow_isNotAtRest),
		cmocka_unit_test(differential_otherRing_takesWhatWaits),
		cmocka_unit_test(differential_everyKindOfRecord_wasCompared),
	};

	if (argc > 1)
		first_seed = strtoull(argv[1], NULL, 0);
	return cmocka_run_group_tests_name("differential", tests, NULL, NULL);
}
