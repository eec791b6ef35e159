// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring that card, driver and consumer share: its pages, its indices, and the beginning and the
 * end of a stream.
 *
 *	       card                     driver                        consumer
 *	RING_WRITE   RING_READ    head          believed tail        mapped tail
 *	      |          |          |                 |                   |
 *	      v          v          v                 v                   v
 *	...[ on the card ] --copy--> [ records in the ring ... already read ]
 *
 * This picture is for the card's ring in its RAM. drain.c has the picture for the ring in host
 * memory.
 *
 * What lives here: the pages, which are mapped for the kernel, user space and the card; the check
 * of tails; the beginning and the end of a stream, and the move of the card's ring between RAM and
 * host memory. May use: the registers through card.c, the drain, the PMU.
 *
 * <uapi/smile_monitor.h> defines the order of loads and stores. Comments refer to its rules (A) and
 * (B).
 *
 *	pages      0          consumer   read-write for its owner
 *	           1          producer   read-only, like all pages after it
 *	           2 and on   records    in as few physically contiguous blocks as possible
 *
 *	kernel     vmap()                     until the last open file is closed
 *	user       remap_pfn_range()          until it is unmapped; a mapping holds its file open
 *	card       dma_map_sgtable(), records from probe to remove
 *
 * The pages belong to the driver and not to the card. Memory of dma_alloc_coherent() would have to
 * be freed with the PCI device, so a mapping could not outlive the device.
 *
 * The card has one bus address for the ring. A single block always has one bus address; several
 * blocks have one only behind an IOMMU. Without an IOMMU, the ring in host memory is therefore
 * limited to the kernel's largest block: 262,144 records, 4 MB, if pages are 4 kB.
 */
#include <linux/dma-mapping.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/pm_runtime.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "smile_monitor.h"

#define RING_RECORDS_MIN (PAGE_SIZE / SMILE_RECORD_BYTES)
#define RING_RECORDS_MAX SMILE_DMA_RECORDS_MAX
#define RING_FIRST 2 /* first page of the records */

static unsigned int ring_records = 65536;
module_param(ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records,
		 "records of a ring, a power of two; DMA without IOMMU to 262144 (default 65536)");

/* Check whether the ring's size, a module parameter, is possible. */
int smile_ring_check_parameters(void)
{
	if (is_power_of_2(ring_records) && ring_records >= RING_RECORDS_MIN &&
	    ring_records <= RING_RECORDS_MAX)
		return 0;
	pr_err("%s: ring_records=%u: give a power of two from %lu to %u\n", SMILE_NAME,
	       ring_records, RING_RECORDS_MIN, RING_RECORDS_MAX);
	return -EINVAL;
}

/* Get the largest distance from a valid tail to the head. */
static u64 ring_span(const struct smile_ring *ring, u64 head)
{
	/*
	 * The card may have overwritten the records before the tail that DMA_READ has. Acquire
	 * pairs with smile_ring_configure().
	 */
	if (smp_load_acquire(&ring->host))
		return min_t(u64, head - READ_ONCE(ring->passed), ring->records);
	/* No record precedes the stream's first record. */
	return min_t(u64, head, ring->records);
}

/* Get a valid tail: the tail that the consumer has written, unless it is impossible. */
u64 smile_ring_tail(const struct smile_ring *ring, u64 head)
{
	/* Rule (A): the consumer has read the records before it moved the tail. */
	u64 tail = smp_load_acquire(&ring->consumer->tail);
	u64 span = ring_span(ring, head);

	if (head - tail <= span)
		return tail;
	/*
	 * Use the furthest known tail, which is in one of two variables. With only one variable, a
	 * drain that began before a read() would overwrite the tail of that read() with an older
	 * one, and the next read() would return the same records again.
	 */
	return head - min3(span, head - READ_ONCE(ring->tail), head - READ_ONCE(ring->taken));
}

/*
 * Get the number of records that wait for the consumer, and the tail at which they begin. For
 * callers without @lock.
 */
static u64 ring_waiting(const struct smile_ring *ring, u64 *tail)
{
	u64 head, mapped;

	/*
	 * Load the tail before the head. The head is then not older than the head that a correct
	 * consumer has read, so the tail of such a consumer is never ahead of it.
	 */
	mapped = smp_load_acquire(&ring->consumer->tail);
	/* Pairs with smile_ring_publish(). */
	head = smp_load_acquire(&ring->head);
	/* The tail is invalid, or consumer and driver have both advanced between the two loads. */
	if (head - mapped > ring_span(ring, head))
		mapped = smile_ring_tail(ring, head);
	*tail = mapped;
	return min_t(u64, head - mapped, ring->records);
}

/* Get the number of records that wait for the consumer. */
u64 smile_ring_available(const struct smile_ring *ring)
{
	u64 tail;

	return ring_waiting(ring, &tail);
}

/*
 * Make all records before a new head visible to the consumer, and wake it up. The caller must hold
 * smile_ring.lock.
 */
