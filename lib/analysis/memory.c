// SPDX-License-Identifier: MIT
/*
 * Memory. See lib/analysis/memory.h.
 */
#include "lib/analysis/memory.h"

#include <errno.h>
#include <stdlib.h>

#include <smile/monitor.h>

void *analysis_memory(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		Monitor_error_set(ENOMEM, "no memory for %zu x %zu bytes", count, size);
	return memory;
}
