/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What the tracer must know of an x86-64 instruction before it is executed: see x86.c. */
#ifndef TRACER_X86_H
#define TRACER_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_where {
	X86_ANYWHERE, /* not known before it is executed */
	X86_STACK, /* on the stack: by push, pop, call, return, or an offset to the stack pointer */
	X86_FIXED, /* an offset to the instruction pointer */
	X86_NOWHERE, /* it has operands, none of which is in memory */
};

/**
 * struct x86_insn - An instruction's accesses.
 * @where: where its accesses go to, if it has any
 * @atomic: locked, or an exchange with memory: one access that reads and writes
 * @returns: atomic, and the program gets the value that was there: an exchange, an addition with
 *           exchange, a comparison with exchange of up to 8 bytes
 * @adds: the second of these
 * @pair: compares and exchanges 16 bytes
 * @target: if FIXED: first byte
 */
struct x86_insn {
	enum x86_where where;
	bool atomic;
	bool returns;
	bool adds;
	bool pair;
	uint64_t target;
};

/**
 * x86_decode() - Look at an instruction.
 * @code: its bytes
 * @bytes: how many
 * @address: where it lies
 *
 * What is not understood is reported as ANYWHERE and not atomic.
 */
struct x86_insn x86_decode(const uint8_t *code, size_t bytes, uint64_t address);

#endif /* TRACER_X86_H */
