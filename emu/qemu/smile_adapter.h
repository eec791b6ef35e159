/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter as a QEMU device: the declarations that its files share.
 *
 * What lives here: the device's state, and the functions that the PCI shell (smile_adapter.c) and
 * the fabric (fabric.c) share. For files compiled against QEMU's headers, which must include
 * "qemu/osdep.h" first.
 */
#ifndef EMU_QEMU_SMILE_ADAPTER_H
#define EMU_QEMU_SMILE_ADAPTER_H

#include "qemu/event_notifier.h"
#include "qom/object.h"

#include "emu/adapter/adapter.h"
#include "emu/qemu/smile_monitor.h"

#define TYPE_SMILE_ADAPTER "smile-adapter"
OBJECT_DECLARE_SIMPLE_TYPE(SmileAdapter, SMILE_ADAPTER)

/**
 * struct FabricPeer - The connection to another node.
 * @adapter: the device
 * @node: id of the node; ADAPTER_NODES until its greeting arrives
 * @socket: the connection; -1 if there is none
 * @region, @memory: file descriptors that the peer has sent, until they are mapped
 * @bell: eventfd that wakes the peer
 * @mapped, @mapped_bytes: the peer's region
 * @store, @store_bytes: the peer's memory
 * @attached: the peer is attached to the adapter
 * @next: entry of the list of peers
 */
struct FabricPeer {
	SmileAdapter *adapter;
	uint32_t node;
	int socket;
	int region;
	int memory;
	int bell;
	void *mapped;
	size_t mapped_bytes;
	void *store;
	size_t store_bytes;
	bool attached;
	QTAILQ_ENTRY(FabricPeer) next;
};

/**
 * struct SmileFabric - This node as a member of the fabric.
 * @directory: property "fabric"; NULL if there is no fabric
 * @lock: lock file of this node id
 * @listener: socket for connections; -1 if there is none
 * @region, @memory: file descriptors that are sent to peers
 * @bell: eventfd that wakes this node
 * @peers: all peers
 * @by_node: attached peers, by node
 */
struct SmileFabric {
	char *directory;
	int lock;
	int listener;
	int region;
	int memory;
	EventNotifier bell;
	QTAILQ_HEAD(, FabricPeer) peers;
	struct FabricPeer *by_node[ADAPTER_NODES];
};

/**
 * struct SmileAdapter - The device.
 * @parent_obj: the PCI device
 * @registers: BAR 0
 * @window: BAR 2
 * @memory: BAR 4
 * @adapter: the adapter itself
 * @map: translations of the window's pages
 * @region: this node's region
 * @region_bytes: its size
 * @monitor: property "monitor": the monitor card on the same B-Link; NULL if there is none
 * @room: notifier, called when the monitor may have room again
 * @arrivals: notifier, called before a register of the monitor is accessed
 * @fabric: the other nodes
 * @work: bottom half for all work outside of register accesses
 * @rest: timer that ends a short rest, or after which the inboxes are polled while the monitor has
 *        no room
 * @running: handler of stops and continuations of the virtual machine
 * @blocker: reason why the machine's state cannot be saved
 * @node: property "node"
 * @window_bytes: property "window"
 * @memory_bytes: property "memory"
 * @incoming: property "incoming"
 * @timeout_ms: property "timeout-ms"
 * @latency: properties "read-ns", "write-ns" and "lock-ns", and the latencies of the next two
 *           properties
 * @far_ns: property "far-ns": times by node, separated by colons
 * @far_lock_ns: property "far-lock-ns", in the same form
 * @absent: property "absent"
 * @accesses: number of accesses to the window. After a fixed number of accesses, the processor
 *            polls the inboxes
 */
struct SmileAdapter {
	PCIDevice parent_obj;
	MemoryRegion registers;
	MemoryRegion window;
	MemoryRegion memory;
	struct adapter adapter;
	uint32_t *map;
	struct link_region *region;
	size_t region_bytes;
	SmileMonitor *monitor;
	Notifier room;
	Notifier arrivals;
	struct SmileFabric fabric;
	QEMUBH *work;
	QEMUTimer *rest;
	VMChangeStateEntry *running;
	Error *blocker;
	uint32_t node;
	uint64_t window_bytes;
	uint64_t memory_bytes;
	uint32_t incoming;
	uint32_t timeout_ms;
	struct adapter_latency latency;
	char *far_ns;
	char *far_lock_ns;
	bool absent;
	uint32_t accesses;
};

/* ---- smile_adapter.c ---- */

/* Register the device type. QEMU does this itself if the device is built in. */
void smile_adapter_register(void);

/* Run the bottom half, because there may be work. */
void smile_adapter_kick(SmileAdapter *dev);

/* ---- fabric.c ---- */

/* Create this node's region and memory, which other nodes may map. */
bool fabric_memory(SmileAdapter *dev, Error **errp);

/* Join the fabric of property "fabric", or leave it. */
bool fabric_join(SmileAdapter *dev, Error **errp);
void fabric_leave(SmileAdapter *dev);

/*
 * Attach peers whose greetings have arrived, as far as possible. Called only from the bottom half.
 */
void fabric_attach(SmileAdapter *dev);

/* Wake @node: the function for adapter_ops.ring. */
void fabric_ring(void *opaque, uint32_t node);

#endif /* EMU_QEMU_SMILE_ADAPTER_H */
