/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of processors, caches, latency models, batches and events of the machine. May use
 * machine_fixture.h and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "emu/machine/machine_inside.h"
#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES

/* ---- processors ---------------------------------------------------------------------------- */

static struct recorder *processors_new(struct machine_config config, const unsigned *nodes,
				       unsigned count)
{
	struct recorder *recorder;

	config.processors = count;
	if (config.watch == 0)
		config.watch = MACHINE_WATCH_ALL;
	recorder = recorder_new(&config);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(machine_processor_add(recorder->machine, nodes[i]), i);
	assert_int_equal(machine_processor_add(recorder->machine, 0), -ENOSPC);
	return recorder;
}

static void machine_processor_add_in_vain_is_refused(void **state)
{
	struct machine_config config = {.nodes = 2, .processors = 70, .watch = MACHINE_WATCH_ALL};
	struct recorder *recorder = recorder_new(&config);

	assert_int_equal(machine_processors(recorder->machine), 0);
	assert_int_equal(machine_processor_add(recorder->machine, 2), -EINVAL);
	for (unsigned i = 0; i < BLINK_TRANSACTIONS; i++)
		assert_int_equal(machine_processor_add(recorder->machine, 1), i);
	/* Each processor of a node needs its own id, and all ids are used. */
	assert_int_equal(machine_processor_add(recorder->machine, 1), -ENOSPC);
	assert_int_equal(machine_processor_add(recorder->machine, 0), BLINK_TRANSACTIONS);
	assert_int_equal(machine_processor_node(recorder->machine, 3), 1);
	assert_int_equal(machine_processor_node(recorder->machine, 65), -EINVAL);
	recorder_free(recorder);
	config.no_responses = true;
	recorder = recorder_new(&config);
	for (unsigned i = 0; i < 70; i++)
		assert_int_equal(machine_processor_add(recorder->machine, 1), i);
	recorder_free(recorder);
	recorder = recorder_new(&(struct machine_config){.watch = 1});
	assert_int_equal(machine_processors(recorder->machine), 4);
	assert_int_equal(machine_processor_add(recorder->machine, 0), -EINVAL);
	recorder_free(recorder);
}

static void machine_processors_of_a_node_share_its_ids(void **state)
{
	struct recorder *recorder =
		processors_new((struct machine_config){.nodes = 2}, (const unsigned[]){1, 1, 0}, 3);

	machine_read(recorder->machine, 1, 0, 4);
	machine_write(recorder->machine, 0, 0, 4);
	machine_write(recorder->machine, 0, 4, 4);
	assert_int_equal(machine_clock(recorder->machine, 0), 40);
	assert_int_equal(machine_clock(recorder->machine, 1), 1000);
	machine_reached(recorder->machine, 1000);
	recorder_expect(recorder, "1: @0 13 1>0 #0 0 +40\n"
				  "0: @0 13 1>0 #0 0 +40\n"
				  "1: @0 03 1>0 #1 0 +24\n"
				  "0: @0 03 1>0 #1 0 +24\n"
				  "1: @100 7c 0>1 #0 0 +24\n"
				  "0: @100 7c 0>1 #0 0 +24\n"
				  "1: @100 17 1>0 #2 0x4 +40\n"
				  "0: @100 17 1>0 #2 0x4 +40\n"
				  "1: @200 7c 0>1 #2 0 +24\n"
				  "0: @200 7c 0>1 #2 0 +24\n"
				  "1: @5000 7d 0>1 #1 0 +40\n"
				  "0: @5000 7d 0>1 #1 0 +40\n");
	recorder_free(recorder);
}

