// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain: it moves records from the card into the ring that driver and consumer share.
 *
 * What lives here: copying from the card's dual-ported RAM, and the limits of a copy; the ring in
 * host memory, which the card writes itself, so that the driver only forwards two indices; the
 * interrupt; and the work that repeats the drain if interrupts do not suffice. May use: the
 * registers through card.c, indices and memory through record_ring.c.
 *
 * If the shared ring has no room for records, they stay on the card, so the driver itself never
 * drops a record. If the ring is in host memory, its indices are:
 *
 *	       card                     driver                        consumer
 *	   DMA_WRITE                    head          passed          mapped tail
 *	      |                          |              |                  |
 *	      v                          v              v                  v
 *	...[ written, not yet published ][ records to be read ... already read ]
 *
 * In this mode the driver copies no records, and normally does not read them. Leaving this mode
 * needs no extra step: the records that the card has written are in host memory, and can be
 * consumed once they are published.
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
 * The largest number of records that one call moves, in multiples of the card's ring. Two rings
 * include all records that were on the card when the call began.
 */
#define DRAIN_FILLS_MAX 2
/* The number of records after which other tasks may run. */
#define DRAIN_RESCHEDULE 4096

static unsigned int drain_ms = 20;
SMILE_PARAM(drain_ms, 1, 10000);
MODULE_PARM_DESC(drain_ms, "milliseconds between checks of the tail, 1 to 10000 (default 20)");

