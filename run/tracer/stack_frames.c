/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames. See stack_frames.h. This file may use unwinding, the channel, and the lists of code
 * ranges.
 *
 * The tracer walks the stack; the preload library in the program only passes the registers of one
 * function. If the preload library walked the stack itself, the walk would take many times longer,
 * and its accesses would have to be separated from the program's accesses.
 *
 * A hash table stores which frames were reported; a new frame replaces the older frame in its slot.
 * Because a deep recursion would replace all entries, the last walk is also stored, and only frames
 * that have changed since the last walk are reported. If a frame is reported twice, the reader
 * ignores the second record.
 */
#include "run/tracer/stack_frames.h"

#include <stdlib.h>
#include <string.h>

#include "run/tracer/channel.h"
#include "run/tracer/objects.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"
#include "run/tracer/unwind.h"

#define FRAMES_REPORTED 1024U /* a power of two */
/* A walk ends at this depth. */
#define FRAMES_DEPTH 4096U

/**
 * struct frames_walk - The functions on a thread's stack, the innermost first.
 */
struct frames_walk {
	unsigned int count;
	uint64_t rip[FRAMES_DEPTH];
	uint64_t cfa[FRAMES_DEPTH];
};

/**
 * struct frames_reported - The frames of a thread that were reported.
 * @rip: address in the function, by slot; a slot is the hash of @rip and @cfa
 * @cfa: canonical frame address, by slot
 * @walks: the last walk, and the next walk
 * @next: index of the next walk
 * @steps: cache of unwind rules
 */
struct frames_reported {
	uint64_t rip[FRAMES_REPORTED];
	uint64_t cfa[FRAMES_REPORTED];
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
	uint64_t words[3] = {displaced(cfa), 0, 0};
	struct frames_reported *reported = thread->reported;

	if ((reported->rip[hash] == rip && reported->cfa[hash] == cfa) ||
	    address_ranges_find(&objects_excluded, rip, NULL))
		return;
	reported->rip[hash] = rip;
	reported->cfa[hash] = cfa;
	if (rsp) {
		words[1] = displaced(rsp);
		words[2] = displaced(rbp);
	}
	channel_note(thread, STREAM_FRAME, displaced(rip), words);
}

/*
 * Check whether this frame was on the stack at the thread's last walk. @at: the position of the
 * search. The position only increases, because outer frames have higher addresses. If outer frames
 * do not have higher addresses, as on the stack of a signal handler, some frames are reported
 * twice.
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
	unwind_registers(frame, from);
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

	/* The tracer never reads a stack that it does not know. */
	if (!process.stacks || process.unnumbered || !reported || from->rsp < thread->stack ||
	    from->rsp >= thread->stack_end)
		return;
	walk = &reported->walks[reported->next];
	last = &reported->walks[!reported->next];
	begin(thread, from, frame);
	for (depth = 0, more = true; more && depth < FRAMES_DEPTH; depth++) {
		more = unwind_frame(frame, next);
		/*
		 * A stack grows towards lower addresses, so a caller's frame has a higher address.
		 */
		if (frame->cfa <= frame->registers[UNWIND_RSP] || frame->cfa > thread->stack_end)
			break;
		rip = frame->registers[UNWIND_RIP];
		walk->rip[depth] = rip;
		walk->cfa[depth] = frame->cfa;
		/*
		 * The caller has called this function, and will call the next function, from the
		 * same frame.
		 */
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
