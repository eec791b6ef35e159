/* SPDX-License-Identifier: MIT */
/*
 * Errors: sets the message that explains a negative return value.
 *
 * What lives here: the macro by which every function of the library reports an error. Every file of
 * lib/ may use it.
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

#include <errno.h>

#include <smile/monitor.h>

/* This is a macro so that a function can end with "return smile_error(ENOENT, ...)". */
#define smile_error(...) Monitor_error_set(__VA_ARGS__)

#endif /* LIB_BASE_ERROR_H */
