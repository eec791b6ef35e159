/* SPDX-License-Identifier: MIT */
/*
 * Written file: a stream whose writes no signal interrupts.
 *
 * What lives here: streams for output of programs that catch signals. A signal that is to end a
 * wait also ends a write to a slow file, such as one of a network, and stdio then drops what it
 * had. May use the C library alone.
 */
#ifndef LIB_BASE_WRITTEN_FILE_H
#define LIB_BASE_WRITTEN_FILE_H

#include <stdio.h>

/**
 * smile_written_file() - A stream that writes @fd, and closes it in the end. It may have no
 * fileno(3). Writes to a pipe or a terminal end with a signal, since its reader may have stopped.
 *
 * Return: the stream; NULL with errno, and @fd is still the caller's.
 */
FILE *smile_written_file(int fd);

/**
 * smile_written_open() - Such a stream for a file that is created or emptied.
 * @fd: receives its descriptor, which belongs to the stream; or NULL
 *
 * Return: the stream; NULL with errno.
 */
FILE *smile_written_open(const char *path, int *fd);

#endif /* LIB_BASE_WRITTEN_FILE_H */
