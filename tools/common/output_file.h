/* SPDX-License-Identifier: MIT */
/*
 * Output file: files that only one command writes at a time.
 *
 * What lives here: the creation of the files that commands write. Each file is locked until it is
 * closed, so that two commands with the same file name cannot mix or replace each other's data. May
 * use <base/file_lock.h> and tool messages.
 */
#ifndef TOOLS_COMMON_OUTPUT_FILE_H
#define TOOLS_COMMON_OUTPUT_FILE_H

#include <stdio.h>

/**
 * output_file_hold() - Before a long command, check that a file can be written, and lock it until
 * it is written or the process ends. An existing file keeps its contents. If a new file is never
 * written, it is removed at the end of the process. Pipes and devices are not checked, because
 * closing a pipe would signal the end of the data to its reader.
 * @path: name of the file; NULL: nothing happens
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int output_file_hold(const char *path);

/**
 * output_file_open() - Open or create a file, and lock it until it is closed. An existing file
 * keeps its contents until the caller empties it by file_lock_empty().
 *
 * Return: the file descriptor; -1 after a message.
 */
int output_file_open(const char *path);

/**
 * output_file_create() - Create a file, or empty an existing one, and lock it until it is closed.
 *
 * Return: the stream; NULL after a message.
 */
FILE *output_file_create(const char *path);

/**
 * output_file_failed() - Report that a file cannot be written.
 * @error: -errno; -EBUSY: another program is writing the file
 *
 * Return: TOOL_ERROR.
 */
int output_file_failed(const char *path, int error);

#endif /* TOOLS_COMMON_OUTPUT_FILE_H */
