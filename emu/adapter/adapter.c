/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter: power, resets, and nodes that join and leave the fabric.
 */
#include "emu/adapter/adapter_inside.h"

void adapter_line(struct adapter *adapter)
{
	uint32_t level = (adapter->int_status & adapter->int_enable) != 0;

	if (level == adapter->int_level)
		return;
	adapter->int_level = level;
	if (adapter->ops->interrupt)
		adapter->ops->interrupt(adapter->opaque, level);
}

void adapter_raise(struct adapter *adapter, uint32_t bits)
{
	adapter->int_status |= bits;
	adapter_line(adapter);
}

static bool answers(const struct adapter *adapter, uint32_t node)
{
	const struct adapter_peer *peer = &adapter->peer[node];

	return peer->region && peer->incarnation &&
	       !((adapter->lost | adapter->losing) >> node & 1) &&
	       atomic_load_explicit(&peer->region->enabled, memory_order_acquire) ==
		       peer->incarnation;
}

/*
 * Read again whether @node takes part in the fabric. Return: true if the answer differs from that
 * of the last call.
 */
static bool look_at(struct adapter *adapter, uint32_t node)
{
	struct adapter_peer *peer = &adapter->peer[node];
	uint32_t incarnation = 0;

	if (adapter->fabric && peer->region)
		incarnation = atomic_load_explicit(&peer->region->enabled, memory_order_acquire);
	if (incarnation == peer->incarnation)
		return false;
	/*
	 * A node that has started again since the last check also counts as lost, because its pages
	 * may now be used for other data.
	 */
	if (peer->incarnation && node != adapter->node)
		adapter->losing |= 1ULL << node;
	peer->incarnation = incarnation;
	return true;
}

/*
 * Report a lost node to the driver by a bit of LOST, when the driver has read all messages that the
 * node had sent before. If the node has started again, the report must precede the node's new
 * messages. Otherwise the driver would treat messages that were answered as unanswered. Return:
 * true if the bit is newly set.
 */
static bool lose(struct adapter *adapter, uint32_t node)
{
	if (!(adapter->losing >> node & 1) || message_waits(adapter, node))
		return false;
	adapter->losing &= ~(1ULL << node);
	adapter->lost |= 1ULL << node;
	return true;
}

void adapter_look(struct adapter *adapter)
{
	uint64_t reachable = 0;
	bool changed = false;
	uint32_t node;

	for (node = 0; node < ADAPTER_NODES; node++) {
		changed |= look_at(adapter, node);
		changed |= lose(adapter, node);
		if (answers(adapter, node))
			reachable |= 1ULL << node;
	}
	if (!changed && reachable == adapter->reachable)
		return;
	adapter->reachable = reachable;
	adapter_raise(adapter, ADAPTER_INT_NODE);
}

bool adapter_answers(struct adapter *adapter, uint32_t node)
{
	if (answers(adapter, node))
		return true;
	/* The node may have joined the fabric since the last check. */
	adapter_look(adapter);
	return answers(adapter, node);
}

