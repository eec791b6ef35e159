/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Libraries that the program loads. May use preload.h.
 *
 * If the program loads a library with RTLD_DEEPBIND, the library finds the C library's functions
 * before the functions of this preload library, so the tracer would not see its locks, threads and
 * blocks. Therefore dlopen() removes this flag. The original functions find the calling object by
 * their return address. So the functions of this file jump to the originals instead of calling
 * them.
 */
#include <dlfcn.h>

#include "run/preload/base/preload.h"

/**
 * struct library_call - The original function to jump to, and its flags.
 *
 * @function: the address of the original
 * @flags: the flags to pass to it
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
 * When a call instruction is executed, the stack must be aligned to 16 bytes. At the call below,
 * the stack holds the return address and 24 more bytes, 32 bytes in all.
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
