/* SPDX-License-Identifier: MIT */
/*
 * Written file: a stream whose writes are not interrupted by signals.
 *
 * What lives here: output streams for programs that catch signals. A signal that a program uses to
 * end a wait also ends a write to a slow file, such as a file on a network. stdio then drops the
 * buffered bytes. May use only the C library.
 */
#ifndef LIB_BASE_WRITTEN_FILE_H
#define LIB_BASE_WRITTEN_FILE_H

#include <stdio.h>

/**
 * smile_written_file() - Create a stream that writes to @fd, and closes @fd when it is closed. The
 * stream may have no fileno(3). A signal still ends a write to a pipe or a terminal, because its
 * reader may have stopped.
 *
 * Return: the stream; NULL with errno, and then @fd still belongs to the caller.
 */
FILE *smile_written_file(int fd);

/**
 * smile_written_open() - Create or empty a file, and create such a stream for it.
 * @fd: receives the file descriptor, which belongs to the stream; may be NULL
 *
 * Return: the stream; NULL with errno.
 */
FILE *smile_written_open(const char *path, int *fd);

#endif /* LIB_BASE_WRITTEN_FILE_H */
