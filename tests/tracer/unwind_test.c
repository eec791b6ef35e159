/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unwinding, on this program's own stack: every function that libgcc's unwinder finds, and where its
 * frame is.
 */
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unwind.h>

#include <cmocka.h>

#include "emu/tracer/unwind.h"

#define DEPTH 64
#define NOINLINE __attribute__((noinline))

static struct {
	uint64_t ip[DEPTH];
	uint64_t cfa[DEPTH];
	int count;
} wanted, found;

static volatile int sink;
static uint64_t stack_top;

static int table_add(struct dl_phdr_info *info, size_t size, void *opaque)
{
	const ElfW(Phdr) *header = NULL, *p = info->dlpi_phdr;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (p[i].p_type == PT_GNU_EH_FRAME)
			header = &p[i];
	for (int i = 0; header && i < info->dlpi_phnum; i++) {
		uint64_t start = info->dlpi_addr + p[i].p_vaddr;

		if (p[i].p_type != PT_LOAD || !(p[i].p_flags & PF_X))
			continue;
		for (int k = 0; k < info->dlpi_phnum; k++)
			if (p[k].p_type == PT_LOAD && p[k].p_vaddr <= header->p_vaddr &&
			    header->p_vaddr - p[k].p_vaddr < p[k].p_filesz)
				unwind_add(start, start + p[i].p_memsz,
					   info->dlpi_addr + header->p_vaddr,
					   info->dlpi_addr + p[k].p_vaddr,
					   info->dlpi_addr + p[k].p_vaddr + p[k].p_filesz);
	}
	return 0;
}

static _Unwind_Reason_Code want(struct _Unwind_Context *context, void *opaque)
{
	if (wanted.count < DEPTH) {
		wanted.ip[wanted.count] = _Unwind_GetIP(context);
		wanted.cfa[wanted.count++] = _Unwind_GetCFA(context);
	}
	return _URC_NO_REASON;
}

/* Its own frame is the first. */
static NOINLINE void look(void)
{
	struct unwind frame = {.high = stack_top, .exact = true}, next;
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
 * libgcc calls a frame's address what this one calls that of the function which it has called; the
 * outermost, which nothing has called, has none here.
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

/* A stack that ends early, and code that nobody knows, are no more read. */
static void nothing_is_read_outside(void **state)
{
	uint64_t top = stack_top;

	any_length(1000);
	assert_in_range(found.count, 8, DEPTH);
	/* The third function has its caller's address there yet; of the fourth nothing can be read. */
	stack_top = found.cfa[2];
	any_length(1000);
	assert_int_equal(found.count, 4);
	stack_top = top;
	unwind_cut(0, UINT64_MAX);
	any_length(1000);
	assert_int_equal(found.count, 0);
}

static int setup(void **state)
{
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
		cmocka_unit_test(nothing_is_read_outside),
	};

	stack_top = (uint64_t)(uintptr_t)__builtin_frame_address(0) + 64;
	return cmocka_run_group_tests(tests, setup, NULL);
}
