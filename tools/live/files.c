// SPDX-License-Identifier: MIT
/*
 * Files: make recordings in files without a name. See files.h.
 */
#include "tools/live/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

void live_files_allow(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int live_file_new(void)
{
	const char *directory = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!directory || !*directory)
		directory = "/tmp";
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	/* If the file system does not support O_TMPFILE, create a file and unlink it. */
	if (snprintf(name, sizeof(name), "%s/smile-XXXXXX", directory) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

const char *live_file_path(int fd, char *path)
{
	snprintf(path, LIVE_FILE_PATH_BYTES, "file:/proc/self/fd/%d", fd);
	return path;
}

static int lock_set(int fd, short type)
{
	struct flock all = {.l_type = type, .l_whence = SEEK_SET};

	return fcntl(fd, F_OFD_SETLK, &all);
}

int live_file_hold(int fd)
{
	return lock_set(fd, F_WRLCK);
}

void live_file_release(int fd)
{
	lock_set(fd, F_UNLCK);
}
