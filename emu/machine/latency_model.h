/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Latency models: the number of cycles that an access takes.
 *
 * What lives here: the table of models, each with its name and its source. May use include/ and
 * the C library's <string.h>.
 */
#ifndef EMU_MACHINE_LATENCY_MODEL_H
#define EMU_MACHINE_LATENCY_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/**
 * struct latency_model - The cost of accesses. Every number of cycles is at least 1.
 * @name: name of the model
 * @source: source of the model's numbers, in a few words
 * @frequency_hz: clock frequency of the nodes' processors
 * @local_cycles: duration of an access of any type to the node's own memory
 * @remote_cycles: duration of an access to another node's memory, by SMILE_TYPE_*; the processor
 *                 waits for this time
 * @pairs: number of nodes in @pair_cycles; 0: all other nodes are equally far
 * @pair_cycles: duration of reads, by reading node and home node, including reads of a node's own
 *               memory. These numbers replace @local_cycles and the reads of @remote_cycles. The
 *               durations of writes and locks are computed from them with the ratios in
 *               @remote_cycles. The array must exist as long as the model; shape [@pairs][@pairs]
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

/* The name of the default model. */
#define LATENCY_DEFAULT "smile1998"

/**
 * latency_cycles() - Get the duration of an access of @node to memory of @home.
 * @type: SMILE_TYPE_*
 */
uint32_t latency_cycles(const struct latency_model *model, unsigned node, unsigned home,
			unsigned type);

/**
 * latency_find() - Find a model by its name.
 *
 * Return: the model; NULL if there is no model of this name.
 */
const struct latency_model *latency_find(const char *name);

/**
 * latency_at() - Get the model with this index.
 *
 * Return: the model; NULL after the last model.
 */
const struct latency_model *latency_at(size_t index);

#endif /* EMU_MACHINE_LATENCY_MODEL_H */
