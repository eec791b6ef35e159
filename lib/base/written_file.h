/* SPDX-License-Identifier: MIT */
/*
 * Written file: creates an output stream whose writes are not interrupted by signals.
 *
 * What lives here: output streams for programs that catch signals. If a signal arrives while an
 * ordinary stream writes to a slow file, such as a file on a network, the signal ends the write,
 * and stdio drops the buffered bytes. The streams of this file continue the write after the signal.
 * This file may use only the C library.
 */
#ifndef LIB_BASE_WRITTEN_FILE_H
#define LIB_BASE_WRITTEN_FILE_H

#include <stdio.h>

/**
 * smile_written_file() - Create a stream that writes to @fd. Closing the stream closes @fd.
 * fileno(3) can fail for the stream. If @fd is a pipe or a terminal, a signal still ends a write,
 * because its reader may have stopped.
 *
 * Return: the stream; NULL with errno. After an error, the caller must close @fd.
 */
FILE *smile_written_file(int fd);

/**
 * smile_written_open() - Create a file, or empty an existing one, and create a stream that writes
 * to it, like smile_written_file().
 * @fd: receives the file descriptor, which belongs to the stream; may be NULL
 *
 * Return: the stream; NULL with errno.
 */
FILE *smile_written_open(const char *path, int *fd);

#endif /* LIB_BASE_WRITTEN_FILE_H */
