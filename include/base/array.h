/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Array: make room for one more item in an array.
 *
 * What lives here: a function that enlarges an array that its caller owns. This file may use
 * <stdlib.h> and <string.h>, and is not installed.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_FIRST 16U

/**
 * array_reserve() - Make room in an array for the item with index @count.
 * @array: address of the pointer to the items, which the call may change
 * @size: number of items for which the array has room
 * @bytes: size of an item
 *
 * Return: 0; -ENOMEM if memory is missing: the array is then unchanged.
 */
static inline int array_reserve(void *array, size_t *size, size_t count, size_t bytes)
{
	size_t larger = *size ? *size : ARRAY_FIRST;
	void *items;

	if (count < *size)
		return 0;
	while (larger <= count)
		larger *= 2;
	memcpy(&items, array, sizeof(items));
	items = reallocarray(items, larger, bytes);
	if (!items)
		return -ENOMEM;
	memcpy(array, &items, sizeof(items));
	*size = larger;
	return 0;
}

#endif /* BASE_ARRAY_H */
