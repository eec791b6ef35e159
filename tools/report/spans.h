/* SPDX-License-Identifier: MIT */
/*
 * Spans: accesses by parts of the address space, for the view of one variable.
 */
#ifndef TOOLS_REPORT_SPANS_H
#define TOOLS_REPORT_SPANS_H

#include "lib/analysis/structures.h"

/**
 * struct spans - Parts of the address space, and their accesses.
 * @starts: first address of each; [@count]
 * @ends: one past the last
 * @structures: accesses of each; @variable and @pages are of no meaning
 * @size: room for so many
 * @counts: their arrays' memory
 * @nodes: nodes of each array
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

/* Room for @size spans. */
void spans_new(struct spans *spans, size_t size, size_t nodes);
void spans_free(struct spans *spans);

/* Add one, behind those that are there; nothing if it is empty, or there is no room. */
void spans_add(struct spans *spans, uint64_t start, uint64_t end);

/* Count accesses by span. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int spans_count(struct spans *spans, struct Monitor *mon);

#endif /* TOOLS_REPORT_SPANS_H */
