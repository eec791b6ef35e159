/* SPDX-License-Identifier: MIT */
/*
 * Parameters: P.csv, the processes of events by their names.
 */
#ifndef TOOLS_STAT_PARAMETERS_H
#define TOOLS_STAT_PARAMETERS_H

#include <stddef.h>

#include <smile/estimate.h>

/* The columns that the file must begin with. */
#define PARAMETERS_HEADER "event,sigma,beta,mean,r"

/**
 * struct parameters - Events in the file's order.
 * @names: names of the events; shape [@count]
 * @processes: processes of the events; shape [@count]
 * @count: number of events
 * @order: indices of the events, ordered by name
 */
struct parameters {
	char **names;
	struct Estimate_process *processes;
	size_t count;
	size_t *order;
};

/**
 * parameters_read() - Read the file.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing to be freed.
 */
int parameters_read(struct parameters *parameters, const char *path);

/**
 * parameters_find() - Return: the index of an event; the number of events if none has this name.
 */
size_t parameters_find(const struct parameters *parameters, const char *name);

void parameters_free(struct parameters *parameters);

#endif /* TOOLS_STAT_PARAMETERS_H */
