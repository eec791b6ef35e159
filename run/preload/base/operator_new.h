/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations for the operators new of C++. They call malloc(), which reports the block. Before
 * the call, an operator stores its own return address in allocation_site, and malloc() reports this
 * address as the site.
 */
#ifndef RUN_PRELOAD_BASE_OPERATOR_NEW_H
#define RUN_PRELOAD_BASE_OPERATOR_NEW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The site for the thread's next call of malloc(). It is the return address of the program's call,
 * for example of operator new. If it is NULL, the site is the return address of malloc() itself.
 * malloc() uses this variable and resets it to NULL.
 */
extern _Thread_local const void *allocation_site;

/*
 * Check whether the library needs the site of a block of this size. smile-preload.so and
 * smile-place.so define this function differently.
 */
bool allocation_site_wanted(size_t bytes);

#endif /* RUN_PRELOAD_BASE_OPERATOR_NEW_H */
