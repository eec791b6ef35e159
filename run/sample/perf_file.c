// SPDX-License-Identifier: MIT
/* run/sample: reads a perf.data file. See perf_file.h. */
#include "run/sample/perf_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MAGIC 0x32454c4946524550ULL /* "PERFILE2" */
/* the first bytes of files that were written before 2010: "PERFFILE" */
#define MAGIC_1 0x454c494646524550ULL
#define PIPE_HEADER_BYTES 16U
#define EVENTS_MAX 4096U
#define IDS_MAX (1U << 20)

/*
 * The types of the records that perf itself writes. The records of the kernel have smaller numbers.
 */
#define RECORD_HEADER_ATTR 64U
#define RECORD_AUXTRACE_INFO 70U
#define RECORD_AUXTRACE 71U
#define RECORD_COMPRESSED 81U
#define RECORD_COMPRESSED2 83U
#define AUXTRACE_ARM_SPE 4U

struct file_header {
	uint64_t magic;
	uint64_t size;
	uint64_t attr_size;
	struct perf_file_section attrs;
	struct perf_file_section data;
	struct perf_file_section event_types;
	uint64_t features[4];
};

/**
 * struct perf_file_id - The event that has an id.
 * @key: id plus one
 * @event: index of the event
 */
struct perf_file_id {
	uint64_t key;
	uint64_t event;
};

static int fail(int error, char *why, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int fail(int error, char *why, size_t bytes, const char *format, ...)
{
	va_list rest;

	va_start(rest, format);
	vsnprintf(why, bytes, format, rest);
	va_end(rest);
	return error;
}

static int no_memory(char *why, size_t bytes)
{
	return fail(-ENOMEM, why, bytes, "no memory");
}

bool perf_file_read(struct perf_file *file, uint64_t offset, void *to, size_t bytes)
{
	return offset <= INT64_MAX && !fseeko(file->in, (off_t)offset, SEEK_SET) &&
	       fread(to, 1, bytes, file->in) == bytes;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int ids_read(struct perf_file *file, const struct perf_file_section *section, size_t event)
{
	for (uint64_t i = 0; i < section->size / sizeof(uint64_t) && i < IDS_MAX; i++) {
		struct perf_file_id *entry;
		uint64_t id;

		if (!perf_file_read(file, section->offset + i * sizeof(id), &id, sizeof(id)))
			return -EPROTO;
		entry = id + 1 ? hash_table_add(&file->ids, id + 1, sizeof(*entry)) : NULL;
		if (!entry && id + 1)
			return -ENOMEM;
		if (entry)
			entry->event = event;
	}
	return 0;
}

/* Read an event. Ignore attributes that this code does not know. Return: 0 or -errno. */
static int event_read(struct perf_file *file, uint64_t offset, uint64_t attr_bytes, size_t index)
{
	struct perf_file_event *event = &file->events[index];
	struct perf_event_attr attr = {.type = 0};
	struct perf_file_section ids;
	size_t known = attr_bytes < sizeof(attr) ? (size_t)attr_bytes : sizeof(attr);

	if (!perf_file_read(file, offset, &attr, known) ||
	    !perf_file_read(file, offset + attr_bytes, &ids, sizeof(ids)))
		return -EPROTO;
	*event = (struct perf_file_event){
		.layout = {.sample_type = attr.sample_type,
			   .read_format = attr.read_format,
			   .branch_sample_type = attr.branch_sample_type,
			   .regs_user = attr.sample_regs_user,
			   .regs_intr = attr.sample_regs_intr,
			   .id_all = attr.sample_id_all},
		.period = attr.freq ? 0 : attr.sample_period,
	};
	return ids_read(file, &ids, index);
}

static bool layouts_equal(const struct perf_layout *a, const struct perf_layout *b)
{
	return a->sample_type == b->sample_type && a->read_format == b->read_format &&
	       a->branch_sample_type == b->branch_sample_type && a->regs_user == b->regs_user &&
	       a->regs_intr == b->regs_intr && a->id_all == b->id_all;
}

static int events_check(struct perf_file *file, char *why, size_t why_bytes)
{
	bool identified = true;

	file->alike = true;
	for (size_t i = 0; i < file->event_count; i++) {
		const struct perf_layout *layout = &file->events[i].layout;

		if (!perf_layout_known(layout))
			return fail(-EOPNOTSUPP, why, why_bytes,
				    "its samples hold fields that are not known here (sample_type "
				    "0x%" PRIx64 "): record with fewer options of `perf record`",
				    layout->sample_type);
		file->alike = file->alike && layouts_equal(layout, &file->events[0].layout);
		identified = identified && layout->sample_type & PERF_SAMPLE_IDENTIFIER;
	}
	if (!file->alike && !identified)
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "its events have samples of different forms, which do not name their "
			    "event: record them with one option -e, or with a newer perf");
	return 0;
}

static int events_read(struct perf_file *file, const struct file_header *header, char *why,
		       size_t why_bytes)
{
	uint64_t count = header->attr_size ? header->attrs.size / header->attr_size : 0;
	int failed = 0;

	if (header->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct perf_file_section) || !count ||
	    count > EVENTS_MAX || header->attr_size > PERF_FILE_RECORD_BYTES)
		return fail(-EPROTO, why, why_bytes, "its list of events is damaged");
	file->events = calloc(count, sizeof(*file->events));
	if (!file->events)
		return no_memory(why, why_bytes);
	file->event_count = count;
	for (size_t i = 0; i < count && !failed; i++)
		failed = event_read(file, header->attrs.offset + i * header->attr_size,
				    header->attr_size - sizeof(struct perf_file_section), i);
	if (failed == -ENOMEM)
		return no_memory(why, why_bytes);
	if (failed)
		return fail(-EPROTO, why, why_bytes, "its list of events is cut off");
	return events_check(file, why, why_bytes);
}

