/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter: its interface for its surroundings.
 *
 * What lives here: the whole state of an adapter and the calls that drive it. The surroundings (a
 * QEMU device, a test) own the memory, attach and detach the other nodes, and are called back for
 * every frame on this node's B-Link. The adapter does no I/O, allocates nothing, and has no time
 * except the time that it is given. It may use include/, link.h and C11's <stdatomic.h>,
 * <stdbool.h>, <stddef.h>, <stdint.h>, <string.h>. docs/adapter.md is its datasheet.
 *
 * Only one caller at a time may call an adapter. Adapters of one fabric run at the same time, in as
 * many processes as there are nodes; they communicate through their regions (link.h).
 */
#ifndef EMU_ADAPTER_ADAPTER_H
#define EMU_ADAPTER_ADAPTER_H

#include "emu/adapter/link.h"

/**
 * struct adapter_ops - The functions of the surroundings that the adapter calls.
 * @room: can a request and its response pass on this node's B-Link without a loss at its monitor?
 *         If not, the adapter holds the link back; NULL: they always can
 * @blink: a frame passes on this node's B-Link at @time_ns, which is never before the last one
 * @interrupt: the interrupt line has changed to @level; may be NULL
 * @ring: make @node call adapter_work(): the node rests, and something has arrived for it; may be
 *        NULL
 * @now: the present time, ns; all nodes have the same clock
 *
 * The adapter calls them during the calls below; they must not call the adapter.
 */
struct adapter_ops {
	bool (*room)(void *opaque);
	void (*blink)(void *opaque, const void *frame, size_t bytes, uint64_t time_ns);
	void (*interrupt)(void *opaque, bool level);
	void (*ring)(void *opaque, uint32_t node);
	uint64_t (*now)(void *opaque);
};

/**
 * struct adapter_peer - The state of a node of the fabric at this node.
 * @region: its region; NULL: the node is not there
 * @memory: its memory, with the size that its region gives
 * @exports: its table of exported pages
 * @entries: the entries of this node's inbox there
 * @memory_bytes: size of @memory
 * @incoming: number of entries of that inbox
 * @tail: number of entries that this node has written there
 * @seen_head: the head of that inbox as last read: the inbox has at least as much room as it shows
 * @incarnation: @enabled of its region as last read; 0: the node did not answer
 * @stopped: the node did not read its inboxes for TIMEOUT; until it reads them again, a transaction
 *         that finds its inbox full fails immediately
 * @stopped_looks: @looks of its region at that time
 */
struct adapter_peer {
	struct link_region *region;
	uint8_t *memory;
	_Atomic uint8_t *exports;
	struct link_entry *entries;
	uint64_t memory_bytes;
	uint32_t incoming;
	uint32_t tail;
	uint32_t seen_head;
	uint32_t incarnation;
	bool stopped;
	uint32_t stopped_looks;
};

/**
 * struct adapter_held - A transaction that the link holds back.
 * @last_ns: time of the last try; 0: no transaction is held
 * @waited_ns: how long it has waited for a node that does not read its inbox
 * @looks: @looks of that node's region at the last try
 */
struct adapter_held {
	uint64_t last_ns;
	uint64_t waited_ns;
	uint32_t looks;
};

/**
 * struct adapter_errors - Failed transactions to a node.
 * @count: their number, modulo 2^32
 * @why: ADAPTER_ERROR_* of the last one
 */
struct adapter_errors {
	uint32_t count;
	uint32_t why;
};

/**
 * struct adapter_latency - Time from request to response of a processor's access to another node,
 * ns.
 *
 * All nodes must use the same values, in both directions, since each node stamps the responses on
 * its own B-Link.
 *
 * @read_ns: latency of loads
 * @write_ns: latency of stores
 * @lock_ns: latency of locks
 * @far_ns: added to @read_ns and @write_ns, by the other node
 * @far_lock_ns: added to @lock_ns, by the other node
 */
struct adapter_latency {
	uint32_t read_ns;
	uint32_t write_ns;
	uint32_t lock_ns;
	uint32_t far_ns[ADAPTER_NODES];
	uint32_t far_lock_ns[ADAPTER_NODES];
};

/**
 * struct adapter_counts - The 64-bit counters, in the order of their registers.
 */
struct adapter_counts {
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t blocks;
	uint64_t messages;
	uint64_t failed;
	uint64_t received;
	uint64_t held;
	uint64_t refused;
};

