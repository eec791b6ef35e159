/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/views/walk.c, which visits each count exactly once. */
#include <errno.h>

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

	return recording_opened(records, sizeof(records) / sizeof(records[0]));
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
	/*
	 * Bytes 60 to 67 are in two blocks of 64 bytes, so only the block from 0 to 127 contains
	 * them.
	 */
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

static void one_page_is_walked_alone(void **state)
{
	struct Monitor *mon = opened();
	struct seen seen = {0};

	assert_int_equal(Monitor_walk_page_phases(mon, PAGE, 0, see, &seen), 0);
	assert_int_equal(seen.count, 2);
	assert_int_equal(of_type(&seen, SMILE_TYPE_READ)->accesses, 111);
	assert_int_equal(of_type(&seen, SMILE_TYPE_WRITE)->bytes, 4096);
	seen = (struct seen){0};
	assert_int_equal(Monitor_walk_page_ranges(mon, PAGE, 0, see, &seen), 0);
	assert_int_equal(seen.count, 2);
	assert_int_equal(of_type(&seen, SMILE_TYPE_READ)->offset, 8);
	assert_int_equal(of_type(&seen, SMILE_TYPE_WRITE)->bytes, 128);
	seen = (struct seen){.stop = 1};
	assert_int_equal(Monitor_walk_page_ranges(mon, PAGE, 3, see, &seen), 7);
	assert_int_equal(seen.counts[0].type, SMILE_TYPE_LOCK);
	seen = (struct seen){0};
	assert_int_equal(Monitor_walk_page_phases(mon, PAGE + 1, 0, see, &seen), 0);
	assert_int_equal(Monitor_walk_page_ranges(mon, PAGE, 1, see, &seen), 0);
	assert_int_equal(seen.count, 0);
	Monitor_close(mon);
}

/* The records above have one source and one home for each type. */
static void pairs_are_the_same_if_they_are_kept(void **state)
{
	struct Monitor *mon = opened();

	for (int kept = 0; kept < 2; kept++) {
		struct seen seen = {0};

		if (kept)
			assert_int_equal(Monitor_changes_begin(mon), 0);
		assert_int_equal(Monitor_walk_pairs(mon, see, &seen), 0);
		assert_int_equal(seen.count, 3);
		assert_int_equal(of_type(&seen, SMILE_TYPE_READ)->accesses, 111);
		assert_int_equal(of_type(&seen, SMILE_TYPE_READ)->source, 1);
		assert_int_equal(of_type(&seen, SMILE_TYPE_WRITE)->source, 2);
		assert_int_equal(of_type(&seen, SMILE_TYPE_LOCK)->home, 3);
		assert_int_equal(of_type(&seen, SMILE_TYPE_LOCK)->phase, 0);
	}
	Monitor_close(mon);
}

static int page_see(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	uint64_t *sum = opaque;

	for (size_t i = 0; i < count; i++)
		*sum += rows[i].accesses;
	return 0;
}

/* There are more records than one call reads. */
static void changes_are_those_since_they_were_looked_at(void **state)
{
	static struct smile_record records[2 * 4096 + 3];
	const char *path = scratch_path("changes.rec");
	struct Monitor *mon;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < 2 * 4096; i++)
		records[i] = record_dynamic(SMILE_TYPE_READ, 1, 0, (PAGE + i) * 4096, 1, 1);
	records[8192] = record_dynamic(SMILE_TYPE_READ, 2, 0, (PAGE + 9) * 4096, 1, 20);
	records[8193] = record_dynamic(SMILE_TYPE_WRITE, 2, 1, PAGE * 4096, 1, 300);
	records[8194] = record_dynamic(SMILE_TYPE_WRITE, 2, 1, PAGE * 4096, 1, 4000);
	write_recording(path, 0, records, 8195, -1);
	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_walk_changes(mon, page_see, &sum), -ENODATA);
	assert_int_equal(Monitor_changes_begin(mon), 0);
	assert_int_equal(Monitor_walk_changes(mon, page_see, &sum), 0);
	assert_int_equal(sum, 0);
	assert_int_equal(Monitor_poll(mon, 0), 4096);
	assert_int_equal(Monitor_walk_changes(mon, page_see, &sum), 0);
	assert_int_equal(sum, 4096);
	/* Nearly all pages have changed, more than the list has room for. */
	assert_int_equal(Monitor_poll(mon, 0), 4096);
	assert_int_equal(Monitor_walk_changes(mon, page_see, &sum), -ENODATA);
	assert_int_equal(Monitor_changes_begin(mon), 0);
	assert_int_equal(Monitor_poll(mon, 0), 3);
	sum = 0;
	assert_int_equal(Monitor_walk_changes(mon, page_see, &sum), 0);
	assert_int_equal(sum, 1 + 20 + 300 + 4000);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_page_is_walked_alone),
		cmocka_unit_test(pairs_are_the_same_if_they_are_kept),
		cmocka_unit_test(changes_are_those_since_they_were_looked_at),
		cmocka_unit_test(phases_are_reported_page_by_page),
		cmocka_unit_test(ranges_are_reported_as_the_block_that_holds_them),
		cmocka_unit_test(a_walk_ends_when_the_function_says_so),
	};

	return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
