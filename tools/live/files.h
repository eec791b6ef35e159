/* SPDX-License-Identifier: MIT */
/*
 * Files: create recordings in files without a name. When the process ends, the system removes these
 * files.
 *
 * What lives here: the creation of these files, and the lock that the writer of a recording holds
 * (docs/recording.md).
 */
#ifndef TOOLS_LIVE_FILES_H
#define TOOLS_LIVE_FILES_H

/* Size of a buffer for "file:/proc/self/fd/N". */
#define LIVE_FILE_PATH_BYTES 48

/**
 * live_files_allow() - Raise the limit of open files to the maximum that the system permits. Each
 * recording needs one descriptor, and each recording of another machine needs two.
 */
void live_files_allow(void);

/**
 * live_file_new() - Create an empty file in TMPDIR, or in /tmp.
 *
 * Return: a descriptor; -1 with errno.
 */
int live_file_new(void);

/**
 * live_file_path() - Get a path by which the file can be opened while @fd is open.
 * @path: LIVE_FILE_PATH_BYTES long
 *
 * Return: @path.
 */
const char *live_file_path(int fd, char *path);

/**
 * live_file_hold() - Lock the recording as its writer. Return: 0; -1 with errno.
 */
int live_file_hold(int fd);

/**
 * live_file_release() - Release the writer's lock, because no more data will be written.
 */
void live_file_release(int fd);

#endif /* TOOLS_LIVE_FILES_H */
