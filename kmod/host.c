// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring in host memory: the card writes records to the shared ring by itself, the driver passes
 * on two indices.
 *
 *	       card                     driver                        consumer
 *	   DMA_WRITE                    head          passed          mapped tail
 *	      |                          |              |                  |
 *	      v                          v              v                  v
 *	...[ written, not yet published ][ records to be read ... already read ]
 *
 * What lives here: entering this mode, and its drain. May use: the registers through card.c, the
 * ring's indices through ring.c, its memory through memory.c. All of it with the ring locked,
 * except smile_host_status().
 *
 * Nothing is copied, and records are normally not even looked at. Leaving this mode takes no step
 * of its own: what the card has written is in our memory, and once published it is the consumer's.
 */
#include "compat.h"
#include "smile_monitor.h"

/*
 * Write the address of the ring, and the position of the stream in it, to the card. The card is at
 * rest, with its ring in its RAM, which is empty. They take effect with MODE. Return: 0; -EINVAL if
 * the card refuses; -ENODEV.
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
	u32 status;
	int ret;

	lockdep_assert_held(&ring->lock);
	for (i = 0; i < ARRAY_SIZE(place); i++)
		smile_card_write(card, place[i].reg, place[i].value);
	/* A card that has one of them wrong would write to memory that is not ours. */
	for (i = 0; i < ARRAY_SIZE(place); i++) {
		u32 value = smile_card_read(card, place[i].reg);

		if (value == place[i].value)
			continue;
		ret = smile_card_status(card, &status);
		if (ret)
			return ret;
		dev_err_ratelimited(&card->pdev->dev,
				    "register 0x%03x reads 0x%x instead of 0x%x\n", place[i].reg,
				    value, place[i].value);
		return -EINVAL;
	}
	WRITE_ONCE(ring->tail, tail);
	WRITE_ONCE(ring->passed, tail);
	smile_memory_give(card);
	return 0;
}

/*
 * Read STATUS, and see whether the bus refused what the card wrote. Return: 0; -EIO if it did, and
 * the stream is broken; -ENODEV.
 */
int smile_host_status(struct smile_card *card, u32 *status)
{
	int ret = smile_card_status(card, status);

	if (ret || !(*status & SMILE_STATUS_DMA_ERROR))
		return ret;
	if (smile_card_sane(card))
		dev_err_ratelimited(
			&card->pdev->dev,
			"the bus refuses its DMA: check bus mastering and IOMMU, then reopen\n");
	smile_ring_break(card);
	return -EIO;
}

/*
 * How many records has the card written that were not published? Return: how many; -EIO if its
 * pointer is impossible; -ENODEV.
 */
int smile_host_waiting(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u32 count, status, write;

	write = smile_card_read(card, SMILE_REG_DMA_WRITE);
	/* All ones may be a record's number, too. */
	if (write == SMILE_REG_ABSENT) {
		int ret = smile_card_status(card, &status);

		if (ret)
			return ret;
	}
	count = write - lower_32_bits(ring->head);
	/* No further than once around the ring to the tail in DMA_READ. */
	return count > ring->records - (ring->head - ring->passed) ? -EIO : count;
}

/*
 * Pass on the tail to the card, and what it has written to the consumer. Write DMA_READ before
 * reading DMA_WRITE. Then a consumer that finds nothing sleeps on a ring whose state the card
 * knows: the next record starts the latency timer, or crosses the watermark; and if fewer than
 * @least are left, the timer has run since DMA_READ was written, or since they came. In the other
 * order, a record that arrives in between finds the ring as it was before, raises no interrupt, and
 * the consumer sleeps forever. Return: 0; -EAGAIN if the ring is full; -EIO; -ENODEV.
 */
int smile_host_drain(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u64 tail = smile_ring_tail(ring, ring->head);
	int count, ret;
	u32 status;

	lockdep_assert_held(&ring->lock);
	if (tail != ring->passed) {
		WRITE_ONCE(ring->tail, tail);
		/* No lower one is believed any more. */
		WRITE_ONCE(ring->passed, tail);
		/*
		 * (A), continued: finish the consumer's reads, which came before its tail, before
		 * the card learns that it may overwrite what was read. A register write by itself
		 * does not wait for reads.
		 */
		mb();
		smile_card_write(card, SMILE_REG_DMA_READ, lower_32_bits(tail));
	}
	/* The answer comes after the records: no read completion passes posted writes. */
	count = smile_drain_waiting(card);
	if (count < 0)
		return count;
	if (count >= least) {
		/* Read no record before DMA_WRITE. */
		dma_rmb();
		smile_memory_take(card, ring->head, count);
		/* After DMA_WRITE: the card counted a loss before it wrote the record about it. */
		if (smile_drain_unreported(card))
			smile_drain_losses(card, ring->head, count);
		smile_ring_publish(card, ring->head + count);
	}
	smile_ring_set_full(ring, ring->head - tail == ring->records);
	ret = smile_host_status(card, &status);
	return !ret && ring->full ? -EAGAIN : ret;
}
