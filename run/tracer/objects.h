/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Objects: finds the addresses of the program's file, its loader, and its libraries.
 *
 * What lives here: functions that read the ELF headers of these files, which show the addresses of
 * code and data. This file also decides whether the code of an object is counted.
 */
#ifndef RUN_TRACER_OBJECTS_H
#define RUN_TRACER_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/tracer/address_ranges.h"

/*
 * The name of a section of the preload library. Accesses of the code in this section are counted,
 * because this code replaces libc's memory functions.
 */
#define OBJECTS_COUNTED_SECTION "smile_copy"
#define OBJECTS_PRELOAD "smile-preload.so" /* its DT_SONAME */

/* Lists of address ranges. Only a thread that holds the lock of mappings.h may change them. */

/* Code whose accesses are not counted. */
extern struct address_ranges objects_excluded;
/*
 * The code of all objects, whether its accesses are counted or not. The program itself has
 * generated any other code.
 */
extern struct address_ranges objects_text;
/* The writable data of all objects, whether accesses to the data are counted or not. */
extern struct address_ranges objects_data;
/* Memory that the loader makes read-only after it has linked an object. */
extern struct address_ranges objects_linked;
/*
 * The linkage code of objects, if constants are not counted. Linkage code reads only addresses of
 * functions, which are constants, so its instructions do not count as work either.
 */
extern struct address_ranges objects_linkage;

/**
 * struct object_place - The addresses of an object.
 * @bias: address in memory minus address in the ELF headers
 * @start: start of the first segment
 * @end: end of the last segment
 * @counts: accesses of the object's code are counted
 * @preload: the object is the preload library, whose memory is not counted
 */
struct object_place {
	uint64_t bias;
	uint64_t start;
	uint64_t end;
	bool counts;
	bool preload;
};

/**
 * objects_code() - Record that the code of an object was mapped at [@start, @end).
 * @fd: the object's file, which must be readable
 * @offset: offset of the mapping in the file
 * @place: receives the addresses of the object
 *
 * Return: 0; -EINVAL if the file is not an ELF file, or has no code segment at @offset.
 */
int objects_code(int fd, uint64_t start, uint64_t end, uint64_t offset, struct object_place *place);

/**
 * objects_note() - Store the addresses of a file whose code is mapped. objects_find() gets these
 * addresses, and returns whether code of the file is mapped.
 */
void objects_note(uint64_t device, uint64_t inode, const struct object_place *place);
bool objects_find(uint64_t device, uint64_t inode, struct object_place *place);

/**
 * objects_own() - Check whether the address is in the code of the loader or of the preload library.
 * This code runs before the program's code.
 */
bool objects_own(uint64_t address);

/**
 * objects_program() - Find the program and its loader, which QEMU has mapped before the first
 * instruction of the loader is executed.
 * @first: address of this instruction
 * @entry: receives the program's own entry point
 *
 * Return: 0 or -errno after a message.
 */
int objects_program(uint64_t first, uint64_t *entry);

#endif /* RUN_TRACER_OBJECTS_H */
