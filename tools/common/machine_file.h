/* SPDX-License-Identifier: MIT */
/*
 * Machine files: a machine as `smile doctor --machine` writes it, and `smile run --machine` reads
 * it; JSON, schema smile.machine/1, which smile-run(1) documents.
 *
 * What lives here: reading and writing of machine files. May use the machine's models and jansson.
 */
#ifndef TOOLS_COMMON_MACHINE_FILE_H
#define TOOLS_COMMON_MACHINE_FILE_H

#include <jansson.h>

#include "emu/machine/machine.h"
#include "emu/machine/model.h"

#define MACHINE_FILE_TEXT 128

/**
 * struct machine_file - A machine that is read from a file.
 * @model: the machine; its texts point to the members below, and its latency is NULL
 * @latency: its latency model; its pairs point to @pairs
 * @pairs: cycles of reads
 * @name: name of the machine, and of its latency model
 * @source: origin of its numbers
 */
struct machine_file {
	struct machine_model model;
	struct latency_model latency;
	uint32_t pairs[MACHINE_NODES_MAX * MACHINE_NODES_MAX];
	char name[MACHINE_FILE_TEXT];
	char source[MACHINE_FILE_TEXT];
};

/**
 * machine_file_read() - Read a machine file.
 * @file: receives the machine; must not be moved or copied
 *
 * Return: 0; -1 after a message.
 */
int machine_file_read(struct machine_file *file, const char *path);

/**
 * machine_file_json() - Make the document of a machine of @nodes nodes.
 * @latency_ns: latencies of reads, by node and home; shape [@nodes][@nodes]
 *
 * Return: a new reference; NULL without memory.
 */
json_t *machine_file_json(const char *name, const char *source, unsigned nodes, unsigned mhz,
			  const double *latency_ns, const struct caches_shape *caches);

#endif /* TOOLS_COMMON_MACHINE_FILE_H */
