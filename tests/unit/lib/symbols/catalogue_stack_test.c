/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of variables on stacks: lib/map/stack_frames.c, debug_frame.c, catalogue_stack.c,
 * catalogue_stack_name.c and catalogue_overlaps.c. The reported frames are of functions of this
 * program, which is built with debug information; their addresses are invented. tests/structures
 * uses real addresses.
 */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/map/stack_frames.h"
#include "tests/unit/lib_fixture.h"

#define STACK 0x7000000000ULL
#define STACK_BYTES 0x10000ULL
#define CFA (STACK + 0x8000)

struct pair {
	double left, right;
};

/* The structure is too large for registers, so a caller passes it on the stack. */
struct parcel {
	long items[16];
};

/*
 * Attributes of functions whose stack frames must stay the same: they are not static, and the
 * compiler optimises them always in the same way.
 */
#define PLAIN __attribute__((noinline, optimize("O1"), no_sanitize("address", "undefined")))

extern int stack_first(int number);
extern int stack_second(int number);
extern int stack_third(struct parcel parcel);

PLAIN int stack_first(int number)
{
	volatile struct pair pairs[40];

	pairs[number].left = number;
	return (int)pairs[number / 2].right;
}

PLAIN int stack_second(int number)
{
	volatile int cells[10][20];

	cells[number][3] = number;
	return cells[number / 2][4];
}

PLAIN int stack_third(struct parcel parcel)
{
	volatile struct parcel *own = &parcel;

	own->items[3] = own->items[4];
	return (int)own->items[5];
}

static int bias_get(struct dl_phdr_info *info, size_t size, void *opaque)
{
	*(uint64_t *)opaque = info->dlpi_addr;
	return 1;
}

static uint64_t code(int (*function)(int))
{
	return (uint64_t)(uintptr_t)function;
}

/* Open a view with the code of this program and two stacks. */
static struct Monitor *opened(const char *name)
{
	static char path[4096];
	const uint64_t low =
		code(stack_first) < code(stack_second) ? code(stack_first) : code(stack_second);
	struct Monitor_region region = {
		.kind = MONITOR_REGION_CODE,
		.name = path,
		.start = low & ~4095ULL,
		.end = (low & ~4095ULL) + 0x10000,
	};
	struct Monitor_region stack = {
		.kind = MONITOR_REGION_STACK,
		.name = "",
		.start = STACK,
		.end = STACK + STACK_BYTES,
	};
	struct Monitor *mon;
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(length > 0);
	path[length] = '\0';
	dl_iterate_phdr(bias_get, &region.bias);
	write_recording(scratch_path(name), 0, NULL, 0, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path(name)), 0);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	assert_int_equal(Monitor_region_add(mon, &stack), 0);
	stack.start += 0x100000;
	stack.end += 0x100000;
	assert_int_equal(Monitor_region_add(mon, &stack), 0);
	return mon;
}

/* Add a frame of @function, as if it had just been entered. */
static void enter(struct Monitor *mon, int (*function)(int), uint64_t cfa, uint32_t thread)
{
	const struct Monitor_stack_frame frame = {code(function), cfa, 0, 0, thread, 0};

	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
}

/* Find the variable with this name. The test fails if there is none. Return: its index. */
static uint32_t named(struct Monitor *mon, const char *name, struct Monitor_variable *variable)
{
	struct Monitor_variable list[32];
	int count = Monitor_variables(mon, list, 32);

	assert_in_range(count, 0, 32);
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i].name, name))
			continue;
		*variable = list[i];
		return (uint32_t)i;
	}
	for (int i = 0; i < count; i++)
		print_message("there is %s\n", list[i].name);
	fail_msg("there is no %s", name);
	return 0;
}

static const char *name_of(struct Monitor *mon, uint64_t address)
{
	static struct Monitor_place place;

	assert_int_equal(Monitor_variable_find(mon, address, &place), 0);
	return place.name;
}

