// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shared ring, and the draining of the card's dual-ported RAM into it.
 *
 *	       card                     driver                        consumer
 *	RING_WRITE   RING_READ    head          believed tail        mapped tail
 *	      |          |          |                 |                   |
 *	      v          v          v                 v                   v
 *	...[ on the card ] --copy--> [ records in the ring ... already read ]
 *
 * What lives here: the memory that mmap() shows, its indices, the drain and the work that repeats
 * it. May use: the registers through card.c.
 *
 * The order of loads and stores is told in <uapi/smile_monitor.h>; (A) and (B) below refer to it.
 * Records without room stay on the card, so the driver itself never drops one.
 */
#include <linux/io.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "smile_monitor.h"

#define RING_RECORDS_MIN (PAGE_SIZE / SMILE_RECORD_BYTES)
#define RING_RECORDS_MAX BIT(24)

static unsigned int ring_records = 65536;
module_param(ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records, "records of each card's ring, a power of two (default 65536: 1 MB)");

static unsigned int drain_ms = 20;
module_param(drain_ms, uint, 0644);
MODULE_PARM_DESC(drain_ms, "milliseconds between drains while a card is running (default 20)");

/**
 * smile_ring_check_parameters() - Is the ring's size possible?
 *
 * Return: 0, or -EINVAL.
 */
int smile_ring_check_parameters(void)
{
	if (is_power_of_2(ring_records) && ring_records >= RING_RECORDS_MIN &&
	    ring_records <= RING_RECORDS_MAX)
		return 0;
	pr_err("%s: ring_records=%u: give a power of two from %lu to %lu\n", SMILE_NAME,
	       ring_records, RING_RECORDS_MIN, RING_RECORDS_MAX);
	return -EINVAL;
}

/* The believed tail for a given head: the mapped one, unless it is impossible. */
static u64 ring_tail(const struct smile_ring *ring, u64 head)
{
	/* (A): what the consumer read, it read before it moved the tail. */
	u64 tail = smp_load_acquire(&ring->consumer->tail);

	return head - tail <= ring->records ? tail : READ_ONCE(ring->tail);
}

/**
 * smile_ring_available() - Do records wait for the consumer?
 * @ring: ring
 *
 * Return: how many.
 */
u64 smile_ring_available(struct smile_ring *ring)
{
	/* Pairs with the release in ring_publish(). */
	u64 head = smp_load_acquire(&ring->head);

	return min_t(u64, head - ring_tail(ring, head), ring->records);
}

/* Make everything up to head visible to the consumer. */
static void ring_publish(struct smile_ring *ring, u64 head)
{
	WRITE_ONCE(ring->producer->card_lost, ring->card_lost);
	/* Pairs with the loads of read() and poll(). */
	smp_store_release(&ring->head, head);
	/* (B): the records first, then the head that announces them. */
	smp_store_release(&ring->producer->head, head);
}

/* Look through records just copied for what the card says it lost. */
static void ring_note_losses(struct smile_card *card, const struct smile_record *record, u32 count)
{
	struct smile_ring *ring = &card->ring;

	for (; count; count--, record++) {
		if (SMILE_GET(SMILE_RECORD_KIND, le32_to_cpu(record->word[0])) != SMILE_KIND_LOST)
			continue;
		ring->card_lost +=
			(u64)le32_to_cpu(record->word[3]) << 32 | le32_to_cpu(record->word[2]);
		set_bit(SMILE_FLAG_LOST, &card->flags);
	}
}

/* Copy records off the card, as many as lie in one piece on both sides. Return: how many. */
static u32 ring_move(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;
	u32 offset = ring->card_read & (card->ram_words - 1);
	u32 slot = head & (ring->records - 1);
	struct smile_record *record = &ring->data[slot];

	count = min3(count, ring->records - slot, (card->ram_words - offset) / SMILE_RECORD_WORDS);
	memcpy_fromio(record, card->ram + offset * 4, count * SMILE_RECORD_BYTES);
	ring_note_losses(card, record, count);
	ring->card_read += count * SMILE_RECORD_WORDS;
	ring->card_read &= 2 * card->ram_words - 1;
	return count;
}

/* How many records the card holds, or -ENODEV, or -EIO if its pointer is impossible. */
static int ring_on_card(struct smile_card *card)
{
	u32 write = smile_card_read(card, SMILE_REG_RING_WRITE);
	u32 words;

	if (smile_card_absent(card, write))
		return -ENODEV;
	words = (write - card->ring.card_read) & (2 * card->ram_words - 1);
	if (write >= 2 * card->ram_words || write % SMILE_RECORD_WORDS || words > card->ram_words) {
		dev_err_ratelimited(&card->pdev->dev,
				    "RING_WRITE reads 0x%x with RING_READ 0x%x: close and reopen\n",
				    write, card->ring.card_read);
		return -EIO;
	}
	return words / SMILE_RECORD_WORDS;
}

