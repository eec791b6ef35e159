/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what served an access.
 *
 * What lives here: the meaning of a sample's data source, PERF_MEM_* of perf_event_open(2): the
 * fields of today, and the older ones of which they take the place. It holds no state.
 */
#ifndef RUN_SAMPLE_DATA_SOURCE_H
#define RUN_SAMPLE_DATA_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/sample/counts.h"

/* COUNTS_SERVED of them. */
enum data_served {
	DATA_UNKNOWN, /* it does not say */
	DATA_CACHE, /* a cache of the node, or a buffer of the processor */
	DATA_LOCAL, /* memory of the socket */
	DATA_REMOTE, /* memory of another socket */
	DATA_ELSEWHERE, /* a cache of another socket, or memory that has no side: CXL, I/O */
};

/**
 * struct data_source - What a sample says of its access.
 * @type: what it did
 * @served: by what
 */
struct data_source {
	enum counts_type type;
	enum data_served served;
};

/**
 * data_source_read() - Read a data source.
 * @value: struct sample.data_source
 * @source: receives it
 *
 * Return: whether it says anything: else the sample is not one of a memory access.
 */
bool data_source_read(uint64_t value, struct data_source *source);

/* "cache", "local" and so on, as documents have it. */
const char *data_served_name(enum data_served served);

/* Did the access go behind the caches of its node, as far as is known? */
static inline bool data_source_behind(const struct data_source *source)
{
	return source->served >= DATA_LOCAL;
}

#endif /* RUN_SAMPLE_DATA_SOURCE_H */