static void a_frame_has_its_functions_variables(void **state)
{
	struct Monitor *mon = opened("frame.rec");
	struct Monitor_variable pairs;
	uint32_t index;

	enter(mon, stack_first, CFA, 3);
	index = named(mon, "stack_first::pairs", &pairs);
	assert_int_equal(pairs.kind, MONITOR_VARIABLE_STACK);
	assert_true(pairs.bytes == sizeof(struct pair[40]) && pairs.extents == 1);
	assert_true(pairs.address > CFA - 0x1000 && pairs.address + pairs.bytes <= CFA);
	assert_non_null(strstr(pairs.file, "catalogue_stack_test.c"));
	assert_non_null(strstr(pairs.type, "struct pair [40]"));
	assert_string_equal(name_of(mon, pairs.address + 7 * sizeof(struct pair) + 8),
			    "stack_first::pairs[7].right");
	assert_true(Monitor_variable_type(mon, index) >= 0);
	assert_string_equal(name_of(mon, STACK + 0x100), "stack of thread 3+0x100");
	assert_string_equal(name_of(mon, STACK + 0x100100), "stack+0x100");
	assert_int_equal(Monitor_close(mon), 0);
}

static void threads_are_reported_where_several_have_a_variable(void **state)
{
	struct Monitor *mon = opened("threads.rec");
	struct Monitor_variable one, two, again;

	enter(mon, stack_first, CFA, 1);
	enter(mon, stack_first, CFA + 0x100000, 2);
	/* The stack was that of thread 1, and keeps this name. */
	enter(mon, stack_first, CFA, 5);
	/* This thread has two active calls of the function. */
	enter(mon, stack_first, CFA + 0x102000, 2);
	named(mon, "thread 1::stack_first::pairs", &one);
	named(mon, "thread 2::stack_first::pairs", &two);
	assert_true(two.address == one.address + 0x100000);
	assert_true(one.extents == 1 && two.extents == 2 && two.bytes == 2 * one.bytes);
	assert_string_equal(name_of(mon, two.address + 0x2000),
			    "thread 2::stack_first::pairs[0].left");
	assert_string_equal(name_of(mon, STACK + 8), "stack of several threads+0x8");
	named(mon, "stack of thread 2", &again);
	assert_int_equal(Monitor_close(mon), 0);
}

static void memory_used_again_is_called_after_both(void **state)
{
	struct Monitor *mon = opened("again.rec");
	struct Monitor_variable pairs, turns;
	struct Monitor_extent extent;
	uint32_t index;

	enter(mon, stack_first, CFA, 0);
	enter(mon, stack_second, CFA + 0x200, 0);
	named(mon, "stack_first::pairs or stack_second::cells", &turns);
	assert_int_equal(turns.kind, MONITOR_VARIABLE_SEVERAL);
	index = named(mon, "stack_second::cells", &pairs);
	assert_true(turns.bytes > 0 && pairs.bytes + turns.bytes == sizeof(int[10][20]));
	/* The part that only one function used has the same offset in the variable as before. */
	assert_int_equal(Monitor_extents(mon, index, &extent, 1), 1);
	assert_true(extent.start == extent.base + turns.bytes);
	assert_int_equal(Monitor_close(mon), 0);
}

static void one_variable_at_several_places_is_not_reported_by_index(void **state)
{
	struct Monitor *mon = opened("shifted.rec");
	struct Monitor_variable turns;

	enter(mon, stack_first, CFA, 0);
	enter(mon, stack_first, CFA + 0x20, 0);
	named(mon, "stack_first::pairs of several frames", &turns);
	assert_true(turns.bytes == sizeof(struct pair[40]) - 0x20);
	assert_int_equal(Monitor_close(mon), 0);
}

static void turns_at_several_places_are_one(void **state)
{
	struct Monitor *mon = opened("places.rec");
	struct Monitor_variable turns;

	for (uint64_t i = 0; i < 4; i++) {
		enter(mon, stack_first, CFA - 0x1000 * i, 0);
		enter(mon, stack_second, CFA - 0x1000 * i + 0x200, 0);
	}
	named(mon, "stack_first::pairs or stack_second::cells", &turns);
	assert_true(turns.extents == 4 && turns.bytes % 4 == 0);
	assert_int_equal(Monitor_close(mon), 0);
}

