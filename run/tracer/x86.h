/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * x86: find properties of an x86-64 instruction before it is executed. See x86.c.
 */
#ifndef RUN_TRACER_X86_H
#define RUN_TRACER_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_where {
	X86_ANYWHERE, /* the address is not known before the instruction is executed */
	X86_STACK, /* on the stack: push, pop, call, return, or an offset to the stack pointer */
	X86_FIXED, /* at an address relative to the instruction pointer */
	X86_CONTROL, /* in the thread's control block; treated as an access to the stack */
	X86_NOWHERE, /* the instruction does not access memory */
};

/**
 * @where: location of the accesses, if the instruction makes any
 * @atomic: the instruction is locked, or exchanges a register with memory. The instruction makes
 *          one access, which reads and writes
 * @returns: the instruction is atomic and returns the old value. It is an exchange, an exchange and
 *           add, or a compare and exchange of up to 8 bytes
 * @adds: the instruction is an exchange and add
 * @pair: the instruction is a compare and exchange of 16 bytes
 * @helped: QEMU may make the accesses in one of its own functions, and not in generated code
 * @target: address of the operand, if @where is X86_FIXED
 * @accesses: number of accesses that the instruction makes; a vector counts as several words of
 *            eight bytes; 0: the number is not known before the instruction is executed
 * @operand_bytes: number of bytes of the operand, if QEMU also reads memory behind the operand;
 *                 otherwise 0
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
	unsigned int operand_bytes;
};

/**
 * x86_decode() - Decode an instruction. If the instruction is not known, the result is
 * X86_ANYWHERE, and not atomic.
 * @code: the bytes of the instruction
 * @bytes: number of bytes at @code
 * @address: address of the instruction
 */
struct x86_insn x86_decode(const uint8_t *code, size_t bytes, uint64_t address);

/**
 * x86_is_cut() - Check whether the instruction is incomplete. It is incomplete if it has more than
 * @bytes bytes.
 */
bool x86_is_cut(const uint8_t *code, size_t bytes);

/**
 * x86_is_avx512() - Check whether the instruction has an EVEX prefix, as AVX-512 instructions have.
 */
bool x86_is_avx512(const uint8_t *code, size_t bytes);

/* Kinds of data that the processor supplies to an instruction. */
enum x86_asks {
	X86_ASKS_NOTHING,
	X86_ASKS_TIME, /* rdtsc, rdtscp */
	X86_ASKS_RANDOM, /* rdrand, rdseed */
};

/**
 * x86_asks() - Get the kind of data that the processor supplies to the instruction.
 */
enum x86_asks x86_asks(const uint8_t *code, size_t bytes);

/**
 * x86_chooses() - Check whether the instruction is a conditional jump or a return.
 */
bool x86_chooses(const uint8_t *code, size_t bytes);

#endif /* RUN_TRACER_X86_H */
