/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls that the program makes and QEMU does not execute: the program may then behave
 * differently than it does natively. They are counted in stream_header.unsupported.
 */
#ifndef RUN_TRACER_UNSUPPORTED_H
#define RUN_TRACER_UNSUPPORTED_H

#include <stdint.h>

/**
 * unsupported_leave() - Count a system call if QEMU has refused or ignored it.
 * @args: shape [6]; the arguments as they were before the call
 * @result: QEMU's result
 */
void unsupported_leave(int64_t number, const uint64_t *args, int64_t result);

#endif /* RUN_TRACER_UNSUPPORTED_H */
