/* SPDX-License-Identifier: MIT */
/*
 * Calls by which a program reports to `smile run` its named phases, its named regions, and the
 * nodes on which the regions should lie. Link with -lsmile-trace. If the program runs without the
 * tracer, smile_alloc() allocates memory, and the other calls do nothing. Under `smile run`, the
 * tracer replaces all of these functions by its own functions. Under `smile place`, smile_alloc()
 * and smile_place() place memory on the nodes of the machine on which the program runs. Under
 * `smile sample`, the recordings have the names of the regions and the phases.
 *
 * All calls are thread-safe. This project defines the interface. The papers do not describe such an
 * interface; their programs were marked by hand.
 */
#ifndef SMILE_TRACE_H
#define SMILE_TRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * smile_alloc() - Allocate memory as a named region, whose name reports show.
 * @bytes: at least 1
 * @name: name of the region, of which the first 23 bytes are kept
 *
 * The memory is filled with zeros, shares no page with other data, is shared with child processes,
 * and is not freed before the program ends. Under `smile run`, its addresses are the same in every
 * run of the same program.
 *
 * Return: the memory; on failure NULL, with errno set to ENOMEM or EINVAL.
 */
void *smile_alloc(size_t bytes, const char *name);

/**
 * smile_phase() - Begin a phase of the program and end the previous phase.
 * @name: name of the phase, of which the first 39 bytes are kept
 *
 * Call this function from one thread while the other threads wait, for example between two
 * barriers. If other threads access memory at the same time, their accesses can count for either
 * phase.
 */
void smile_phase(const char *name);

/**
 * smile_place() - Place the pages of an extent of memory on a node.
 * @start: first byte
 * @bytes: number of bytes; if several calls place a page, the last call counts
 * @node: node, from 0; if the node does not exist, `smile run` and `smile place` print a warning
 *
 * This call takes precedence over the placement policy of `smile run`; a placement file takes
 * precedence over this call. Pages that were already accessed are not moved.
 *
 * Return: 0, or -1 with errno EINVAL.
 */
int smile_place(const void *start, size_t bytes, unsigned int node);

/**
 * smile_traced() - Check whether the program runs under the tracer.
 *
 * Return: 1 if the program runs under the tracer; otherwise 0.
 */
int smile_traced(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_TRACE_H */
