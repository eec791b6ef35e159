/* SPDX-License-Identifier: MIT */
/*
 * Own file: a file that only one program may write at a time.
 *
 * What lives here: the creation of recordings and captures. A lock belongs to the open file, so two
 * runs with the same file name do not write over each other. May use the system's files and errors.
 */
#ifndef LIB_BASE_OWN_FILE_H
#define LIB_BASE_OWN_FILE_H

#include <stdio.h>

/**
 * smile_own_file() - Create a file, or empty an existing one, and lock it until it is closed.
 * @fd: receives its descriptor, which belongs to the stream
 * @what: for messages: "recording"
 *
 * On a file system without locks the call also succeeds.
 *
 * Return: 0; -EBUSY if another program has locked the file, which is then unchanged; -errno.
 */
int smile_own_file(FILE **out, int *fd, const char *path, const char *what);

#endif /* LIB_BASE_OWN_FILE_H */
