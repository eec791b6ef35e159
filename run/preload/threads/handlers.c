/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signal handlers: the function that QEMU calls instead of each handler of the program.
 *
 * The ABI of x86-64 requires that the stack pointer plus 8 is a multiple of 16 when a function
 * begins. QEMU 7.2 calls a signal handler with a stack pointer that is itself a multiple of 16. The
 * handler, or a function that it calls, then ends by SIGSEGV at the first SSE instruction that
 * needs an aligned stack. For example, thread cancellation runs such code.
 *
 * What lives here: the function with which the tracer replaces each handler, and the handlers by
 * the numbers of their signals. If the stack pointer is correct, the function jumps to the handler.
 */
#include "run/preload/base/preload.h"

#ifdef __x86_64__
/* The handlers of the program. The tracer stores them. */
uint64_t handlers_table[STREAM_SIGNALS] __attribute__((visibility("hidden")));

void handlers_enter(int number) __attribute__((visibility("hidden")));

/*
 * The function preserves the three arguments of the handler, and rax. The return address of a call
 * makes the stack pointer correct.
 */
__asm__(".pushsection .text, \"ax\", @progbits\n"
	".p2align 4\n"
	".globl handlers_enter\n"
	".hidden handlers_enter\n"
	".type handlers_enter, @function\n"
	"handlers_enter:\n"
	"	.cfi_startproc\n"
	"	lea handlers_table(%rip), %r10\n"
	"	movslq %edi, %r11\n"
	"	mov (%r10,%r11,8), %r11\n"
	"	test $8, %spl\n"
	"	jz 1f\n"
	"	jmp *%r11\n"
	"1:	call *%r11\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size handlers_enter, . - handlers_enter\n"
	".popsection\n");

void handlers_start(void)
{
	trace_call(STREAM_CALL_HANDLERS, (uint64_t)(uintptr_t)handlers_enter,
		   (uint64_t)(uintptr_t)handlers_table, 0, 0, 0);
}
#else
void handlers_start(void)
{
}
#endif
