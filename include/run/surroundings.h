/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The surroundings of a traced program: the environment that it is started with. When the program
 * calls execve(2), the tracer must create the same environment as the command that started the
 * program.
 *
 * What lives here: how the program's environment is padded. This file may use <stdint.h>,
 * <stddef.h> and <string.h>, and is not installed.
 */
#ifndef RUN_SURROUNDINGS_H
#define RUN_SURROUNDINGS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The variable by which the preload library detects the tracer. Its value is "1" and padding. */
#define SURROUNDINGS_TRACED "SMILE_TRACED"

/* The environment at the top of the stack is padded to a multiple of this number of bytes. */
#define SURROUNDINGS_BYTES 32768U

/*
 * File descriptors of the tracer start at this number, because programs do not use descriptors with
 * such high numbers.
 */
#define SURROUNDINGS_FD_MIN 500

/* The number of bytes of a variable on the program's stack: its text, and a pointer to it. */
static inline size_t surroundings_variable_bytes(const char *variable)
{
	return strlen(variable) + 1 + sizeof(uint64_t);
}

/*
 * A program's stack begins below its file name, its environment and its arguments. The size of the
 * environment therefore determines the addresses on the stack. These addresses determine the nodes
 * of the stack's pages, and the number of instructions that string functions execute. Without
 * padding, results would therefore depend on unrelated variables of the user's environment. To
 * prevent this, the variable SURROUNDINGS_TRACED contains padding, which makes the size of the
 * environment a multiple of SURROUNDINGS_BYTES. The variable is removed before the program begins.
 * @bytes: size of all other variables. Return: length of the padding.
 */
static inline size_t surroundings_padding(const char *file, size_t bytes)
{
	bytes += strlen(file) + 1 + surroundings_variable_bytes(SURROUNDINGS_TRACED "=1");
	return SURROUNDINGS_BYTES - bytes % SURROUNDINGS_BYTES;
}

#endif /* TRACE_SURROUNDINGS_H */
