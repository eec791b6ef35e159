/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the contents of the program's memory.
 *
 * What lives here: the regions of a recording, from texts of /proc/PID/maps. A text shows one
 * moment; the regions of several texts are combined, and a region that has grown stays one region.
 * May use the public API and the ELF headers of the program's files.
 */
#ifndef RUN_SAMPLE_MAPPED_H
#define RUN_SAMPLE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <smile/monitor.h>

/**
 * struct mapped_range - A range of addresses.
 * @start: its first address
 * @end: one past its last address
 * @sampled: it has samples
 */
struct mapped_range {
	uint64_t start;
	uint64_t end;
	bool sampled;
};

/**
 * struct mapped - All regions; all zero if there are none.
 * @list: the regions; shape [@count], room for @size; names are owned
 * @count: number of regions
 * @size: number of regions for which @list has room
 * @root: prefix for the paths of files, whose builds are read when they are first seen: "", or the
 *        root of a process with other mounts than this process; owned by the caller. NULL: no build
 *        is read
 * @builds: builds of files, as they were when the program ran; shape [@build_count], room for
 *          @build_size; texts are owned
 * @build_count: number of builds
 * @build_size: number of builds for which @builds has room
 * @unscanned: memory that not every kernel scans when it balances, since other processes may share
 *             it, or since it is memory of hugetlbfs; shape [@unscanned_count], room for
 *             @unscanned_size
 * @unscanned_count: number of these ranges
 * @unscanned_size: number of ranges for which @unscanned has room
 * @unscanned_bytes: the most bytes of such memory in one of the kernel's texts
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
 * @maps: the text, of a whole process
 *
 * Return: 0; -ENOMEM.
 */
int mapped_read(struct mapped *mapped, FILE *maps);

/*
 * Copy the regions of @parent, for a process that begins with the memory of another one. Return:
 * see mapped_read().
 */
int mapped_fork(struct mapped *mapped, const struct mapped *parent);

/* Add one region. Return: see mapped_read(). */
int mapped_add(struct mapped *mapped, const struct Monitor_region *region);

/* Set the build of a file that the program had. Return: see mapped_read(). */
int mapped_build_add(struct mapped *mapped, const char *path, const char *build);

/**
 * mapped_build() - Get the build of a file: as recorded, or else of the present file.
 *
 * Return: whether the build is known.
 */
bool mapped_build(const struct mapped *mapped, const char *path, char build[MONITOR_BUILD_BYTES]);

/* Is this address in a known region? */
bool mapped_have(const struct mapped *mapped, uint64_t address);

/* Record that there is a sample of this address. */
void mapped_sampled(struct mapped *mapped, uint64_t address);

/* Get how many bytes of struct mapped.unscanned have no samples, at most @unscanned_bytes. */
uint64_t mapped_unsampled(const struct mapped *mapped);

void mapped_free(struct mapped *mapped);

#endif /* RUN_SAMPLE_MAPPED_H */
