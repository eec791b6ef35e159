// SPDX-License-Identifier: MIT
/* run/sample: decodes a sample of perf. See perf_sample.h. */
#include "run/sample/perf_sample.h"

#include <errno.h>
#include <string.h>

/* Constants that the headers of older kernels do not define. */
#define FORMAT_LOST (1U << 4)
#define BRANCH_HW_INDEX (1U << 17)
#define BRANCH_COUNTERS (1U << 19)
#define SAMPLE_KNOWN ((1U << 25) - 1)

#define BRANCH_BYTES 24U

/**
 * struct cursor - The bytes of a body that were not read yet.
 * @at: the next byte
 * @left: number of bytes that were not read yet
 * @failed: a field was longer than the remaining bytes
 */
struct cursor {
	const unsigned char *at;
	size_t left;
	bool failed;
};

static void skip(struct cursor *cursor, uint64_t bytes)
{
	if (cursor->failed || bytes > cursor->left) {
		cursor->failed = true;
		return;
	}
	cursor->at += bytes;
	cursor->left -= (size_t)bytes;
}

/* Skip @count fields of @bytes bytes each. The function checks for an overflow of the product. */
static void skip_many(struct cursor *cursor, uint64_t count, uint64_t bytes)
{
	if (count > cursor->left)
		cursor->failed = true;
	else
		skip(cursor, count * bytes);
}

static void take(struct cursor *cursor, void *to, size_t bytes)
{
	const unsigned char *from = cursor->at;

	memset(to, 0, bytes);
	skip(cursor, bytes);
	if (!cursor->failed)
		memcpy(to, from, bytes);
}

static uint64_t take_u64(struct cursor *cursor)
{
	uint64_t value;

	take(cursor, &value, sizeof(value));
	return value;
}

static uint32_t take_u32(struct cursor *cursor)
{
	uint32_t value;

	take(cursor, &value, sizeof(value));
	return value;
}

static void skip_values(struct cursor *cursor, uint64_t format)
{
	uint64_t each = 8U + 8U * !!(format & PERF_FORMAT_ID) + 8U * !!(format & FORMAT_LOST);
	uint64_t times = 8U * !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 8U * !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t count = take_u64(cursor);

		skip(cursor, times);
		skip_many(cursor, count, each);
	} else {
		skip(cursor, times + each);
	}
}

static void skip_branches(struct cursor *cursor, uint64_t type)
{
	uint64_t count = take_u64(cursor);

	if (type & BRANCH_HW_INDEX)
		skip(cursor, 8);
	skip_many(cursor, count, BRANCH_BYTES);
	if (type & BRANCH_COUNTERS)
		skip_many(cursor, count, 8);
}

static void skip_registers(struct cursor *cursor, uint64_t mask)
{
	if (take_u64(cursor) != PERF_SAMPLE_REGS_ABI_NONE)
		skip(cursor, 8U * (uint64_t)__builtin_popcountll(mask));
}

static void skip_stack(struct cursor *cursor)
{
	uint64_t bytes = take_u64(cursor);

	skip(cursor, bytes);
	/* After these bytes, the kernel stores the number of bytes that it has used. */
	if (bytes)
		skip(cursor, 8);
}

bool perf_layout_known(const struct perf_layout *layout)
{
	return !(layout->sample_type & ~(uint64_t)SAMPLE_KNOWN);
}

/* Read the first fields of a sample. The order of the fields is the same for all events. */
static void read_front(struct cursor *cursor, uint64_t type, struct sample *sample)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = take_u64(cursor);
	if (type & PERF_SAMPLE_IP)
		sample->ip = take_u64(cursor);
	if (type & PERF_SAMPLE_TID) {
		sample->pid = take_u32(cursor);
		sample->tid = take_u32(cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		sample->time_ns = take_u64(cursor);
	if (type & PERF_SAMPLE_ADDR)
		sample->address = take_u64(cursor);
	if (type & PERF_SAMPLE_ID)
		sample->id = take_u64(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		skip(cursor, 8);
	if (type & PERF_SAMPLE_CPU) {
		sample->cpu = take_u32(cursor);
		skip(cursor, 4);
	}
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = take_u64(cursor);
}

static void read_weight(struct cursor *cursor, uint64_t type, struct sample *sample)
{
	if (type & PERF_SAMPLE_WEIGHT)
		sample->weight = take_u64(cursor);
	else if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		/*
		 * The lower half of the field has the latency of the access. The upper half has the
		 * latencies of parts of the access.
		 */
		sample->weight = take_u64(cursor) & UINT32_MAX;
}

int perf_sample_read(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		     struct sample *sample)
{
	struct cursor cursor = {.at = body, .left = bytes};
	const uint64_t type = layout->sample_type;

	*sample = (struct sample){.time_ns = 0};
	if (!perf_layout_known(layout))
		return -EOPNOTSUPP;
	read_front(&cursor, type, sample);
	if (type & PERF_SAMPLE_READ)
		skip_values(&cursor, layout->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		skip_many(&cursor, take_u64(&cursor), 8);
	if (type & PERF_SAMPLE_RAW)
		skip(&cursor, take_u32(&cursor));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&cursor, layout->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_registers(&cursor, layout->regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(&cursor);
	read_weight(&cursor, type, sample);
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_source = take_u64(&cursor);
	if (type & PERF_SAMPLE_TRANSACTION)
		skip(&cursor, 8);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_registers(&cursor, layout->regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->physical = take_u64(&cursor);
	if (type & PERF_SAMPLE_CGROUP)
		skip(&cursor, 8);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		skip(&cursor, 8);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		skip(&cursor, 8);
	if (type & PERF_SAMPLE_AUX)
		skip(&cursor, take_u64(&cursor));
	return cursor.failed || cursor.left ? -EPROTO : 0;
}

size_t perf_record_id(const struct perf_layout *layout, const unsigned char *body, size_t bytes,
		      struct sample *sample)
{
	static const uint64_t fields[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					  PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
					  PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};
	const uint64_t type = layout->sample_type;
	struct cursor cursor;
	size_t length = 0;

	*sample = (struct sample){.time_ns = 0};
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		length += type & fields[i] ? 8U : 0U;
	if (!layout->id_all || length > bytes)
		return 0;
	cursor = (struct cursor){.at = body + (bytes - length), .left = length};
	if (type & PERF_SAMPLE_TID) {
		sample->pid = take_u32(&cursor);
		sample->tid = take_u32(&cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		sample->time_ns = take_u64(&cursor);
	if (type & PERF_SAMPLE_ID)
		sample->id = take_u64(&cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		skip(&cursor, 8);
	if (type & PERF_SAMPLE_CPU) {
		sample->cpu = take_u32(&cursor);
		skip(&cursor, 4);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = take_u64(&cursor);
	return length;
}
