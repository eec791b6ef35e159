/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: if stacks count, the tracer gets the registers of one function, and finds its
 * callers itself. May use preload.h.
 */
#include "emu/tracer/preload/base/preload.h"
#include "emu/tracer/preload/base/registers.h"

/*
 * A function of its own, with a frame of its own: the caller calls @enters from where it calls
 * this.
 */
__attribute__((noinline)) void trace_frames_emit(const void *enters)
{
#ifdef __x86_64__
	struct stream_registers registers;

	registers_take(&registers);
	trace_emit(STREAM_CALL_FRAMES, (uint64_t)(uintptr_t)&registers, trace_address(enters));
#endif
}

/* Of a program that ends by exit(3), those that called it. */
__attribute__((destructor)) static void frames_end(void)
{
	trace_frames_here();
}
