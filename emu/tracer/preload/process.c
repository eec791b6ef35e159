/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes: made by fork, and waited for. It may use what preload.h and keys.h name.
 *
 * A wait for one child is a join, told before it begins; one for any of several is for the first of
 * them by the clocks, where there are turns. Another is told when it has succeeded; the tracer sees the
 * system call that waits.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "emu/tracer/preload/keys.h"
#include "emu/tracer/preload/preload.h"

/* Children that were not waited for yet, and their numbers, all in one: of one, its own. */
static _Atomic uint64_t process_children, process_numbers;

static void process_reaped(pid_t child)
{
	process_children--;
	process_numbers ^= (uint64_t)child;
}

static pid_t process_fork(pid_t (*fork_next)(void))
{
	uint64_t key = keys_new();
	pid_t child = fork_next();

	if (child > 0) {
		process_children++;
		process_numbers ^= (uint64_t)child;
		keys_enter((uint64_t)child, key);
		trace_tell(STREAM_CALL_CREATE, key, 1);
	} else if (child == 0) {
		trace_self.tid = 0;
		trace_process = key;
		process_children = process_numbers = 0;
		keys_clear();
		trace_call(STREAM_CALL_BEGIN, key, trace_self.stack, trace_self.stack_end, 0, 0);
	}
	return child;
}

EXPORT pid_t fork(void)
{
	return trace_on ? process_fork(NEXT(fork)) : NEXT(fork)();
}

EXPORT pid_t _Fork(void)
{
	return trace_on ? process_fork(NEXT(_Fork)) : NEXT(_Fork)();
}

/*
 * A function around the real one would return twice from a frame that is gone. qemu-user makes a
 * fork of it anyway, and POSIX.1-2001 allowed that; but no handlers of pthread_atfork(3) are called.
 */
EXPORT pid_t vfork(void)
{
	return _Fork();
}

static pid_t process_waited(pid_t child, bool ended)
{
	uint64_t key = trace_on && child > 0 && ended ? keys_remove((uint64_t)child) : 0;

	if (key) {
		process_reaped(child);
		trace_tell(STREAM_CALL_JOIN, key, 0);
	}
	return child;
}

static bool process_ended(int status)
{
	return WIFEXITED(status) || WIFSIGNALED(status);
}

static void process_resume(void *argument)
{
	trace_tell(STREAM_CALL_RESUME, 0, 0);
}

/*
 * A wait for any of several children: which one is first by the clocks. Return: its key, and then PAUSE
 * is told; 0 if that is for the host to say.
 */
static uint64_t process_first(pid_t *first)
{
	volatile uint32_t turn = 0;
	volatile uint64_t key = 0;

	if (!trace_turns)
		return 0;
	pthread_testcancel();
	trace_call(STREAM_CALL_REAP, (uint64_t)(uintptr_t)&turn, (uint64_t)(uintptr_t)&key, 0, 0,
		   0);
	pthread_cleanup_push(process_resume, NULL);
	trace_await_cancel(&turn);
	pthread_cleanup_pop(0);
	*first = key ? (pid_t)keys_name(key) : 0;
	if (*first)
		return key;
	process_resume(NULL);
	return 0;
}

/*
 * A wait for one child, however long, or for the only one there is: a join. For any of several it is
 * one for the first, @joined; the host says which that is where the clocks cannot.
 */
static uint64_t process_joins(pid_t pid, int options, pid_t *joined)
{
	uint64_t key = 0;

	*joined = pid;
	if (!trace_on || pid == 0 || pid < -1 || options != 0)
		return 0;
	if (pid == -1 && process_children != 1)
		return process_first(joined);
	if (pid == -1)
		pid = (pid_t)process_numbers;
	key = keys_find((uint64_t)pid);
	if (key) {
		trace_tell(STREAM_CALL_JOIN, key, 0);
		trace_tell(STREAM_CALL_PAUSE, 0, 0);
	}
	return key;
}

/* A wait for several that was no join. */
static void process_chance(bool several, bool error)
{
	if (trace_on && several && !error)
		trace_chance(STREAM_CHANCE_CHILD);
}

static pid_t process_joined(pid_t child)
{
	trace_tell(STREAM_CALL_RESUME, 0, 0);
	if (child > 0 && keys_remove((uint64_t)child))
		process_reaped(child);
	return child;
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

EXPORT pid_t wait(int *status)
{
	return wait4(-1, status, 0, NULL);
}

EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}

EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int own = 0, *to = status ? status : &own;
	pid_t joined, child;
	uint64_t key = process_joins(pid, options, &joined);

	child = NEXT(wait4)(joined, to, options, usage);

	if (key)
		return process_joined(child);
	process_chance(pid <= 0, child < 0);
	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = {0}, *to = info ? info : &own;
	uint64_t key = 0;
	pid_t joined = 0;
	int error;

	if (options == WEXITED && (type == P_PID || type == P_ALL))
		key = process_joins(type == P_PID ? (pid_t)id : -1, 0, &joined);
	if (key && type == P_ALL && joined > 0) {
		type = P_PID;
		id = (id_t)joined;
	}
	to->si_pid = 0;
	error = NEXT(waitid)(type, id, to, options);
	if (!key)
		process_chance(type == P_ALL || type == P_PGID, error);
	if (key)
		process_joined(error ? -1 : to->si_pid);
	else if (!error && !(options & WNOWAIT))
		process_waited(to->si_pid, to->si_code == CLD_EXITED || to->si_code == CLD_KILLED ||
						   to->si_code == CLD_DUMPED);
	return error;
}
