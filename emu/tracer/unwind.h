/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unwinding: from the registers of a function of the program to those of its caller, by the call
 * frame information (.eh_frame) that its objects have mapped.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#define UNWIND_REGISTERS                                                                           \
	17 /* as DWARF numbers them on x86-64: 6 is rbp, 7 rsp, 16 the caller's rip */
#define UNWIND_RBX 3
#define UNWIND_RBP 6
#define UNWIND_RSP 7
#define UNWIND_R12 12
#define UNWIND_RIP 16

/**
 * struct unwind_steps - What one thread remembers of how functions are unwound, by their addresses:
 * to walk the same functions again takes a small part of the time. What is remembered does not hold
 * any more once code was added or cut.
 */
struct unwind_steps;

/**
 * unwind_steps_new() - Nothing is remembered yet. Return: free(3) it; NULL: no memory.
 */
struct unwind_steps *unwind_steps_new(void);

/**
 * struct unwind - A function on the stack.
 * @steps: where to look first, and to remember what was found; NULL: nowhere
 * @registers: its own; those that are not known are 0
 * @cfa: canonical frame address, once unwind_frame() has found it
 * @low: lowest address of the stack that may be read
 * @high: one past the highest
 * @exact: rip is an instruction that was interrupted, not one to which a call returns
 */
struct unwind {
	struct unwind_steps *steps;
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t cfa;
	uint64_t low;
	uint64_t high;
	bool exact;
};

/**
 * unwind_add() - Code was mapped, and this is how its functions are unwound.
 * @start, @end: code
 * @header: its .eh_frame_hdr
 * @low, @high: the segment which that is in, and .eh_frame, too
 *
 * The caller holds a lock against others that add or cut.
 */
void unwind_add(uint64_t start, uint64_t end, uint64_t header, uint64_t low, uint64_t high);

/**
 * unwind_cut() - Memory is gone, or another's; the same lock. What code has beside it is kept; but
 * what is behind it is lost where there is no room for one more.
 */
void unwind_cut(uint64_t start, uint64_t end);

/**
 * unwind_frame() - Find @cfa and make @next its caller. Reads nothing but the stack and the call
 * frame information.
 *
 * Without a lock: others may add and cut meanwhile. That call frame information which is in use
 * stays mapped is up to the program, which has its code on the stack. Where a function without such
 * information sends the walk astray, to code that is being unmapped at that moment, it may not.
 *
 * Return: whether the caller is known; @cfa may be known nevertheless.
 */
bool unwind_frame(struct unwind *frame, struct unwind *next);

#endif /* TRACER_UNWIND_H */
