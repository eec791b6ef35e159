/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The window: convert loads and stores of a processor into transactions.
 *
 * What lives here: the translation of a page of the window, the access itself, and fetch and
 * increment in pages that are mapped with LOCK. An access of 1 to 8 bytes is one transaction. If an
 * access crosses the boundary of a 16-byte block, it is two transactions, because a command names
 * bytes of only one block. Aligned accesses are atomic in the owner's memory. Unaligned accesses
 * are not atomic, as on any bus.
 */
#include <base/field.h>

#include "emu/adapter/adapter_inside.h"

/* The node and the memory that an access reaches. */
struct place {
	uint32_t node;
	uint64_t address; /* byte offset in the memory of the node */
	bool lock;
};

/* Get the number of bytes of an access that are in its first 16-byte block. */
static uint32_t first_part(uint64_t address, uint32_t bytes)
{
	uint32_t left = BLOCK_BYTES - (uint32_t)(address % BLOCK_BYTES);

	return bytes < left ? bytes : left;
}

static bool translate(struct adapter *adapter, uint64_t offset, uint32_t bytes, struct place *place)
{
	uint64_t page = offset / ADAPTER_PAGE_BYTES;
	uint32_t map = page < adapter->window_pages ? adapter->map[page] : 0;
	uint64_t within = offset % ADAPTER_PAGE_BYTES;

	if (!(map & MAP_VALID) || bytes > ADAPTER_PAGE_BYTES - within)
		return false;
	place->node = SMILE_GET(MAP_NODE, map);
	place->address = (uint64_t)SMILE_GET(MAP_PAGE, map) * ADAPTER_PAGE_BYTES + within;
	place->lock = map & MAP_LOCK;
	return true;
}

/*
 * Get the command for an access to a part of a 16-byte block. The low four bits of the command are
 * the offset of the last byte in the block.
 */
static uint32_t short_command(uint32_t command, uint64_t address, uint32_t bytes)
{
	return command | (uint32_t)((address + bytes - 1) % BLOCK_BYTES);
}

/* Issue a transaction for each block that the access touches. */
static void issue(struct adapter *adapter, const struct place *place, uint32_t bytes,
		  uint32_t command, const void *value)
{
	uint64_t address = place->address;
	const uint8_t *from = value;

	while (bytes) {
		uint8_t block[BLOCK_BYTES] = {0};
		uint32_t part = first_part(address, bytes);

		memcpy(block + address % BLOCK_BYTES, from, part);
		transaction_issue(adapter, place->node, address,
				  short_command(command, address, part), block);
		address += part;
		from += part;
		bytes -= part;
	}
}

static uint64_t memory_load(const uint8_t *at, uint32_t bytes)
{
	uint64_t value = 0;

	if ((uintptr_t)at % bytes == 0) {
		switch (bytes) {
		case 1:
			return __atomic_load_n(at, __ATOMIC_ACQUIRE);
		case 2:
			return __atomic_load_n((const uint16_t *)at, __ATOMIC_ACQUIRE);
		case 4:
			return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
		case 8:
			return __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
		}
	}
	memcpy(&value, at, bytes);
	return value;
}

static void memory_store(uint8_t *at, uint32_t bytes, uint64_t value)
{
	if ((uintptr_t)at % bytes == 0) {
		switch (bytes) {
		case 1:
			__atomic_store_n(at, (uint8_t)value, __ATOMIC_RELEASE);
			return;
		case 2:
			__atomic_store_n((uint16_t *)at, (uint16_t)value, __ATOMIC_RELEASE);
			return;
		case 4:
			__atomic_store_n((uint32_t *)at, (uint32_t)value, __ATOMIC_RELEASE);
			return;
		case 8:
			__atomic_store_n((uint64_t *)at, value, __ATOMIC_RELEASE);
			return;
		}
	}
	memcpy(at, &value, bytes);
}

static uint64_t ones(uint32_t bytes)
{
	return bytes >= 8 ? UINT64_MAX : (1ULL << 8 * bytes) - 1;
}

/*
 * Begin an access. If the page of the window is not mapped, the access fails. Return: as
 * transaction_begin().
 */
static enum begun begin(struct adapter *adapter, uint64_t offset, uint32_t bytes,
			struct place *place)
{
	if (!bytes || bytes > sizeof(uint64_t) || !translate(adapter, offset, bytes, place)) {
		adapter->held.last_ns = 0;
		transaction_fail(adapter, adapter->node, ADAPTER_ERROR_UNMAPPED);
		return BEGUN_FAILED;
	}
	/*
	 * Require room for both transactions of the access. If an access is held back, none of its
	 * parts may have been carried out.
	 */
	return transaction_begin(adapter, place->node, place->address, bytes,
				 first_part(place->address, bytes) < bytes ? 2 : 1, &adapter->held);
}

/*
 * Fetch the value and increment it in memory, which is the effect of a 4-byte read of a page that
 * is mapped with LOCK.
 */
static bool lock(struct adapter *adapter, const struct place *place, uint32_t bytes,
		 uint64_t *value)
{
	uint32_t *at = (uint32_t *)(adapter->peer[place->node].memory + place->address);

	if (bytes != sizeof(*at) || place->address % sizeof(*at)) {
		transaction_end(adapter, place->node);
		transaction_fail(adapter, place->node, ADAPTER_ERROR_RANGE);
		*value = ones(bytes);
		return true;
	}
	*value = __atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST);
	adapter->count.locks++;
	issue(adapter, place, bytes, BLINK_LOCKSB, value);
	transaction_end(adapter, place->node);
	return true;
}

bool adapter_load(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t *value)
{
	struct place place;

	switch (begin(adapter, offset, bytes, &place)) {
	case BEGUN_HELD:
		return false;
	case BEGUN_FAILED:
		*value = ones(bytes);
		return true;
	case BEGUN:
		break;
	}
	if (place.lock)
		return lock(adapter, &place, bytes, value);
	*value = memory_load(adapter->peer[place.node].memory + place.address, bytes);
	adapter->count.reads += first_part(place.address, bytes) < bytes ? 2 : 1;
	issue(adapter, &place, bytes, BLINK_READSB, value);
	transaction_end(adapter, place.node);
	return true;
}

bool adapter_store(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t value)
{
	struct place place;

	switch (begin(adapter, offset, bytes, &place)) {
	case BEGUN_HELD:
		return false;
	case BEGUN_FAILED:
		return true;
	case BEGUN:
		break;
	}
	memory_store(adapter->peer[place.node].memory + place.address, bytes, value);
	adapter->count.writes += first_part(place.address, bytes) < bytes ? 2 : 1;
	issue(adapter, &place, bytes, BLINK_WRITESB, &value);
	transaction_end(adapter, place.node);
	return true;
}

void adapter_give_up(struct adapter *adapter, uint64_t offset)
{
	struct place place = {.node = adapter->node};

	translate(adapter, offset, 1, &place);
	adapter->held.last_ns = 0;
	transaction_fail(adapter, place.node, ADAPTER_ERROR_TIMEOUT);
}
