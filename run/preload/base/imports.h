/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Imports: finds the functions that the program and its libraries import from other objects.
 *
 * What lives here: a search in the symbol tables of all objects. This file may use the dynamic
 * linker's list of objects.
 */
#ifndef RUN_PRELOAD_BASE_IMPORTS_H
#define RUN_PRELOAD_BASE_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * imports_serial() - Get a number that changes when objects are loaded. It is never 0.
 */
uint64_t imports_serial(void);

/**
 * imports_any() - Check whether at least one object imports a function with one of these names.
 * @names: the names, ended by NULL
 */
bool imports_any(const char *const *names);

#endif /* RUN_PRELOAD_BASE_IMPORTS_H */