/* However many requests follow, an id is not used anew before its response. */
static void machine_ids_in_use_are_passed_over(void **state)
{
	struct recorder *recorder =
		processors_new((struct machine_config){.nodes = 2}, (const unsigned[]){1, 1, 1}, 3);
	unsigned seen = 0, requests = 0;
	char *line;

	machine_read(recorder->machine, 0, 0, 4);
	for (unsigned i = 0; i < 49; i++) {
		machine_write(recorder->machine, 1, 8, 4);
		machine_write(recorder->machine, 2, 8, 4);
	}
	assert_int_equal(machine_barrier(recorder->machine), 0);
	for (line = strtok(recorder->text, "\n"); line; line = strtok(NULL, "\n")) {
		if (line[0] != '1' || !strstr(line, " 1>0 "))
			continue;
		requests++;
		seen += strstr(line, " #0 ") != NULL;
	}
	assert_int_equal(requests, 99);
	assert_int_equal(seen, 1);
	recorder_free(recorder);
}

static void machine_statistics_of_a_node_are_its_processors(void **state)
{
	struct recorder *recorder =
		processors_new((struct machine_config){.nodes = 2}, (const unsigned[]){1, 0, 1}, 3);
	struct machine *machine = recorder->machine;
	struct machine_statistics node, one;

	machine_work(machine, 0, 10);
	machine_read(machine, 0, PAGE, 4);
	machine_read(machine, 2, 12, 8);
	machine_idle(machine, 1, 300);
	machine_wait(machine, 1, 310);
	node = recorder_statistics(recorder, 1);
	assert_int_equal(node.cycles, 2000);
	assert_int_equal(node.work_cycles, 10);
	assert_int_equal(node.accesses, 2);
	assert_int_equal(node.split, 1);
	assert_int_equal(node.local[SMILE_TYPE_READ], 1);
	assert_int_equal(node.remote[SMILE_TYPE_READ], 2);
	assert_int_equal(node.frames, 4);
	assert_int_equal(machine_processor_statistics(machine, 0, &one), 0);
	assert_int_equal(one.cycles, 11);
	assert_int_equal(machine_processor_statistics(machine, 1, &one), 0);
	assert_int_equal(one.idle_cycles, 300);
	assert_int_equal(one.wait_cycles, 10);
	assert_int_equal(machine_processor_statistics(machine, 3, &one), -EINVAL);
	/* Ten cycles of work, and three accesses of one cycle each. */
	assert_int_equal(machine_single_cycles(machine), 13);
	recorder_free(recorder);
}

static void machine_reached_lets_frames_out_past_a_processor_that_stands(void **state)
{
	struct recorder *recorder =
		processors_new((struct machine_config){.nodes = 2}, (const unsigned[]){1, 0}, 2);

	machine_write(recorder->machine, 0, 0, 4);
	machine_flush(recorder->machine);
	assert_int_equal(recorder->frames[1], 0);
	machine_reached(recorder->machine, 20);
	machine_flush(recorder->machine);
	assert_int_equal(recorder->frames[1], 1);
	machine_reached(recorder->machine, 21);
	machine_flush(recorder->machine);
	assert_int_equal(recorder->frames[1], 2);
	/* machine_reached() has excluded this access, so it is an error. */
	machine_write(recorder->machine, 1, PAGE, 4);
	assert_int_equal(machine_error(recorder->machine), -EINVAL);
	recorder_free(recorder);
}

/* ---- events -------------------------------------------------------------------------------- */

static void machine_event_parts_frames_without_a_barrier(void **state)
{
	struct recorder *recorder =
		processors_new((struct machine_config){.nodes = 2}, (const unsigned[]){1, 0}, 2);

	machine_write(recorder->machine, 0, 0, 4);
	machine_write(recorder->machine, 0, 0, 4);
	machine_work(recorder->machine, 1, 20);
	assert_int_equal(machine_event(recorder->machine, 3, 20), 0);
	assert_int_equal(machine_clock(recorder->machine, 0), 40);
	assert_int_equal(machine_clock(recorder->machine, 1), 20);
	recorder_expect(recorder, "1: @0 13 1>0 #0 0 +40\n"
				  "0: @0 13 1>0 #0 0 +40\n"
				  "1: @100 7c 0>1 #0 0 +24\n"
				  "0: @100 7c 0>1 #0 0 +24\n"
				  "0: @100 48 0>0 #0 0x3 +24\n"
				  "1: @100 48 1>1 #0 0x3 +24\n"
				  "1: @100 13 1>0 #1 0 +40\n"
				  "0: @100 13 1>0 #1 0 +40\n"
				  "1: @200 7c 0>1 #1 0 +24\n"
				  "0: @200 7c 0>1 #1 0 +24\n");
	assert_int_equal(machine_event(recorder->machine, 3, 39), -EINVAL);
	recorder_free(recorder);
}

