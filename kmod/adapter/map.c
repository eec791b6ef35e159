// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings of the adapter's memory and window in processes.
 *
 * What lives here: mmap(). A mapping of a connected segment has its own pages of the window until
 * its last vma is closed. When the connection is released or lost, the translations of these pages
 * are cleared, and reads return all ones. May use: segment.c, session.c.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../compat.h"
#include "../minors.h"
#include "smile_adapter.h"

#define OFFSET_KIND(offset) ((offset) >> 60)
#define OFFSET_HANDLE(offset) ((offset) >> 32 & 0x0fffffff)
#define OFFSET_BYTES(offset) ((offset)&0xffffffff)

/**
 * struct adapter_mapping - One mmap() of a segment, of a connection, or of the state page.
 * @adapter: the adapter; holds a reference
 * @session: the session, whose file the vma holds open
 * @parts: number of vmas, because munmap() can split one into two
 * @offset: offset of the first page in the file, in pages
 * @pfn: page frame of the first page
 * @list: entry of the connection's list of mappings, until the connection ends
 * @memory: for a segment: its pages; otherwise NULL
 * @page: for a connection: first page of the window
 * @pages: for a connection: number of pages; otherwise 0
 */
struct adapter_mapping {
	struct adapter *adapter;
	struct adapter_session *session;
	u32 parts;
	unsigned long offset;
	unsigned long pfn;
	struct list_head list;
	struct adapter_memory *memory;
	u32 page;
	u32 pages;
};

static void mapping_window(struct adapter_mapping *mapping, u32 command)
{
	struct adapter *adapter = mapping->adapter;

	adapter_write(adapter, ADAPTER_REG_MAP_WINDOW, mapping->page);
	adapter_write(adapter, ADAPTER_REG_MAP_COUNT, mapping->pages);
	adapter_write(adapter, ADAPTER_REG_MAP_COMMAND, command);
}

static void mapping_open(struct vm_area_struct *vma)
{
	struct adapter_mapping *mapping = vma->vm_private_data;

	guard(mutex)(&mapping->adapter->lock);
	mapping->parts++;
}

/* Called with adapter.lock held. */
static void mapping_free(struct adapter_mapping *mapping)
{
	struct adapter *adapter = mapping->adapter;

	if (mapping->memory) {
		adapter_memory_put(mapping->memory);
	} else if (mapping->pages) {
		mapping_window(mapping, ADAPTER_MAP_CLEAR);
		bitmap_clear(adapter->window_map, mapping->page, mapping->pages);
		mapping->session->window_pages -= mapping->pages;
		if (list_empty(&mapping->list))
			mapping->session->severed--;
		list_del(&mapping->list);
	}
	kfree(mapping);
}

static void mapping_close(struct vm_area_struct *vma)
{
	struct adapter_mapping *mapping = vma->vm_private_data;
	struct adapter *adapter = mapping->adapter;
	bool last;

	mutex_lock(&adapter->lock);
	last = !--mapping->parts;
	if (last)
		mapping_free(mapping);
	mutex_unlock(&adapter->lock);
	if (last)
		put_device(&adapter->dev);
}

/*
 * Map the pages at a fault, and not in mmap(), so that no page can be mapped after the adapter is
 * gone: the removal unmaps all mapped pages, and a fault checks adapter.gone with adapter.lock
 * held.
 */
static vm_fault_t mapping_fault(struct vm_fault *fault)
{
	struct vm_area_struct *vma = fault->vma;
	struct adapter_mapping *mapping = vma->vm_private_data;
	unsigned long pfn = mapping->pfn + (vma->vm_pgoff - mapping->offset), address;
	vm_fault_t ret = VM_FAULT_SIGBUS;

	mutex_lock(&mapping->adapter->lock);
	if (mapping->adapter->down && !mapping->adapter->gone) {
		/*
		 * Repeat the access until the adapter has recovered. The program can handle signals
		 * meanwhile.
		 */
		mutex_unlock(&mapping->adapter->lock);
		schedule_timeout_killable(HZ / 100);
		return VM_FAULT_NOPAGE;
	}
	if (!mapping->adapter->gone) {
		/* Map all pages, because a program that uses one page will use the others. */
		ret = VM_FAULT_NOPAGE;
		for (address = vma->vm_start; address < vma->vm_end && ret == VM_FAULT_NOPAGE;
		     address += PAGE_SIZE)
			ret = vmf_insert_pfn(vma, address, pfn++);
	}
	mutex_unlock(&mapping->adapter->lock);
	return ret;
}

static const struct vm_operations_struct mapping_ops = {
	.open = mapping_open,
	.close = mapping_close,
	.fault = mapping_fault,
};

void adapter_map_unmap(struct adapter *adapter)
{
	struct adapter_session *session;

	list_for_each_entry(session, &adapter->sessions, list)
		unmap_mapping_range(session->mapping, 0, 0, 1);
}

void adapter_map_clear(struct adapter_connection *connection)
{
	struct adapter_mapping *mapping, *next;

	list_for_each_entry_safe(mapping, next, &connection->mappings, list) {
		mapping_window(mapping, ADAPTER_MAP_CLEAR);
		list_del_init(&mapping->list);
		mapping->session->severed++;
	}
}

/* ---- mmap(): called with adapter.lock held ---- */

/**
 * struct adapter_part - The part of an object that a vma maps.
 * @first: first page of the part in the object
 * @pages: number of pages
 */
struct adapter_part {
	u32 first;
	u32 pages;
};

