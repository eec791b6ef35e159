/* SPDX-License-Identifier: MIT */
/*
 * Static counters: counters for ranges that the user names. Part of <smile/monitor.h>.
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
 * The static array counts by its tables, beside the dynamic array or instead of it, if the
 * configuration's mode has SMILE_MODE_STATIC: tables without that mode count nothing. Its counts
 * are exact, in Monitor_static_counts(), and in no other view. Source: "Design and Implementation
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
 * Monitor_static_default() - Empty tables.
 * @tables: receives them
 *
 * Context: any thread.
 */
void Monitor_static_default(struct smile_static *tables);

/**
 * Monitor_static_event() - Add a memory event to the tables, or find an equal one.
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
 * @count: id of the event that it counts: of a memory event, or SMILE_STATIC_GLOBAL plus a global
 *         event
 * @activate: id of the event that begins the counting, or -1: it begins at once
 * @deactivate: id of the event that ends it, or -1
 *
 * An event that is both counted and activates or deactivates is counted.
 *
 * Context: any thread.
 * Return: counter index, 0 to 15.
 * Errors: -ENOSPC if all are in use; -EINVAL for an id that is not there.
 */
int Monitor_static_counter(struct smile_static *tables, int count, int activate, int deactivate);

/**
 * Monitor_static_set() - Set the tables of the static array; the card must be stopped.
 * @tables: the tables
 *
 * Counters still in the arrays are taken in under the old tables first; what
 * Monitor_static_counts() reports goes on from there, by counter index. @tables' size is
 * sizeof(*@tables), as Monitor_static_default() leaves it: no other is accepted.
 *
 * Return: 0.
 * Errors: -EINVAL for tables that are invalid, or that with SMILE_MODE_NARROW in force name a
 * node above 31 or a page above 65535, with a message that names the entry; -EBUSY while running,
 * or while a recording is saved that has static counts already (its header reports one set of
 * tables, the last); -EOPNOTSUPP for a recording, or a card without a static array; and as
 * Monitor_config_set().
 */
int Monitor_static_set(struct Monitor *mon, const struct smile_static *tables);

/**
 * Monitor_static_info() - The tables in force; for a recording, its card's tables.
 * @tables: receives them
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if there is no static array.
 */
int Monitor_static_info(struct Monitor *mon, struct smile_static *tables);

/**
 * Monitor_static_counts() - What the static counters have counted.
 * @counts: caller-owned, shape [@phases][SMILE_STATIC_COUNTERS]
 * @phases: Monitor_phases() at least; later phases are left out
 *
 * For merged recordings, the first one's, whose tables Monitor_static_info() reports.
 *
 * Return: phases there are.
 */
int Monitor_static_counts(struct Monitor *mon, uint64_t *counts, size_t phases);

/**
 * Monitor_static_reset() - Read one static counter and reset it, whether the card runs or not.
 * @counter: index, 0 to 15
 * @count: receives what it has counted since it was last reset, or since Monitor_open(); NULL: it
 *         is only reset
 *
 * The other counters continue. Nothing is lost: what the counter held is in a recording that is
 * being saved, and in Monitor_static_counts(), which does not restart. Records that are waiting are
 * taken in, as by Monitor_poll().
 *
 * Return: 0.
 * Errors: -EINVAL if the counter is not in use, or the mode has no SMILE_MODE_STATIC; -EOPNOTSUPP
 * for a recording, or a card or driver that cannot; -EIO; -ENODEV; @count is then untouched.
 * Source: "Design and Implementation Aspects" (2000), section IV.A: an index selects a counter to
 * be read or reset.
 */
int Monitor_static_reset(struct Monitor *mon, unsigned int counter, uint64_t *count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_STATIC_COUNTERS_H */
