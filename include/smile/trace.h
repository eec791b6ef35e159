/* SPDX-License-Identifier: MIT */
/*
 * Reports of a program about itself to `smile run`: named phases, named regions, and the nodes on
 * which they should lie. Link with -lsmile-trace. Without the tracer smile_alloc() allocates
 * memory, and the other calls do nothing. Under `smile run` the tracer's functions replace them.
 * Under `smile place` smile_alloc() and smile_place() act on the machine's own nodes. Under `smile
 * sample` regions and phases have their names in the recordings.
 *
 * All of it is thread-safe. Defined here; the papers' programs were marked by hand.
 */
#ifndef SMILE_TRACE_H
#define SMILE_TRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * smile_alloc() - Memory of a region with a name, which reports show under it.
 * @bytes: at least 1
 * @name: its first 23 bytes are kept
 *
 * The memory is zero, begins at a page of its own, shares no page with other data, is inherited by
 * child processes as shared memory, and is never freed before the end. Under `smile run` its
 * addresses are the same in every run of the same program.
 *
 * Return: the memory; NULL with errno set to ENOMEM or EINVAL.
 */
void *smile_alloc(size_t bytes, const char *name);

/**
 * smile_phase() - A phase of the program begins, and the last one ends.
 * @name: its first 39 bytes are kept
 *
 * Call it from one thread while the others wait, for example between two barriers: concurrent
 * accesses of other threads can count for either phase.
 */
void smile_phase(const char *name);

/**
 * smile_place() - Place the pages of an extent of memory on a node.
 * @start: first byte
 * @bytes: how many; a page lies where its last smile_place() says
 * @node: node, from 0; `smile run` and `smile place` print a warning if there is no such node
 *
 * Takes precedence over the placement policy of `smile run`; a placement file takes precedence over
 * it. Pages that were already accessed are not moved.
 *
 * Return: 0, or -1 with errno EINVAL.
 */
int smile_place(const void *start, size_t bytes, unsigned int node);

/**
 * smile_traced() - Is the program running under the tracer?
 *
 * Return: 1 or 0.
 */
int smile_traced(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_TRACE_H */
