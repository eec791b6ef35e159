// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream of records: implementation of the ioctls.
 *
 * What lives here: start, stop, swap out, configure, the static array's tables, events,
 * information, statistics, suspend and resume. No function uses an open file. May use: the
 * registers through card.c, the ring, the PMU.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>

#include "smile_monitor.h"

/*
 * A card with room in its ring swaps out in microseconds. If a swap takes this long, the card
 * hangs.
 */
#define STREAM_SWAP_TIMEOUT_MS 1000

/*
 * The number of times that the driver empties the card's ring before a stop or a mark. The accesses
 * that a fabric can hold back fill the ring far fewer times.
 */
#define STREAM_PASSES 64

static int stream_enable(struct smile_card *card, bool enable)
{
	u32 control = enable ? SMILE_CONTROL_ENABLE : 0;

	smile_card_write(card, SMILE_REG_CONTROL, control);
	/* Reading back flushes the posted write. From here on, the card is in its new state. */
	if (smile_card_absent(card, smile_card_read(card, SMILE_REG_CONTROL)))
		return -ENODEV;
	WRITE_ONCE(card->running, enable);
	return 0;
}

/* Drain until the card no longer has a Swap_All or an EVENT that waits for room. */
static int stream_settle(struct smile_card *card)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(STREAM_SWAP_TIMEOUT_MS);
	u64 head = READ_ONCE(card->ring.head);
	u32 status;
	int ret;

	for (;;) {
		int drained = smile_drain_run(card, false);
		bool late;

		if (drained && drained != -EAGAIN)
			return drained;
		/* If the card still delivers records, it does not hang. */
		if (READ_ONCE(card->ring.head) != head) {
			head = READ_ONCE(card->ring.head);
			deadline = jiffies + msecs_to_jiffies(STREAM_SWAP_TIMEOUT_MS);
		}
		/*
		 * Read the time before the status. Otherwise, a delay of this thread between the
		 * two could look like a card that hangs.
		 */
		late = time_after(jiffies, deadline);
		ret = smile_host_status(card, &status);
		if (ret)
			return ret;
		if (!(status & SMILE_STATUS_SWAPPING))
			return 0;
		if (drained)
			return -EAGAIN;
		if (signal_pending(current))
			return -ERESTARTSYS;
		if (late) {
			dev_err_ratelimited(&card->pdev->dev,
					    "swap hangs: close and reopen, or end perf\n");
			return -EIO;
		}
		usleep_range(50, 100);
	}
}

/*
 * If the card is full and holds the B-Link, it may not have seen all accesses to this node's
 * memory. It must see them before it stops or marks a phase, so make room. Return: 0; -EAGAIN if
 * the driver's ring has no room, or if other nodes fill the card again and again; -EIO; -ENODEV.
 */
static int stream_let_pass(struct smile_card *card)
{
	unsigned int tries;
	u32 status;

	if (!card->running || !(card->config.mode & SMILE_MODE_HOLD))
		return 0;
	for (tries = 0; tries < STREAM_PASSES; tries++) {
		int ret = smile_drain_run(card, false) ?: smile_host_status(card, &status);

		if (ret || !(status & SMILE_STATUS_FULL))
			return ret;
	}
	return -EAGAIN;
}

/* Execute a swap command. Return: -EINVAL if the card rejected it. */
static int stream_command(struct smile_card *card, u32 command)
{
	/* First finish a running swap of an earlier call or of a phase mark. */
	int ret = stream_settle(card);

	if (ret)
		return ret;
	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	smile_card_write(card, SMILE_REG_COMMAND, command);
	return smile_card_refusal(card) ?: stream_settle(card);
}

/* Make the card write all counters of both arrays to its ring. */
static int stream_empty_arrays(struct smile_card *card)
{
	/* A card without a static array would reject the command. */
	bool both = card->config.mode & SMILE_MODE_STATIC;

	return stream_command(card, SMILE_COMMAND_SWAP | (both ? SMILE_COMMAND_SWAP_STATIC : 0));
}

/*
 * Move the records that the card's ring holds after a swap into the driver's ring. Return: as
 * smile_stream_swap().
 */
