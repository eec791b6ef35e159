/* SPDX-License-Identifier: MIT */
/*
 * Memory: zeroed arrays.
 *
 * What lives here: one way to allocate, which sets the message of a failure, and one to get the
 * lists of the public API. May use libc and the public API.
 */
#ifndef LIB_ANALYSIS_MEMORY_H
#define LIB_ANALYSIS_MEMORY_H

#include <errno.h>
#include <stddef.h>

/**
 * analysis_memory() - Zeroed memory for @count items of @size bytes, at least one.
 *
 * Return: to be freed; NULL without memory, with Monitor_error_message() set.
 */
void *analysis_memory(size_t count, size_t size);

/**
 * ANALYSIS_LIST() - All that a function such as Monitor_homes() lists.
 * @list: pointer that receives the items, to be freed also after an error
 * @count: int that receives how many, or -errno
 * @function: the function; behind it its arguments, without list and capacity
 */
#define ANALYSIS_LIST(list, count, function, ...)                                                  \
	do {                                                                                       \
		(list) = NULL;                                                                     \
		(count) = function(__VA_ARGS__, NULL, 0);                                          \
		if ((count) < 0)                                                                   \
			break;                                                                     \
		(list) = analysis_memory((size_t)(count), sizeof(*(list)));                        \
		(count) = (list) ? function(__VA_ARGS__, list, (size_t)(count)) : -ENOMEM;         \
	} while (0)

#endif /* LIB_ANALYSIS_MEMORY_H */
