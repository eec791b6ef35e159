/* SPDX-License-Identifier: MIT */
/*
 * run/sample: records in perf's ring.
 *
 * What lives here: the layout of the events that this room opens, and the way from the bytes of the
 * ring to samples. May use <linux/perf_event.h>. It makes no system call, and holds no state but
 * that of struct sample_ring. The format is that of perf_event_open(2).
 */
#ifndef RUN_SAMPLE_RING_H
#define RUN_SAMPLE_RING_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

/*
 * What each PERF_RECORD_SAMPLE holds, in this order: process and thread, time, address, processor.
 */
#define SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU)

/**
 * struct sample - A page fault.
 * @time_ns: the kernel's perf clock
 * @address: that was accessed
 * @pid: process
 * @tid: thread
 * @cpu: processor
 */
struct sample {
	uint64_t time_ns;
	uint64_t address;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
};

/**
 * struct sample_ring - A ring of the kernel's, and what was read from it.
 * @data: its bytes
 * @bytes: how many, a power of two
 * @samples: samples that were read
 * @lost: samples for which the kernel found no room, as it has reported them in the ring
 * @skipped: records of other kinds
 * @malformed: samples that are shorter than they must be
 */
struct sample_ring {
	const unsigned char *data;
	uint64_t bytes;
	uint64_t samples;
	uint64_t lost;
	uint64_t skipped;
	uint64_t malformed;
};

/* Take in a sample. Return: 0; -errno, which ends the reading. */
typedef int sample_take(void *opaque, const struct sample *sample);

/**
 * sample_ring_read() - Read the records between two positions.
 * @ring: the ring, whose counts are updated
 * @tail: of the first record; receives where the next call begins
 * @head: behind the last record, as the kernel has published it
 * @take: called for each sample
 * @opaque: for @take
 *
 * Positions count bytes since the ring was made. A record may begin at the end of the ring and go
 * on at its beginning.
 *
 * Return: 0; what @take returned.
 * Errors: -EPROTO if a record has an impossible size: nothing behind it can be read, and *@tail is
 * @head.
 */
int sample_ring_read(struct sample_ring *ring, uint64_t *tail, uint64_t head, sample_take *take,
		     void *opaque);

#endif /* RUN_SAMPLE_RING_H */
