/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gathered: selects the host's processors on which the calling thread runs.
 *
 * What lives here: the affinity of the program's threads on the host, which the reader chooses
 * (stream_header.gathered). While threads take many turns, the reader may gather the threads that
 * wait for turns on one processor. The program does not see this affinity; it sees the processors
 * of the emulated machine. This file may use sched_setaffinity(2).
 */
#ifndef RUN_TRACER_GATHERED_H
#define RUN_TRACER_GATHERED_H

#include <stdbool.h>

/**
 * gathered_attach() - Called when the stream is attached. @stream is valid.
 */
void gathered_attach(void);

/**
 * gathered_follow() - Call this function before the calling thread waits for a turn. The function
 * moves the thread to the processor on which the reader gathers threads, or lets the thread run on
 * all processors again.
 *
 * Return: true if the thread may poll for its turn. The thread must not poll if the reader needs
 * the same processor.
 */
bool gathered_follow(void);

/**
 * gathered_leave() - Call this function when the calling thread has computed without waiting for a
 * turn. If threads are no longer gathered, or if the thread has inherited its processor from the
 * thread that created it, the function lets the thread run on all processors.
 */
void gathered_leave(void);

/**
 * gathered_end() - Let the calling thread run on all processors. Call this function before the
 * thread executes another program, because that program may not be traced.
 */
void gathered_end(void);

#endif /* RUN_TRACER_GATHERED_H */
