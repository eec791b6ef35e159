/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of unwinding, on this program's own stack: the unwinder must find every function that
 * libgcc's unwinder finds, with the address of its frame.
 */
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unwind.h>

#include <cmocka.h>

#include "run/tracer/unwind.h"

#define DEPTH 64
#define NOINLINE __attribute__((noinline))

static struct {
	uint64_t ip[DEPTH];
	uint64_t cfa[DEPTH];
	int count;
} wanted, found;

static struct unwind_steps *steps; /* what is remembered */
static volatile int sink;
static uint64_t stack_top;

/**
 * struct own - The arguments of unwind_add() for an object.
 */
struct own {
	uint64_t start;
	uint64_t end;
	uint64_t header;
	uint64_t low;
	uint64_t high;
};

static bool own_of(const struct dl_phdr_info *info, struct own *own)
{
	const ElfW(Phdr) *header = NULL, *p = info->dlpi_phdr;
	const uint64_t bias = info->dlpi_addr;

	*own = (struct own){0};
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (p[i].p_type == PT_GNU_EH_FRAME)
			header = &p[i];
	for (int i = 0; header && i < info->dlpi_phnum; i++) {
		if (p[i].p_type != PT_LOAD)
			continue;
		if (p[i].p_flags & PF_X) {
			own->start = bias + p[i].p_vaddr;
			own->end = own->start + p[i].p_memsz;
		}
		if (p[i].p_vaddr <= header->p_vaddr &&
		    header->p_vaddr - p[i].p_vaddr < p[i].p_filesz) {
			own->header = bias + header->p_vaddr;
			own->low = bias + p[i].p_vaddr;
			own->high = own->low + p[i].p_filesz;
		}
	}
	return own->start && own->header;
}

static int table_add(struct dl_phdr_info *info, size_t size, void *opaque)
{
	struct own own;

	if (own_of(info, &own))
		unwind_add(own.start, own.end, own.header, own.low, own.high);
	return 0;
}

/* The first object is this program. */
static int own_find(struct dl_phdr_info *info, size_t size, void *opaque)
{
	return own_of(info, opaque) ? 1 : -1;
}

static _Unwind_Reason_Code want(struct _Unwind_Context *context, void *opaque)
{
	if (wanted.count < DEPTH) {
		wanted.ip[wanted.count] = _Unwind_GetIP(context);
		wanted.cfa[wanted.count++] = _Unwind_GetCFA(context);
	}
	return _URC_NO_REASON;
}

/* The frame of this function is the first. */
static NOINLINE void look(void)
{
	struct unwind frame = {.steps = steps, .high = stack_top, .exact = true}, next;
	uint64_t *r = frame.registers;
	bool more = true;

	__asm__ volatile("lea 0(%%rip), %%rax\n\t"
			 "mov %%rax, 128(%0)\n\t"
			 "mov %%rsp, 56(%0)\n\t"
			 "mov %%rbp, 48(%0)\n\t"
			 "mov %%rbx, 24(%0)\n\t"
			 "mov %%r12, 96(%0)\n\t"
			 "mov %%r13, 104(%0)\n\t"
			 "mov %%r14, 112(%0)\n\t"
			 "mov %%r15, 120(%0)"
			 :
			 : "r"(r)
			 : "rax", "memory");
	frame.low = r[UNWIND_RSP];
	found.count = wanted.count = 0;
	for (int depth = 0; more && depth < DEPTH; depth++, frame = next) {
		more = unwind_frame(&frame, &next);
		if (!frame.cfa)
			break;
		found.ip[found.count] = frame.registers[UNWIND_RIP];
		found.cfa[found.count++] = frame.cfa;
	}
	_Unwind_Backtrace(want, NULL);
	sink++;
}

/*
 * libgcc's address of a frame is the address that this unwinder has for the called function. The
 * outermost function of libgcc's list was called by no function here, so it has no address.
 */
static void same(int least)
{
	assert_in_range(found.count, least, DEPTH);
	assert_in_range(wanted.count, found.count, DEPTH);
	for (int i = 1; i < found.count; i++) {
		assert_int_equal(found.ip[i], wanted.ip[i]);
		assert_int_equal(found.cfa[i - 1], wanted.cfa[i]);
	}
}

static NOINLINE void plain(int depth)
{
	if (depth)
		plain(depth - 1);
	else
		look();
	sink++;
}

static NOINLINE void aligned(int depth)
{
	_Alignas(128) volatile char bytes[256];

	bytes[depth] = 1;
	plain(depth);
	sink += bytes[depth];
}

static NOINLINE void any_length(int bytes)
{
	volatile char *text = __builtin_alloca((size_t)bytes);

	text[bytes - 1] = 1;
	aligned(3);
	sink += text[bytes - 1];
}

static int compare(const void *left, const void *right)
{
	any_length(100);
	return *(const int *)left - *(const int *)right;
}

static void handle(int number)
{
	any_length(number + 500);
}

/* A function that is interrupted before its first instruction, with no other's before it. */
void unwind_test_trap(void);
__asm__(".pushsection .text\n"
	".p2align 4\n"
	".skip 16, 0x90\n"
	"unwind_test_trap:\n"
	".cfi_startproc\n"
	"ud2\n"
	"ret\n"
	".cfi_endproc\n"
	".popsection");

static void step_over(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	any_length(number + 500);
	interrupted->uc_mcontext.gregs[REG_RIP] += 2;
}

static NOINLINE void trap(void)
{
	unwind_test_trap();
	sink++;
}

static void functions_of_all_kinds_are_found(void **state)
{
	any_length(1000);
	same(8);
}

