/* SPDX-License-Identifier: MIT */
/* Merge: shows several Monitors in one view. Each of these Monitors stays usable. */
#ifndef LIB_MONITOR_MERGE_H
#define LIB_MONITOR_MERGE_H

#include "lib/monitor/monitor.h"

/*
 * Call @act for each part of a merged view, even if it has failed for another part. @done: the past
 * participle of the action, such as "started", for messages. Return: the sum of the results; after
 * a failure, the first error, with a message that names all parts for which @act failed and all
 * parts for which it succeeded.
 */
int smile_merged_act(struct Monitor *mon, const char *done,
		     int (*act)(struct Monitor *part, const void *argument), const void *argument);

/* Read records of any part, like Monitor_records_read(). The parts take turns. */
int smile_merged_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
		      int timeout_ms);

/* If @part belongs to a merged view, add the records that it has read to the counts of the view. */
void smile_merged_take_in(struct Monitor *part, const struct smile_record *records, size_t count);

/* Note that the configuration of @part has changed. */
void smile_merged_configured(struct Monitor *part, const struct smile_config *config);

/*
 * Get the statistics of the card of stream @index. If the stream is in a merged view and the card
 * was removed, get the last statistics that were read. Return: the result of Monitor_statistics().
 */
int smile_merged_statistics(struct Monitor *mon, size_t index, struct smile_statistics *statistics);

/* End a merged view. Its parts become independent again. */
void smile_merged_part(struct Monitor *mon);

#endif /* LIB_MONITOR_MERGE_H */
