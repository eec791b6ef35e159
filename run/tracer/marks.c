/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The marks of the program: see enum stream_call. May use the channel, mappings, callers and stack
 * frames.
 */
#include "run/tracer/syscalls.h"

#include <string.h>

#include "run/tracer/callers.h"
#include "run/tracer/channel.h"
#include "run/tracer/stack_frames.h"
#include "run/tracer/mappings.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/displaced.h"
#include "run/tracer/handlers.h"
#include "run/tracer/process.h"

/*
 * Set the stack of a thread. If stacks are not counted, accesses to this memory are not counted
 * until the thread has ended, even if the program has allocated the stack itself. Other data may be
 * next to the stack, so only whole pages are treated as a stack.
 */
static void stack(struct thread *thread, uint64_t start, uint64_t end)
{
	struct mapping m;

	start = page_up(start);
	end = page_down(end);
	if (start >= end || end > PAGES_LIMIT)
		return;
	if (!process.stacks) {
		mappings_lend(thread, start, end);
		return;
	}
	if (mappings_find(end - 1, &m))
		return;
	memset(&m, 0, sizeof(m));
	m.kind = STREAM_REGION_STACK;
	m.start = start;
	m.end = end;
	mappings_add(thread, &m);
}

static void region_name(struct thread *thread, uint64_t start, uint64_t bytes, const uint64_t *name)
{
	struct mapping m;

	if (!mappings_find(start, &m))
		return;
	m.kind = STREAM_REGION_NAMED;
	m.offset += start - m.start;
	m.start = start;
	m.end = page_up(start + bytes);
	memset(m.path, 0, sizeof(m.path));
	memcpy(m.path, name, 3 * sizeof(*name));
	mappings_add(thread, &m);
}

static uint64_t object(uint64_t id)
{
	/*
	 * If the id is not an address but a number that identifies a lock of one process, it stays
	 * unchanged.
	 */
	return id >> 47 ? id : mappings_common(id);
}

/* Get the stream's address for an address of the program's code or data; 0 stays 0. */
static uint64_t reported(uint64_t address)
{
	return address ? displaced(address) : 0;
}

/*
 * Prepare the thread for the turn that it has just requested by a record. @where and @answer are
 * addresses in the program's memory.
 * @at_once: no other thread can get the turn before this thread, so it has the turn already
 */
static void turn_mark(struct thread *thread, uint64_t where, uint64_t answer, bool waits,
		      bool at_once)
{
	thread->turns++;
	thread->paused++;
	thread->awaits = NULL;
	thread->answer = (uint32_t *)(uintptr_t)answer;
	if (!waits || !where || !atomic_load(&stream->turns))
		return;
	if (at_once)
		*(uint32_t *)(uintptr_t)where = STREAM_TURN_GIVEN;
	else
		thread->awaits = (uint32_t *)(uintptr_t)where;
}

/* Check whether no other thread can get the lock or the semaphore before this thread. */
static bool comes_alone(const struct thread *thread, uint64_t how)
{
	return channel_alone(thread, how & STREAM_OWN ? STREAM_ALONE_PROCESS : STREAM_ALONE_RUN);
}

/* Check whether the thread gets the lock immediately when it requests it. */
static bool lock_at_once(const struct thread *thread, uint64_t how)
{
	return (!(how & STREAM_TRY) || (how & STREAM_UNHELD)) && comes_alone(thread, how);
}

/* Write a record. @alone: no other thread waits for this record, so it need not be published. */
static void record(struct thread *thread, bool alone, enum stream_op op, uint64_t value,
		   const uint64_t *words)
{
	if (alone)
		channel_note(thread, op, value, words);
	else
		channel_record(thread, op, value, words);
}

static void lock_mark(struct thread *thread, const uint64_t *a)
{
	bool at_once = lock_at_once(thread, a[2]);

	record(thread, at_once, STREAM_ACQUIRE, object(a[1]), &a[2]);
	turn_mark(thread, a[3], a[4], !(a[2] & STREAM_TAKEN), at_once);
}

static void condition_mark(struct thread *thread, const uint64_t *a)
{
	uint64_t words[2] = {a[2], a[3]};
	bool at_once;

	switch (a[0]) {
	case STREAM_CALL_SLEEP:
		words[0] = object(a[2]);
		channel_record(thread, STREAM_SLEEP, object(a[1]), words);
		turn_mark(thread, 0, 0, false, false);
		break;
	case STREAM_CALL_SIGNAL:
		channel_record(thread, STREAM_SIGNAL, object(a[1]), words);
		break;
	case STREAM_CALL_SEMAPHORE:
		channel_record(thread, STREAM_SEMAPHORE, object(a[1]), words);
		break;
	case STREAM_CALL_WAIT:
		thread->interrupted = false;
		at_once = a[3] > 0 && comes_alone(thread, a[2]);
		record(thread, at_once, STREAM_WAIT, object(a[1]), words);
		turn_mark(thread, a[4], 0, !(a[2] & STREAM_TAKEN), at_once);
		break;
	case STREAM_CALL_POST:
		record(thread, channel_alone(thread, STREAM_ALONE_RUN), STREAM_POST, object(a[1]),
		       words);
		break;
	case STREAM_CALL_CHANCE:
		channel_record(thread, STREAM_CHANCE, a[1], NULL);
		break;
	}
}

