// SPDX-License-Identifier: MIT
/*
 * run/sample: reads the features of a perf.data file, which describe the machine, the events and
 * the program's files. See perf_file.h.
 */
#include "run/sample/perf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

/* The numbers of features. Each number is also the number of a bit of the header. */
#define FEATURE_BUILD_ID 2U
#define FEATURE_HOSTNAME 3U
#define FEATURE_ARCH 6U
#define FEATURE_NRCPUS 7U
#define FEATURE_CMDLINE 11U
#define FEATURE_EVENT_DESC 12U
#define FEATURE_CPU_TOPOLOGY 13U
#define FEATURE_NUMA_TOPOLOGY 14U
#define FEATURE_MEM_TOPOLOGY 22U
#define FEATURES 256U

#define FEATURE_BYTES_MAX (64U << 20) /* The list of builds may be long. */

/*
 * The offsets of fields in a build_id_event. Its fields, with their sizes in bytes, are: header
 * (8), process (4), build (20), size of the build (1), zeros (3), name.
 */
#define BUILD_AT 12U
#define BUILD_SIZE_AT 32U
#define BUILD_NAME_AT 36U
#define BUILD_BYTES 20U
#define BUILD_HAS_SIZE (1U << 15) /* bit of header.misc */

/**
 * struct feature - The bytes of a feature that were not read yet.
 * @at: the next byte
 * @left: number of bytes that were not read yet
 * @failed: the feature is too short
 */
struct feature {
	const unsigned char *at;
	size_t left;
	bool failed;
};

static const unsigned char *take(struct feature *feature, uint64_t bytes)
{
	const unsigned char *at = feature->at;

	if (feature->failed || bytes > feature->left) {
		feature->failed = true;
		return NULL;
	}
	feature->at += bytes;
	feature->left -= (size_t)bytes;
	return at;
}

