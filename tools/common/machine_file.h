/* SPDX-License-Identifier: MIT */
/*
 * Machine files: a machine as `smile doctor --machine` writes it, and `smile run --machine` reads
 * it; JSON, schema smile.machine/1, which smile-run(1) documents.
 *
 * What lives here: both directions. May use the machine's models and jansson.
 */
#ifndef TOOLS_COMMON_MACHINE_FILE_H
#define TOOLS_COMMON_MACHINE_FILE_H

#include <jansson.h>

#include "emu/machine/machine.h"
#include "emu/machine/model.h"

#define MACHINE_FILE_TEXT 128

/**
 * struct machine_file - A machine that is in no table.
 * @model: the machine; its texts are those below, and NULL is its latency
 * @latency: its latency model; its pairs are those below
 * @pairs: cycles of reads
 * @name: of the machine, and of its latency model
 * @source: where its numbers come from
 */
struct machine_file {
	struct machine_model model;
	struct latency_model latency;
	uint32_t pairs[MACHINE_NODES_MAX * MACHINE_NODES_MAX];
	char name[MACHINE_FILE_TEXT];
	char source[MACHINE_FILE_TEXT];
};

/**
 * machine_file_read() - Read one.
 * @file: receives it; it must stay where it is
 *
 * Return: 0; -1 after a message.
 */
int machine_file_read(struct machine_file *file, const char *path);

/**
 * machine_file_json() - The document of a machine of @nodes nodes.
 * @latency_ns: of reads, by node and home; shape [@nodes][@nodes]
 *
 * Return: a new reference; NULL without memory.
 */
json_t *machine_file_json(const char *name, const char *source, unsigned nodes, unsigned mhz,
			  const double *latency_ns, const struct caches_shape *caches);

#endif /* TOOLS_COMMON_MACHINE_FILE_H */
