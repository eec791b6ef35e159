/* SPDX-License-Identifier: MIT */
/*
 * Merge: one view of several Monitors. Each of these Monitors stays usable.
 */
#ifndef LIB_MONITOR_MERGE_H
#define LIB_MONITOR_MERGE_H

#include "lib/monitor/monitor.h"

/*
 * Call @act for each part of a merged view. If it fails for one part, it is still called for the
 * other parts. @done: the completed action, for the message, such as "started". Return: the sum of
 * the results; or the first error, with a message that names all parts for which @act failed, and
 * all parts for which it succeeded.
 */
int smile_merged_act(struct Monitor *mon, const char *done,
		     int (*act)(struct Monitor *part, const void *argument), const void *argument);

/* Read records of any part, as Monitor_records_read() does. The parts take turns. */
int smile_merged_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
		      int timeout_ms);

/* If @part is in a merged view, count the records that it has read in the view. */
void smile_merged_take_in(struct Monitor *part, const struct smile_record *records, size_t count);

/* Note that the configuration of @part has changed. */
void smile_merged_configured(struct Monitor *part, const struct smile_config *config);

/*
 * Get the card's counters of stream @index. In a merged view, if the card is gone, these are the
 * last counters that were read. Return: as Monitor_statistics().
 */
int smile_merged_statistics(struct Monitor *mon, size_t index, struct smile_statistics *statistics);

/* End a merged view. Its parts become independent again. */
void smile_merged_part(struct Monitor *mon);

#endif /* LIB_MONITOR_MERGE_H */
