// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages between the drivers of two nodes.
 *
 * What lives here: sending, requests that wait for a reply, and the handling of received messages.
 * Messages of other nodes are not trusted: lengths are checked, and a message that names no object
 * of this node is ignored. May use: segment.c, connection.c, interrupt.c.
 */
#include <linux/random.h>
#include <linux/slab.h>

#include "smile_adapter.h"

/* A node that answers at all answers sooner, even on a loaded host. */
#define ASK_TIMEOUT (10 * HZ)
#define QUEUED_MAX 256 /* for one node; triggers leave half of it to answers */

/**
 * struct outgoing - A message that waits for room at its receiver.
 * @list: in the adapter's outgoing messages, in order
 * @node: the receiver
 * @message: the message
 */
struct outgoing {
	struct list_head list;
	u32 node;
	struct message message;
};

/**
 * struct request - A request that waits for its reply.
 * @list: in the adapter's requests, until @done
 * @node: the node that answers
 * @message: the request, then the reply
 * @done: there is a reply, or none will come
 * @status: of the reply; or a negative errno: there is none
 */
struct request {
	struct list_head list;
	u32 node;
	struct message *message;
	struct completion done;
	int status;
};

/* ---- sending: under lock ---- */

/* Bytes of @message that are sent. */
static u32 message_bytes(const struct message *message)
{
	u32 data = message->kind == MESSAGE_TRIGGER ? message->bytes : 0;

	return offsetof(struct message, data) + data;
}

/* Return: ADAPTER_ERROR_*. */
static u32 message_post(struct adapter *adapter, u32 node, const struct message *message)
{
	u32 bytes = message_bytes(message), status, word, i;

	for (i = 0; i < bytes; i += 4) {
		memcpy(&word, (const u8 *)message + i, sizeof(word));
		adapter_write(adapter, ADAPTER_REG_SEND_DATA + i, word);
	}
	adapter_write(adapter, ADAPTER_REG_SEND_NODE, node);
	adapter_write(adapter, ADAPTER_REG_SEND_BYTES, bytes);
	adapter_write(adapter, ADAPTER_REG_SEND_COMMAND, 1);
	status = adapter_read(adapter, ADAPTER_REG_SEND_STATUS);
	/* A node that is not there is no access of a program's that has failed. */
	if (status != ADAPTER_ERROR_NONE && status != ADAPTER_ERROR_BUSY &&
	    status != ADAPTER_ABSENT)
		adapter_failed_message(adapter, node);
	return status;
}

static u32 queued_for(struct adapter *adapter, u32 node)
{
	struct outgoing *outgoing;
	u32 count = 0;

	list_for_each_entry(outgoing, &adapter->outgoing, list)
		count += outgoing->node == node;
	return count;
}

/*
 * How many may be queued before this message, at most. A trigger is tried again by its program. The
 * other kinds answer the receiver: a node that sends and does not read must not fill this node's
 * memory, and loses nothing but its own answers; and a flood of triggers must not displace an
 * answer that a program waits for. All other messages must arrive; there are at most as many as this node
 * has objects.
 */
static u32 queued_max(const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_TRIGGER:
		return QUEUED_MAX / 2;
	case MESSAGE_REPLY:
	case MESSAGE_KNOWN:
	case MESSAGE_UNKNOWN:
		return QUEUED_MAX;
	default:
		return U32_MAX;
	}
}

int adapter_send(struct adapter *adapter, u32 node, struct message *message)
{
	struct outgoing *outgoing;
	u32 status = ADAPTER_ERROR_BUSY, queued;

	BUILD_BUG_ON(sizeof(struct message) > ADAPTER_MESSAGE_BYTES);
	if (adapter->gone)
		return -ENODEV;
	if (node >= ADAPTER_NODES)
		return -EHOSTUNREACH;
	message->version = MESSAGE_VERSION;
	queued = queued_for(adapter, node);
	/* Messages to one node keep their order. */
	if (!queued)
		status = message_post(adapter, node, message);
	if (!status)
		return 0;
	if (status != ADAPTER_ERROR_BUSY)
		return -EHOSTUNREACH;
	if (queued >= queued_max(message))
		return -EAGAIN;
	outgoing = kzalloc(sizeof(*outgoing), GFP_KERNEL);
	if (!outgoing)
		return -ENOMEM;
	outgoing->node = node;
	outgoing->message = *message;
	list_add_tail(&outgoing->list, &adapter->outgoing);
	schedule_delayed_work(&adapter->retry, 1);
	return 0;
}

