/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callers. See callers.h. This file may use unwinding and the channel.
 *
 * A program that allocates in a loop has the same stack repeatedly, so walks of the stack are
 * cached. A cached walk is used for the callers of a new block if two conditions are true: the new
 * walk would start in the same frame, and each return address is still at the same position on the
 * stack.
 *
 * If a return address occurs several times, only its innermost occurrence is reported. Otherwise
 * each depth of a recursion would have different callers.
 */
#include "run/tracer/callers.h"

#include <stdlib.h>
#include <string.h>

#include "run/tracer/channel.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"
#include "run/tracer/unwind.h"

#define WALKS 64U /* a power of two */
/* A walk ends at this depth. */
#define DEPTH 48U

/**
 * struct walk - The callers of a block.
 * @rip: instruction pointer at the start of the walk
 * @rsp: stack pointer at the start of the walk; 0: the slot is empty
 * @depth: number of frames
 * @at: for each frame, the position of the frame's return address on the stack
 * @back: these return addresses
 * @sites: the return addresses to report
 */
struct walk {
	uint64_t rip;
	uint64_t rsp;
	unsigned int depth;
	uint64_t at[DEPTH];
	uint64_t back[DEPTH];
	uint64_t sites[STREAM_SITES];
};

/**
 * struct callers - The state of a thread.
 * @last: the return addresses that were last reported
 * @steps: cache of unwind rules
 * @walks: cached walks, indexed by a hash of the start of the walk
 */
struct callers {
	uint64_t last[STREAM_SITES];
	struct unwind_steps *steps;
	struct walk walks[WALKS];
};

static struct callers *callers_of(struct thread *thread)
{
	if (!thread->callers) {
		thread->callers = calloc(1, sizeof(*thread->callers));
		if (thread->callers)
			thread->callers->steps = unwind_steps_new();
	}
	return thread->callers;
}

void callers_forget(struct callers *callers)
{
	memset(callers->last, 0, sizeof(callers->last));
	/*
	 * The cached walks are invalid for the next thread, because the next thread has another
	 * stack.
	 */
	for (unsigned int i = 0; i < WALKS; i++)
		callers->walks[i].rsp = 0;
}

static uint64_t word_at(uint64_t address)
{
	uint64_t word;

	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

static bool holds(const struct walk *walk, const struct stream_registers *from)
{
	if (walk->rsp != from->rsp || walk->rip != from->rip)
		return false;
	for (unsigned int i = 0; i < walk->depth; i++) {
		if (word_at(walk->at[i]) != walk->back[i])
			return false;
	}
	return true;
}

/*
 * Add a return address, unless the list has it already. Return: the number of addresses in the
 * list.
 */
static unsigned int add(uint64_t *sites, unsigned int count, uint64_t site)
{
	for (unsigned int i = 0; i < count; i++) {
		if (sites[i] == site)
			return count;
	}
	sites[count] = site;
	return count + 1;
}

static void begin(const struct thread *thread, const struct stream_registers *from,
		  struct unwind *frame)
{
	*frame = (struct unwind){
		.steps = thread->callers->steps,
		.low = from->rsp,
		.high = thread->stack_end,
		.exact = true,
	};
	unwind_registers(frame, from);
}

static void walk_make(const struct thread *thread, const struct stream_registers *from,
		      uint64_t site, struct walk *walk)
{
	struct unwind frames[2], *frame = &frames[0], *next = &frames[1], *other;
	unsigned int count = 0, depth;

	memset(walk->sites, 0, sizeof(walk->sites));
	begin(thread, from, frame);
	for (depth = 0; depth < DEPTH && count < STREAM_SITES; depth++) {
		/*
		 * A stack grows towards lower addresses, so a caller's frame has a higher address.
		 */
		if (!unwind_frame(frame, next) || frame->cfa <= frame->registers[UNWIND_RSP] ||
		    frame->cfa > thread->stack_end)
			break;
		walk->at[depth] = frame->cfa - sizeof(uint64_t);
		walk->back[depth] = next->registers[UNWIND_RIP];
		/* The frames before the site belong to the preload library. */
		if (count || next->registers[UNWIND_RIP] == site)
			count = add(walk->sites, count, next->registers[UNWIND_RIP]);
		other = frame;
		frame = next;
		next = other;
	}
	if (!count)
		walk->sites[0] = site;
	walk->depth = depth;
	walk->rip = from->rip;
	walk->rsp = from->rsp;
	/*
	 * In a signal frame, the return address has another position, so a walk through a signal
	 * frame is not cached.
	 */
	for (unsigned int i = 0; i < depth; i++) {
		if (word_at(walk->at[i]) != walk->back[i])
			walk->rsp = 0;
	}
}

/* Get the callers of a block from the registers at its allocation. */
static const uint64_t *sites_of(struct thread *thread, uint64_t site,
				const struct stream_registers *from)
{
	uint64_t hash = (from->rsp ^ site << 20) * 0x9e3779b97f4a7c15ULL >> 32;
	struct walk *walk = &thread->callers->walks[hash & (WALKS - 1)];

	if (!holds(walk, from) || walk->sites[0] != site)
		walk_make(thread, from, site, walk);
	return walk->sites;
}

void callers_emit(struct thread *thread, uint64_t site, uint64_t registers)
{
	const struct stream_registers *from = (const void *)(uintptr_t)registers;
	uint64_t alone[STREAM_SITES] = {site}, reported[STREAM_SITES];
	struct callers *callers = callers_of(thread);
	const uint64_t *sites = alone;

	/* A stack that is not known, such as a coroutine's, is never read. */
	if (callers && from && from->rsp >= thread->stack && from->rsp < thread->stack_end)
		sites = sites_of(thread, site, from);
	if (callers && !memcmp(callers->last, sites, sizeof(callers->last)))
		return;
	if (callers)
		memcpy(callers->last, sites, sizeof(callers->last));
	for (unsigned int i = 0; i < STREAM_SITES; i++)
		reported[i] = sites[i] ? displaced(sites[i]) : 0;
	channel_note(thread, STREAM_CALLERS, 0, reported);
}
