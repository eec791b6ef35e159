/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Transactions: their path from the issuing node to the B-Links of both nodes.
 *
 * What lives here: the check whether a transaction may begin, its entry in the inbox of the other
 * node, and its frames. The issuing node carries out a transaction itself, in the memory that the
 * owner shares. The entry in the owner's inbox then lets the frames pass on the owner's B-Link. A
 * read therefore returns its data within the access, and a stopped node delays another node for at
 * most TIMEOUT. A monitor without room delays its own node, and the nodes that access this node,
 * until it has room again.
 */
#include <base/field.h>

#include "emu/adapter/adapter_inside.h"

/* The number of entries that are taken from one sender before the entries of the next sender. */
#define RECEIVE_AT_ONCE 64U

/*
 * The longest time between two tries that counts towards TIMEOUT. If this host is suspended, so is
 * the other node, and the other node has had no time to read its inboxes.
 */
#define HELD_STEP_NS 1000000ULL

static bool local(const struct adapter *adapter, uint32_t node)
{
	return node == adapter->node;
}

/* ---- the frames ---- */

#define FRAME_WORDS BLINK_WORDS_MAX

/* The properties of a transaction that its frames contain. */
struct passage {
	uint64_t time_ns;
	uint64_t address; /* address on the B-Link */
	uint32_t source;
	uint32_t target;
	uint32_t command;
	uint32_t transaction;
	const void *data;
};

static uint64_t bd1_of(const struct passage *passage, uint32_t command, bool response)
{
	uint64_t source = response ? passage->target : passage->source;
	uint64_t target = response ? passage->source : passage->target;

	return SMILE_PUT(BLINK_BD1_SOURCE, source) | SMILE_PUT(BLINK_BD1_TARGET, target) |
	       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
	       SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)passage->transaction);
}

/* Pass a frame: BD1, BD2, @bytes of payload, and the trailer word, which is 0. */
static void pass(struct adapter *adapter, const struct passage *passage, uint64_t bd1, uint64_t bd2,
		 uint32_t bytes)
{
	uint64_t frame[FRAME_WORDS];
	uint32_t words = 2 + bytes / BLINK_WORD_BYTES;

	frame[0] = bd1;
	frame[1] = bd2 | SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)passage->transaction);
	memcpy(frame + 2, passage->data, bytes);
	frame[words++] = 0;
	adapter->ops->blink(adapter->opaque, frame, words * BLINK_WORD_BYTES, passage->time_ns);
}

/*
 * The payloads of a command's request and response, and the command of its response. The function
 * returns false if adapters do not issue the command.
 */
struct carried {
	uint32_t request_bytes;
	uint32_t response; /* command of the response; 0: there is no response */
	uint32_t response_bytes;
};

static bool carried_by(uint32_t command, struct carried *carried)
{
	static const struct carried block[] = {
		[BLINK_NREAD64 - BLINK_NREAD64] = {0, BLINK_RESPONSE64, 64},
		[BLINK_NREAD256 - BLINK_NREAD64] = {0, BLINK_RESPONSE256, 256},
		[BLINK_NWRITE16 - BLINK_NREAD64] = {16, BLINK_RESPONSE00, 0},
		[BLINK_NWRITE64 - BLINK_NREAD64] = {64, BLINK_RESPONSE00, 0},
		[BLINK_NWRITE256 - BLINK_NREAD64] = {256, BLINK_RESPONSE00, 0},
		[BLINK_DMOVE16 - BLINK_NREAD64] = {16, 0, 0},
		[BLINK_DMOVE64 - BLINK_NREAD64] = {64, 0, 0},
		[BLINK_DMOVE256 - BLINK_NREAD64] = {256, 0, 0},
	};

	if (command < BLINK_WRITESB)
		*carried = (struct carried){0, BLINK_RESPONSE16, 16};
	else if (command < BLINK_LOCKSB)
		*carried = (struct carried){16, BLINK_RESPONSE00, 0};
	else if (command < BLINK_LOCKSB + BLOCK_BYTES)
		*carried = (struct carried){16, BLINK_RESPONSE16, 16};
	else if (command - BLINK_NREAD64 < sizeof(block) / sizeof(block[0]))
		*carried = block[command - BLINK_NREAD64];
	else
		return false;
	return true;
}

/*
 * Get the modelled time from the request to the response of a processor's access to another node.
 */
static uint32_t latency_ns(const struct adapter *adapter, const struct passage *passage)
{
	const struct adapter_latency *latency = &adapter->latency;
	uint32_t other = passage->source == adapter->node ? passage->target : passage->source;

	if (passage->source == passage->target || passage->command >= BLINK_LOCKSB + BLOCK_BYTES)
		return 0;
	if (passage->command >= BLINK_LOCKSB)
		return latency->lock_ns + latency->far_lock_ns[other];
	return (passage->command >= BLINK_WRITESB ? latency->write_ns : latency->read_ns) +
	       latency->far_ns[other];
}

