// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings: memory and window in processes.
 *
 * What lives here: mmap(). A mapping of a connected segment has pages of the window for itself,
 * from mmap() to the end of its last part; when the connection is released or lost they lead
 * nowhere, and reads give ones. May use: segment.c, session.c.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../compat.h"
#include "smile_adapter.h"

#define OFFSET_KIND(offset) ((offset) >> 60)
#define OFFSET_HANDLE(offset) ((offset) >> 32 & 0x0fffffff)
#define OFFSET_BYTES(offset) ((offset)&0xffffffff)

/**
 * struct mapping - Of a segment, or of a connection.
 * @adapter: holds a reference
 * @parts: vmas that have it; they split
 * @list: of the connection's mappings, while it has one
 * @memory: of a segment
 * @page: of the window
 * @pages: how many
 */
struct mapping {
	struct adapter *adapter;
	u32 parts;
	struct list_head list;
	struct memory *memory;
	u32 page;
	u32 pages;
};

static void mapping_window(struct mapping *mapping, u32 command)
{
	struct adapter *adapter = mapping->adapter;

	adapter_write(adapter, ADAPTER_REG_MAP_WINDOW, mapping->page);
	adapter_write(adapter, ADAPTER_REG_MAP_COUNT, mapping->pages);
	adapter_write(adapter, ADAPTER_REG_MAP_COMMAND, command);
}

static void mapping_open(struct vm_area_struct *vma)
{
	struct mapping *mapping = vma->vm_private_data;

	mutex_lock(&mapping->adapter->lock);
	mapping->parts++;
	mutex_unlock(&mapping->adapter->lock);
}

/* Under lock. */
static void mapping_free(struct mapping *mapping)
{
	struct adapter *adapter = mapping->adapter;

	if (mapping->memory) {
		adapter_memory_put(mapping->memory);
	} else {
		mapping_window(mapping, ADAPTER_MAP_CLEAR);
		bitmap_clear(adapter->window_map, mapping->page, mapping->pages);
		list_del(&mapping->list);
	}
	kfree(mapping);
}

