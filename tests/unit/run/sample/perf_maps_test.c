// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/perf_maps.c: a new mapping replaces others, in all ways in which two mappings
 * can overlap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <base/random.h>

#include "run/sample/perf_maps.h"

#define PAGES 40U
#define PAGE 4096ULL

static int add(struct perf_maps *maps, uint64_t start, uint64_t end, const char *name)
{
	struct perf_map map = {
		.start = start,
		.end = end,
		.offset = start,
		.flags = "rw-p",
		.name = (char *)name,
	};

	return perf_maps_add(maps, &map);
}

/* Compare with an array that contains the mapping of each page. */
static void maps_add_as_pages_say(void **state)
{
	uint64_t random = 1;

	for (unsigned turn = 0; turn < 2000; turn++) {
		struct perf_maps maps = {.count = 0};
		char pages[PAGES] = {0};

		for (unsigned i = 0; i < 12; i++) {
			uint64_t first = random_below(&random, PAGES);
			uint64_t count = random_below(&random, PAGES - first + 1);
			const char name[2] = {(char)('a' + i), '\0'};

			assert_int_equal(
				add(&maps, (first + 1) * PAGE, (first + count + 1) * PAGE, name),
				0);
			memset(pages + first, name[0], count);
		}
		for (size_t i = 0; i < maps.count; i++) {
			const struct perf_map *map = &maps.list[i];

			assert_true(map->start < map->end);
			assert_true(!i || map->start >= map[-1].end);
			/* The offset is that of the mapping's first address. */
			assert_int_equal(map->offset, map->start);
			for (uint64_t page = map->start / PAGE; page < map->end / PAGE; page++) {
				assert_int_equal(pages[page - 1], map->name[0]);
				pages[page - 1] = 0;
			}
		}
		for (size_t page = 0; page < PAGES; page++)
			assert_int_equal(pages[page], 0);
		perf_maps_free(&maps);
	}
}

static void maps_add_impossible_ignored(void **state)
{
	struct perf_maps maps = {.count = 0};

	assert_int_equal(add(&maps, 0x2000, 0x2000, "x"), 0);
	assert_int_equal(add(&maps, 0x2000, 0x1000, "x"), 0);
	assert_int_equal(add(&maps, 1ULL << 46, UINT64_MAX, "x"), 0);
	assert_int_equal(maps.count, 0);
	perf_maps_free(&maps);
}

static void maps_regions_kinds(void **state)
{
	struct perf_maps maps = {.count = 0};
	struct mapped mapped = {.count = 0};

	assert_int_equal(perf_maps_regions(&maps, &mapped), 0);
	assert_int_equal(mapped.count, 0);
	assert_int_equal(add(&maps, 0x10000, 0x20000, "//anon"), 0);
	assert_int_equal(add(&maps, 0x30000, 0x40000, "[heap]"), 0);
	assert_int_equal(add(&maps, 0x40000, 0x50000, "[vdso]"), 0);
	assert_int_equal(add(&maps, 0x60000, 0x70000, "[stack]"), 0);
	assert_int_equal(add(&maps, 0x80000, 0x90000, "/not/there\nnor here"), 0);
	assert_int_equal(perf_maps_regions(&maps, &mapped), 0);
	assert_int_equal(mapped.count, 4);
	assert_int_equal(mapped.list[0].kind, MONITOR_REGION_PRIVATE);
	assert_string_equal(mapped.list[0].name, "");
	assert_int_equal(mapped.list[1].kind, MONITOR_REGION_HEAP);
	assert_int_equal(mapped.list[2].kind, MONITOR_REGION_STACK);
	assert_string_equal(mapped.list[3].name, "/not/there?nor here");
	mapped_free(&mapped);
	perf_maps_free(&maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_add_as_pages_say),
		cmocka_unit_test(maps_add_impossible_ignored),
		cmocka_unit_test(maps_regions_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
