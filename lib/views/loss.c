/* SPDX-License-Identifier: MIT */
/* Loss: gets the statistics of the card, and the loss account, which must balance. */
#include <string.h>

#include <base/sum.h>

#include "lib/base/error.h"
#include "lib/monitor/merge.h"

int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics)
{
	struct smile_statistics sum = {0}, one;
	const __u64 *add = (const __u64 *)&one;
	__u64 *to = (__u64 *)&sum;
	uint64_t clock_ns = 0;
	int error;

	for (size_t i = 0; i < mon->streams_count; i++) {
		error = smile_merged_statistics(mon, i, &one);
		if (error < 0)
			return error;
		/*
		 * The first eight bytes are the size and the status. All other members are
		 * counters, except the clock.
		 */
		for (size_t j = 1; j < sizeof(sum) / sizeof(*to); j++)
			to[j] = sum_counts(to[j], add[j]);
		sum.status |= one.status;
		if (one.clock_ns > clock_ns)
			clock_ns = one.clock_ns;
	}
	sum.size = sizeof(sum);
	sum.clock_ns = clock_ns;
	*statistics = sum;
	return 0;
}

int Monitor_loss(struct Monitor *mon, struct Monitor_loss *loss)
{
	struct smile_statistics statistics;
	struct Monitor_loss account = {
		.delivered = mon->histogram.delivered,
		.lost = mon->histogram.lost,
		.marks_lost = mon->histogram.marks_lost,
		.static_delivered = mon->histogram.static_delivered,
		.records = mon->records,
		.sleeps = mon->histogram.sleeps,
		.resets = mon->histogram.resets,
	};
	uint64_t reported = sum_counts(account.delivered, account.lost);
	int error = Monitor_statistics(mon, &statistics);

	if (error < 0 && error != -ENODATA)
		return error;
	/* If the card was reset, its statistics do not include the time before the reset. */
	if (!error && !account.resets) {
		account.known = 1;
		account.accepted = statistics.events_accepted;
		if (account.accepted > reported)
			account.pending = account.accepted - reported;
		account.static_counted = statistics.static_counted;
		account.records_written = statistics.records_written;
		account.balanced = sum_equal(account.accepted, reported) &&
				   sum_equal(account.static_counted, account.static_delivered) &&
				   (Monitor_counting(mon) ||
				    sum_equal(account.records_written, account.records));
	}
	*loss = account;
	return 0;
}

int smile_loss_check(struct Monitor *mon)
{
	struct Monitor_loss loss;

	/*
	 * A card that was removed in the meantime cannot be queried, so the account cannot be
	 * checked.
	 */
	if (Monitor_loss(mon, &loss) < 0 || !loss.known || loss.balanced)
		return 0;
	if (!sum_equal(loss.accepted, sum_counts(loss.delivered, loss.lost)))
		return smile_error(EBADMSG,
				   "the records are not what the card counted: %llu events "
				   "accepted, but %llu delivered and %llu lost: report this",
				   (unsigned long long)loss.accepted,
				   (unsigned long long)loss.delivered,
				   (unsigned long long)loss.lost);
	if (!sum_equal(loss.static_counted, loss.static_delivered))
		return smile_error(EBADMSG,
				   "the records are not what the card counted: %llu events by "
				   "static counters, but %llu delivered: report this",
				   (unsigned long long)loss.static_counted,
				   (unsigned long long)loss.static_delivered);
	return smile_error(EBADMSG, "the card wrote %llu records, but %llu were read: report this",
			   (unsigned long long)loss.records_written,
			   (unsigned long long)loss.records);
}
