/* SPDX-License-Identifier: MIT */
/*
 * Memory: allocates zeroed arrays.
 *
 * What lives here: a function that allocates memory, and sets an error message if memory is
 * missing; and a macro that gets all items of a list of the public API. May use libc and the public
 * API.
 */
#ifndef LIB_ANALYSIS_MEMORY_H
#define LIB_ANALYSIS_MEMORY_H

#include <errno.h>
#include <stddef.h>

/**
 * analysis_memory() - Allocate zeroed memory for @count items of @size bytes. If @count is 0, the
 * memory has room for one item.
 *
 * Return: memory that the caller must free; NULL if memory is missing, with Monitor_error_message()
 * set.
 */
void *analysis_memory(size_t count, size_t size);

/**
 * ANALYSIS_LIST() - Get all items that a function such as Monitor_homes() lists.
 * @list: a pointer variable, which receives the array of items; the caller must free it even after
 *        an error
 * @count: an int, which receives the number of items, or -errno
 * @function: the function. Its arguments follow, except its last two arguments, which are the array
 *            and the capacity of the array
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
