/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Array: room for one more item.
 *
 * What lives here: the growth of arrays that the caller owns. May use <stdlib.h> and <string.h>.
 * Not installed.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_FIRST 16U

/**
 * array_reserve() - Room for item @count of an array.
 * @array: the address of the pointer to its items, which may move
 * @size: number of items that the array has room for
 * @bytes: size of an item
 *
 * Return: 0; -ENOMEM: the array is unchanged.
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
