/* SPDX-License-Identifier: MIT */
/*
 * Names: a program's names of its memory while a card counts it.
 *
 * What lives here: the reader of the file of names (docs/recording.md, "What a program says of its
 * memory"), and the translation of the card's records to the addresses of the program. May use
 * monitor.h.
 */
#ifndef LIB_MONITOR_NAMES_H
#define LIB_MONITOR_NAMES_H

#include "lib/monitor/monitor.h"

/*
 * Read records of a source, like its read(). Names that the program wrote before it accessed its
 * memory are taken in before the records of these accesses.
 */
int smile_names_read(struct Monitor *mon, struct smile_source *source, struct smile_record *records,
		     size_t capacity, int timeout_ms);

void smile_names_free(struct names *names);

#endif /* LIB_MONITOR_NAMES_H */