static void await_mark(struct thread *thread, const uint64_t *a)
{
	uint32_t *turn = (uint32_t *)(uintptr_t)a[1];

	if (!a[2] || !thread->interrupted || channel_turn_given(thread)) {
		thread->awaits = turn;
		return;
	}
	*turn = STREAM_TURN_INTERRUPTED;
	if (thread->channel)
		atomic_store(&thread->channel->interrupted, thread->turns);
	atomic_fetch_add(&stream->interrupted, 1);
}

static void thread_mark(struct thread *thread, const uint64_t *a)
{
	switch (a[0]) {
	case STREAM_CALL_CREATE:
		channel_record(thread, STREAM_CREATE, process_key(a[1]), &a[2]);
		break;
	case STREAM_CALL_JOIN:
		channel_record(thread, STREAM_JOIN, process_key(a[1]), NULL);
		break;
	case STREAM_CALL_BARRIER:
		channel_record(thread, STREAM_BARRIER, object(a[1]), &a[2]);
		break;
	case STREAM_CALL_ACQUIRE:
		lock_mark(thread, a);
		break;
	case STREAM_CALL_SITE:
		channel_note(thread, STREAM_SITE, reported(a[1]), NULL);
		break;
	case STREAM_CALL_AWAIT:
		await_mark(thread, a);
		break;
	case STREAM_CALL_REST:
		channel_record(thread, STREAM_REST, 0, NULL);
		thread->paused++;
		break;
	case STREAM_CALL_RELEASE:
		record(thread, channel_alone(thread, STREAM_ALONE_PROCESS), STREAM_RELEASE,
		       object(a[1]), NULL);
		break;
	case STREAM_CALL_PAUSE:
		/* Report the work before the wait. The length of the wait is not deterministic. */
		channel_work(thread);
		thread->paused++;
		break;
	case STREAM_CALL_ACQUIRED:
	case STREAM_CALL_RESUME:
		if (thread->paused)
			thread->paused--;
		if (!thread->paused)
			channel_forget(thread);
		break;
	}
}

static void memory_mark(struct thread *thread, const uint64_t *a)
{
	uint64_t words[2];

	/*
	 * The private memory of this process is not counted. Its addresses are also addresses of
	 * the parent's private memory.
	 */
	if (process.unnumbered && (a[0] == STREAM_CALL_ALLOCATE || a[0] == STREAM_CALL_FREE))
		return;
	switch (a[0]) {
	case STREAM_CALL_NAME:
		region_name(thread, a[1], a[2], &a[3]);
		break;
	case STREAM_CALL_PLACE:
		channel_record(thread, STREAM_PLACE, mappings_object(a[1]), &a[2]);
		words[0] = a[2];
		words[1] = 0;
		if (a[4])
			channel_record(thread, STREAM_DISCARD, mappings_object(a[1]), words);
		break;
	case STREAM_CALL_ALLOCATE:
		callers_emit(thread, a[3], a[4]);
		channel_note(thread, STREAM_ALLOCATE, reported(a[1]), &a[2]);
		break;
	case STREAM_CALL_FREE:
		channel_note(thread, STREAM_FREE, reported(a[1]), NULL);
		break;
	case STREAM_CALL_FRAMES:
		frames_emit(thread, a[1], a[2]);
		break;
	case STREAM_CALL_PHASE:
		channel_record(thread, STREAM_PHASE, 0, &a[1]);
		break;
	}
}

/* Get the node of a thread. If the node is not known, *@node is unchanged. */
static void node_mark(uint64_t number, uint32_t *node)
{
	uint64_t count = stream->node_of_count;

	if (count == 0)
		return;
	number /= stream->node_of_block;
	if (number >= count)
		number = stream->node_of_repeats ? number % count : count - 1;
	*node = stream->node_of[number];
}

static bool is_shared(uint64_t address)
{
	struct mapping m;

	return mappings_find(address, &m) && m.kind == STREAM_REGION_SHARED;
}

void calls_mark(struct thread *thread, const uint64_t *a)
{
	if (a[0] == STREAM_CALL_START) {
		process_begins(true);
		frames_begin(thread, a[1], a[2]);
		stack(thread, a[1], a[2]);
		process.started = true;
	} else if (a[0] == STREAM_CALL_BEGIN) {
		if (!thread->begun)
			thread->key = process_key(a[1]);
		if (process.counting)
			channel_begin(thread);
		if (thread->begun)
			process_copied(thread);
		frames_begin(thread, a[2], a[3]);
		stack(thread, a[2], a[3]);
	} else if (a[0] == STREAM_CALL_TURNS) {
		*(uint32_t *)(uintptr_t)a[1] = atomic_load(&stream->turns);
		if (process.stacks && a[2])
			*(uint32_t *)(uintptr_t)a[2] = 1;
	} else if (a[0] == STREAM_CALL_NOTE) {
		atomic_fetch_or(&stream->notes, (uint32_t)a[1]);
	} else if (a[0] == STREAM_CALL_HANDLERS) {
		handlers_begin(a[1], a[2]);
	} else if (a[0] == STREAM_CALL_SHARED) {
		*(uint32_t *)(uintptr_t)a[2] = is_shared(a[1]);
	} else if (a[0] == STREAM_CALL_PROCESSORS) {
		*(uint32_t *)(uintptr_t)a[1] = stream->processors;
	} else if (a[0] == STREAM_CALL_NODE) {
		node_mark(a[1], (uint32_t *)(uintptr_t)a[2]);
	} else if (process.counting) {
		thread_mark(thread, a);
		condition_mark(thread, a);
		memory_mark(thread, a);
	}
}