void smile_ring_publish(struct smile_card *card, u64 head)
{
	struct smile_ring *ring = &card->ring;

	WRITE_ONCE(ring->producer->card_lost, ring->card_lost);
	/* Pairs with the loads in read() and poll(). */
	smp_store_release(&ring->head, head);
	/* Rule (B): store the records before the head that announces them. */
	smp_store_release(&ring->producer->head, head);
	wake_up_interruptible_poll(&card->wait, EPOLLIN | EPOLLRDNORM | EPOLLERR);
}

/*
 * A pointer of the card is impossible: ignore all pointers of the card until the next
 * smile_ring_open().
 */
void smile_ring_break(struct smile_card *card)
{
	set_bit(SMILE_FLAG_BROKEN, &card->flags);
	wake_up_all(&card->wait);
}

/* Reset the card. Its ring is then in its RAM, and empty. */
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

/* Clear all records, page by page, so that other tasks can run while a large ring is cleared. */
static void ring_clear(struct smile_ring *ring)
{
	const size_t bytes = (size_t)ring->records * SMILE_RECORD_BYTES;
	size_t at;

	for (at = 0; at < bytes; at += PAGE_SIZE) {
		memset((void *)ring->data + at, 0, PAGE_SIZE);
		cond_resched();
	}
}

/*
 * Begin a stream: reset the card, empty the ring, and set all counters to zero. Return: 0 or
 * -ENODEV.
 */
int smile_ring_open(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int ret;

	lockdep_assert_held(&card->control);
	scoped_guard(mutex, &ring->lock) {
		clear_bit(SMILE_FLAG_LOST, &card->flags);
		clear_bit(SMILE_FLAG_LINK, &card->flags);
		clear_bit(SMILE_FLAG_BROKEN, &card->flags);
		ret = ring_reset_card(card);
		if (ret)
			return ret;
		/*
		 * Clear the ring only after the reset. Before the reset, the card may still write
		 * records of the last owner.
		 */
		ring_clear(ring);
		memset(ring->consumer, 0, PAGE_SIZE);
		ret = smile_card_defaults(card);
		if (ret)
			return ret;
		smile_card_restart(card, false, 0);
		atomic64_set(&card->interrupts, 0);
		WRITE_ONCE(card->link_sent, -1);
		WRITE_ONCE(ring->full, false);
		WRITE_ONCE(ring->tail, 0);
		WRITE_ONCE(ring->taken, 0);
		WRITE_ONCE(ring->card_lost, 0);
		WRITE_ONCE(ring->full_count, 0);
		smile_ring_publish(card, 0);
		WRITE_ONCE(ring->open, true);
	}
	/* Keep the card powered until smile_ring_close(). */
	pm_runtime_get_noresume(&card->pdev->dev);
	smile_drain_listen(card);
	return 0;
}

/*
 * End the stream: stop draining, and stop the card's writes. The caller must hold smile_card.gate.
 * The counts remain unchanged until the next stream begins.
 */
void smile_ring_close(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	scoped_guard(mutex, &ring->lock) {
		WRITE_ONCE(card->running, false);
		WRITE_ONCE(ring->open, false);
		/* A stopped card may still be writing its counts, so reset it. */
		if (smile_card_usable(card))
			smile_card_forget(card);
		cancel_delayed_work(&card->drain);
	}
	smile_gate_drop(card);
}

/*
 * Stop the card until smile_ring_resume(). The card must be drained. Save its counters and reset
 * it, whether or not it loses its power, so that smile_ring_resume() has only one case.
 */
void smile_ring_suspend(struct smile_card *card)
{
	guard(mutex)(&card->ring.lock);
	smile_pmu_suspend(card);
	if (smile_card_usable(card))
		smile_card_forget(card);
	set_bit(SMILE_FLAG_ASLEEP, &card->flags);
}

/*
 * Resume the stream, if one exists, on a card that has lost its state. The card's interrupts stay
 * disabled until smile_drain_listen(). Return: 0 or -ENODEV.
 */
int smile_ring_resume(struct smile_card *card)
{
	guard(mutex)(&card->ring.lock);
	clear_bit(SMILE_FLAG_ASLEEP, &card->flags);
	if (card->ring.open)
		return ring_reset_card(card);
	/* Without a stream, only save the last owner's counts, which can still be queried. */
	smile_card_forget(card);
	return 0;
}

/*
 * Set the configuration, which contains the location of the card's ring. The card must be stopped,
 * empty and drained. Records keep their order, because the old location holds no records. Return:
 * 0; -EAGAIN if the old location still holds records; -EINVAL if the card rejected the
 * configuration; -EIO; -ENODEV.
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
	if (!ret)
		/* Pairs with ring_span(), which then loads the new @passed, too. */
		smp_store_release(&ring->host, host);
	return ret;
}

/*
 * Consume records on behalf of read(). The caller must hold smile_card.reader. Return: the number
 * of bytes copied; 0 if there are no records; -EFAULT.
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
	/*
	 * From now on, @taken is used instead of an older tail in the mapping, so that no record is
	 * read twice.
	 */
	WRITE_ONCE(ring->taken, tail + done);
	/* Rule (A) also holds for read(), which is a consumer like any other. */
	smp_store_release(&ring->consumer->tail, tail + done);
	return done * SMILE_RECORD_BYTES;
}