static uint32_t take_u32(struct feature *feature)
{
	const unsigned char *at = take(feature, sizeof(uint32_t));
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

/* Read a text. Return: the text; "" if the text does not end within its bytes. */
static const char *take_text(struct feature *feature)
{
	uint32_t bytes = take_u32(feature);
	const unsigned char *at = take(feature, bytes);

	return at && memchr(at, 0, bytes) ? (const char *)at : "";
}

static void text_read(struct feature *feature, char *to, size_t bytes)
{
	snprintf(to, bytes, "%s", take_text(feature));
}

static void events_describe(struct perf_file *file, struct feature *feature)
{
	uint32_t count = take_u32(feature), attr_bytes = take_u32(feature);

	for (uint32_t i = 0; i < count && i < file->event_count && !feature->failed; i++) {
		uint32_t ids;

		take(feature, attr_bytes);
		ids = take_u32(feature);
		text_read(feature, file->events[i].name, sizeof(file->events[i].name));
		take(feature, (uint64_t)ids * sizeof(uint64_t));
	}
}

/*
 * Read the sockets of the processors. The feature has two lists of texts before them, which are not
 * needed here.
 */
static void topology_read(struct perf_file *file, struct feature *feature)
{
	size_t count;

	for (unsigned list = 0; list < 2; list++)
		for (uint32_t texts = take_u32(feature); texts && !feature->failed; texts--)
			take_text(feature);
	/* In newer files, more data follows the sockets, so limit the number of sockets. */
	count = feature->left / 8 < file->socket_count ? feature->left / 8 : file->socket_count;
	if (feature->failed || !count || count > SAMPLE_CPUS_MAX)
		count = 0;
	free(file->socket_of);
	file->socket_of = count ? calloc(count, sizeof(*file->socket_of)) : NULL;
	file->socket_count = file->socket_of ? count : 0;
	for (size_t cpu = 0; cpu < file->socket_count; cpu++) {
		take_u32(feature);
		file->socket_of[cpu] = take_u32(feature);
	}
}

static bool node_read(struct sample_host *host, struct feature *feature)
{
	static bool cpus[SAMPLE_CPUS_MAX];
	uint32_t node = take_u32(feature);
	const char *list;

	take(feature, 16); /* skip the size of the node's memory */
	list = take_text(feature);
	if (feature->failed || node >= SAMPLE_NODES_MAX || host->count == SAMPLE_NODES_MAX ||
	    (host->count && host->nodes[host->count - 1] >= node) ||
	    sample_list(list, cpus, SAMPLE_CPUS_MAX) < 0)
		return false;
	for (unsigned cpu = 0; cpu < SAMPLE_CPUS_MAX; cpu++)
		if (cpus[cpu])
			host->of_cpu[cpu] = (uint8_t)node;
	host->nodes[host->count++] = (uint8_t)node;
	return true;
}

static void nodes_read(struct perf_file *file, struct feature *feature)
{
	uint32_t count = take_u32(feature);

	for (uint32_t i = 0; i < count; i++)
		if (!node_read(&file->host, feature)) {
			file->host.count = 0;
			return;
		}
}

static uint64_t take_u64(struct feature *feature)
{
	uint64_t low = take_u32(feature);

	return low | (uint64_t)take_u32(feature) << 32;
}

/*
 * Read which blocks of memory belong to a node. There is one bit for each block. Return: 1; 0 if
 * the feature is damaged; -ENOMEM.
 */
static int node_memory_read(struct perf_file *file, struct feature *feature)
{
	struct perf_file_memory memory = {.node = (uint32_t)take_u64(feature)};
	const unsigned char *bits;
	uint64_t words;

	take_u64(feature); /* The number of bits. The next field has the same number. */
	memory.count = take_u64(feature);
	words = memory.count / 64 + !!(memory.count % 64);
	bits = take(feature, words <= FEATURE_BYTES_MAX ? words * sizeof(uint64_t) : UINT64_MAX);
	if (!bits || !words || memory.node >= SAMPLE_NODES_MAX ||
	    file->memory_count == SAMPLE_NODES_MAX)
		return 0;
	memory.blocks = malloc(words * sizeof(*memory.blocks));
	if (!memory.blocks)
		return -ENOMEM;
	memcpy(memory.blocks, bits, words * sizeof(*memory.blocks));
	file->memory[file->memory_count++] = memory;
	return 1;
}

static int memory_read(struct perf_file *file, struct feature *feature)
{
	uint64_t version = take_u64(feature), count;
	int got = version == 1;

	file->block_bytes = take_u64(feature);
	count = take_u64(feature);
	for (uint64_t i = 0; i < count && got > 0; i++)
		got = node_memory_read(file, feature);
	/* Do not use a feature that is incomplete. */
	if (got <= 0)
		file->block_bytes = 0;
	return got < 0 ? got : 0;
}

uint32_t perf_file_home(const struct perf_file *file, uint64_t physical)
{
	uint64_t block = file->block_bytes ? physical / file->block_bytes : 0;

	for (size_t i = 0; i < file->memory_count && file->block_bytes && physical; i++)
		if (block < file->memory[i].count &&
		    file->memory[i].blocks[block / 64] >> block % 64 & 1)
			return file->memory[i].node;
	return UINT32_MAX;
}

static int build_add(struct perf_file *file, const char *path, const unsigned char *build,
		     size_t bytes)
{
	struct perf_file_build *added;
	int length;

	if (array_reserve(&file->builds, &file->build_size, file->build_count, sizeof(*added)) < 0)
		return -ENOMEM;
	added = &file->builds[file->build_count];
	added->path = strdup(path);
	if (!added->path)
		return -ENOMEM;
	length = snprintf(added->build, sizeof(added->build), "build-id ");
	for (size_t i = 0; i < bytes; i++)
		length += snprintf(added->build + length, sizeof(added->build) - (size_t)length,
				   "%02x", build[i]);
	file->build_count++;
	return 0;
}

static int builds_read(struct perf_file *file, struct feature *feature)
{
	struct perf_event_header header;
	int failed = 0;

	while (!failed && feature->left > BUILD_NAME_AT) {
		const unsigned char *record = feature->at;
		size_t bytes = BUILD_BYTES;

		memcpy(&header, record, sizeof(header));
		if (header.size <= BUILD_NAME_AT || !take(feature, header.size) ||
		    !memchr(record + BUILD_NAME_AT, 0, header.size - BUILD_NAME_AT))
			break;
		if (header.misc & BUILD_HAS_SIZE && record[BUILD_SIZE_AT] <= BUILD_BYTES)
			bytes = record[BUILD_SIZE_AT];
		if (record[BUILD_NAME_AT] == '/' && bytes)
			failed = build_add(file, (const char *)record + BUILD_NAME_AT,
					   record + BUILD_AT, bytes);
	}
	return failed;
}

/*
 * Read the number of all processors, and the number of online processors. The documentation and the
 * code of perf disagree about the order of the two numbers, so the larger one counts as the number
 * of all processors. FEATURE_CPU_TOPOLOGY has the sockets of all processors.
 */
static void cpus_read(struct perf_file *file, struct feature *feature)
{
	uint32_t first = take_u32(feature), second = take_u32(feature);

	file->socket_count = first > second ? first : second;
}

static void command_line_read(struct perf_file *file, struct feature *feature)
{
	char *line = file->command_line;
	size_t length = 0;

	for (uint32_t words = take_u32(feature); words && !feature->failed; words--) {
		const char *word = take_text(feature);

		if (length < sizeof(file->command_line))
			length +=
				(size_t)snprintf(line + length, sizeof(file->command_line) - length,
						 "%s%s", length ? " " : "", word);
	}
}

static int feature_read(struct perf_file *file, unsigned number, struct feature *feature)
{
	switch (number) {
	case FEATURE_BUILD_ID:
		return builds_read(file, feature);
	case FEATURE_HOSTNAME:
		text_read(feature, file->hostname, sizeof(file->hostname));
		return 0;
	case FEATURE_ARCH:
		text_read(feature, file->arch, sizeof(file->arch));
		return 0;
	case FEATURE_NRCPUS:
		cpus_read(file, feature);
		return 0;
	case FEATURE_CMDLINE:
		command_line_read(file, feature);
		return 0;
	case FEATURE_EVENT_DESC:
		events_describe(file, feature);
		return 0;
	case FEATURE_CPU_TOPOLOGY:
		topology_read(file, feature);
		return 0;
	case FEATURE_NUMA_TOPOLOGY:
		nodes_read(file, feature);
		return 0;
	case FEATURE_MEM_TOPOLOGY:
		return memory_read(file, feature);
	default:
		return 0;
	}
}

int perf_features_read(struct perf_file *file, const uint64_t set[4], uint64_t offset)
{
	struct perf_file_section section;
	int failed = 0;

	for (unsigned number = 0; number < FEATURES && !failed; number++) {
		unsigned char *bytes;

		if (!(set[number / 64] >> number % 64 & 1))
			continue;
		if (!perf_file_read(file, offset, &section, sizeof(section)))
			break;
		offset += sizeof(section);
		if (!section.size || section.size > FEATURE_BYTES_MAX)
			continue;
		bytes = malloc(section.size);
		if (!bytes)
			return -ENOMEM;
		if (perf_file_read(file, section.offset, bytes, section.size))
			failed = feature_read(file, number,
					      &(struct feature){.at = bytes, .left = section.size});
		free(bytes);
	}
	/* If the sockets are missing, do not use the number of processors. */
	if (!file->socket_of)
		file->socket_count = 0;
	return failed;
}
