/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/type_tree.c: the parts of types. The tests read the types of this program,
 * which is built with debug information.
 */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

struct inner {
	double x, y;
};

struct outer {
	int id;
	unsigned int bits : 3;
	struct inner pos[2];
	union {
		int number;
		char text[8];
	} tag;
	struct {
		short hidden;
	};
	struct outer *next;
};

typedef struct outer outer_t;

/* The variables are not static: the compiler would remove static variables that nothing uses. */
extern outer_t type_tree_sample[5][3];
extern long type_tree_plain;
outer_t type_tree_sample[5][3] = {{{.id = 1}}};
long type_tree_plain = 7;

static int bias_get(struct dl_phdr_info *info, size_t size, void *opaque)
{
	*(uint64_t *)opaque = info->dlpi_addr;
	return 1;
}

/* Open a view of this program's memory with the two variables. */
static struct Monitor *opened(uint32_t *sample, uint32_t *plain)
{
	static char path[4096];
	struct Monitor_region region = {.kind = MONITOR_REGION_GLOBAL, .name = path};
	uint64_t a = (uint64_t)(uintptr_t)type_tree_sample,
		 b = (uint64_t)(uintptr_t)&type_tree_plain;
	struct Monitor_place place;
	struct Monitor *mon;
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(length > 0);
	path[length] = '\0';
	dl_iterate_phdr(bias_get, &region.bias);
	region.start = (a < b ? a : b) & ~4095ULL;
	region.end = ((a < b ? b : a) + sizeof(type_tree_sample) + 4095) & ~4095ULL;
	write_recording(scratch_path("types.rec"), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("types.rec")), 0);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	assert_int_equal(Monitor_variable_find(mon, a, &place), 0);
	*sample = place.variable;
	assert_int_equal(Monitor_variable_find(mon, b, &place), 0);
	*plain = place.variable;
	return mon;
}

static void an_array_reports_dimensions_and_its_items(void **state)
{
	struct Monitor_type_part parts[4];
	struct Monitor_type type;
	uint32_t sample, plain;
	struct Monitor *mon = opened(&sample, &plain);
	int number = Monitor_variable_type(mon, sample);

	assert_true(number >= 0);
	assert_int_equal(Monitor_variable_type(mon, sample), number);
	assert_int_equal(Monitor_type_info(mon, (uint32_t)number, &type, parts, 4), 2);
	assert_int_equal(type.kind, MONITOR_TYPE_ARRAY);
	assert_string_equal(type.name, "outer_t [5][3]");
	assert_int_equal(type.bytes, sizeof(type_tree_sample));
	assert_int_equal(type.item_bytes, sizeof(outer_t));
	assert_int_equal(type.flags, 0);
	assert_true(parts[0].count == 5 && parts[1].count == 3);
	assert_true(parts[0].lower == 0 && parts[1].lower == 0);
	assert_int_equal(Monitor_type_info(mon, type.item, &type, NULL, 0), 5);
	assert_int_equal(type.kind, MONITOR_TYPE_STRUCT);
	assert_string_equal(type.name, "outer_t");
	Monitor_close(mon);
}

static void a_struct_reports_members_that_have_bytes(void **state)
{
	struct Monitor_type_part parts[8], inner[4];
	struct Monitor_type type;
	uint32_t sample, plain;
	struct Monitor *mon = opened(&sample, &plain);

	Monitor_type_info(mon, (uint32_t)Monitor_variable_type(mon, sample), &type, NULL, 0);
	assert_int_equal(Monitor_type_info(mon, type.item, &type, parts, 8), 5);
	assert_string_equal(parts[0].name, "id");
	assert_string_equal(parts[1].name, "pos");
	assert_int_equal(parts[1].offset, offsetof(outer_t, pos));
	assert_int_equal(parts[1].bytes, sizeof(struct inner[2]));
	assert_string_equal(parts[2].name, "tag");
	assert_string_equal(parts[3].name, "");
	assert_int_equal(parts[3].offset, offsetof(outer_t, hidden));
	assert_string_equal(parts[4].name, "next");
	assert_int_equal(Monitor_type_info(mon, parts[1].type, &type, inner, 4), 1);
	assert_int_equal(inner[0].count, 2);
	assert_int_equal(Monitor_type_info(mon, type.item, &type, inner, 4), 2);
	assert_string_equal(inner[1].name, "y");
	assert_int_equal(inner[1].offset, 8);
	assert_int_equal(Monitor_type_info(mon, parts[2].type, &type, inner, 4), 0);
	assert_int_equal(type.kind, MONITOR_TYPE_UNION);
	/* A pointer is a leaf of the tree. The memory to which it points is no part of the tree. */
	assert_int_equal(Monitor_type_info(mon, parts[4].type, &type, inner, 4), 0);
	assert_int_equal(type.kind, MONITOR_TYPE_PLAIN);
	assert_int_equal(type.bytes, sizeof(void *));
	Monitor_close(mon);
}

static void parts_beyond_capacity_are_counted_and_not_written(void **state)
{
	struct Monitor_type_part parts[2] = {{.name = "a"}, {.name = "kept"}};
	struct Monitor_type type;
	uint32_t sample, plain;
	struct Monitor *mon = opened(&sample, &plain);

	assert_int_equal(Monitor_type_info(mon, (uint32_t)Monitor_variable_type(mon, sample), &type,
					   parts, 1),
			 2);
	assert_string_equal(parts[0].name, "");
	assert_string_equal(parts[1].name, "kept");
	Monitor_close(mon);
}

static void what_is_not_there_is_refused(void **state)
{
	struct Monitor_type type = {.name = "kept"};
	uint32_t sample, plain;
	struct Monitor *mon = opened(&sample, &plain);
	int number = Monitor_variable_type(mon, plain);

	assert_true(number >= 0);
	assert_int_equal(Monitor_type_info(mon, (uint32_t)number, &type, NULL, 0), 0);
	assert_string_equal(type.name, "long int");
	assert_int_equal(type.kind, MONITOR_TYPE_PLAIN);
	assert_int_equal(Monitor_type_info(mon, 1000000, &type, NULL, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "type 1000000 does not exist"));
	assert_string_equal(type.name, "long int");
	assert_int_equal(Monitor_variable_type(mon, 1000000), -EINVAL);
	Monitor_close(mon);
}

static void without_debug_information_no_type_is_known(void **state)
{
	const struct Monitor_region region = {
		.start = 0x10000, .end = 0x20000, .kind = MONITOR_REGION_NAMED, .name = "grid"};
	struct Monitor *mon;

	write_recording(scratch_path("none.rec"), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("none.rec")), 0);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	assert_int_equal(Monitor_variable_type(mon, 0), -ENOENT);
	assert_non_null(strstr(Monitor_error_message(), "grid"));
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_reports_dimensions_and_its_items),
		cmocka_unit_test(a_struct_reports_members_that_have_bytes),
		cmocka_unit_test(parts_beyond_capacity_are_counted_and_not_written),
		cmocka_unit_test(what_is_not_there_is_refused),
		cmocka_unit_test(without_debug_information_no_type_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
