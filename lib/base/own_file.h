/* SPDX-License-Identifier: MIT */
/*
 * Own file: creates a file that only one program may write at a time.
 *
 * What lives here: the creation of recordings and captures. The file is locked as long as it is
 * open, so two runs with the same file name cannot overwrite each other's file. This file may use
 * the C library and error.h.
 */
#ifndef LIB_BASE_OWN_FILE_H
#define LIB_BASE_OWN_FILE_H

#include <stdio.h>

/**
 * smile_own_file() - Create a file, or empty an existing one, and lock it until it is closed.
 * @fd: receives the file descriptor, which belongs to the stream
 * @what: kind of the file, for messages: "recording"
 *
 * On a file system without locks, the call succeeds, but the file is not locked.
 *
 * Return: 0; -EBUSY if another program has locked the file, which is then unchanged; another
 * -errno.
 */
int smile_own_file(FILE **out, int *fd, const char *path, const char *what);

#endif /* LIB_BASE_OWN_FILE_H */
