/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of a perf event. See pmu_format.c. */
#ifndef KMOD_PMU_FORMAT_H
#define KMOD_PMU_FORMAT_H

#include <linux/types.h>

#include "smile_monitor.h"

struct perf_event_attr;

/* The directories "format" and "events" of a PMU in sysfs. */
extern const struct attribute_group smile_pmu_format_group;
extern const struct attribute_group smile_pmu_events_group;

/* Check whether a card can count this event. Return: 0 if it can; -EINVAL. */
int smile_pmu_format_check(const struct perf_event_attr *attr);

/*
 * Set the words of the tables that make counter @i count this event. Each counter uses entry i of
 * each table, which no other counter uses.
 */
void smile_pmu_format_words(struct smile_static *tables, unsigned int i,
			    const struct perf_event_attr *attr);

#endif /* KMOD_PMU_FORMAT_H */