/* Set the time stamp of a frame. Time stamps must not decrease. */
static void stamp(struct adapter *adapter, struct passage *passage, uint64_t time_ns)
{
	if (adapter->last_ns < time_ns)
		adapter->last_ns = time_ns;
	passage->time_ns = adapter->last_ns;
}

/*
 * Pass a request and its response on this node's B-Link. If the B-Link has already passed a frame
 * with a later time stamp, the request gets that time stamp. But the time stamp of the response is
 * not delayed. Otherwise the time stamps of a busy link would run ahead of the clock.
 */
static void pass_both(struct adapter *adapter, struct passage *passage,
		      const struct carried *carried)
{
	struct passage response = *passage;

	stamp(adapter, passage, passage->time_ns);
	pass(adapter, passage, bd1_of(passage, passage->command, false), passage->address,
	     carried->request_bytes);
	if (!carried->response)
		return;
	stamp(adapter, &response, response.time_ns + latency_ns(adapter, passage));
	pass(adapter, &response, bd1_of(passage, carried->response, true), 0,
	     carried->response_bytes);
}

/* Convert an address in a node's memory to its address on the B-Link, where each node has 4 GB. */
static uint64_t blink_address(uint32_t node, uint64_t address)
{
	return (uint64_t)node << 32 | address;
}

/* ---- issuing ---- */

void transaction_fail(struct adapter *adapter, uint32_t node, uint32_t why)
{
	struct adapter_errors *errors = &adapter->errors[node % ADAPTER_NODES];

	errors->count++;
	errors->why = why;
	adapter->count.failed++;
	adapter_raise(adapter, ADAPTER_INT_ERROR);
}

static enum begun failed(struct adapter *adapter, uint32_t node, uint32_t why,
			 struct adapter_held *held)
{
	held->last_ns = 0;
	transaction_fail(adapter, node, why);
	return BEGUN_FAILED;
}

/*
 * Hold the link back. Return: the time since the last try in ns, as far as it counts towards
 * TIMEOUT; 0 at the first try.
 */
static uint64_t hold(struct adapter *adapter, struct adapter_held *held)
{
	uint64_t now = adapter->ops->now(adapter->opaque);
	uint64_t since = held->last_ns ? now - held->last_ns : 0;

	if (!held->last_ns) {
		held->waited_ns = 0;
		adapter->count.held++;
	}
	held->last_ns = now ? now : 1;
	return since < HELD_STEP_NS ? since : HELD_STEP_NS;
}

/*
 * Hold back a transaction because this node's monitor has no room. There is no time-out, since only
 * this node's own driver can make room.
 */
static enum begun held_here(struct adapter *adapter, struct adapter_held *held)
{
	hold(adapter, held);
	held->waited_ns = 0;
	return BEGUN_HELD;
}

/*
 * Hold back a transaction because this node's inbox at @node has no room. There is no time-out
 * while @node reads its inboxes.
 */
static enum begun held_there(struct adapter *adapter, uint32_t node, struct adapter_held *held)
{
	struct adapter_peer *peer = &adapter->peer[node];
	uint32_t looks = atomic_load_explicit(&peer->region->looks, memory_order_relaxed);
	uint64_t waited;

	if (peer->stopped && peer->stopped_looks == looks)
		return failed(adapter, node, ADAPTER_ERROR_TIMEOUT, held);
	peer->stopped = false;
	waited = hold(adapter, held);
	if (held->looks != looks)
		held->waited_ns = 0;
	else
		held->waited_ns += waited;
	held->looks = looks;
	if (held->waited_ns < adapter->timeout_ms * 1000000ULL)
		return BEGUN_HELD;
	peer->stopped = true;
	peer->stopped_looks = looks;
	return failed(adapter, node, ADAPTER_ERROR_TIMEOUT, held);
}

bool transaction_room(struct adapter *adapter, struct adapter_peer *peer, uint32_t count)
{
	struct link_inbox *inbox = &peer->region->inbox[adapter->node];

	if (peer->incoming - (peer->tail - peer->seen_head) >= count)
		return true;
	peer->seen_head = atomic_load_explicit(&inbox->head, memory_order_acquire);
	/* If the head is ahead of the tail, the inbox is invalid and counts as full. */
	return peer->tail - peer->seen_head <= peer->incoming &&
	       peer->incoming - (peer->tail - peer->seen_head) >= count;
}

void transaction_end(struct adapter *adapter, uint32_t node)
{
	struct link_inbox *inbox = &adapter->peer[node].region->inbox[adapter->node];
	uint32_t epoch = atomic_load_explicit(&inbox->epoch, memory_order_relaxed);

	atomic_store_explicit(&inbox->epoch, epoch + 1, memory_order_release);
}

