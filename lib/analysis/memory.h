/* SPDX-License-Identifier: MIT */
/*
 * Memory: zeroed arrays.
 *
 * What lives here: one way to allocate, which sets the message of a failure. May use libc and the
 * public API.
 */
#ifndef LIB_ANALYSIS_MEMORY_H
#define LIB_ANALYSIS_MEMORY_H

#include <stddef.h>

/**
 * analysis_memory() - Zeroed memory for @count items of @size bytes, at least one.
 *
 * Return: to be freed; NULL without memory, with Monitor_error_message() set.
 */
void *analysis_memory(size_t count, size_t size);

#endif /* LIB_ANALYSIS_MEMORY_H */