/* Find the event that has an id. Return: the event; NULL if no event has the id. */
static struct perf_file_event *event_of(struct perf_file *file, uint64_t id)
{
	const struct perf_file_id *found =
		id + 1 ? hash_table_find(&file->ids, id + 1, sizeof(*found)) : NULL;

	if (found)
		return &file->events[found->event];
	return file->event_count == 1 ? &file->events[0] : NULL;
}

/* ---- the header ------------------------------------------------------------------------------ */

static int header_check(const struct file_header *header, char *why, size_t why_bytes)
{
	if (header->magic == __builtin_bswap64(MAGIC))
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "it was recorded on a machine with another byte order: only files of "
			    "x86-64 are read");
	if (header->magic == MAGIC_1)
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "it has perf's first format: record it with a newer perf");
	if (header->magic != MAGIC)
		return fail(-EPROTO, why, why_bytes,
			    "it is not a perf.data file: `perf mem record -o FILE` writes one");
	if (header->size == PIPE_HEADER_BYTES)
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "it was written to a pipe: record to a file, with -o FILE in place of "
			    "-o -");
	if (header->size < sizeof(*header))
		return fail(-EPROTO, why, why_bytes, "its header is damaged");
	return 0;
}

static int opened(struct perf_file *file, const struct file_header *header, char *why,
		  size_t why_bytes)
{
	uint64_t size;

	if (fseeko(file->in, 0, SEEK_END) || ftello(file->in) < 0)
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "it is not seekable: give a file, not a pipe");
	size = (uint64_t)ftello(file->in);
	file->at = header->data.offset;
	if (file->at > size)
		file->at = size;
	file->end = size;
	if (!header->data.size)
		/* perf writes the size only when it ends, so perf was killed. */
		file->missing = UINT64_MAX;
	else if (header->data.size > size - file->at)
		file->missing = header->data.size - (size - file->at);
	else
		file->end = file->at + header->data.size;
	if (!file->missing &&
	    perf_features_read(file, header->features, file->at + header->data.size) < 0)
		return no_memory(why, why_bytes);
	return 0;
}

int perf_file_open(struct perf_file *file, FILE *in, char *why, size_t why_bytes)
{
	struct file_header header = {.magic = 0};
	size_t got;
	int failed;

	memset(file, 0, sizeof(*file));
	file->in = in;
	memset(file->host.of_cpu, SAMPLE_NODE_NONE, sizeof(file->host.of_cpu));
	got = fread(&header, 1, sizeof(header), in);
	if (got < PIPE_HEADER_BYTES)
		return fail(-EPROTO, why, why_bytes,
			    "it is not a perf.data file: `perf mem record -o FILE` writes one");
	failed = header_check(&header, why, why_bytes);
	if (failed)
		return failed;
	if (got < sizeof(header))
		return fail(-EPROTO, why, why_bytes, "it ends within its header");
	failed = events_read(file, &header, why, why_bytes);
	return failed ? failed : opened(file, &header, why, why_bytes);
}

