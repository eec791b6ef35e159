/* SPDX-License-Identifier: MIT */
/*
 * Input stream: a stream for reading, which child processes cannot move, and signals cannot damage.
 *
 * What lives here: input streams for a library, whose callers may fork. A child process shares the
 * offset of each open file with its parent. When the child calls exit(3), stdio moves the offset
 * back to the first byte that the child has not read, and the parent would read bytes twice. These
 * streams do not use the offset of the file. If a signal interrupts fread(3), the part of an item
 * that was read is lost, so smile_input_stream_read() replaces it. May use only the C library.
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

/**
 * smile_input_stream_read() - Read items, like fread(3), but do not lose bytes if a signal arrives.
 * @items: receives the items; shape [@count]
 * @bytes: length of an item
 *
 * If a signal arrives between two items, the call returns the items before it.
 *
 * Return: the number of items. If it is 0 and errno is EINTR, a signal arrived before the first
 * item, and the next call continues; otherwise, fewer than @count items mean the end or an error of
 * the file.
 */
size_t smile_input_stream_read(FILE *file, void *items, size_t bytes, size_t count);

#endif /* LIB_BASE_INPUT_STREAM_H */