/**
 * struct adapter_dma - The DMA engine.
 * @local, @node, @remote, @bytes: its registers
 * @command: the current transfer; 0: there is none
 * @status: ADAPTER_ERROR_* of the last transfer
 * @done: number of bytes moved
 */
struct adapter_dma {
	uint32_t local;
	uint32_t node;
	uint32_t remote;
	uint32_t bytes;
	uint32_t command;
	uint32_t status;
	uint32_t done;
};

/**
 * struct adapter_messages - Messages that are sent and received.
 * @node, @bytes, @status: registers of the message that is sent
 * @data: its bytes
 * @from: senders of the messages that can be read, in order of arrival; these are a ring
 * @first: index in @from of the message that is read next
 * @count: number of these messages
 */
struct adapter_messages {
	uint32_t node;
	uint32_t bytes;
	uint32_t status;
	uint8_t data[ADAPTER_MESSAGE_BYTES];
	uint8_t from[ADAPTER_NODES * ADAPTER_MESSAGES];
	uint32_t first;
	uint32_t count;
};

/* A page of the window: the page to which it is mapped. */
#define MAP_VALID 0x80000000U
#define MAP_LOCK 0x40000000U
#define MAP_NODE 0x03f00000U
#define MAP_PAGE 0x000fffffU

/**
 * struct adapter - The whole adapter.
 * @ops: the functions of the surroundings
 * @opaque: first argument of these functions
 * @node: this node's id
 * @window_pages: size of @map
 * @map: translation of the window; owned by the surroundings
 * @own: this node's region, and its memory
 * @peer: all nodes, including this one
 * @fabric: it is connected to a fabric
 * @control: register CONTROL
 * @bad_write: bit STATUS.BAD_WRITE
 * @timeout_ms: register TIMEOUT
 * @timeout_reset_ms: value of TIMEOUT after a reset
 * @map_window: register MAP_WINDOW
 * @map_node: register MAP_NODE
 * @map_remote: register MAP_REMOTE
 * @map_count: register MAP_COUNT
 * @export_page: register EXPORT_PAGE
 * @export_count: register EXPORT_COUNT
 * @revoking: bit n: node n may still access a page that was withdrawn
 * @epoch: epoch of node n when the last page was withdrawn
 * @stopped_epoch: epoch of an access of node n that did not end within TIMEOUT; 0: none
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line, as last reported
 * @latch: high half of the counter that was read last
 * @incarnation: how often this node has been enabled
 * @reachable: bit n: node n answered when its region was last read
 * @losing: bit n: node n stopped answering, and LOST does not show that yet
 * @lost: register LOST
 * @errors: failed transactions, by node
 * @count: the counters
 * @dma: the DMA engine
 * @message: messages
 * @held: the access of a processor that is held back
 * @dma_held: the block of the DMA engine that is held back
 * @last_ns: time stamp of the last frame
 * @latency: latency of accesses to other nodes
 * @done_ns: when the response of the last issued transaction arrives
 * @transaction: id of the next transaction
 * @turn: the node whose inbox is read first
 */
struct adapter {
	const struct adapter_ops *ops;
	void *opaque;
	uint32_t node;
	uint32_t window_pages;
	uint32_t *map;
	struct link_region *own;
	struct adapter_peer peer[ADAPTER_NODES];
	bool fabric;
	uint32_t control;
	uint32_t bad_write;
	uint32_t timeout_ms;
	uint32_t timeout_reset_ms;
	uint32_t map_window;
	uint32_t map_node;
	uint32_t map_remote;
	uint32_t map_count;
	uint32_t export_page;
	uint32_t export_count;
	uint64_t revoking;
	uint32_t epoch[ADAPTER_NODES];
	uint32_t stopped_epoch[ADAPTER_NODES];
	uint32_t int_status;
	uint32_t int_enable;
	uint32_t int_level;
	uint32_t latch;
	uint32_t incarnation;
	uint64_t reachable;
	uint64_t losing;
	uint64_t lost;
	struct adapter_errors errors[ADAPTER_NODES];
	struct adapter_counts count;
	struct adapter_dma dma;
	struct adapter_messages message;
	struct adapter_held held;
	struct adapter_held dma_held;
	uint64_t last_ns;
	struct adapter_latency latency;
	uint64_t done_ns;
	uint32_t transaction;
	uint32_t turn;
};

/**
 * struct adapter_setup - The parts of an adapter; all of them owned by the caller.
 * @node: this node's id, below ADAPTER_NODES
 * @region: this node's region, after link_init()
 * @memory: this node's memory, with the size that the region gives
 * @map: translation of the window; shape [@window_pages]
 * @window_pages: a power of two
 * @timeout_ms: reset value of TIMEOUT, 1 to ADAPTER_TIMEOUT_MS_MAX
 * @latency: modelled latency; all zero: none
 * @ops: call-backs, kept by reference
 * @opaque: first argument of @ops
 */