static int stream_collect(struct smile_card *card)
{
	/*
	 * One call moves all records that the card holds now, even if the card continues to write.
	 */
	int ret = smile_drain_run(card, false);

	if (ret != -EAGAIN)
		return ret;
	/* The driver's ring may be full, but already hold all of these records. */
	guard(mutex)(&card->ring.lock);
	return smile_drain_waiting(card) ? -EAGAIN : 0;
}

/*
 * Swap out all counters (SWAP_OUT), and move the records of the card's ring into the driver's ring.
 * A running card continues to write; the call waits only for the records of this swap. Return: 0;
 * -EAGAIN if the driver's ring has no room; -ERESTARTSYS; -EIO; -ENODEV.
 */
int smile_stream_swap(struct smile_card *card)
{
	return stream_empty_arrays(card) ?: stream_collect(card);
}

/*
 * Swap out one static counter; the card may run. Return: 0; -EINVAL if the card does not count with
 * this counter; -EOPNOTSUPP if the card cannot swap out a single counter; otherwise as
 * smile_stream_swap().
 */
int smile_stream_static_swap(struct smile_card *card, u32 counter)
{
	int ret;

	if (counter >= card->static_counters || !(card->config.mode & SMILE_MODE_STATIC))
		return -EINVAL;
	ret = stream_command(card, SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE |
					   FIELD_PREP(SMILE_COMMAND_COUNTER, counter));
	if (ret == -EINVAL)
		return -EOPNOTSUPP;
	return ret ?: stream_collect(card);
}

/*
 * Set the configuration. Return: 0; -EBUSY while running; -EAGAIN if old counters have no room in
 * the rings; -EINVAL if the card rejected the configuration; -ERESTARTSYS; -EIO; -ENODEV.
 */
int smile_stream_configure(struct smile_card *card, const struct smile_config *config)
{
	bool moves = (config->mode ^ card->config.mode) & SMILE_MODE_HOST_RING;
	int ret;

	if (card->running)
		return -EBUSY;
	/*
	 * If the card's ring moves, first drain the old ring. Otherwise its records would follow
	 * records of the new ring.
	 */
	ret = moves ? smile_stream_swap(card) : stream_empty_arrays(card);
	return ret ?: smile_ring_configure(card, config);
}

/* Set the static array's tables. Return: as smile_stream_configure(). */
int smile_stream_static(struct smile_card *card, const struct smile_static *tables)
{
	if (card->running)
		return -EBUSY;
	return stream_empty_arrays(card) ?: smile_static_store(card, tables);
}

/*
 * Start counting. Return: 0, also if the card is already running; -EIO if the stream is broken;
 * -ENODEV.
 */
int smile_stream_start(struct smile_card *card)
{
	return smile_card_sane(card) ? stream_enable(card, true) : -EIO;
}

/*
 * Stop counting, and move the records that the card has written so far. Return: 0; -EIO if the
 * stream is broken; -ENODEV.
 */
int smile_stream_stop(struct smile_card *card)
{
	int ret;

	/* If there is no room, the card stops nevertheless, and counts the events that it loses. */
	stream_let_pass(card);
	ret = stream_enable(card, false) ?: smile_drain_run(card, false);
	/* The work will fetch the records for which the driver's ring has no room now. */
	return ret == -EAGAIN ? 0 : ret;
}

/*
 * Raise a global event. Between the read of STATUS and the write of EVENT, the B-Link may raise an
 * event that has to wait for room; the card then counts @event as lost. Return: 0; -EAGAIN if
 * another event, or a swap, already waits for room, or if records before the event have no room;
 * -EIO; -ENODEV.
 */
int smile_stream_event(struct smile_card *card, u32 event)
{
	int ret = stream_let_pass(card);
	u32 status;

	if (ret)
		return ret;
	ret = smile_drain_run(card, false);
	if (ret && ret != -EAGAIN)
		return ret;
	ret = smile_host_status(card, &status);
	if (ret)
		return ret;
	if (status & SMILE_STATUS_SWAPPING)
		return -EAGAIN;
	smile_card_write(card, SMILE_REG_EVENT, event);
	ret = smile_drain_run(card, false);
	return ret == -EAGAIN ? 0 : ret;
}

