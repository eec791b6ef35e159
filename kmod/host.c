// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring in host memory: the card writes records to the shared ring by itself, the driver passes
 * on two indices.
 *
 *	       card                     driver                        consumer
 *	   DMA_WRITE                    head           told            mapped tail
 *	      |                          |              |                  |
 *	      v                          v              v                  v
 *	...[ written, not yet published ][ records to be read ... already read ]
 *
 * What lives here: entering this mode, and its drain. May use: the registers through card.c, the
 * ring's indices through ring.c, its memory through memory.c. All of it with the ring locked, but
 * for smile_host_status().
 *
 * Nothing is copied, and records are normally not even looked at. Leaving this mode takes no step
 * of its own: what the card has written is in our memory, and once published it is the consumer's.
 */
#include <linux/poll.h>

#include "compat.h"
#include "smile_monitor.h"

/**
 * smile_host_enter() - Tell the card where the ring lies and where in it the stream is.
 * @card: card, at rest, with its ring in its RAM, and nothing left in there
 *
 * It obeys once MODE says so.
 *
 * Return: 0; -EINVAL if the card refuses; -ENODEV.
 */
int smile_host_enter(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u64 tail = smile_ring_tail(ring, ring->head);
	const struct {
		u32 reg, value;
	} place[] = {
		{SMILE_REG_DMA_BASE_LOW, lower_32_bits(ring->dma)},
		{SMILE_REG_DMA_BASE_HIGH, upper_32_bits(ring->dma)},
		{SMILE_REG_DMA_SIZE, ring->records},
		{SMILE_REG_DMA_WRITE, lower_32_bits(ring->head)},
		{SMILE_REG_DMA_READ, lower_32_bits(tail)},
	};
	unsigned int i;

	lockdep_assert_held(&ring->lock);
	for (i = 0; i < ARRAY_SIZE(place); i++)
		smile_card_write(card, place[i].reg, place[i].value);
	/* A card that has misunderstood one of them would write where it must not. */
	for (i = 0; i < ARRAY_SIZE(place); i++) {
		u32 value = smile_card_read(card, place[i].reg);

		if (smile_card_absent(card, value))
			return -ENODEV;
		if (value != place[i].value) {
			dev_err_ratelimited(&card->pdev->dev,
					    "register 0x%03x reads 0x%x instead of 0x%x\n",
					    place[i].reg, value, place[i].value);
			return -EINVAL;
		}
	}
	WRITE_ONCE(ring->tail, tail);
	WRITE_ONCE(ring->told, tail);
	smile_memory_give(card);
	return 0;
}

/**
 * smile_host_status() - Read STATUS, and see whether the bus refused what the card wrote.
 * @card: card, alive
 * @status: receives it
 *
 * Return: 0; -EIO if it did, and the stream is broken; -ENODEV.
 */
int smile_host_status(struct smile_card *card, u32 *status)
{
	int ret = smile_card_status(card, status);

	if (ret || !(*status & SMILE_STATUS_DMA_ERROR))
		return ret;
	/* Not for the former owner's: RESET has cleared it. */
	if (smile_card_sane(card))
		dev_err_ratelimited(
			&card->pdev->dev,
			"the bus refuses its DMA: check bus mastering and IOMMU, then reopen\n");
	smile_ring_break(card);
	return -EIO;
}

/**
 * smile_host_waiting() - How many records has the card written that were not published?
 * @card: card, alive
 *
 * Return: how many; -EIO if its pointer is impossible, and the stream is broken; -ENODEV.
 */
int smile_host_waiting(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u32 count, write;

	write = smile_card_read(card, SMILE_REG_DMA_WRITE);
	if (smile_card_absent(card, write))
		return -ENODEV;
	count = write - lower_32_bits(ring->head);
	/* No further than around the ring to the tail that it was told. */
	if (count > ring->records - (ring->head - ring->told)) {
		dev_err_ratelimited(
			&card->pdev->dev,
			"DMA_WRITE reads 0x%x with %u unread at 0x%x: close and reopen\n", write,
			(u32)(ring->head - ring->told), (u32)ring->head);
		smile_ring_break(card);
		return -EIO;
	}
	return count;
}

/**
 * smile_host_drain() - Pass on the tail to the card, and what it has written to the consumer.
 * @card: card, alive and sane
 * @least: so many records at least; fewer are left to the card's interrupt
 *
 * The tail goes first. A consumer that then finds nothing and goes to sleep is one of whose ring
 * the card knows how little is in it: the next record starts the card's latency timer, or reaches
 * its watermark of one; and if fewer than @least are left, the timer runs since the tail was
 * written, or since they came. In the other order, a record that came in between would find the
 * ring as it was before, and interrupt nobody.
 *
 * Return: 0; -EAGAIN if the ring is full; -EIO; -ENODEV.
 */
int smile_host_drain(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u64 tail = smile_ring_tail(ring, ring->head);
	u32 status;
	int count;

	lockdep_assert_held(&ring->lock);
	if (tail != ring->told) {
		WRITE_ONCE(ring->tail, tail);
		/* Nobody believes a lower one any more. */
		WRITE_ONCE(ring->told, tail);
		/*
		 * (A), continued: the consumer's reads, which were before its tail, which was
		 * before this, are done before the card learns that it may overwrite what was read.
		 * A register write by itself waits for no reads.
		 */
		mb();
		smile_card_write(card, SMILE_REG_DMA_READ, lower_32_bits(tail));
	}
	/* Its answer comes after the records: no read completion passes posted writes. */
	count = smile_host_waiting(card);
	if (count < 0)
		return count;
	if (count >= least) {
		/* Nor does the CPU read any of them earlier than that. */
		dma_rmb();
		smile_memory_take(card, ring->head, count);
		/* After DMA_WRITE: what a record among these tells of was counted before. */
		if (smile_drain_untold(card))
			smile_drain_losses(card, ring->head, count);
		smile_ring_publish(ring, ring->head + count);
		wake_up_interruptible_poll(&card->wait, EPOLLIN | EPOLLRDNORM | EPOLLERR);
	}
	smile_ring_set_full(ring, ring->head - tail == ring->records);
	if (ring->full)
		return -EAGAIN;
	/* Nothing came into a ring that has room: perhaps nothing can. */
	return count ? 0 : smile_host_status(card, &status);
}
