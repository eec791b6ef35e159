/* SPDX-License-Identifier: MIT */
/*
 * Static counters: counters for ranges that the user chooses. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_STATIC_COUNTERS_H
#define SMILE_MONITOR_STATIC_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * The static array counts the events in its tables, in addition to the dynamic array or instead of
 * it. The static array counts only if the configuration's mode has SMILE_MODE_STATIC. Its counts
 * are exact, and only Monitor_static_counts() returns them. Source: "Design and Implementation
 * Aspects" (2000), section IV.A.
 *
 *	struct smile_static tables;
 *	Monitor_static_default(&tables);
 *	int writes = Monitor_static_event(&tables, 1, 40 * 4096, 64,
 *					  SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST);
 *	int counter = Monitor_static_counter(&tables, writes, SMILE_STATIC_GLOBAL + 3, -1);
 *	Monitor_static_set(mon, &tables);
 *
 *	struct smile_config config;
 *	Monitor_config_default(&config);
 *	config.mode |= SMILE_MODE_STATIC;
 *	Monitor_config_set(mon, &config);
 */

/**
 * Monitor_static_default() - Create empty tables.
 * @tables: receives the tables
 *
 * Context: any thread.
 */
void Monitor_static_default(struct smile_static *tables);

/**
 * Monitor_static_event() - Add a memory event to the tables, or find an equal event in them.
 * @tables: tables to add to
 * @node: home node of the memory
 * @address: first byte, a multiple of 4, below 4 GB
 * @bytes: length, a multiple of 4, within one page
 * @filter: SMILE_FILTER_READ, _WRITE, _LOCK, _REQUEST, _RESPONSE: at least one type, and at least
 *          one of requests and responses
 *
 * Context: any thread.
 * Return: event id, 0 to 15.
 * Errors: -ENOSPC if the tables are full; -EINVAL.
 */
int Monitor_static_event(struct smile_static *tables, unsigned int node, uint64_t address,
			 size_t bytes, unsigned int filter);

/**
 * Monitor_static_counter() - Add a counter to the tables.
 * @tables: tables to add to
 * @count: id of the event that the counter counts: the id of a memory event, or SMILE_STATIC_GLOBAL
 *         plus the id of a global event
 * @activate: id of the event that starts the counting; -1: counting starts immediately
 * @deactivate: id of the event that ends the counting; -1: counting never ends
 *
 * If the counted event is also the event that starts or ends the counting, the event that starts or
 * ends it is itself counted.
 *
 * Context: any thread.
 * Return: counter index, 0 to 15.
 * Errors: -ENOSPC if all counters are in use; -EINVAL for an id that does not exist.
 */
int Monitor_static_counter(struct smile_static *tables, int count, int activate, int deactivate);

/**
 * Monitor_static_set() - Set the tables of the static array of a card that is stopped.
 * @tables: the tables
 *
 * Before the call changes the tables, it reads the counts that are still in the card, so that these
 * counts belong to the old tables. After the call, new counts are added to the earlier counts of
 * the same counter index in Monitor_static_counts(). The member size must be sizeof(*@tables), as
 * Monitor_static_default() sets it.
 *
 * Return: 0.
 * Errors: -EINVAL for invalid tables, or for tables that contain a node above 31 or a page above
 * 65535 while SMILE_MODE_NARROW is set; the message names the entry; -EBUSY while the card runs, or
 * if the recording being saved already has static counts: the header of a recording holds only the
 * last set of tables; -EOPNOTSUPP for a recording, or a card without a static array; as
 * Monitor_config_set().
 */
int Monitor_static_set(struct Monitor *mon, const struct smile_static *tables);

/**
 * Monitor_static_info() - Get the present tables of the static array, or the tables of the recorded
 * card.
 * @tables: receives the tables
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if the card has no static array.
 */
int Monitor_static_info(struct Monitor *mon, struct smile_static *tables);

/**
 * Monitor_static_counts() - Get the counts of the static counters.
 * @counts: receives the counts by [phase][counter]; caller-owned, shape
 *          [@phases][SMILE_STATIC_COUNTERS]
 * @phases: at least Monitor_phases(); later phases are left out
 *
 * For merged recordings the call returns the counts of the first recording, whose tables
 * Monitor_static_info() reports.
 *
 * Return: the number of existing phases.
 */
int Monitor_static_counts(struct Monitor *mon, uint64_t *counts, size_t phases);

/**
 * Monitor_static_reset() - Read one static counter and reset it, even while the card runs.
 * @counter: index, 0 to 15
 * @count: receives the counter's count since its last reset, or since Monitor_open(); NULL: the
 *         counter is only reset
 *
 * The other counters continue to count. The count is not lost: the call writes it to the recording
 * being saved, and adds it to the counts of Monitor_static_counts(), which are not reset. The call
 * also reads all waiting records, as Monitor_poll() does. If the call fails, @count is unchanged.
 *
 * Return: 0.
 * Errors: -EINVAL if the counter is not in use, or the mode has no SMILE_MODE_STATIC; -EOPNOTSUPP
 * for a recording, or a card or driver without this function; -EIO; -ENODEV if the card is gone.
 * Source: "Design and Implementation Aspects" (2000), section IV.A: an index selects a counter to
 * be read or reset.
 */
int Monitor_static_reset(struct Monitor *mon, unsigned int counter, uint64_t *count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_STATIC_COUNTERS_H */
