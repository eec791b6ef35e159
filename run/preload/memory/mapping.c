/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles mappings that the program creates. The address of each mapping is decided in the order of
 * the replay. This file may use preload.h, addresses.h and system calls, because a program may map
 * memory before this library is initialised.
 */
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/preload.h"

/*
 * Take a turn, except in a signal handler. In a handler, a thread must not wait for a turn, because
 * the thread that has the turn may be waiting for the code that the signal interrupted. While a
 * handler runs, at least its own signal is blocked. For this reason, the function takes no turn if
 * any signal is blocked. It cannot detect a handler for which the program used SA_NODEFER.
 */
static bool mapping_turn(void)
{
	sigset_t mask;

	if (!addresses_ordered() || trace_self.orders)
		return false;
	if (!pthread_sigmask(SIG_BLOCK, NULL, &mask) && sigisemptyset(&mask))
		return addresses_turn();
	trace_chance(STREAM_CHANCE_MEMORY);
	return false;
}

static void *mapping_of(long address)
{
	return address == -1 ? MAP_FAILED : (void *)address;
}

EXPORT void *mmap(void *start, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	bool turn = mapping_turn();
	long address = syscall(SYS_mmap, start, bytes, protection, flags, fd, offset);

	addresses_turn_end(turn);
	return mapping_of(address);
}

EXPORT void *mmap64(void *start, size_t bytes, int protection, int flags, int fd, off64_t offset)
{
	return mmap(start, bytes, protection, flags, fd, offset);
}

/* The syscall() of this library replaces this system call by one that the tracer supports. */
EXPORT int mlockall(int flags)
{
	return (int)syscall(SYS_mlockall, flags);
}

EXPORT int munmap(void *start, size_t bytes)
{
	bool turn = mapping_turn();
	long error = syscall(SYS_munmap, start, bytes);

	addresses_turn_end(turn);
	return (int)error;
}

EXPORT void *mremap(void *start, size_t bytes, size_t wanted, int flags, ...)
{
	void *to = NULL;
	va_list rest;
	long address;
	bool turn;

	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_start(rest, flags);
		to = va_arg(rest, void *);
		va_end(rest);
	}
	turn = mapping_turn();
	address = syscall(SYS_mremap, start, bytes, wanted, flags, to);
	addresses_turn_end(turn);
	return mapping_of(address);
}

EXPORT void *shmat(int id, const void *start, int flags)
{
	bool turn = mapping_turn();
	long address = syscall(SYS_shmat, id, start, flags);

	addresses_turn_end(turn);
	return mapping_of(address);
}

EXPORT int shmdt(const void *start)
{
	bool turn = mapping_turn();
	long error = syscall(SYS_shmdt, start);

	addresses_turn_end(turn);
	return (int)error;
}
