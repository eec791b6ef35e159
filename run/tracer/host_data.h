/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Host data: counts the data that the host supplies to the program (see enum stream_host_data).
 *
 * What lives here: functions that count the calls and instructions by which the program gets such
 * data. If the host supplies other data in another run, the other run may differ from this run.
 */
#ifndef RUN_TRACER_HOST_DATA_H
#define RUN_TRACER_HOST_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/stream.h"

struct qemu_plugin_insn;

/**
 * host_data_count() - Count a call, an instruction or a wait.
 */
void host_data_count(enum stream_host_data what);

/**
 * host_data_call() - Count a system call if it gets data from the host.
 */
void host_data_call(int64_t number, const uint64_t *args);

/**
 * host_data_translated() - If an instruction gets data from the host, make QEMU count each
 * execution of the instruction.
 * @code: the instruction
 * @bytes: length of the instruction in bytes
 */
void host_data_translated(struct qemu_plugin_insn *insn, const uint8_t *code, size_t bytes);

#endif /* RUN_TRACER_HOST_DATA_H */
