/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Properties of an x86-64 instruction that the tracer needs before the instruction is executed: see
 * x86.c.
 */
#ifndef RUN_TRACER_X86_H
#define RUN_TRACER_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_where {
	X86_ANYWHERE, /* unknown before it is executed */
	X86_STACK, /* on the stack: push, pop, call, return, or an offset to the stack pointer */
	X86_FIXED, /* at an offset to the instruction pointer */
	X86_CONTROL, /* in the thread's control block: counted as one access to the stack */
	X86_NOWHERE, /* no operand is in memory */
};

/**
 * struct x86_insn - The memory accesses of an instruction.
 * @where: where its accesses are, if it makes any
 * @atomic: locked, or an exchange with memory: one access that reads and writes
 * @returns: atomic, and returns the old value: an exchange, an exchange and add, or a compare and
 *           exchange of up to 8 bytes
 * @adds: an exchange and add
 * @pair: a compare and exchange of 16 bytes
 * @helped: QEMU may make its accesses in a function, not in the code that it generates
 * @target: the operand's address if @where is X86_FIXED
 * @accesses: how many accesses it makes, a vector in words of eight bytes; 0: not known before it
 * is executed
 */
struct x86_insn {
	enum x86_where where;
	bool atomic;
	bool returns;
	bool adds;
	bool pair;
	bool helped;
	uint64_t target;
	unsigned int accesses;
};

/**
 * x86_decode() - Decode an instruction.
 * @code: its bytes
 * @bytes: number of bytes at @code
 * @address: its address
 *
 * An unknown instruction is reported as X86_ANYWHERE and not atomic.
 */
struct x86_insn x86_decode(const uint8_t *code, size_t bytes, uint64_t address);

/**
 * x86_is_cut() - Does the instruction have more bytes than these, which are its first?
 */
bool x86_is_cut(const uint8_t *code, size_t bytes);

/**
 * x86_is_avx512() - Does an instruction have the prefix of AVX-512 (EVEX)?
 */
bool x86_is_avx512(const uint8_t *code, size_t bytes);

/* Data that an instruction can get from the processor. */
enum x86_asks {
	X86_ASKS_NOTHING,
	X86_ASKS_TIME, /* rdtsc, rdtscp */
	X86_ASKS_RANDOM, /* rdrand, rdseed */
};

/**
 * x86_asks() - Which data does the instruction get from the processor?
 */
enum x86_asks x86_asks(const uint8_t *code, size_t bytes);

/**
 * x86_chooses() - Is the instruction a conditional jump, or a return?
 */
bool x86_chooses(const uint8_t *code, size_t bytes);

#endif /* RUN_TRACER_X86_H */
