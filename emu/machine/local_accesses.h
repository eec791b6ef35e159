/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counts of the accesses of a node to its own memory, by page. The cards cannot see these accesses,
 * because these accesses cross no link.
 *
 * What lives here: the entries of the table of counts. A processor counts the accesses to its most
 * recently used pages itself. When it needs the room for another page, it adds the counts to the
 * table. May use include/ and the C library except <stdio.h>.
 */
#ifndef EMU_MACHINE_LOCAL_ACCESSES_H
#define EMU_MACHINE_LOCAL_ACCESSES_H

#include <base/hash_table.h>
#include <uapi/smile_monitor.h>

/**
 * struct locals_entry - The counts of a page.
 * @entry: page and node; format as in page_homes.h
 * @counts: numbers of accesses by SMILE_TYPE_*; [SMILE_TYPE_ANY] is not used
 */
struct locals_entry {
	uint64_t entry;
	uint64_t counts[SMILE_TYPE_COUNT];
};

#endif /* EMU_MACHINE_LOCAL_ACCESSES_H */
