/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the properties of this machine that sampling needs.
 *
 * What lives here: its nodes, the node of each processor, and whether the kernel balances memory.
 * May use system calls; /proc and /sys are read below SAMPLE_ROOT, if that is in the environment.
 */
#ifndef RUN_SAMPLE_HOST_H
#define RUN_SAMPLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable with the path of a directory that replaces /, for tests. */
#define SAMPLE_ROOT "SMILE_SAMPLE_ROOT"

#define SAMPLE_NODES_MAX 64U /* node numbers in a recording's counts are below this limit */
#define SAMPLE_CPUS_MAX 8192U
#define SAMPLE_NODE_NONE 255U

/**
 * struct sample_host - The machine.
 * @nodes: numbers of the nodes that are on line, ascending; shape [@count]
 * @count: number of nodes
 * @of_cpu: node of each processor; SAMPLE_NODE_NONE: not known
 */
struct sample_host {
	uint8_t nodes[SAMPLE_NODES_MAX];
	unsigned count;
	uint8_t of_cpu[SAMPLE_CPUS_MAX];
};

/*
 * Read the first line of a system file, without its line end. Return: whether the file has a line;
 * otherwise @text is ""
 */
bool sample_line(char *text, size_t bytes, const char *path);

/**
 * sample_list() - Read the numbers of a list such as "0-3,5".
 * @list: the list
 * @set: shape [@size]; receives for each number whether the list has it
 *
 * Return: how many numbers the list has; negative if it is not a list, or a number is @size or
 * more.
 */
int sample_list(const char *list, bool *set, size_t size);

/* Find the processors that are on line now. @online: shape [SAMPLE_CPUS_MAX] */
void sample_cpus_online(bool *online);

/**
 * sample_host_nodes() - Read the nodes of the machine.
 * @host: receives them
 * @why: receives what is missing for samples, and the remedy, @why_bytes long
 *
 * Return: 0: the machine has several nodes.
 * Errors: -ENODEV, with @why.
 */
int sample_host_nodes(struct sample_host *host, char *why, size_t why_bytes);

/**
 * sample_host_balances() - Does the kernel balance memory, so that page faults show which node
 * accesses which page?
 *
 * Return: 0.
 * Errors: -ENODEV, with @why.
 */
int sample_host_balances(char *why, size_t why_bytes);

#endif /* RUN_SAMPLE_HOST_H */
