/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The traced process. See process.h. This file may use the channel, mappings and objects. */
#include "run/tracer/process.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/tracer/channel.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/mappings.h"
#include "run/tracer/objects.h"

struct process process = {.constants = true, .next = STREAM_PROCESSES};

int process_loaded(uint64_t first)
{
	int err;

	err = objects_program(first, &process.entry);
	if (err < 0)
		return err;
	/*
	 * If QEMU cannot load a program, this code is not reached, and the process is not counted.
	 * If the program was started by execve(2), its process is already counted.
	 */
	if (!process.program)
		atomic_fetch_add(&stream->pids, 1);
	process.loaded = true;
	process.loading = first != process.entry && !process.work &&
			  address_ranges_find(&objects_excluded, first, NULL);
	return 0;
}

void process_begins(bool marked)
{
	struct thread *thread = channel_claim(marked);

	if (process.counting)
		return;
	process.marked = marked;
	atomic_store(&stream->ready, marked ? STREAM_MARKED : STREAM_UNMARKED);
	channel_hold();
	thread->quiet = false;
	thread->from = thread->producer->executed;
	/* The instructions that the loader has executed are not work. */
	if (thread->begun)
		channel_forget(thread);
	process.counting = true;
	mappings_begin(thread);
}

struct thread *process_thread_begins(void)
{
	struct thread *thread = channel_claim(process.marked);

	if (process.counting && !process.marked)
		channel_begin(thread);
	return thread;
}

/*
 * This bit marks the keys of children that were assigned by the tracer. Keys from the preload
 * library never have it.
 */
#define CHILD_KEY (1ULL << 46)
#define CHILD_PROCESS_SHIFT 24

/*
 * This bit marks the keys of a program that was started by execve(2). These keys have the number of
 * the program in place of the process id.
 */
#define PROGRAM_KEY (1ULL << 47)
#define PROCESS_KEY (((1ULL << 22) - 1) << CHILD_PROCESS_SHIFT)

static _Atomic unsigned int forking;
/* Id of the process that has executed the program. Its forked children have other ids. */
static uint64_t executed_by;

void process_continues(uint32_t program, uint32_t channel, uint32_t turns)
{
	process.program = program;
	process.next = 0;
	process.number = program;
	executed_by = (uint64_t)getpid();
	channel_continue(channel, turns);
}

uint64_t process_key(uint64_t key)
{
	if (!process.program || (key & PROCESS_KEY) >> CHILD_PROCESS_SHIFT != executed_by)
		return key;
	return (key & ~PROCESS_KEY) | PROGRAM_KEY |
	       (uint64_t)process.program << CHILD_PROCESS_SHIFT;
}

uint32_t process_number(void)
{
	uint32_t last = atomic_load(&stream->processes);

	while (last + 1 < STREAM_PROCESSES)
		if (atomic_compare_exchange_weak(&stream->processes, &last, last + 1))
			return last + 1;
	return 0;
}

bool process_forking(void)
{
	return atomic_load(&forking) > 0;
}

void process_forks(struct thread *thread, bool keyed)
{
	static _Atomic uint32_t number;

	/*
	 * Count the child before it exists, so that the number of processes cannot become zero in
	 * between.
	 */
	atomic_fetch_add(&stream->pids, 1);
	atomic_fetch_add(&forking, 1);
	/* QEMU waits for these threads before it forks. */
	channels_wake();
	thread->child = 0;
	thread->copy = process.counting ? process_number() : 0;
	if (keyed && process.counting)
		thread->child = process_key(CHILD_KEY | (uint64_t)getpid() << CHILD_PROCESS_SHIFT |
					    ((atomic_fetch_add(&number, 1) + 1) & 0xffffffU));
}

static void process_made(struct thread *thread)
{
	static const uint64_t other = 1;

	pthread_mutex_lock(&thread->lock);
	if (thread->child)
		channel_record(thread, STREAM_CREATE, thread->child, &other);
	pthread_mutex_unlock(&thread->lock);
}

void process_forked(struct thread *thread, int64_t result)
{
	uint64_t key = thread->child;
	uint32_t number = thread->copy;

	if (result)
		atomic_fetch_sub(&forking, 1);
	if (result < 0)
		atomic_fetch_sub(&stream->pids, 1);
	if (result > 0)
		process_made(thread);
	if (result)
		return;
	process.made = 0;
	process.spawned = key != 0;
	process.refused = false;
	forking = 0;
	channel_init();
	mappings_forked(number != 0);
	process.unnumbered = !number;
	process.copying = number != 0;
	process.next = number ? STREAM_PROCESSES + number : 0;
	if (number)
		process.number = number;
	else if (process.counting)
		atomic_fetch_or(&stream->notes, STREAM_NOTE_UNNUMBERED);
	channel_claim(process.marked)->key = key;
	thread = process_thread_begins();
	if (key)
		channel_begin(thread);
	if (thread->begun)
		process_copied(thread);
}

void process_copied(struct thread *thread)
{
	if (!process.copying)
		return;
	process.copying = false;
	channel_record(thread, STREAM_COPY, process.number, NULL);
	mappings_report(thread);
}

void process_thread_ends(void)
{
	struct thread *thread = channel_thread;

	if (!thread)
		return;
	pthread_mutex_lock(&thread->lock);
	channel_end(thread);
	pthread_mutex_unlock(&thread->lock);
}

void process_gone(void)
{
	struct thread *thread = channel_thread;

	if (!process.loaded || process.ended)
		return;
	process.ended = true;
	if (thread) {
		pthread_mutex_lock(&thread->lock);
		/* Other processes may still run, and need entries of the table for their memory. */
		if (process.number)
			mappings_withdraw(thread);
		channel_record(thread, STREAM_EXIT, (process.status & 0xff) << 8, NULL);
		channel_end(thread);
		pthread_mutex_unlock(&thread->lock);
	}
	channel_end_others();
	atomic_fetch_sub(&stream->pids, 1);
}

/*
 * Report that the process executes a program. @program: the number of the program; 0 if the program
 * is not traced.
 */
static void executes(struct thread *thread, const char *path, uint32_t program)
{
	char name[STREAM_NAME_BYTES] = {0};
	uint64_t words[STREAM_NAME_WORDS];
	size_t length = strlen(path);

	if (length >= sizeof(name))
		path += length - sizeof(name) + 1;
	memcpy(name, path, strlen(path));
	memcpy(words, name, sizeof(words));
	channel_record(thread, STREAM_EXEC, program, words);
}

void process_hands_over(struct thread *thread, const char *path, uint32_t program)
{
	mappings_remove(thread, 0, PAGES_LIMIT, MAPPINGS_ALL);
	executes(thread, path, program);
}

bool process_executes(struct thread *thread, const char *path)
{
	struct stat status;

	/*
	 * If the call is certain to fail, the program continues. Shells, for example, try one
	 * directory after another.
	 */
	if (access(path, X_OK) < 0 || stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	executes(thread, path, 0);
	channel_end(thread);
	atomic_fetch_sub(&stream->pids, 1);
	return true;
}

void process_stays(void)
{
	atomic_fetch_add(&stream->pids, 1);
	process_thread_begins();
}
