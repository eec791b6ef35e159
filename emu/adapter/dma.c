/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The DMA engine: move blocks between the memory of this node and the memory of another node.
 *
 * What lives here: a transfer. It is split into the largest blocks that the commands allow at its
 * remote address: 256 or 64 bytes that are aligned to their size, otherwise the rest of a 16-byte
 * block. The engine has only one transfer at a time; the driver queues further transfers.
 */
#include "emu/adapter/adapter_inside.h"

/* The number of blocks that the engine moves before it lets other work proceed. */
#define BLOCKS_AT_ONCE 64U

static void finish(struct adapter *adapter, uint32_t status)
{
	adapter->dma.command = 0;
	adapter->dma.status = status;
	adapter->dma_held.last_ns = 0;
	adapter_raise(adapter, ADAPTER_INT_DMA);
}

static bool range_valid(const struct adapter *adapter)
{
	const struct adapter_dma *dma = &adapter->dma;
	uint64_t bytes = adapter->peer[adapter->node].memory_bytes;

	return dma->bytes && dma->local < bytes && dma->bytes <= bytes - dma->local &&
	       dma->node < ADAPTER_NODES;
}

void dma_command(struct adapter *adapter, uint32_t command)
{
	struct adapter_dma *dma = &adapter->dma;

	if (command == ADAPTER_DMA_ABORT) {
		if (dma->command)
			finish(adapter, ADAPTER_ERROR_ABORTED);
		return;
	}
	if (dma->command || (command != ADAPTER_DMA_WRITE && command != ADAPTER_DMA_READ)) {
		adapter->bad_write = 1;
		return;
	}
	dma->done = 0;
	dma->status = ADAPTER_ERROR_NONE;
	dma->command = command;
	if (!range_valid(adapter))
		finish(adapter, ADAPTER_ERROR_RANGE);
}

/* Get the size of the largest block at @address that has at most @left bytes. */
static uint32_t block_bytes(uint64_t address, uint32_t left)
{
	uint32_t block;

	if (address % 256 == 0 && left >= 256)
		return 256;
	if (address % 64 == 0 && left >= 64)
		return 64;
	block = BLOCK_BYTES - (uint32_t)(address % BLOCK_BYTES);
	return left < block ? left : block;
}

static uint32_t block_command(uint32_t direction, uint64_t address, uint32_t bytes)
{
	uint32_t last = (uint32_t)((address + bytes - 1) % BLOCK_BYTES);

	if (direction == ADAPTER_DMA_READ)
		return bytes == 256  ? BLINK_NREAD256
		       : bytes == 64 ? BLINK_NREAD64
				     : BLINK_READSB | last;
	if (bytes == 256)
		return BLINK_NWRITE256;
	if (bytes == 64)
		return BLINK_NWRITE64;
	return bytes == BLOCK_BYTES ? BLINK_NWRITE16 : BLINK_WRITESB | last;
}

/* Move one block. Return: false if the block is held back, or if the transfer has ended. */
static bool block(struct adapter *adapter)
{
	struct adapter_dma *dma = &adapter->dma;
	uint64_t remote = (uint64_t)dma->remote + dma->done;
	uint32_t bytes = block_bytes(remote, dma->bytes - dma->done);
	uint8_t *here = adapter->peer[adapter->node].memory + dma->local + dma->done;
	uint8_t data[256] = {0};
	uint8_t *there;

	switch (transaction_begin(adapter, dma->node, remote, bytes, 1, &adapter->dma_held)) {
	case BEGUN_HELD:
		return false;
	case BEGUN_FAILED:
		finish(adapter, adapter->errors[dma->node].why);
		return false;
	case BEGUN:
		break;
	}
	there = adapter->peer[dma->node].memory + remote;
	if (dma->command == ADAPTER_DMA_WRITE)
		memmove(there, here, bytes);
	else
		memmove(here, there, bytes);
	memcpy(data + (bytes < BLOCK_BYTES ? remote % BLOCK_BYTES : 0), here, bytes);
	adapter->count.blocks++;
	transaction_issue(adapter, dma->node, remote, block_command(dma->command, remote, bytes),
			  data);
	transaction_end(adapter, dma->node);
	dma->done += bytes;
	if (dma->done < dma->bytes)
		return true;
	finish(adapter, ADAPTER_ERROR_NONE);
	return false;
}

bool dma_work(struct adapter *adapter)
{
	uint32_t i;

	for (i = 0; i < BLOCKS_AT_ONCE && adapter->dma.command; i++) {
		if (!block(adapter))
			return false;
	}
	return adapter->dma.command;
}