static void message_retry(struct work_struct *work)
{
	struct adapter *adapter = container_of(to_delayed_work(work), struct adapter, retry);
	struct outgoing *outgoing, *next;
	u64 blocked = 0;

	mutex_lock(&adapter->lock);
	list_for_each_entry_safe(outgoing, next, &adapter->outgoing, list) {
		if (adapter->gone)
			break;
		if (blocked & BIT_ULL(outgoing->node))
			continue;
		if (message_post(adapter, outgoing->node, &outgoing->message) ==
		    ADAPTER_ERROR_BUSY) {
			blocked |= BIT_ULL(outgoing->node);
			continue;
		}
		list_del(&outgoing->list);
		kfree(outgoing);
	}
	if (blocked)
		schedule_delayed_work(&adapter->retry, 1);
	mutex_unlock(&adapter->lock);
}

/* ---- requests ---- */

int adapter_ask(struct adapter *adapter, u32 node, struct message *message)
{
	struct request request = {.node = node, .message = message, .status = -ETIMEDOUT};
	long left;
	int ret;

	init_completion(&request.done);
	mutex_lock(&adapter->lock);
	message->request = ++adapter->cookie;
	list_add_tail(&request.list, &adapter->requests);
	ret = adapter_send(adapter, node, message);
	mutex_unlock(&adapter->lock);
	left = ret ? 0 : wait_for_completion_killable_timeout(&request.done, ASK_TIMEOUT);
	mutex_lock(&adapter->lock);
	list_del(&request.list);
	mutex_unlock(&adapter->lock);
	if (ret)
		return ret;
	return left < 0 ? left : request.status;
}

static void request_end(struct request *request, int status)
{
	request->status = status;
	list_del_init(&request->list);
	complete(&request->done);
}

/* ---- receiving: under lock ---- */

static void reply(struct adapter *adapter, u32 node, struct message *message, int status)
{
	message->kind = MESSAGE_REPLY;
	message->status = status;
	adapter_send(adapter, node, message);
}

static void receive_connect(struct adapter *adapter, u32 node, struct message *message)
{
	struct segment *segment;
	int status = adapter_segment_connect(adapter, node, message->id, message->cookie, &segment);

	if (!status) {
		message->page = segment->memory->page;
		message->pages = segment->memory->pages;
		message->bytes = segment->bytes;
	}
	reply(adapter, node, message, status);
}

static void receive_reply(struct adapter *adapter, u32 node, struct message *message)
{
	struct message disconnect = {.kind = MESSAGE_DISCONNECT, .cookie = message->cookie};
	struct request *request, *next;

	list_for_each_entry_safe(request, next, &adapter->requests, list) {
		if (request->node != node || request->message->request != message->request)
			continue;
		/* A positive status is no error number, and would pass as success. */
		if (message->status > 0 || message->status < -MAX_ERRNO)
			message->status = -EPROTO;
		memcpy(request->message, message, offsetof(struct message, data));
		request_end(request, message->status);
		return;
	}
	/* The caller has given up: the other node must not keep the connection. */
	if (!message->status && message->cookie && queued_for(adapter, node) < QUEUED_MAX)
		adapter_send(adapter, node, &disconnect);
}

static void receive_lost(struct adapter *adapter, u32 node, struct message *message)
{
	/* Otherwise the owner reuses pages that the DMA engine of this node accesses. */
	if (adapter_connection_lost(adapter, node, message->cookie))
		return;
	message->kind = MESSAGE_KNOWN;
	adapter_send(adapter, node, message);
}

static void receive_trigger(struct adapter *adapter, u32 node, struct message *message)
{
	int status = adapter_interrupt_arrive(adapter, node, message);

	if (message->flags & SMILE_ADAPTER_INTERRUPT_DATA) {
		message->cookie = 0;
		reply(adapter, node, message, status);
		return;
	}
	if (status != -ENOENT)
		return;
	message->kind = MESSAGE_UNKNOWN;
	message->bytes = 0;
	adapter_send(adapter, node, message);
}

