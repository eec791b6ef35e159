/* SPDX-License-Identifier: MIT */
/*
 * Merge: one view of several Monitors, which all stay usable.
 */
#ifndef LIB_MONITOR_MERGE_H
#define LIB_MONITOR_MERGE_H

#include "lib/monitor/monitor.h"

/*
 * Call @act for each part of a merged view, even if it fails for other parts. @done: the completed
 * action, for the message, such as "started". Return: the sum of the results; or the first error,
 * with a message that names every part for which it failed, and the parts for which it did not.
 */
int smile_merged_act(struct Monitor *mon, const char *done,
		     int (*act)(struct Monitor *part, const void *argument), const void *argument);

/* Like Monitor_records_read(), from any part. The parts take turns. */
int smile_merged_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
		      int timeout_ms);

/* Count the records that @part has taken in, if it is in a merged view. */
void smile_merged_take_in(struct Monitor *part, const struct smile_record *records, size_t count);

/* The configuration of @part has changed. */
void smile_merged_configured(struct Monitor *part, const struct smile_config *config);

/*
 * The counters of stream @index. In a merged view, a card that is gone has its last counters.
 * Return: as Monitor_statistics().
 */
int smile_merged_statistics(struct Monitor *mon, size_t index, struct smile_statistics *statistics);

/* End the merged view: its parts are independent again. */
void smile_merged_part(struct Monitor *mon);

#endif /* LIB_MONITOR_MERGE_H */
