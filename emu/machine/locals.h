/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses of a node to its own memory, by page. No card sees them, since they cross no link.
 *
 * What lives here: the entries of the table of counts. A processor counts its most recently used
 * pages itself, and adds these counts to the table when it needs the room. May use include/ and the
 * C library without <stdio.h>.
 */
#ifndef EMU_MACHINE_LOCALS_H
#define EMU_MACHINE_LOCALS_H

#include <base/hash_table.h>
#include <uapi/smile_monitor.h>

/**
 * struct locals_entry - The counts of a page.
 * @entry: as in page_homes.h
 * @counts: accesses by SMILE_TYPE_*; [SMILE_TYPE_ANY] is not used
 */
struct locals_entry {
	uint64_t entry;
	uint64_t counts[SMILE_TYPE_COUNT];
};

#endif /* EMU_MACHINE_LOCALS_H */
