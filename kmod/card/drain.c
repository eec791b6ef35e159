// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain: records from the card into the shared ring.
 *
 * What lives here: the copying from the card's dual-ported RAM, and its limits; the ring in host
 * memory, which the card writes itself, so that the driver only copies two indices; the interrupt,
 * and the work that repeats the drain if interrupts do not suffice. May use: the registers through
 * card.c, indices and memory through ring.c.
 *
 * Records that find no room stay on the card, so the driver itself never drops a record. With the
 * ring in host memory:
 *
 *	       card                     driver                        consumer
 *	   DMA_WRITE                    head          passed          mapped tail
 *	      |                          |              |                  |
 *	      v                          v              v                  v
 *	...[ written, not yet published ][ records to be read ... already read ]
 *
 * The driver copies no records, and normally does not read them. Leaving this mode needs no extra
 * step: the records that the card has written are in host memory, and belong to the consumer once
 * they are published.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/moduleparam.h>
#include <linux/poll.h>
#include <linux/sched.h>

#include "../compat.h"
#include "smile_monitor.h"
#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * The most records that one call moves, in multiples of the card's ring. Two times the ring
 * includes all records that were on the card when the call began.
 */
#define DRAIN_FILLS_MAX 2
/* Number of records that are read before other tasks may run. */
#define DRAIN_RESCHEDULE 4096

static unsigned int drain_ms = 20;
SMILE_PARAM(drain_ms, 1, 10000);
MODULE_PARM_DESC(drain_ms, "milliseconds between checks of the tail, 1 to 10000 (default 20)");

