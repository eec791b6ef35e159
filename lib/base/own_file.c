/* SPDX-License-Identifier: MIT */
/*
 * Own file: see own_file.h. The lock belongs to the open file description, and not to the process.
 * For this reason, a process that opens the file twice counts as two writers.
 */
#include "lib/base/own_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/written_file.h"

/* Lock a file. Return: 0; -EBUSY. */
static int lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_OFD_SETLK, &whole) < 0 && (errno == EAGAIN || errno == EACCES))
		return -EBUSY;
	return 0;
}

/* Lock the file before emptying it. Return: 0; -errno. */
static int take(int fd)
{
	struct stat status;
	int error;

	if (fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return 0;
	error = lock(fd);
	if (error < 0)
		return error;
	return ftruncate(fd, 0) < 0 ? -errno : 0;
}

int smile_own_file(FILE **out, int *fd, const char *path, const char *what)
{
	int error;

	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	error = *fd < 0 ? -errno : take(*fd);
	*out = error < 0 ? NULL : smile_written_file(*fd);
	if (!error && !*out)
		error = -errno;
	if (error < 0 && *fd >= 0)
		close(*fd);
	if (error == -EBUSY)
		return smile_error(EBUSY,
				   "the %s %s is being written by another program: wait for its "
				   "end, or choose another name",
				   what, path);
	return error < 0 ? smile_error(-error, "cannot create the %s %s: %s", what, path,
				       strerror(-error))
			 : 0;
}
