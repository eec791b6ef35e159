// SPDX-License-Identifier: MIT
/* run/sample: gets properties of this machine. See host.h. */
#include "run/sample/host.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALANCING "/proc/sys/kernel/numa_balancing"
/*
 * The bit of /proc/sys/kernel/numa_balancing which means that memory moves to the node that uses
 * it.
 */
#define BALANCING_NORMAL 1

bool sample_line(char *text, size_t bytes, const char *path)
{
	const char *root = getenv(SAMPLE_ROOT);
	char whole[PATH_MAX];
	FILE *file;

	*text = '\0';
	snprintf(whole, sizeof(whole), "%s%s", root ? root : "", path);
	file = fopen(whole, "re");
	if (!file)
		return false;
	if (!fgets(text, (int)bytes, file))
		*text = '\0';
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return *text != '\0';
}

int sample_list(const char *list, bool *set, size_t size)
{
	int count = 0;
	char *end;

	memset(set, 0, size * sizeof(*set));
	while (*list) {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*list < '0' || *list > '9')
			return -EINVAL;
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			last = strtoul(end + 1, &end, 10);
		if (last < first || last >= size || (*end && *end != ','))
			return -EINVAL;
		for (; first <= last; first++) {
			count += !set[first];
			set[first] = true;
		}
		list = *end ? end + 1 : end;
	}
	return count;
}

void sample_cpus_online(bool *online)
{
	char text[4096];

	if (!sample_line(text, sizeof(text), "/sys/devices/system/cpu/online") ||
	    sample_list(text, online, SAMPLE_CPUS_MAX) <= 0) {
		memset(online, 0, SAMPLE_CPUS_MAX * sizeof(*online));
		online[0] = true;
	}
}

/*
 * Find the processors of a node. Return: 0; -EINVAL if the kernel's list of processors is invalid.
 */
static int node_find(struct sample_host *host, unsigned node)
{
	static bool cpus[SAMPLE_CPUS_MAX];
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
	/* The list is empty if the node has memory, but no processors. */
	if (sample_line(text, sizeof(text), path) && sample_list(text, cpus, SAMPLE_CPUS_MAX) < 0)
		return -EINVAL;
	for (unsigned cpu = 0; *text && cpu < SAMPLE_CPUS_MAX; cpu++)
		if (cpus[cpu])
			host->of_cpu[cpu] = (uint8_t)node;
	host->nodes[host->count++] = (uint8_t)node;
	return 0;
}

int sample_host_balances(char *why, size_t bytes)
{
	char text[64];

	if (!sample_line(text, sizeof(text), BALANCING)) {
		snprintf(why, bytes,
			 "this kernel does not balance memory between nodes (it has no " BALANCING
			 "): there are no page faults to sample");
		return -ENODEV;
	}
	if (!(atoi(text) & BALANCING_NORMAL)) {
		snprintf(why, bytes,
			 "the kernel's balancing of memory is off: there are no page faults to "
			 "sample; sudo sysctl kernel.numa_balancing=1 switches it on for all "
			 "programs; the kernel may then move their pages");
		return -ENODEV;
	}
	return 0;
}

int sample_host_nodes(struct sample_host *host, char *why, size_t why_bytes)
{
	bool nodes[SAMPLE_NODES_MAX];
	char text[4096];
	int count = 0;

	*host = (struct sample_host){.count = 0};
	memset(host->of_cpu, SAMPLE_NODE_NONE, sizeof(host->of_cpu));
	if (sample_line(text, sizeof(text), "/sys/devices/system/node/online"))
		count = sample_list(text, nodes, SAMPLE_NODES_MAX);
	for (unsigned node = 0; count > 0 && node < SAMPLE_NODES_MAX; node++)
		if (nodes[node] && node_find(host, node) < 0)
			count = -EINVAL;
	if (count < 0) {
		snprintf(why, why_bytes,
			 "the machine's nodes cannot be read: a list in /sys/devices/system/node "
			 "is malformed, or has a node above %u or a processor above %u",
			 SAMPLE_NODES_MAX - 1, SAMPLE_CPUS_MAX - 1);
		return -ENODEV;
	}
	if (count < 2) {
		snprintf(why, why_bytes,
			 "this machine has only one node, so no data can be on a wrong node; "
			 "`smile run` emulates a machine with several nodes");
		return -ENODEV;
	}
	return 0;
}
