/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what is where in the program's memory.
 *
 * What lives here: the regions of a recording, from texts of /proc/PID/maps. A text shows one
 * moment; regions of several add up, and one that has grown is one region. May use the public API
 * and the ELF headers of the program's files.
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
 * @start: its first
 * @end: behind its last
 * @sampled: it has samples
 */
struct mapped_range {
	uint64_t start;
	uint64_t end;
	bool sampled;
};

/**
 * struct mapped - All of them; all zero: none.
 * @list: shape [@count], room @size; names are owned
 * @count: how many
 * @size: room
 * @root: precedes the paths of files, whose builds are read when they are first seen: "", or the
 *        root of a process with other mounts than this one; stays the caller's. NULL: no build is
 *        read
 * @builds: of files, as they were when the program ran; shape [@build_count], room @build_size;
 *          texts are owned
 * @build_count: how many
 * @build_size: room
 * @unscanned: memory that not every kernel scans for its balancing, since other processes may share
 *             it, or since it is of hugetlbfs; shape [@unscanned_count], room @unscanned_size
 * @unscanned_count: how many
 * @unscanned_size: room
 * @unscanned_bytes: the most bytes of it that a text of the kernel's had
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
 * mapped_read() - Add what a text says.
 * @maps: the text, of the whole process
 *
 * Return: 0; -ENOMEM.
 */
int mapped_read(struct mapped *mapped, FILE *maps);

/* What a process has that begins with the memory of another one. Return: as mapped_read(). */
int mapped_fork(struct mapped *mapped, const struct mapped *parent);

/* Add one region. Return: as mapped_read(). */
int mapped_add(struct mapped *mapped, const struct Monitor_region *region);

/* Say which build of a file the program had. Return: as mapped_read(). */
int mapped_build_add(struct mapped *mapped, const char *path, const char *build);

/**
 * mapped_build() - The build of a file: as recorded, or else as the file is now.
 *
 * Return: whether it is known.
 */
bool mapped_build(const struct mapped *mapped, const char *path, char build[MONITOR_BUILD_BYTES]);

/* Is anything known of this address? */
bool mapped_have(const struct mapped *mapped, uint64_t address);

/* There is a sample of this address. */
void mapped_sampled(struct mapped *mapped, uint64_t address);

/* Of struct mapped.unscanned: how many bytes have no samples, at most what a text had. */
uint64_t mapped_unsampled(const struct mapped *mapped);

void mapped_free(struct mapped *mapped);

#endif /* RUN_SAMPLE_MAPPED_H */