/* A part of one frame overlaps a variable of another function. */
static void memory_of_a_frame_and_of_a_variable_is_called_after_both(void **state)
{
	struct Monitor *mon = opened("both.rec");
	const struct Monitor_stack_frame frame = {
		code(stack_first) + 1, CFA, CFA - 0x1000, CFA - 16, 0, 0};
	struct Monitor_variable both, pairs, cells, rest;

	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	named(mon, "stack_first::pairs", &pairs);
	enter(mon, stack_second, CFA, 0);
	named(mon, "stack_second::cells or stack_first's frame", &both);
	named(mon, "stack_first::pairs or stack_second::cells", &cells);
	named(mon, "stack_first's frame", &rest);
	assert_int_equal(both.kind, MONITOR_VARIABLE_SEVERAL);
	assert_true(both.bytes + cells.bytes == sizeof(int[10][20]));
	assert_true(rest.address == CFA - 0x1000);
	assert_int_equal(Monitor_close(mon), 0);
}

static void a_frames_own_variables_are_not_the_frames(void **state)
{
	struct Monitor *mon = opened("own.rec");
	struct Monitor_stack_frame frame = {
		code(stack_first) + 1, CFA, CFA - 0x1000, CFA - 16, 0, 0};
	struct Monitor_variable pairs, rest;

	/* The position in the function and the size of the frame have no effect. */
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	frame.sp += 0x100;
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	frame.ip++;
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	enter(mon, stack_first, CFA, 0);
	named(mon, "stack_first::pairs", &pairs);
	named(mon, "stack_first's frame", &rest);
	assert_true(pairs.bytes == sizeof(struct pair[40]) && pairs.extents == 1);
	assert_true(rest.address == CFA - 0x1000);
	assert_string_equal(name_of(mon, CFA - 0x1000 + 0x104), "stack_first's frame+260");
	frame.cfa += 0x20;
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	named(mon, "stack_first's frame of several frames", &rest);
	assert_int_equal(Monitor_close(mon), 0);
}

static void a_parameter_in_its_callers_frame_is_the_parameter(void **state)
{
	struct Monitor *mon = opened("parameter.rec");
	const struct Monitor_stack_frame caller = {
		code(stack_first) + 1, CFA, CFA - 0x1000, CFA - 16, 0, 0};
	struct Monitor_variable parcel;

	assert_int_equal(Monitor_stack_frame_add(mon, &caller), 0);
	enter(mon, (int (*)(int))(uintptr_t)stack_third, caller.sp, 0);
	named(mon, "stack_third::parcel", &parcel);
	assert_true(parcel.address == caller.sp && parcel.bytes == sizeof(struct parcel));
	assert_int_equal(Monitor_close(mon), 0);
}

static void region_add(struct Monitor *mon, uint32_t kind, uint64_t start, uint64_t end)
{
	const struct Monitor_region region = {.kind = kind,
					      .name = kind == MONITOR_REGION_NAMED ? "grid" : "",
					      .start = start,
					      .end = end};

	assert_int_equal(Monitor_region_add(mon, &region), 0);
}

static void what_came_after_the_stack_has_its_memory(void **state)
{
	struct Monitor *mon = opened("after.rec");
	struct Monitor_variable pairs;
	uint64_t middle;

	enter(mon, stack_first, CFA, 0);
	named(mon, "stack_first::pairs", &pairs);
	middle = pairs.address + 5 * sizeof(struct pair);
	region_add(mon, MONITOR_REGION_NAMED, middle, middle + 32);
	assert_string_equal(name_of(mon, middle - 8), "stack_first::pairs[4].right");
	assert_string_equal(name_of(mon, middle + 24), "grid+0x18");
	assert_string_equal(name_of(mon, middle + 32), "stack_first::pairs[7].left");
	region_add(mon, MONITOR_REGION_PRIVATE, STACK, STACK + STACK_BYTES);
	assert_null(strstr(name_of(mon, middle - 8), "pairs"));
	/* The memory becomes a stack a second time. */
	region_add(mon, MONITOR_REGION_STACK, STACK, STACK + STACK_BYTES);
	assert_string_equal(name_of(mon, middle - 8), "stack_first::pairs[4].right");
	assert_int_equal(Monitor_close(mon), 0);
}

