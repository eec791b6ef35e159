/* SPDX-License-Identifier: MIT */
/*
 * run/sample: records in perf's ring.
 *
 * What lives here: the layout of the events that this room opens, and the conversion of the bytes
 * of the ring to samples. May use perf_sample.h. It makes no system call, and holds no state
 * outside struct sample_ring. The format is that of perf_event_open(2).
 */
#ifndef RUN_SAMPLE_RING_H
#define RUN_SAMPLE_RING_H

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
 * struct sample_ring - A ring of the kernel, and the numbers of records read from it.
 * @data: its bytes
 * @bytes: its size, a power of two
 * @sample_type: sample_type of all events that write into it: one of SAMPLE_TYPE_*
 * @children: receives the names of processes, and when perf has left them; NULL: neither is kept
 * @samples: samples that were read
 * @lost: samples for which the kernel found no room, as it has reported them in the ring
 * @skipped: records of other kinds, including names and ends
 * @malformed: samples that are not as long as they must be
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

/* Take in a sample. Return: 0; -errno, which stops the reading. */
typedef int sample_take(void *opaque, const struct sample *sample);

/**
 * sample_ring_read() - Read the records between two positions.
 * @ring: the ring, whose counts are updated
 * @tail: position of the first record; receives the position for the next call
 * @head: position behind the last record, as the kernel has published it
 * @take: called for each sample
 * @opaque: first argument of @take
 *
 * Positions count bytes since the ring was created. A record may start at the end of the ring and
 * continue at its beginning.
 *
 * Return: 0; what @take returned.
 * Errors: -ENOMEM for the name or the end of a process; -EPROTO if a record has an impossible size:
 * nothing behind it can be read, and *@tail is @head.
 */
int sample_ring_read(struct sample_ring *ring, uint64_t *tail, uint64_t head, sample_take *take,
		     void *opaque);

#endif /* RUN_SAMPLE_RING_H */
