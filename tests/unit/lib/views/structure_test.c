/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/map/map_heap.c, map_heap_trailer.c, catalogue*.c, variable.c and structure.c: which
 * variable has a part of memory, and how its accesses are counted. tests/structures tests the names
 * from a program's files.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#define HEAP 0x800000ULL
#define NEVER UINT64_MAX
#define BLOCKS 6

static const struct Monitor_site sites[] = {
	{{0x1234, 0x2345, 0x3456, 0x4567, 0x5678, 0x6789}, 5, 8516, 8416, 0},
	{{0x5678}, 40, 960, 960, 7},
};

/*
 * Site 0 has large blocks, one of which site 1 allocates later. Site 1 has this block and 32 blocks
 * in a row.
 */
static const struct Monitor_block blocks[] = {
	{HEAP + 16, 4096, 1, 4096, 2, 5, NEVER, 0, 0},
	{HEAP + 0x2010, 100, 1, 100, 1, 5, 9, 0, 0},
	{HEAP + 0x2010, 24, 1, 24, 1, 10, NEVER, 1, 0},
	{HEAP + 0x3010, 24, 32, 32, 32, 5, NEVER, 1, 0},
	{HEAP + 0x4010, 96, 1, 96, 1, 5, NEVER, 0, 0},
	{HEAP + 0x4080, 128, 1, 128, 1, 5, NEVER, 0, 0},
};

