/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles libraries that the program loads. This file may use preload.h.
 *
 * A library that the program loads with RTLD_DEEPBIND would call the functions of the C library
 * instead of those of this preload library, and the tracer would not see its locks, threads and
 * blocks. For this reason, this library's dlopen() removes the flag. The original functions of this
 * file's functions use their return address to find the calling object, so the functions of this
 * file jump to the originals instead of calling them.
 */
#include <dlfcn.h>

#include "run/preload/base/preload.h"

/**
 * struct library_call - The original function to jump to, and the flags for it.
 *
 * @function: the address of the original
 * @flags: the flags to pass to the original function
 */
struct library_call {
	uint64_t function;
	uint64_t flags;
};

/* The assembly code of dlopen() calls this function. */
__attribute__((used)) static struct library_call library_open(int flags)
{
	if (trace_on && (flags & RTLD_DEEPBIND)) {
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_DEEPBIND, 0);
		flags &= ~RTLD_DEEPBIND;
	}
	return (struct library_call){(uint64_t)NEXT(dlopen), (uint64_t)(unsigned int)flags};
}

__attribute__((used)) static uint64_t library_open_apart(Lmid_t names)
{
	if (trace_on && names != LM_ID_BASE)
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_NAMESPACE, 0);
	return (uint64_t)NEXT(dlmopen);
}

/*
 * At a call instruction, the stack must be aligned to 16 bytes. At the call below, the stack has 32
 * more bytes than before the call of dlopen(): the return address and 24 further bytes.
 */
__attribute__((naked)) EXPORT void *dlopen(const char *path, int flags)
{
	__asm__("pushq %rdi\n\t"
		"subq $16, %rsp\n\t"
		"movl %esi, %edi\n\t"
		"call library_open\n\t"
		"addq $16, %rsp\n\t"
		"popq %rdi\n\t"
		"movl %edx, %esi\n\t"
		"jmp *%rax");
}

__attribute__((naked)) EXPORT void *dlmopen(Lmid_t names, const char *path, int flags)
{
	__asm__("pushq %rdi\n\t"
		"pushq %rsi\n\t"
		"pushq %rdx\n\t"
		"call library_open_apart\n\t"
		"popq %rdx\n\t"
		"popq %rsi\n\t"
		"popq %rdi\n\t"
		"jmp *%rax");
}
