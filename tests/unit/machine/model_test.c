/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the machine models, and of latencies for each pair of nodes. May use machine_fixture.h
 * and the C library.
 */
#include <errno.h>
#include <string.h>

#include "emu/machine/model.h"
#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES

static void models_can_be_built(void **state)
{
	const struct machine_model *model;
	size_t count = 0;

	for (; (model = machine_model_at(count)) != NULL; count++) {
		const struct latency_model *latency = latency_find(model->latency);
		const struct machine_config config = {
			.nodes = model->nodes,
			.latency = latency,
			.placement = placement_find(model->placement),
			.caches = model->caches,
		};
		struct machine *machine;

		assert_non_null(latency);
		assert_non_null(config.placement);
		assert_ptr_equal(machine_model_find(model->name), model);
		assert_in_range(model->processor_nodes, 1, model->nodes);
		assert_true(strlen(model->source) > 0 && strlen(model->description) > 0);
		assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
		machine_read(machine, 0, 0, 8);
		machine_read(machine, 0, 0, 8);
		assert_int_equal(machine_error(machine), 0);
		machine_destroy(machine);
	}
	assert_int_equal(count, 4);
	assert_null(machine_model_find("none"));
	assert_non_null(machine_model_find(MODEL_DEFAULT));
	assert_non_null(machine_model_find(MODEL_PAPERS));
}

/* The model of the papers must be the machine with the default settings. */
static void model_of_the_papers_is_the_machine_by_default(void **state)
{
	const struct machine_model *papers = machine_model_find(MODEL_PAPERS);

	assert_string_equal(papers->latency, LATENCY_DEFAULT);
	assert_string_equal(papers->placement, PLACEMENT_DEFAULT);
	assert_int_equal(papers->nodes, MACHINE_NODES_DEFAULT);
	assert_int_equal(papers->caches.count, 0);
}

static void latency_of_pairs_takes_precedence(void **state)
{
	static const uint32_t pairs[] = {10, 30, 50, 12};
	const struct latency_model latency = {
		.frequency_hz = 1000000000,
		.local_cycles = 1,
		.remote_cycles =
			{[SMILE_TYPE_READ] = 20, [SMILE_TYPE_WRITE] = 5, [SMILE_TYPE_LOCK] = 40},
		.pairs = 2,
		.pair_cycles = pairs,
	};

	assert_int_equal(latency_cycles(&latency, 0, 0, SMILE_TYPE_WRITE), 10);
	assert_int_equal(latency_cycles(&latency, 1, 1, SMILE_TYPE_READ), 12);
	assert_int_equal(latency_cycles(&latency, 0, 1, SMILE_TYPE_READ), 30);
	assert_int_equal(latency_cycles(&latency, 1, 0, SMILE_TYPE_LOCK), 100);
	assert_int_equal(latency_cycles(&latency, 0, 1, SMILE_TYPE_WRITE), 7);
	/* The latency of nodes that are not in the table is the same for all. */
	assert_int_equal(latency_cycles(&latency, 2, 2, SMILE_TYPE_READ), 1);
	assert_int_equal(latency_cycles(&latency, 2, 0, SMILE_TYPE_LOCK), 40);
}

static void machine_pays_by_pair_of_nodes(void **state)
{
	const struct latency_model *ring = latency_find("server4");
	const struct machine_config config = {
		.nodes = 4, .latency = ring, .watch = MACHINE_WATCH_ALL};
	struct recorder *recorder = recorder_new(&config);
	struct machine *machine = recorder->machine;
	struct machine_statistics statistics;

	/* Page p is on node p. The distances are: own memory, one hop, two hops, one hop. */
	for (unsigned page = 0; page < 4; page++)
		machine_read(machine, 0, page * PAGE, 8);
	assert_int_equal(machine_clock(machine, 0), 160 + 280 + 400 + 280);
	statistics = recorder_statistics(recorder, 0);
	assert_int_equal(statistics.local_cycles, 160);
	assert_int_equal(statistics.remote_cycles[SMILE_TYPE_READ], 280 + 400 + 280);
	/* The responses are due, and pass 80, 220 and 420 ns after the requests. */
	recorder_expect(recorder, "0: @80 07 0>1 #0 0x1000 +24\n"
				  "1: @80 07 0>1 #0 0x1000 +24\n"
				  "0: @220 7d 1>0 #0 0 +40\n"
				  "1: @220 7d 1>0 #0 0 +40\n"
				  "0: @220 07 0>2 #1 0x2000 +24\n"
				  "2: @220 07 0>2 #1 0x2000 +24\n"
				  "0: @420 7d 2>0 #1 0 +40\n"
				  "2: @420 7d 2>0 #1 0 +40\n"
				  "0: @420 07 0>3 #2 0x3000 +24\n"
				  "3: @420 07 0>3 #2 0x3000 +24\n"
				  "0: @560 7d 3>0 #2 0 +40\n"
				  "3: @560 7d 3>0 #2 0 +40\n");
	recorder_free(recorder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_can_be_built),
		cmocka_unit_test(model_of_the_papers_is_the_machine_by_default),
		cmocka_unit_test(latency_of_pairs_takes_precedence),
		cmocka_unit_test(machine_pays_by_pair_of_nodes),
	};

	return cmocka_run_group_tests_name("machine_model", tests, NULL, NULL);
}
