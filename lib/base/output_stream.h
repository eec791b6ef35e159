/* SPDX-License-Identifier: MIT */
/*
 * Output stream: a stream for writing, whose writes signals do not interrupt.
 *
 * What lives here: output streams for programs that catch signals. If a signal arrives during a
 * write to a slow file, such as a file on a network, the signal ends the write, and stdio drops the
 * buffered bytes. These streams continue the write after the signal. May use only the C library and
 * <base/file_lock.h>.
 */
#ifndef LIB_BASE_OUTPUT_STREAM_H
#define LIB_BASE_OUTPUT_STREAM_H

#include <stdio.h>

/**
 * smile_output_stream() - Create a stream that writes to @fd, and closes @fd when it is closed. The
 * stream may have no fileno(3). A signal still ends a write to a pipe or a terminal, because the
 * reader of the pipe or the terminal may have stopped.
 *
 * Return: the stream; NULL with errno: the caller must then still close @fd.
 */
FILE *smile_output_stream(int fd);

/**
 * smile_output_stream_open() - Create or empty a file, lock it until it is closed, and create a
 * stream that writes to it, as smile_output_stream() does.
 * @fd: receives the file descriptor, which belongs to the stream; may be NULL
 *
 * Return: the stream; NULL with errno, which is EBUSY if another program has locked the file: the
 * file is then unchanged.
 */
FILE *smile_output_stream_open(const char *path, int *fd);

#endif /* LIB_BASE_OUTPUT_STREAM_H */