struct adapter_setup {
	uint32_t node;
	struct link_region *region;
	uint8_t *memory;
	uint32_t *map;
	uint32_t window_pages;
	uint32_t timeout_ms;
	struct adapter_latency latency;
	const struct adapter_ops *ops;
	void *opaque;
};

/**
 * adapter_init() - Power on: every register has its reset value, and the adapter is connected to no
 * fabric.
 */
void adapter_init(struct adapter *adapter, const struct adapter_setup *setup);

/**
 * adapter_reset() - Bus reset.
 *
 * Attached nodes stay; pages are no longer exported, and unread messages are lost.
 */
void adapter_reset(struct adapter *adapter);

/**
 * adapter_fabric() - This node has been connected to a fabric, or has lost the connection.
 */
void adapter_fabric(struct adapter *adapter, bool up);

/**
 * adapter_attach() - A node has joined.
 * @region: its region, mapped until adapter_detach()
 * @region_bytes: number of bytes that are mapped
 * @memory: its memory, mapped until adapter_detach()
 * @memory_bytes: number of bytes that are mapped
 *
 * All entries that an earlier node with this id left in this node's inbox must have been taken:
 * adapter_drained().
 *
 * Return: NULL; or the error in the region, a constant string; then nothing has changed.
 */
const char *adapter_attach(struct adapter *adapter, uint32_t node, struct link_region *region,
			   size_t region_bytes, uint8_t *memory, uint64_t memory_bytes);

/**
 * adapter_detach() - A node has left. Transactions that it has issued stay in the inbox and are
 * delivered.
 */
void adapter_detach(struct adapter *adapter, uint32_t node);

/**
 * adapter_drained() - Has everything that @node has issued been taken?
 */
bool adapter_drained(const struct adapter *adapter, uint32_t node);

/**
 * adapter_load() - A processor of this node reads from the window.
 * @offset: byte offset in the window
 * @bytes: 1 to 8
 * @value: what was read, little-endian; all ones if the transaction failed
 *
 * Return: true if it is done; false if the link is held back: then nothing has happened; call again
 * after adapter_work() or after a read of the node's monitor. It fails instead if the other node
 * has not read its inboxes for TIMEOUT. With a modelled latency, the processor must wait until
 * @done_ns of the adapter.
 */
bool adapter_load(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t *value);

/**
 * adapter_store() - A processor of this node writes to the window.
 *
 * Return: see adapter_load(). A failed store changes nothing.
 */
bool adapter_store(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t value);

/**
 * adapter_give_up() - An access that was held back cannot be repeated: let it fail, as after
 * TIMEOUT.
 */
void adapter_give_up(struct adapter *adapter, uint64_t offset);

/**
 * adapter_work() - Take the transactions that other nodes have issued, and continue DMA.
 *
 * Call it after @ring, and whenever there may be room again; also every few milliseconds while an
 * inbox is not empty, so that other nodes see that this one has not stopped.
 *
 * Return: true if there is more work to do immediately.
 */
bool adapter_work(struct adapter *adapter);

/**
 * adapter_catch_up() - Pass the frames of all accesses that this node's processors can have seen.
 *
 * Other nodes access this node's memory themselves, and the frames of an access pass here a little
 * later. After this call, the frames of each access that a processor has seen before have passed,
 * as far as @room allows. If a node's process has stopped in the middle of an access, the call
 * waits for it once, for TIMEOUT.
 */
void adapter_catch_up(struct adapter *adapter);

/**
 * adapter_rest() - May this node wait until it is rung?
 *
 * Return: true: from now on, a node that issues a transaction for this one calls @ring. False:
 * something has arrived since; call adapter_work() again.
 */
bool adapter_rest(struct adapter *adapter);

/**
 * adapter_mmio_read() - The host reads a register.
 * @offset: ADAPTER_REG_*; a multiple of 4
 */
uint32_t adapter_mmio_read(struct adapter *adapter, uint32_t offset);

/**
 * adapter_mmio_write() - The host writes a register.
 *
 * An impossible value is refused: only STATUS.BAD_WRITE is set. adapter_work() must be called
 * afterwards.
 */
void adapter_mmio_write(struct adapter *adapter, uint32_t offset, uint32_t value);

#endif /* EMU_ADAPTER_ADAPTER_H */
