/* SPDX-License-Identifier: MIT */
/*
 * Errors: the message that goes with a negative return value.
 *
 * What lives here: the one way in which the library fails. May be used by every file of lib/.
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

#include <errno.h>

/*
 * Set this thread's message and return -@error, so that a failing path reads
 * "return smile_error(ENOENT, ...)". The message names the thing and the remedy.
 */
__attribute__((format(printf, 2, 3))) int smile_error(int error, const char *format, ...);

#endif /* LIB_BASE_ERROR_H */
