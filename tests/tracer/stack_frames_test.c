/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reported frames of this program's own stack: every frame that a complete walk finds, but only
 * the new frames of a deep recursion.
 */
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/tracer/channel.h"
#include "run/tracer/stack_frames.h"
#include "run/tracer/objects.h"
#include "run/preload/base/registers.h"
#include "run/tracer/process.h"
#include "run/tracer/unwind.h"

#define FRAMES_MAX 8192
#define DEPTH 3000
#define NOINLINE __attribute__((noinline))

struct frames {
	uint64_t rip[FRAMES_MAX];
	uint64_t cfa[FRAMES_MAX];
	int count;
};

/* These variables are defined elsewhere in the tracer. */
static struct stream_header stream_memory;
struct stream_header *stream = &stream_memory;
struct process process = {.stacks = true};
struct address_ranges objects_excluded;

static struct frames reported; /* each once */
static struct frames all; /* of the last walk, from the beginning */
static int records; /* since the last look */
static struct thread thread;
static volatile int sink;

static bool holds(const struct frames *list, uint64_t rip, uint64_t cfa)
{
	for (int i = 0; i < list->count; i++)
		if (list->rip[i] == rip && list->cfa[i] == cfa)
			return true;
	return false;
}

static void frames_add(struct frames *list, uint64_t rip, uint64_t cfa)
{
	if (list->count == FRAMES_MAX)
		fail_msg("too many frames");
	list->rip[list->count] = rip;
	list->cfa[list->count++] = cfa;
}

void channel_note(struct thread *of, enum stream_op op, uint64_t value, const uint64_t *words)
{
	assert_ptr_equal(of, &thread);
	assert_int_equal(op, STREAM_FRAME);
	records++;
	if (!holds(&reported, value, words[0]))
		frames_add(&reported, value, words[0]);
}

/* Walk twice: as the tracer does, and without remembered frames. */
static NOINLINE void look(void)
{
	struct unwind frame = {.high = thread.stack_end, .exact = true}, next;
	struct stream_registers from;
	bool more = true;

	registers_take(&from);
	records = 0;
	frames_emit(&thread, (uint64_t)(uintptr_t)&from, 0);
	frame.low = from.rsp;
	frame.registers[UNWIND_RIP] = from.rip;
	frame.registers[UNWIND_RSP] = from.rsp;
	frame.registers[UNWIND_RBP] = from.rbp;
	frame.registers[UNWIND_RBX] = from.rbx;
	memcpy(&frame.registers[UNWIND_R12], &from.r12, 4 * sizeof(from.r12));
	all.count = 0;
	for (; more; frame = next) {
		more = unwind_frame(&frame, &next);
		if (frame.cfa <= frame.registers[UNWIND_RSP] || frame.cfa > thread.stack_end)
			break;
		frames_add(&all, frame.registers[UNWIND_RIP], frame.cfa);
	}
	sink++;
}

static void all_are_reported(int least)
{
	assert_in_range(all.count, least, FRAMES_MAX);
	for (int i = 0; i < all.count; i++)
		if (!holds(&reported, all.rip[i], all.cfa[i]))
			fail_msg("frame %d of %d is not reported", i, all.count);
}

static NOINLINE void below(void)
{
	look();
	sink++;
}

/* Its frames have the same size as those of the next function, so only code addresses differ. */
static NOINLINE void left(int depth, void (*leaf)(int))
{
	if (depth)
		left(depth - 1, leaf);
	else
		leaf(0);
	sink++;
}

static NOINLINE void right(int depth, void (*leaf)(int))
{
	if (depth)
		right(depth - 1, leaf);
	else
		leaf(0);
	sink += 2;
}

static NOINLINE void deep(int depth, void (*leaf)(int))
{
	if (depth)
		deep(depth - 1, leaf);
	else
		leaf(0);
	sink++;
}

static void look_once(int depth)
{
	below();
}

/* At the end of a deep recursion: the callers' frames stay, and the inner frames change. */
static void look_around(int depth)
{
	look();
	all_are_reported(DEPTH);
	look();
	assert_int_equal(records, 1); /* this one, at its next call */
	look();
	all_are_reported(DEPTH);
	below();
	all_are_reported(DEPTH);
	assert_in_range(records, 1, 4);
	left(20, look_once);
	all_are_reported(DEPTH + 20);
	assert_in_range(records, 20, 30);
	right(20, look_once);
	all_are_reported(DEPTH + 20);
	assert_in_range(records, 20, 30);
	below();
	assert_in_range(records, 0, 4);
}

static void of_a_deep_recursion_what_is_new_is_reported(void **state)
{
	deep(DEPTH, look_around);
	/* The innermost frames have the same addresses, but other callers. */
	reported.count = 0;
	frames_begin(&thread, thread.stack, thread.stack_end);
	deep(2, look_once);
	all_are_reported(5);
	left(2, look_once);
	all_are_reported(5);
	right(2, look_once);
	all_are_reported(5);
}

static void another_thread_is_reported_all(void **state)
{
	deep(5, look_once);
	reported.count = 0;
	frames_begin(&thread, thread.stack, thread.stack_end);
	deep(5, look_once);
	all_are_reported(8);
	assert_int_equal(reported.count, all.count);
}

static int table_add(struct dl_phdr_info *info, size_t size, void *opaque)
{
	const ElfW(Phdr) *code = NULL, *header = NULL, *p = info->dlpi_phdr;
	const uint64_t bias = info->dlpi_addr;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (p[i].p_type == PT_GNU_EH_FRAME)
			header = &p[i];
		else if (p[i].p_type == PT_LOAD && (p[i].p_flags & PF_X))
			code = &p[i];
	}
	for (int i = 0; code && header && i < info->dlpi_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr <= header->p_vaddr &&
		    header->p_vaddr - p[i].p_vaddr < p[i].p_filesz)
			unwind_add(bias + code->p_vaddr, bias + code->p_vaddr + code->p_memsz,
				   bias + header->p_vaddr, bias + p[i].p_vaddr,
				   bias + p[i].p_vaddr + p[i].p_filesz);
	return 0;
}

static int setup(void **state)
{
	dl_iterate_phdr(table_add, NULL);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_deep_recursion_what_is_new_is_reported),
		cmocka_unit_test(another_thread_is_reported_all),
	};
	uint64_t top = (uint64_t)(uintptr_t)__builtin_frame_address(0) + 64;

	frames_begin(&thread, top - (1 << 22), top);
	return cmocka_run_group_tests(tests, setup, NULL);
}
