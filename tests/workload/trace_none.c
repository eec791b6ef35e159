/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * <smile/trace.h> without a tracer, in its simplest form, so that tests of the papers' programs
 * need nothing else of the project. May use <smile/trace.h> and the C library.
 *
 * With SMILE_TRACE_TELL set, it prints each call on standard error, so that a test can check phases
 * and placement.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "smile/trace.h"

static int printing(void)
{
	return getenv("SMILE_TRACE_TELL") != NULL;
}

void *smile_alloc(size_t bytes, const char *name)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (printing())
		fprintf(stderr, "alloc %s %zu\n", name, bytes);
	return memory;
}

void smile_phase(const char *name)
{
	if (printing())
		fprintf(stderr, "phase %s\n", name);
}

int smile_place(const void *start, size_t bytes, unsigned int node)
{
	if (bytes == 0) {
		errno = EINVAL;
		return -1;
	}
	if (printing())
		fprintf(stderr, "place %zu of page offset %u on %u\n", bytes,
			(unsigned int)((uintptr_t)start % 4096), node);
	return 0;
}

int smile_traced(void)
{
	return 0;
}
