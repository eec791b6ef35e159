/* SPDX-License-Identifier: MIT */
/*
 * Locked file: create a file that only one program may write at a time.
 *
 * What lives here: the creation of recordings and captures, with messages. The file is locked as
 * long as it is open. Two runs with the same file name therefore cannot overwrite each other's
 * file. May use <base/file_lock.h> and errors.
 */
#ifndef LIB_BASE_LOCKED_FILE_H
#define LIB_BASE_LOCKED_FILE_H

#include <stdio.h>

/**
 * smile_locked_file() - Open or create a file, and lock it until it is closed. An existing file
 * keeps its contents until the caller empties it by file_lock_empty().
 * @fd: receives the file descriptor, which belongs to the stream
 * @what: kind of the file, for messages: "recording"
 *
 * On a file system without locks, the call succeeds, but the file is not locked.
 *
 * Return: 0; -EBUSY if another program has locked the file; another negative errno value after
 * another error.
 */
int smile_locked_file(FILE **out, int *fd, const char *path, const char *what);

#endif /* LIB_BASE_LOCKED_FILE_H */
