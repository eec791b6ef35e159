/* SPDX-License-Identifier: MIT */
/*
 * Calls by which a program reports to `smile run` its named phases, its named regions, and the
 * nodes on which the regions should lie. Link with -lsmile-trace. Without the tracer smile_alloc()
 * allocates memory, and the other calls do nothing. Under `smile run` the tracer's functions
 * replace all of these calls. Under `smile place` smile_alloc() and smile_place() act on the
 * machine's own nodes. Under `smile sample` the recordings have the names of regions and phases.
 *
 * All calls are thread-safe. This project defines the interface; the papers' programs were marked
 * by hand.
 */
#ifndef SMILE_TRACE_H
#define SMILE_TRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * smile_alloc() - Allocate memory as a named region. Reports show the name.
 * @bytes: at least 1
 * @name: its first 23 bytes are kept
 *
 * The memory is zero, shares no page with other data, is inherited by child processes as shared
 * memory, and is not freed before the program ends. Under `smile run` its addresses are the same in
 * every run of the same program.
 *
 * Return: the memory; NULL with errno set to ENOMEM or EINVAL.
 */
void *smile_alloc(size_t bytes, const char *name);

/**
 * smile_phase() - Begin a phase of the program and end the previous phase.
 * @name: its first 39 bytes are kept
 *
 * Call it from one thread while the other threads wait, for example between two barriers.
 * Concurrent accesses of other threads can count for either phase.
 */
void smile_phase(const char *name);

/**
 * smile_place() - Place the pages of an extent of memory on a node.
 * @start: first byte
 * @bytes: number of bytes; for each page the last smile_place() call counts
 * @node: node, from 0; `smile run` and `smile place` print a warning if there is no such node
 *
 * This call takes precedence over the placement policy of `smile run`; a placement file takes
 * precedence over this call. Pages that were already accessed are not moved.
 *
 * Return: 0, or -1 with errno EINVAL.
 */
int smile_place(const void *start, size_t bytes, unsigned int node);

/**
 * smile_traced() - Whether the program runs under the tracer.
 *
 * Return: 1 or 0.
 */
int smile_traced(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_TRACE_H */
