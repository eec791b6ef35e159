/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Defines trace_call(). On x86-64, it is written in assembly and calls no function of libc, so any
 * code may call it.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/base/tracer_call.h"

void trace_call(enum stream_call op, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
#ifdef __x86_64__
	register uint64_t fourth __asm__("r10") = c;
	register uint64_t fifth __asm__("r8") = d;
	register uint64_t sixth __asm__("r9") = e;
	long result = STREAM_CALL;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((uint64_t)op), "S"(a), "d"(b), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
#else
	int saved = errno;

	syscall(STREAM_CALL, (long)op, (long)a, (long)b, (long)c, (long)d, (long)e);
	errno = saved;
#endif
}
