// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of pages: a list of present and former segments.
 *
 * What lives here: the list of this node's segments and of the segments to which it was connected.
 * Each segment is listed once, in the order of first appearance, and remains in the list after its
 * end. The file in debugfs that shows the list is also here (docs/ABI/debugfs-smile_adapter). A
 * recorder uses this file to name the pages of its counts.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "smile_adapter.h"

/**
 * struct adapter_name - A segment in the list.
 * @list: entry of the adapter's list of names
 * @node: node that owns the segment
 * @id: id of the segment on its node
 * @page: first page of the segment in the memory of its node
 * @pages: number of pages
 */
struct adapter_name {
	struct list_head list;
	u32 node;
	u32 id;
	u32 page;
	u32 pages;
};

void adapter_name_add(struct adapter *adapter, u32 node, u32 id, u32 page, u32 pages)
{
	struct adapter_name *name;

	list_for_each_entry(name, &adapter->names, list) {
		if (name->node == node && name->id == id && name->page == page &&
		    name->pages == pages)
			return;
	}
	name = adapter->name_count < ADAPTER_NAMES ? kzalloc(sizeof(*name), GFP_KERNEL) : NULL;
	if (!name) {
		adapter->names_dropped++;
		return;
	}
	name->node = node;
	name->id = id;
	name->page = page;
	name->pages = pages;
	adapter->name_count++;
	list_add_tail(&name->list, &adapter->names);
}

void adapter_names_free(struct adapter *adapter)
{
	struct adapter_name *name, *next;

	list_for_each_entry_safe(name, next, &adapter->names, list)
		kfree(name);
}

static int segments_show(struct seq_file *file, void *unused)
{
	struct adapter *adapter = file->private;
	struct adapter_name *name;

	guard(mutex)(&adapter->lock);
	list_for_each_entry(name, &adapter->names, list)
		seq_printf(file, "%u %u %u %u\n", name->node, name->id, name->page, name->pages);
	if (adapter->names_dropped)
		seq_printf(file, "dropped %llu\n", adapter->names_dropped);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(segments);

void adapter_debugfs_add(struct adapter *adapter)
{
	adapter->debugfs = debugfs_create_dir(dev_name(&adapter->dev), NULL);
	debugfs_create_file("segments", 0400, adapter->debugfs, adapter, &segments_fops);
}