static int ring_drain_locked(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u64 head = ring->head;

	lockdep_assert_held(&ring->lock);
	for (;;) {
		u32 count, room;
		int on_card;

		on_card = ring_on_card(card);
		if (on_card <= 0)
			return on_card;
		ring->tail = ring_tail(ring, head);
		room = ring->records - min_t(u64, head - ring->tail, ring->records);
		count = min_t(u32, on_card, room);
		if (!count) {
			if (!ring->full)
				WRITE_ONCE(ring->full_count, ring->full_count + 1);
			WRITE_ONCE(ring->full, true);
			return -EAGAIN;
		}
		WRITE_ONCE(ring->full, false);
		while (count) {
			u32 moved = ring_move(card, head, count);

			head += moved;
			count -= moved;
		}
		/*
		 * The records' stores depend on what was read from the card, and the write below
		 * comes after them: the card cannot overwrite what was not yet read.
		 */
		smile_card_write(card, SMILE_REG_RING_READ, ring->card_read);
		ring_publish(ring, head);
		wake_up_interruptible_poll(&card->wait, EPOLLIN | EPOLLRDNORM | EPOLLERR);
	}
}

/**
 * smile_ring_drain() - Move what the card holds into the ring, as far as there is room.
 * @card: card
 *
 * What had no room is tried again after a drain period.
 *
 * Return: 0 if the card's ring was found empty, or nobody owns the stream; -EAGAIN if the driver's
 * ring is full; -EIO; -ENODEV.
 */
int smile_ring_drain(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret = 0;

	mutex_lock(&ring->lock);
	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (ring->open)
		ret = ring_drain_locked(card);
	mutex_unlock(&ring->lock);
	if (ret == -EAGAIN)
		smile_ring_schedule(card);
	return ret;
}

/**
 * smile_ring_kick() - Drain now, for somebody who must not wait for another drain.
 * @card: card
 */
void smile_ring_kick(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret = 0;

	if (smile_ring_available(ring) && !READ_ONCE(ring->full))
		return;
	if (!mutex_trylock(&ring->lock)) {
		mod_delayed_work(system_wq, &card->drain, 0);
		return;
	}
	if (ring->open && smile_card_alive(card))
		ret = ring_drain_locked(card);
	mutex_unlock(&ring->lock);
	if (ret == -EAGAIN)
		smile_ring_schedule(card);
}

/**
 * smile_ring_schedule() - Drain again after one drain period.
 * @card: card
 */
void smile_ring_schedule(struct smile_card *card)
{
	schedule_delayed_work(&card->drain, msecs_to_jiffies(max(READ_ONCE(drain_ms), 1U)));
}

static void ring_work(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, drain);
	u32 status;

	/* -EAGAIN has come back to the schedule by itself. */
	if (smile_ring_drain(card) == -ENODEV || smile_card_status(card, &status))
		return;
	if (READ_ONCE(card->running) ||
	    (READ_ONCE(card->ring.open) && status & SMILE_STATUS_SWAPPING))
		smile_ring_schedule(card);
}

/**
 * smile_ring_pending() - Where the head will be once all that the card holds now was moved.
 * @card: card
 * @goal: receives it
 *
 * Return: 0 if it is there already, 1 if not, -EIO, -ENODEV.
 */
int smile_ring_pending(struct smile_card *card, u64 *goal)
{
	struct smile_ring *ring = &card->ring;
	int on_card;

	mutex_lock(&ring->lock);
	on_card = ring_on_card(card);
	if (on_card >= 0)
		*goal = ring->head + on_card;
	mutex_unlock(&ring->lock);
	return min(on_card, 1);
}

/**
 * smile_ring_listen() - Let the card interrupt, if anybody is interested.
 * @card: card
 */
