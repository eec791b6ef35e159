/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles POSIX semaphores. This file may use preload.h.
 *
 * The library reports a post before it makes the post, and a wait before the thread waits. With
 * these reports, only the replay decides which thread continues. A wait with a timeout is reported
 * after it has succeeded. If a semaphore was not initialised in this run, its initial count is the
 * count at its first use.
 *
 * The library makes these reports only if threads take turns. Otherwise, the system calls show the
 * tracer which threads wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "run/preload/base/preload.h"

/*
 * The index of the word, in the sem_t of glibc, that shows whether several processes use the
 * semaphore. The word is 0 if only one process uses it, and 128 otherwise.
 */
#define SEMAPHORE_SHARED 2

static bool semaphore_shared(const sem_t *semaphore)
{
	const uint32_t *words = (const uint32_t *)(const void *)semaphore;

	return words[SEMAPHORE_SHARED] != 0;
}

static uint64_t semaphore_id(const sem_t *semaphore)
{
	return trace_id(semaphore, semaphore_shared(semaphore));
}

static uint64_t semaphore_count(sem_t *semaphore)
{
	int count = 0;

	sem_getvalue(semaphore, &count);
	return count > 0 ? (uint64_t)count : 0;
}

EXPORT int sem_init(sem_t *semaphore, int shared, unsigned count)
{
	int result = NEXT(sem_init)(semaphore, shared, count);

	if (trace_turns && !result)
		trace_emit(STREAM_CALL_SEMAPHORE, semaphore_id(semaphore), count);
	return result;
}

/*
 * Open a named semaphore. If it is certain that this call has created the semaphore, report its
 * count. Otherwise, the schedule gets the count from the first wait that it replays, and another
 * thread may have changed the count before that wait.
 */
EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	unsigned count = 0;
	sem_t *semaphore;

	if (flags & O_CREAT) {
		va_list arguments;

		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		count = va_arg(arguments, unsigned);
		va_end(arguments);
	}
	semaphore = NEXT(sem_open)(name, flags, mode, count);
	if (trace_turns && semaphore != SEM_FAILED && flags & O_CREAT && flags & O_EXCL)
		trace_emit(STREAM_CALL_SEMAPHORE, semaphore_id(semaphore), count | STREAM_CREATED);
	return semaphore;
}

EXPORT int sem_post(sem_t *semaphore)
{
	if (trace_turns)
		trace_emit(STREAM_CALL_POST, semaphore_id(semaphore), semaphore_count(semaphore));
	return NEXT(sem_post)(semaphore);
}

static void semaphore_resume(void *argument)
{
	trace_emit(STREAM_CALL_RESUME, 0, 0);
}

/*
 * Wait for the turn, like trace_await_cancel(). Return: false if a signal handler has ended the
 * wait.
 */
static bool semaphore_await(volatile uint32_t *turn)
{
	while (!*turn) {
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 1);
		pthread_testcancel();
	}
	if (*turn == STREAM_TURN_INTERRUPTED)
		return false;
	trace_await(turn);
	return true;
}

EXPORT int sem_wait(sem_t *semaphore)
{
	volatile uint32_t turn = 0;
	uint64_t id;
	int result;

	if (!trace_turns)
		return NEXT(sem_wait)(semaphore);
	pthread_testcancel();
	id = semaphore_id(semaphore);
	trace_frames_here();
	trace_call(STREAM_CALL_WAIT, id, semaphore_shared(semaphore) ? 0 : STREAM_OWN,
		   semaphore_count(semaphore), (uint64_t)(uintptr_t)&turn, 0);
	pthread_cleanup_push(semaphore_resume, NULL);
	if (semaphore_await(&turn)) {
		result = NEXT(sem_wait)(semaphore);
	} else {
		errno = EINTR;
		result = -1;
	}
	pthread_cleanup_pop(1);
	/*
	 * A signal interrupted the wait after the schedule had given the semaphore to the thread.
	 * The thread has not taken it, so report a post to give it back.
	 */
	if (result && trace_turns)
		trace_emit(STREAM_CALL_POST, id, 0);
	return result;
}

static int semaphore_tried(sem_t *semaphore, int result)
{
	if (!trace_turns)
		return result;
	if (result)
		trace_chance(STREAM_CHANCE_TRY);
	if (!result) {
		trace_call(STREAM_CALL_WAIT, semaphore_id(semaphore), STREAM_TAKEN,
			   semaphore_count(semaphore) + 1, 0, 0);
		trace_emit(STREAM_CALL_RESUME, 0, 0);
	}
	return result;
}

EXPORT int sem_trywait(sem_t *semaphore)
{
	return semaphore_tried(semaphore, NEXT(sem_trywait)(semaphore));
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
	return semaphore_tried(semaphore, NEXT(sem_timedwait)(semaphore, until));
}

EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
			 const struct timespec *restrict until)
{
	return semaphore_tried(semaphore, NEXT(sem_clockwait)(semaphore, clock, until));
}
