/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * File lock: open a file that only one program may write at a time.
 *
 * What lives here: functions that open a file without emptying it, lock it, and empty it later. A
 * program that opens all its files first, and empties them last, loses no older file if one of them
 * cannot be opened. The lock belongs to the open file, and not to the process. A process that opens
 * the file twice is therefore treated as two writers. This file may use the system's files, and is
 * not installed.
 */
#ifndef BASE_FILE_LOCK_H
#define BASE_FILE_LOCK_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * file_lock() - Lock an open file for writing, until it is closed. On a file system without
 * locks, the call succeeds, but the file is not locked.
 *
 * Return: 0; -EBUSY if another program has locked the file.
 */
static inline int file_lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_OFD_SETLK, &whole) < 0 && (errno == EAGAIN || errno == EACCES))
		return -EBUSY;
	return 0;
}

/**
 * file_lock_open() - Open or create a file, and lock it. An existing file keeps its contents. A
 * pipe or a device is only opened.
 * @access: O_WRONLY or O_RDWR
 * @created: receives whether the file is new; may be NULL
 *
 * Return: the file descriptor; -EBUSY if another program has locked the file; -errno.
 */
static inline int file_lock_open(const char *path, int access, bool *created)
{
	int fd = open(path, access | O_CREAT | O_EXCL | O_CLOEXEC, 0666), error;
	bool is_new = fd >= 0;
	struct stat status;

	/* A dangling link exists, but its target does not: the second call creates the target. */
	if (fd < 0 && errno == EEXIST)
		fd = open(path, access | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	error = fstat(fd, &status) < 0 ? -errno : S_ISREG(status.st_mode) ? file_lock(fd) : 0;
	if (error < 0) {
		close(fd);
		return error;
	}
	if (created)
		*created = is_new;
	return fd;
}

/**
 * file_lock_empty() - Empty a file of file_lock_open(). A pipe or a device is unchanged.
 *
 * Return: 0; -errno.
 */
static inline int file_lock_empty(int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	return S_ISREG(status.st_mode) && ftruncate(fd, 0) < 0 ? -errno : 0;
}

#endif /* BASE_FILE_LOCK_H */