/* Search @count records of the ring, from number @head on, for LOST records of the card. */
static void drain_losses(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;

	for (; count; count--, head++) {
		const struct smile_record *record = &ring->data[head & (ring->records - 1)];
		u64 lost;

		/* Let other tasks run, because the ring may have 16 million records. */
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
 * Check whether the card has lost events that no LOST record has reported yet. The caller must hold
 * smile_ring.lock. The function compares the low halves of counts since the card's RESET, which has
 * set both to 0.
 */
static bool drain_unreported(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	lockdep_assert_held(&ring->lock);
	return smile_card_count_low(card, SMILE_REG_COUNT_LOST) != ring->lost_reported ||
	       smile_card_count_low(card, SMILE_REG_COUNT_MARKS_LOST) != ring->marks_reported;
}

/*
 * Check that no LOST record waits for room on the card. The card must be alive, stopped, swapped
 * out and drained. Only the counters show a waiting LOST record: STATUS does not show it, and the
 * ring's pointers do not show it before it is written. Return: 0, or -EAGAIN if a record waits.
 */
int smile_drain_reported(struct smile_card *card)
{
	/* perf has no account of lost events, so a waiting LOST record does not matter. */
	if (card->counted)
		return 0;
	guard(mutex)(&card->ring.lock);
	return drain_unreported(card) ? -EAGAIN : 0;
}

/*
 * Store whether the ring lacks room for the card's records. The caller must hold smile_ring.lock.
 */
static void drain_set_full(struct smile_ring *ring, bool full)
{
	if (full && !ring->full)
		WRITE_ONCE(ring->full_count, ring->full_count + 1);
	WRITE_ONCE(ring->full, full);
}

/*
 * Get the number of records in the card's RAM. Return: the number; -ENODEV; -EIO if the card's
 * pointer is impossible.
 */
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

/*
 * Get the number of records in host memory that have not been published. Return: as
 * smile_drain_in_ram().
 */
static int host_waiting(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	u32 count, write = smile_card_read(card, SMILE_REG_DMA_WRITE);

	/* All ones can also be a valid number of a record, so check whether the card answers. */
	if (write == SMILE_REG_ABSENT && smile_card_status(card, NULL))
		return -ENODEV;
	count = write - lower_32_bits(ring->head);
	/* The card must not be more than one ring length ahead of the tail in DMA_READ. */
	return count > ring->records - (ring->head - ring->passed) ? -EIO : count;
}

/*
 * Get the number of the card's records that have not been published. The caller must hold
 * smile_ring.lock. Return: the number; -EIO if the stream is broken, by this call or before;
 * -ENODEV.
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

/*
 * Copy @count records from the card's RAM to the ring. The copy is split at the end of each of the
 * two rings.
 */
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
 * Drain the card's RAM. If fewer than @least records remain, leave them to the card's interrupt.
 * Return: 0 if the card had fewer than @least records at the end; 1 if it may hold more; -EAGAIN;
 * -EIO; -ENODEV.
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
		 * Complete all loads from the card's RAM before the write that allows the card to
		 * overwrite the loaded records. Nothing else orders these loads.
		 */
		mb();
		/*
		 * If the card was removed during the copy, the copied data is all ones instead of
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
 * other records. The records need not be synchronised back for the device, because the CPU only
 * reads them.
 */
static void host_take(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;
	const u32 page_records = PAGE_SIZE / SMILE_RECORD_BYTES;

	if (!dma_need_sync(&card->pdev->dev, ring->dma))
		return;
	/*
	 * Synchronise page by page, because behind an IOMMU the next page may be anywhere in
	 * memory.
	 */
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
 * before reading DMA_WRITE. If a consumer then finds no records and sleeps, the card already has
 * the consumer's tail, so the next record starts the latency timer or crosses the watermark. If
 * fewer than @least records are left, the latency timer has run since DMA_READ was written, or
 * since these records arrived. In the opposite order, a record could arrive between the two
 * accesses, while the card still has the old tail. It would raise no interrupt, and the consumer
 * would sleep forever. Return: 0; -EAGAIN if the ring is full; -EIO; -ENODEV.
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
		/* From now on, tails lower than this one are invalid. */
		WRITE_ONCE(ring->passed, tail);
		/*
		 * Rule (A), continued: the consumer has read the records before it has moved its
		 * tail. These reads must be complete before the next register write, which allows
		 * the card to overwrite the records. A register write does not wait for earlier
		 * reads.
		 */
		mb();
		smile_card_write(card, SMILE_REG_DMA_READ, lower_32_bits(tail));
	}
	/*
	 * The completion of this read arrives after the records, because a read completion does not
	 * pass posted writes.
	 */
	count = smile_drain_waiting(card);
	if (count < 0)
		return count;
	if (count >= least) {
		/* Do not read a record before DMA_WRITE. */
		dma_rmb();
		host_take(card, ring->head, count);
		/*
		 * Compare after DMA_WRITE was read: the card counts a loss before it writes the
		 * record that reports the loss.
		 */
		if (drain_unreported(card))
			drain_losses(card, ring->head, count);
		smile_ring_publish(card, ring->head + count);
	}
	drain_set_full(ring, ring->head - tail == ring->records);
	ret = smile_host_status(card, &status);
	return !ret && ring->full ? -EAGAIN : ret;
}

/*
 * Write the address of the ring, and the position of the stream in the ring, to the card. The card
 * must be stopped and empty, with its ring in its RAM. Both values take effect when MODE is
 * written. Return: 0; -EINVAL if the card rejects a value; -ENODEV.
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
		/*
		 * Read the value back: with a wrong address, the card would write to memory that is
		 * not the ring.
		 */
		if (smile_card_read(card, place[i].reg) != place[i].value)
			return smile_card_status(card, NULL) ?: -EINVAL;
	}
	WRITE_ONCE(ring->tail, tail);
	WRITE_ONCE(ring->passed, tail);
	/* From now on, the CPU does not write to the memory of the records. */
	dma_sync_sgtable_for_device(&card->pdev->dev, &ring->sgt, DMA_FROM_DEVICE);
	return 0;
}

/*
 * Read STATUS, and check whether the bus has rejected the card's writes. Return: 0; -EIO if the bus
 * has rejected a write, and the stream is then broken; -ENODEV.
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
 * Check whether the work must drain again, although the card interrupts. This is necessary while
 * the ring is full. It is also necessary while the ring is in host memory and the card does not
 * have the consumer's last tail, because a consumer that does not call poll() moves the tail
 * without a notification.
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
 * Drain, and ensure that the remaining records are fetched later. The caller must hold
 * smile_ring.lock. For @lazy, see smile_drain_run().
 */
