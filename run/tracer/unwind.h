/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unwinding: compute the registers of a function's caller from its own, by the call frame
 * information (.eh_frame) in the program's mapped objects.
 */
#ifndef RUN_TRACER_UNWIND_H
#define RUN_TRACER_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"

#define UNWIND_REGISTERS                                                                           \
	17 /* DWARF's register numbers on x86-64: 6 is rbp, 7 rsp, 16 the caller's rip */
#define UNWIND_RBX 3
#define UNWIND_RBP 6
#define UNWIND_RSP 7
#define UNWIND_R12 12
#define UNWIND_RIP 16

/**
 * struct unwind_steps - One thread's cache of unwind rules, by instruction address. A repeated walk
 * of the same functions takes a fraction of the time. Adding or cutting code invalidates the cache.
 */
struct unwind_steps;

/**
 * unwind_steps_new() - Create an empty cache. Return: the cache, to be freed by free(3); NULL: no
 * memory.
 */
struct unwind_steps *unwind_steps_new(void);

/**
 * struct unwind - A function's frame on the stack.
 * @steps: cache to use; NULL: none
 * @registers: its registers; unknown ones are 0
 * @cfa: canonical frame address, once unwind_frame() has found it
 * @low: lowest readable address of the stack
 * @high: one past the highest readable address of the stack
 * @exact: rip is an interrupted instruction, not a return address
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
 * unwind_registers() - Set the registers of a function to those that the program has passed.
 */
void unwind_registers(struct unwind *frame, const struct stream_registers *from);

/**
 * unwind_add() - Add the unwind information of mapped code.
 * @start, @end: range of the code
 * @header: its .eh_frame_hdr
 * @low, @high: the segment that contains the header and .eh_frame
 *
 * The caller serialises calls that add or cut.
 */
void unwind_add(uint64_t start, uint64_t end, uint64_t header, uint64_t low, uint64_t high);

/**
 * unwind_cut() - Remove memory that was unmapped or replaced, under the same lock. The code on
 * either side is kept. The part after @end is lost if the list has no room for one more entry.
 */
void unwind_cut(uint64_t start, uint64_t end);

/**
 * unwind_frame() - Find @cfa and make @next its caller. This function reads only the stack and the
 * call frame information.
 *
 * It takes no lock, so other threads may add and cut at the same time. The call frame information
 * in use stays mapped as long as the program does not unmap code that is on its stack. This does
 * not hold if a function without such information misleads the walk to code that is being unmapped
 * at that moment.
 *
 * Return: whether the caller was found. @cfa may be set even if it was not.
 */
bool unwind_frame(struct unwind *frame, struct unwind *next);

#endif /* RUN_TRACER_UNWIND_H */