/* Search records in the ring, from number @head, for LOST records of the card. */
static void drain_losses(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;

	for (; count; count--, head++) {
		const struct smile_record *record = &ring->data[head & (ring->records - 1)];
		u64 lost;

		/* The ring may have 16 million records. */
		if (!(head % DRAIN_RESCHEDULE))
			cond_resched();
		if (FIELD_GET(SMILE_RECORD_KIND, le32_to_cpu(record->word[0])) != SMILE_KIND_LOST)
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
 * Check whether the card has lost events that no LOST record has reported yet. Called with the ring
 * locked. Compares the low halves of counts since the card's RESET, which set both to 0.
 */
static bool drain_unreported(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	lockdep_assert_held(&ring->lock);
	return smile_card_count_low(card, SMILE_REG_COUNT_LOST) != ring->lost_reported ||
	       smile_card_count_low(card, SMILE_REG_COUNT_MARKS_LOST) != ring->marks_reported;
}

/*
 * Check that no LOST record waits on the card for room. The card must be alive, stopped, swapped
 * out and drained. Only the counters show a waiting LOST record: STATUS does not, nor do the ring's
 * pointers before the record is written. Return: 0, or -EAGAIN if a record waits.
 */
int smile_drain_reported(struct smile_card *card)
{
	/* perf needs no account of lost events. */
	if (card->counted)
		return 0;
	guard(mutex)(&card->ring.lock);
	return drain_unreported(card) ? -EAGAIN : 0;
}

/* Store whether the ring lacks room for the card's records. Called with the ring locked. */
static void drain_set_full(struct smile_ring *ring, bool full)
{
	if (full && !ring->full)
		WRITE_ONCE(ring->full_count, ring->full_count + 1);
	WRITE_ONCE(ring->full, full);
}

/* The number of records in the card's RAM; -ENODEV; -EIO if the card's pointer is impossible. */
int smile_drain_in_ram(struct smile_card *card)
{
	u32 write = smile_card_read(card, SMILE_REG_RING_WRITE);
	u32 words = (write - card->ring.card_read) & (2 * card->ram_words - 1);

	if (smile_card_absent(card, write))
		return -ENODEV;
	if (write >= 2 * card->ram_words || write % SMILE_RECORD_WORDS || words > card->ram_words)
		return -EIO;
	return words / SMILE_RECORD_WORDS;
}

/* The number of records in host memory that were not published; errors as above. */
static int host_waiting(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u32 count, write = smile_card_read(card, SMILE_REG_DMA_WRITE);

	/* All ones may also be a record's number. */
	if (write == SMILE_REG_ABSENT && smile_card_status(card, NULL))
		return -ENODEV;
	count = write - lower_32_bits(ring->head);
	/* The card must not be more than one ring length ahead of the tail in DMA_READ. */
	return count > ring->records - (ring->head - ring->passed) ? -EIO : count;
}

/*
 * The number of records of the card that were not published. Called with the ring locked. Return:
 * the number; -EIO if the stream is broken, by this call or before; -ENODEV.
 */
int smile_drain_waiting(struct smile_card *card)
{
	int waiting;

	lockdep_assert_held(&card->ring.lock);
	if (!smile_card_alive(card))
		return -ENODEV;
	if (!smile_card_sane(card))
		return -EIO;
	waiting = card->ring.host ? host_waiting(card) : smile_drain_in_ram(card);
	if (waiting == -EIO) {
		dev_err_ratelimited(&card->pdev->dev, "%s is impossible: close and reopen\n",
				    card->ring.host ? "DMA_WRITE" : "RING_WRITE");
		smile_ring_break(card);
	}
	return waiting;
}

/* Copy @count records from the card. The copy is split at the end of each of the two rings. */
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
 * Drain the card's RAM, but leave fewer than @least records to the card's interrupt. Return: 0 if
 * the card had fewer than @least records at the end, 1 if it may hold more, -EAGAIN, -EIO, -ENODEV.
 */
static int drain_ram(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u32 budget = DRAIN_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;

	while (budget) {
		u32 count, room, before = ring->card_read;
		u64 head = ring->head, tail;
		int waiting = smile_drain_waiting(card);

		if (waiting < 0)
			return waiting;
		if (waiting < least)
			return 0;
		tail = smile_ring_tail(ring, head);
		WRITE_ONCE(ring->tail, tail);
		room = ring->records - min_t(u64, head - tail, ring->records);
		count = min3((u32)waiting, room, budget);
		drain_set_full(ring, !count);
		if (!count)
			return -EAGAIN;
		drain_copy(card, head, count);
		/*
		 * Complete all loads from the card's RAM, which are not ordered otherwise, before
		 * the card is told that it may overwrite the loaded records.
		 */
		mb();
		/*
		 * If the card was removed during the copy, the copied data is all ones and not
		 * records.
		 */
		if (smile_card_absent(card, smile_card_read(card, SMILE_REG_RING_WRITE))) {
			ring->card_read = before;
			return -ENODEV;
		}
		smile_card_write(card, SMILE_REG_RING_READ, ring->card_read);
		drain_losses(card, head, count);
		smile_ring_publish(card, head + count);
		budget -= count;
		cond_resched();
	}
	return 1;
}

/* ---- the ring in host memory ---- */

/*
 * Make records that the card has written visible to the CPU, while the card continues to write
 * elsewhere. They need not be synchronised back for the device: the CPU only reads them.
 */
static void host_take(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;
	const u32 page_records = PAGE_SIZE / SMILE_RECORD_BYTES;

	if (!dma_need_sync(&card->pdev->dev, ring->dma))
		return;
	/* Page by page: behind an IOMMU the next page may be anywhere in memory. */
	while (count) {
		u32 slot = head & (ring->records - 1);
		u32 part = min(count, page_records - slot % page_records);

		dma_sync_single_for_cpu(&card->pdev->dev,
					ring->dma + (dma_addr_t)slot * SMILE_RECORD_BYTES,
					(size_t)part * SMILE_RECORD_BYTES, DMA_FROM_DEVICE);
		head += part;
		count -= part;
		cond_resched();
	}
}

/*
 * Pass the tail to the card, and publish the records that the card has written. Write DMA_READ
 * before reading DMA_WRITE. Then a consumer that finds no records sleeps on a ring whose tail the
 * card has: the next record starts the latency timer, or crosses the watermark; and if fewer than
 * @least records are left, the timer has run since DMA_READ was written, or since they arrived. In
 *        the other order, a record that arrives in between finds the ring with the old tail, raises
 *        no interrupt, and the consumer sleeps forever. Return: 0; -EAGAIN if the ring is full;
 *        -EIO; -ENODEV.
 */
static int host_drain(struct smile_card *card, u32 least)
{
	struct smile_ring *ring = &card->ring;
	u64 tail = smile_ring_tail(ring, ring->head);
	int count, ret;
	u32 status;

	lockdep_assert_held(&ring->lock);
	if (tail != ring->passed) {
		WRITE_ONCE(ring->tail, tail);
		/* Lower tails are invalid from now on. */
		WRITE_ONCE(ring->passed, tail);
		/*
		 * (A), continued: complete the consumer's reads, which precede its tail, before the
		 * card is told that it may overwrite the records read. A register write alone does
		 * not wait for reads.
		 */
		mb();
		smile_card_write(card, SMILE_REG_DMA_READ, lower_32_bits(tail));
	}
	/*
	 * The completion arrives after the records: a read completion does not pass posted writes.
	 */
	count = smile_drain_waiting(card);
	if (count < 0)
		return count;
	if (count >= least) {
		/* Do not read a record before DMA_WRITE. */
		dma_rmb();
		host_take(card, ring->head, count);
		/* After DMA_WRITE: the card counted a loss before it wrote the record about it. */
		if (drain_unreported(card))
			drain_losses(card, ring->head, count);
		smile_ring_publish(card, ring->head + count);
	}
	drain_set_full(ring, ring->head - tail == ring->records);
	ret = smile_host_status(card, &status);
	return !ret && ring->full ? -EAGAIN : ret;
}

/*
 * Write the address of the ring, and the position of the stream in it, to the card. The card must
 * be stopped and empty, with its ring in its RAM. Both values take effect with MODE. Return: 0;
 * -EINVAL if the card rejects a value; -ENODEV.
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
	for (i = 0; i < ARRAY_SIZE(place); i++) {
		smile_card_write(card, place[i].reg, place[i].value);
		/* A card with a wrong address would write to memory of others. */
		if (smile_card_read(card, place[i].reg) != place[i].value)
			return smile_card_status(card, NULL) ?: -EINVAL;
	}
	WRITE_ONCE(ring->tail, tail);
	WRITE_ONCE(ring->passed, tail);
	/* From now on the CPU does not write to the records' memory. */
	dma_sync_sgtable_for_device(&card->pdev->dev, &ring->sgt, DMA_FROM_DEVICE);
	return 0;
}

