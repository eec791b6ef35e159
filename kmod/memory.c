// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shared ring's pages, as the kernel, user space and the card see them.
 *
 * What lives here: their allocation, the three mappings, and who of CPU and card may use them when.
 * May use: struct smile_ring; knows no register and no index.
 *
 *	pages      0          consumer   read-write for its owner
 *	           1          producer   read-only, as all that follows
 *	           2 and on   records    in one physical piece if that can be had
 *
 *	kernel     vmap()                     until the last open file is closed
 *	user       remap_pfn_range()          as long as it likes: a mapping holds its open file
 *	card       dma_map_page(), records    from probe to remove
 *
 * So the pages are the driver's and not the card's: memory of dma_alloc_coherent() would have to go
 * with the PCI device, and a mapping could not outlive it.
 *
 * A mapping is all that user space has of them: nobody can pin a page of it, and read the next
 * owner's records or write the next owner's tail through that.
 */
#include <linux/dma-mapping.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "smile_monitor.h"

#define MEMORY_RECORDS 2 /* their first page */

static size_t memory_record_bytes(const struct smile_ring *ring)
{
	return (size_t)ring->records * SMILE_RECORD_BYTES;
}

/* The records in one piece that a card can write to: pages of their own nevertheless. */
static bool memory_alloc_block(struct smile_ring *ring, int node)
{
	unsigned int order = get_order(memory_record_bytes(ring));
	struct page *block;
	unsigned long i;

	/* Not to be had is nothing unusual: then the ring does without the card's help. */
	block = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL,
				 order);
	if (!block)
		return false;
	/* User space will hold single pages. */
	split_page(block, order);
	for (i = 0; i < BIT(order); i++)
		ring->pages[MEMORY_RECORDS + i] = block + i;
	return true;
}

/**
 * smile_memory_alloc() - Make the pages, all zero, and map them for the kernel.
 * @card: card, with smile_ring.records set, otherwise zero
 *
 * Whether it succeeds or not, it is undone by smile_memory_free().
 *
 * Return: 0, or -ENOMEM.
 */
int smile_memory_alloc(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int node = dev_to_node(&card->pdev->dev);
	unsigned long count, i;

	ring->bytes = MEMORY_RECORDS * PAGE_SIZE + memory_record_bytes(ring);
	count = ring->bytes >> PAGE_SHIFT;
	ring->pages = kvcalloc(count, sizeof(*ring->pages), GFP_KERNEL);
	if (!ring->pages)
		return -ENOMEM;
	ring->contiguous = memory_alloc_block(ring, node);
	for (i = 0; i < count; i++) {
		if (ring->pages[i])
			continue;
		/* A ring that is too large for the machine shall cost no other process its life. */
		ring->pages[i] =
			alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL, 0);
		if (!ring->pages[i])
			return -ENOMEM;
		cond_resched();
	}
	ring->memory = vmap(ring->pages, count, VM_MAP, PAGE_KERNEL);
	return ring->memory ? 0 : -ENOMEM;
}

/**
 * smile_memory_free() - Let go of the pages.
 * @card: card, which does not write to them any more
 *
 * No file is open, so nobody has them mapped.
 */
void smile_memory_free(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	unsigned long i;

	vunmap(ring->memory);
	for (i = 0; ring->pages && i < ring->bytes >> PAGE_SHIFT; i++) {
		if (ring->pages[i])
			__free_page(ring->pages[i]);
	}
	kvfree(ring->pages);
}

/**
 * smile_memory_mmap() - Map pages for user space.
 * @card: card
 * @vma: where; its offset and length were found to lie within smile_ring.bytes
 *
 * Without their struct page, as far as the memory management is concerned: see above. Nor does it
 * let the mapping grow, or core dumps have it.
 *
 * Return: 0, or -errno.
 */
int smile_memory_mmap(struct smile_card *card, struct vm_area_struct *vma)
{
	struct page **page = card->ring.pages + vma->vm_pgoff;
	unsigned long at;
	int ret;

	/* What was mapped before an error goes with the mapping. */
	for (at = vma->vm_start; at < vma->vm_end; at += PAGE_SIZE, page++) {
		ret = remap_pfn_range(vma, at, page_to_pfn(*page), PAGE_SIZE, vma->vm_page_prot);
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

/* Map the records for the card. Return: NULL, or why that cannot be. */
static const char *memory_map(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;
	struct smile_ring *ring = &card->ring;
	size_t bytes = memory_record_bytes(ring);

	if (!card->can_dma)
		return "the card cannot write to it";
	if (!ring->contiguous)
		return "no contiguous memory: give a smaller ring_records";
	/* All of it, or a smaller mask would not help either. */
	if (dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64)))
		return "the bus forbids DMA";
	if (bytes > dma_max_mapping_size(dev))
		return "too long for the bus: give a smaller ring_records";
	ring->dma = dma_map_page(dev, ring->pages[MEMORY_RECORDS], 0, bytes, DMA_FROM_DEVICE);
	if (dma_mapping_error(dev, ring->dma))
		return "the bus cannot reach its memory";
	if (!IS_ALIGNED(ring->dma, SMILE_DMA_BASE_ALIGN)) {
		dma_unmap_page_attrs(dev, ring->dma, bytes, DMA_FROM_DEVICE,
				     DMA_ATTR_SKIP_CPU_SYNC);
		return "the bus does not align it";
	}
	return NULL;
}

/**
 * smile_memory_attach() - Let the card reach the records, if it can: SMILE_FEATURE_HOST_RING.
 * @card: card, identified; its ring has its memory
 */
void smile_memory_attach(struct smile_card *card)
{
	const char *trouble = memory_map(card);

	if (trouble)
		dev_info(&card->pdev->dev, "no ring in host memory: %s\n", trouble);
	else
		card->features |= SMILE_FEATURE_HOST_RING;
}

/**
 * smile_memory_detach() - Undo smile_memory_attach().
 * @card: card, which is stopped, and no bus master any more; nobody drains it
 */
void smile_memory_detach(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;

	if (!(card->features & SMILE_FEATURE_HOST_RING))
		return;
	card->features &= ~SMILE_FEATURE_HOST_RING;
	/*
	 * What was published was synchronised then. To do so with all the rest would bring back old
	 * contents of a bounce buffer over records that were copied here from the card's RAM.
	 */
	dma_unmap_page_attrs(&card->pdev->dev, ring->dma, memory_record_bytes(ring),
			     DMA_FROM_DEVICE, DMA_ATTR_SKIP_CPU_SYNC);
}

/**
 * smile_memory_give() - The records' memory is the card's to write: the CPU does not from here on.
 * @card: card
 */
void smile_memory_give(struct smile_card *card)
{
	dma_sync_single_for_device(&card->pdev->dev, card->ring.dma,
				   memory_record_bytes(&card->ring), DMA_FROM_DEVICE);
}

/**
 * smile_memory_take() - Make records that the card has written visible to the CPU.
 * @card: card
 * @head: number of the first
 * @count: how many, at most smile_ring.records
 *
 * The card goes on writing elsewhere. They need not be given back: the CPU only reads them.
 */
void smile_memory_take(struct smile_card *card, u64 head, u32 count)
{
	struct smile_ring *ring = &card->ring;

	while (count) {
		u32 slot = head & (ring->records - 1);
		u32 piece = min(count, ring->records - slot);

		dma_sync_single_for_cpu(&card->pdev->dev,
					ring->dma + (dma_addr_t)slot * SMILE_RECORD_BYTES,
					(size_t)piece * SMILE_RECORD_BYTES, DMA_FROM_DEVICE);
		head += piece;
		count -= piece;
	}
}
