/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * posix_spawn(3): returns an error if the file is missing or cannot be executed.
 *
 * libc creates the child with the memory of its parent, so that the child can store the error of an
 * execution that has failed. QEMU copies the memory instead, so the parent would not get the error.
 * May use preload.h.
 */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/preload/base/own_string.h"
#include "run/preload/base/preload.h"

#define SPAWN_PATH "/bin:/usr/bin"

/*
 * Get the error of an execution of a file; 0 if there is none. @moves: the child may change its
 * directory before, so the file of a relative path is not known.
 */
static int spawn_file_error(const char *path, bool moves)
{
	struct stat status;
	int saved = errno, error = 0;

	if (moves && *path != '/')
		return 0;
	if (eaccess(path, X_OK) < 0 || stat(path, &status) < 0)
		error = errno;
	else if (!S_ISREG(status.st_mode))
		error = EACCES;
	errno = saved;
	return error;
}

/* Search the directories of PATH as posix_spawnp(3) does. */
static int spawn_search_error(const char *file, bool moves)
{
	const char *list = getenv("PATH");
	int error, last = ENOENT;
	char path[PATH_MAX];
	size_t length;

	if (own_strlen(file) >= NAME_MAX)
		return 0;
	for (list = list ? list : SPAWN_PATH;; list += length + 1) {
		length = own_span(list, ":", 0);
		if (length + NAME_MAX + 2 > sizeof(path))
			return 0;
		snprintf(path, sizeof(path), "%.*s%s%s", (int)length, list, length ? "/" : "",
			 file);
		error = spawn_file_error(path, moves);
		if (!error)
			return 0;
		if (error == EACCES)
			last = error;
		if (!list[length])
			return last;
	}
}

static bool spawn_moves(const posix_spawn_file_actions_t *actions)
{
	return actions && actions->__used > 0;
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const argv[],
		       char *const environment[])
{
	int error = trace_on ? spawn_file_error(path, spawn_moves(actions)) : 0;

	return error ? error : NEXT(posix_spawn)(pid, path, actions, attributes, argv, environment);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const argv[],
			char *const environment[])
{
	int error = 0;

	if (trace_on && file[own_span(file, "/", 0)])
		error = spawn_file_error(file, spawn_moves(actions));
	else if (trace_on)
		error = spawn_search_error(file, spawn_moves(actions));
	return error ? error
		     : NEXT(posix_spawnp)(pid, file, actions, attributes, argv, environment);
}
