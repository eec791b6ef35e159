/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Objects: the program's file, its loader, and its libraries. Their contents, and their code that
 * is not counted, are read from their ELF headers.
 */
#ifndef RUN_TRACER_OBJECTS_H
#define RUN_TRACER_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/tracer/address_ranges.h"

/* The counted section of the preload library, which replaces libc's memory functions. */
#define OBJECTS_COUNTED_SECTION "smile_copy"
#define OBJECTS_PRELOAD "smile-preload.so" /* its DT_SONAME */

/*
 * Three lists: code whose accesses are not counted; code of objects, counted or not, as opposed to
 * code that the program generates; data of objects, counted or not. Writers hold the lock of
 * mappings.h.
 */
extern struct address_ranges objects_excluded;
extern struct address_ranges objects_text;
extern struct address_ranges objects_data;
/* Memory that the loader makes read-only after it has linked an object. */
extern struct address_ranges objects_linked;
/*
 * Linkage code, if constants are not counted: it reads only the addresses of functions, and then is
 * no work.
 */
extern struct address_ranges objects_linkage;

/**
 * struct object_place - The addresses of an object.
 * @bias: difference between a mapped address and its address in the ELF headers
 * @start: start of its first segment
 * @end: end of its last segment
 * @counts: its code is counted
 * @preload: it is the preload library, whose memory is not counted
 */
struct object_place {
	uint64_t bias;
	uint64_t start;
	uint64_t end;
	bool counts;
	bool preload;
};

/**
 * objects_code() - Record that an object's code was mapped.
 * @fd: its file, readable
 * @offset: offset of the mapping in the file
 * @place: receives the addresses of the object
 *
 * Return: 0, or -EINVAL if the file is not ELF or has no segment at @offset.
 */
int objects_code(int fd, uint64_t start, uint64_t end, uint64_t offset, struct object_place *place);

/**
 * objects_note() - Store the object of a file whose code is mapped. objects_find() - Return whether
 * code of a file is mapped, and its addresses.
 */
void objects_note(uint64_t device, uint64_t inode, const struct object_place *place);
bool objects_find(uint64_t device, uint64_t inode, struct object_place *place);

/**
 * objects_own() - Return whether an address is in the code of the loader or of the preload library,
 * whose code runs before the program's.
 */
bool objects_own(uint64_t address);

/**
 * objects_program() - Find the program and its loader, which QEMU has mapped before their code
 * starts.
 * @first: address of the first code that is executed, which is the loader's
 * @entry: receives the program's own entry point
 *
 * Return: 0, or -errno after a message.
 */
int objects_program(uint64_t first, uint64_t *entry);

#endif /* RUN_TRACER_OBJECTS_H */
