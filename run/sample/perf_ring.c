// SPDX-License-Identifier: MIT
/* run/sample: reads the records in perf's rings. See perf_ring.h. */
#include "run/sample/perf_ring.h"

#include <errno.h>
#include <string.h>

/*
 * The length of the longest record that is read completely. If a record is longer, only its first
 * bytes are copied.
 */
#define RECORD_BYTES 128U

/*
 * Copy bytes of the ring. The bytes can start at the end of the ring and continue at its beginning.
 */
static void copy(const struct sample_ring *ring, uint64_t from, void *to, size_t bytes)
{
	uint64_t at = from & (ring->bytes - 1), first = ring->bytes - at;

	if (first > bytes)
		first = bytes;
	memcpy(to, ring->data + at, first);
	memcpy((unsigned char *)to + first, ring->data, bytes - first);
}

static int sample_read(struct sample_ring *ring, const unsigned char *body, size_t bytes,
		       sample_take *take, void *opaque)
{
	const struct perf_layout layout = {.sample_type = ring->sample_type};
	struct sample sample;

	if (perf_sample_read(&layout, body, bytes, &sample) < 0) {
		ring->malformed++;
		return 0;
	}
	ring->samples++;
	return take(opaque, &sample);
}

/* Read the number of lost samples from a record. In PERF_RECORD_LOST, an id precedes the number. */
static uint64_t lost_read(uint32_t type, const unsigned char *body, size_t bytes)
{
	size_t at = type == PERF_RECORD_LOST ? sizeof(uint64_t) : 0;
	uint64_t lost;

	if (bytes < at + sizeof(lost))
		return 0;
	memcpy(&lost, body + at, sizeof(lost));
	return lost;
}

/*
 * Read a new name of a thread. The record has the process, the thread and the name. The name of a
 * process is the name of its first thread.
 */
static int name_read(const struct sample_ring *ring, uint16_t misc, const unsigned char *body,
		     size_t bytes)
{
	char name[CHILDREN_NAME_BYTES] = "";
	uint32_t ids[2];

	if (!ring->children || bytes <= sizeof(ids))
		return 0;
	memcpy(ids, body, sizeof(ids));
	bytes -= sizeof(ids);
	memcpy(name, body + sizeof(ids), bytes < sizeof(name) - 1 ? bytes : sizeof(name) - 1);
	if (ids[0] != ids[1])
		return 0;
	return children_named(ring->children, ids[0], name, misc & PERF_RECORD_MISC_COMM_EXEC);
}

/*
 * Read the record that perf writes when it stops following a thread. It has the process, the parent
 * of the process, the thread, the parent of the thread, and the time.
 */
static int end_read(const struct sample_ring *ring, const unsigned char *body, size_t bytes)
{
	uint32_t ids[4];
	uint64_t time_ns;

	if (!ring->children || bytes < sizeof(ids) + sizeof(time_ns))
		return 0;
	memcpy(ids, body, sizeof(ids));
	memcpy(&time_ns, body + sizeof(ids), sizeof(time_ns));
	return ids[0] == ids[2] ? children_left(ring->children, ids[0], time_ns) : 0;
}

static int record_read(struct sample_ring *ring, uint64_t at,
		       const struct perf_event_header *header, sample_take *take, void *opaque)
{
	unsigned char record[RECORD_BYTES];
	size_t bytes = header->size < sizeof(record) ? header->size : sizeof(record);
	const unsigned char *body = record + sizeof(*header);

	copy(ring, at, record, bytes);
	bytes -= sizeof(*header);
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		return sample_read(ring, body, bytes, take, opaque);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		ring->lost += lost_read(header->type, body, bytes);
		return 0;
	case PERF_RECORD_THROTTLE:
		ring->throttled++;
		return 0;
	case PERF_RECORD_COMM:
		ring->skipped++;
		return name_read(ring, header->misc, body, bytes);
	case PERF_RECORD_EXIT:
		ring->skipped++;
		return end_read(ring, body, bytes);
	default:
		ring->skipped++;
		return 0;
	}
}

int sample_ring_read(struct sample_ring *ring, uint64_t *tail, uint64_t head, sample_take *take,
		     void *opaque)
{
	struct perf_event_header header;
	int failed = 0;

	if (head - *tail > ring->bytes) {
		*tail = head;
		return -EPROTO;
	}
	while (!failed && *tail != head) {
		if (head - *tail >= sizeof(header))
			copy(ring, *tail, &header, sizeof(header));
		else
			header.size = 0;
		if (header.size < sizeof(header) || header.size > head - *tail) {
			*tail = head;
			return -EPROTO;
		}
		failed = record_read(ring, *tail, &header, take, opaque);
		*tail += header.size;
	}
	return failed;
}
