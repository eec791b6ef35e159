/* SPDX-License-Identifier: MIT */
/*
 * Find the variable that a user has named, and print notes about variables without a name or a
 * type.
 */
#ifndef TOOLS_REPORT_VARIABLE_FIND_H
#define TOOLS_REPORT_VARIABLE_FIND_H

#include "lib/analysis/structures.h"

/*
 * Print the reasons why shown data has no name or no type. @object: only for the file with this
 * path; NULL: for all files.
 */
void structures_note(const struct structures *structures, const char *object);

/**
 * variable_named() - Find a variable by its name. The user may leave out the part of the name up to
 * the last "::".
 *
 * Return: index of the variable; -1 after a message.
 */
int64_t variable_named(const struct structures *structures, const char *name);

/**
 * variable_at() - Find the variable at an address.
 * @place: receives the part of the variable at this address
 *
 * Return: index of the variable; -1 after a message.
 */
int64_t variable_at(struct Monitor *mon, uint64_t address, struct Monitor_place *place);

#endif /* TOOLS_REPORT_VARIABLE_FIND_H */
