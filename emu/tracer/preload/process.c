/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes: made by fork, and waited for. It may use what preload.h and keys.h name.
 *
 * A wait is told when it has succeeded; the tracer sees the system call that waits.
 */
#include <errno.h>
#include <sys/types.h>

#include "emu/tracer/preload/keys.h"
#include "emu/tracer/preload/preload.h"

static pid_t process_fork(pid_t (*fork_next)(void))
{
	uint64_t key = keys_new();
	pid_t child = fork_next();

	if (child > 0) {
		keys_enter((uint64_t)child, key);
		trace_tell(STREAM_CALL_CREATE, key, 1);
	} else if (child == 0) {
		trace_self.tid = 0;
		trace_process = key;
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
 * fork of it anyway, and POSIX.1-2001 allowed that.
 */
EXPORT pid_t vfork(void)
{
	return fork();
}

static pid_t process_waited(pid_t child, bool ended)
{
	uint64_t key = trace_on && child > 0 && ended ? keys_remove((uint64_t)child) : 0;

	if (key)
		trace_tell(STREAM_CALL_JOIN, key, 0);
	return child;
}

static bool process_ended(int status)
{
	return WIFEXITED(status) || WIFSIGNALED(status);
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	int own = 0, *to = status ? status : &own;
	pid_t child = NEXT(waitpid)(pid, to, options);

	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT pid_t wait(int *status)
{
	int own = 0, *to = status ? status : &own;
	pid_t child = NEXT(wait)(to);

	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
	int own = 0, *to = status ? status : &own;
	pid_t child = NEXT(wait3)(to, options, usage);

	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int own = 0, *to = status ? status : &own;
	pid_t child = NEXT(wait4)(pid, to, options, usage);

	return process_waited(child, child > 0 && process_ended(*to));
}

EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = {0}, *to = info ? info : &own;
	int error;

	to->si_pid = 0;
	error = NEXT(waitid)(type, id, to, options);
	if (!error && !(options & WNOWAIT))
		process_waited(to->si_pid, to->si_code == CLD_EXITED || to->si_code == CLD_KILLED ||
						   to->si_code == CLD_DUMPED);
	return error;
}