/*
 * Read STATUS, and check whether the bus rejected the card's writes. Return: 0; -EIO if it did, and
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

/* ---- when to drain ---- */

/*
 * Whether the work must drain again, although the card interrupts. This is necessary while the ring
 * is full, and with the ring in host memory while the card does not have the consumer's last tail:
 * a consumer that does not call poll() moves the tail without a notification.
 */
static bool drain_repeats(const struct smile_card *card, int drained)
{
	const struct smile_ring *ring = &card->ring;

	if (!ring->open)
		return false;
	return drained == -EAGAIN ||
	       (!drained && ring->host && ring->head != ring->passed && READ_ONCE(card->running));
}

/*
 * Drain, with the ring locked, and ensure that the remaining records are fetched. For @lazy see
 * smile_drain_run().
 */
static int drain_locked(struct smile_card *card, bool lazy)
{
	struct smile_ring *ring = &card->ring;
	/* A consumer that has made room in a full ring gets records immediately. */
	u32 least = lazy && !ring->full ? smile_card_watermark(card, &card->config) : 1;
	u64 head = ring->head;
	int ret;

	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (ring->open && !smile_card_sane(card))
		ret = -EIO;
	else if (!ring->open || test_bit(SMILE_FLAG_ASLEEP, &card->flags))
		ret = 0;
	else if (card->counted)
		ret = smile_pmu_collect(card);
	else
		ret = ring->host ? host_drain(card, least) : drain_ram(card, least);
	trace_smile_drain(card, ring->head - head, ret);
	if (ret == 1)
		smile_drain_hurry(card);
	else if (drain_repeats(card, ret))
		queue_delayed_work(smile_compat_unbound_wq, &card->drain,
				   msecs_to_jiffies(READ_ONCE(drain_ms)));
	return min(ret, 0);
}

/*
 * Move the card's records into the ring, as far as the ring has room. The call moves at least all
 * records that the card held when the call began, and at most twice the number that the card can
 * hold, so that it ends even if the card fills as fast as it is drained. The work fetches the
 * remaining records.
 *
 * @lazy: true for a caller that sleeps if no records are available. Records below the watermark
 *        then stay on the card: the latency interrupt delivers them together with later records. If
 *        they were fetched now, they would be delivered two or three at a time, at the cost of a
 *        system call and six register accesses each time.
 *
 * Return: 0, also if the stream has no owner; -EAGAIN if the driver's ring is full; -EIO if the
 * stream is broken; -ENODEV.
 */
int smile_drain_run(struct smile_card *card, bool lazy)
{
	guard(mutex)(&card->ring.lock);
	return drain_locked(card, lazy);
}

/*
 * Like smile_drain_run(), but without sleeping on the lock: the work drains again if another thread
 * holds it.
 */
int smile_drain_try(struct smile_card *card, bool lazy)
{
	int ret;

	if (!mutex_trylock(&card->ring.lock)) {
		smile_drain_hurry(card);
		return 0;
	}
	ret = drain_locked(card, lazy);
	mutex_unlock(&card->ring.lock);
	return ret;
}

/* Let the work drain immediately. */
void smile_drain_hurry(struct smile_card *card)
{
	mod_delayed_work(smile_compat_unbound_wq, &card->drain, 0);
}

void smile_drain_work(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, drain);

	if (smile_card_usable(card))
		smile_drain_run(card, false);
}

/*
 * Enable the card's interrupts, if the card has a consumer. Write 0 first: an MSI is sent when an
 * enabled cause rises, and causes that rose while no handler served them would never rise again.
 */