static void receive(struct adapter *adapter, u32 node, struct message *message)
{
	bool data = message->flags & SMILE_ADAPTER_INTERRUPT_DATA;

	switch (message->kind) {
	case MESSAGE_CONNECT:
		receive_connect(adapter, node, message);
		break;
	case MESSAGE_DISCONNECT:
	case MESSAGE_KNOWN:
		adapter_segment_disconnect(adapter, node, message->cookie);
		break;
	case MESSAGE_LOST:
		receive_lost(adapter, node, message);
		break;
	case MESSAGE_LEAVE:
		adapter_connection_leave(adapter, node, message->cookie);
		break;
	case MESSAGE_LINE:
		message->cookie = 0;
		reply(adapter, node, message,
		      adapter_interrupt_find(adapter, message->id, data) ? 0 : -ENOENT);
		break;
	case MESSAGE_TRIGGER:
		receive_trigger(adapter, node, message);
		break;
	case MESSAGE_UNKNOWN:
		adapter_interrupt_lost(adapter, node, message->id, data);
		break;
	case MESSAGE_REPLY:
		receive_reply(adapter, node, message);
		break;
	}
}

/* Is it of this version, and does it have its full length? */
static bool message_valid(const struct message *message, u32 bytes)
{
	return bytes >= offsetof(struct message, data) && message->version == MESSAGE_VERSION &&
	       (message->kind != MESSAGE_TRIGGER ||
		(message->bytes <= SMILE_ADAPTER_DATA_BYTES && message_bytes(message) <= bytes));
}

void adapter_receive(struct adapter *adapter)
{
	struct message message;
	u32 node, bytes, word, i;

	for (;;) {
		/*
		 * A node that has started again is forgotten before its first message is handled.
		 * Otherwise what the message sets up is forgotten with the rest.
		 */
		adapter_nodes(adapter);
		node = adapter_read(adapter, ADAPTER_REG_RECEIVE_NODE);
		if (node >= ADAPTER_NODES)
			return;
		bytes = min_t(u32, adapter_read(adapter, ADAPTER_REG_RECEIVE_BYTES),
			      sizeof(message));
		memset(&message, 0, sizeof(message));
		for (i = 0; i + sizeof(word) <= round_up(bytes, 4) && i < sizeof(message); i += 4) {
			word = adapter_read(adapter, ADAPTER_REG_RECEIVE_DATA + i);
			memcpy((u8 *)&message + i, &word, sizeof(word));
		}
		adapter_write(adapter, ADAPTER_REG_RECEIVE_COMMAND, 1);
		if (message_valid(&message, bytes))
			receive(adapter, node, &message);
		else
			dev_warn_ratelimited(&adapter->dev,
					     "node %u has sent an invalid message: %s\n", node,
					     "its driver may be of another version");
	}
}

/* ---- nodes ---- */

static void node_gone(struct adapter *adapter, u32 node)
{
	struct outgoing *outgoing, *next_outgoing;
	struct request *request, *next_request;

	list_for_each_entry_safe(outgoing, next_outgoing, &adapter->outgoing, list) {
		if (outgoing->node != node)
			continue;
		list_del(&outgoing->list);
		kfree(outgoing);
	}
	list_for_each_entry_safe(request, next_request, &adapter->requests, list) {
		if (request->node == node)
			request_end(request, -EHOSTUNREACH);
	}
	adapter_segment_node_gone(adapter, node);
	adapter_connection_node_gone(adapter, node);
}

void adapter_nodes(struct adapter *adapter)
{
	u32 low = adapter_read(adapter, ADAPTER_REG_LOST_LOW);
	u32 high = adapter_read(adapter, ADAPTER_REG_LOST_HIGH);
	u64 lost = low | (u64)high << 32;
	u32 node;

	if (low == ADAPTER_ABSENT && high == ADAPTER_ABSENT)
		return;
	for (node = 0; node < ADAPTER_NODES; node++) {
		if (lost & BIT_ULL(node))
			node_gone(adapter, node);
	}
	/*
	 * Clear the bits after the translations. Otherwise a program reaches the pages of a node
	 * that has started again, which may have another use by now.
	 */
	adapter_write(adapter, ADAPTER_REG_LOST_LOW, low);
	adapter_write(adapter, ADAPTER_REG_LOST_HIGH, high);
}

void adapter_message_init(struct adapter *adapter)
{
	INIT_LIST_HEAD(&adapter->requests);
	INIT_LIST_HEAD(&adapter->outgoing);
	INIT_DELAYED_WORK(&adapter->retry, message_retry);
	/* Otherwise a late reply to this node's earlier driver answers a request of this one. */
	adapter->cookie = get_random_u32();
}

void adapter_message_stop(struct adapter *adapter)
{
	struct outgoing *outgoing, *next_outgoing;
	struct request *request, *next_request;

	list_for_each_entry_safe(outgoing, next_outgoing, &adapter->outgoing, list) {
		list_del(&outgoing->list);
		kfree(outgoing);
	}
	list_for_each_entry_safe(request, next_request, &adapter->requests, list)
		request_end(request, -ENODEV);
}
