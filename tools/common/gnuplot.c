// SPDX-License-Identifier: MIT
/*
 * Gnuplot. See tools/common/gnuplot.h.
 */
#include "tools/common/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/file_lock.h>

#include "tools/common/output_file.h"
#include "tools/common/tool.h"

extern char **environ;

/* Start gnuplot. Return: its process id, or -errno. */
static pid_t gnuplot_start(int input, int output)
{
	/* -d: do not read the user's ~/.gnuplot, which could change the picture. */
	char gnuplot[] = "gnuplot", defaults[] = "-d", input_name[] = "-";
	char *arguments[] = {gnuplot, defaults, input_name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error;

	error = posix_spawn_file_actions_init(&actions);
	if (error)
		return -error;
	error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error ? -error : child;
}

/* Copy a picture into an open file. Return: 0; -1 with errno. */
static int copy(int picture, int output)
{
	char bytes[65536];
	ssize_t got;

	while ((got = read(picture, bytes, sizeof(bytes))) > 0)
		for (ssize_t done = 0, put; done < got; done += put) {
			put = write(output, bytes + done, (size_t)(got - done));
			if (put < 0)
				return -1;
		}
	return got < 0 ? -1 : 0;
}

/* Draw a picture into an open file. Return: TOOL_OK or TOOL_ERROR. */
static int draw(int output, const char *path, void (*script)(FILE *out, const void *opaque),
		const void *opaque)
{
	int ends[2], failed, status = 0;
	pid_t child;
	FILE *input;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return tool_error("no pipe to gnuplot: %s", strerror(errno));
	child = gnuplot_start(ends[0], output);
	close(ends[0]);
	if (child < 0) {
		close(ends[1]);
		if (child == -ENOENT)
			return tool_error(
				"%s cannot be drawn without gnuplot: apt-get install "
				"gnuplot-nox; the numbers are also available without --plot",
				path);
		return tool_error("gnuplot cannot be started: %s", strerror(-child));
	}
	input = fdopen(ends[1], "w");
	if (input)
		script(input, opaque);
	else
		close(ends[1]);
	failed = !input || fclose(input) != 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (failed || !WIFEXITED(status) || WEXITSTATUS(status))
		return tool_error("gnuplot could not draw %s", path);
	return TOOL_OK;
}

/* Write a picture to a file. Return: TOOL_OK or TOOL_ERROR. */
static int save(int picture, const char *path)
{
	int output = output_file_open(path), failed;
	struct stat file;
	int is_file;

	if (output < 0)
		return TOOL_ERROR;
	is_file = fstat(output, &file) == 0 && S_ISREG(file.st_mode);
	failed = file_lock_empty(output) < 0 || lseek(picture, 0, SEEK_SET) < 0 ||
				 copy(picture, output) < 0
			 ? errno
			 : 0;
	if (close(output) < 0 && !failed)
		failed = errno;
	if (!failed)
		return TOOL_OK;
	/* Remove an unfinished picture if it is a regular file, not a device. */
	if (is_file)
		unlink(path);
	return tool_error("cannot write %s: %s", path, strerror(failed));
}

int gnuplot_draw(const char *path, void (*script)(FILE *out, const void *opaque),
		 const void *opaque)
{
	static const char *const others[] = {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps"};
	const char *ending = strrchr(path, '.');
	int picture, status;

	for (size_t i = 0; ending && i < sizeof(others) / sizeof(others[0]); i++) {
		if (!strcasecmp(ending, others[i]))
			return tool_error("%s: pictures are SVG; choose a name that ends in .svg",
					  path);
	}
	/*
	 * Draw into memory first. Gnuplot itself does not report that a disk is full, and an older
	 * picture must stay if gnuplot is missing or the command is interrupted.
	 */
	picture = memfd_create("picture", MFD_CLOEXEC);
	if (picture < 0)
		return tool_error("no memory for %s: %s", path, strerror(errno));
	status = draw(picture, path, script, opaque);
	if (status == TOOL_OK)
		status = save(picture, path);
	close(picture);
	return status;
}
