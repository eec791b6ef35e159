/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what served an access.
 *
 * What lives here: the meaning of a sample's data source, PERF_MEM_* of perf_event_open(2): the
 * present fields, and the older fields that they replace. It holds no state.
 */
#ifndef RUN_SAMPLE_DATA_SOURCE_H
#define RUN_SAMPLE_DATA_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/sample/counts.h"

/* The places that can have served an access, COUNTS_SERVED of them. */
enum data_served {
	DATA_UNKNOWN, /* the sample does not report it */
	DATA_CACHE, /* a cache of the node, or a buffer of the processor */
	DATA_LOCAL, /* memory of the socket */
	DATA_REMOTE, /* memory of another socket */
	DATA_ELSEWHERE, /* a cache of another socket, or memory of no socket: CXL, I/O */
};

/**
 * struct data_source - The data that a sample reports about its access.
 * @type: type of the access
 * @served: the place that has served it
 */
struct data_source {
	enum counts_type type;
	enum data_served served;
};

/**
 * data_source_read() - Read a data source.
 * @value: struct sample.data_source
 * @source: receives the result
 *
 * Return: whether the data source reports anything; otherwise the sample is not one of a memory
 * access.
 */
bool data_source_read(uint64_t value, struct data_source *source);

/* Get the name of a place in documents: "cache", "local" and so on. */
const char *data_served_name(enum data_served served);

/* Did the caches of its node not serve the access, as far as is known? */
static inline bool data_source_behind(const struct data_source *source)
{
	return source->served >= DATA_LOCAL;
}

#endif /* RUN_SAMPLE_DATA_SOURCE_H */
