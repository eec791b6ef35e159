/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses of a node to its own memory, by page: what no card sees, since they cross no link.
 *
 * What lives here: the table of counts. A processor counts the pages that it used last by itself,
 * and brings them here when it needs the room. It may use include/ and the C library without
 * <stdio.h>.
 */
#ifndef EMU_MACHINE_LOCALS_H
#define EMU_MACHINE_LOCALS_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/**
 * struct locals_entry - A page.
 * @entry: as pages.h has it; 0: the slot is free
 * @counts: accesses by SMILE_TYPE_*; [SMILE_TYPE_ANY] is not used
 */
struct locals_entry {
	uint64_t entry;
	uint64_t counts[SMILE_TYPE_COUNT];
};

/**
 * struct locals - The table; all zero is an empty one.
 * @entries: [@slots]
 * @slots: a power of two, or 0
 * @count: entries in use
 */
struct locals {
	struct locals_entry *entries;
	size_t slots;
	size_t count;
};

/**
 * locals_add() - Add counts to those of a page.
 *
 * Return: 0; -ENOMEM, and nothing was added.
 */
int locals_add(struct locals *locals, uint64_t entry, const uint64_t *counts);

void locals_free(struct locals *locals);

#endif /* EMU_MACHINE_LOCALS_H */
