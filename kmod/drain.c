// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain: records from the card's dual-ported RAM into the shared ring.
 *
 * What lives here: the copying, its limits, and the work that repeats the drain, this one or that
 * of host.c, where interrupts do not suffice. May use: the registers through card.c, the ring's
 * indices through ring.c, host.c.
 *
 * Records without room stay on the card, so the driver itself never drops one.
 */
#include <linux/io.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

#include "compat.h"
#include "smile_monitor.h"
#include "trace.h"

/*
 * The most that one call moves, in fills of the card's ring: with two, all that was on the card
 * when the call began is among it.
 */
#define DRAIN_FILLS_MAX 2

static unsigned int drain_ms = 20;
SMILE_PARAM(drain_ms, 1, 10000);
MODULE_PARM_DESC(drain_ms,
		 "milliseconds between looks at a consumer's tail, 1 to 10000 (default 20)");

/*
 * Look through records for what the card reports as lost. Called with the ring locked. @head:
 * number of the first, which is in the ring.
 */
void smile_drain_losses(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;

	for (; count; count--, head++) {
		const struct smile_record *record = &ring->data[head & (ring->records - 1)];
		u64 lost;

		if (SMILE_GET(SMILE_RECORD_KIND, le32_to_cpu(record->word[0])) != SMILE_KIND_LOST)
			continue;
		lost = (u64)le32_to_cpu(record->word[3]) << 32 | le32_to_cpu(record->word[2]);
		WRITE_ONCE(ring->card_lost, ring->card_lost + lost);
		ring->lost_reported += lower_32_bits(lost);
		ring->marks_reported += le32_to_cpu(record->word[1]);
		trace_smile_loss(card, lost, le32_to_cpu(record->word[1]));
		set_bit(SMILE_FLAG_LOST, &card->flags);
	}
}

/*
 * Has the card lost anything that no LOST record has reported yet? Called with the ring locked.
 * Compares low halves, as far as the card has counted since its RESET: both began at 0 then.
 */
bool smile_drain_unreported(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	lockdep_assert_held(&ring->lock);
	return smile_card_count_low(card, SMILE_REG_COUNT_LOST) != ring->lost_reported ||
	       smile_card_count_low(card, SMILE_REG_COUNT_MARKS_LOST) != ring->marks_reported;
}

/*
 * Does no LOST record wait on the card for room? The card is alive and stopped, swapped out and
 * drained. It shows in nothing else: not in STATUS, nor, before it is written, in the ring's
 * pointers. Return: 0, or -EAGAIN if one does.
 */
int smile_drain_reported(struct smile_card *card)
{
	bool unreported;

	mutex_lock(&card->ring.lock);
	unreported = smile_drain_unreported(card);
	mutex_unlock(&card->ring.lock);
	return unreported ? -EAGAIN : 0;
}

/* How many records the card's RAM holds, or -ENODEV, or -EIO if its pointer is impossible. */
static int drain_in_ram(struct smile_card *card)
{
	u32 words, write;

	write = smile_card_read(card, SMILE_REG_RING_WRITE);
	if (smile_card_absent(card, write))
		return -ENODEV;
	words = (write - card->ring.card_read) & (2 * card->ram_words - 1);
	if (write >= 2 * card->ram_words || write % SMILE_RECORD_WORDS || words > card->ram_words) {
		dev_err_ratelimited(&card->pdev->dev,
				    "RING_WRITE reads 0x%x with RING_READ 0x%x: close and reopen\n",
				    write, card->ring.card_read);
		smile_ring_break(card);
		return -EIO;
	}
	return words / SMILE_RECORD_WORDS;
}

/*
 * How many records has the card that were not published? Called with the ring locked. Return: how
 * many; -EIO if the stream is broken, by this or before; -ENODEV.
 */
int smile_drain_waiting(struct smile_card *card)
{
	lockdep_assert_held(&card->ring.lock);
	if (!smile_card_alive(card))
		return -ENODEV;
	if (!smile_card_sane(card))
		return -EIO;
	return card->ring.host ? smile_host_waiting(card) : drain_in_ram(card);
}

/* Copy @count records off the card, in as many parts as the two rings' ends make of them. */
static void drain_copy(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;

	while (count) {
		u32 offset = ring->card_read & (card->ram_words - 1);
		u32 slot = head & (ring->records - 1);
		u32 part = min3(count, ring->records - slot,
				(card->ram_words - offset) / SMILE_RECORD_WORDS);

		memcpy_fromio(&ring->data[slot], card->ram + offset * 4, part * SMILE_RECORD_BYTES);
		ring->card_read += part * SMILE_RECORD_WORDS;
		ring->card_read &= 2 * card->ram_words - 1;
		head += part;
		count -= part;
	}
}

/*
 * Leave fewer than @least records to the card's interrupt. Return: 0 if the card was found with
 * fewer than that, 1 if it may hold more, -EAGAIN, -EIO, -ENODEV.
 */