static void fill(struct Monitor *mon)
{
	const struct Monitor_region regions[] = {
		{.start = HEAP, .end = HEAP + 0x10000, .kind = MONITOR_REGION_HEAP, .name = ""},
		{.start = 0x100000000ULL,
		 .end = 0x100002000ULL,
		 .kind = MONITOR_REGION_NAMED,
		 .name = "grid"},
		{.start = 0x400000,
		 .end = 0x402000,
		 .bias = 0x400000,
		 .kind = MONITOR_REGION_GLOBAL,
		 .name = "/nowhere/at/all"},
	};
	const struct Monitor_object object = {.path = "/nowhere/at/all", .build = "build-id 12"};

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(Monitor_region_add(mon, &regions[i]), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(Monitor_site_add(mon, &sites[i]), i);
	for (size_t i = 0; i < BLOCKS; i++)
		assert_int_equal(Monitor_block_add(mon, &blocks[i]), 0);
	assert_int_equal(Monitor_object_add(mon, &object), 0);
}

static const char *name_of(struct Monitor *mon, uint64_t address)
{
	static struct Monitor_place place;

	assert_int_equal(Monitor_variable_find(mon, address, &place), 0);
	return place.name;
}

static void addresses_have_names(void **state)
{
	struct Monitor_place place;
	struct Monitor *mon = recording_opened(NULL, 0);

	fill(mon);
	assert_string_equal(name_of(mon, HEAP + 16), "allocated at 0x1234 block 0 +0");
	assert_string_equal(name_of(mon, HEAP + 16 + 4095), "allocated at 0x1234 block 0 +4095");
	assert_string_equal(name_of(mon, HEAP + 0x2010),
			    "allocated at 0x1234 or allocated at 0x5678+0x0");
	assert_string_equal(name_of(mon, HEAP + 0x2010 + 24), "allocated at 0x1234 block 1 +24");
	assert_string_equal(name_of(mon, HEAP + 0x3010 + 31 * 32 + 8),
			    "allocated at 0x5678 block 32 +8");
	assert_string_equal(name_of(mon, HEAP + 0x8000), "heap+0x8000");
	assert_string_equal(name_of(mon, 0x100000000ULL + 24), "grid+0x18");
	assert_string_equal(name_of(mon, 0x401000), "all+0x1000");
	/* The heap's bookkeeping belongs to no variable. */
	assert_int_equal(Monitor_variable_find(mon, HEAP + 8, &place), -ENOENT);
	assert_int_equal(Monitor_variable_find(mon, 0x10, &place), -ENOENT);
	assert_int_equal(Monitor_variable_find(mon, HEAP + 0x3010 + 40, &place), 0);
	assert_true(place.start == HEAP + 0x3030 && place.bytes == 24);
	assert_int_equal(Monitor_close(mon), 0);
}

static void variables_are_measured(void **state)
{
	struct Monitor *mon = recording_opened(NULL, 0);
	struct Monitor_variable variables[8];
	struct Monitor_extent extents[8];
	struct Monitor_object object;

	fill(mon);
	assert_int_equal(Monitor_variables(mon, variables, 8), 6);
	assert_string_equal(variables[0].name, "all");
	assert_int_equal(variables[0].kind, MONITOR_VARIABLE_ANONYMOUS);
	assert_string_equal(variables[1].name, "allocated at 0x1234");
	assert_true(variables[1].bytes == 4096 + 76 + 96 + 128 && variables[1].extents == 4);
	assert_true(variables[1].blocks == 5 && variables[1].lost == 0);
	assert_string_equal(variables[2].name, "heap");
	assert_int_equal(variables[3].kind, MONITOR_VARIABLE_SEVERAL);
	assert_true(variables[3].bytes == 24);
	assert_string_equal(variables[4].name, "allocated at 0x5678");
	assert_true(variables[4].bytes == 31 * 32 + 24 && variables[4].lost == 7);
	/* The distances between the blocks differ. */
	assert_true(variables[4].item_bytes == 0);
	assert_string_equal(variables[5].name, "grid");
	assert_int_equal(Monitor_extents(mon, 1, extents, 8), 4);
	assert_true(extents[0].start == HEAP + 16 && extents[0].end == HEAP + 16 + 4096);
	assert_true(extents[1].start == HEAP + 0x2028 && extents[1].base == HEAP + 0x2010);
	assert_int_equal(Monitor_extents(mon, 6, NULL, 0), -EINVAL);
	assert_int_equal(Monitor_objects(mon, &object, 1), 1);
	assert_int_equal(object.state, MONITOR_OBJECT_MISSING);
	assert_non_null(strstr(object.message, "/nowhere/at/all"));
	assert_int_equal(Monitor_close(mon), 0);
}

static const struct Monitor_structure_row *row(const struct Monitor_structure_row *rows, int count,
					       uint32_t variable, uint32_t source)
{
	for (int i = 0; i < count; i++)
		if (rows[i].variable == variable && rows[i].source == source)
			return &rows[i];
	fail_msg("variable %u has no accesses of node %u", variable, source);
	return NULL;
}

static void accesses_are_counted_and_straddling_reported(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 16, 4, 10),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, HEAP + 0x800, 1, 5),
		record_dynamic(SMILE_TYPE_LOCK, 2, 0, HEAP + 0x800, 1, 3),
		/*
		 * The blocks of these records contain one variable each, and some bookkeeping of
		 * the heap.
		 */
		record_dynamic(SMILE_TYPE_READ, 2, 0, HEAP + 0x4068, 6, 7),
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 0x3110, 6, 9),
		/*
		 * The block of this record contains two variables: the block that site 1 allocated
		 * later, and site 0.
		 */
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 0x2020, 4, 100),
		record_dynamic(SMILE_TYPE_READ, 2, 3, 0x500000, 1, 1000),
	};
	struct Monitor *mon = recording_opened(records, 7);
	struct Monitor_structure_row rows[16];
	uint64_t all = 0;
	int count;

	fill(mon);
	count = Monitor_structures_info(mon, rows, 16);
	assert_int_equal(count, 6);
	assert_true(row(rows, count, 1, 1)->accesses == 15 && row(rows, count, 1, 1)->reads == 10);
	assert_true(row(rows, count, 1, 1)->writes == 5 && row(rows, count, 1, 1)->home == 0);
	assert_true(row(rows, count, 1, 1)->straddling == 100);
	assert_true(row(rows, count, 1, 2)->locks == 3 && row(rows, count, 1, 2)->reads == 7);
	assert_true(row(rows, count, 3, 1)->straddling == 100 &&
		    row(rows, count, 3, 1)->accesses == 0);
	assert_true(row(rows, count, 4, 1)->accesses == 9);
	assert_true(row(rows, count, MONITOR_VARIABLES_ALL, 1)->straddling == 100);
	assert_true(row(rows, count, MONITOR_VARIABLES_ALL, 2)->accesses == 1000);
	for (int i = 0; i < count; i++)
		all += rows[i].accesses +
		       (rows[i].variable == MONITOR_VARIABLES_ALL ? rows[i].straddling : 0);
	assert_int_equal(all, 10 + 5 + 3 + 7 + 9 + 100 + 1000);
	assert_int_equal(Monitor_close(mon), 0);
}