static int stream_flags(struct smile_card *card, u32 *flags)
{
	u32 status;
	int ret = smile_card_status(card, &status);

	if (ret)
		return ret;
	*flags = (READ_ONCE(card->running) ? SMILE_INFO_RUNNING : 0) |
		 (status & SMILE_STATUS_LINK ? SMILE_INFO_LINK : 0) |
		 (READ_ONCE(card->owner) ? SMILE_INFO_OWNED : 0);
	return 0;
}

/* The card's properties. */
int smile_stream_info(struct smile_card *card, struct smile_info *info)
{
	*info = (struct smile_info){
		.size = sizeof(*info),
		.abi = SMILE_ABI_VERSION,
		.card_version = card->version,
		.entries_max = card->entries_max,
		.static_counters = card->static_counters,
		.card_ring_words = card->ram_words,
		.ring_records = card->ring.records,
		.page_bytes = PAGE_SIZE,
		.features = card->features,
		.config = card->config,
	};
	return stream_flags(card, &info->status);
}

/* The card's and the driver's counters. */
int smile_stream_statistics(struct smile_card *card, struct smile_statistics *statistics)
{
	unsigned int i;
	int ret = 0;

	*statistics = (struct smile_statistics){
		.size = sizeof(*statistics),
		.interrupts = atomic64_read(&card->interrupts),
		.ring_full = READ_ONCE(card->ring.full_count),
		.resets = READ_ONCE(card->resets),
	};
	for (i = 0; i < SMILE_COUNTS && !ret; i++)
		ret = smile_card_count(card, i, (void *)statistics + smile_card_counts[i].offset);
	statistics->records_drained = READ_ONCE(card->ring.head);
	return ret ?: stream_flags(card, &statistics->status);
}

/*
 * Deliver all counts before the card loses power. If the card hangs, its stream is marked as
 * broken, so that the card does not keep the machine awake. Return: 0; -EAGAIN if the ring has no
 * room for the counts; -ERESTARTSYS; -ENODEV.
 */
int smile_stream_suspend(struct smile_card *card)
{
	bool running = card->running;
	int ret;

	if (!card->ring.open || !smile_card_sane(card))
		return 0;
	ret = stream_enable(card, false) ?: smile_stream_swap(card) ?: smile_drain_reported(card);
	if (ret == -EIO) {
		smile_ring_break(card);
		return 0;
	}
	if (ret && running && smile_card_usable(card)) {
		/* The suspend fails: restart the card, which was stopped briefly. */
		if (card->counted)
			smile_pmu_gap(card, false);
		smile_card_write(card, SMILE_REG_EVENT, SMILE_EVENT_ASLEEP);
		smile_stream_start(card);
	}
	/* smile_stream_resume() needs this value, also if the card has just been frozen. */
	WRITE_ONCE(card->running, running);
	return ret;
}

/*
 * Restore the configuration and the tables. If the stream was running, continue it after a record
 * that marks the gap.
 */
static int stream_restore(struct smile_card *card, u32 mark)
{
	int ret = smile_card_sane(card) ? 0 : -EIO;

	if (!ret && card->static_counters)
		ret = smile_static_store(card, &card->tables);
	if (!ret)
		ret = smile_ring_configure(card, &card->config);
	if (ret || !card->running)
		return ret;
	/*
	 * Write the mark before the first count after the gap. If the ring is full, the card keeps
	 * the mark until there is room.
	 */
	smile_card_write(card, SMILE_REG_EVENT, mark);
	return smile_stream_start(card);
}

/*
 * Restore the card's setup. The card's clock restarts. A static counter with an activating event
 * waits for this event again, because no register can activate it without the event.
 */
int smile_stream_resume(struct smile_card *card, u32 mark)
{
	int ret;

	if (mark == SMILE_EVENT_RESET)
		smile_card_restart(card, true, READ_ONCE(card->ring.head));
	ret = smile_ring_resume(card);
	/*
	 * Restore the setup for perf even if the stream is broken: perf must be informed that it
	 * cannot continue.
	 */
	if (!ret && card->ring.open && (card->counted || smile_card_sane(card)))
		ret = stream_restore(card, mark);
	/*
	 * If the setup cannot be restored, mark the stream as broken, because the card would not
	 * count with the owner's configuration.
	 */
	if (ret && ret != -ENODEV)
		smile_ring_break(card);
	if (!ret)
		smile_pmu_resume(card, true);
	return ret;
}