static int drain_locked(struct smile_card *card, bool lazy)
{
	struct smile_ring *ring = &card->ring;
	/* If the ring was full and the consumer has made room, it gets records immediately. */
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
 * records that the card held when the call began. It moves at most twice the number that the card
 * can hold, so that it ends even if the card fills as fast as it is drained. The work fetches the
 * remaining records.
 *
 * @lazy: true for a caller that sleeps if no records are available. If fewer records than the
 *        watermark are on the card, they then stay there, and the latency interrupt delivers them
 *        together with later records. If this call fetched them, they would be delivered two or
 *        three at a time, at the cost of a system call and six register accesses each time.
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
 * Do the same as smile_drain_run(), but do not sleep on the lock. If another thread holds it, the
 * work drains again later.
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

/* Make the work drain immediately. */
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
 * Enable the card's interrupts, if the card has a consumer. Write 0 first: an MSI is sent only when
 * an enabled cause changes from 0 to 1. A cause that became 1 while no handler ran would otherwise
 * never send an MSI.
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
 * Send a uevent if the link's state differs from the last uevent. At most one uevent is sent per
 * second, so that a link that changes continuously does not keep udev busy. The last state is
 * always reported.
 */
void smile_drain_link(struct work_struct *work)
{
	struct smile_card *card =
		container_of(to_delayed_work(work), struct smile_card, link_event);
	bool up = READ_ONCE(card->link_up);

	if (up == READ_ONCE(card->link_sent) || !smile_card_alive(card))
		return;
	WRITE_ONCE(card->link_sent, up);
	smile_recovery_event(card, up ? "LINK=1" : "LINK=0");
	queue_delayed_work(system_wq, &card->link_event, HZ);
}

/*
 * Hard interrupt handler: if the interrupt is the card's, disable the card's interrupts until the
 * thread has run.
 */
static irqreturn_t drain_interrupt(int irq, void *data)
{
	struct smile_card *card = data;
	u32 enabled, status;

	/*
	 * Disable preemption, so that synchronize_rcu() in smile_recovery_settle() waits for this
	 * handler even if handlers are forced to run in threads.
	 */
	guard(preempt)();
	/*
	 * The interrupt may belong to another device. If the registers must not be accessed, mask
	 * the card's interrupt in configuration space; otherwise the kernel would disable the line.
	 * smile_drain_listen() unmasks it. If the card was thawed before the interrupt was masked,
	 * the thread unmasks it.
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
	/*
	 * Reading back flushes the posted write, so that the line is idle before the handler
	 * returns.
	 */
	smile_card_read(card, SMILE_REG_INT_ENABLE);
	return IRQ_WAKE_THREAD;
}

/*
 * Read and clear the causes before they are served, so that a later cause interrupts again. Return:
 * 0 or -ENODEV.
 */
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

	/* The trylock fails only while smile_gate_close() waits, after a flag was set. */
	if (!down_read_trylock(&card->gate))
		return IRQ_HANDLED;
	if (!drain_causes(card, &cause, &status)) {
		if (cause & SMILE_INT_LINK) {
			set_bit(SMILE_FLAG_LINK, &card->flags);
			wake_up_interruptible_poll(&card->wait, EPOLLPRI);
			WRITE_ONCE(card->link_up, status & SMILE_STATUS_LINK);
			/*
			 * Send the uevent immediately, unless one was sent within the last second.
			 */
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
	/* devres frees the interrupt before the card, because it undoes the last step first. */
	return devm_request_threaded_irq(&card->pdev->dev, pci_irq_vector(card->pdev, 0),
					 drain_interrupt, drain_thread, IRQF_SHARED,
					 dev_name(&card->dev), card);
}