/* ---- batches and responses ----------------------------------------------------------------- */

/**
 * struct batches - The frames that were delivered in batches. @sum is the checksum of node 0's
 * frames.
 */
struct batches {
	uint64_t frames[MACHINE_NODES_MAX];
	uint64_t last_ns[MACHINE_NODES_MAX];
	uint64_t sum;
	unsigned calls;
};

static uint64_t frame_sum(uint64_t sum, uint64_t time_ns, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;

	sum = (sum ^ time_ns) * 0x100000001b3ULL;
	for (size_t i = 0; i < length; i++)
		sum = (sum ^ at[i]) * 0x100000001b3ULL;
	return sum;
}

static void batches_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			   size_t count)
{
	struct batches *batches = opaque;

	assert_in_range(count, 1, MACHINE_BATCH);
	batches->calls++;
	for (size_t i = 0; i < count; i++) {
		assert_true(frames[i].time_ns >= batches->last_ns[node]);
		batches->last_ns[node] = frames[i].time_ns;
		batches->frames[node]++;
		if (node == 0)
			batches->sum = frame_sum(batches->sum, frames[i].time_ns, frames[i].bytes,
						 frames[i].length);
	}
}

/* @limit: highest number of frames in a batch */
static struct batches batches_run(const struct machine_config *config, size_t limit)
{
	static const struct machine_ops ops = {.frames = batches_frames};
	struct batches batches = {0};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, config, &ops, &batches), 0);
	for (unsigned node = 0; node < machine_nodes(machine); node++)
		machine->link[node].limit = limit;
	for (unsigned i = 0; i < 3000; i++) {
		unsigned type = 1 + i % 3;

		machine_work(machine, i % 4, i % 7);
		machine_access(machine, i % 4, type, i * 2654435761U % (64 * PAGE), 1 + i % 12);
		if (i % 1000 == 999)
			assert_int_equal(machine_mark(machine, i), 0);
	}
	for (unsigned n = 0; n < 4; n++) {
		struct machine_statistics node;

		assert_int_equal(machine_statistics(machine, n, &node), 0);
		assert_int_equal(node.frames, batches.frames[n]);
	}
	machine_destroy(machine);
	return batches;
}

static void machine_frames_come_in_batches(void **state)
{
	const struct machine_config config = {.watch = MACHINE_WATCH_ALL};
	struct batches batch = batches_run(&config, MACHINE_BATCH);
	struct batches one = batches_run(&config, 1);

	assert_int_equal(batch.sum, one.sum);
	assert_true(batch.frames[0] > 1000);
	assert_true(batch.calls < one.calls / 20);
}

static void machine_no_responses_leaves_half_the_frames(void **state)
{
	struct machine_config config = {.watch = MACHINE_WATCH_ALL};
	struct batches with = batches_run(&config, MACHINE_BATCH), without;

	config.no_responses = true;
	without = batches_run(&config, MACHINE_BATCH);
	/* Three frames of each run are phase marks. */
	assert_int_equal(2 * (without.frames[0] - 3), with.frames[0] - 3);
}

/* Compute a checksum of the requests of each link, which depends on their order. */
static void requests_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			    size_t count)
{
	uint64_t *sums = opaque;

	for (size_t i = 0; i < count; i++) {
		uint64_t bd1;

		memcpy(&bd1, frames[i].bytes, sizeof(bd1));
		if (SMILE_GET(BLINK_BD1_COMMAND, le64toh(bd1)) < BLINK_RESPONSE00)
			sums[node] = frame_sum(sums[node], frames[i].time_ns, frames[i].bytes,
					       frames[i].length);
	}
}

