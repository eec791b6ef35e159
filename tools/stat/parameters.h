/* SPDX-License-Identifier: MIT */
/*
 * Parameters: read a file that has, for each event, the parameters of its process.
 */
#ifndef TOOLS_STAT_PARAMETERS_H
#define TOOLS_STAT_PARAMETERS_H

#include <stddef.h>

#include <smile/estimate.h>

/* The names of the first columns, which the file must have. */
#define PARAMETERS_HEADER "event,sigma,beta,mean,r"

/**
 * struct parameters - The events of the file, in the file's order.
 * @names: names of the events; shape [@count]
 * @processes: processes of the events; shape [@count]
 * @count: number of events
 * @order: indices of the events, sorted by name
 */
struct parameters {
	char **names;
	struct Estimate_process *processes;
	size_t count;
	size_t *order;
};

/**
 * parameters_read() - Read a file of parameters.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with all memory freed.
 */
int parameters_read(struct parameters *parameters, const char *path);

/**
 * parameters_find() - Find an event by its name. Return: index of the event; the number of events
 * if none has this name.
 */
size_t parameters_find(const struct parameters *parameters, const char *name);

void parameters_free(struct parameters *parameters);

#endif /* TOOLS_STAT_PARAMETERS_H */
