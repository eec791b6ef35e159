/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unwind: computes the registers of a function's caller from the registers of the function.
 *
 * What lives here: the evaluation of the call frame information (.eh_frame) of the objects that the
 * program has mapped.
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
 * struct unwind_steps - A thread's cache of unwind rules, by instruction address. If the same
 * functions are walked again, the cache saves most of the time. The cache becomes invalid when code
 * is added or removed.
 */
struct unwind_steps;

/**
 * unwind_steps_new() - Create an empty cache.
 *
 * Return: the cache, which the caller must free with free(3); NULL if memory is missing.
 */
struct unwind_steps *unwind_steps_new(void);

/**
 * struct unwind - The stack frame of a function.
 * @steps: the cache to use; NULL: no cache
 * @registers: registers of the function; unknown registers are 0
 * @cfa: canonical frame address, after unwind_frame() has found it
 * @low: lowest readable address of the stack
 * @high: one past the highest readable address of the stack
 * @exact: rip is the address of an interrupted instruction, and not a return address
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
 * unwind_registers() - Set the registers of a function from the registers that the program has
 * passed.
 */
void unwind_registers(struct unwind *frame, const struct stream_registers *from);

/**
 * unwind_add() - Add the call frame information of code that was mapped.
 * @start: start of the code
 * @end: end of the code
 * @header: address of the .eh_frame_hdr of the code
 * @low: start of the segment that contains .eh_frame_hdr and .eh_frame
 * @high: end of this segment
 *
 * Only one thread at a time may add or remove code.
 */
void unwind_add(uint64_t start, uint64_t end, uint64_t header, uint64_t low, uint64_t high);

/**
 * unwind_cut() - Remove code that was unmapped or replaced. Code before @start and code after @end
 * stays in the list. If an entry must be divided, and the list has no space for one more entry, the
 * code after @end is lost. Only one thread at a time may add or remove code.
 */
void unwind_cut(uint64_t start, uint64_t end);

/**
 * unwind_frame() - Compute @frame->cfa, and store the frame of the caller in @next. The function
 * reads only the stack and the call frame information.
 *
 * The function takes no lock, so other threads may add and remove code at the same time. The call
 * frame information that the function uses stays mapped, unless the program unmaps code that is
 * active on its stack. There is one exception: if a function has no call frame information, the
 * walk can be misled to other code, and the program may unmap this code at the same moment.
 *
 * Return: true if the caller was found. Even if it was not found, @frame->cfa may have been set.
 */
bool unwind_frame(struct unwind *frame, struct unwind *next);

#endif /* RUN_TRACER_UNWIND_H */
