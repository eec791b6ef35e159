/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls of the program: calls the part of the tracer that handles each call. May use the
 * other files of the tracer. Arguments that are addresses are used directly, because QEMU does not
 * relocate the program's memory.
 */
#include "run/tracer/syscalls.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/tracer/channel.h"
#include "run/tracer/follow.h"
#include "run/tracer/gathered.h"
#include "run/tracer/handlers.h"
#include "run/tracer/host_data.h"
#include "run/tracer/mappings.h"
#include "run/tracer/process.h"
#include "run/tracer/region_table.h"
#include "run/tracer/spins.h"
#include "run/tracer/unsupported.h"
#include "run/stream.h"

/*
 * Check whether clone(2) with these flags creates a thread. QEMU itself creates threads with such
 * flags. Any other clone(2) creates a process.
 */
static bool clones_thread(uint64_t flags)
{
	return (flags & CLONE_VM) && !(flags & CLONE_VFORK);
}

static bool forks(int64_t number, const uint64_t *args)
{
	return number == SYS_fork || number == SYS_vfork ||
	       (number == SYS_clone && !clones_thread(args[0]));
}

/*
 * Check whether this is a call by which libc creates a child for posix_spawn(3), popen(3) or
 * system(3). The preload library does not see such a child, because libc calls its own functions
 * directly.
 */
static bool libc_forks(int64_t number, const uint64_t *args)
{
	return number == SYS_vfork || (number == SYS_clone && (args[0] & CLONE_VFORK));
}

/* Check whether QEMU does not suspend the creator of the process, although the kernel would. */
static bool vforks(int64_t number, const uint64_t *args)
{
	return number == SYS_vfork ||
	       (number == SYS_clone && (args[0] & CLONE_VFORK) && !(args[0] & CLONE_VM));
}

/*
 * Handle execveat(2): convert the file of a descriptor, or a path relative to it, to a path of this
 * process.
 */
static bool executes_at(struct thread *thread, const uint64_t *args)
{
	const char *path = (const char *)(uintptr_t)args[1];
	char at[PATH_MAX + 64];

	/* If the address is invalid, the kernel will report this. */
	if (access(path, F_OK) < 0 && errno == EFAULT)
		return false;
	if (*path == '/' || (int)args[0] == AT_FDCWD) {
		follow_execute_file(thread, path, &args[2]);
		return process_executes(thread, path);
	}
	snprintf(at, sizeof(at), "/proc/self/fd/%d%s%s", (int)args[0], *path ? "/" : "", path);
	follow_execute_file(thread, at, &args[2]);
	return process_executes(thread, at);
}

/*
 * Correct the result of sched_getaffinity(2). The program has made this call by an instruction of
 * its own, as Go's run-time system does, and the kernel has returned the host's processors. Replace
 * them by the processors of the emulated machine, as the preload library does.
 */
static void processors_answer(const uint64_t *args, int64_t bytes)
{
	const uint32_t count = stream->processors;
	uint8_t *mask = (uint8_t *)(uintptr_t)args[2];
	int64_t i;

	for (i = 0; count && i < bytes; i++)
		mask[i] = count >= 8 * (i + 1) ? 0xff
			  : count > 8 * i      ? (uint8_t)((1U << (count - 8 * i)) - 1)
					       : 0;
}

void syscalls_enter(int64_t number, const uint64_t *args)
{
	struct thread *thread = channel_thread;
	uint32_t *awaits, turn;

	/* This is the first system call of a thread that has executed only uncounted code. */
	if (!thread || thread->ended)
		thread = process_thread_begins();
	memcpy(thread->args, args, sizeof(thread->args));
	host_data_call(number, args);
	spins_call(number);
	waits_order(thread, number, args);
	pthread_mutex_lock(&thread->lock);
	/*
	 * Publish the words before a call in which the thread may wait. A mark publishes them
	 * itself.
	 */
	if (thread->begun && number != STREAM_CALL)
		channel_publish(thread->producer);
	switch (number) {
	case STREAM_CALL:
		calls_mark(thread, args);
		break;
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
		atomic_fetch_add(&process.made, 1);
		if (vforks(number, args))
			atomic_fetch_or(&stream->notes, STREAM_NOTE_VFORK);
		if (forks(number, args))
			process_forks(thread, libc_forks(number, args));
		else if (args[0] & CLONE_SETTLS)
			mappings_local(thread, args[1], args[4]);
		break;
	case SYS_arch_prctl:
		if (args[0] == ARCH_SET_FS)
			mappings_local_first(thread, args[1]);
		break;
	case SYS_exit:
	case SYS_exit_group:
		if (process.spawned && process.refused)
			atomic_fetch_or(&stream->notes, STREAM_NOTE_SPAWN);
		/* The process may not end yet: after a signal, QEMU may repeat the call. */
		process.status = args[0];
		/*
		 * A joining thread may reuse the stack before QEMU reports the end of this thread.
		 */
		if (number == SYS_exit)
			mappings_return(thread);
		break;
	case SYS_rt_sigaction:
		waits_handler(args);
		handlers_enter(thread);
		break;
	case SYS_rt_sigreturn:
		thread->interrupted = process.interrupts;
		break;
	case SYS_execve:
		gathered_end();
		/* If the new program is traced, the call does not return. */
		follow_execute(thread, args);
		thread->executes = process_executes(thread, (const char *)(uintptr_t)args[0]);
		break;
	case SYS_execveat:
		gathered_end();
		thread->executes = executes_at(thread, args);
		break;
	default:
		waits_enter(thread, number);
		memory_enter(thread, number);
	}
	awaits = thread->awaits;
	thread->awaits = NULL;
	pthread_mutex_unlock(&thread->lock);
	if (number == SYS_mmap)
		regions_await(thread);
	/* Wait without the lock, because another thread may end the process during the wait. */
	if (awaits && (turn = channel_await(thread, false)))
		*awaits = turn;
}

void syscalls_leave(int64_t number, int64_t result)
{
	struct thread *thread = channel_thread;

	if (!thread)
		return;
	unsupported_leave(number, thread->args, result);
	switch (number) {
	case STREAM_CALL:
		return;
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
		if (forks(number, thread->args))
			process_forked(thread, result);
		return;
	case SYS_execve:
	case SYS_execveat:
		if (thread->executes)
			process_stays();
		process.refused |= result < 0;
		thread->executes = false;
		return;
	case SYS_rt_sigaction:
		handlers_leave(thread, result);
		return;
	case SYS_sched_getaffinity:
		processors_answer(thread->args, result);
		break;
	}
	if (thread->ended)
		return;
	pthread_mutex_lock(&thread->lock);
	/* Another thread may have ended the process during the call. */
	if (!thread->ended) {
		waits_leave(thread, number, result);
		memory_leave(thread, number, result, thread->args);
	}
	pthread_mutex_unlock(&thread->lock);
}