/* Check whether the part is within an object of @pages pages. */
static bool part_within(const struct adapter_part *part, u32 pages)
{
	return part->pages <= pages && part->first <= pages - part->pages;
}

/* Get the page frame number of page @page of a BAR. */
static unsigned long bar_pfn(struct adapter *adapter, int bar, u32 page)
{
	return (pci_resource_start(adapter->pdev, bar) >> PAGE_SHIFT) + page;
}

static int map_state(struct adapter_mapping *mapping, struct vm_area_struct *vma,
		     const struct adapter_part *part)
{
	if (!part_within(part, 1))
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	smile_compat_vm_flags_mod(vma, 0, VM_MAYWRITE);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	mapping->pfn =
		bar_pfn(mapping->adapter, ADAPTER_BAR_REGS, ADAPTER_STATE_PAGE >> PAGE_SHIFT);
	return 0;
}

static int map_segment(struct adapter_mapping *mapping, struct vm_area_struct *vma,
		       const struct adapter_part *part, struct adapter_memory *memory)
{
	if (!part_within(part, memory->pages))
		return -EINVAL;
	/*
	 * Use the memory type of the kernel's own mapping, because one page must not have two
	 * types.
	 */
	vma->vm_page_prot = pgprot_writecombine(vma->vm_page_prot);
	mapping->pfn = bar_pfn(mapping->adapter, ADAPTER_BAR_MEMORY, memory->page + part->first);
	mapping->memory = adapter_memory_get(memory);
	return 0;
}

static int map_connection(struct adapter_mapping *mapping, struct vm_area_struct *vma,
			  const struct adapter_part *part, struct adapter_connection *connection,
			  bool lock)
{
	struct adapter *adapter = mapping->adapter;
	unsigned long page;
	int ret;

	if (connection->lost)
		return -ENOTCONN;
	if (!part_within(part, connection->pages))
		return -EINVAL;
	ret = adapter_limit_window(mapping->session, part->pages);
	if (ret)
		return ret;
	page = bitmap_find_next_zero_area(adapter->window_map, adapter->window_pages, 0,
					  part->pages, 0);
	if (page >= adapter->window_pages)
		return -ENOSPC;
	mapping->page = page;
	mapping->pages = part->pages;
	adapter_write(adapter, ADAPTER_REG_MAP_NODE, connection->node);
	adapter_write(adapter, ADAPTER_REG_MAP_REMOTE, connection->page + part->first);
	adapter_refused(adapter);
	mapping_window(mapping, ADAPTER_MAP_SET | (lock ? ADAPTER_MAP_LOCK : 0));
	/* If the adapter has refused the translation, fail: the mapping would read as all ones. */
	if (adapter_refused(adapter)) {
		dev_warn(&adapter->dev, "the adapter refuses to map %u pages of node %u\n",
			 part->pages, connection->node);
		return -EIO;
	}
	bitmap_set(adapter->window_map, page, part->pages);
	mapping->session->window_pages += part->pages;
	list_add_tail(&mapping->list, &connection->mappings);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	mapping->pfn = bar_pfn(adapter, ADAPTER_BAR_WINDOW, page);
	return 0;
}

static int map_object(struct adapter_session *session, struct vm_area_struct *vma, u64 kind,
		      u32 handle, const struct adapter_part *part, struct adapter_mapping *mapping)
{
	struct adapter_segment *segment;
	struct adapter_object *object;

	if (session->adapter->gone)
		return -ENODEV;
	if (kind == SMILE_ADAPTER_MMAP_STATE)
		return map_state(mapping, vma, part);
	if (kind == SMILE_ADAPTER_MMAP_SEGMENT) {
		segment = adapter_segment_find(session, handle);
		return segment ? map_segment(mapping, vma, part, segment->memory) : -EBADF;
	}
	object = adapter_object_find(session, handle, ADAPTER_OBJECT_CONNECTION);
	if (!object)
		return -EBADF;
	return map_connection(mapping, vma, part,
			      container_of(object, struct adapter_connection, object),
			      kind == SMILE_ADAPTER_MMAP_LOCK);
}

int adapter_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct adapter_session *session = file->private_data;
	struct adapter *adapter = session->adapter;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, kind = OFFSET_KIND(offset);
	struct adapter_part part = {.first = OFFSET_BYTES(offset) >> PAGE_SHIFT,
				    .pages = vma_pages(vma)};
	struct adapter_mapping *mapping;
	int ret;

	if (!(vma->vm_flags & VM_MAYSHARE) || kind > SMILE_ADAPTER_MMAP_LOCK ||
	    vma_pages(vma) > U32_MAX)
		return -EINVAL;
	/*
	 * Require a file that is open for writing even for PROT_READ: a read of a LOCK mapping
	 * changes memory.
	 */
	if (!smile_minors_owns(file) && kind != SMILE_ADAPTER_MMAP_STATE)
		return -EACCES;
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		return -ENOMEM;
	mapping->adapter = adapter;
	mapping->session = session;
	mapping->parts = 1;
	mapping->offset = vma->vm_pgoff;
	INIT_LIST_HEAD(&mapping->list);
	smile_compat_vm_flags_mod(vma,
				  VM_IO | VM_PFNMAP | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, 0);
	scoped_guard(mutex, &adapter->lock)
		ret = map_object(session, vma, kind, OFFSET_HANDLE(offset), &part, mapping);
	if (ret) {
		kfree(mapping);
		return ret;
	}
	get_device(&adapter->dev);
	vma->vm_private_data = mapping;
	vma->vm_ops = &mapping_ops;
	return 0;
}
