/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: if stacks count, pass the registers of one function to the tracer, which finds the
 * callers. May use preload.h.
 */
#include "run/preload/base/preload.h"
#include "run/preload/base/registers.h"

/*
 * This is a separate function with its own frame: the caller calls @enters from the frame that
 * calls this one.
 */
__attribute__((noinline)) void trace_frames_emit(const void *enters)
{
#ifdef __x86_64__
	struct stream_registers registers;

	registers_take(&registers);
	trace_emit(STREAM_CALL_FRAMES, (uint64_t)(uintptr_t)&registers, trace_address(enters));
#endif
}

/* Report the callers of exit(3). */
__attribute__((destructor)) static void frames_end(void)
{
	trace_frames_here();
}
