/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Data that the host supplies to the program: see enum stream_asked.
 *
 * What lives here: counts of the calls and instructions by which the program gets such data. If the
 * host supplies other data to another run, that run may differ from this one.
 */
#ifndef RUN_TRACER_ASKED_H
#define RUN_TRACER_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_insn;

/**
 * asked_call() - If a system call gets data from the host, count it.
 */
void asked_call(int64_t number, const uint64_t *args);

/**
 * asked_translated() - If an instruction gets data from the host, arrange that each execution is
 * counted.
 * @code: the instruction
 * @bytes: length of the instruction in bytes
 */
void asked_translated(struct qemu_plugin_insn *insn, const uint8_t *code, size_t bytes);

/**
 * asked_read() - Record that the thread has just reported a load at @address, of 1 << @size bytes,
 * at most 8.
 *
 * The caller must call this function for each load that may be part of a loop that waits for a
 * change of memory. It need not do so for other loads.
 */
void asked_read(uint64_t address, unsigned int size);

#endif /* RUN_TRACER_ASKED_H */
