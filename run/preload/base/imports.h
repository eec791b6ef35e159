/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Imports: the functions that the program and its libraries call in other objects. May use the
 * dynamic linker's list of objects.
 */
#ifndef RUN_PRELOAD_BASE_IMPORTS_H
#define RUN_PRELOAD_BASE_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * imports_serial() - Return a number, never 0, that changes when objects are loaded.
 */
uint64_t imports_serial(void);

/**
 * imports_any() - Return whether any object has an undefined symbol of one of these names.
 * @names: the last one is NULL
 */
bool imports_any(const char *const *names);

#endif /* RUN_PRELOAD_BASE_IMPORTS_H */
