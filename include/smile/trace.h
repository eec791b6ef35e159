/* SPDX-License-Identifier: MIT */
/*
 * What a program may report about itself to `smile run`: named phases, regions of its own, and
 * where they are to lie. Link with -lsmile-trace. Without the tracer each call does nothing, or no
 * more than it must; under `smile run` the tracer puts its own in their place, and under `smile
 * place` smile_alloc() and smile_place() act on the machine's own nodes.
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
 * @name: of which 23 bytes are kept
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
 * @name: of which 39 bytes are kept
 *
 * Call it from one thread while the others wait, say between two barriers: what others are just
 * doing belongs to either phase.
 */
void smile_phase(const char *name);

/**
 * smile_place() - The pages of an extent of memory are to lie on a node.
 * @start: first byte
 * @bytes: how many; a page lies where its last smile_place() says
 * @node: node, from 0; `smile run` and `smile place` say so if there is none of this number
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
