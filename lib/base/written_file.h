/* SPDX-License-Identifier: MIT */
/*
 * Written file: a stream whose writes no signal interrupts.
 *
 * What lives here: streams for output of programs that catch signals. A signal that is sent to end
 * a wait also ends a write to a slow file, such as a file of a network, and stdio then drops the
 * buffered bytes. May use only the C library.
 */
#ifndef LIB_BASE_WRITTEN_FILE_H
#define LIB_BASE_WRITTEN_FILE_H

#include <stdio.h>

/**
 * smile_written_file() - A stream that writes to @fd, and closes it at the end. It may have no
 * fileno(3). A signal ends a write to a pipe or a terminal, because the reader may have stopped.
 *
 * Return: the stream; NULL with errno, and @fd is still the caller's.
 */
FILE *smile_written_file(int fd);

/**
 * smile_written_open() - A stream of this kind for a file that is created or emptied.
 * @fd: receives its descriptor, which belongs to the stream; or NULL
 *
 * Return: the stream; NULL with errno.
 */
FILE *smile_written_open(const char *path, int *fd);

#endif /* LIB_BASE_WRITTEN_FILE_H */
