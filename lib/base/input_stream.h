/* SPDX-License-Identifier: MIT */
/*
 * Input stream: a stream for reading, which child processes cannot move.
 *
 * What lives here: input streams for a library, whose callers may fork. A child process shares the
 * offset of each open file with its parent. When the child calls exit(3), stdio moves the offset
 * back to the first byte that the child has not read, and the parent would read bytes twice. These
 * streams do not use the offset of the file. May use only the C library.
 */
#ifndef LIB_BASE_INPUT_STREAM_H
#define LIB_BASE_INPUT_STREAM_H

#include <stdio.h>

/**
 * smile_input_stream_open() - Open a file, and create a stream that reads it from its beginning.
 * @path: file, or a pipe, which the stream reads in order
 * @fd: receives the file descriptor, which belongs to the stream; the stream has no fileno(3)
 *
 * Return: the stream; NULL with errno.
 */
FILE *smile_input_stream_open(const char *path, int *fd);

#endif /* LIB_BASE_INPUT_STREAM_H */
