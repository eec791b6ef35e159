/* SPDX-License-Identifier: MIT */
/*
 * Locked file: create a file that only one program may write at a time.
 *
 * What lives here: the creation of recordings and captures. The file is locked as long as it is
 * open. Two runs with the same file name therefore cannot overwrite each other's file. May use the
 * system's files and errors.
 */
#ifndef LIB_BASE_LOCKED_FILE_H
#define LIB_BASE_LOCKED_FILE_H

#include <stdio.h>

/**
 * smile_locked_file() - Create a file, or empty an existing one, and lock it until it is closed.
 * @fd: receives the file descriptor, which belongs to the stream
 * @what: kind of the file, for messages: "recording"
 *
 * On a file system without locks, the call succeeds, but the file is not locked.
 *
 * Return: 0; -EBUSY if another program has locked the file: the file is then unchanged; another
 * negative errno value after another error.
 */
int smile_locked_file(FILE **out, int *fd, const char *path, const char *what);

#endif /* LIB_BASE_LOCKED_FILE_H */
