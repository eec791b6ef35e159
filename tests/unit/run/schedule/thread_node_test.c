/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the nodes of threads, which the schedule tells the tracer. May use schedule_fixture.h
 * and the C library.
 */
#include <errno.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

/* The node that the tracer computes for the thread: see node_mark() of run/tracer/marks.c. */
static unsigned node_told(const struct stream_header *header, unsigned number)
{
	unsigned count = header->node_of_count;

	number /= header->node_of_block;
	if (number >= count)
		number = header->node_of_repeats ? number % count : count - 1;
	return header->node_of[number];
}

static void schedule_create_tells_the_nodes_of_any_number_of_threads(void **state)
{
	enum { THREADS = 5 * STREAM_NODES_OF, LIST = STREAM_NODES_OF };
	static unsigned list[LIST + 1];
	struct schedule_config config = {.mapping = SCHEDULE_IN_BLOCKS, .threads = THREADS};
	struct stage *stage = stage_new(NULL, &config), *bad = *state;
	struct schedule *schedule;

	for (unsigned t = 0; t < THREADS + 10; t++)
		assert_int_equal(node_told(stage->header, t),
				 t / (THREADS / 4) < 4 ? t / (THREADS / 4) : 3);
	stage_free(stage);
	for (unsigned i = 0; i < LIST; i++)
		list[i] = i % 3;
	config = (struct schedule_config){
		.mapping = SCHEDULE_BY_LIST, .list = list, .list_count = LIST};
	stage = stage_new(NULL, &config);
	for (unsigned t = 0; t < THREADS; t++)
		assert_int_equal(node_told(stage->header, t), list[t % LIST]);
	stage_free(stage);
	config.machine = bad->machine;
	config.list_count = LIST + 1;
	assert_int_equal(schedule_create(&schedule, &config, bad->memory), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_create_tells_the_nodes_of_any_number_of_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
