/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's own counting: see naive.h. May use the C library.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/naive.h"

void naive_add(struct naive *naive, unsigned int source, unsigned int home, unsigned int type,
	       uint64_t address, unsigned int phase)
{
	if (naive->count == naive->capacity) {
		naive->capacity = 2 * naive->capacity + 1024;
		naive->access = realloc(naive->access, naive->capacity * sizeof(*naive->access));
		if (!naive->access)
			abort();
	}
	naive->access[naive->count++] = (struct naive_access){
		.source = source,
		.home = home,
		.type = type,
		.address = address,
		.phase = phase,
	};
}

void naive_free(struct naive *naive)
{
	free(naive->access);
	memset(naive, 0, sizeof(*naive));
}

static bool agrees(uint64_t value, uint64_t like)
{
	return like == NAIVE_ANY || value == like;
}

static bool access_agrees(const struct naive_access *access, const struct naive_access *like)
{
	return agrees(access->source, like->source) && agrees(access->home, like->home) &&
	       agrees(access->type, like->type) && agrees(access->phase, like->phase) &&
	       agrees(access->address / SMILE_PAGE_BYTES, like->address);
}

uint64_t naive_page_count(const struct naive *naive, const struct naive_access *like)
{
	uint64_t count = 0;

	for (size_t i = 0; i < naive->count; i++)
		count += access_agrees(&naive->access[i], like);
	return count;
}

uint64_t naive_section_count(const struct naive *naive, const struct naive_access *like,
			     unsigned int section_bytes, unsigned int section)
{
	uint64_t count = 0;

	for (size_t i = 0; i < naive->count; i++) {
		uint64_t offset = naive->access[i].address % SMILE_PAGE_BYTES;

		count +=
			access_agrees(&naive->access[i], like) && offset / section_bytes == section;
	}
	return count;
}
