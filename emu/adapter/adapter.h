/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter: the interface between the model and its environment.
 *
 * What lives here: the complete state of an adapter, and the functions that drive it. The
 * environment (a QEMU device or a test) owns the memory, and attaches and detaches the other nodes.
 * For every frame on this node's B-Link, the adapter calls a function of the environment. The
 * adapter does no I/O and allocates no memory. Its only clock is @now of struct adapter_ops. May
 * use include/, link.h and C11's <stdatomic.h>, <stdbool.h>, <stddef.h>, <stdint.h>, <string.h>.
 * docs/adapter.md is the datasheet.
 *
 * For each adapter, only one thread may call these functions at a time. The adapters of a fabric
 * run concurrently, each in its own process. They communicate through their regions (link.h).
 */
#ifndef EMU_ADAPTER_ADAPTER_H
#define EMU_ADAPTER_ADAPTER_H

#include "emu/adapter/link.h"

/**
 * struct adapter_ops - Functions of the environment, which the adapter calls.
 * @room: check whether this node's B-Link can carry a request and its response without a loss at
 *        the node's monitor. If it cannot, the adapter holds the transactions back. NULL: there is
 *        always room
 * @blink: a frame passes on this node's B-Link at @time_ns, which is never before the time of the
 *         previous frame
 * @interrupt: the interrupt line has changed to @level; may be NULL
 * @ring: make @node call adapter_work(), because @node rests and something has arrived for it; may
 *        be NULL
 * @now: get the present time in ns; all nodes have the same clock
 *
 * The adapter calls these functions only from within the functions below. They must not call the
 * adapter.
 */
struct adapter_ops {
	bool (*room)(void *opaque);
	void (*blink)(void *opaque, const void *frame, size_t bytes, uint64_t time_ns);
	void (*interrupt)(void *opaque, bool level);
	void (*ring)(void *opaque, uint32_t node);
	uint64_t (*now)(void *opaque);
};

/**
 * struct adapter_peer - What this node knows about a node of the fabric, including itself.
 * @region: region of the peer; NULL: the peer is not attached
 * @memory: shared memory of the peer
 * @exports: table of the peer's exported pages
 * @entries: entries of this node's inbox in the peer's region
 * @memory_bytes: size of @memory, as the peer's region states it
 * @incoming: number of @entries
 * @tail: number of entries that this node has written into its inbox in the peer's region
 * @seen_head: head of this inbox when it was last read. The inbox may now have more room than this
 *             value shows
 * @incarnation: value of @enabled in the peer's region when it was last read; 0: the peer did not
 *               answer
 * @stopped: the peer has not read its inboxes for TIMEOUT. Until the peer reads its inboxes again,
 *           a transaction to the peer fails immediately if the inbox is full
 * @stopped_looks: value of @looks in the peer's region when @stopped was set
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
 * struct adapter_held - The state of a transaction that the link holds back.
 * @last_ns: time of the last try; 0: no transaction is held
 * @waited_ns: time for which the transaction has waited for a node that does not read its inbox
 * @looks: value of @looks in that node's region at the last try
 */
struct adapter_held {
	uint64_t last_ns;
	uint64_t waited_ns;
	uint32_t looks;
};

/**
 * struct adapter_errors - Failed transactions with a node.
 * @count: number of failed transactions, modulo 2^32
 * @why: reason of the last failure: ADAPTER_ERROR_*
 */
struct adapter_errors {
	uint32_t count;
	uint32_t why;
};

/**
 * struct adapter_latency - The modelled time in ns from the request to the response of a
 * processor's access to another node.
 *
 * All nodes must use the same values, and the values of a pair of nodes must be equal in both
 * directions. Each node itself computes the time stamps of the responses on its B-Link.
 *
 * @read_ns: latency of loads
 * @write_ns: latency of stores
 * @lock_ns: latency of locks
 * @far_ns: for each other node, a time that is added to @read_ns and @write_ns
 * @far_lock_ns: for each other node, a time that is added to @lock_ns
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
 * struct adapter_dma - The state of the DMA engine.
 * @local, @node, @remote, @bytes: registers of the DMA engine
 * @command: command of the current transfer; 0: there is none
 * @status: result of the last transfer: ADAPTER_ERROR_*
 * @done: number of bytes of the transfer that were moved
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
 * struct adapter_messages - Messages that this node sends and receives.
 * @node, @bytes, @status: registers of the message to send
 * @data: bytes of the message to send
 * @from: a ring of the senders of messages that can be read, in the order of arrival
 * @first: index in @from of the message to read next
 * @count: number of messages that can be read
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

/*
 * An entry of the window's map. It shows whether a page is mapped, and to which page of which node.
 */
#define MAP_VALID 0x80000000U
#define MAP_LOCK 0x40000000U
#define MAP_NODE 0x03f00000U
#define MAP_PAGE 0x000fffffU

