/* SPDX-License-Identifier: MIT */
/*
 * Statistics: the counters of the card, and the account of losses. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_STATISTICS_H
#define SMILE_MONITOR_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_statistics() - The card's and driver's counters; none is reset by reading.
 * @statistics: receives them
 *
 * For merged cards or recordings, the sums, and the latest clock.
 *
 * Return: 0.
 * Errors: -ENODATA for a recording that was not closed.
 */
int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics);

/**
 * struct Monitor_loss - The loss account.
 * @accepted: events accepted by the card's filter
 * @delivered: sum of the counts of the records taken in
 * @lost: memory events lost, as reported by LOST records
 * @pending: events accepted, and neither delivered nor lost yet: still in the card
 * @marks_lost: EVENT records lost
 * @static_counted: events counted by the static array
 * @static_delivered: sum of the counts of its records taken in; it loses none
 * @records_written: records of every kind that the card wrote
 * @records: records taken in
 * @sleeps: times the machine slept while counting; nothing is counted in its sleep
 * @resets: times a bus error reset the card: what it had not delivered is lost, uncounted
 * @known: the card's own counters are known (0: a recording that was not closed, or @resets; then
 *         @accepted, @pending, @static_counted and @records_written are 0)
 * @balanced: @known, nothing pending, delivered + lost = accepted, @static_delivered =
 *            @static_counted, and @records = @records_written
 *
 * A sum beyond 64 bits, which only a damaged recording has, is UINT64_MAX, and never balanced.
 */
struct Monitor_loss {
	uint64_t accepted;
	uint64_t delivered;
	uint64_t lost;
	uint64_t pending;
	uint64_t marks_lost;
	uint64_t static_counted;
	uint64_t static_delivered;
	uint64_t records_written;
	uint64_t records;
	uint64_t sleeps;
	uint64_t resets;
	int known;
	int balanced;
};

/**
 * Monitor_loss() - The loss account.
 * @loss: receives the account
 *
 * Nothing is lost silently.
 *
 * Return: 0.
 * Errors: -ENODEV if the card is gone.
 */
int Monitor_loss(struct Monitor *mon, struct Monitor_loss *loss);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_STATISTICS_H */
