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

/* What is known about the variables of a file of the program, and by which information. */
enum Monitor_object_state {
	MONITOR_OBJECT_DEBUG, /* all variables, by its debug information */
	MONITOR_OBJECT_SYMBOLS, /* names and sizes, by its symbol table */
	MONITOR_OBJECT_DYNAMIC, /* the file was stripped: only variables that other files can use */
	MONITOR_OBJECT_NAMELESS, /* nothing: the file names no variables */
	MONITOR_OBJECT_MISSING, /* nothing: the file cannot be read */
	MONITOR_OBJECT_CHANGED, /* nothing: the file is not the one that ran */
	MONITOR_OBJECT_DAMAGED, /* nothing: the file is not an ELF file, or is invalid */
};

/**
 * struct Monitor_object - A file of the program: its executable or a library.
 * @path: path of the file when the program ran. Belongs to the Monitor
 * @build: identity of the file: "build-id HEX", or "contents HEX" for a file without a build id; ""
 *         if the identity was not recorded: then the library cannot check whether the file at @path
 *         is the one that ran. Belongs to the Monitor
 * @state: enum Monitor_object_state; Monitor_object_add() ignores it
 * @variables: number of variables of the file that have names
 * @message: what is wrong, and the remedy; "" if nothing is wrong. Belongs to the Monitor;
 *           Monitor_object_add() ignores it
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
 * Monitor_object_build() - A text that distinguishes this build of a file from all other builds.
 * @path: ELF file
 * @text: caller-owned, MONITOR_BUILD_BYTES long
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as open(2); -EPROTO if the file is no ELF file.
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
 * The call reads the files.
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