/* If a page has only one variable, it is counted as a whole. The sums must be the same. */
static void variables_only_gives_the_same_sums(void **state)
{
	static const uint64_t grid = 0x100000000ULL / SMILE_PAGE_BYTES, second = grid + 1;
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x100000000ULL, 1, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x100000ffcULL, 1, 7),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, 0x100001008ULL, 2, 5),
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 16, 4, 3),
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 0x2020, 4, 100),
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 0x3110, 6, 9),
		record_dynamic(SMILE_TYPE_READ, 2, 3, 0x500000, 1, 1000),
	};
	struct Monitor *mon = recording_opened(records, 7);
	struct Monitor_structure_row all[16], rows[16];
	uint64_t sections[SMILE_PAGE_BYTES / 64 * 4];
	int count;

	fill(mon);
	count = Monitor_structures_info(mon, all, 16);
	assert_int_equal(count, 7);
	assert_int_equal(Monitor_variables_only(mon), -EBUSY);
	assert_int_equal(Monitor_close(mon), 0);
	for (size_t pages = 0; pages < 2; pages++) {
		assert_int_equal(Monitor_open(&mon, scratch_path("opened.rec")), 0);
		fill(mon);
		assert_int_equal(Monitor_variables_only(mon), 0);
		while (Monitor_poll(mon, 0) > 0)
			continue;
		assert_int_equal(Monitor_ranges_of(mon, &second, pages), 0);
		assert_int_equal(Monitor_structures_info(mon, rows, 16), count);
		assert_memory_equal(rows, all, (size_t)count * sizeof(*rows));
		assert_int_equal(Monitor_sections_info(mon, 0, grid, 64, sections, NULL, 4),
				 -ENODATA);
		assert_int_equal(Monitor_sections_info(mon, 0, second, 64, sections, NULL, 4),
				 pages ? 64 : -ENODATA);
		assert_true(!pages || sections[2] == 5);
		/* This page has several variables. */
		assert_int_equal(Monitor_sections_info(mon, 0, (HEAP + 0x2020) / SMILE_PAGE_BYTES,
						       64, sections, NULL, 4),
				 64);
		assert_int_equal(Monitor_spans_info(mon, sections, 0, rows, 16), -ENODATA);
		assert_int_equal(Monitor_close(mon), 0);
	}
}

