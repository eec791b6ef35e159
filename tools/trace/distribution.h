/* SPDX-License-Identifier: MIT */
/*
 * Distribution: print times as a histogram, a summary, a plot or a file, for the verbs `latency`
 * and `interarrival`.
 */
#ifndef TOOLS_TRACE_DISTRIBUTION_H
#define TOOLS_TRACE_DISTRIBUTION_H

#include "lib/trace-db/time_distribution.h"
#include "lib/trace-db/trace_db.h"

/**
 * struct distribution - A verb that prints a distribution.
 * @help: help text of the verb
 * @schema: schema of the verb's JSON document
 * @what: name of the times, for headings and axes
 * @requests: the verb only accepts requests
 * @take: adds the times of the packets that fulfil the conditions; returns 0 or the -errno of the
 *        database
 */
struct distribution {
	const char *const *help;
	const char *schema;
	const char *what;
	bool requests;
	int (*take)(struct trace_db *db, const struct trace_filter *filter,
		    struct time_distribution *times, uint64_t *left_out);
};

/**
 * distribution_main() - Run the verb. Return: the exit status.
 */
int distribution_main(int argc, char **argv, const struct distribution *distribution);

#endif /* TOOLS_TRACE_DISTRIBUTION_H */