static void callbacks_of_libraries_are_found(void **state)
{
	int numbers[2] = {2, 1};

	qsort(numbers, 2, sizeof(*numbers), compare);
	same(10);
}

static void what_a_signal_has_interrupted_is_found(void **state)
{
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	same(10);
}

static void what_has_not_begun_is_found(void **state)
{
	const struct sigaction action = {.sa_sigaction = step_over, .sa_flags = SA_SIGINFO};
	struct sigaction before;

	sigaction(SIGILL, &action, &before);
	trap();
	sigaction(SIGILL, &before, NULL);
	same(11);
}

/* The unwinder must not read beyond the end of a stack, and must stop at unknown code. */
static void nothing_is_read_outside(void **state)
{
	uint64_t top = stack_top;

	any_length(1000);
	assert_in_range(found.count, 8, DEPTH);
	/*
	 * The return address of the third function can still be read; nothing of the fourth can.
	 */
	stack_top = found.cfa[2];
	any_length(1000);
	assert_int_equal(found.count, 4);
	stack_top = top;
	unwind_cut(0, UINT64_MAX);
	any_length(1000);
	assert_int_equal(found.count, 0);
}

/* The same instructions are executed again, with other frames below and above them. */
static NOINLINE void one_way(int depth)
{
	aligned(depth);
	sink++;
}

static NOINLINE void other_way(int depth)
{
	volatile char bytes[48];

	bytes[depth] = 1;
	aligned(depth);
	sink += bytes[depth];
}

static NOINLINE void deep(int depth, void (*way)(int))
{
	if (depth)
		deep(depth - 1, way);
	else
		way(3);
	sink++;
}

static void what_is_remembered_is_the_same(void **state)
{
	deep(30, one_way);
	same(36);
	deep(30, one_way);
	same(36);
	deep(30, other_way);
	same(36);
	deep(31, one_way);
	same(37);
	any_length(1000);
	same(8);
	any_length(3000);
	same(8);
}

static void tables_add(void)
{
	unwind_cut(0, UINT64_MAX);
	dl_iterate_phdr(table_add, NULL);
}

/*
 * As for a library that is mapped as a whole as executable, with its data mapped over a part of it.
 */
static void what_is_beside_a_cut_is_kept(void **state)
{
	struct own own = {0};
	int count;

	any_length(1000);
	count = found.count;
	assert_in_range(count, 8, DEPTH);
	unwind_cut(0, UINT64_MAX);
	any_length(1000);
	assert_int_equal(found.count, 0);
	dl_iterate_phdr(own_find, &own);
	/* The program is the only object, and its range is larger than the program. */
	unwind_add(own.start - 0x8000, own.end + 0x8000, own.header, own.low, own.high);
	any_length(1000);
	count = found.count;
	assert_in_range(count, 7, DEPTH);
	unwind_cut(own.end + 0x2000, own.end + 0x9000);
	any_length(1000);
	assert_int_equal(found.count, count);
	unwind_cut(own.start - 0x9000, own.start - 0x6000);
	any_length(1000);
	assert_int_equal(found.count, count);
	/* In its middle, with it behind the gap, and then before one. */
	unwind_cut(own.start - 0x4000, own.start - 0x2000);
	any_length(1000);
	assert_int_equal(found.count, count);
	unwind_cut(own.end + 0x1000, own.end + 0x1800);
	any_length(1000);
	assert_int_equal(found.count, count);
	unwind_cut(own.start, own.end);
	any_length(1000);
	assert_int_equal(found.count, 0);
	tables_add();
}

static _Atomic bool stop;

static void *walk_on(void *opaque)
{
	struct unwind frame = {.exact = true}, next;

	frame.registers[UNWIND_RIP] = 0x50000000;
	while (!stop)
		unwind_frame(&frame, &next);
	return opaque;
}

/*
 * A library is closed, and another one is opened below it and reuses its table entry, while a
 * thread walks between the two. At the closed library's header nothing can be read.
 */
static void walks_see_no_table_that_is_being_made(void **state)
{
	static uint64_t zeros[512];
	uint64_t gone = 0x10000, stays = (uint64_t)(uintptr_t)zeros;
	pthread_t walker;

	unwind_cut(0, UINT64_MAX);
	unwind_add(0x90000000, 0x90001000, gone, gone, gone + 4096);
	unwind_add(0x50000000, 0x50001000, stays, stays, stays + sizeof(zeros));
	assert_int_equal(pthread_create(&walker, NULL, walk_on, NULL), 0);
	for (int i = 0; i < 3000000; i++) {
		unwind_cut(0x90000000, 0x90001000);
		unwind_add(0x10000000, 0x10001000, gone, gone, gone + 4096);
		unwind_cut(0x10000000, 0x10001000);
		unwind_add(0x90000000, 0x90001000, gone, gone, gone + 4096);
	}
	stop = true;
	pthread_join(walker, NULL);
	tables_add();
}

static int setup(void **state)
{
	steps = unwind_steps_new();
	assert_non_null(steps);
	dl_iterate_phdr(table_add, NULL);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_all_kinds_are_found),
		cmocka_unit_test(callbacks_of_libraries_are_found),
		cmocka_unit_test(what_a_signal_has_interrupted_is_found),
		cmocka_unit_test(what_has_not_begun_is_found),
		cmocka_unit_test(what_is_remembered_is_the_same),
		cmocka_unit_test(what_is_beside_a_cut_is_kept),
		cmocka_unit_test(walks_see_no_table_that_is_being_made),
		cmocka_unit_test(nothing_is_read_outside),
	};

	stack_top = (uint64_t)(uintptr_t)__builtin_frame_address(0) + 64;
	return cmocka_run_group_tests(tests, setup, NULL);
}
