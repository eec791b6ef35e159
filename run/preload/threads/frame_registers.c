/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Reports stack frames. If accesses to stacks are counted, this file passes the registers of one
 * function to the tracer, which finds the callers from them. This file may use preload.h.
 */
#include "run/preload/base/preload.h"
#include "run/preload/base/registers.h"

/*
 * This function must not be inlined, because it needs its own frame. Its caller calls @enters from
 * the same frame as this function.
 */
__attribute__((noinline)) void trace_frames_emit(const void *enters)
{
#ifdef __x86_64__
	struct stream_registers registers;

	registers_take(&registers);
	trace_emit(STREAM_CALL_FRAMES, (uint64_t)(uintptr_t)&registers, trace_address(enters));
#endif
}

/* Report the stack of the thread that has called exit(3). */
__attribute__((destructor)) static void frames_end(void)
{
	trace_frames_here();
}
