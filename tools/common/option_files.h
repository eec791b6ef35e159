/* SPDX-License-Identifier: MIT */
/*
 * Option files: check that a command does not overwrite a file that it also reads or writes under
 * another option.
 */
#ifndef TOOLS_COMMON_OPTION_FILES_H
#define TOOLS_COMMON_OPTION_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct option_file - A file that the command line names.
 * @option: name of the option, without "--"; NULL: the file is an operand
 * @name: name of the file, "-" for standard input or output, or a source such as emu:FILE
 * @written: the command writes the file
 */
struct option_file {
	const char *option;
	const char *name;
	bool written;
};

/**
 * option_files_check() - Check that no written file is another file of the list, also under another
 * name. Only regular files are compared.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int option_files_check(const struct option_file *files, size_t count);

#endif /* TOOLS_COMMON_OPTION_FILES_H */
