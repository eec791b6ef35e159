/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers: stores the registers of the calling function. From these registers, the tracer finds
 * the callers of the function.
 *
 * What lives here: the instructions that store the registers, in the order of struct
 * stream_registers. This file may use the definition of the stream to the tracer.
 */
#ifndef RUN_PRELOAD_BASE_REGISTERS_H
#define RUN_PRELOAD_BASE_REGISTERS_H

#include <run/stream.h>

#ifdef __x86_64__
/* This function is always inlined, so that it stores the registers of its caller. */
static inline __attribute__((always_inline)) void registers_take(struct stream_registers *registers)
{
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
			 : "r"(registers)
			 : "rax", "memory");
}
#endif

#endif /* RUN_PRELOAD_BASE_REGISTERS_H */
