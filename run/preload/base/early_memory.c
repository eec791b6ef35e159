/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Allocates memory before the original heap functions are known. See early_memory.h. */
#include <stdint.h>
#include <string.h>

#include "run/preload/base/early_memory.h"

#define EARLY_BYTES 16384U
#define EARLY_ALIGN 16U

static _Alignas(EARLY_ALIGN) char early[EARLY_BYTES];
static size_t early_used;

void *early_new(size_t bytes)
{
	size_t used, at;

	if (bytes > EARLY_BYTES - 2 * EARLY_ALIGN)
		return NULL;
	used = EARLY_ALIGN + ((bytes + EARLY_ALIGN - 1) & ~(size_t)(EARLY_ALIGN - 1));
	at = __atomic_fetch_add(&early_used, used, __ATOMIC_RELAXED);
	if (at + used > EARLY_BYTES)
		return NULL;
	/* Store the size before the block, because early_grow() needs it. */
	memcpy(early + at, &bytes, sizeof(bytes));
	return early + at + EARLY_ALIGN;
}

bool early_is(const void *block)
{
	return (const char *)block >= early && (const char *)block < early + EARLY_BYTES;
}

void *early_grow(const void *old, size_t bytes)
{
	size_t had;
	void *block = early_wanted() ? early_new(bytes) : NEXT(malloc)(bytes);

	memcpy(&had, (const char *)old - EARLY_ALIGN, sizeof(had));
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return block;
}
