/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Read and write the adapter's registers, as the host requests.
 *
 * What lives here: the behaviour of the registers, as docs/adapter.md describes it. An invalid
 * write changes nothing except STATUS.BAD_WRITE.
 */
#include <base/field.h>

#include "emu/adapter/adapter_inside.h"

#define COUNTS_END (ADAPTER_COUNT_LAST + 8)

_Static_assert(sizeof(struct adapter_counts) == COUNTS_END - ADAPTER_COUNT_FIRST,
	       "one register for each count");

static uint32_t memory_pages(const struct adapter *adapter)
{
	return (uint32_t)(adapter->peer[adapter->node].memory_bytes / ADAPTER_PAGE_BYTES);
}

/* ---- reading ---- */

static uint32_t read_count(struct adapter *adapter, uint32_t offset)
{
	const uint64_t *counts = (const uint64_t *)&adapter->count;
	uint64_t value;

	if (offset % 8)
		return adapter->latch;
	value = counts[(offset - ADAPTER_COUNT_FIRST) / 8];
	adapter->latch = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

static uint32_t read_status(struct adapter *adapter)
{
	uint32_t status = 0;

	if (adapter->fabric)
		status |= ADAPTER_STATUS_FABRIC;
	if (adapter_revoking(adapter))
		status |= ADAPTER_STATUS_REVOKING;
	if (adapter->dma.command)
		status |= ADAPTER_STATUS_DMA;
	if (adapter->bad_write)
		status |= ADAPTER_STATUS_BAD_WRITE;
	return status;
}

static uint32_t read_data(const uint8_t *data, uint32_t offset)
{
	uint32_t word;

	memcpy(&word, data + offset, sizeof(word));
	return word;
}

static uint32_t read_message(struct adapter *adapter, uint32_t offset)
{
	uint32_t sender;
	const struct link_message *message = message_first(adapter, &sender);

	if (offset == ADAPTER_REG_RECEIVE_NODE)
		return message ? sender : ADAPTER_ABSENT;
	if (!message)
		return 0;
	if (offset == ADAPTER_REG_RECEIVE_BYTES)
		return message->bytes <= ADAPTER_MESSAGE_BYTES ? message->bytes : 0;
	return read_data(message->data, offset - ADAPTER_REG_RECEIVE_DATA);
}

static uint32_t half(uint64_t bits, bool high)
{
	return (uint32_t)(high ? bits >> 32 : bits);
}

static uint32_t read_state(struct adapter *adapter, uint32_t offset)
{
	uint32_t node = (offset - ADAPTER_REG_ERRORS) / ADAPTER_STRIDE_ERRORS;

	if (offset == ADAPTER_REG_REACHABLE_LOW || offset == ADAPTER_REG_REACHABLE_HIGH) {
		adapter_look(adapter);
		return half(adapter->reachable, offset == ADAPTER_REG_REACHABLE_HIGH);
	}
	if (offset < ADAPTER_REG_ERRORS || node >= ADAPTER_NODES)
		return 0;
	return offset % ADAPTER_STRIDE_ERRORS ? adapter->errors[node].why
					      : adapter->errors[node].count;
}

static uint32_t read_named(struct adapter *adapter, uint32_t offset)
{
	switch (offset) {
	case ADAPTER_REG_ID:
		return ADAPTER_ID_VALUE;
	case ADAPTER_REG_VERSION:
		return ADAPTER_VERSION_VALUE;
	case ADAPTER_REG_CAPABILITY:
		return SMILE_PUT(ADAPTER_CAPABILITY_WINDOW, smile_log2(adapter->window_pages)) |
		       SMILE_PUT(ADAPTER_CAPABILITY_MEMORY, smile_log2(memory_pages(adapter))) |
		       SMILE_PUT(ADAPTER_CAPABILITY_INCOMING,
				 smile_log2(adapter->peer[adapter->node].incoming));
	case ADAPTER_REG_NODE:
		return adapter->node;
	case ADAPTER_REG_CONTROL:
		return adapter->control;
	case ADAPTER_REG_STATUS:
		return read_status(adapter);
	case ADAPTER_REG_TIMEOUT:
		return adapter->timeout_ms;
	case ADAPTER_REG_MAP_WINDOW:
		return adapter->map_window;
	case ADAPTER_REG_MAP_NODE:
		return adapter->map_node;
	case ADAPTER_REG_MAP_REMOTE:
		return adapter->map_remote;
	case ADAPTER_REG_MAP_COUNT:
		return adapter->map_count;
	case ADAPTER_REG_EXPORT_PAGE:
		return adapter->export_page;
	case ADAPTER_REG_EXPORT_COUNT:
		return adapter->export_count;
	case ADAPTER_REG_INT_STATUS:
		return adapter->int_status;
	case ADAPTER_REG_INT_ENABLE:
		return adapter->int_enable;
	case ADAPTER_REG_LOST_LOW:
	case ADAPTER_REG_LOST_HIGH:
		adapter_look(adapter);
		return half(adapter->lost, offset == ADAPTER_REG_LOST_HIGH);
	case ADAPTER_REG_DMA_LOCAL:
		return adapter->dma.local;
	case ADAPTER_REG_DMA_NODE:
		return adapter->dma.node;
	case ADAPTER_REG_DMA_REMOTE:
		return adapter->dma.remote;
	case ADAPTER_REG_DMA_BYTES:
		return adapter->dma.bytes;
	case ADAPTER_REG_DMA_STATUS:
		return adapter->dma.status;
	case ADAPTER_REG_DMA_DONE:
		return adapter->dma.done;
	case ADAPTER_REG_SEND_NODE:
		return adapter->message.node;
	case ADAPTER_REG_SEND_BYTES:
		return adapter->message.bytes;
	case ADAPTER_REG_SEND_STATUS:
		return adapter->message.status;
	case ADAPTER_REG_RECEIVE_NODE:
	case ADAPTER_REG_RECEIVE_BYTES:
		return read_message(adapter, offset);
	default:
		return 0;
	}
}

static bool within(uint32_t offset, uint32_t first, uint32_t bytes)
{
	return offset >= first && offset < first + bytes;
}

uint32_t adapter_mmio_read(struct adapter *adapter, uint32_t offset)
{
	if (offset % 4)
		return 0;
	if (within(offset, ADAPTER_COUNT_FIRST, COUNTS_END - ADAPTER_COUNT_FIRST))
		return read_count(adapter, offset);
	if (within(offset, ADAPTER_REG_SEND_DATA, ADAPTER_MESSAGE_BYTES))
		return read_data(adapter->message.data, offset - ADAPTER_REG_SEND_DATA);
	if (within(offset, ADAPTER_REG_RECEIVE_DATA, ADAPTER_MESSAGE_BYTES))
		return read_message(adapter, offset);
	if (offset >= ADAPTER_STATE_PAGE)
		return read_state(adapter, offset);
	return read_named(adapter, offset);
}

/* ---- writing ---- */

/* Check whether @count pages from @first on are all below @pages. */
static bool pages_valid(uint32_t first, uint32_t count, uint32_t pages)
{
	return count && first < pages && count <= pages - first;
}

static bool map_command(struct adapter *adapter, uint32_t command)
{
	uint32_t entry, i;

	if (!pages_valid(adapter->map_window, adapter->map_count, adapter->window_pages))
		return false;
	if (command == ADAPTER_MAP_CLEAR) {
		entry = 0;
	} else {
		if ((command & ~ADAPTER_MAP_LOCK) != ADAPTER_MAP_SET ||
		    adapter->map_node >= ADAPTER_NODES ||
		    !pages_valid(adapter->map_remote, adapter->map_count, LINK_PAGES_MAX))
			return false;
		entry = MAP_VALID | SMILE_PUT(MAP_NODE, adapter->map_node) |
			SMILE_PUT(MAP_PAGE, adapter->map_remote);
		if (command & ADAPTER_MAP_LOCK)
			entry |= MAP_LOCK;
		/* From now on, a node that starts again counts as lost (register LOST). */
		adapter_look(adapter);
	}
	for (i = 0; i < adapter->map_count; i++)
		adapter->map[adapter->map_window + i] = entry ? entry + i : 0;
	return true;
}

static bool export_command(struct adapter *adapter, uint32_t command)
{
	_Atomic uint8_t *exports = adapter->peer[adapter->node].exports;
	uint32_t i;

	if (!pages_valid(adapter->export_page, adapter->export_count, memory_pages(adapter)))
		return false;
	if (command == ADAPTER_EXPORT_CLEAR) {
		adapter_withdraw(adapter, adapter->export_page, adapter->export_count);
		return true;
	}
	if (command != ADAPTER_EXPORT_SET)
		return false;
	for (i = 0; i < adapter->export_count; i++)
		atomic_store_explicit(&exports[adapter->export_page + i], 1, memory_order_release);
	return true;
}

/* Write a register that accepts all values up to a limit. */
static bool put(uint32_t *to, uint32_t value, uint32_t limit)
{
	if (value > limit)
		return false;
	*to = value;
	return true;
}

static bool write_status(struct adapter *adapter, uint32_t value)
{
	if (value & ~ADAPTER_STATUS_BAD_WRITE)
		return false;
	if (value)
		adapter->bad_write = 0;
	return true;
}

static bool write_dma(struct adapter *adapter, uint32_t *to, uint32_t value)
{
	return !adapter->dma.command && put(to, value, UINT32_MAX);
}

static bool write_command(struct adapter *adapter, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case ADAPTER_REG_COMMAND:
		if (value != ADAPTER_COMMAND_RESET)
			return false;
		adapter_reset(adapter);
		return true;
	case ADAPTER_REG_MAP_COMMAND:
		return map_command(adapter, value);
	case ADAPTER_REG_EXPORT_COMMAND:
		return export_command(adapter, value);
	case ADAPTER_REG_DMA_COMMAND:
		dma_command(adapter, value);
		return true;
	case ADAPTER_REG_SEND_COMMAND:
		if (value != 1)
			return false;
		message_send(adapter);
		return true;
	case ADAPTER_REG_RECEIVE_COMMAND:
		if (value != 1)
			return false;
		message_next(adapter);
		return true;
	default:
		return false;
	}
}

