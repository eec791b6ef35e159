/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles mappings that the program creates, and defines the functions of smile_trace(3). This file
 * may use place.h and system calls, but no functions of the C library that map memory, because a
 * program may call mmap() before the rest of this library is initialised.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/place/place.h"
#include "smile/trace.h"

#define TRACE_END ((uint64_t)1 << 48) /* lib/marks defines the same number. */

static void *mapped(long address)
{
	return address == -1 ? MAP_FAILED : (void *)address;
}

/* Decide whether a new mapping contains data of the program. `smile run` uses the same rule. */
static bool is_data(int protection, int flags)
{
	if (flags & (MAP_FIXED | MAP_STACK) || protection & PROT_EXEC)
		return false;
	return flags & (MAP_ANONYMOUS | MAP_SHARED) || protection & PROT_WRITE;
}

EXPORT void *mmap(void *start, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	void *region = mapped(syscall(SYS_mmap, start, bytes, protection, flags, fd, offset));

	if (place_on && region != MAP_FAILED && is_data(protection, flags))
		regions_mapping(flags & MAP_SHARED, flags & MAP_ANONYMOUS ? -1 : fd, region, bytes);
	return region;
}

EXPORT void *mmap64(void *start, size_t bytes, int protection, int flags, int fd, off64_t offset)
{
	return mmap(start, bytes, protection, flags, fd, offset);
}

EXPORT int munmap(void *start, size_t bytes)
{
	if (place_on)
		regions_unmap(start, bytes);
	return (int)syscall(SYS_munmap, start, bytes);
}

/*
 * If the kernel moves memory to another address, the policy of the memory moves with it. The nodes
 * of the pages in the old range are determined before the system call, because they are not
 * recorded after it.
 */
EXPORT void *mremap(void *start, size_t bytes, size_t wanted, int flags, ...)
{
	void *to = NULL;
	va_list rest;

	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_start(rest, flags);
		to = va_arg(rest, void *);
		va_end(rest);
	}
	if (place_on)
		regions_unmap(start, bytes);
	return mapped(syscall(SYS_mremap, start, bytes, wanted, flags, to));
}

EXPORT void *smile_alloc(size_t bytes, const char *name)
{
	void *region;

	if (!bytes || !name) {
		errno = EINVAL;
		return NULL;
	}
	if (bytes >= TRACE_END) {
		errno = ENOMEM;
		return NULL;
	}
	bytes = (bytes + MATCH_PAGE - 1) & ~(MATCH_PAGE - 1);
	region = mapped(syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0L));
	if (region == MAP_FAILED)
		return NULL;
	if (log_on) {
		log_scan(region, bytes);
		log_region(name, region, bytes);
	}
	/*
	 * Set the policy of the plan last, because it must replace the policy that log_scan() has
	 * set.
	 */
	if (place_on)
		regions_named(name, region, bytes);
	return region;
}

EXPORT int smile_place(const void *start, size_t bytes, unsigned int node)
{
	if (!start || !bytes || bytes >= TRACE_END ||
	    (uint64_t)(uintptr_t)start >= TRACE_END - bytes) {
		errno = EINVAL;
		return -1;
	}
	return place_on ? regions_place(start, bytes, node) : 0;
}

EXPORT void smile_phase(const char *name)
{
	if (log_on && name)
		log_phase(name);
}

/* libsmile-trace.a looks up the functions by these names (lib/marks/marks.c). */
EXPORT __attribute__((alias("smile_alloc"))) void *smile_tracer_alloc(size_t bytes,
								      const char *name);
EXPORT __attribute__((alias("smile_place"))) int smile_tracer_place(const void *start, size_t bytes,
								    unsigned int node);
EXPORT __attribute__((alias("smile_phase"))) void smile_tracer_phase(const char *name);
