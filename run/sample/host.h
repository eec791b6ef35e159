/* SPDX-License-Identifier: MIT */
/*
 * run/sample: gets the properties of this machine that sampling needs.
 *
 * What lives here: the nodes of the machine, the node of each processor, and whether the kernel
 * balances memory between nodes. This file may use system calls. If the environment variable
 * SMILE_SAMPLE_ROOT names a directory, /proc and /sys are read below this directory.
 */
#ifndef RUN_SAMPLE_HOST_H
#define RUN_SAMPLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable with the path of a directory that replaces /, for tests. */
#define SAMPLE_ROOT "SMILE_SAMPLE_ROOT"

/* node numbers must be below this limit, because they have six bits in a key of counts */
#define SAMPLE_NODES_MAX 64U
#define SAMPLE_CPUS_MAX 8192U
#define SAMPLE_NODE_NONE 255U

/**
 * struct sample_host - The nodes of the machine.
 * @nodes: numbers of the nodes that are online, in ascending order; shape [@count]
 * @count: number of nodes
 * @of_cpu: node of each processor; SAMPLE_NODE_NONE: not known
 */
struct sample_host {
	uint8_t nodes[SAMPLE_NODES_MAX];
	unsigned count;
	uint8_t of_cpu[SAMPLE_CPUS_MAX];
};

/*
 * Read the first line of a file of /proc or /sys, without the newline. Return: true; false if the
 * file has no line, in which case @text is "".
 */
bool sample_line(char *text, size_t bytes, const char *path);

/**
 * sample_list() - Read a list of numbers such as "0-3,5".
 * @list: the list
 * @set: receives, for each number below @size, whether the list has the number
 *
 * Return: how many numbers the list has; a negative value if @list is not a list, or has a number
 * that is not below @size.
 */
int sample_list(const char *list, bool *set, size_t size);

/* Find the processors that are online. @online: shape [SAMPLE_CPUS_MAX]. */
void sample_cpus_online(bool *online);

/**
 * sample_host_nodes() - Find the nodes of the machine.
 * @host: receives the nodes
 * @why: after an error, receives the reason and the remedy; it has @why_bytes bytes
 *
 * Return: 0 if the machine has several nodes; otherwise an error.
 * Errors: -ENODEV, with @why.
 */
int sample_host_nodes(struct sample_host *host, char *why, size_t why_bytes);

/**
 * sample_host_balances() - Check that the kernel balances memory, so that its hint faults show
 * which node accesses which page.
 *
 * Return: 0 if the kernel balances memory; otherwise an error.
 */
int sample_host_balances(char *why, size_t why_bytes);

#endif /* RUN_SAMPLE_HOST_H */
