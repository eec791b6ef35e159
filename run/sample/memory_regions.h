/* SPDX-License-Identifier: MIT */
/*
 * run/sample: finds the regions of the program's memory, and their contents.
 *
 * What lives here: the regions of a recording, composed from several texts of /proc/PID/maps. Each
 * text describes the memory at one moment. A region that has grown between two texts is still one
 * region. This file may use the public API and the ELF headers of the program's files.
 */
#ifndef RUN_SAMPLE_MEMORY_REGIONS_H
#define RUN_SAMPLE_MEMORY_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <smile/monitor.h>

/**
 * struct mapped_range - A range of addresses.
 * @start: first address
 * @end: one past the last address
 * @sampled: an address in the range has a sample
 */
struct mapped_range {
	uint64_t start;
	uint64_t end;
	bool sampled;
};

/**
 * struct mapped - All regions. If all members are 0, there are no regions.
 * @list: the regions; the struct owns their names; shape [@count], with space for @size
 * @count: number of regions
 * @size: number of regions for which @list has room
 * @root: prefix for the paths of the program's files: "", or the root of a process that has other
 *        mounts than this process. The build of each file is read when the file is first seen.
 *        NULL: no builds are read. The caller owns the text
 * @builds: builds of files at the time of the run; the struct owns their texts; shape
 *          [@build_count], with space for @build_size
 * @build_count: number of builds
 * @build_size: number of builds for which @builds has room
 * @unscanned: memory that some kernels do not scan when they balance memory, because other
 *             processes may share this memory, or because it belongs to hugetlbfs; shape
 *             [@unscanned_count], with space for @unscanned_size
 * @unscanned_count: number of ranges in @unscanned
 * @unscanned_size: number of ranges for which @unscanned has room
 * @unscanned_bytes: the largest number of bytes in one text that some kernels do not scan
 */
struct mapped {
	struct Monitor_region *list;
	size_t count;
	size_t size;
	const char *root;
	struct Monitor_object *builds;
	size_t build_count;
	size_t build_size;
	struct mapped_range *unscanned;
	size_t unscanned_count;
	size_t unscanned_size;
	uint64_t unscanned_bytes;
};

/**
 * mapped_read() - Add the regions of a text.
 * @maps: the text of /proc/PID/maps, for a whole process
 *
 * Return: 0 or -ENOMEM.
 */
int mapped_read(struct mapped *mapped, FILE *maps);

/* Copy the regions of @parent, for a forked process. Return: 0 or -ENOMEM. */
int mapped_fork(struct mapped *mapped, const struct mapped *parent);

/* Add one region. Return: 0 or -ENOMEM. */
int mapped_add(struct mapped *mapped, const struct Monitor_region *region);

/* Record the build of a file at the time of the run. Return: 0 or -ENOMEM. */
int mapped_build_add(struct mapped *mapped, const char *path, const char *build);

/**
 * mapped_build() - Get the build of a file. If the build was not recorded, get the build of the
 * file that has this path now.
 *
 * Return: true if the build is known.
 */
bool mapped_build(const struct mapped *mapped, const char *path, char build[MONITOR_BUILD_BYTES]);

/* Check whether the address is in a known region. */
bool mapped_have(const struct mapped *mapped, uint64_t address);

/* Record that an address has a sample. */
void mapped_sampled(struct mapped *mapped, uint64_t address);

/*
 * Get the number of bytes of the ranges in mapped->unscanned that have no samples. The result is at
 * most mapped->unscanned_bytes.
 */
uint64_t mapped_unsampled(const struct mapped *mapped);

void mapped_free(struct mapped *mapped);

#endif /* RUN_SAMPLE_MEMORY_REGIONS_H */
