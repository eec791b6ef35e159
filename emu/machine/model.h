/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Machine models: whole machines by name: nodes, latencies, caches, and placement.
 *
 * What lives here: the table of models, each with its source. May use caches.h and the C library's
 * <string.h>.
 */
#ifndef EMU_MACHINE_MODEL_H
#define EMU_MACHINE_MODEL_H

#include <stddef.h>

#include "caches.h"

/**
 * struct machine_model - A model of a machine.
 * @name: its name
 * @description: description, in a few words
 * @source: source of its numbers, in a few words
 * @nodes: number of nodes
 * @processor_nodes: the number of nodes with processors, which are the first ones; the other nodes
 *                   have only memory
 * @placement: name of the policy
 * @latency: name of the latency model; with caches, writes of lines take no time
 * @caches: the caches in front of all memory
 */
struct machine_model {
	const char *name;
	const char *description;
	const char *source;
	unsigned nodes;
	unsigned processor_nodes;
	const char *placement;
	const char *latency;
	struct caches_shape caches;
};

/* Name of the machine of the papers, and of `smile sim`. */
#define MODEL_PAPERS "smile1998"
/* Name of the default machine of `smile run`. */
#define MODEL_DEFAULT "server2"

/**
 * machine_model_find() - Find a model by its name.
 *
 * Return: the model, or NULL.
 */
const struct machine_model *machine_model_find(const char *name);

/**
 * machine_model_at() - Get all models, one after another.
 *
 * Return: the model, or NULL after the last one.
 */
const struct machine_model *machine_model_at(size_t index);

#endif /* EMU_MACHINE_MODEL_H */
