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
#include <stdio.h>

#include <smile/monitor.h>

/**
 * struct mapped - All of them; all zero: none.
 * @list: shape [@count], room @size; names are owned
 * @count: how many
 * @size: room
 */
struct mapped {
	struct Monitor_region *list;
	size_t count;
	size_t size;
};

/**
 * mapped_read() - Add what a text says.
 * @maps: the text
 *
 * Return: 0; -ENOMEM.
 */
int mapped_read(struct mapped *mapped, FILE *maps);

/* Add one region. Return: as mapped_read(). */
int mapped_add(struct mapped *mapped, const struct Monitor_region *region);

/* Is anything known of this address? */
bool mapped_have(const struct mapped *mapped, uint64_t address);

void mapped_free(struct mapped *mapped);

#endif /* RUN_SAMPLE_MAPPED_H */
