/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unsupported: counts the system calls that QEMU does not execute.
 *
 * What lives here: the function that counts such calls in stream_header.unsupported. After such a
 * call, the program may behave differently than without QEMU.
 */
#ifndef RUN_TRACER_UNSUPPORTED_H
#define RUN_TRACER_UNSUPPORTED_H

#include <stdint.h>

/**
 * unsupported_leave() - Count a system call if QEMU has rejected or ignored it.
 * @args: the arguments, as they were before the call; shape [6]
 * @result: the result that QEMU has returned
 */
void unsupported_leave(int64_t number, const uint64_t *args, int64_t result);

#endif /* RUN_TRACER_UNSUPPORTED_H */
