/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Latency models: how many cycles an access takes.
 *
 * What lives here: the table of models, each with its name and its source. May use include/ and
 * the C library's <string.h>.
 */
#ifndef EMU_MACHINE_LATENCY_H
#define EMU_MACHINE_LATENCY_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/**
 * struct latency_model - The cost of accesses. Every number of cycles is at least 1.
 * @name: name of the model
 * @source: source of its numbers, in a few words
 * @frequency_hz: clock of a node's processor
 * @local_cycles: duration of an access of any type to the node's own memory
 * @remote_cycles: duration of an access to another node's memory, by SMILE_TYPE_*; the processor
 *                 waits for it
 * @pairs: number of nodes in @pair_cycles; 0: all other nodes are equally far
 * @pair_cycles: duration of reads, by node and home, also of a node from itself; shape
 *               [@pairs][@pairs]; they take precedence over the numbers above. Writes and locks are
 *               slower or faster by the same factor as in @remote_cycles. Kept by reference
 */
struct latency_model {
	const char *name;
	const char *source;
	uint64_t frequency_hz;
	uint32_t local_cycles;
	uint32_t remote_cycles[SMILE_TYPE_COUNT];
	unsigned pairs;
	const uint32_t *pair_cycles;
};

/* Name of the default model. */
#define LATENCY_DEFAULT "smile1998"

/**
 * latency_cycles() - Get the duration of an access of a node to memory of @home.
 * @type: SMILE_TYPE_*
 */
uint32_t latency_cycles(const struct latency_model *model, unsigned node, unsigned home,
			unsigned type);

/**
 * latency_find() - Find a model by its name.
 *
 * Return: the model, or NULL.
 */
const struct latency_model *latency_find(const char *name);

/**
 * latency_at() - Get all models, one after another.
 *
 * Return: the model, or NULL after the last one.
 */
const struct latency_model *latency_at(size_t index);

#endif /* EMU_MACHINE_LATENCY_H */