static void spans_count_what_lies_in_them(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x1000, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x1008, 2, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x1010, 1, 100),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0x100c, 2, 1000),
	};
	const uint64_t bounds[] = {0x1008, 0x1010, 0x1020}, wrong[] = {8, 8};
	struct Monitor *mon = recording_opened(records, 4);
	struct Monitor_structure_row rows[8];

	/* The block of the last record, 0x1000 to 0x1020, overlaps both spans and other memory. */
	assert_int_equal(Monitor_spans_info(mon, bounds, 2, rows, 8), 3);
	assert_true(rows[0].variable == 0 && rows[0].accesses == 10 && rows[0].straddling == 1000);
	assert_true(rows[1].variable == 1 && rows[1].accesses == 100 && rows[1].straddling == 1000);
	assert_true(rows[2].variable == MONITOR_VARIABLES_ALL && rows[2].straddling == 1000);
	assert_int_equal(Monitor_spans_info(mon, wrong, 1, rows, 8), -EINVAL);
	assert_int_equal(Monitor_close(mon), 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const struct Monitor_block wrong[] = {
		{HEAP, 0, 1, 1, 1, 0, 0, 0, 0}, /* no bytes */
		{HEAP, 8, 0, 8, 0, 0, 0, 0, 0}, /* no blocks */
		{HEAP, 8, 2, 4, 2, 0, 0, 0, 0}, /* blocks that overlap */
		{HEAP, 8, UINT64_MAX, 8, UINT64_MAX, 0, 0, 0, 0}, /* beyond any memory */
		{UINT64_MAX - 4, 8, 1, 8, 1, 0, 0, 0, 0},
		{HEAP, 8, 1, 8, 1, 7, 6, 0, 0}, /* freed before its allocation */
		{HEAP, 8, 1, 8, 1, 0, 0, 2, 0}, /* an unknown site */
	};
	static const struct Monitor_site site = {{0}, 1, 8, 8, 2};
	struct Monitor *mon = recording_opened(NULL, 0);

	fill(mon);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(Monitor_block_add(mon, &wrong[i]), -EINVAL);
	assert_int_equal(Monitor_site_add(mon, &site), -EINVAL);
	assert_int_equal(Monitor_object_add(mon, &(struct Monitor_object){0}), -EINVAL);
	assert_int_equal(Monitor_sites(mon, NULL, 0), 2);
	assert_int_equal(Monitor_blocks(mon, NULL, 0), BLOCKS);
	assert_int_equal(Monitor_close(mon), 0);
}

static void saved_and_read_it_is_the_same(void **state)
{
	struct smile_record one = record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 16, 1, 1);
	struct Monitor_site read_sites[2];
	struct Monitor_block read_blocks[BLOCKS];
	char plain[128], saved[128], other[128];
	struct Monitor *mon;

	snprintf(plain, sizeof(plain), "%s", scratch_path("plain.rec"));
	snprintf(saved, sizeof(saved), "%s", scratch_path("saved.rec"));
	snprintf(other, sizeof(other), "%s", scratch_path("other.rec"));
	write_recording(plain, 5, &one, 1, 1);
	assert_int_equal(Monitor_open(&mon, plain), 0);
	assert_int_equal(Monitor_save(mon, saved, "test"), 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	fill(mon);
	assert_int_equal(Monitor_close(mon), 0);

	assert_int_equal(Monitor_open(&mon, saved), 0);
	assert_int_equal(Monitor_sites(mon, read_sites, 2), 2);
	assert_memory_equal(read_sites, sites, sizeof(sites));
	assert_int_equal(Monitor_blocks(mon, read_blocks, BLOCKS), BLOCKS);
	assert_memory_equal(read_blocks, blocks, sizeof(blocks));
	assert_string_equal(name_of(mon, HEAP + 16), "allocated at 0x1234 block 0 +0");
	/* A recording with different data must be of another run. */
	assert_int_equal(Monitor_close(mon), 0);
	write_recording(plain, 6, &one, 1, 1);
	assert_int_equal(Monitor_open(&mon, plain), 0);
	assert_int_equal(Monitor_save(mon, other, "test"), 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_site_add(mon, &sites[1]), 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, saved), 0);
	assert_int_equal(Monitor_attach(mon, other), -EINVAL);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_have_names),
		cmocka_unit_test(variables_are_measured),
		cmocka_unit_test(accesses_are_counted_and_straddling_reported),
		cmocka_unit_test(variables_only_gives_the_same_sums),
		cmocka_unit_test(spans_count_what_lies_in_them),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(saved_and_read_it_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
