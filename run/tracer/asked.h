/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Data that the host supplies to the program, so that another run may differ: see enum
 * stream_asked.
 */
#ifndef RUN_TRACER_ASKED_H
#define RUN_TRACER_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_insn;

/**
 * asked_call() - Count a system call that gets data from the host.
 */
void asked_call(int64_t number, const uint64_t *args);

/**
 * asked_translated() - Arrange that an instruction is counted if it gets data from the host.
 * @code: the instruction, of @bytes bytes
 */
void asked_translated(struct qemu_plugin_insn *insn, const uint8_t *code, size_t bytes);

/**
 * asked_read() - A load at @address, of 1 << @size bytes, 8 at most, has been reported.
 *
 * Call it for all loads of a thread that may be waiting; for other loads it is not necessary.
 */
void asked_read(uint64_t address, unsigned int size);

#endif /* RUN_TRACER_ASKED_H */
