// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain: records from the card's dual-ported RAM into the shared ring, again and again.
 *
 * What lives here: the copying, its limits, and the work that repeats it, this drain or that of
 * host.c. May use: the registers through card.c, the ring's indices through ring.c, host.c.
 *
 * Records without room stay on the card, so the driver itself never drops one.
 */
#include <linux/io.h>
#include <linux/moduleparam.h>
#include <linux/poll.h>
#include <linux/sched.h>

#include "compat.h"
#include "smile_monitor.h"
#include "trace.h"

#define DRAIN_MS_MIN 1
#define DRAIN_MS_MAX 10000

/*
 * The most that one call moves, in fills of the card's ring: with two, what was on the card when
 * the call began is always among it.
 */
#define DRAIN_FILLS_MAX 2

static unsigned int drain_ms = 20;

static int drain_set_ms(const char *text, const struct kernel_param *parameter)
{
	return param_set_uint_minmax(text, parameter, DRAIN_MS_MIN, DRAIN_MS_MAX);
}

static const struct kernel_param_ops drain_ms_ops = {
	.set = drain_set_ms,
	.get = param_get_uint,
};
module_param_cb(drain_ms, &drain_ms_ops, &drain_ms, 0644);
__MODULE_PARM_TYPE(drain_ms, "uint");
MODULE_PARM_DESC(drain_ms,
		 "milliseconds between drains while a card is running, 1 to 10000 (default 20)");

/**
 * smile_drain_losses() - Look through records for what the card says it lost.
 * @card: card, its ring locked
 * @head: number of the first, which lies in the ring
 * @count: how many
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
		ring->lost_told += lower_32_bits(lost);
		ring->marks_told += le32_to_cpu(record->word[1]);
		trace_smile_loss(card, lost, le32_to_cpu(record->word[1]));
		set_bit(SMILE_FLAG_LOST, &card->flags);
	}
}

/**
 * smile_drain_untold() - Has the card lost anything that no LOST record has told of yet?
 * @card: card, alive, its ring locked
 *
 * Low halves, as far as the card has counted since its RESET: both sides began at 0 then.
 */
bool smile_drain_untold(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	lockdep_assert_held(&ring->lock);
	return smile_card_count_low(card, SMILE_REG_COUNT_LOST) != ring->lost_told ||
	       smile_card_count_low(card, SMILE_REG_COUNT_MARKS_LOST) != ring->marks_told;
}

/**
 * smile_drain_told() - Does a LOST record wait on the card for room?
 * @card: card, alive and stopped, swapped out and drained
 *
 * It shows in nothing else: not in STATUS, nor, before it is written, in the ring's pointers.
 *
 * Return: 0, or -EAGAIN if one does.
 */
int smile_drain_told(struct smile_card *card)
{
	bool untold;

	mutex_lock(&card->ring.lock);
	untold = smile_drain_untold(card);
	mutex_unlock(&card->ring.lock);
	return untold ? -EAGAIN : 0;
}