void smile_ring_listen(struct smile_card *card)
{
	mutex_lock(&card->ring.lock);
	if (card->ring.open && smile_card_alive(card))
		smile_card_write(card, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	mutex_unlock(&card->ring.lock);
}

/* Reset the card, and find where its ring begins. */
static int ring_reset_card(struct smile_card *card)
{
	int ret = smile_card_reset(card);

	if (ret)
		return ret;
	card->ring.card_read = smile_card_read(card, SMILE_REG_RING_READ);
	smile_card_write(card, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	return 0;
}

/**
 * smile_ring_open() - Begin a stream: a card just reset, an empty ring, all counters at zero.
 * @card: card
 *
 * Return: 0, or -ENODEV.
 */
int smile_ring_open(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret;

	lockdep_assert_held(&card->control);
	mutex_lock(&ring->lock);
	ret = ring_reset_card(card);
	if (!ret) {
		ring->full = false;
		ring->head = 0;
		ring->tail = 0;
		ring->card_lost = 0;
		ring->full_count = 0;
		WRITE_ONCE(ring->consumer->tail, 0);
		ring_publish(ring, 0);
		atomic64_set(&card->interrupts, 0);
		clear_bit(SMILE_FLAG_LOST, &card->flags);
		clear_bit(SMILE_FLAG_LINK, &card->flags);
		WRITE_ONCE(ring->open, true);
	}
	mutex_unlock(&ring->lock);
	return ret;
}

/**
 * smile_ring_close() - End the stream: drain no more, and leave no record for the next owner.
 * @card: card
 *
 * The card's counters stay as they are until the next stream begins.
 */
void smile_ring_close(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	mutex_lock(&ring->lock);
	WRITE_ONCE(ring->open, false);
	if (smile_card_alive(card))
		smile_card_quiesce(card);
	memset(ring->data, 0, (size_t)ring->records * SMILE_RECORD_BYTES);
	mutex_unlock(&ring->lock);
	cancel_delayed_work(&card->drain);
}

/**
 * smile_ring_resume() - Take up the stream with a card that has lost its state.
 * @card: card, drained before it lost its state
 *
 * Return: 0, or -ENODEV.
 */
int smile_ring_resume(struct smile_card *card)
{
	int ret;

	mutex_lock(&card->ring.lock);
	ret = ring_reset_card(card);
	mutex_unlock(&card->ring.lock);
	return ret;
}

/**
 * smile_ring_copy() - Consume records on behalf of read().
 * @ring: ring; smile_card.reader is held
 * @to: user memory
 * @records: room there
 *
 * Return: bytes copied, 0 if there are no records, -EFAULT.
 */
ssize_t smile_ring_copy(struct smile_ring *ring, char __user *to, size_t records)
{
	/* Pairs with the release in ring_publish(). */
	u64 head = smp_load_acquire(&ring->head);
	u64 tail = ring_tail(ring, head);
	u64 waiting = min_t(u64, head - tail, ring->records);
	size_t count = min_t(u64, records, waiting);
	size_t done = 0;

	while (done < count) {
		u32 slot = (tail + done) & (ring->records - 1);
		size_t piece = min_t(size_t, count - done, ring->records - slot);
		size_t left = copy_to_user(to + done * SMILE_RECORD_BYTES, &ring->data[slot],
					   piece * SMILE_RECORD_BYTES);

		done += piece - DIV_ROUND_UP(left, SMILE_RECORD_BYTES);
		if (left)
			break;
	}
	if (!done)
		return count ? -EFAULT : 0;
	/* (A): read() is a consumer like any other. */
	smp_store_release(&ring->consumer->tail, tail + done);
	return done * SMILE_RECORD_BYTES;
}

/**
 * smile_ring_init() - Make the ring's memory.
 * @card: card, otherwise zero
 *
 * Return: 0, or -ENOMEM.
 */
int smile_ring_init(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	mutex_init(&ring->lock);
	INIT_DELAYED_WORK(&card->drain, ring_work);
	ring->records = ring_records;
	ring->bytes = 2 * PAGE_SIZE + (size_t)ring->records * SMILE_RECORD_BYTES;
	/*
	 *	0          consumer   read-write for its owner
	 *	PAGE_SIZE  producer   read-only, as all that follows
	 *	2 pages    records
	 */
	ring->memory = vmalloc_user(ring->bytes);
	if (!ring->memory)
		return -ENOMEM;
	ring->consumer = ring->memory;
	ring->producer = ring->memory + PAGE_SIZE;
	ring->data = ring->memory + 2 * PAGE_SIZE;
	ring->producer->abi = SMILE_ABI_VERSION;
	ring->producer->ring_records = ring->records;
	return 0;
}

/**
 * smile_ring_free() - Undo smile_ring_init(), whether it succeeded or not.
 * @card: card
 *
 * Pages that are still mapped live on until they are unmapped.
 */
void smile_ring_free(struct smile_card *card)
{
	vfree(card->ring.memory);
}
