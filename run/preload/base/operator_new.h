/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * C++'s operators new. They call malloc(), which reports the block; they pass the address of their
 * own caller to it.
 */
#ifndef RUN_PRELOAD_BASE_OPERATOR_NEW_H
#define RUN_PRELOAD_BASE_OPERATOR_NEW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The place in the program that causes the thread's call of malloc(), such as the caller of
 * operator new; NULL: the caller of malloc() itself. malloc() sets this to NULL when it has used
 * it.
 */
extern _Thread_local const void *allocation_site;

/* Does the library need the caller of a block of this size? Each library has its own function. */
bool allocation_site_wanted(size_t bytes);

#endif /* RUN_PRELOAD_BASE_OPERATOR_NEW_H */
