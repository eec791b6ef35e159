/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles POSIX barriers. This file may use preload.h.
 *
 * A barrier stores the number of its threads at an offset that glibc does not document, but has not
 * changed since version 2.25. This library reads the number at this offset, so it knows the number
 * even in a process that did not create the barrier. It checks the offset once, with two barriers
 * that it creates for this purpose. If the check fails, the library reports no barriers, and the
 * tracer sees only the system calls that wait.
 */
#include <stdatomic.h>

#include "run/preload/base/preload.h"

#define BARRIER_COUNT 2 /* offset in words */
#define BARRIER_SHARED 3

static bool barrier_known(void)
{
	/* 1: the offset is right; -1: the offset is wrong; 0: the offset was not checked yet */
	static _Atomic int known;
	union {
		pthread_barrier_t barrier;
		uint32_t words[sizeof(pthread_barrier_t) / 4];
	} alone, shared;
	pthread_barrierattr_t attributes;
	bool yes;

	if (known)
		return known > 0;
	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&alone.barrier, NULL, 0x1234);
	pthread_barrier_init(&shared.barrier, &attributes, 0x4321);
	yes = alone.words[BARRIER_COUNT] == 0x1234 && shared.words[BARRIER_COUNT] == 0x4321 &&
	      !alone.words[BARRIER_SHARED] && shared.words[BARRIER_SHARED];
	pthread_barrier_destroy(&alone.barrier);
	pthread_barrier_destroy(&shared.barrier);
	pthread_barrierattr_destroy(&attributes);
	known = yes ? 1 : -1;
	return yes;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	const uint32_t *words = (const uint32_t *)barrier;
	int result;

	if (!trace_on || !barrier_known())
		return NEXT(pthread_barrier_wait)(barrier);
	trace_frames_here();
	trace_emit(STREAM_CALL_BARRIER, trace_id(barrier, words[BARRIER_SHARED]),
		   words[BARRIER_COUNT]);
	trace_emit(STREAM_CALL_PAUSE, 0, 0);
	result = NEXT(pthread_barrier_wait)(barrier);
	trace_emit(STREAM_CALL_RESUME, 0, 0);
	return result;
}
