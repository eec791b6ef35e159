/* SPDX-License-Identifier: MIT */
/*
 * Static: counters for the ranges that the user chooses.
 *
 * What lives here: the check of the tables of the static array, which all sources share.
 */
#ifndef LIB_SOURCE_STATIC_H
#define LIB_SOURCE_STATIC_H

#include <smile/monitor.h>

/* Check the tables. Return: 0; -EINVAL with a message that names the entry and the error. */
int smile_static_check(const struct smile_static *tables);

/*
 * Check that the tables have only node ids and addresses that SMILE_MODE_NARROW allows. Return: as
 * smile_static_check().
 */
int smile_static_narrow_check(const struct smile_static *tables);

/* Return whether any counter is used. */
int smile_static_counts(const struct smile_static *tables);

#endif /* LIB_SOURCE_STATIC_H */