static void machine_no_responses_requests_are_the_same(void **state)
{
	static const struct machine_ops ops = {.frames = requests_frames};
	uint64_t sums[2][8] = {{0}};

	for (unsigned without = 0; without < 2; without++) {
		const struct machine_config config = {
			.nodes = 8,
			.processors = 13,
			.watch = MACHINE_WATCH_ALL,
			.no_responses = without,
		};
		struct machine *machine;

		assert_int_equal(machine_create(&machine, &config, &ops, sums[without]), 0);
		for (unsigned p = 0; p < 13; p++)
			assert_int_equal(machine_processor_add(machine, p % 8), p);
		for (unsigned i = 0; i < 20000; i++)
			machine_step(machine, i * 2654435761U >> 16 & 1 ? i % 13 : i % 5, i % 11,
				     1 + i % 3, i * 2654435761U % (64 * PAGE), 1 + i % 12);
		assert_int_equal(machine_barrier(machine), 0);
		machine_destroy(machine);
	}
	assert_memory_equal(sums[0], sums[1], sizeof(sums[0]));
	for (unsigned n = 0; n < 8; n++)
		assert_true(sums[0][n] != 0);
}

/* ---- caches -------------------------------------------------------------------------------- */

static void machine_cache_read_fetches_a_line_and_hits_it(void **state)
{
	const struct machine_config config = {
		.watch = MACHINE_WATCH_ALL, .cache = {.bytes = 1024, .line_bytes = 64, .ways = 2}};
	struct recorder *recorder = recorder_new(&config);
	struct machine *machine = recorder->machine;

	assert_true(machine_ordered(machine));
	machine_read(machine, 1, 0x44, 4);
	machine_read(machine, 1, 0x7c, 4);
	machine_write(machine, 1, 0x40, 4);
	machine_read(machine, 1, 0x40, 4);
	machine_lock(machine, 1, 0x40, 4);
	machine_read(machine, 1, 0x50, 4);
	assert_int_equal(recorder_statistics(recorder, 1).hits, 2);
	assert_int_equal(recorder_statistics(recorder, 1).cache_cycles, 2);
	assert_int_equal(machine_clock(machine, 1), 1000 + 1 + 20 + 1 + 1000 + 1000);
	machine_synchronise(machine, 1);
	machine_read(machine, 1, 0x50, 4);
	assert_int_equal(recorder_statistics(recorder, 1).hits, 2);
	assert_int_equal(machine_barrier(machine), 0);
	assert_non_null(strstr(recorder->text, "1: @0 40 1>0 #0 0x40 +24\n"));
	assert_non_null(strstr(recorder->text, "1: @5000 7e 0>1 #0 0 +88\n"));
	assert_non_null(strstr(recorder->text, "1: @5005 13 1>0 #1 0x40 +40\n"));
	recorder_free(recorder);
}

static void machine_cache_lines_of_other_sizes_are_other_packets(void **state)
{
	static const struct {
		unsigned line;
		const char *request;
	} sizes[] = {
		{16, "1: @0 0f 1>0 #0 0x110 +24\n"},
		{256, "1: @0 41 1>0 #0 0x100 +24\n"},
	};

	for (size_t i = 0; i < 2; i++) {
		const struct machine_config config = {
			.watch = 2, .cache = {.bytes = 1024, .line_bytes = sizes[i].line}};
		struct recorder *recorder = recorder_new(&config);

		machine_read(recorder->machine, 1, 0x114, 4);
		machine_read(recorder->machine, 1, 0x110, 8);
		assert_int_equal(machine_barrier(recorder->machine), 0);
		assert_non_null(strstr(recorder->text, sizes[i].request));
		assert_int_equal(recorder_statistics(recorder, 1).hits, 1);
		assert_int_equal(recorder->frames[1], 2);
		recorder_free(recorder);
	}
}