void smile_drain_listen(struct smile_card *card)
{
	guard(mutex)(&card->ring.lock);
	if (card->ring.open && smile_card_usable(card) && smile_card_sane(card)) {
		smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
		if (!pci_dev_msi_enabled(card->pdev))
			pci_check_and_unmask_intx(card->pdev);
		smile_card_write(card, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	}
}

/* ---- the interrupt ---- */

/*
 * Send a uevent if the link's state differs from the last uevent, at most one per second: a link
 * that changes continuously does not keep udev busy, and its last state is always reported.
 */
void smile_drain_link(struct work_struct *work)
{
	struct smile_card *card =
		container_of(to_delayed_work(work), struct smile_card, link_event);
	bool up = READ_ONCE(card->link_up);

	if (up == READ_ONCE(card->link_sent) || !smile_card_alive(card))
		return;
	WRITE_ONCE(card->link_sent, up);
	smile_life_event(card, up ? "LINK=1" : "LINK=0");
	queue_delayed_work(system_wq, &card->link_event, HZ);
}

/* Hard interrupt: if it is the card's, disable its interrupts until the thread has run. */
static irqreturn_t drain_interrupt(int irq, void *data)
{
	struct smile_card *card = data;
	u32 enabled, status;

	/* Also for forced-threaded handlers: pairs with synchronize_rcu() in life_settle(). */
	guard(preempt)();
	/*
	 * The interrupt may belong to another device. If the registers must not be accessed, mask
	 * the interrupt in configuration space, or the kernel would disable the line.
	 * smile_drain_listen() unmasks it; if the card was thawed before it was masked, the thread
	 * unmasks it.
	 */
	if (!smile_card_usable(card)) {
		if (pci_dev_msi_enabled(card->pdev) || test_bit(SMILE_FLAG_ASLEEP, &card->flags) ||
		    !pci_check_and_mask_intx(card->pdev))
			return IRQ_NONE;
		return smile_card_usable(card) ? IRQ_WAKE_THREAD : IRQ_HANDLED;
	}
	enabled = smile_card_read(card, SMILE_REG_INT_ENABLE);
	status = smile_card_read(card, SMILE_REG_INT_STATUS);
	if (smile_card_absent(card, status) || !(status & enabled))
		return IRQ_NONE;
	atomic64_inc(&card->interrupts);
	trace_smile_interrupt(card, status);
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	/* Reading back flushes the posted write: the line is idle before the handler returns. */
	smile_card_read(card, SMILE_REG_INT_ENABLE);
	return IRQ_WAKE_THREAD;
}

/* Clear the causes before they are served: a later cause interrupts again. Return: 0 or -ENODEV. */
static int drain_causes(struct smile_card *card, u32 *cause, u32 *status)
{
	guard(mutex)(&card->ring.lock);
	if (!smile_card_usable(card))
		return -ENODEV;
	*cause = smile_card_read(card, SMILE_REG_INT_STATUS);
	if (smile_card_absent(card, *cause))
		return -ENODEV;
	smile_card_write(card, SMILE_REG_INT_STATUS, *cause);
	return *cause & SMILE_INT_LINK ? smile_card_status(card, status) : 0;
}

static irqreturn_t drain_thread(int irq, void *data)
{
	struct smile_card *card = data;
	u32 cause, status;

	/* The gate is closed only while a flag is set. */
	if (!down_read_trylock(&card->gate))
		return IRQ_HANDLED;
	if (!drain_causes(card, &cause, &status)) {
		if (cause & SMILE_INT_LINK) {
			set_bit(SMILE_FLAG_LINK, &card->flags);
			wake_up_interruptible_poll(&card->wait, EPOLLPRI);
			WRITE_ONCE(card->link_up, status & SMILE_STATUS_LINK);
			/* Send it immediately, unless a uevent was sent within the last second. */
			queue_delayed_work(system_wq, &card->link_event, 0);
		}
		smile_drain_run(card, false);
		smile_drain_listen(card);
	}
	up_read(&card->gate);
	return IRQ_HANDLED;
}

/*
 * Request the interrupt: MSI, or INTx if the card has no MSI. The card's interrupts must be
 * disabled.
 */
int smile_drain_request(struct smile_card *card)
{
	int ret = pci_alloc_irq_vectors(card->pdev, 1, 1, PCI_IRQ_ALL_TYPES);

	if (ret < 0)
		return dev_err_probe(&card->pdev->dev, ret, "neither MSI nor INTx available\n");
	/* The interrupt is freed before the card: devres undoes the last step first. */
	return devm_request_threaded_irq(&card->pdev->dev, pci_irq_vector(card->pdev, 0),
					 drain_interrupt, drain_thread, IRQF_SHARED,
					 dev_name(&card->dev), card);
}
