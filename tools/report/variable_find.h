/* SPDX-License-Identifier: MIT */
/*
 * Finds the variable that a user means, with notes on variables without a name or a type.
 */
#ifndef TOOLS_REPORT_VARIABLE_FIND_H
#define TOOLS_REPORT_VARIABLE_FIND_H

#include "lib/analysis/structures.h"

/* Print why data has no name, or no type. @object: path of the file; NULL: all files. */
void structures_note(const struct structures *structures, const char *object);

/**
 * variable_named() - Find a variable by its name, whose part up to the last :: can be left out.
 *
 * Return: its index; -1 after a message.
 */
int64_t variable_named(const struct structures *structures, const char *name);

/**
 * variable_at() - Find the variable at an address.
 * @place: receives the part of the variable at this address
 *
 * Return: its index; -1 after a message.
 */
int64_t variable_at(struct Monitor *mon, uint64_t address, struct Monitor_place *place);

#endif /* TOOLS_REPORT_VARIABLE_FIND_H */
