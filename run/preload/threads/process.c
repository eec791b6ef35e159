/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles processes: fork(), and waits for children. This file may use preload.h, thread_table.h
 * and addresses.h.
 *
 * If the program waits for one particular child, the library reports a join before the wait begins.
 * It reports any other wait after the wait has succeeded. During such a wait, the tracer sees the
 * system call that waits.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/thread_table.h"
#include "run/preload/base/preload.h"

/*
 * The number of children that no wait has returned yet, and the XOR of their ids. If there is only
 * one such child, the XOR is its id.
 */
static _Atomic uint64_t process_children, process_numbers;

static void process_reaped(pid_t child)
{
	process_children--;
	process_numbers ^= (uint64_t)child;
}

/* The key of the child that this thread is creating. */
static _Thread_local uint64_t process_key;

/*
 * Begin the child's records. This function must run before the program's own fork handlers, because
 * they may take locks. It has an effect only once in each child.
 */
static void process_begin(void)
{
	uint64_t key = process_key;

	if (!key)
		return;
	process_key = 0;
	trace_self.tid = 0;
	addresses_forked();
	trace_process = key;
	trace_self.number = keys_number(key);
	process_children = process_numbers = 0;
	keys_clear();
	trace_call(STREAM_CALL_BEGIN, key, trace_self.stack, trace_self.stack_end, 0, 0);
}

void process_start(void)
{
	pthread_atfork(NULL, NULL, process_begin);
}

static pid_t process_fork(pid_t (*fork_next)(void))
{
	uint64_t key = keys_new();
	pid_t child;

	process_key = key;
	child = fork_next();
	if (child == 0)
		process_begin();
	process_key = 0;
	if (child > 0) {
		process_children++;
		process_numbers ^= (uint64_t)child;
		keys_enter((uint64_t)child, key);
		trace_emit(STREAM_CALL_CREATE, key, 1);
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
 * This function calls _Fork() instead of the real vfork(). The real vfork() would return twice to
 * this frame, which would no longer exist the second time. POSIX.1-2001 permits that vfork() is
 * like fork(), and qemu-user treats it in this way. The handlers of pthread_atfork(3) are not
 * called.
 */
EXPORT pid_t vfork(void)
{
	if (trace_on)
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_VFORK, 0);
	return _Fork();
}

static pid_t process_waited(pid_t child, bool ended)
{
	uint64_t key = trace_on && child > 0 && ended ? keys_remove((uint64_t)child) : 0;

	if (key) {
		process_reaped(child);
		trace_emit(STREAM_CALL_JOIN, key, 0);
	}
	return child;
}

static bool process_ended(int status)
{
	return WIFEXITED(status) || WIFSIGNALED(status);
}

/*
 * Report a blocking wait. If it is for one particular child, or if the process has only one child,
 * report a join. If it is for any of several children, report that the host decides which of them
 * ends first.
 */
static uint64_t process_joins(pid_t pid, int options)
{
	uint64_t key = 0;

	if (pid == -1 && process_children == 1)
		pid = (pid_t)process_numbers;
	if (trace_on && pid > 0 && options == 0)
		key = keys_find((uint64_t)pid);
	if (key) {
		trace_emit(STREAM_CALL_JOIN, key, 0);
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	} else if (trace_on && pid <= 0) {
		trace_chance(STREAM_CHANCE_CHILD);
	}
	return key;
}

static pid_t process_joined(pid_t child)
{
	trace_emit(STREAM_CALL_RESUME, 0, 0);
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
	uint64_t key = process_joins(pid, options);
	pid_t child = NEXT(wait4)(pid, to, options, usage);

	if (key)
		return process_joined(child);
	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = {0}, *to = info ? info : &own;
	uint64_t key = 0;
	int error;

	if (options == WEXITED && (type == P_PID || type == P_ALL))
		key = process_joins(type == P_PID ? (pid_t)id : -1, 0);
	to->si_pid = 0;
	error = NEXT(waitid)(type, id, to, options);
	if (key)
		process_joined(error ? -1 : to->si_pid);
	else if (!error && !(options & WNOWAIT))
		process_waited(to->si_pid, to->si_code == CLD_EXITED || to->si_code == CLD_KILLED ||
						   to->si_code == CLD_DUMPED);
	return error;
}
