/* SPDX-License-Identifier: MIT */
/*
 * Files: recordings without a name, which are gone with the process.
 *
 * What lives here: making them, and the lock that a recording's writer holds (docs/recording.md).
 */
#ifndef TOOLS_LIVE_FILES_H
#define TOOLS_LIVE_FILES_H

/* Room for "file:/proc/self/fd/N". */
#define LIVE_FILE_PATH_BYTES 48

/**
 * live_files_allow() - Let this process open as many files as the system allows it: each recording
 * takes one, and each of another machine two.
 */
void live_files_allow(void);

/**
 * live_file_new() - An empty file in TMPDIR, or /tmp.
 *
 * Return: a descriptor; -1 with errno.
 */
int live_file_new(void);

/**
 * live_file_path() - A path by which it can be opened, as long as @fd is open.
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
 * live_file_release() - Nothing more will be written.
 */
void live_file_release(int fd);

#endif /* TOOLS_LIVE_FILES_H */