static void a_frame_that_ends_where_a_stack_does_is_on_it(void **state)
{
	struct Monitor *mon = opened("ends.rec");
	struct Monitor_stack_frame frame = {0x1000, STACK + STACK_BYTES, 0, 0, 7, 0};

	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	frame.cfa = STACK + 0x100000;
	frame.thread = 8;
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	assert_string_equal(name_of(mon, STACK), "stack of thread 7+0x0");
	assert_string_equal(name_of(mon, STACK + 0x100000), "stack+0x0");
	assert_int_equal(Monitor_close(mon), 0);
}

static void what_is_left_is_the_frames(void **state)
{
	struct Monitor *mon = opened("left.rec");
	const struct Monitor_stack_frame frame = {
		code(stack_first) + 1, CFA, CFA - 0x1000, CFA - 16, 0, 0};
	struct Monitor_variable rest;

	assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	named(mon, "stack_first's frame", &rest);
	assert_int_equal(rest.kind, MONITOR_VARIABLE_STACK);
	assert_string_equal(rest.type, "");
	assert_true(rest.address == CFA - 0x1000 && rest.bytes < 0x1000);
	assert_string_equal(name_of(mon, CFA - 0x1000 + 4), "stack_first's frame+4");
	assert_int_equal(Monitor_close(mon), 0);
}

static void frames_that_cannot_be_are_refused(void **state)
{
	const struct Monitor_stack_frame wrong[] = {
		{0, CFA, 0, 0, 0, 0},
		{1ULL << 63, CFA, 0, 0, 0, 0},
		{0x1000, 1ULL << 63, 0, 0, 0, 0},
		{0x1000, CFA, CFA, 0, 0, 0},
		{0x1000, CFA, 0, 0, 0, 1},
	};
	/* A frame of an unknown file gives no name, and does no harm. */
	const struct Monitor_stack_frame stray = {0x1000, CFA, CFA - 64, ~0ULL, ~0U, 0};
	struct Monitor *mon = opened("wrong.rec");
	struct Monitor_stack_frame frame;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(Monitor_stack_frame_add(mon, &wrong[i]), -EINVAL);
	assert_int_equal(Monitor_stack_frames(mon, NULL, 0), 0);
	assert_int_equal(Monitor_stack_frame_add(mon, &stray), 0);
	assert_int_equal(Monitor_stack_frames(mon, &frame, 1), 1);
	assert_memory_equal(&frame, &stray, sizeof(frame));
	assert_string_equal(name_of(mon, CFA - 8), "stack of thread 4294967295+0x7ff8");
	assert_int_equal(Monitor_close(mon), 0);
}

static void more_frames_than_can_be_reported_are_refused(void **state)
{
	struct Monitor *mon = opened("many.rec");
	struct Monitor_stack_frame frame = {code(stack_first) + 1, CFA, CFA - 0x1000, 0, 0, 0};
	struct Monitor_variable rest;

	for (uint64_t i = 0; i < FRAMES_MAX; i++) {
		frame.cfa = CFA - 8 * (i % 1024);
		frame.sp = frame.cfa - 0x800 - 8 * (i / 1024);
		assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	}
	assert_int_equal(Monitor_stack_frame_add(mon, &frame), -ENOSPC);
	assert_non_null(strstr(Monitor_error_message(), "65536"));
	assert_int_equal(Monitor_stack_frames(mon, NULL, 0), FRAMES_MAX);
	named(mon, "stack_first's frame of several frames", &rest);
	assert_int_equal(Monitor_close(mon), 0);
}

/* Read a field of @count frames. @flags: bits that a reader must ignore. Return: the error. */
static const char *taken_in(struct frames *frames, size_t count, uint32_t flags)
{
	static unsigned char data[FRAMES_HEAD_BYTES + FRAMES_MAX * FRAMES_FRAME_BYTES];
	const uint64_t numbers[4] = {0x400000, CFA, CFA - 64, 7};
	const struct field field = {
		.tag = FRAMES_TAG,
		.length = (uint32_t)(FRAMES_HEAD_BYTES + count * FRAMES_FRAME_BYTES),
		.data = data,
	};

	data[0] = FRAMES_FRAME_BYTES;
	for (size_t i = 0; i < count; i++) {
		unsigned char *at = data + FRAMES_HEAD_BYTES + i * FRAMES_FRAME_BYTES;

		memcpy(at, numbers, sizeof(numbers));
		memset(at + sizeof(numbers), 0, 8);
		memcpy(at + sizeof(numbers) + 4, &flags, sizeof(flags));
	}
	return smile_frames_trailer_field(frames, &field);
}

