/* SPDX-License-Identifier: MIT */
/*
 * Objects: the program's files. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_OBJECT_H
#define SMILE_MONITOR_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/* How much is known of the variables of a file of the program. */
enum Monitor_object_state {
	MONITOR_OBJECT_DEBUG, /* all, by its debug information */
	MONITOR_OBJECT_SYMBOLS, /* names and sizes, by its symbol table */
	MONITOR_OBJECT_DYNAMIC, /* only those that other files can use: it was stripped */
	MONITOR_OBJECT_NAMELESS, /* it names none */
	MONITOR_OBJECT_MISSING, /* nothing: the file cannot be read */
	MONITOR_OBJECT_CHANGED, /* nothing: it is not the file that ran */
	MONITOR_OBJECT_DAMAGED, /* nothing: it is not an ELF file, or is invalid */
};

/**
 * struct Monitor_object - A file of the program: itself, or a library.
 * @path: where it was when the program ran. Belongs to the Monitor
 * @build: what it was: "build-id HEX", or "contents HEX" for a file without a build id; "" if it
 *         was not recorded: then it is not known whether the file that is there now is the one
 *         that ran. Belongs to the Monitor
 * @state: enum Monitor_object_state; of no meaning to Monitor_object_add()
 * @variables: variables of it that have names
 * @message: what is wrong, and the remedy; "" if nothing is. Belongs to the Monitor; of no meaning
 *           to Monitor_object_add()
 */
struct Monitor_object {
	const char *path;
	const char *build;
	uint32_t state;
	uint32_t variables;
	const char *message;
};

#define MONITOR_BUILD_BYTES 80

/**
 * Monitor_object_build() - What distinguishes this build of a file from all others.
 * @path: ELF file
 * @text: caller-owned, MONITOR_BUILD_BYTES long
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as open(2); -EPROTO if it is no ELF file.
 */
int Monitor_object_build(const char *path, char *text);

/**
 * Monitor_object_add() - Report the build of a file of the program.
 * @object: the file, which is copied
 *
 * Return: 0.
 * Errors: -EINVAL without a path; -ENOMEM.
 */
int Monitor_object_add(struct Monitor *mon, const struct Monitor_object *object);

/**
 * Monitor_objects() - The files of the regions of kind MONITOR_REGION_GLOBAL.
 * @objects: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Reads the files.
 *
 * Return: the number of files; min(that, @capacity) of them were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_objects(struct Monitor *mon, struct Monitor_object *objects, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_OBJECT_H */
