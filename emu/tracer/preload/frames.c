/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Frames: where stacks count, the tracer is given the registers of one function, and finds its callers
 * by itself. It may use what preload.h names.
 */
#include "emu/tracer/preload/preload.h"

/* A function of its own, with a frame of its own: the caller calls @enters from where it calls this. */
__attribute__((noinline)) void trace_frames_tell(const void *enters)
{
#ifdef __x86_64__
	struct stream_registers registers;

	__asm__ volatile("lea 0(%%rip), %%rax\n\t"
			 "mov %%rax, 0(%0)\n\t"
			 "mov %%rsp, 8(%0)\n\t"
			 "mov %%rbp, 16(%0)\n\t"
			 "mov %%rbx, 24(%0)\n\t"
			 "mov %%r12, 32(%0)\n\t"
			 "mov %%r13, 40(%0)\n\t"
			 "mov %%r14, 48(%0)\n\t"
			 "mov %%r15, 56(%0)"
			 :
			 : "r"(&registers)
			 : "rax", "memory");
	trace_tell(STREAM_CALL_FRAMES, (uint64_t)(uintptr_t)&registers, trace_address(enters));
#endif
}

/* Of a program that ends by exit(3), those that called it. */
__attribute__((destructor)) static void frames_end(void)
{
	trace_frames_here();
}
