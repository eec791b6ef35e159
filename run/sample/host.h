/* SPDX-License-Identifier: MIT */
/*
 * run/sample: this machine, as far as sampling needs it.
 *
 * What lives here: its nodes, the node of each processor, and whether the kernel balances memory.
 * May use system calls; /proc and /sys are taken from SAMPLE_ROOT, if that is in the environment.
 */
#ifndef RUN_SAMPLE_HOST_H
#define RUN_SAMPLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable that names a directory to use in place of /, for tests. */
#define SAMPLE_ROOT "SMILE_SAMPLE_ROOT"

#define SAMPLE_NODES_MAX 64U /* node numbers of a recording's counts are below it */
#define SAMPLE_CPUS_MAX 8192U
#define SAMPLE_NODE_NONE 255U

/**
 * struct sample_host - The machine.
 * @nodes: numbers of the nodes that are on line, ascending; shape [@count]
 * @count: how many
 * @of_cpu: node of each processor; SAMPLE_NODE_NONE: not known
 */
struct sample_host {
	uint8_t nodes[SAMPLE_NODES_MAX];
	unsigned count;
	uint8_t of_cpu[SAMPLE_CPUS_MAX];
};

/* The first line of a system file, without its end. Return: whether there is one; else "" */
bool sample_line(char *text, size_t bytes, const char *path);

/**
 * sample_list() - The numbers of a list such as "0-3,5".
 * @list: the list
 * @set: shape [@size]; receives whether each is in it
 *
 * Return: how many are; negative if it is no list, or a number is @size or more.
 */
int sample_list(const char *list, bool *set, size_t size);

/* Which processors are on line now. @online: shape [SAMPLE_CPUS_MAX] */
void sample_cpus_online(bool *online);

/**
 * sample_host_nodes() - Look at the machine.
 * @host: receives it
 * @why: receives what is missing for samples, and the remedy, @why_bytes long
 *
 * Return: 0: it has several nodes.
 * Errors: -ENODEV, with @why.
 */
int sample_host_nodes(struct sample_host *host, char *why, size_t why_bytes);

/**
 * sample_host_balances() - Does the kernel balance memory, so that page faults tell which node
 * accesses which page?
 *
 * Return: 0.
 * Errors: -ENODEV, with @why.
 */
int sample_host_balances(char *why, size_t why_bytes);

#endif /* RUN_SAMPLE_HOST_H */