static void cache_read_least_recently_used_goes(void **state)
{
	struct cache_case {
		uint64_t address;
		bool hit;
	} const cases[] = {
		{0x000, false}, {0x400, false}, {0x000, true},	{0x800, false},
		{0x000, true},	{0x400, false}, {0x040, false}, {0x000, true},
	};
	const struct machine_config config = {
		.nodes = 2, .cache = {.bytes = 2048, .line_bytes = 64, .ways = 2}};
	struct machine *machine;
	uint64_t hits = 0;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine_statistics node;

		hits += cases[i].hit;
		machine_read(machine, 1, cases[i].address, 4);
		machine_statistics(machine, 1, &node);
		assert_int_equal(node.hits, hits);
	}
	machine_destroy(machine);
}

static void machine_create_cache_that_cannot_be_is_refused(void **state)
{
	static const struct machine_cache bad[] = {
		{1024, 32, 2}, {1024, 64, 3}, {1000, 64, 1},
		{32, 64, 0},   {3072, 64, 4}, {1024, 64, 32},
	};
	struct machine *machine = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct machine_config config = {.cache = bad[i]};

		assert_int_equal(machine_create(&machine, &config, NULL, NULL), -EINVAL);
	}
	assert_null(machine);
}

/* ---- latency models ------------------------------------------------------------------------ */

static void latency_models_can_all_be_run(void **state)
{
	const struct latency_model *model;
	unsigned models = 0;

	for (; (model = latency_at(models)) != NULL; models++) {
		const struct machine_config config = {.latency = model};
		struct machine *machine;

		assert_ptr_equal(latency_find(model->name), model);
		assert_true(strlen(model->source) > 10);
		assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
		assert_int_equal(machine_frequency(machine), model->frequency_hz);
		machine_read(machine, 1, 0, 4);
		assert_int_equal(machine_clock(machine, 1),
				 latency_cycles(model, 1, 0, SMILE_TYPE_READ));
		machine_destroy(machine);
	}
	assert_true(models >= 4);
}

static void latency_model_of_ones_own_is_copied(void **state)
{
	struct latency_model model = *latency_find(LATENCY_DEFAULT);
	struct machine_config config = {.latency = &model};
	struct machine *machine;

	model.remote_cycles[SMILE_TYPE_WRITE] = 33;
	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	model.remote_cycles[SMILE_TYPE_WRITE] = 0;
	machine_write(machine, 1, 0, 4);
	assert_int_equal(machine_clock(machine, 1), 33);
	machine_destroy(machine);
	assert_int_equal(machine_create(&machine, &config, NULL, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_processor_add_in_vain_is_refused),
		cmocka_unit_test(machine_processors_of_a_node_share_its_ids),
		cmocka_unit_test(machine_ids_in_use_are_passed_over),
		cmocka_unit_test(machine_statistics_of_a_node_are_its_processors),
		cmocka_unit_test(machine_reached_lets_frames_out_past_a_processor_that_stands),
		cmocka_unit_test(machine_event_parts_frames_without_a_barrier),
		cmocka_unit_test(machine_frames_come_in_batches),
		cmocka_unit_test(machine_no_responses_leaves_half_the_frames),
		cmocka_unit_test(machine_no_responses_requests_are_the_same),
		cmocka_unit_test(machine_cache_read_fetches_a_line_and_hits_it),
		cmocka_unit_test(machine_cache_lines_of_other_sizes_are_other_packets),
		cmocka_unit_test(cache_read_least_recently_used_goes),
		cmocka_unit_test(machine_create_cache_that_cannot_be_is_refused),
		cmocka_unit_test(latency_models_can_all_be_run),
		cmocka_unit_test(latency_model_of_ones_own_is_copied),
	};

	return cmocka_run_group_tests_name("machine_processor", tests, NULL, NULL);
}
