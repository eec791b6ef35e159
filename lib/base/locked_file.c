/* SPDX-License-Identifier: MIT */
/*
 * Locked file: see locked_file.h.
 */
#include "lib/base/locked_file.h"

#include <string.h>

#include <base/file_lock.h>

#include "lib/base/error.h"
#include "lib/base/output_stream.h"

int smile_locked_file(FILE **out, int *fd, const char *path, const char *what)
{
	int error = *fd = file_lock_open(path, O_RDWR, NULL);

	*out = error < 0 ? NULL : smile_output_stream(*fd);
	if (error >= 0 && !*out) {
		error = -errno;
		close(*fd);
	}
	if (error == -EBUSY)
		return smile_error(EBUSY,
				   "the %s %s is being written by another program: wait for its "
				   "end, or choose another name",
				   what, path);
	return error < 0 ? smile_error(-error, "cannot create the %s %s: %s", what, path,
				       strerror(-error))
			 : 0;
}
