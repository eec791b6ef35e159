/* SPDX-License-Identifier: MIT */
/*
 * Machine files: the description of a machine that `smile doctor --machine` writes and `smile run
 * --machine` reads. The format is JSON, schema smile.machine/1; smile-run(1) documents it.
 *
 * What lives here: the reader and the writer of machine files. May use the machine's models and
 * jansson.
 */
#ifndef TOOLS_COMMON_MACHINE_FILE_H
#define TOOLS_COMMON_MACHINE_FILE_H

#include <jansson.h>

#include "emu/machine/machine.h"
#include "emu/machine/model.h"

#define MACHINE_FILE_TEXT 128

/**
 * struct machine_file - A machine that was read from a file.
 * @model: the machine. The texts of @model point to the members below, and its latency member is
 *         NULL
 * @latency: latency model of the machine; its pairs point to @pairs
 * @pairs: cycles of a read for each pair of nodes
 * @name: name of the machine and of its latency model
 * @source: origin of the machine's numbers
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
 * @file: receives the machine. It must not be moved or copied afterwards, because it contains
 *        pointers to its own members
 *
 * Return: 0; -1 after a message.
 */
int machine_file_read(struct machine_file *file, const char *path);

/**
 * machine_file_json() - Make the JSON document of a machine with @nodes nodes.
 * @latency_ns: latencies of reads, by node and home; shape [@nodes][@nodes]
 *
 * Return: a new reference; NULL if memory ran out.
 */
json_t *machine_file_json(const char *name, const char *source, unsigned nodes, unsigned mhz,
			  const double *latency_ns, const struct caches_shape *caches);

#endif /* TOOLS_COMMON_MACHINE_FILE_H */
