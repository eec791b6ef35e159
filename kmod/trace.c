// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints' code.
 *
 * What lives here: what the kernel's macros make of trace.h, and nothing else.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
