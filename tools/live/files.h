/* SPDX-License-Identifier: MIT */
/*
 * Files: recordings without a name, which exist as long as the process.
 *
 * What lives here: creating them, and the lock that a recording's writer holds (docs/recording.md).
 */
#ifndef TOOLS_LIVE_FILES_H
#define TOOLS_LIVE_FILES_H

/* Room for "file:/proc/self/fd/N". */
#define LIVE_FILE_PATH_BYTES 48

/**
 * live_files_allow() - Raise the limit of open files to the largest that the system permits: each
 * recording needs one file, and each recording of another machine two.
 */
void live_files_allow(void);

/**
 * live_file_new() - Create an empty file in TMPDIR, or in /tmp.
 *
 * Return: a descriptor; -1 with errno.
 */
int live_file_new(void);

/**
 * live_file_path() - A path by which the file can be opened, as long as @fd is open.
 * @path: LIVE_FILE_PATH_BYTES long
 *
 * Return: @path.
 */
const char *live_file_path(int fd, char *path);

/**
 * live_file_hold() - Take the writer's lock. Return: 0; -1 with errno.
 */
int live_file_hold(int fd);

/**
 * live_file_release() - Release the writer's lock, since nothing more will be written.
 */
void live_file_release(int fd);

#endif /* TOOLS_LIVE_FILES_H */
