/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tracer call: the only way in which the traced program sends data to the tracer. It is a system
 * call that does not exist in Linux. Tests link another trace_call(), which stores the records.
 */
#ifndef RUN_PRELOAD_BASE_TRACER_CALL_H
#define RUN_PRELOAD_BASE_TRACER_CALL_H

#include <stdint.h>

#include "run/stream.h"

/**
 * trace_call() - Send a record to the tracer. The function preserves errno, allocates nothing, and
 * may be called from a signal handler.
 * @op: kind of the record; the other parameters are the arguments of the record, or 0
 */
void trace_call(enum stream_call op, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);

#endif /* RUN_PRELOAD_BASE_TRACER_CALL_H */
