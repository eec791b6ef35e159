/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Machine models: complete machines that the user selects by name. A model defines the nodes,
 * latencies, caches and placement policy of a machine.
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
 * @name: name of the model
 * @description: description of the machine, in a few words
 * @source: source of the numbers, in a few words
 * @nodes: number of nodes
 * @processor_nodes: number of nodes with processors. The first nodes have processors; the remaining
 *                   nodes have only memory
 * @placement: name of the placement policy
 * @latency: name of the latency model. If the machine has @caches, lines are written back in no
 *           time
 * @caches: the caches for all memory
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

/* Name of the model of the papers' cluster, which `smile sim` uses. */
#define MODEL_PAPERS "smile1998"
/* Name of the default model of `smile run`. */
#define MODEL_DEFAULT "server2"

/**
 * machine_model_find() - Find a model by its name.
 *
 * Return: the model; NULL if there is no model of this name.
 */
const struct machine_model *machine_model_find(const char *name);

/**
 * machine_model_at() - Get a model by its index, to loop over all models.
 *
 * Return: the model; NULL if @index is beyond the last model.
 */
const struct machine_model *machine_model_at(size_t index);

#endif /* EMU_MACHINE_MODEL_H */