static int drain_ram(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u32 budget = DRAIN_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;

	while (budget) {
		u32 count, room, before = ring->card_read;
		u64 head = ring->head, tail;
		int waiting;

		waiting = smile_drain_waiting(card);
		if (waiting < 0)
			return waiting;
		if (waiting < least)
			return 0;
		tail = smile_ring_tail(ring, head);
		WRITE_ONCE(ring->tail, tail);
		room = ring->records - min_t(u64, head - tail, ring->records);
		count = min3((u32)waiting, room, budget);
		smile_ring_set_full(ring, !count);
		if (!count)
			return -EAGAIN;
		drain_copy(card, head, count);
		/*
		 * Finish all loads from the card's RAM, which are not ordered by themselves,
		 * before the card learns that it may overwrite what was loaded.
		 */
		mb();
		/* A card that was removed during the copy reads as all ones: not records. */
		if (smile_card_absent(card, smile_card_read(card, SMILE_REG_RING_WRITE))) {
			ring->card_read = before;
			return -ENODEV;
		}
		smile_card_write(card, SMILE_REG_RING_READ, ring->card_read);
		smile_drain_losses(card, head, count);
		smile_ring_publish(card, head + count);
		budget -= count;
		cond_resched();
	}
	return 1;
}

/*
 * Must the work look again, though the card interrupts? Yes while the ring is full, and in host
 * memory while the card has not been given the consumer's last tail: a consumer that does not call
 * poll() moves it without a notification.
 */
static bool drain_repeats(const struct smile_card *card, int drained)
{
	const struct smile_ring *ring = &card->ring;

	if (!ring->open)
		return false;
	return drained == -EAGAIN ||
	       (!drained && ring->host && ring->head != ring->passed && READ_ONCE(card->running));
}

/* Drain, unlock the ring, and ensure that the rest is fetched. For @lazy see below. */
static int drain_unlock(struct smile_card *card, bool lazy)
{
	struct smile_ring *ring = &card->ring;
	/* A consumer that has made room in a full ring is served at once. */
	u32 least = lazy && !ring->full ? smile_card_watermark(card, &card->config) : 1;
	u64 head = ring->head;
	bool repeats;
	int ret;

	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (ring->open && !smile_card_sane(card))
		ret = -EIO;
	else if (test_bit(SMILE_FLAG_ASLEEP, &card->flags))
		ret = 0;
	else if (ring->open)
		ret = ring->host ? smile_host_drain(card, least) : drain_ram(card, least);
	else
		ret = smile_tally_collect(card);
	trace_smile_drain(card, ring->head - head, ret);
	repeats = drain_repeats(card, ret);
	mutex_unlock(&ring->lock);
	if (ret == 1)
		smile_drain_hurry(card);
	else if (repeats)
		queue_delayed_work(system_unbound_wq, &card->drain,
				   msecs_to_jiffies(READ_ONCE(drain_ms)));
	return min(ret, 0);
}

/*
 * Move what the card holds into the ring, as far as there is room. Moves at least all that the
 * card held when the call began, and no more than twice what it can hold, so that a card that
 * fills as fast as it is drained does not keep the caller here. The work fetches the rest. Return:
 * 0, also if the stream has no owner; -EAGAIN if the driver's ring is full; -EIO if the stream is
 * broken; -ENODEV.
 */
int smile_drain_run(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	return drain_unlock(card, false);
}

/*
 * smile_drain_run() for a caller that sleeps if there is nothing. Records too few for the
 * watermark stay where they are: the latency's interrupt brings them, with those that follow.
 * Fetched now, they would come two or three at a time, each time at the cost of a system call and
 * six register accesses. Return: as smile_drain_run().
 */
int smile_drain_lazy(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	return drain_unlock(card, true);
}

/*
 * Drain for a caller that must not sleep on the lock. @lazy: as smile_drain_lazy() does, not as
 * smile_drain_run(). Return: as smile_drain_run(); 0 if another thread is draining, after which
 * the work looks again.
 */
int smile_drain_try(struct smile_card *card, bool lazy)
{
	if (mutex_trylock(&card->ring.lock))
		return drain_unlock(card, lazy);
	smile_drain_hurry(card);
	return 0;
}

/* Let the work drain at once. */
void smile_drain_hurry(struct smile_card *card)
{
	mod_delayed_work(system_unbound_wq, &card->drain, 0);
}

static void drain_work(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, drain);

	if (smile_card_usable(card))
		smile_drain_run(card);
}

/*
 * Let the card interrupt, if there is a consumer. Write 0 first: an MSI is sent when an enabled
 * cause rises, and causes that rose while no handler served them would never rise again.
 */
void smile_drain_listen(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	if ((card->ring.open || card->counted) && smile_card_usable(card) &&
	    smile_card_sane(card)) {
		smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
		smile_card_write(card, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	}
	mutex_unlock(&card->ring.lock);
}

/* Make the work, which is not scheduled. */
void smile_drain_init(struct smile_card *card)
{
	INIT_DELAYED_WORK(&card->drain, drain_work);
}