static void recordings_are_refused_with_too_many_alone(void **state)
{
	struct frames frames = {0};
	const char *wrong;

	assert_null(taken_in(&frames, 2, 0x80000001));
	assert_true(frames.count == 2 && frames.items[1].bp == 7 && !frames.items[1].flags);
	smile_frames_free(&frames);
	assert_null(taken_in(&frames, FRAMES_MAX, 0));
	assert_int_equal(frames.count, FRAMES_MAX);
	wrong = taken_in(&frames, 1, 0);
	assert_non_null(wrong);
	assert_non_null(strstr(wrong, "more frames"));
	smile_frames_free(&frames);
}

/* Write a recording with frames of thread @thread; without frames if @thread is negative. */
static const char *saved(const char *name, int thread)
{
	static char path[8][256];
	static unsigned int node;
	char *to = path[node++ % 8];
	struct Monitor *mon;

	write_recording(scratch_path("plain.rec"), node, NULL, 0, 0);
	snprintf(to, sizeof(path[0]), "%s", scratch_path(name));
	assert_int_equal(Monitor_open(&mon, scratch_path("plain.rec")), 0);
	assert_int_equal(Monitor_save(mon, to, "test"), 0);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_home_add(mon, 1, 1, 0), 0);
	for (uint64_t i = 0; thread >= 0 && i < 3; i++) {
		const struct Monitor_stack_frame frame = {
			0x400000 + i, CFA, CFA - 64 * (i + 1), 7, (uint32_t)thread, 0};

		assert_int_equal(Monitor_stack_frame_add(mon, &frame), 0);
	}
	assert_int_equal(Monitor_close(mon), 0);
	return to;
}

static void recordings_keep_them(void **state)
{
	struct Monitor_stack_frame frames[4];
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, saved("kept.rec", 9)), 0);
	assert_int_equal(Monitor_stack_frames(mon, frames, 4), 3);
	for (uint64_t i = 0; i < 3; i++)
		assert_true(frames[i].ip == 0x400000 + i && frames[i].cfa == CFA &&
			    frames[i].sp == CFA - 64 * (i + 1) && frames[i].bp == 7 &&
			    frames[i].thread == 9 && !frames[i].flags);
	assert_int_equal(Monitor_close(mon), 0);
}

static void recordings_of_one_run_agree(void **state)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, saved("a.rec", 1)), 0);
	assert_int_equal(Monitor_attach(mon, saved("b.rec", -1)), 0);
	assert_int_equal(Monitor_stack_frames(mon, NULL, 0), 3);
	assert_int_equal(Monitor_attach(mon, saved("c.rec", 1)), 0);
	assert_int_equal(Monitor_stack_frames(mon, NULL, 0), 3);
	assert_int_equal(Monitor_attach(mon, saved("d.rec", 2)), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "the functions that"));
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_has_its_functions_variables),
		cmocka_unit_test(threads_are_reported_where_several_have_a_variable),
		cmocka_unit_test(memory_used_again_is_called_after_both),
		cmocka_unit_test(one_variable_at_several_places_is_not_reported_by_index),
		cmocka_unit_test(turns_at_several_places_are_one),
		cmocka_unit_test(memory_of_a_frame_and_of_a_variable_is_called_after_both),
		cmocka_unit_test(a_frames_own_variables_are_not_the_frames),
		cmocka_unit_test(a_parameter_in_its_callers_frame_is_the_parameter),
		cmocka_unit_test(what_came_after_the_stack_has_its_memory),
		cmocka_unit_test(a_frame_that_ends_where_a_stack_does_is_on_it),
		cmocka_unit_test(more_frames_than_can_be_reported_are_refused),
		cmocka_unit_test(recordings_are_refused_with_too_many_alone),
		cmocka_unit_test(what_is_left_is_the_frames),
		cmocka_unit_test(frames_that_cannot_be_are_refused),
		cmocka_unit_test(recordings_keep_them),
		cmocka_unit_test(recordings_of_one_run_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