/**
 * struct adapter - The complete state of an adapter.
 * @ops: functions of the environment
 * @opaque: first argument of these functions
 * @node: id of this node
 * @window_pages: number of entries of @map
 * @map: map of the window, in memory of the environment
 * @own: region of this node
 * @peer: all nodes of the fabric, including this one
 * @fabric: the adapter is connected to a fabric
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
 * @revoking: bit n is set if node n may still access a page that was withdrawn
 * @epoch: for each node, its epoch when a page was last withdrawn
 * @stopped_epoch: for each node, the epoch of an access that did not end within TIMEOUT; 0: none
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line that was last reported to the environment
 * @latch: high half of the 64-bit counter that was read last
 * @incarnation: number of times that this node has been enabled
 * @reachable: bit n is set if node n answered when its region was last read
 * @losing: bit n is set if node n has stopped answering, and the adapter has not set its bit in
 *          LOST yet
 * @lost: register LOST
 * @errors: failed transactions with each node
 * @count: the 64-bit counters
 * @dma: the DMA engine
 * @message: messages that are sent and received
 * @held: state of a processor's access that is held back
 * @dma_held: state of the DMA engine's block that is held back
 * @last_ns: time stamp of the last frame
 * @latency: latency of accesses to other nodes
 * @done_ns: time at which the response of the last transaction that was issued arrives
 * @transaction: id of the next transaction
 * @turn: the node whose inbox is read first the next time
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
 * struct adapter_setup - The parameters of an adapter. The caller owns all memory.
 * @node: id of this node, below ADAPTER_NODES
 * @region: region of this node, already initialised by link_init()
 * @memory: shared memory of this node, of the size that the region states
 * @map: memory for the map of the window; shape [@window_pages]
 * @window_pages: number of pages of the window, a power of two
 * @timeout_ms: reset value of TIMEOUT, 1 to ADAPTER_TIMEOUT_MS_MAX
 * @latency: modelled latency; if all members are 0, no latency
 * @ops: functions of the environment; they must exist as long as the adapter
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
 * adapter_init() - Power on the adapter. Every register has its reset value, and the adapter is not
 * connected to a fabric.
 */
void adapter_init(struct adapter *adapter, const struct adapter_setup *setup);

/**
 * adapter_reset() - Handle a reset by the bus.
 *
 * The other nodes stay attached. No page is exported any longer, and unread messages are lost.
 */
void adapter_reset(struct adapter *adapter);

/**
 * adapter_fabric() - Report that this node is now connected to a fabric, or that it has lost the
 * connection.
 */
void adapter_fabric(struct adapter *adapter, bool up);

/**
 * adapter_attach() - Attach a node that has joined the fabric.
 * @region: region of the node; it must stay mapped until adapter_detach()
 * @region_bytes: number of bytes of the region that are mapped
 * @memory: shared memory of the node; it must stay mapped until adapter_detach()
 * @memory_bytes: number of bytes of the memory that are mapped
 *
 * If an earlier node with this id has left entries in its inbox of this node, all of them must have
 * been taken before: see adapter_drained().
 *
 * Return: NULL if the node was attached; an error text, which is a constant string, if the region
 *         is invalid. After an error, nothing has changed.
 */
const char *adapter_attach(struct adapter *adapter, uint32_t node, struct link_region *region,
			   size_t region_bytes, uint8_t *memory, uint64_t memory_bytes);

/**
 * adapter_detach() - Detach a node that has left the fabric. Transactions that the node has issued
 * are still in its inbox and will be delivered.
 */
void adapter_detach(struct adapter *adapter, uint32_t node);

/**
 * adapter_drained() - Check whether this node has taken all entries that @node has written.
 */
bool adapter_drained(const struct adapter *adapter, uint32_t node);

/**
 * adapter_load() - Let a processor of this node read from the window.
 * @offset: byte offset in the window
 * @bytes: number of bytes to read, 1 to 8
 * @value: receives the bytes, little-endian; all ones if the transaction has failed
 *
 * Return: true if the access has ended; false if the link holds the access back. An access that is
 *         held back has had no effect: repeat the call after adapter_work(), or after the driver
 *         has read this node's monitor. If the other node has not read its inboxes for TIMEOUT, the
 *         access fails. With a modelled latency, the processor must then wait until the time in
 *         adapter.done_ns.
 */
bool adapter_load(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t *value);

/**
 * adapter_store() - Let a processor of this node write to the window.
 *
 * Return: as adapter_load(). A store that fails changes nothing.
 */
bool adapter_store(struct adapter *adapter, uint64_t offset, uint32_t bytes, uint64_t value);

/**
 * End an access with an error: the link holds the access back, and the caller cannot repeat it. The
 * access fails in the same way as after TIMEOUT.
 */
void adapter_give_up(struct adapter *adapter, uint64_t offset);

/**
 * adapter_work() - Take the transactions that other nodes have issued, and continue the DMA
 * transfer.
 *
 * Call this function after another node has called @ring of struct adapter_ops for this node, and
 * whenever there may be room again. While an inbox is not empty, also call it every few
 * milliseconds, so that other nodes see that this node has not stopped.
 *
 * Return: true if there is more work to do immediately.
 */
bool adapter_work(struct adapter *adapter);

/**
 * adapter_catch_up() - Pass the frames of all accesses whose effects the processors of this node
 * may have seen.
 *
 * Other nodes access this node's memory directly. The frames of such an access pass on this node's
 * B-Link a little later. This function passes the frames of each access whose effect a processor
 * may already have seen, as far as @room permits. If the process of a node has stopped during an
 * access, this function waits once for the end of the access, for at most TIMEOUT.
 */
void adapter_catch_up(struct adapter *adapter);

/**
 * adapter_rest() - Check whether this node may rest until another node rings it.
 *
 * Return: true if this node may rest; false if something has arrived since the last call of
 *         adapter_work(). If the result is true, a node that issues a transaction for this node
 *         calls @ring from now on. If it is false, call adapter_work() again.
 */
bool adapter_rest(struct adapter *adapter);

/**
 * adapter_mmio_read() - Read a register for the host.
 * @offset: ADAPTER_REG_*; a multiple of 4
 */
uint32_t adapter_mmio_read(struct adapter *adapter, uint32_t offset);

/**
 * adapter_mmio_write() - Write a register for the host.
 *
 * If a register cannot have the value, the adapter rejects the write and only sets
 * STATUS.BAD_WRITE. After each write, the caller must call adapter_work().
 */
void adapter_mmio_write(struct adapter *adapter, uint32_t offset, uint32_t value);

#endif /* EMU_ADAPTER_ADAPTER_H */
