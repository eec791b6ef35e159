/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter as a QEMU device: what its parts see of each other.
 *
 * What lives here: the device's state, and the calls between the PCI shell (smile_adapter.c) and
 * the fabric (fabric.c). For files compiled against QEMU's headers, which must include
 * "qemu/osdep.h" first.
 */
#ifndef EMU_QEMU_SMILE_ADAPTER_H
#define EMU_QEMU_SMILE_ADAPTER_H

#include "hw/pci/pci.h"
#include "qemu/event_notifier.h"
#include "qom/object.h"

#include "emu/adapter/adapter.h"
#include "emu/qemu/smile_monitor.h"

#define TYPE_SMILE_ADAPTER "smile-adapter"
OBJECT_DECLARE_SIMPLE_TYPE(SmileAdapter, SMILE_ADAPTER)

/**
 * struct FabricPeer - The connection to another node.
 * @adapter: the device
 * @node: whose; ADAPTER_NODES until it has said so
 * @socket: -1: there is none
 * @region, @memory: file descriptors that it has sent, until they are mapped
 * @bell: what it is rung by
 * @mapped, @mapped_bytes: its region
 * @store, @store_bytes: its memory
 * @attached: the adapter has it
 * @next: of the list
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
 * struct SmileFabric - This node's place in the fabric.
 * @directory: property "fabric"; NULL: connected to none
 * @lock: file that no other node of this id can lock
 * @listener: where others connect to; -1: nowhere
 * @region, @memory: file descriptors that others are sent
 * @bell: what this node is rung by
 * @peers: the others
 * @by_node: those that are attached
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
 * @map: translation of the window
 * @region: this node's region
 * @region_bytes: its size
 * @monitor: property "monitor": the card on the same B-Link; NULL: none
 * @room: called when the monitor may have room again
 * @fabric: the other nodes
 * @work: bottom half: all that the adapter does without being accessed
 * @rest: when a short rest ends
 * @running: says when the virtual machine stops and continues
 * @blocker: why the machine's state cannot be saved
 * @node: property "node"
 * @window_bytes: property "window"
 * @memory_bytes: property "memory"
 * @incoming: property "incoming"
 * @latency: properties "read-ns", "write-ns", "lock-ns"
 * @absent: property "absent"
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
	struct SmileFabric fabric;
	QEMUBH *work;
	QEMUTimer *rest;
	VMChangeStateEntry *running;
	Error *blocker;
	uint32_t node;
	uint64_t window_bytes;
	uint64_t memory_bytes;
	uint32_t incoming;
	struct adapter_latency latency;
	bool absent;
};

/* ---- smile_adapter.c ---- */

/* Register the device type; done by QEMU itself if the device is part of it. */
void smile_adapter_register(void);

/* There may be something to do: run the bottom half. */
void smile_adapter_kick(SmileAdapter *dev);

/* ---- fabric.c ---- */

/* Make this node's region and memory, which others may map. */
bool fabric_memory(SmileAdapter *dev, Error **errp);

/* Join the fabric of property "fabric", and leave it. */
bool fabric_join(SmileAdapter *dev, Error **errp);
void fabric_leave(SmileAdapter *dev);

/* Let the adapter have the nodes that have come, as far as it can. From the bottom half alone. */
void fabric_attach(SmileAdapter *dev);

/* Wake up @node: adapter_ops.ring. */
void fabric_ring(void *opaque, uint32_t node);

#endif /* EMU_QEMU_SMILE_ADAPTER_H */
