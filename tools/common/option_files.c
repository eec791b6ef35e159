// SPDX-License-Identifier: MIT
/*
 * Option files. See tools/common/option_files.h.
 */
#include "tools/common/option_files.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/tool.h"

/* Get the status of a file, or of the file of a source. Return: 0; -1 if there is no such file. */
static int file_find(const struct option_file *file, struct stat *status)
{
	const char *colon = strchr(file->name, ':');

	if (!strcmp(file->name, "-"))
		return fstat(file->written ? STDOUT_FILENO : STDIN_FILENO, status);
	if (!stat(file->name, status))
		return 0;
	return colon ? stat(colon + 1, status) : -1;
}

static bool is_same(const struct option_file *a, const struct option_file *b)
{
	struct stat first, second;

	if (file_find(a, &first) || file_find(b, &second))
		return b->written && !strcmp(a->name, b->name);
	return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

static int pair_check(const struct option_file *output, const struct option_file *other)
{
	if (!is_same(output, other))
		return TOOL_OK;
	if (other->written)
		return tool_usage("--%s and --%s would write the same file, %s: give two names",
				  output->option, other->option, output->name);
	return tool_usage("--%s: %s would be overwritten while it is read: give another file",
			  output->option, output->name);
}

int option_files_check(const struct option_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; files[i].written && k < count; k++)
			if (k != i && pair_check(&files[i], &files[k]) != TOOL_OK)
				return TOOL_ERROR;
	return TOOL_OK;
}
