/* SPDX-License-Identifier: MIT */
/*
 * Frames: maps the memory at each address of the space. Neighbouring pages on the same node have
 * one mapping, because each mapping costs time, and memory in the driver.
 */
#include <errno.h>

#include "lib/gas/gas.h"

/*
 * Get the offset of the page frames in a segment. The list of moves precedes them. It has 8 bytes
 * for each page of the space, because a node can request to move all pages.
 */
size_t gas_frames(const struct Gas *gas)
{
	size_t list = gas->pages * sizeof(uint64_t);

	return sizeof(struct control) +
	       (list + GAS_PAGE_BYTES - 1) / GAS_PAGE_BYTES * GAS_PAGE_BYTES;
}

size_t gas_segment_bytes(const struct Gas *gas)
{
	return gas_frames(gas) + gas->pages * GAS_PAGE_BYTES;
}

int gas_unmap(struct Gas *gas, const bool *changed)
{
	size_t page, pages, i;
	sci_error_t error;
	bool found;

	for (page = 0; page < gas->pages; page += pages ? pages : 1) {
		pages = gas->run[page].pages;
		found = !changed;
		for (i = 0; i < pages && !found; i++)
			found = changed[page + i];
		if (!pages || !found)
			continue;
		SCIUnmapSegment(gas->run[page].map, 0, &error);
		if (error != SCI_ERR_OK)
			return gas_fail_sisci(error, "unmap pages of the space");
		gas->run[page].pages = 0;
	}
	return 0;
}

static int run_map(struct Gas *gas, size_t page, size_t pages)
{
	unsigned int node = gas->home[page];
	size_t offset = gas_frames(gas) + page * GAS_PAGE_BYTES;
	size_t bytes = pages * GAS_PAGE_BYTES;
	void *at = (void *)(GAS_BASE + page * GAS_PAGE_BYTES);
	sci_error_t error;
	sci_map_t map;

	if (node == gas->node && !gas->own_counted)
		SCIMapLocalSegment(gas->segment, &map, offset, bytes, at, SCI_FLAG_FIXED_MAP_ADDR,
				   &error);
	else
		SCIMapRemoteSegment(gas->peer[node].segment, &map, offset, bytes, at,
				    SCI_FLAG_FIXED_MAP_ADDR, &error);
	if (error == SCI_ERR_NOSPC)
		return gas_fail(-ENOSPC,
				"no room in the adapter's window for %zu pages of node %u: smile "
				"cluster --adapter window=SIZE makes it larger",
				pages, node);
	if (error == SCI_ERR_ILLEGAL_ADDRESS)
		return gas_fail(-EBUSY, "this process has a space already");
	if (error != SCI_ERR_OK)
		return gas_fail_sisci(error, "map pages of the space");
	gas->run[page] = (struct run){.map = map, .pages = pages};
	return 0;
}

int gas_map(struct Gas *gas)
{
	size_t page, end;
	int ret;

	for (page = 0; page < gas->pages; page = end) {
		if (gas->run[page].pages) {
			end = page + gas->run[page].pages;
			continue;
		}
		for (end = page + 1;
		     end < gas->pages && !gas->run[end].pages && gas->home[end] == gas->home[page];)
			end++;
		ret = run_map(gas, page, end - page);
		if (ret)
			return ret;
	}
	return 0;
}
