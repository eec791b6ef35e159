/* SPDX-License-Identifier: MIT */
/*
 * Stack frames: the functions that were active in the program's threads. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_STACK_FRAME_H
#define SMILE_MONITOR_STACK_FRAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * A recorder that counts accesses to the stacks stores the functions that were active in the
 * threads, and the locations of their frames, as far as the recorder can find them out.
 * Monitor_variables() uses these frames to find the variables on the stacks.
 */

/**
 * struct Monitor_stack_frame - A function that was active in a thread, and its frame on the stack.
 * @ip: address in the function to which its callee returns. If @sp is 0, address of the function's
 *      first instruction: in this case it is known only that the thread has entered the function
 * @cfa: canonical frame address, as in DWARF: the stack pointer before the function was called
 * @sp: the stack pointer in the function, below @cfa; or 0
 * @bp: register rbp in the function; 0 if not known
 * @thread: number of the thread, from 0, in order of creation
 * @flags: 0
 */
struct Monitor_stack_frame {
	uint64_t ip;
	uint64_t cfa;
	uint64_t sp;
	uint64_t bp;
	uint32_t thread;
	uint32_t flags;
};

/**
 * Monitor_stack_frame_add() - Report a stack frame.
 * @frame: the frame, which is copied
 *
 * Frames may overlap, because the memory of a stack is used again.
 *
 * Return: 0.
 * Errors: -EINVAL for impossible addresses or flags; -ENOSPC for more than 65536 frames; -ENOMEM.
 */
int Monitor_stack_frame_add(struct Monitor *mon, const struct Monitor_stack_frame *frame);

/**
 * Monitor_stack_frames() - Get the frames, in the order in which they were added.
 * @frames: receives the frames; caller-owned array of @capacity elements; may be NULL if @capacity
 *          is 0
 *
 * Return: the number of frames, of which at most @capacity were filled in.
 */
int Monitor_stack_frames(struct Monitor *mon, struct Monitor_stack_frame *frames, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_STACK_FRAME_H */
