/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: the functions that create a space before it is shared, the queries about a space,
 * and error messages.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gas/gas.h"

#define MESSAGE_BYTES 256

static _Thread_local char message[MESSAGE_BYTES];
static _Thread_local bool kept;

void gas_message_keep(bool keep)
{
	kept = keep;
}

int gas_fail(int why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (!kept)
		vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return why;
}

int gas_fail_sisci(sci_error_t error, const char *doing)
{
	int why = -EIO;

	if (error == SCI_ERR_NO_SUCH_ADAPTERNO)
		why = -ENODEV;
	else if (error == SCI_ERR_NOSPC)
		why = -ENOSPC;
	else if (error == SCI_ERR_SEGMENTID_USED)
		why = -EBUSY;
	return gas_fail(why, "cannot %s: %s", doing, SCIGetErrorString(error));
}

const char *Gas_error_message(void)
{
	return message;
}

int gas_usable(const struct Gas *gas)
{
	if (!gas->shared)
		return gas_fail(-EINVAL, "the space is not shared yet: call Gas_share() first");
	if (gas->failed)
		return gas_fail(gas->failed,
				"an earlier call has failed: only Gas_close() is left");
	return 0;
}

/* Parse a number below @end. Return: whether the text is such a number. */
static bool number_parse(const char *text, unsigned long end, unsigned int *number)
{
	unsigned long value;
	char *rest;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &rest, 10);
	if (*rest || errno || value >= end)
		return false;
	*number = (unsigned int)value;
	return true;
}

int Gas_open(struct Gas **out)
{
	const char *node = getenv("SMILE_NODE"), *nodes = getenv("SMILE_NODES");
	unsigned int number = 0, count = 1;
	struct Gas *gas;

	if (nodes && (!number_parse(nodes, GAS_NODES_MAX + 1, &count) || !count))
		return gas_fail(-EINVAL,
				"SMILE_NODES is '%s', and not a number of nodes from 1 to %d",
				nodes, GAS_NODES_MAX);
	if (nodes && (!node || !number_parse(node, count, &number)))
		return gas_fail(-EINVAL,
				"SMILE_NODE is '%s', and not one of %u nodes: run the program by "
				"smile cluster",
				node ? node : "", count);
	gas = calloc(1, sizeof(*gas));
	if (!gas)
		return gas_fail(-ENOMEM, "no memory for the space");
	gas->node = number;
	gas->nodes = count;
	*out = gas;
	return 0;
}

unsigned int Gas_node(const struct Gas *gas)
{
	return gas->node;
}

unsigned int Gas_nodes(const struct Gas *gas)
{
	return gas->nodes;
}

size_t Gas_pages(const struct Gas *gas)
{
	return gas->pages;
}

static uint8_t layout_home(const struct Gas *gas, enum Gas_layout layout, size_t page, size_t pages)
{
	if (layout == GAS_ROUND_ROBIN)
		return (uint8_t)((gas->pages + page) % gas->nodes);
	/* With this formula, the first page of node n is n * pages / nodes, rounded up. */
	return (uint8_t)(page * gas->nodes / pages);
}

/* Add an extent. Return: 0; -ENOMEM. */
static int extent_add(struct Gas *gas, size_t pages)
{
	struct extent *extent = realloc(gas->extent, (gas->extents + 1) * sizeof(*extent));

	if (!extent)
		return -ENOMEM;
	gas->extent = extent;
	extent += gas->extents;
	*extent = (struct extent){.page = gas->pages, .pages = pages};
	snprintf(extent->name, sizeof(extent->name), "extent %zu", gas->extents);
	return 0;
}

