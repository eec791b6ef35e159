/* SPDX-License-Identifier: MIT */
/*
 * Loss: the card's counters, and the account that they must balance with.
 */
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics)
{
	struct smile_statistics sum = {0}, one;
	const __u64 *add = (const __u64 *)&one;
	__u64 *to = (__u64 *)&sum;
	uint64_t clock_ns = 0;
	int error;

	for (size_t i = 0; i < mon->streams_count; i++) {
		struct smile_source *source = mon->streams[i].source;

		error = source->ops->statistics(source, &one);
		if (error < 0)
			return error;
		/* The first eight bytes are size and status; the rest are counters, but for the clock. */
		for (size_t j = 1; j < sizeof(sum) / sizeof(*to); j++)
			to[j] += add[j];
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
	};
	int error = Monitor_statistics(mon, &statistics);

	if (error < 0 && error != -ENODATA)
		return error;
	if (!error) {
		account.known = 1;
		account.accepted = statistics.events_accepted;
		if (account.accepted > account.delivered + account.lost)
			account.pending = account.accepted - account.delivered - account.lost;
		account.balanced = account.accepted == account.delivered + account.lost;
	}
	*loss = account;
	return 0;
}