void adapter_ring(struct adapter *adapter, uint32_t node)
{
	struct link_region *region = adapter->peer[node].region;

	/*
	 * The data that this node has written for the other node must be visible before this node
	 * reads the flag. Otherwise the other node could rest after a last check that has missed
	 * the data, and nothing would wake it.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (!adapter->ops->ring || !atomic_load_explicit(&region->resting, memory_order_relaxed) ||
	    !atomic_exchange_explicit(&region->resting, 0, memory_order_acq_rel))
		return;
	adapter->ops->ring(adapter->opaque, node);
}

static void ring_all(struct adapter *adapter)
{
	uint32_t node;

	for (node = 0; node < ADAPTER_NODES; node++) {
		if (adapter->peer[node].region && node != adapter->node)
			adapter_ring(adapter, node);
	}
}

void adapter_enable(struct adapter *adapter, bool enable)
{
	uint32_t was = adapter->control;

	adapter->control = enable ? ADAPTER_CONTROL_ENABLE : 0;
	if (enable && !was && !++adapter->incarnation)
		adapter->incarnation = 1;
	atomic_store_explicit(&adapter->own->enabled, enable ? adapter->incarnation : 0,
			      memory_order_release);
	ring_all(adapter);
}

/* ---- exported pages ---- */

static uint32_t epoch_of(const struct adapter *adapter, uint32_t node)
{
	return atomic_load_explicit(&adapter->own->inbox[node].epoch, memory_order_seq_cst);
}

void adapter_withdraw(struct adapter *adapter, uint32_t page, uint32_t count)
{
	_Atomic uint8_t *exports = adapter->peer[adapter->node].exports;
	uint32_t i, node;

	for (i = 0; i < count; i++)
		atomic_store_explicit(&exports[page + i], 0, memory_order_relaxed);
	/* Write the table before reading the epochs: see link.h. */
	atomic_thread_fence(memory_order_seq_cst);
	for (node = 0; node < ADAPTER_NODES; node++) {
		if (node == adapter->node || !adapter->peer[node].region)
			continue;
		adapter->epoch[node] = epoch_of(adapter, node);
		if (adapter->epoch[node] % 2)
			adapter->revoking |= 1ULL << node;
	}
}

bool adapter_revoking(struct adapter *adapter)
{
	uint32_t node;

	for (node = 0; adapter->revoking >> node && node < ADAPTER_NODES; node++) {
		if (!adapter->peer[node].region || epoch_of(adapter, node) != adapter->epoch[node])
			adapter->revoking &= ~(1ULL << node);
	}
	return adapter->revoking;
}

/* ---- nodes ---- */

static const char *attach(struct adapter *adapter, uint32_t node, struct link_region *region,
			  size_t region_bytes, uint8_t *memory, uint64_t memory_bytes)
{
	struct adapter_peer *peer = &adapter->peer[node];
	struct link_inbox *inbox;
	/*
	 * Read each of these fields only once, because the owner of the region may change the field
	 * later.
	 */
	uint32_t pages, incoming;

	if (region_bytes < sizeof(*region) || region->magic != LINK_MAGIC)
		return "its region is not an adapter's";
	if (region->version != LINK_VERSION)
		return "it is another version of the adapter";
	if (region->node != node)
		return "its region is another node's";
	pages = *(volatile uint32_t *)&region->memory_pages;
	incoming = *(volatile uint32_t *)&region->incoming;
	if (!link_bytes(pages, incoming) || link_bytes(pages, incoming) != region_bytes ||
	    memory_bytes != (uint64_t)pages * ADAPTER_PAGE_BYTES)
		return "its region does not have the size that it claims";

	inbox = &region->inbox[adapter->node];
	peer->memory = memory;
	peer->memory_bytes = memory_bytes;
	peer->incoming = incoming;
	peer->exports = link_exports(region);
	peer->entries = link_entries(region, pages, incoming, adapter->node);
	peer->tail = atomic_load_explicit(&inbox->tail, memory_order_relaxed);
	peer->seen_head = atomic_load_explicit(&inbox->head, memory_order_acquire);
	/*
	 * If an earlier node with this id ended during an access, its epoch is still odd. Make it
	 * even.
	 */
	if (atomic_load_explicit(&inbox->epoch, memory_order_relaxed) % 2)
		atomic_fetch_add_explicit(&inbox->epoch, 1, memory_order_release);
	peer->stopped = false;
	peer->region = region;
	return NULL;
}

const char *adapter_attach(struct adapter *adapter, uint32_t node, struct link_region *region,
			   size_t region_bytes, uint8_t *memory, uint64_t memory_bytes)
{
	const char *error = attach(adapter, node, region, region_bytes, memory, memory_bytes);

	if (error)
		return error;
	message_forget_sender(adapter, node);
	adapter_look(adapter);
	return NULL;
}

void adapter_detach(struct adapter *adapter, uint32_t node)
{
	adapter->peer[node].region = NULL;
	adapter->revoking &= ~(1ULL << node);
	adapter_look(adapter);
}

bool adapter_drained(const struct adapter *adapter, uint32_t node)
{
	const struct link_inbox *inbox = &adapter->own->inbox[node];

	return atomic_load_explicit(&inbox->head, memory_order_relaxed) ==
	       atomic_load_explicit(&inbox->tail, memory_order_acquire);
}

void adapter_fabric(struct adapter *adapter, bool up)
{
	adapter->fabric = up;
	adapter_look(adapter);
}

/* ---- power and reset ---- */

void adapter_reset(struct adapter *adapter)
{
	uint32_t pages = (uint32_t)(adapter->peer[adapter->node].memory_bytes / ADAPTER_PAGE_BYTES);

	adapter_enable(adapter, false);
	adapter_withdraw(adapter, 0, pages);
	message_forget(adapter);
	memset(adapter->map, 0, adapter->window_pages * sizeof(*adapter->map));
	adapter->bad_write = 0;
	adapter->timeout_ms = adapter->timeout_reset_ms;
	adapter->map_window = 0;
	adapter->map_node = 0;
	adapter->map_remote = 0;
	adapter->map_count = 0;
	adapter->export_page = 0;
	adapter->export_count = 0;
	memset(adapter->errors, 0, sizeof(adapter->errors));
	memset(&adapter->count, 0, sizeof(adapter->count));
	memset(&adapter->dma, 0, sizeof(adapter->dma));
	memset(&adapter->message, 0, sizeof(adapter->message));
	adapter->latch = 0;
	adapter->held.last_ns = 0;
	adapter->dma_held.last_ns = 0;
	adapter_look(adapter);
	adapter->losing = 0;
	adapter->lost = 0;
	adapter->int_enable = 0;
	adapter->int_status = 0;
	adapter_line(adapter);
}

void adapter_init(struct adapter *adapter, const struct adapter_setup *setup)
{
	memset(adapter, 0, sizeof(*adapter));
	adapter->ops = setup->ops;
	adapter->opaque = setup->opaque;
	adapter->node = setup->node;
	adapter->own = setup->region;
	adapter->map = setup->map;
	adapter->window_pages = setup->window_pages;
	adapter->timeout_reset_ms = setup->timeout_ms;
	adapter->latency = setup->latency;
	attach(adapter, setup->node, setup->region,
	       link_bytes(setup->region->memory_pages, setup->region->incoming), setup->memory,
	       (uint64_t)setup->region->memory_pages * ADAPTER_PAGE_BYTES);
	adapter_reset(adapter);
}

bool adapter_work(struct adapter *adapter)
{
	bool more;

	atomic_fetch_add_explicit(&adapter->own->looks, 1, memory_order_relaxed);
	adapter_look(adapter);
	more = transaction_receive(adapter);
	return dma_work(adapter) || more;
}

void adapter_catch_up(struct adapter *adapter)
{
	atomic_fetch_add_explicit(&adapter->own->looks, 1, memory_order_relaxed);
	transaction_catch_up(adapter);
}

bool adapter_rest(struct adapter *adapter)
{
	struct link_region *own = adapter->own;
	uint32_t node;

	atomic_store_explicit(&own->resting, 1, memory_order_relaxed);
	/* Write the flag before the last check: see adapter_ring(). */
	atomic_thread_fence(memory_order_seq_cst);
	for (node = 0; node < ADAPTER_NODES; node++) {
		if (!adapter_drained(adapter, node))
			break;
	}
	adapter_look(adapter);
	if (node == ADAPTER_NODES)
		return true;
	atomic_store_explicit(&own->resting, 0, memory_order_relaxed);
	return false;
}
