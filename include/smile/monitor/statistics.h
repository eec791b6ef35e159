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
 * Monitor_statistics() - Read the counters of the card and of the driver, without resetting them.
 * @statistics: receives the counters
 *
 * For merged cards or recordings, the call returns the sums of all counters and the latest clock.
 *
 * Return: 0.
 * Errors: -ENODATA for a recording that was not closed.
 */
int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics);

/**
 * struct Monitor_loss - The loss account.
 * @accepted: events accepted by the card's filter
 * @delivered: sum of the counts of the records that were read
 * @lost: memory events lost, as reported by LOST records
 * @pending: events accepted, but neither delivered nor lost yet; they are still in the card
 * @marks_lost: EVENT records lost
 * @static_counted: events counted by the static array
 * @static_delivered: sum of the counts of the static array's records that were read; the static
 *                    array loses no events
 * @records_written: records of every kind that the card wrote
 * @records: number of records that were read
 * @sleeps: number of times that the machine was suspended while the card counted; the card counts
 *          nothing while the machine is suspended
 * @resets: number of times that a bus error reset the card; each reset loses the counts that were
 *          not delivered yet, and their number is not known
 * @known: 1: the card's own counters are known; 0: the recording was not closed, or @resets is not
 *         0; then @accepted, @pending, @static_counted and @records_written are 0
 * @balanced: 1: @known is 1, @pending is 0, @delivered + @lost = @accepted, @static_delivered =
 *            @static_counted, and @records = @records_written
 *
 * If a sum exceeds 64 bits, it is UINT64_MAX, and the account is not balanced; only a damaged
 * recording has such sums.
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
 * Monitor_loss() - Get the loss account.
 * @loss: receives the account
 *
 * The account shows every loss: no event is lost silently.
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
