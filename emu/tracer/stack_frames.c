/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: see stack_frames.h. May use unwinding, the channel, and the known code ranges.
 *
 * The walk happens in the tracer. In the program it would take many times longer, and its accesses
 * would have to be separated from those of the program. The program's side only passes the
 * registers of one function.
 *
 * Reported frames are remembered by hash, each in place of an older one, and so is the last walk,
 * in its order: a deep recursion would overwrite the hash, so only what has changed since the last
 * walk is reported again. A frame that is reported twice costs a record; the reader ignores it.
 */
#include "emu/tracer/stack_frames.h"

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
 * struct frames_walk - The functions that a thread was in, from the one that was called last.
 */
struct frames_walk {
	unsigned int count;
	uint64_t rip[FRAMES_DEPTH];
	uint64_t cfa[FRAMES_DEPTH];
};

/**
 * struct frames_reported - What was reported of a thread.
 * @rip, @cfa: by a hash of both
 * @walks: the last and the next
 * @next: which of them that is
 * @steps: how the functions are unwound
 */
struct frames_reported {
	uint64_t rip[FRAMES_TOLD];
	uint64_t cfa[FRAMES_TOLD];
	struct frames_walk walks[2];
	unsigned int next;
	struct unwind_steps *steps;
};

void frames_begin(struct thread *thread, uint64_t start, uint64_t end)
{
	thread->stack = start;
	thread->stack_end = end;
	if (!process.stacks)
		return;
	if (!thread->reported) {
		thread->reported = calloc(1, sizeof(*thread->reported));
		if (thread->reported)
			thread->reported->steps = unwind_steps_new();
		return;
	}
	memset(thread->reported->rip, 0, sizeof(thread->reported->rip));
	memset(thread->reported->cfa, 0, sizeof(thread->reported->cfa));
	thread->reported->walks[0].count = thread->reported->walks[1].count = 0;
}

static void report(struct thread *thread, uint64_t rip, uint64_t cfa, uint64_t rsp, uint64_t rbp)
{
	uint64_t hash = (rip ^ cfa << 20) * 0x9e3779b97f4a7c15ULL >> 54;
	uint64_t words[3] = {cfa, rsp, rbp};
	struct frames_reported *reported = thread->reported;

	if ((reported->rip[hash] == rip && reported->cfa[hash] == cfa) ||
	    ranges_find(&objects_excluded, rip, NULL))
		return;
	reported->rip[hash] = rip;
	reported->cfa[hash] = cfa;
	channel_record(thread, STREAM_FRAME, rip, words);
}

/*
 * Was the thread in it at its last walk? @at: where to look on there. Outer frames lie above; where
 * they do not, as on a signal's stack, some are reported twice.
 */
static bool was_in(const struct frames_walk *last, unsigned int *at, uint64_t rip, uint64_t cfa)
{
	while (*at < last->count && last->cfa[*at] < cfa)
		++*at;
	return *at < last->count && last->cfa[*at] == cfa && last->rip[*at] == rip;
}

static void begin(struct thread *thread, const struct stream_registers *from, struct unwind *frame)
{
	*frame = (struct unwind){.steps = thread->reported->steps,
				 .low = from->rsp,
				 .high = thread->stack_end,
				 .exact = true};
	frame->registers[UNWIND_RIP] = from->rip;
	frame->registers[UNWIND_RSP] = from->rsp;
	frame->registers[UNWIND_RBP] = from->rbp;
	frame->registers[UNWIND_RBX] = from->rbx;
	frame->registers[UNWIND_R12] = from->r12;
	frame->registers[UNWIND_R12 + 1] = from->r13;
	frame->registers[UNWIND_R12 + 2] = from->r14;
	frame->registers[UNWIND_R12 + 3] = from->r15;
}

void frames_emit(struct thread *thread, uint64_t registers, uint64_t enters)
{
	const struct stream_registers *from = (const void *)(uintptr_t)registers;
	struct frames_reported *reported = thread->reported;
	struct frames_walk *walk, *last;
	struct unwind frames[2], *frame = &frames[0], *next = &frames[1], *other;
	unsigned int depth, at = 0;
	uint64_t rip;
	bool more;

	/*
	 * A child's stack is its own, and does not count. On an unknown stack nothing is
	 * read.
	 */
	if (!process.stacks || process.child || !reported || from->rsp < thread->stack ||
	    from->rsp >= thread->stack_end)
		return;
	walk = &reported->walks[reported->next];
	last = &reported->walks[!reported->next];
	begin(thread, from, frame);
	for (depth = 0, more = true; more && depth < FRAMES_DEPTH; depth++) {
		more = unwind_frame(frame, next);
		/* Stacks grow down, and a caller's frame is above. */
		if (frame->cfa <= frame->registers[UNWIND_RSP] || frame->cfa > thread->stack_end)
			break;
		rip = frame->registers[UNWIND_RIP];
		walk->rip[depth] = rip;
		walk->cfa[depth] = frame->cfa;
		/* Where the caller calls one function, it calls the other. */
		if (!depth && enters)
			report(thread, enters, frame->cfa, 0, 0);
		if (!was_in(last, &at, rip, frame->cfa))
			report(thread, rip, frame->cfa, frame->registers[UNWIND_RSP],
			       frame->registers[UNWIND_RBP]);
		other = frame;
		frame = next;
		next = other;
	}
	walk->count = depth;
	reported->next = !reported->next;
}
