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

/*
 * What is known about the variables of a file of the program, and the source of this information.
 */
enum Monitor_object_state {
	MONITOR_OBJECT_DEBUG, /* all variables, from the file's debug information */
	MONITOR_OBJECT_SYMBOLS, /* names and sizes, from the file's symbol table */
	MONITOR_OBJECT_DYNAMIC, /* only variables for other files: the file was stripped */
	MONITOR_OBJECT_NAMELESS, /* nothing: the file has no names of variables */
	MONITOR_OBJECT_MISSING, /* nothing: the file cannot be read */
	MONITOR_OBJECT_CHANGED, /* nothing: the file is not the one that ran */
	MONITOR_OBJECT_DAMAGED, /* nothing: the file is not an ELF file, or is invalid */
};

/**
 * struct Monitor_object - A file of the program: its executable or a library.
 * @path: path of the file when the program ran. The string belongs to the Monitor
 * @build: identity of the file: "build-id HEX", or "contents HEX" for a file without a build id; ""
 *         if the identity was not recorded. The library then cannot check whether the file at @path
 *         is the file that ran. The string belongs to the Monitor
 * @state: enum Monitor_object_state; Monitor_object_add() ignores it
 * @variables: number of variables of the file that have names
 * @message: the problem and its remedy; "" if the file has no problem. The string belongs to the
 *           Monitor; Monitor_object_add() ignores it
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
 * Monitor_object_build() - Get a text that distinguishes this build of a file from all other
 * builds.
 * @path: ELF file
 * @text: receives the text; caller-owned, MONITOR_BUILD_BYTES long
 *
 * Context: any thread.
 * Return: 0.
 * Errors: as open(2); -EPROTO if the file is not an ELF file.
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
 * Monitor_objects() - List the files of all regions of kind MONITOR_REGION_GLOBAL.
 * @objects: receives the files; caller-owned array of @capacity elements; may be NULL if @capacity
 *           is 0
 *
 * The call reads these files to find out which variables they name.
 *
 * Return: the number of files, of which at most @capacity were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_objects(struct Monitor *mon, struct Monitor_object *objects, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_OBJECT_H */
