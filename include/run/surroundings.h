/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The surroundings of a traced program: the environment that the command that starts it, and the
 * tracer after an execve(2), must set up in the same way.
 *
 * What lives here: how the program's environment is padded. May use <stdint.h>, <stddef.h> and
 * <string.h>. Not installed.
 */
#ifndef RUN_SURROUNDINGS_H
#define RUN_SURROUNDINGS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The variable that tells the preload library that a tracer exists: "1", and padding. */
#define SURROUNDINGS_TRACED "SMILE_TRACED"

/* The size of the environment at the top of the stack is a multiple of this number of bytes. */
#define SURROUNDINGS_BYTES 32768U

/* A descriptor that no program expects to be free or uses by number. */
#define SURROUNDINGS_FD_MIN 500

/* The bytes of a variable on the program's stack: the text, and a pointer to it. */
static inline size_t surroundings_variable_bytes(const char *variable)
{
	return strlen(variable) + 1 + sizeof(uint64_t);
}

/*
 * The program's stack begins below its file name, its environment and its arguments. Their
 * addresses determine the nodes of the stack's pages, and the number of instructions that a string
 * function executes. A result would then depend on unrelated variables of the user's environment.
 * Therefore the variable that announces the tracer, which is removed before the program begins,
 * pads the environment. @bytes: size of all other variables. Return: length of the padding.
 */
static inline size_t surroundings_padding(const char *file, size_t bytes)
{
	bytes += strlen(file) + 1 + surroundings_variable_bytes(SURROUNDINGS_TRACED "=1");
	return SURROUNDINGS_BYTES - bytes % SURROUNDINGS_BYTES;
}

#endif /* TRACE_SURROUNDINGS_H */
