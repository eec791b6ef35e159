/* SPDX-License-Identifier: MIT */
/*
 * Static: counters for ranges that the user names.
 *
 * What lives here: the check of the static array's tables that every source shares.
 */
#ifndef LIB_SOURCE_STATIC_H
#define LIB_SOURCE_STATIC_H

#include <smile/monitor.h>

/* Return: 0, or -EINVAL with a message that names the entry and the error. */
int smile_static_check(const struct smile_static *tables);

/* The same check for the node ids and addresses that SMILE_MODE_NARROW allows. */
int smile_static_narrow_check(const struct smile_static *tables);

/* Whether any counter is in use. */
int smile_static_counts(const struct smile_static *tables);

#endif /* LIB_SOURCE_STATIC_H */
