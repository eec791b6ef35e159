/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Initialisation: finds out whether there is a tracer, and sends the tracer the first records. May
 * use libc, except functions that allocate memory.
 *
 * If the environment contains SMILE_TRACED=1, there is a tracer. The characters after the 1 are
 * padding. The library removes this variable, and its own entry in LD_PRELOAD, from the
 * environment, so that the program sees its usual environment. When the program executes another
 * program, the tracer adds them again.
 */
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* This header must precede the next one, which uses its functions. */
#include "run/preload/base/own_string.h"
#include <base/preload_list.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/preload.h"
#include "run/preload/memory/shared_regions.h"

#define START_PAGE 4096UL
/* The stack's size is at least this much, which is the default of qemu-user and Linux. */
#define START_STACK (8UL << 20)

/* The bounds of the section that contains copy.c and string.c; the linker defines them. */
extern const char copy_start[] __asm__("__start_smile_copy") __attribute__((visibility("hidden")));
extern const char copy_end[] __asm__("__stop_smile_copy") __attribute__((visibility("hidden")));

_Thread_local struct trace_thread trace_self;
bool trace_on;
bool trace_turns;
bool trace_heap;
bool trace_frames;
uint64_t trace_process;

uint32_t trace_tid(void)
{
	if (!trace_self.tid)
		trace_self.tid = trace_ask_id(SYS_gettid);
	return trace_self.tid;
}

uint64_t trace_id(const void *object, bool shared)
{
	uint64_t id = trace_address(object) & STREAM_ADDRESS;

	if (shared || !trace_process)
		return id;
	/*
	 * Since the factor is odd, two different addresses of one process never get the same
	 * number.
	 */
	id = (id ^ (trace_process << 8)) * 0x9e3779b97f4a7c15ULL;
	return (id & STREAM_ADDRESS) | 1ULL << 47;
}

/* Find the main thread's stack. At its top is the program's name, so the stack ends after it. */
static void start_stack(void)
{
	uint64_t top = getauxval(AT_EXECFN), bytes = START_STACK;
	struct rlimit limit;

	if (!top)
		return;
	if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur == RLIM_INFINITY)
		bytes = STREAM_STACK_BYTES;
	else if (limit.rlim_cur > bytes)
		bytes = limit.rlim_cur;
	top += strlen((const char *)(uintptr_t)top) + 1;
	trace_self.stack_end = (top + START_PAGE - 1) & ~(START_PAGE - 1);
	trace_self.stack = trace_self.stack_end - bytes;
}

/*
 * Raise the "inexact" flag by a division whose result is rounded. Threads and children inherit the
 * flag. Only while the flag is raised does qemu-user use the host's floating-point unit for
 * additions, multiplications and divisions, because qemu-user then need not find out whether a
 * result was rounded. An addition then takes two thirds of the time. A program that wants to read
 * the flag clears it first.
 */
static void start_inexact(void)
{
	volatile double one = 1.0, three = 3.0, third = one / three;

	(void)third;
}

/*
 * Whether next_search_begins() has reported a pause. At the end of the search, trace_turns cannot
 * show this, because turns may end during the search.
 */
static _Thread_local bool search_paused;

void next_search_begins(void)
{
	search_paused = trace_turns;
	if (search_paused)
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
}

void next_search_ended(void)
{
	if (search_paused)
		trace_emit(STREAM_CALL_RESUME, 0, 0);
}

bool trace_announced(void)
{
	const char *traced = secure_getenv("SMILE_TRACED");

	return traced && *traced == '1';
}

void trace_start(void)
{
	static bool started;
	volatile uint32_t turns = 0, frames = 0;
	const char *heap = getenv("SMILE_TRACE_ALLOC");

	/*
	 * At the first call the process has only one thread, because this function is called before
	 * any other thread is created.
	 */
	if (started)
		return;
	started = true;
	next_find();
	if (!trace_announced())
		return;
	preload_list_leave(&trace_on, "SMILE_TRACED");
	start_inexact();
	start_stack();
	region_start();
	addresses_start();
	process_start();
	handlers_start();
	trace_on = true;
	trace_heap = !heap || strcmp(heap, "0") != 0;
	trace_call(STREAM_CALL_START, trace_self.stack, trace_self.stack_end,
		   trace_address(copy_start), trace_address(copy_end), 0);
	trace_emit(STREAM_CALL_TURNS, (uint64_t)(uintptr_t)&turns, (uint64_t)(uintptr_t)&frames);
	trace_turns = turns != 0;
	trace_frames = frames != 0;
}

__attribute__((constructor)) static void start(void)
{
	trace_start();
}
