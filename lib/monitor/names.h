/* SPDX-License-Identifier: MIT */
/*
 * Names: what a program says of its memory while a card counts it.
 *
 * What lives here: the file in which it says it (docs/recording.md, "What a program says of its
 * memory"), and the records of the card at the addresses of the program. May use monitor.h.
 */
#ifndef LIB_MONITOR_NAMES_H
#define LIB_MONITOR_NAMES_H

#include "lib/monitor/monitor.h"

/*
 * Read records of a source, as its read() does. Names that the program gave before it accessed its
 * memory are taken in before the records of these accesses.
 */
int smile_names_read(struct Monitor *mon, struct smile_source *source, struct smile_record *records,
		     size_t capacity, int timeout_ms);

void smile_names_free(struct names *names);

#endif /* LIB_MONITOR_NAMES_H */
