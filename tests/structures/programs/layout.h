/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Shared by layout.c and its shared library. */
#ifndef LAYOUT_H
#define LAYOUT_H

#define SHARED_ITEMS 500

struct shared_item {
	long weight;
	char name[24];
};

extern struct shared_item shared_items[SHARED_ITEMS];
int *shared_next(void);

#endif /* LAYOUT_H */
