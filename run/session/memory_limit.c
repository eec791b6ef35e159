// SPDX-License-Identifier: MIT
/*
 * run/session: limits the memory for counts.
 *
 * What lives here: the amount of memory that the run may still allocate for counts, and the message
 * when no memory is left. Three limits apply: the system's free memory, the limit of the process
 * (ulimit -v), and the limits of its control groups.
 */
#include "run/session/session_inside.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define CGROUP_ROOT "/sys/fs/cgroup"
#define KB 1024U
#define MB 1048576

/*
 * Read the number that follows @name at the beginning of a line. If @name is "", read the first
 * number of the file. Return: true if the number was found.
 */
static bool file_number(const char *path, const char *name, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, name, strlen(name)) &&
			sscanf(line + strlen(name), "%" SCNu64, number) == 1;
	if (file)
		fclose(file);
	return found;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Get the amount of memory that a limit leaves. */
static uint64_t rest(uint64_t limit, uint64_t used)
{
	return limit > used ? limit - used : 0;
}

/*
 * Get the amount of memory that the limits of this control group and of its parents leave (cgroup
 * version 2).
 */
static uint64_t groups_leave(void)
{
	uint64_t left = UINT64_MAX, limit, used;
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[512], path[640], *group = NULL;

	while (file && !group && fgets(line, sizeof(line), file))
		if (!strncmp(line, "0::/", 4))
			group = line + 3;
	if (file)
		fclose(file);
	if (group)
		group[strcspn(group, "\n")] = '\0';
	while (group) {
		snprintf(path, sizeof(path), CGROUP_ROOT "%s/memory.max", group);
		if (file_number(path, "", &limit)) {
			snprintf(path, sizeof(path), CGROUP_ROOT "%s/memory.current", group);
			if (file_number(path, "", &used))
				left = least(left, rest(limit, used));
		}
		if (!*group)
			break;
		*strrchr(group, '/') = '\0';
	}
	return left;
}

static uint64_t memory_mapped(void)
{
	uint64_t kb = 0;

	return file_number("/proc/self/status", "VmSize:", &kb) ? kb * KB : 0;
}

void run_memory_begin(void)
{
	/*
	 * With this threshold, each slab of counts is a mapping of its own, which free() returns to
	 * the system. In the heap, a freed slab would leave a gap of its own size.
	 */
	(void)mallopt(M_MMAP_THRESHOLD, MB);
}

uint64_t run_memory_left(void)
{
	uint64_t left = groups_leave(), kb;
	struct rlimit limit;

	if (file_number("/proc/meminfo", "MemAvailable:", &kb))
		left = least(left, kb * KB);
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
		left = least(left, rest(limit.rlim_cur, memory_mapped()));
	return left;
}

void run_memory_none(void)
{
	uint64_t most = 0;

	file_number("/proc/self/status", "VmHWM:", &most);
	run_message(
		"no memory is left: smile run has allocated %" PRIu64
		" MB, and needs more. All counts so far are valid. Give smile run more memory: "
		"for arrays, 16 bytes for each 8-byte word that a node accesses are enough. Or "
		"let it count less: fewer phases (--sample-phases), or coarser ranges (--range) "
		"on a machine without caches",
		most * KB / MB);
}
