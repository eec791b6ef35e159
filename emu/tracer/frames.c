/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Frames: see frames.h. It may use unwinding, the channel, and what is known of code.
 *
 * The walk is done here and not in the program, where it would take many times longer, and its
 * accesses would have to be kept apart from the program's. All that the program's side gives are the
 * registers of one function.
 *
 * What was told is remembered by hash, each in the place of another: what is told twice costs a
 * record, and the reader knows it already.
 */
#include "emu/tracer/frames.h"

#include <stdlib.h>
#include <string.h>

#include "emu/tracer/channel.h"
#include "emu/tracer/objects.h"
#include "emu/tracer/process.h"
#include "emu/tracer/unwind.h"

#define FRAMES_TOLD 1024U /* a power of two */
/* Deeper recursion ends the walk. */
#define FRAMES_DEPTH 4096U

/**
 * struct frames_told - What was told of a thread, by a hash of both.
 */
struct frames_told {
	uint64_t rip[FRAMES_TOLD];
	uint64_t cfa[FRAMES_TOLD];
};

void frames_begin(struct thread *thread, uint64_t start, uint64_t end)
{
	thread->stack = start;
	thread->stack_end = end;
	if (!process.stacks)
		return;
	if (!thread->told)
		thread->told = malloc(sizeof(*thread->told));
	if (thread->told)
		memset(thread->told, 0, sizeof(*thread->told));
}

static void tell(struct thread *thread, uint64_t rip, uint64_t cfa, uint64_t rsp, uint64_t rbp)
{
	uint64_t hash = (rip ^ cfa << 20) * 0x9e3779b97f4a7c15ULL >> 54;
	uint64_t words[3] = {cfa, rsp, rbp};
	struct frames_told *told = thread->told;

	if (ranges_find(&objects_excluded, rip, NULL) ||
	    (told->rip[hash] == rip && told->cfa[hash] == cfa))
		return;
	told->rip[hash] = rip;
	told->cfa[hash] = cfa;
	channel_record(thread, STREAM_FRAME, rip, words);
}

static void begin(struct thread *thread, const struct stream_registers *from, struct unwind *frame)
{
	*frame = (struct unwind){.low = from->rsp, .high = thread->stack_end, .exact = true};
	frame->registers[UNWIND_RIP] = from->rip;
	frame->registers[UNWIND_RSP] = from->rsp;
	frame->registers[UNWIND_RBP] = from->rbp;
	frame->registers[UNWIND_RBX] = from->rbx;
	frame->registers[UNWIND_R12] = from->r12;
	frame->registers[UNWIND_R12 + 1] = from->r13;
	frame->registers[UNWIND_R12 + 2] = from->r14;
	frame->registers[UNWIND_R12 + 3] = from->r15;
}

void frames_tell(struct thread *thread, uint64_t registers, uint64_t enters)
{
	const struct stream_registers *from = (const void *)(uintptr_t)registers;
	struct unwind frame, next;
	unsigned int depth;
	bool more;

	/* A child's stack is its own, and does not count. On a stack that nobody knows nothing is read. */
	if (!process.stacks || process.child || !thread->told || from->rsp < thread->stack ||
	    from->rsp >= thread->stack_end)
		return;
	begin(thread, from, &frame);
	for (depth = 0, more = true; more && depth < FRAMES_DEPTH; depth++, frame = next) {
		more = unwind_frame(&frame, &next);
		/* Stacks grow down, and a caller's frame lies above. */
		if (frame.cfa <= frame.registers[UNWIND_RSP] || frame.cfa > thread->stack_end)
			break;
		/* Where the caller calls one function, it calls the other. */
		if (!depth && enters)
			tell(thread, enters, frame.cfa, 0, 0);
		tell(thread, frame.registers[UNWIND_RIP], frame.cfa, frame.registers[UNWIND_RSP],
		     frame.registers[UNWIND_RBP]);
	}
}
