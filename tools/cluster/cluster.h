/* SPDX-License-Identifier: MIT */
/*
 * smile cluster: guests in QEMU, each with an adapter, a card and their drivers, run one program.
 *
 * What lives here: what its files share. cluster.c has the options and the run as a whole,
 * image.c what is booted, latency.c --latency, archive.c the archive that brings the program into
 * the guests, node.c one guest. May use: tools/common/, emu/machine/latency.h, libc.
 */
#ifndef TOOLS_CLUSTER_CLUSTER_H
#define TOOLS_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define CLUSTER_NODES_MAX 64

/**
 * struct cluster_latency - Modelled latency of accesses to other nodes, ns; 0: none.
 */
struct cluster_latency {
	uint32_t read_ns;
	uint32_t write_ns;
	uint32_t lock_ns;
};

/**
 * struct cluster - What is run.
 * @nodes: how many
 * @output: prefix of the recordings; NULL: none
 * @card: more properties of the cards; NULL: none
 * @adapter: more properties of the adapters; NULL: none
 * @latency: of accesses to other nodes
 * @share: a directory that is /host in all guests; NULL: none
 * @shell: a shell on node 0 instead of a program
 * @memory_mb: of each guest
 * @command: the program and its arguments, up to a NULL
 * @kernel, @image, @plugin: what is booted; allocated
 * @directory: of this run, temporary; allocated
 */
struct cluster {
	uint32_t nodes;
	const char *output;
	const char *card;
	const char *adapter;
	struct cluster_latency latency;
	const char *share;
	bool shell;
	uint32_t memory_mb;
	char **command;
	char *kernel;
	char *image;
	char *plugin;
	char *directory;
};

/* ---- latency.c ---- */

/* --latency: [NS|MODEL][,read=NS][,write=NS][,lock=NS]. Return: 0; -1 after a message. */
int latency_parse(struct cluster_latency *latency, const char *text);

/* The models, for the help text. */
void latency_models_print(void);

/* ---- image.c ---- */

/**
 * image_find() - Find kernel, image and plug-in.
 * @given: --guest; NULL: where they are installed, or built
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_find(struct cluster *cluster, const char *given);

/**
 * image_make() - Make the file that the guests boot from: the image, with the program in it.
 * @path: of the file, in the run's directory
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int image_make(const struct cluster *cluster, const char *path);

/* ---- archive.c: cpio, as the kernel unpacks it ---- */

/* A file, or, of @bytes of @data, one that is made here. Return: 0 or -errno. */
int archive_file(FILE *to, const char *name, const char *path);
int archive_data(FILE *to, const char *name, const void *data, size_t bytes);
int archive_end(FILE *to);

/* ---- node.c ---- */

/**
 * struct node - One guest.
 * @id: its number
 * @qemu: the process; 0: none, or it has ended
 * @out, @error: what the program writes comes from here; -1: its end was seen
 * @line, @error_line: of what was read, the beginning of a line
 * @line_bytes, @error_bytes: how long that is
 * @status: the program's exit status; -1: the guest has not reported it
 */
struct node {
	uint32_t id;
	pid_t qemu;
	int out;
	int error;
	char line[4096];
	char error_line[4096];
	size_t line_bytes;
	size_t error_bytes;
	int status;
};

/* Start a guest. Return: TOOL_OK; TOOL_ERROR after a message. */
int node_start(struct node *node, const struct cluster *cluster, const char *initrd);

/* Pass on what has come from @descriptor, which is one of the node's. */
void node_read(struct node *node, int descriptor);

/* It has ended: say why, if that was not as it should be. Return: its exit status. */
int node_finish(struct node *node, const struct cluster *cluster);

/* End it at once. */
void node_kill(struct node *node);

#endif /* TOOLS_CLUSTER_CLUSTER_H */
