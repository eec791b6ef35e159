/* SPDX-License-Identifier: MIT */
/*
 * Static tables: check the page table, the event table and the table of the static counters, which
 * count the ranges that the user chooses.
 *
 * What lives here: the check of the tables of the static array, which all sources share.
 */
#ifndef LIB_SOURCE_STATIC_TABLES_H
#define LIB_SOURCE_STATIC_TABLES_H

#include <smile/monitor.h>

/* Check the tables. Return: 0; -EINVAL with a message that names the entry and the error. */
int smile_static_check(const struct smile_static *tables);

/*
 * Check that all node ids and addresses in the tables are possible with SMILE_MODE_NARROW. Return:
 * 0; -EINVAL with a message that names the entry and the error.
 */
int smile_static_narrow_check(const struct smile_static *tables);

/* Return whether the tables use any static counter. */
int smile_static_counts(const struct smile_static *tables);

#endif /* LIB_SOURCE_STATIC_TABLES_H */
