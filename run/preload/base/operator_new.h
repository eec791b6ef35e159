/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * C++'s operators new. They call malloc(), which reports the block; these pass on their callers.
 */
#ifndef RUN_PRELOAD_BASE_OPERATOR_NEW_H
#define RUN_PRELOAD_BASE_OPERATOR_NEW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The place in the program for whose sake the thread calls malloc(), such as the caller of operator
 * new; NULL: the caller of malloc(), which sets this to NULL when it has used it.
 */
extern _Thread_local const void *allocation_site;

/* Does the library want the caller of a block of this size? Each library has its own. */
bool allocation_site_wanted(size_t bytes);

#endif /* RUN_PRELOAD_BASE_OPERATOR_NEW_H */
