/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Objects: the program's file, its loader, its libraries. Their contents are read from their ELF
 * headers, with the code in them that is not counted.
 */
#ifndef TRACER_OBJECTS_H
#define TRACER_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/tracer/address_ranges.h"

/* The section of the preload library that counts: copies of memory that stand in for libc's. */
#define OBJECTS_COUNTED_SECTION "smile_copy"

/*
 * Code whose accesses do not count; code of objects, counted or not, as opposed to code that the
 * program makes; and data of objects, counted or not. Changed with the lock of mappings.h.
 */
extern struct ranges objects_excluded;
extern struct ranges objects_text;
extern struct ranges objects_data;

/**
 * objects_code() - Code of an object was mapped.
 * @fd: its file, readable
 * @offset: in it, where the mapping begins
 * @bias: out: what to take from an address to get that of the ELF headers
 *
 * Return: 0, or -EINVAL if it is no ELF file with a segment at @offset.
 */
int objects_code(int fd, const char *path, uint64_t start, uint64_t end, uint64_t offset,
		 uint64_t *bias);

/**
 * objects_note() - Remember the file of code. objects_find() - Is code of this file mapped?
 * @bias: as of objects_code()
 */
void objects_note(uint64_t device, uint64_t inode, uint64_t bias);
bool objects_find(uint64_t device, uint64_t inode, uint64_t *bias);

/**
 * objects_counts() - Do accesses by code of this file, and its data, count?
 */
bool objects_counts(const char *path);

/**
 * objects_program() - Find what QEMU mapped before the tracer saw anything: program and loader.
 * @entry: out: the program's own entry
 *
 * Return: 0, or -errno after a message.
 */
int objects_program(uint64_t *entry);

#endif /* TRACER_OBJECTS_H */
