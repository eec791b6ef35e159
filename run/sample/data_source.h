/* SPDX-License-Identifier: MIT */
/*
 * run/sample: decodes the data source of a sample.
 *
 * What lives here: the conversion of a sample's data source, PERF_MEM_* of perf_event_open(2), to
 * the kind of cache or memory that has served the access. The conversion reads the present fields,
 * and the older fields that they have replaced. The file has no state.
 */
#ifndef RUN_SAMPLE_DATA_SOURCE_H
#define RUN_SAMPLE_DATA_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/sample/counts.h"

/*
 * The kinds of caches and memories that can have served an access. There are COUNTS_SERVED of them.
 */
enum data_served {
	DATA_UNKNOWN, /* the sample does not report what has served the access */
	DATA_CACHE, /* a cache of the node, or a buffer of the processor */
	DATA_LOCAL, /* memory of the processor's socket */
	DATA_REMOTE, /* memory of another socket */
	/* a cache of another socket, or memory of no socket, such as CXL and I/O memory */
	DATA_ELSEWHERE,
};

/**
 * struct data_source - The meaning of a data source.
 * @type: type of the access
 * @served: the cache or memory that has served the access
 */
struct data_source {
	enum counts_type type;
	enum data_served served;
};

/**
 * data_source_read() - Convert a data source.
 * @value: struct sample.data_source
 * @source: receives the result
 *
 * Return: true if the data source reports the type of an access, or what has served it; false if it
 * reports neither, which means that the sample is not a sample of a memory access.
 */
bool data_source_read(uint64_t value, struct data_source *source);

/* Get the name of an enum data_served in documents, such as "cache" or "local". */
const char *data_served_name(enum data_served served);

/*
 * Return whether the access is a transaction, which means that the data source reports that the
 * caches of the node did not serve it.
 */
static inline bool data_source_behind(const struct data_source *source)
{
	return source->served >= DATA_LOCAL;
}

#endif /* RUN_SAMPLE_DATA_SOURCE_H */
