/* SPDX-License-Identifier: MIT */
/*
 * run/sample: reads the records in the rings of perf.
 *
 * What lives here: the layout of the events that run/sample opens, and the conversion of the bytes
 * of a ring to samples. perf_event_open(2) defines the format. This file may use perf_sample.h.
 * This code makes no system calls, and has no state outside struct sample_ring.
 */
#ifndef RUN_SAMPLE_PERF_RING_H
#define RUN_SAMPLE_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

#include "run/sample/children.h"
#include "run/sample/perf_sample.h"

/* The fields of samples of page faults. */
#define SAMPLE_TYPE_FAULTS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU)
/* The fields of samples of memory accesses. */
#define SAMPLE_TYPE_MEMORY                                                                         \
	(SAMPLE_TYPE_FAULTS | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT)

/**
 * struct sample_ring - A ring of the kernel, and counts of the records that were read from it.
 * @data: bytes of the ring
 * @bytes: size of the ring, a power of two
 * @sample_type: the sample_type of all events that write into the ring: one of SAMPLE_TYPE_*
 * @children: receives the names of processes, and the times at which perf has stopped following
 *            them; NULL: records with this data are skipped
 * @samples: number of samples that were read
 * @lost: number of samples for which the ring had no room; the kernel reports this number in the
 *        ring
 * @skipped: number of all other records, including the records of names and ends of processes
 * @malformed: number of samples with a wrong length
 * @throttled: number of times that the kernel stopped an event because it took too much time
 */
struct sample_ring {
	const unsigned char *data;
	uint64_t bytes;
	uint64_t sample_type;
	struct children *children;
	uint64_t samples;
	uint64_t lost;
	uint64_t skipped;
	uint64_t malformed;
	uint64_t throttled;
};

/* A function that receives a sample. Return: 0 to continue; -errno to stop reading the ring. */
typedef int sample_take(void *opaque, const struct sample *sample);

/**
 * sample_ring_read() - Read the records between two positions.
 * @ring: the ring; the function updates its counts
 * @tail: position of the first record; receives the position for the next call
 * @head: position after the last record, as the kernel has published it
 * @take: called for each sample
 * @opaque: first argument of @take
 *
 * Positions count bytes since the ring was created. A record may start at the end of the ring and
 * continue at its beginning.
 *
 * Return: 0; an error of @take. Errors: -ENOMEM if the name or the end of a process cannot be
 * stored; -EPROTO if a record has an invalid size. The records after a record with an invalid size
 * cannot be read, so the function sets *@tail to @head.
 */
int sample_ring_read(struct sample_ring *ring, uint64_t *tail, uint64_t head, sample_take *take,
		     void *opaque);

#endif /* RUN_SAMPLE_PERF_RING_H */