int Gas_alloc(struct Gas *gas, size_t bytes, enum Gas_layout layout, void **memory)
{
	size_t pages = bytes / GAS_PAGE_BYTES + !!(bytes % GAS_PAGE_BYTES), page;
	uint8_t *home;

	if (gas->shared)
		return gas_fail(-EBUSY,
				"the space is shared: allocate all of it before Gas_share()");
	if (!bytes || (layout != GAS_ROUND_ROBIN && layout != GAS_BLOCK))
		return gas_fail(
			-EINVAL,
			"an extent has at least one byte, and layout GAS_ROUND_ROBIN or GAS_BLOCK");
	if (pages > GAS_PAGES_MAX - gas->pages)
		return gas_fail(-ENOMEM, "a space has at most %zu pages: %zu and %zu are too many",
				GAS_PAGES_MAX, gas->pages, pages);
	home = realloc(gas->home, gas->pages + pages);
	if (home)
		gas->home = home;
	if (!home || extent_add(gas, pages) < 0)
		return gas_fail(-ENOMEM, "no memory for %zu pages", pages);
	for (page = 0; page < pages; page++)
		home[gas->pages + page] = layout_home(gas, layout, page, pages);
	*memory = (void *)(GAS_BASE + gas->pages * GAS_PAGE_BYTES);
	gas->extents++;
	gas->pages += pages;
	return 0;
}

/* Return whether a name is valid: one line of text, with at least one byte. */
static bool is_name(const char *name)
{
	size_t length = strlen(name), i;

	for (i = 0; i < length; i++) {
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			return false;
	}
	return length && length < GAS_NAME_BYTES && *name != ' ';
}

int Gas_name(struct Gas *gas, const volatile void *memory, const char *name, size_t item_bytes)
{
	size_t i = 0;

	if (gas->shared)
		return gas_fail(-EBUSY, "the space is shared: name its memory before Gas_share()");
	while (i < gas->extents &&
	       GAS_BASE + gas->extent[i].page * GAS_PAGE_BYTES != (uintptr_t)memory)
		i++;
	if (i == gas->extents)
		return gas_fail(
			-EINVAL,
			"no extent begins at 0x%lx: give an address that Gas_alloc() returned",
			(uintptr_t)memory);
	if (!is_name(name))
		return gas_fail(-EINVAL,
				"a name has 1 to %d bytes, no control characters, and does not "
				"begin with a space",
				GAS_NAME_BYTES - 1);
	if (item_bytes > gas->extent[i].pages * GAS_PAGE_BYTES)
		return gas_fail(-EINVAL, "items of %zu bytes are larger than the extent",
				item_bytes);
	snprintf(gas->extent[i].name, GAS_NAME_BYTES, "%s", name);
	gas->extent[i].item_bytes = item_bytes;
	return 0;
}

int Gas_place(struct Gas *gas, const volatile void *start, size_t bytes, unsigned int node)
{
	uintptr_t at = (uintptr_t)start, end = GAS_BASE + gas->pages * GAS_PAGE_BYTES;
	size_t page, last;

	if (gas->shared)
		return gas_fail(-EBUSY, "the space is shared: Gas_move() moves pages now");
	if (node >= gas->nodes)
		return gas_fail(-EINVAL, "node %u does not exist: there are %u nodes", node,
				gas->nodes);
	if (!bytes || at < GAS_BASE || at >= end || bytes > end - at)
		return gas_fail(-EINVAL, "%zu bytes at 0x%lx are not in the space", bytes, at);
	last = (at - GAS_BASE + bytes - 1) / GAS_PAGE_BYTES;
	for (page = (at - GAS_BASE) / GAS_PAGE_BYTES; page <= last; page++)
		gas->home[page] = (uint8_t)node;
	return 0;
}

int Gas_home(const struct Gas *gas, size_t page)
{
	if (page >= gas->pages)
		return gas_fail(-EINVAL, "page %zu does not exist: there are %zu pages", page,
				gas->pages);
	return gas->home[page];
}

int Gas_card_page(const struct Gas *gas, uint64_t card_page, size_t *page)
{
	unsigned int node;

	for (node = 0; gas->sd && node < gas->nodes; node++) {
		uint64_t first = gas->peer[node].first_page;

		if (card_page >= first && card_page - first < gas->pages) {
			*page = (size_t)(card_page - first);
			return (int)node;
		}
	}
	return gas_fail(-ENOENT, "page 0x%llx of the cards is not of the space",
			(unsigned long long)card_page);
}
