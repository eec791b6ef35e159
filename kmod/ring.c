// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shared ring: its indices, and the beginning and the end of a stream.
 *
 *	       card                     driver                        consumer
 *	RING_WRITE   RING_READ    head          believed tail        mapped tail
 *	      |          |          |                 |                   |
 *	      v          v          v                 v                   v
 *	...[ on the card ] --copy--> [ records in the ring ... already read ]
 *
 * That is with the card's ring in its RAM; host.c has the same for the ring in host memory.
 *
 * What lives here: which tails are believed; how a stream begins and ends, and how the card's ring
 * moves between RAM and host memory. May use: the registers through card.c, the pages through
 * memory.c.
 *
 * The order of loads and stores is defined in <uapi/smile_monitor.h>; (A) and (B) refer to it.
 */
#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/pm_runtime.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "smile_monitor.h"

#define RING_RECORDS_MIN (PAGE_SIZE / SMILE_RECORD_BYTES)
#define RING_RECORDS_MAX SMILE_DMA_RECORDS_MAX

static unsigned int ring_records = 65536;
module_param(ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records, "records of each card's ring, a power of two (default 65536: 1 MB)");

/* Is the ring's size possible? */
int smile_ring_check_parameters(void)
{
	if (is_power_of_2(ring_records) && ring_records >= RING_RECORDS_MIN &&
	    ring_records <= RING_RECORDS_MAX)
		return 0;
	pr_err("%s: ring_records=%u: give a power of two from %lu to %u\n", SMILE_NAME,
	       ring_records, RING_RECORDS_MIN, RING_RECORDS_MAX);
	return -EINVAL;
}

/* How far behind the head can a tail be? */
static u64 ring_span(const struct smile_ring *ring, u64 head)
{
	/*
	 * The card may have overwritten what is before the tail in its DMA_READ. Acquire pairs
	 * with smile_ring_configure().
	 */
	if (smp_load_acquire(&ring->host))
		return min_t(u64, head - READ_ONCE(ring->passed), ring->records);
	/* Nothing is before the stream's first record. */
	return min_t(u64, head, ring->records);
}

/* The tail that is believed: the mapped one, unless it is impossible. Return: tail. */
u64 smile_ring_tail(const struct smile_ring *ring, u64 head)
{
	/* (A): what the consumer read, it read before it moved the tail. */
	u64 tail = smp_load_acquire(&ring->consumer->tail);
	u64 span = ring_span(ring, head);

	if (head - tail <= span)
		return tail;
	/*
	 * The furthest that is known. Two variables, or a drain that began before a read() would
	 * overwrite its tail with an older one, and the next read() would give the same records.
	 */
	return head - min3(span, head - READ_ONCE(ring->tail), head - READ_ONCE(ring->taken));
}

/* Records that wait for the consumer, and where they begin, for callers without @lock. */
static u64 ring_waiting(const struct smile_ring *ring, u64 *tail)
{
	u64 head, mapped;

	/*
	 * Load the tail first. The head loaded after it is no older than the one that an honest
	 * consumer saw, so its tail is never ahead of it.
	 */
	mapped = smp_load_acquire(&ring->consumer->tail);
	/* Pairs with smile_ring_publish(). */
	head = smp_load_acquire(&ring->head);
	/* Or the consumer and the driver both went on in between. */
	if (head - mapped > ring_span(ring, head))
		mapped = smile_ring_tail(ring, head);
	*tail = mapped;
	return min_t(u64, head - mapped, ring->records);
}

/* Do records wait for the consumer? Return: how many. */
u64 smile_ring_available(const struct smile_ring *ring)
{
	u64 tail;

	return ring_waiting(ring, &tail);
}

/* Has the ring room for what the card holds? Called with the ring locked. */
void smile_ring_set_full(struct smile_ring *ring, bool full)
{
	if (full && !ring->full)
		WRITE_ONCE(ring->full_count, ring->full_count + 1);
	WRITE_ONCE(ring->full, full);
}

/*
 * Make everything up to a new head visible to the consumer, and wake it up. Called with the ring
 * locked.
 */
void smile_ring_publish(struct smile_card *card, u64 head)
{
	struct smile_ring *ring = &card->ring;

	WRITE_ONCE(ring->producer->card_lost, ring->card_lost);
	/* Pairs with the loads of read() and poll(). */
	smp_store_release(&ring->head, head);
	/* (B): the records first, then the head that announces them. */
	smp_store_release(&ring->producer->head, head);
	wake_up_interruptible_poll(&card->wait, EPOLLIN | EPOLLRDNORM | EPOLLERR);
}

/*
 * A pointer of the card is impossible: believe none of them any more. Lasts until the next
 * smile_ring_open().
 */
void smile_ring_break(struct smile_card *card)
{
	set_bit(SMILE_FLAG_BROKEN, &card->flags);
	/* Order the flag before the look at the wait queue. */
	smp_mb__after_atomic();
	wake_up_all(&card->wait);
}

/* Reset the card, whose ring is then in its RAM and empty. */
static int ring_reset_card(struct smile_card *card)
{
	int ret = smile_card_reset(card);

	if (ret)
		return ret;
	WRITE_ONCE(card->ring.host, false);
	card->ring.lost_reported = 0;
	card->ring.marks_reported = 0;
	card->ring.card_read = 0;
	return 0;
}

/*
 * Begin a stream: a card just reset, an empty ring, all counters at zero. Return: 0 or -ENODEV.
 */