/* If the owner exports the page, begin an access to its memory. */
static bool enter(struct adapter *adapter, uint32_t node, uint64_t address)
{
	struct adapter_peer *peer = &adapter->peer[node];
	struct link_inbox *inbox = &peer->region->inbox[adapter->node];
	uint32_t epoch = atomic_load_explicit(&inbox->epoch, memory_order_relaxed);

	/*
	 * Make the epoch odd before reading the table. Otherwise the owner could withdraw the page
	 * in between and find that no access is running, although this node then accesses the page.
	 */
	atomic_store_explicit(&inbox->epoch, epoch + 1, memory_order_seq_cst);
	if (atomic_load_explicit(&peer->exports[address / ADAPTER_PAGE_BYTES],
				 memory_order_seq_cst))
		return true;
	transaction_end(adapter, node);
	return false;
}

enum begun transaction_begin(struct adapter *adapter, uint32_t node, uint64_t address,
			     uint32_t bytes, uint32_t count, struct adapter_held *held)
{
	struct adapter_peer *peer = &adapter->peer[node];

	if (!(adapter->control & ADAPTER_CONTROL_ENABLE) || !adapter->fabric)
		return failed(adapter, node, ADAPTER_ERROR_DISABLED, held);
	if (!adapter_answers(adapter, node))
		return failed(adapter, node, ADAPTER_ERROR_NODE, held);
	if (address >= peer->memory_bytes || bytes > peer->memory_bytes - address)
		return failed(adapter, node, ADAPTER_ERROR_RANGE, held);
	if (!local(adapter, node) && !transaction_room(adapter, peer, count))
		return held_there(adapter, node, held);
	if (adapter->ops->room && !adapter->ops->room(adapter->opaque))
		return held_here(adapter, held);
	if (!enter(adapter, node, address))
		return failed(adapter, node, ADAPTER_ERROR_EXPORT, held);
	held->last_ns = 0;
	return BEGUN;
}

/* Write an entry into this node's inbox at the target node. There must be room. */
static void push(struct adapter *adapter, uint32_t node, const struct passage *passage,
		 uint64_t address, bool short_data)
{
	struct adapter_peer *peer = &adapter->peer[node];
	struct link_inbox *inbox = &peer->region->inbox[adapter->node];
	struct link_entry *entry = &peer->entries[peer->tail % peer->incoming];

	entry->time_ns = passage->time_ns;
	entry->address = address;
	entry->command = passage->command;
	entry->transaction = passage->transaction;
	if (short_data)
		memcpy(entry->data, passage->data, sizeof(entry->data));
	peer->tail++;
	/*
	 * Write the entry before the tail. Otherwise the owner of the inbox could read an old
	 * entry.
	 */
	atomic_store_explicit(&inbox->tail, peer->tail, memory_order_release);
	adapter_ring(adapter, node);
}

void transaction_issue(struct adapter *adapter, uint32_t node, uint64_t address, uint32_t command,
		       const void *data)
{
	struct carried carried;
	struct passage passage = {
		.time_ns = adapter->ops->now(adapter->opaque),
		.address = blink_address(node, address),
		.source = adapter->node,
		.target = node,
		.command = command,
		.transaction = adapter->transaction++ % BLINK_TRANSACTIONS,
		.data = data,
	};

	carried_by(command, &carried);
	adapter->done_ns = passage.time_ns + latency_ns(adapter, &passage);
	pass_both(adapter, &passage, &carried);
	if (!local(adapter, node))
		push(adapter, node, &passage, address,
		     carried.request_bytes <= BLOCK_BYTES && carried.response_bytes <= BLOCK_BYTES);
}

/* ---- receiving ---- */

/* Get the number of bytes of memory that the frames of a transaction contain. */
static uint32_t shown_bytes(const struct carried *carried)
{
	return carried->request_bytes > carried->response_bytes ? carried->request_bytes
								: carried->response_bytes;
}

/*
 * Get the data for the frames of @entry. Data within a 16-byte block is in the entry; a larger
 * block is read from the memory.
 */
static const void *moved(struct adapter *adapter, const struct link_entry *entry,
			 const struct carried *carried)
{
	static const uint8_t nothing[ADAPTER_MESSAGE_BYTES];

	if (entry->address == LINK_MESSAGE)
		return nothing;
	if (shown_bytes(carried) <= BLOCK_BYTES)
		return entry->data;
	return adapter->peer[adapter->node].memory + entry->address;
}

/* Check whether a correct adapter can have written this entry. */
static bool sound(const struct adapter *adapter, const struct link_entry *entry,
		  struct carried *carried)
{
	uint64_t bytes = adapter->peer[adapter->node].memory_bytes;

