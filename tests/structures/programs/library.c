// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A shared library with a variable of its own, and one that the program uses directly. */
#include "layout.h"

struct shared_item shared_items[SHARED_ITEMS];

int *shared_next(void)
{
	static int value;

	value++;
	return &value;
}
