/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's marks: see enum stream_call. It may use the channel and mappings.
 */
#include "emu/tracer/syscalls.h"

#include <string.h>

#include "emu/tracer/channel.h"
#include "emu/tracer/mappings.h"
#include "emu/tracer/pages.h"
#include "emu/tracer/process.h"

/* A stack that the program made itself lies in memory that else counts. */
static void stack(struct thread *thread, uint64_t start, uint64_t end)
{
	struct mapping m;

	if (end > start && mappings_find(end - 1, &m) && m.kind == STREAM_REGION_STACK)
		return;
	memset(&m, 0, sizeof(m));
	m.kind = STREAM_REGION_STACK;
	m.index = -1;
	m.start = start & ~(PAGE_BYTES - 1);
	m.end = (end + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	if (m.start >= m.end || m.end > PAGES_LIMIT)
		return;
	if (process.stacks)
		mappings_add(thread, &m);
	else
		mappings_remove(thread, m.start, m.end);
}

static void region_name(struct thread *thread, uint64_t start, uint64_t bytes, const uint64_t *name)
{
	struct mapping m;

	if (!mappings_find(start, &m))
		return;
	m.kind = STREAM_REGION_NAMED;
	m.offset += start - m.start;
	m.start = start;
	m.end = (start + bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	memset(m.path, 0, sizeof(m.path));
	memcpy(m.path, name, 3 * sizeof(*name));
	mappings_add(thread, &m);
}

static void thread_mark(struct thread *thread, const uint64_t *a)
{
	switch (a[0]) {
	case STREAM_CALL_CREATE:
		channel_record(thread, STREAM_CREATE, a[1], &a[2]);
		break;
	case STREAM_CALL_JOIN:
		channel_record(thread, STREAM_JOIN, a[1], NULL);
		break;
	case STREAM_CALL_BARRIER:
		channel_record(thread, STREAM_BARRIER, a[1], &a[2]);
		break;
	case STREAM_CALL_ACQUIRE:
		channel_record(thread, STREAM_ACQUIRE, a[1], &a[2]);
		thread->paused++;
		break;
	case STREAM_CALL_RELEASE:
		channel_record(thread, STREAM_RELEASE, a[1], NULL);
		break;
	case STREAM_CALL_PAUSE:
		/* The work before it; what comes is waiting, as long as chance has it. */
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
	uint64_t words[1 + STREAM_SITES] = {0};

	switch (a[0]) {
	case STREAM_CALL_NAME:
		region_name(thread, a[1], a[2], &a[3]);
		break;
	case STREAM_CALL_PLACE:
		channel_record(thread, STREAM_PLACE, a[1], &a[2]);
		break;
	case STREAM_CALL_ALLOCATE:
		memcpy(words, &a[2], 4 * sizeof(*a));
		channel_record(thread, STREAM_ALLOCATE, a[1], words);
		break;
	case STREAM_CALL_FREE:
		channel_record(thread, STREAM_FREE, a[1], NULL);
		break;
	case STREAM_CALL_PHASE:
		channel_record(thread, STREAM_PHASE, 0, &a[1]);
		break;
	}
}

void calls_mark(struct thread *thread, const uint64_t *a)
{
	if (a[0] == STREAM_CALL_START) {
		process_begins(true);
		stack(thread, a[1], a[2]);
	} else if (a[0] == STREAM_CALL_BEGIN) {
		if (!thread->begun)
			thread->key = a[1];
		if (process.counting)
			channel_begin(thread);
		stack(thread, a[2], a[3]);
	} else if (process.counting) {
		thread_mark(thread, a);
		memory_mark(thread, a);
	}
}
