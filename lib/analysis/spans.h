/* SPDX-License-Identifier: MIT */
/*
 * Spans: counts the accesses to parts of the address space, such as the parts of a variable.
 *
 * What lives here: an array of spans, and the accesses to each of them. May use the public API,
 * memory.h and structures.h.
 */
#ifndef LIB_ANALYSIS_SPANS_H
#define LIB_ANALYSIS_SPANS_H

#include "lib/analysis/structures.h"

/**
 * struct spans - Parts of the address space, and the accesses to them.
 * @starts: first address of each span; [@count]
 * @ends: one past the last address of each span; shape [@count]
 * @structures: accesses to each span; @variable and @pages are not set
 * @size: number of spans for which there is memory
 * @counts: memory of the arrays in @structures
 * @nodes: length of the arrays in @structures
 */
struct spans {
	uint64_t *starts;
	uint64_t *ends;
	size_t count;
	size_t size;
	struct structure *structures;
	uint64_t *counts;
	size_t nodes;
};

/**
 * spans_new() - Allocate memory for @size spans.
 *
 * Return: 0; -ENOMEM. The caller must call spans_free() even after an error.
 */
int spans_new(struct spans *spans, size_t size, size_t nodes);

void spans_free(struct spans *spans);

/**
 * spans_add() - Append a span. The function ignores an empty span, and a span for which there is no
 * memory.
 */
void spans_add(struct spans *spans, uint64_t start, uint64_t end);

/**
 * spans_count() - Count the accesses to each span.
 *
 * Return: 0; -errno, with Monitor_error_message().
 */
int spans_count(struct spans *spans, struct Monitor *mon);

#endif /* LIB_ANALYSIS_SPANS_H */