	if (!carried_by(entry->command, carried) || entry->transaction >= BLINK_TRANSACTIONS)
		return false;
	if (entry->address == LINK_MESSAGE)
		return entry->command >= BLINK_DMOVE16;
	if (entry->address >= bytes)
		return false;
	return shown_bytes(carried) <= BLOCK_BYTES ||
	       shown_bytes(carried) <= bytes - entry->address;
}

static void receive(struct adapter *adapter, uint32_t sender, const struct link_entry *entry)
{
	struct carried carried;
	struct passage passage;
	uint64_t now = adapter->ops->now(adapter->opaque);

	adapter->count.received++;
	if (!sound(adapter, entry, &carried) ||
	    (entry->address == LINK_MESSAGE && !message_arrive(adapter, sender))) {
		adapter->count.refused++;
		return;
	}
	passage = (struct passage){
		/*
		 * Limit the time stamp to the present time. A time stamp in the future would delay
		 * all later time stamps.
		 */
		.time_ns = entry->time_ns < now ? entry->time_ns : now,
		.address = blink_address(adapter->node, entry->address),
		.source = sender,
		.target = adapter->node,
		.command = entry->command,
		.transaction = entry->transaction,
		.data = moved(adapter, entry, &carried),
	};
	pass_both(adapter, &passage, &carried);
}

/*
 * Take at most @most entries of a sender. Return: true if the sender has more entries for which
 * there is room.
 */
static bool receive_from(struct adapter *adapter, uint32_t sender, uint32_t most)
{
	struct link_region *own = adapter->own;
	struct link_inbox *inbox = &own->inbox[sender];
	struct adapter_peer *self = &adapter->peer[adapter->node];
	const struct link_entry *entries;
	struct link_entry entry;
	uint32_t head = atomic_load_explicit(&inbox->head, memory_order_relaxed);
	uint32_t tail = atomic_load_explicit(&inbox->tail, memory_order_acquire);
	uint32_t done;

	if (head == tail)
		return false;
	if (tail - head > self->incoming) {
		/*
		 * A correct adapter never writes more entries than the inbox has room for. Use none
		 * of these entries.
		 */
		adapter->count.refused++;
		atomic_store_explicit(&inbox->head, tail, memory_order_release);
		return false;
	}
	entries = link_entries(own, (uint32_t)(self->memory_bytes / ADAPTER_PAGE_BYTES),
			       self->incoming, sender);
	for (done = 0; head != tail && done < most; done++) {
		if (adapter->ops->room && !adapter->ops->room(adapter->opaque))
			break;
		/* Copy the entry, since the sender may overwrite it. */
		memcpy(&entry, &entries[head % self->incoming], sizeof(entry));
		receive(adapter, sender, &entry);
		head++;
	}
	atomic_store_explicit(&inbox->head, head, memory_order_release);
	return head != tail && done == most;
}

bool transaction_receive(struct adapter *adapter)
{
	bool more = false;
	uint32_t i;

	for (i = 0; i < ADAPTER_NODES; i++)
		more |= receive_from(adapter, (adapter->turn + i) % ADAPTER_NODES, RECEIVE_AT_ONCE);
	adapter->turn = (adapter->turn + 1) % ADAPTER_NODES;
	return more;
}

/*
 * If @sender is accessing this node's memory, wait for the end of the access: the entry of the
 * access is written after its effect is visible. The access ends soon, unless the sender's process
 * has stopped during it.
 */
static void access_wait(struct adapter *adapter, uint32_t sender)
{
	struct link_inbox *inbox = &adapter->own->inbox[sender];
	uint32_t epoch = atomic_load_explicit(&inbox->epoch, memory_order_seq_cst);
	uint64_t start;

	if (!(epoch & 1) || epoch == adapter->stopped_epoch[sender])
		return;
	start = adapter->ops->now(adapter->opaque);
	while (atomic_load_explicit(&inbox->epoch, memory_order_acquire) == epoch) {
		if (adapter->ops->now(adapter->opaque) - start < adapter->timeout_ms * 1000000ULL)
			continue;
		adapter->stopped_epoch[sender] = epoch;
		return;
	}
}

void transaction_catch_up(struct adapter *adapter)
{
	uint32_t sender;

	for (sender = 0; sender < ADAPTER_NODES; sender++) {
		struct link_inbox *inbox = &adapter->own->inbox[sender];
		uint32_t head = atomic_load_explicit(&inbox->head, memory_order_relaxed);

		if (sender != adapter->node && adapter->peer[sender].region)
			access_wait(adapter, sender);
		/*
		 * Take only the entries up to this tail. If the node continued to access this
		 * memory, the loop might otherwise never end.
		 */
		receive_from(adapter, sender,
			     atomic_load_explicit(&inbox->tail, memory_order_acquire) - head);
	}
}