/* ---- the ring's pages ---- */

/*
 * Allocate the ring, with pages that are all zero. In either case, the caller must undo this by
 * smile_ring_free(). Return: 0 or -ENOMEM.
 */
int smile_ring_init(struct smile_card *card)
{
	/*
	 * If the ring is too large for the machine, the allocation must fail, and must not make the
	 * OOM killer end a process.
	 */
	const gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	const size_t bytes = (size_t)ring_records * SMILE_RECORD_BYTES;
	unsigned long count = RING_FIRST + (bytes >> PAGE_SHIFT), i = 0, end;
	unsigned int largest = get_order(bytes);
	struct smile_ring *ring = &card->ring;

	mutex_init(&ring->lock);
	INIT_DELAYED_WORK(&card->drain, smile_drain_work);
	INIT_DELAYED_WORK(&card->link_event, smile_drain_link);
	ring->records = ring_records;
	ring->bytes = count << PAGE_SHIFT;
	ring->pages = kvcalloc(count, sizeof(*ring->pages), GFP_KERNEL);
	if (!ring->pages)
		return -ENOMEM;
	while (i < count) {
		unsigned int order = i < RING_FIRST ? 0 : largest;
		struct page *block = alloc_pages_node(dev_to_node(&card->pdev->dev), gfp, order);

		if (!block && !order)
			return -ENOMEM;
		if (!block) {
			largest--;
			continue;
		}
		/* Split the block, because user space maps single pages. */
		split_page(block, order);
		for (end = i + BIT(order); i < end; i++)
			ring->pages[i] = block++;
		cond_resched();
	}
	ring->consumer = vmap(ring->pages, count, VM_MAP, PAGE_KERNEL);
	if (!ring->consumer)
		return -ENOMEM;
	ring->producer = (void *)ring->consumer + PAGE_SIZE;
	ring->data = (void *)ring->consumer + RING_FIRST * PAGE_SIZE;
	ring->producer->abi = SMILE_ABI_VERSION;
	ring->producer->ring_records = ring->records;
	return 0;
}

/* Undo smile_ring_init(). No file is open, so no process maps the pages. */
void smile_ring_free(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	unsigned long i;

	vunmap(ring->consumer);
	for (i = 0; ring->pages && i < ring->bytes >> PAGE_SHIFT; i++) {
		if (ring->pages[i])
			__free_page(ring->pages[i]);
	}
	kvfree(ring->pages);
}

static void ring_unmap(void *data)
{
	struct smile_card *card = data;

	pci_clear_master(card->pdev);
	/*
	 * Skip the synchronisation. Published records were synchronised when they were published.
	 * For the other pages, the synchronisation would copy old contents of a bounce buffer over
	 * records that the driver has copied from the card's RAM.
	 */
	dma_unmap_sgtable(&card->pdev->dev, &card->ring.sgt, DMA_FROM_DEVICE,
			  DMA_ATTR_SKIP_CPU_SYNC);
	sg_free_table(&card->ring.sgt);
}

/*
 * Map the records for the card, at one bus address. Return: NULL, or the reason why this is not
 * possible.
 */
static const char *ring_map(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;
	struct smile_ring *ring = &card->ring;
	unsigned long count = (ring->bytes >> PAGE_SHIFT) - RING_FIRST;
	const char *trouble = NULL;

	if (!(card->features & SMILE_FEATURE_HOST_RING))
		return "the card cannot write to it";
	/* Allow the whole address range; a smaller mask would not help. */
	if (dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64)))
		return "the bus forbids DMA";
	dma_set_max_seg_size(dev, UINT_MAX);
	if (sg_alloc_table_from_pages(&ring->sgt, ring->pages + RING_FIRST, count, 0,
				      count << PAGE_SHIFT, GFP_KERNEL))
		return "no memory for its list of blocks";
	if (dma_map_sgtable(dev, &ring->sgt, DMA_FROM_DEVICE, 0)) {
		sg_free_table(&ring->sgt);
		return "the bus cannot reach its memory";
	}
	if (devm_add_action_or_reset(dev, ring_unmap, card))
		return "no memory";
	ring->dma = sg_dma_address(ring->sgt.sgl);
	if (ring->sgt.nents > 1)
		trouble = "no contiguous memory and no IOMMU: give a smaller ring_records";
	else if (!IS_ALIGNED(ring->dma, SMILE_DMA_BASE_ALIGN))
		trouble = "the bus does not align it";
	if (trouble)
		devm_release_action(dev, ring_unmap, card);
	return trouble;
}

/* Give the card access to the records, until the PCI device's managed resources are released. */
void smile_ring_attach(struct smile_card *card)
{
	const char *trouble = ring_map(card);

	if (!trouble)
		return;
	card->features &= ~SMILE_FEATURE_HOST_RING;
	dev_info(&card->pdev->dev, "no ring in host memory: %s\n", trouble);
}
