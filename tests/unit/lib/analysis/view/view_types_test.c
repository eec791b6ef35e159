/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_types.c: types with all their parts. The tests read the types of
 * this program, which is built with debug information.
 */
#include <link.h>
#include <unistd.h>

#include "lib/analysis/view/view_types.h"
#include "tests/unit/lib_fixture.h"

struct inner {
	double x, y;
};

struct outer {
	struct inner pos[2];
	union {
		int number;
		char text[8];
	} tag;
	struct outer *next;
};

/* The variable is not static: the compiler would remove a static variable that nothing uses. */
extern struct outer view_types_sample[5][3];
struct outer view_types_sample[5][3] = {{{.next = NULL}}};

static int bias_get(struct dl_phdr_info *info, size_t size, void *opaque)
{
	*(uint64_t *)opaque = info->dlpi_addr;
	return 1;
}

/*
 * Open a view of this program's memory. @sample: receives the number of the type of
 * view_types_sample.
 */
static struct Monitor *opened(uint32_t *sample)
{
	static char path[4096];
	struct Monitor_region region = {.kind = MONITOR_REGION_GLOBAL, .name = path};
	uint64_t at = (uint64_t)(uintptr_t)view_types_sample;
	struct Monitor_place place;
	struct Monitor *mon;
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int type;

	assert_true(length > 0);
	path[length] = '\0';
	dl_iterate_phdr(bias_get, &region.bias);
	region.start = at & ~4095ULL;
	region.end = (at + sizeof(view_types_sample) + 4095) & ~4095ULL;
	write_recording(scratch_path("types.rec"), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("types.rec")), 0);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	assert_int_equal(Monitor_variable_find(mon, at, &place), 0);
	type = Monitor_variable_type(mon, place.variable);
	assert_true(type >= 0);
	*sample = (uint32_t)type;
	return mon;
}

static void a_type_comes_with_what_it_is_made_of(void **state)
{
	const struct view_type *array, *outer, *pos, *inner, *tag;
	struct view_types types = {0};
	uint32_t sample;
	struct Monitor *mon = opened(&sample);

	assert_int_equal(view_types_load(&types, mon, &sample, 1), 0);
	array = &types.list[sample];
	assert_true(array->known && array->type.kind == MONITOR_TYPE_ARRAY);
	assert_true(array->part_count == 2 && array->parts[0].count == 5 &&
		    array->parts[1].count == 3);
	assert_in_range(array->type.item, 0, types.count - 1);
	outer = &types.list[array->type.item];
	assert_true(outer->type.kind == MONITOR_TYPE_STRUCT && outer->part_count == 3);
	assert_string_equal(outer->parts[0].name, "pos");
	pos = &types.list[outer->parts[0].type];
	assert_true(pos->type.kind == MONITOR_TYPE_ARRAY && pos->part_count == 1);
	assert_in_range(pos->type.item, 0, types.count - 1);
	inner = &types.list[pos->type.item];
	assert_int_equal(inner->part_count, 2);
	assert_int_equal(inner->parts[1].offset, sizeof(double));
	tag = &types.list[outer->parts[1].type];
	assert_int_equal(tag->type.kind, MONITOR_TYPE_UNION);
	/* Each of the two structures has its own members. */
	assert_int_equal(types.members, 3 + 2);
	view_types_free(&types);
	Monitor_close(mon);
}

static void nothing_needed_has_no_types(void **state)
{
	struct view_types types = {0};
	uint32_t sample;
	struct Monitor *mon = opened(&sample);

	assert_int_equal(view_types_load(&types, mon, NULL, 0), 0);
	assert_int_equal(types.count, 0);
	view_types_free(&types);
	Monitor_close(mon);
}

/* Numbers without a type are listed as unknown types. Numbers above the limit are not listed. */
static void numbers_without_a_type_are_not_known(void **state)
{
	const uint32_t needed[] = {2, VIEW_TYPES_MAX};
	struct view_types types = {0};
	struct Monitor *mon;

	write_recording(scratch_path("none.rec"), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("none.rec")), 0);
	assert_int_equal(view_types_load(&types, mon, needed, 2), 0);
	assert_int_equal(types.count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_false(types.list[i].known);
		assert_string_equal(types.list[i].type.name, "");
		assert_int_equal(types.list[i].part_count, 0);
	}
	view_types_free(&types);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_comes_with_what_it_is_made_of),
		cmocka_unit_test(nothing_needed_has_no_types),
		cmocka_unit_test(numbers_without_a_type_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
