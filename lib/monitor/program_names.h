/* SPDX-License-Identifier: MIT */
/*
 * Program names: reads the names that a program gives to its memory, while a card counts the
 * program's accesses.
 *
 * What lives here: the reader of the file of names (docs/recording.md, "What a program says of its
 * memory"), and the translation of the addresses in the card's records to addresses of the program.
 * May use monitor.h.
 */
#ifndef LIB_MONITOR_PROGRAM_NAMES_H
#define LIB_MONITOR_PROGRAM_NAMES_H

#include "lib/monitor/monitor.h"

/*
 * Read records of a source, like its read(). If the program writes the names of memory before it
 * accesses the memory, the function reads the names before the records of these accesses.
 */
int smile_names_read(struct Monitor *mon, struct smile_source *source, struct smile_record *records,
		     size_t capacity, int timeout_ms);

void smile_names_free(struct names *names);

#endif /* LIB_MONITOR_PROGRAM_NAMES_H */