static bool write_named(struct adapter *adapter, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case ADAPTER_REG_CONTROL:
		if (value & ~ADAPTER_CONTROL_ENABLE)
			return false;
		adapter_enable(adapter, value);
		adapter_look(adapter);
		return true;
	case ADAPTER_REG_STATUS:
		return write_status(adapter, value);
	case ADAPTER_REG_TIMEOUT:
		return value && put(&adapter->timeout_ms, value, ADAPTER_TIMEOUT_MS_MAX);
	case ADAPTER_REG_MAP_WINDOW:
		return put(&adapter->map_window, value, UINT32_MAX);
	case ADAPTER_REG_MAP_NODE:
		return put(&adapter->map_node, value, ADAPTER_NODES - 1);
	case ADAPTER_REG_MAP_REMOTE:
		return put(&adapter->map_remote, value, UINT32_MAX);
	case ADAPTER_REG_MAP_COUNT:
		return put(&adapter->map_count, value, UINT32_MAX);
	case ADAPTER_REG_EXPORT_PAGE:
		return put(&adapter->export_page, value, UINT32_MAX);
	case ADAPTER_REG_EXPORT_COUNT:
		return put(&adapter->export_count, value, UINT32_MAX);
	case ADAPTER_REG_INT_STATUS:
		if (value & ~ADAPTER_INT_ALL)
			return false;
		adapter->int_status &= ~value;
		return true;
	case ADAPTER_REG_INT_ENABLE:
		return put(&adapter->int_enable, value, ADAPTER_INT_ALL);
	case ADAPTER_REG_LOST_LOW:
	case ADAPTER_REG_LOST_HIGH:
		adapter->lost &= ~((uint64_t)value << (offset == ADAPTER_REG_LOST_HIGH ? 32 : 0));
		adapter_look(adapter);
		return true;
	case ADAPTER_REG_DMA_LOCAL:
		return write_dma(adapter, &adapter->dma.local, value);
	case ADAPTER_REG_DMA_NODE:
		return write_dma(adapter, &adapter->dma.node, value);
	case ADAPTER_REG_DMA_REMOTE:
		return write_dma(adapter, &adapter->dma.remote, value);
	case ADAPTER_REG_DMA_BYTES:
		return write_dma(adapter, &adapter->dma.bytes, value);
	case ADAPTER_REG_SEND_NODE:
		return put(&adapter->message.node, value, UINT32_MAX);
	case ADAPTER_REG_SEND_BYTES:
		return put(&adapter->message.bytes, value, ADAPTER_MESSAGE_BYTES);
	default:
		return write_command(adapter, offset, value);
	}
}

void adapter_mmio_write(struct adapter *adapter, uint32_t offset, uint32_t value)
{
	if (offset % 4 == 0 && within(offset, ADAPTER_REG_SEND_DATA, ADAPTER_MESSAGE_BYTES)) {
		memcpy(adapter->message.data + offset - ADAPTER_REG_SEND_DATA, &value,
		       sizeof(value));
		return;
	}
	if (offset % 4 || !write_named(adapter, offset, value))
		adapter->bad_write = 1;
	/* While a message is unread, its bit of INT_STATUS is set again. */
	if (adapter->message.count)
		adapter->int_status |= ADAPTER_INT_MESSAGE;
	adapter_line(adapter);
}