void perf_file_close(struct perf_file *file)
{
	for (size_t i = 0; i < file->build_count; i++)
		free(file->builds[i].path);
	free(file->builds);
	for (size_t i = 0; i < file->memory_count; i++)
		free(file->memory[i].blocks);
	free(file->events);
	free(file->socket_of);
	hash_table_free(&file->ids);
}

/* ---- records --------------------------------------------------------------------------------- */

static uint64_t u64_at(const unsigned char *body, size_t at)
{
	uint64_t value;

	memcpy(&value, body + at, sizeof(value));
	return value;
}

static uint32_t u32_at(const unsigned char *body, size_t at)
{
	uint32_t value;

	memcpy(&value, body + at, sizeof(value));
	return value;
}

/*
 * Get the text at offset @at of a record. Return: the text; NULL if the text does not end within
 * the record.
 */
static const char *text_at(const unsigned char *body, size_t at, size_t bytes)
{
	return at < bytes && memchr(body + at, 0, bytes - at) ? (const char *)body + at : NULL;
}

static void sample_take(struct perf_file *file, struct perf_file_record *record,
			const unsigned char *body, size_t bytes)
{
	struct perf_file_event *event = &file->events[0];

	if (!file->alike)
		event = bytes >= sizeof(uint64_t) ? event_of(file, u64_at(body, 0)) : NULL;
	if (!event || perf_sample_read(&event->layout, body, bytes, &record->sample) < 0) {
		record->kind = PERF_FILE_MALFORMED;
		return;
	}
	record->kind = PERF_FILE_SAMPLE;
	record->time_ns = record->sample.time_ns;
	record->pid = record->sample.pid;
	record->event = event_of(file, record->sample.id);
	if (!(event->layout.sample_type & PERF_SAMPLE_PERIOD) && record->event)
		record->sample.period = record->event->period;
	if (record->event) {
		record->event->samples++;
		record->event->periods += (double)record->sample.period;
	}
}

/*
 * Read PERF_RECORD_MMAP or PERF_RECORD_MMAP2. PERF_RECORD_MMAP2 has, in addition, the inode number
 * or the build of the file, the protection and the flags.
 */
static void mapping_take(struct perf_file_record *record, const struct perf_event_header *header,
			 const unsigned char *body, size_t bytes)
{
	const bool second = header->type == PERF_RECORD_MMAP2;
	const size_t name_at = second ? 64 : 32;
	const uint32_t protection = second && bytes >= name_at ? u32_at(body, 56) : 0;
	const uint32_t flags = second && bytes >= name_at ? u32_at(body, 60) : MAP_PRIVATE;
	const bool data = header->misc & PERF_RECORD_MISC_MMAP_DATA;

	record->name = text_at(body, name_at, bytes);
	if (!record->name)
		return;
	record->kind = PERF_FILE_MAPPING;
	record->pid = u32_at(body, 0);
	record->address = u64_at(body, 8);
	record->bytes = u64_at(body, 16);
	record->offset = u64_at(body, 24);
	memcpy(record->flags, "r--p", sizeof(record->flags));
	if (second ? (protection & PROT_WRITE) != 0 : data)
		record->flags[1] = 'w';
	if (second ? (protection & PROT_EXEC) != 0 : !data)
		record->flags[2] = 'x';
	if (flags & MAP_SHARED)
		record->flags[3] = 's';
}

static void name_take(struct perf_file_record *record, const struct perf_event_header *header,
		      const unsigned char *body, size_t bytes)
{
	record->name = text_at(body, 8, bytes);
	/*
	 * Ignore the names of other threads: only the name of the first thread is the name of the
	 * process.
	 */
	if (!record->name || u32_at(body, 0) != u32_at(body, 4))
		return;
	record->kind =
		header->misc & PERF_RECORD_MISC_COMM_EXEC ? PERF_FILE_EXECUTES : PERF_FILE_NAME;
	record->pid = u32_at(body, 0);
}

