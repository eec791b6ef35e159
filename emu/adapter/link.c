/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The link between adapters: create and check a region.
 */
#include "emu/adapter/link.h"

_Static_assert(sizeof(struct link_entry) == 64, "a cache line");
_Static_assert(sizeof(struct link_region) % 64 == 0, "the table that follows is aligned");

static bool power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

size_t link_bytes(uint32_t memory_pages, uint32_t incoming)
{
	if (!power_of_two(memory_pages) || memory_pages > LINK_PAGES_MAX ||
	    !power_of_two(incoming) || incoming < LINK_INCOMING_MIN || incoming > LINK_INCOMING_MAX)
		return 0;
	return sizeof(struct link_region) + ((size_t)memory_pages + 63) / 64 * 64 +
	       (size_t)ADAPTER_NODES * incoming * sizeof(struct link_entry);
}

void link_init(struct link_region *region, uint32_t node, uint32_t memory_pages, uint32_t incoming)
{
	region->version = LINK_VERSION;
	region->node = node;
	region->memory_pages = memory_pages;
	region->incoming = incoming;
	region->magic = LINK_MAGIC;
}
