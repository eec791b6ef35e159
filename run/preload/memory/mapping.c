/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Mappings that the program creates. Each address is decided in the order of the replay. May use
 * preload.h, addresses.h and system calls: a program may map memory before this library is
 * initialised.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/preload.h"

/*
 * Take a turn, except in a signal handler. A thread must not wait for a turn in a signal handler,
 * because the thread before it may itself wait for the code that the signal interrupted. While a
 * handler runs, at least its own signal is blocked, unless the program used SA_NODEFER, which this
 * function cannot see. So if any signal is blocked, the function takes no turn.
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

/*
 * Check whether memory with this protection has code that the program may write at another address.
 * QEMU notices such a write only if the code itself is writable, see run/tracer/code_views.h.
 */
static bool mapping_has_code(int protection)
{
	return trace_on && (protection & (PROT_EXEC | PROT_WRITE)) == PROT_EXEC;
}

/* Map memory, with code that is shared as writable if the file permits this. */
static long mapping_make(void *start, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	long address = -1;
	int saved = errno;

	if (mapping_has_code(protection) && (flags & MAP_TYPE) != MAP_PRIVATE && fd >= 0)
		address =
			syscall(SYS_mmap, start, bytes, protection | PROT_WRITE, flags, fd, offset);
	if (address != -1)
		return address;
	errno = saved;
	return syscall(SYS_mmap, start, bytes, protection, flags, fd, offset);
}

/* The addresses that are tried for MAP_32BIT. */
#define LOW_START 0x40000000UL
#define LOW_END 0x80000000UL
#define LOW_ALIGN 4096UL
#define LOW_STEP 0x100000UL

/* Map memory at the first free address from @start on that is tried. Return: -1: none was free. */
static long mapping_from(unsigned long start, size_t bytes, int protection, int flags, int fd,
			 off_t offset)
{
	long address;

	for (; start < LOW_END && bytes <= LOW_END - start; start += LOW_STEP) {
		address = mapping_make((void *)start, bytes, protection, flags, fd, offset);
		if (address == -1 || address + bytes <= LOW_END)
			return address;
		syscall(SYS_munmap, address, bytes);
	}
	errno = ENOMEM;
	return -1;
}

/* QEMU 7.2 ignores MAP_32BIT. Find an address below 2 GB for the mapping. */
static long mapping_low(size_t bytes, int protection, int flags, int fd, off_t offset)
{
	static _Atomic unsigned long next = LOW_START;
	long address = mapping_from(next, bytes, protection, flags, fd, offset);

	if (address == -1)
		address = mapping_from(LOW_START, bytes, protection, flags, fd, offset);
	if (address != -1)
		next = ((unsigned long)address + bytes + LOW_ALIGN - 1) & ~(LOW_ALIGN - 1);
	return address;
}

static long mapping_place(void *start, size_t bytes, int protection, int flags, int fd,
			  off_t offset)
{
	if (trace_on && (flags & MAP_32BIT) && !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)))
		return mapping_low(bytes, protection, flags, fd, offset);
	return mapping_make(start, bytes, protection, flags, fd, offset);
}

/*
 * QEMU 7.2 ignores MAP_FIXED_NOREPLACE. If other memory is mapped at @start, it returns another
 * address, and not the error.
 */
static long mapping_check(long address, void *start, size_t bytes, int flags)
{
	if (address == -1 || !(flags & MAP_FIXED_NOREPLACE) || address == (long)(uintptr_t)start)
		return address;
	syscall(SYS_munmap, address, bytes);
	errno = EEXIST;
	return -1;
}

EXPORT void *mmap(void *start, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	bool turn = mapping_turn();
	long address = mapping_check(mapping_place(start, bytes, protection, flags, fd, offset),
				     start, bytes, flags);

	addresses_turn_end(turn);
	return mapping_of(address);
}

EXPORT void *mmap64(void *start, size_t bytes, int protection, int flags, int fd, off64_t offset)
{
	return mmap(start, bytes, protection, flags, fd, offset);
}

EXPORT int mprotect(void *start, size_t bytes, int protection)
{
	volatile uint32_t shared = 0;
	int saved = errno;

	if (mapping_has_code(protection))
		trace_emit(STREAM_CALL_SHARED, trace_address(start), (uint64_t)(uintptr_t)&shared);
	if (shared && !syscall(SYS_mprotect, start, bytes, protection | PROT_WRITE))
		return 0;
	errno = saved;
	return (int)syscall(SYS_mprotect, start, bytes, protection);
}

/* syscall() replaces the call by one that the tracer supports. */
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
