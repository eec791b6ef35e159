/* SPDX-License-Identifier: MIT */
/*
 * Merge: one view of several Monitors, each of which stays usable.
 */
#ifndef LIB_MONITOR_MERGE_H
#define LIB_MONITOR_MERGE_H

#include "lib/monitor/monitor.h"

/*
 * Do @act with each part of a merged view, whatever it returns for the others. @done: what has been
 * done then, for the message, "started". Return: the sum; the first error, with a message that
 * names every part that failed, and those that did not.
 */
int smile_merged_act(struct Monitor *mon, const char *done,
		     int (*act)(struct Monitor *part, const void *argument), const void *argument);

/* As Monitor_records_read(), of any part. The parts take turns. */
int smile_merged_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
		      int timeout_ms);

/* Count what @part has taken in, if it is in a merged view. */
void smile_merged_take_in(struct Monitor *part, const struct smile_record *records, size_t count);

/* The configuration of @part has changed. */
void smile_merged_configured(struct Monitor *part, const struct smile_config *config);

/*
 * The counters of stream @index. In a merged view, a card that is gone has its last counters.
 * Return: as Monitor_statistics().
 */
int smile_merged_statistics(struct Monitor *mon, size_t index, struct smile_statistics *statistics);

/* End the merged view: its parts stand alone again. */
void smile_merged_part(struct Monitor *mon);

#endif /* LIB_MONITOR_MERGE_H */
