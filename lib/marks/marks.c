/* SPDX-License-Identifier: MIT */
/*
 * libsmile-trace: the functions of include/smile/trace.h, for programs that run without a tracer.
 * May use mmap(2).
 *
 * Under `smile run`, the functions of the preload library override the functions of the shared
 * library. They cannot override functions of the static library, which are a part of the program
 * itself. For this reason, the static library (SMILE_TRACE_STATIC) looks up the functions of the
 * preload library by other names, which no program defines.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "smile/trace.h"

#ifdef SMILE_TRACE_STATIC
#define TRACER __attribute__((weak, visibility("default")))
TRACER void *smile_tracer_alloc(size_t bytes, const char *name);
TRACER void smile_tracer_phase(const char *name);
TRACER int smile_tracer_place(const void *start, size_t bytes, unsigned int node);
TRACER int smile_tracer_traced(void);
#define TRACER_HAS(function) (function)
#else
#define TRACER_HAS(function) 0
#define smile_tracer_alloc(bytes, name) NULL
#define smile_tracer_phase(name) ((void)0)
#define smile_tracer_place(start, bytes, node) 0
#define smile_tracer_traced() 0
#endif

#define TRACE_END ((uint64_t)1 << 48) /* memory at this address or above cannot be reported */

void *smile_alloc(size_t bytes, const char *name)
{
	void *region;

	if (TRACER_HAS(smile_tracer_alloc))
		return smile_tracer_alloc(bytes, name);
	if (!bytes || !name) {
		errno = EINVAL;
		return NULL;
	}
	if (bytes >= TRACE_END) {
		errno = ENOMEM;
		return NULL;
	}
	region = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return region == MAP_FAILED ? NULL : region;
}

void smile_phase(const char *name)
{
	if (TRACER_HAS(smile_tracer_phase))
		smile_tracer_phase(name);
}

int smile_place(const void *start, size_t bytes, unsigned int node)
{
	if (TRACER_HAS(smile_tracer_place))
		return smile_tracer_place(start, bytes, node);
	if (!start || !bytes || bytes >= TRACE_END ||
	    (uint64_t)(uintptr_t)start >= TRACE_END - bytes) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

int smile_traced(void)
{
	return TRACER_HAS(smile_tracer_traced) ? smile_tracer_traced() : 0;
}
