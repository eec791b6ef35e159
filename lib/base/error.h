/* SPDX-License-Identifier: MIT */
/*
 * Errors: the message that belongs to a negative return value.
 *
 * What lives here: how every function of the library fails. May be used by every file of lib/.
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

#include <errno.h>

#include <smile/monitor.h>

/* A macro, so that a failing path is written as "return smile_error(ENOENT, ...)". */
#define smile_error(...) Monitor_error_set(__VA_ARGS__)

#endif /* LIB_BASE_ERROR_H */