static void mapping_close(struct vm_area_struct *vma)
{
	struct mapping *mapping = vma->vm_private_data;
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

static const struct vm_operations_struct mapping_ops = {
	.open = mapping_open,
	.close = mapping_close,
};

void adapter_map_clear(struct connection *connection)
{
	struct mapping *mapping, *next;

	list_for_each_entry_safe(mapping, next, &connection->mappings, list)
	{
		mapping_window(mapping, ADAPTER_MAP_CLEAR);
		list_del_init(&mapping->list);
	}
}

/* ---- mmap: under lock ---- */

/* Where the pages are on the bus, and what of the vma they fill. */
struct place {
	phys_addr_t address;
	u32 first;
	u32 pages;
};

static int map_pages(struct vm_area_struct *vma, const struct place *place, pgprot_t protection)
{
	vma->vm_page_prot = protection;
	return io_remap_pfn_range(vma, vma->vm_start, (place->address >> PAGE_SHIFT) + place->first,
				  (unsigned long)place->pages << PAGE_SHIFT, vma->vm_page_prot);
}

static int map_state(struct adapter *adapter, struct vm_area_struct *vma, struct place *place)
{
	if (place->first || place->pages != 1)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	smile_compat_vm_flags_clear(vma, VM_MAYWRITE);
	place->address = pci_resource_start(adapter->pdev, ADAPTER_BAR_REGS) + ADAPTER_STATE_PAGE;
	return map_pages(vma, place, pgprot_noncached(vma->vm_page_prot));
}

static int map_segment(struct adapter *adapter, struct vm_area_struct *vma, struct place *place,
		       struct mapping *mapping, struct memory *memory)
{
	int ret;

	if (place->pages > memory->pages || place->first > memory->pages - place->pages)
		return -EINVAL;
	place->address = pci_resource_start(adapter->pdev, ADAPTER_BAR_MEMORY);
	place->first += memory->page;
	/* As the kernel's own mapping: two kinds for one page are not allowed. */
	ret = map_pages(vma, place, pgprot_writecombine(vma->vm_page_prot));
	if (!ret)
		mapping->memory = adapter_memory_get(memory);
	return ret;
}

static int map_connection(struct adapter *adapter, struct vm_area_struct *vma, struct place *place,
			  struct mapping *mapping, struct connection *connection, bool lock)
{
	unsigned long page;
	int ret;

	if (connection->lost)
		return -ENOTCONN;
	if (place->pages > connection->pages || place->first > connection->pages - place->pages)
		return -EINVAL;
	page = bitmap_find_next_zero_area(adapter->window_map, adapter->window_pages, 0,
					  place->pages, 0);
	if (page >= adapter->window_pages)
		return -ENOSPC;
	mapping->page = page;
	mapping->pages = place->pages;
	adapter_write(adapter, ADAPTER_REG_MAP_NODE, connection->node);
	adapter_write(adapter, ADAPTER_REG_MAP_REMOTE, connection->page + place->first);
	mapping_window(mapping, ADAPTER_MAP_SET | (lock ? ADAPTER_MAP_LOCK : 0));
	place->address = pci_resource_start(adapter->pdev, ADAPTER_BAR_WINDOW);
	place->first = page;
	ret = map_pages(vma, place, pgprot_noncached(vma->vm_page_prot));
	if (ret) {
		mapping_window(mapping, ADAPTER_MAP_CLEAR);
		return ret;
	}
	bitmap_set(adapter->window_map, page, place->pages);
	list_add_tail(&mapping->list, &connection->mappings);
	return 0;
}

static int map_object(struct session *session, struct vm_area_struct *vma, u64 kind, u32 handle,
		      struct place *place, struct mapping *mapping)
{
	struct adapter *adapter = session->adapter;
	struct segment *segment;
	struct object *object;

	if (adapter->gone)
		return -ENODEV;
	if (kind == SMILE_ADAPTER_MMAP_SEGMENT) {
		segment = adapter_segment_find(session, handle);
		return segment ? map_segment(adapter, vma, place, mapping, segment->memory)
			       : -EBADF;
	}
	object = adapter_object_find(session, handle, OBJECT_CONNECTION);
	if (!object)
		return -EBADF;
	return map_connection(adapter, vma, place, mapping,
			      container_of(object, struct connection, object),
			      kind == SMILE_ADAPTER_MMAP_LOCK);
}

int adapter_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct session *session = file->private_data;
	struct adapter *adapter = session->adapter;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, kind = OFFSET_KIND(offset);
	struct place place = {.first = OFFSET_BYTES(offset) >> PAGE_SHIFT, .pages = vma_pages(vma)};
	struct mapping *mapping = NULL;
	int ret;

	if (!(vma->vm_flags & VM_MAYSHARE) || kind > SMILE_ADAPTER_MMAP_LOCK ||
	    vma_pages(vma) > U32_MAX)
		return -EINVAL;
	if (kind != SMILE_ADAPTER_MMAP_STATE) {
		mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
		if (!mapping)
			return -ENOMEM;
		mapping->adapter = adapter;
		mapping->parts = 1;
		INIT_LIST_HEAD(&mapping->list);
	}
	smile_compat_vm_flags_set(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	mutex_lock(&adapter->lock);
	if (!mapping)
		ret = adapter->gone ? -ENODEV : map_state(adapter, vma, &place);
	else
		ret = map_object(session, vma, kind, OFFSET_HANDLE(offset), &place, mapping);
	mutex_unlock(&adapter->lock);
	if (ret) {
		kfree(mapping);
		return ret;
	}
	if (mapping) {
		get_device(&adapter->dev);
		vma->vm_private_data = mapping;
		vma->vm_ops = &mapping_ops;
	}
	return 0;
}