int smile_ring_open(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret;

	lockdep_assert_held(&card->control);
	mutex_lock(&ring->lock);
	clear_bit(SMILE_FLAG_LOST, &card->flags);
	clear_bit(SMILE_FLAG_LINK, &card->flags);
	clear_bit(SMILE_FLAG_BROKEN, &card->flags);
	ret = ring_reset_card(card);
	if (!ret) {
		/* After the reset: until then the card may write the last owner's records. */
		memset(ring->data, 0, (size_t)ring->records * SMILE_RECORD_BYTES);
		memset(ring->consumer, 0, PAGE_SIZE);
		smile_card_begin_counts(card);
		WRITE_ONCE(ring->full, false);
		WRITE_ONCE(ring->tail, 0);
		WRITE_ONCE(ring->taken, 0);
		WRITE_ONCE(ring->card_lost, 0);
		WRITE_ONCE(ring->full_count, 0);
		smile_ring_publish(card, 0);
		WRITE_ONCE(ring->open, true);
	}
	mutex_unlock(&ring->lock);
	if (ret)
		return ret;
	/* Until smile_ring_close(). */
	pm_runtime_get_noresume(&card->pdev->dev);
	smile_drain_listen(card);
	return 0;
}

/*
 * End the stream: drain no more, and have the card write no more. Called inside smile_card.gate.
 * The counts stay as they are until the next stream begins.
 */
void smile_ring_close(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	scoped_guard(mutex, &ring->lock) {
		WRITE_ONCE(card->running, false);
		WRITE_ONCE(ring->open, false);
		/* A card that is only stopped may still be writing what it counted. */
		if (smile_card_usable(card))
			smile_card_forget(card);
		cancel_delayed_work(&card->drain);
	}
	smile_life_drop(card);
}

/*
 * Silence the card until smile_ring_resume(). The card is drained. The card may lose its power or
 * keep it. In either case it is reset here, once its counters have been saved, so that there is
 * one case only.
 */
void smile_ring_suspend(struct smile_card *card)
{
	guard(mutex)(&card->ring.lock);
	if (smile_card_usable(card))
		smile_card_forget(card);
	set_bit(SMILE_FLAG_ASLEEP, &card->flags);
}

/*
 * Take up the stream, if there is one, with a card that has lost its state. Its interrupts stay
 * disabled until smile_drain_listen(). Return: 0 or -ENODEV.
 */
int smile_ring_resume(struct smile_card *card)
{
	guard(mutex)(&card->ring.lock);
	clear_bit(SMILE_FLAG_ASLEEP, &card->flags);
	if (card->ring.open)
		return ring_reset_card(card);
	/* What the last owner left can still be asked. */
	smile_card_forget(card);
	return 0;
}

/*
 * Set the configuration, and with it the place of the card's ring. The card is at rest and
 * drained. Records keep their order, since the place that is left holds none. Return: 0; -EAGAIN
 * if it does; -EINVAL if the card refused; -EIO; -ENODEV.
 */
int smile_ring_configure(struct smile_card *card, const struct smile_config *config)
{
	struct smile_ring *ring = &card->ring;
	bool host = config->mode & SMILE_MODE_HOST_RING;
	int ret = 0;

	guard(mutex)(&ring->lock);
	if (host != ring->host) {
		ret = smile_drain_waiting(card);
		if (ret > 0)
			return -EAGAIN;
		if (!ret && host)
			ret = smile_host_enter(card);
	}
	if (!ret)
		ret = smile_card_configure(card, config);
	/* Pairs with ring_span(), which then finds the new @passed, too. */
	if (!ret)
		smp_store_release(&ring->host, host);
	return ret;
}

/*
 * Consume records on behalf of read(). Called with smile_card.reader held. Return: bytes copied, 0
 * if there are no records, -EFAULT.
 */
ssize_t smile_ring_copy(struct smile_ring *ring, char __user *to, size_t records)
{
	u64 tail, waiting = ring_waiting(ring, &tail);
	size_t count = min_t(u64, records, waiting);
	size_t done = 0;

	while (done < count) {
		u32 slot = (tail + done) & (ring->records - 1);
		size_t part = min_t(size_t, count - done, ring->records - slot);
		size_t left = copy_to_user(to + done * SMILE_RECORD_BYTES, &ring->data[slot],
					   part * SMILE_RECORD_BYTES);

		done += part - DIV_ROUND_UP(left, SMILE_RECORD_BYTES);
		if (left)
			break;
	}
	if (!done)
		return count ? -EFAULT : 0;
	/* From now on this value counts, not the one in the mapping: no record is read twice. */
	WRITE_ONCE(ring->taken, tail + done);
	/* (A): read() is a consumer like any other. */
	smp_store_release(&ring->consumer->tail, tail + done);
	return done * SMILE_RECORD_BYTES;
}

/* Make the ring. Return: 0, or -ENOMEM; undone by smile_memory_free() in either case. */
int smile_ring_init(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret;

	mutex_init(&ring->lock);
	INIT_DELAYED_WORK(&card->drain, smile_drain_work);
	ring->records = ring_records;
	ret = smile_memory_alloc(card);
	if (ret)
		return ret;
	ring->consumer = ring->memory;
	ring->producer = ring->memory + PAGE_SIZE;
	ring->data = ring->memory + 2 * PAGE_SIZE;
	ring->producer->abi = SMILE_ABI_VERSION;
	ring->producer->ring_records = ring->records;
	return 0;
}
