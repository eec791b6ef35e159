/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/walk.c: every count there is, once.
 */
#include "tests/unit/lib_fixture.h"

#define PAGE 40ULL

static struct Monitor *opened(void)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE * 4096 + 8, 1, 100),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE * 4096 + 8, 1, 11),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE * 4096 + 60, 2, 20),
		record_dynamic(SMILE_TYPE_LOCK, 1, 3, PAGE * 4096 + 4092, 1, 5),
	};
	const char *path = scratch_path("walk.rec");
	struct Monitor *mon;

	write_recording(path, 0, records, sizeof(records) / sizeof(records[0]), -1);
	assert_int_equal(Monitor_open(&mon, path), 0);
	while (Monitor_poll(mon, 0) > 0)
		continue;
	return mon;
}

struct seen {
	struct Monitor_count counts[8];
	size_t count;
	size_t stop;
};

static int see(const struct Monitor_count *count, void *opaque)
{
	struct seen *seen = opaque;

	assert_true(seen->count < 8);
	seen->counts[seen->count++] = *count;
	return seen->count == seen->stop ? 7 : 0;
}

static const struct Monitor_count *of_type(const struct seen *seen, uint32_t type)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->counts[i].type == type)
			return &seen->counts[i];
	fail_msg("nothing of type %u", type);
	return NULL;
}

static void phases_are_reported_page_by_page(void **state)
{
	struct Monitor *mon = opened();
	struct seen seen = {0};
	const struct Monitor_count *count;

	assert_int_equal(Monitor_walk_phases(mon, see, &seen), 0);
	assert_int_equal(seen.count, 3);
	count = of_type(&seen, SMILE_TYPE_READ);
	assert_int_equal(count->page, PAGE);
	assert_int_equal(count->home, 0);
	assert_int_equal(count->source, 1);
	assert_int_equal(count->accesses, 111);
	assert_int_equal(count->bytes, 4096);
	assert_int_equal(count->offset, 0);
	assert_int_equal(of_type(&seen, SMILE_TYPE_LOCK)->home, 3);
	Monitor_close(mon);
}

static void ranges_are_reported_as_the_block_that_holds_them(void **state)
{
	struct Monitor *mon = opened();
	struct seen seen = {0};
	const struct Monitor_count *count;

	assert_int_equal(Monitor_walk_ranges(mon, see, &seen), 0);
	assert_int_equal(seen.count, 3);
	count = of_type(&seen, SMILE_TYPE_READ);
	assert_int_equal(count->offset, 8);
	assert_int_equal(count->bytes, 4);
	assert_int_equal(count->accesses, 111);
	/* Bytes 60 to 67 cross the border at 64: only 0 to 127 holds them. */
	count = of_type(&seen, SMILE_TYPE_WRITE);
	assert_int_equal(count->offset, 0);
	assert_int_equal(count->bytes, 128);
	count = of_type(&seen, SMILE_TYPE_LOCK);
	assert_int_equal(count->offset, 4092);
	assert_int_equal(count->bytes, 4);
	Monitor_close(mon);
}

static void a_walk_ends_when_the_function_says_so(void **state)
{
	struct Monitor *mon = opened();
	struct seen seen = {.stop = 2};

	assert_int_equal(Monitor_walk_ranges(mon, see, &seen), 7);
	assert_int_equal(seen.count, 2);
	seen = (struct seen){.stop = 1};
	assert_int_equal(Monitor_walk_phases(mon, see, &seen), 7);
	assert_int_equal(seen.count, 1);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_reported_page_by_page),
		cmocka_unit_test(ranges_are_reported_as_the_block_that_holds_them),
		cmocka_unit_test(a_walk_ends_when_the_function_says_so),
	};

	return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