/* Copy records off the card, as many as lie in one piece on both sides. Return: how many. */
static u32 drain_move(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;
	u32 offset = ring->card_read & (card->ram_words - 1);
	u32 slot = head & (ring->records - 1);

	count = min3(count, ring->records - slot, (card->ram_words - offset) / SMILE_RECORD_WORDS);
	memcpy_fromio(&ring->data[slot], card->ram + offset * 4, count * SMILE_RECORD_BYTES);
	smile_drain_losses(card, head, count);
	ring->card_read += count * SMILE_RECORD_WORDS;
	ring->card_read &= 2 * card->ram_words - 1;
	return count;
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

/**
 * smile_drain_waiting() - How many records has the card that were not published?
 * @card: card, its ring locked
 *
 * Return: how many; -EIO if the stream is broken, by this or before; -ENODEV.
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

/*
 * Fewer than @least records are left to the card's interrupt. Return: 0 if the card was found with
 * fewer than that, 1 if it may hold more, -EAGAIN, -EIO, -ENODEV.
 */
static int drain_ram(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u32 budget = DRAIN_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	u64 head = ring->head;

	while (budget) {
		u32 count, room;
		int waiting;
		u64 tail;

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
		budget -= count;
		while (count) {
			u32 moved = drain_move(card, head, count);

			head += moved;
			count -= moved;
		}
		/*
		 * All loads from the card's RAM, which are not ordered by themselves, are done
		 * before the card learns that it may overwrite what was loaded.
		 */
		mb();
		smile_card_write(card, SMILE_REG_RING_READ, ring->card_read);
		smile_ring_publish(ring, head);
		wake_up_interruptible_poll(&card->wait, EPOLLIN | EPOLLRDNORM | EPOLLERR);
		cond_resched();
	}
	return 1;
}

/* Drain, let go of the lock, and see to it that what is left is fetched. For @lazy see below. */
static int drain_unlock(struct smile_card *card, bool lazy)
{
	/* Who has made room in a full ring is served at once. */
	u32 least = lazy && !card->ring.full ? smile_card_patience(card) : 1;
	u64 head = card->ring.head;
	int ret = 0;

	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (card->ring.open && !smile_card_sane(card))
		ret = -EIO;
	/*
	 * It was drained before it fell asleep, and knows no more how far it had come: the thread
	 * of an interrupt from before that has nothing to fetch.
	 */
	else if (test_bit(SMILE_FLAG_ASLEEP, &card->flags))
		ret = 0;
	else if (card->ring.open)
		ret = card->ring.host ? smile_host_drain(card, least) : drain_ram(card, least);
	else
		ret = smile_pmu_collect(card);
	trace_smile_drain(card, card->ring.head - head, ret);
	mutex_unlock(&card->ring.lock);
	if (ret == 1) {
		smile_drain_hurry(card);
		ret = 0;
	} else if (ret == -EAGAIN) {
		smile_drain_schedule(card);
	}
	return ret;
}

/**
 * smile_drain_run() - Move what the card holds into the ring, as far as there is room.
 * @card: card
 *
 * At least all that the card held when the call began, and no more than twice what it can hold: a
 * card that fills as fast as it is drained keeps nobody here. What had no room is tried again after
 * a drain period, what is left over otherwise at once, by the work.
 *
 * Return: 0, also if nobody owns the stream; -EAGAIN if the driver's ring is full; -EIO if the
 * stream is broken; -ENODEV.
 */
int smile_drain_run(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	return drain_unlock(card, false);
}

/**
 * smile_drain_lazy() - smile_drain_run() for somebody who sleeps if there is nothing.
 * @card: card
 *
 * Records too few for the watermark stay where they are, if the card has a latency: its interrupt
 * brings them, with those that follow. Fetched now, they would come by twos and threes, each time
 * for a system call and half a dozen register accesses.
 *
 * Return: as smile_drain_run().
 */
int smile_drain_lazy(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	return drain_unlock(card, true);
}

/**
 * smile_drain_try() - For somebody who must not sleep on the lock.
 * @card: card
 * @lazy: as smile_drain_lazy() does, not as smile_drain_run()
 *
 * Return: what they do; 0 if somebody else was at it, after whom the work looks again.
 */
int smile_drain_try(struct smile_card *card, bool lazy)
{
	if (mutex_trylock(&card->ring.lock))
		return drain_unlock(card, lazy);
	smile_drain_hurry(card);
	return 0;
}

/**
 * smile_drain_kick() - For poll(): drain now, if there is nothing to be read, or had been no room.
 * @card: card
 * @lazy: as for smile_drain_try()
 */
void smile_drain_kick(struct smile_card *card, bool lazy)
{
	if (!smile_ring_available(&card->ring) || READ_ONCE(card->ring.full))
		smile_drain_try(card, lazy);
}

/**
 * smile_drain_schedule() - Drain again after one drain period, if not earlier.
 * @card: card
 */
void smile_drain_schedule(struct smile_card *card)
{
	queue_delayed_work(system_freezable_wq, &card->drain,
			   msecs_to_jiffies(READ_ONCE(drain_ms)));
}

/**
 * smile_drain_postpone() - For an interrupt that is going to drain: the next period begins now.
 * @card: card
 *
 * The work is for a reader that does not call poll(), and for a card whose interrupts stay away.
 * Called before the drain, which then does whatever somebody has just asked of the work.
 */
void smile_drain_postpone(struct smile_card *card)
{
	if (READ_ONCE(card->ring.open) && READ_ONCE(card->running))
		mod_delayed_work(system_freezable_wq, &card->drain,
				 msecs_to_jiffies(READ_ONCE(drain_ms)));
}

/**
 * smile_drain_hurry() - Let the work drain at once.
 * @card: card
 */
void smile_drain_hurry(struct smile_card *card)
{
	mod_delayed_work(system_freezable_wq, &card->drain, 0);
}

/**
 * smile_drain_status() - smile_host_status() for who does not hold smile_card.control.
 * @card: card
 * @status: receives STATUS
 *
 * Locked, so that an error of one stream does not break the next.
 *
 * Return: as smile_host_status().
 */
int smile_drain_status(struct smile_card *card, u32 *status)
{
	int ret = -ENODEV;

	mutex_lock(&card->ring.lock);
	if (smile_card_alive(card))
		ret = card->ring.open ? smile_host_status(card, status)
				      : smile_card_status(card, status);
	mutex_unlock(&card->ring.lock);
	return ret;
}

static void drain_work(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, drain);
	u32 status;
	int ret;

	/* -EAGAIN has come back to the schedule by itself. */
	ret = smile_drain_run(card);
	if (ret && ret != -EAGAIN)
		return;
	if (test_and_clear_bit(SMILE_FLAG_QUIET, &card->flags))
		smile_drain_listen(card);
	if (smile_drain_status(card, &status))
		return;
	if (READ_ONCE(card->ring.open) &&
	    (READ_ONCE(card->running) || status & SMILE_STATUS_SWAPPING))
		smile_drain_schedule(card);
}

/**
 * smile_drain_pending() - Where the head will be once all that the card holds now was moved.
 * @card: card
 * @goal: receives it
 *
 * Return: 0 if it is there already, 1 if not, -EIO, -ENODEV.
 */
int smile_drain_pending(struct smile_card *card, u64 *goal)
{
	struct smile_ring *ring = &card->ring;
	int waiting;

	mutex_lock(&ring->lock);
	waiting = smile_drain_waiting(card);
	if (waiting >= 0)
		*goal = ring->head + waiting;
	mutex_unlock(&ring->lock);
	return min(waiting, 1);
}

/**
 * smile_drain_listen() - Let the card interrupt, if anybody is interested.
 * @card: card
 */
void smile_drain_listen(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	if ((card->ring.open || card->counted) && smile_card_alive(card) && smile_card_sane(card) &&
	    !test_bit(SMILE_FLAG_ASLEEP, &card->flags))
		smile_irq_enable(card);
	mutex_unlock(&card->ring.lock);
}

/**
 * smile_drain_init() - Make the work, which is not scheduled.
 * @card: card
 */
void smile_drain_init(struct smile_card *card)
{
	INIT_DELAYED_WORK(&card->drain, drain_work);
}
