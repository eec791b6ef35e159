// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shared ring's pages, as the kernel, user space and the card see them.
 *
 * What lives here: their allocation, the three mappings, and the ownership of the records between
 * CPU and card. May use: struct smile_ring; knows no register and no index.
 *
 *	pages      0          consumer   read-write for its owner
 *	           1          producer   read-only, as all that follows
 *	           2 and on   records    in as few physically contiguous blocks as there are
 *
 *	kernel     vmap()                     until the last open file is closed
 *	user       remap_pfn_range()          as long as it likes: a mapping holds its open file
 *	card       dma_map_sgtable(), records from probe to remove
 *
 * The pages belong to the driver and not to the card: memory of dma_alloc_coherent() would have to
 * go with the PCI device, and a mapping could not outlive it.
 *
 * The card knows one bus address. One block has one; several blocks have one only behind an IOMMU.
 * Without an IOMMU the ring in host memory is therefore limited to the largest block that the
 * kernel has: 262,144 records, 4 MB, where pages have 4 kB.
 *
 * User space has a mapping without struct page: it cannot pin a page of it, and so neither read
 * the next owner's records nor write the next owner's tail through one.
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

/* Fill in @count pages from @first on, a block of @order at a time, or of less if there is none. */
static int memory_alloc_pages(struct smile_ring *ring, unsigned long first, unsigned long count,
			      unsigned int order, int node)
{
	/* A ring that is too large for the machine must not cost another process its life. */
	const gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	unsigned long end = first + count, i;

	while (first < end) {
		struct page *block = alloc_pages_node(node, gfp, order);

		if (!block && !order)
			return -ENOMEM;
		if (!block) {
			order--;
			continue;
		}
		/* User space maps single pages. */
		split_page(block, order);
		for (i = 0; i < BIT(order); i++)
			ring->pages[first + i] = block + i;
		first += BIT(order);
		cond_resched();
	}
	return 0;
}

/*
 * Make the pages, all zero, and map them for the kernel. The card is with smile_ring.records set,
 * otherwise zero. Whether it succeeds or not, it is undone by smile_memory_free().
 */
int smile_memory_alloc(struct smile_card *card)
{
	struct smile_ring *ring = &card->ring;
	int node = dev_to_node(&card->pdev->dev), ret;
	size_t bytes = memory_record_bytes(ring);
	unsigned long count;

	ring->bytes = MEMORY_RECORDS * PAGE_SIZE + bytes;
	count = ring->bytes >> PAGE_SHIFT;
	ring->pages = kvcalloc(count, sizeof(*ring->pages), GFP_KERNEL);
	if (!ring->pages)
		return -ENOMEM;
	ret = memory_alloc_pages(ring, 0, MEMORY_RECORDS, 0, node);
	if (!ret)
		ret = memory_alloc_pages(ring, MEMORY_RECORDS, bytes >> PAGE_SHIFT,
					 get_order(bytes), node);
	if (ret)
		return ret;
	ring->memory = vmap(ring->pages, count, VM_MAP, PAGE_KERNEL);
	return ring->memory ? 0 : -ENOMEM;
}

/*
 * Free the pages. The card is which does not write to them any more. No file is open, so no
 * process has them mapped.
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

/*
 * Map pages of the ring for user space. Without struct page as far as memory management is
 * concerned, see above. Such a mapping can neither grow nor be part of a core dump.
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

static void memory_unmap(void *data)
{
	struct smile_card *card = data;

	pci_clear_master(card->pdev);
	/*
	 * What was published was synchronised then. To synchronise the rest would bring back old
	 * contents of a bounce buffer over records that were copied here from the card's RAM.
	 */
	dma_unmap_sgtable(&card->pdev->dev, &card->ring.sgt, DMA_FROM_DEVICE,
			  DMA_ATTR_SKIP_CPU_SYNC);
	sg_free_table(&card->ring.sgt);
}

/* Map the records for the card, at one bus address. Return: NULL, or why that cannot be. */
static const char *memory_map(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;
	struct smile_ring *ring = &card->ring;
	size_t bytes = memory_record_bytes(ring);
	const char *trouble = NULL;

	if (!card->can_dma)
		return "the card cannot write to it";
	/* All of it, or a smaller mask would not help either. */
	if (dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64)))
		return "the bus forbids DMA";
	dma_set_max_seg_size(dev, UINT_MAX);
	if (sg_alloc_table_from_pages(&ring->sgt, ring->pages + MEMORY_RECORDS, bytes >> PAGE_SHIFT,
				      0, bytes, GFP_KERNEL))
		return "no memory for its list of blocks";
	if (dma_map_sgtable(dev, &ring->sgt, DMA_FROM_DEVICE, 0)) {
		sg_free_table(&ring->sgt);
		return "the bus cannot reach its memory";
	}
	if (devm_add_action_or_reset(dev, memory_unmap, card))
		return "no memory";
	ring->dma = sg_dma_address(ring->sgt.sgl);
	if (ring->sgt.nents > 1)
		trouble = "no contiguous memory and no IOMMU: give a smaller ring_records";
	else if (!IS_ALIGNED(ring->dma, SMILE_DMA_BASE_ALIGN))
		trouble = "the bus does not align it";
	if (trouble)
		devm_release_action(dev, memory_unmap, card);
	return trouble;
}

/*
 * Let the card reach the records, if it can: SMILE_FEATURE_HOST_RING. The card is identified; its
 * ring has its memory. Until the PCI device's managed resources are released.
 */
void smile_memory_attach(struct smile_card *card)
{
	const char *trouble = memory_map(card);

	if (trouble)
		dev_info(&card->pdev->dev, "no ring in host memory: %s\n", trouble);
	else
		card->features |= SMILE_FEATURE_HOST_RING;
}

/* Hand the records' memory to the card: the CPU does not write to it now. */
void smile_memory_give(struct smile_card *card)
{
	dma_sync_sgtable_for_device(&card->pdev->dev, &card->ring.sgt, DMA_FROM_DEVICE);
}

/*
 * Make records that the card has written visible to the CPU. @count: how many, at most
 * smile_ring.records. The card goes on writing elsewhere. They need not be given back: the CPU
 * only reads them.
 */
void smile_memory_take(struct smile_card *card, u64 head, u32 count)
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
	}
}
