/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gathered: the host's processors on which the calling thread runs.
 *
 * What lives here: the affinity of the program's threads on the host, which the reader chooses
 * (stream_header.gathered). While threads take many turns, the reader gathers those that wait for
 * turns on one processor. The program does not see this affinity: it sees the machine's processors.
 * May use sched_setaffinity(2).
 */
#ifndef RUN_TRACER_GATHERED_H
#define RUN_TRACER_GATHERED_H

#include <stdbool.h>

/**
 * gathered_attach() - Called when the stream is attached. @stream is valid.
 */
void gathered_attach(void);

/**
 * gathered_follow() - Before the calling thread waits for a turn: move it to the processor on which
 * the reader gathers threads, or let it run on all processors again.
 *
 * Return: true if the thread may poll for its turn. It must not poll if the reader needs the same
 * processor.
 */
bool gathered_follow(void);

/**
 * gathered_leave() - The calling thread has computed without waiting for a turn. If threads are no
 * longer gathered, or the thread has inherited its processor from the thread that created it, let
 * it run on all processors.
 */
void gathered_leave(void);

/**
 * gathered_end() - Before the calling thread executes a program, which may not be traced: let it
 * run on all processors.
 */
void gathered_end(void);

#endif /* RUN_TRACER_GATHERED_H */