static void kernel_record_take(struct perf_file *file, struct perf_file_record *record,
			       const struct perf_event_header *header, unsigned char *body,
			       size_t bytes)
{
	const struct perf_layout *layout = &file->events[0].layout;
	struct sample said;
	size_t end;

	if (!file->alike && layout->id_all && bytes >= sizeof(uint64_t)) {
		const struct perf_file_event *event =
			event_of(file, u64_at(body, bytes - sizeof(uint64_t)));

		/* Records that perf itself has made have the id 0. */
		layout = event ? &event->layout : layout;
	}
	end = bytes - perf_record_id(layout, body, bytes, &said);
	record->time_ns = said.time_ns;
	if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
		mapping_take(record, header, body, end);
	else if (header->type == PERF_RECORD_COMM)
		name_take(record, header, body, end);
	else if (header->type == PERF_RECORD_FORK && end >= 24) {
		record->kind = PERF_FILE_FORK;
		record->pid = u32_at(body, 0);
		record->parent = u32_at(body, 4);
		record->time_ns = u64_at(body, 16);
	} else if (header->type == PERF_RECORD_LOST && end >= 16) {
		record->kind = PERF_FILE_LOST;
		record->lost = u64_at(body, 8);
	} else if (header->type == PERF_RECORD_LOST_SAMPLES && end >= 8) {
		record->kind = PERF_FILE_LOST;
		record->lost = u64_at(body, 0);
	} else if (header->type == PERF_RECORD_THROTTLE) {
		record->kind = PERF_FILE_THROTTLED;
	}
}

/*
 * Handle a file that was cut off at the present position. Add the number of missing bytes to
 * file->missing. Return: 0, which means the end of the file.
 */
static int cut_off(struct perf_file *file)
{
	if (file->missing != UINT64_MAX)
		file->missing += file->end - file->at;
	file->at = file->end;
	return 0;
}

int perf_file_next(struct perf_file *file, struct perf_file_record *record, char *why,
		   size_t why_bytes)
{
	struct perf_event_header header;
	unsigned char *body = file->record;
	uint64_t left = file->end - file->at;
	size_t bytes;

	*record = (struct perf_file_record){.kind = PERF_FILE_OTHER};
	if (!left)
		return 0;
	if (left < sizeof(header) || !perf_file_read(file, file->at, &header, sizeof(header)))
		return cut_off(file);
	if (header.size < sizeof(header))
		return fail(-EPROTO, why, why_bytes,
			    "it is damaged: the record at byte %" PRIu64 " has an impossible size",
			    file->at);
	bytes = header.size - sizeof(header);
	if (header.size > left || fread(body, 1, bytes, file->in) != bytes)
		return cut_off(file);
	if (header.type == RECORD_COMPRESSED || header.type == RECORD_COMPRESSED2)
		return fail(-EOPNOTSUPP, why, why_bytes,
			    "its records are compressed: record without -z");
	/*
	 * Packets of Arm SPE are not decoded here, because the meaning of a data source in them
	 * depends on the processor. perf has a list of meanings for each processor.
	 */
	if (header.type == RECORD_AUXTRACE_INFO && bytes >= sizeof(uint32_t) &&
	    u32_at(body, 0) == AUXTRACE_ARM_SPE)
		return fail(
			-EOPNOTSUPP, why, why_bytes,
			"it has packets of Arm SPE: let perf convert them to samples by `perf "
			"inject --itrace=M -i FILE -o OTHER`, on any machine, then --import OTHER");
	file->at += header.size;
	if (header.type == RECORD_AUXTRACE && bytes >= sizeof(uint64_t)) {
		/* Skip the data that follows the record. The record has the size of this data. */
		if (u64_at(body, 0) > file->end - file->at)
			return cut_off(file);
		file->at += u64_at(body, 0);
	}
	if (header.type == PERF_RECORD_SAMPLE)
		sample_take(file, record, body, bytes);
	else if (header.type < RECORD_HEADER_ATTR)
		kernel_record_take(file, record, &header, body, bytes);
	return 1;
}
