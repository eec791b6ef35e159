// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages between the drivers of two nodes.
 *
 * What lives here: sending, requests that wait for a reply, and the handling of received messages.
 * Messages of other nodes are not trusted: their lengths are checked, and a message that names no
 * object of this node is ignored. May use: segment.c, connection.c, interrupt.c.
 */
#include <linux/delay.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "smile_adapter.h"

#define QUEUED_MAX 256 /* limit of messages queued to a node; requests use at most half */
#define ASKED_MAX (QUEUED_MAX / 2) /* limit of requests to a node that wait for their replies */
#define RECEIVE_AT_ONCE 64 /* messages that are handled before other work runs */
#define FLUSH_MS 10000 /* how long a removal waits for a node that does not read; as TIMEOUT */

/**
 * struct adapter_outgoing - A message that waits for room at its receiver.
 * @list: entry of the adapter's list of outgoing messages for the node, in order
 * @message: the message
 */
struct adapter_outgoing {
	struct list_head list;
	struct adapter_message message;
};

/**
 * struct adapter_request - A request that waits for its reply.
 * @list: entry of the adapter's list of requests, until @done
 * @node: the node that answers
 * @message: the request, and after @done the reply
 * @done: the reply has arrived, or no reply will arrive
 * @status: status of the reply; or a negative errno if no reply arrives
 */
struct adapter_request {
	struct list_head list;
	u32 node;
	struct adapter_message *message;
	struct completion done;
	int status;
};

/* ---- sending: called with adapter.lock held ---- */

/* Get the number of bytes of @message that are sent. */
static u32 message_bytes(const struct adapter_message *message)
{
	bool data = message->kind == cpu_to_le32(ADAPTER_MESSAGE_TRIGGER);

	return offsetof(struct adapter_message, data) + (data ? le64_to_cpu(message->bytes) : 0);
}

/* Write a message to the adapter. Return: ADAPTER_ERROR_*. */
static u32 message_post(struct adapter *adapter, u32 node, const struct adapter_message *message)
{
	u32 bytes = message_bytes(message), status, i;
	__le32 word;

	for (i = 0; i < bytes; i += 4) {
		memcpy(&word, (const u8 *)message + i, sizeof(word));
		adapter_write(adapter, ADAPTER_REG_SEND_DATA + i, le32_to_cpu(word));
	}
	adapter_write(adapter, ADAPTER_REG_SEND_NODE, node);
	adapter_write(adapter, ADAPTER_REG_SEND_BYTES, bytes);
	adapter_write(adapter, ADAPTER_REG_SEND_COMMAND, 1);
	status = adapter_read(adapter, ADAPTER_REG_SEND_STATUS);
	/*
	 * A message of the driver that has failed is not a failed access of a program: count it
	 * separately.
	 */
	if (status != ADAPTER_ERROR_NONE && status != ADAPTER_ERROR_BUSY &&
	    status != ADAPTER_ABSENT)
		adapter_failures_message(adapter, node);
	return status;
}

/*
 * Get the largest number of queued messages at which this message may still be queued. If the limit
 * is reached, a request of a program fails with -EAGAIN, and the program tries again. Answers are
 * limited because a node that sends but does not read must not fill this node's memory; such a node
 * loses only its own answers. The limit of answers is higher, so that a flood of triggers does not
 * displace an answer for which a program waits. All other messages must arrive. They need no limit,
 * because each connection and each importer has at most two of them, and the number of both is
 * limited for each node.
 */
static u32 queued_max(const struct adapter_message *message)
{
	switch (le32_to_cpu(message->kind)) {
	case ADAPTER_MESSAGE_CONNECT:
	case ADAPTER_MESSAGE_LINE:
	case ADAPTER_MESSAGE_TRIGGER:
		return QUEUED_MAX / 2;
	case ADAPTER_MESSAGE_REPLY:
	case ADAPTER_MESSAGE_UNKNOWN:
		return QUEUED_MAX;
	default:
		return U32_MAX;
	}
}

/* Queue a message. The message's memory is charged to the program that causes the message. */
static int message_queue(struct adapter *adapter, u32 node, const struct adapter_message *message)
{
	u32 max = queued_max(message);
	struct adapter_outgoing *outgoing;

	if (adapter->queued[node] >= max)
		return -EAGAIN;
	/*
	 * The allocation may fail only for a request, because the program repeats it. If an answer
	 * were missing, the caller on the other node would wait forever. If another message were
	 * missing, the other node's pages would stay reserved forever.
	 */
	outgoing = kzalloc(sizeof(*outgoing),
			   GFP_KERNEL_ACCOUNT | (max > ASKED_MAX ? __GFP_NOFAIL : 0));
	if (!outgoing)
		return -ENOMEM;
	outgoing->message = *message;
	list_add_tail(&outgoing->list, &adapter->outgoing[node]);
	adapter->queued[node]++;
	schedule_delayed_work(&adapter->retry, 1);
	return 0;
}

static void outgoing_free(struct adapter *adapter, u32 node, struct adapter_outgoing *outgoing)
{
	list_del(&outgoing->list);
	adapter->queued[node]--;
	kfree(outgoing);
}

static void outgoing_drop(struct adapter *adapter, u32 node)
{
	struct adapter_outgoing *outgoing, *next;

	list_for_each_entry_safe(outgoing, next, &adapter->outgoing[node], list)
		outgoing_free(adapter, node, outgoing);
}

int adapter_send(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	u32 status;

	BUILD_BUG_ON(sizeof(struct adapter_message) > ADAPTER_MESSAGE_BYTES);
	if (adapter->gone)
		return -ENODEV;
	if (node >= ADAPTER_NODES || adapter->down)
		return -EHOSTUNREACH;
	message->version = cpu_to_le32(ADAPTER_MESSAGE_VERSION);
	/* Messages to a node keep their order: if some are queued, queue this one, too. */
	if (adapter->queued[node])
		return message_queue(adapter, node, message);
	status = message_post(adapter, node, message);
	if (status == ADAPTER_ERROR_BUSY)
		return message_queue(adapter, node, message);
	return status ? -EHOSTUNREACH : 0;
}

static void message_retry(struct work_struct *work)
{
	struct adapter *adapter = container_of(to_delayed_work(work), struct adapter, retry);
	struct adapter_outgoing *outgoing, *next;
	bool again = false;
	u32 node;

	guard(mutex)(&adapter->lock);
	for (node = 0; node < ADAPTER_NODES && !adapter->gone; node++) {
		list_for_each_entry_safe(outgoing, next, &adapter->outgoing[node], list) {
			if (message_post(adapter, node, &outgoing->message) == ADAPTER_ERROR_BUSY)
				break;
			outgoing_free(adapter, node, outgoing);
		}
		again |= adapter->queued[node];
	}
	if (again)
		schedule_delayed_work(&adapter->retry, 1);
}

static u32 queued_all(struct adapter *adapter)
{
	u32 node, queued = 0;

	guard(mutex)(&adapter->lock);
	for (node = 0; node < ADAPTER_NODES; node++)
		queued += adapter->queued[node];
	return queued;
}

void adapter_message_flush(struct adapter *adapter)
{
	unsigned long since = jiffies;
	u32 queued, before = 0;

	while ((queued = queued_all(adapter))) {
		if (queued != before)
			since = jiffies;
		else if (time_after(jiffies, since + msecs_to_jiffies(FLUSH_MS)))
			return;
		before = queued;
		usleep_range(500, 1000);
	}
}

/* ---- requests ---- */

/*
 * Drop a request whose caller has stopped waiting, if it is still queued. Return: whether the
 * request was still queued.
 */
static bool request_drop(struct adapter *adapter, const struct adapter_request *request, u32 number)
{
	struct adapter_outgoing *outgoing;

	list_for_each_entry(outgoing, &adapter->outgoing[request->node], list) {
		if (le32_to_cpu(outgoing->message.request) != number ||
		    outgoing->message.kind == cpu_to_le32(ADAPTER_MESSAGE_REPLY))
			continue;
		outgoing_free(adapter, request->node, outgoing);
		return true;
	}
	return false;
}

/*
 * Check whether the limit of requests to the node is reached. The other node queues only as many
 * answers, and further answers would be lost.
 */
static bool asked_enough(struct adapter *adapter, u32 node)
{
	struct adapter_request *request;
	u32 count = 0;

	list_for_each_entry(request, &adapter->requests, list)
		count += request->node == node;
	return count >= ASKED_MAX;
}

int adapter_ask(struct adapter *adapter, u32 node, struct adapter_message *message, bool *pending)
{
	struct adapter_request request = {.node = node, .message = message};
	bool replied = false;
	int ret, killed = 0;
	u32 number;

	*pending = false;
	init_completion(&request.done);
	mutex_lock(&adapter->lock);
	if (asked_enough(adapter, node)) {
		mutex_unlock(&adapter->lock);
		return -EAGAIN;
	}
	number = ++adapter->cookie;
	message->request = cpu_to_le32(number);
	list_add_tail(&request.list, &adapter->requests);
	ret = adapter_send(adapter, node, message);
	mutex_unlock(&adapter->lock);
	/*
	 * Wait without a time limit. After a time-out, the caller would have to report an error,
	 * although the other node may have executed the request. If the node disappears, the wait
	 * ends.
	 */
	if (!ret)
		killed = wait_for_completion_killable(&request.done);
	mutex_lock(&adapter->lock);
	replied = list_empty(&request.list);
	list_del(&request.list);
	*pending = !ret && !replied && !request_drop(adapter, &request, number);
	mutex_unlock(&adapter->lock);
	if (ret)
		return ret;
	return replied ? request.status : killed;
}

static void request_end(struct adapter_request *request, int status)
{
	request->status = status;
	list_del_init(&request->list);
	complete(&request->done);
}

/* ---- receiving: called with adapter.lock held ---- */

static int reply(struct adapter *adapter, u32 node, struct adapter_message *message, int status)
{
	message->kind = cpu_to_le32(ADAPTER_MESSAGE_REPLY);
	message->status = cpu_to_le32(status);
	return adapter_send(adapter, node, message);
}

static void receive_connect(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	struct adapter_segment *segment;
	u32 cookie = le32_to_cpu(message->cookie);
	int status =
		adapter_segment_connect(adapter, node, le32_to_cpu(message->id), cookie, &segment);

	if (!status) {
		message->page = cpu_to_le32(segment->memory->page);
		message->pages = cpu_to_le32(segment->memory->pages);
		message->bytes = cpu_to_le64(segment->bytes);
	}
	/*
	 * The reply could not be sent, so the other node has no connection. Undo the connection
	 * here, too.
	 */
	if (reply(adapter, node, message, status) && !status)
		adapter_segment_disconnect(adapter, node, cookie);
}

static void receive_reply(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	struct adapter_request *request, *next;
	s32 status = le32_to_cpu(message->status);

	/*
	 * Reject a positive status, because it is not an error number and would count as success.
	 */
	if (status > 0 || status < -MAX_ERRNO)
		status = -EPROTO;
	list_for_each_entry_safe(request, next, &adapter->requests, list) {
		if (request->node != node || request->message->request != message->request)
			continue;
		memcpy(request->message, message, offsetof(struct adapter_message, data));
		request_end(request, status);
		return;
	}
}

static void receive_lost(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	/*
	 * If this node's DMA engine still accesses the pages, send no answer, so that the owner
	 * does not reuse them. If the connection does not exist, it was released, and the owner was
	 * already informed.
	 */
	if (!adapter_connection_lost(adapter, node, le32_to_cpu(message->cookie)))
		return;
	message->kind = cpu_to_le32(ADAPTER_MESSAGE_KNOWN);
	adapter_send(adapter, node, message);
}

static void receive_trigger(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	int status = adapter_interrupt_arrive(adapter, node, message);

	if (le32_to_cpu(message->flags) & SMILE_ADAPTER_INTERRUPT_DATA) {
		message->cookie = 0;
		reply(adapter, node, message, status);
		return;
	}
	if (status != -ENOENT)
		return;
	message->kind = cpu_to_le32(ADAPTER_MESSAGE_UNKNOWN);
	message->bytes = 0;
	adapter_send(adapter, node, message);
}

static void receive(struct adapter *adapter, u32 node, struct adapter_message *message)
{
	bool data = le32_to_cpu(message->flags) & SMILE_ADAPTER_INTERRUPT_DATA;
	u32 cookie = le32_to_cpu(message->cookie), id = le32_to_cpu(message->id);

	switch (le32_to_cpu(message->kind)) {
	case ADAPTER_MESSAGE_CONNECT:
		receive_connect(adapter, node, message);
		break;
	case ADAPTER_MESSAGE_DISCONNECT:
	case ADAPTER_MESSAGE_KNOWN:
		adapter_segment_disconnect(adapter, node, cookie);
		break;
	case ADAPTER_MESSAGE_LOST:
		receive_lost(adapter, node, message);
		break;
	case ADAPTER_MESSAGE_LEAVE:
		adapter_connection_leave(adapter, node, cookie);
		break;
	case ADAPTER_MESSAGE_LINE:
		message->cookie = 0;
		reply(adapter, node, message,
		      adapter_interrupt_find(adapter, id, data) ? 0 : -ENOENT);
		break;
	case ADAPTER_MESSAGE_TRIGGER:
		receive_trigger(adapter, node, message);
		break;
	case ADAPTER_MESSAGE_UNKNOWN:
		adapter_interrupt_lost(adapter, node, id, data);
		break;
	case ADAPTER_MESSAGE_REPLY:
		receive_reply(adapter, node, message);
		break;
	}
}

/*
 * Handle a message in another version of the format. Both versions have the same first fields.
 * These fields suffice to answer the sender, or to end the wait for a reply on this node.
 */
static void receive_other(struct adapter *adapter, u32 node, const struct adapter_message *message)
{
	struct adapter_message answer = {.request = message->request};

	dev_warn_ratelimited(&adapter->dev,
			     "node %u has message version %u, not %u: install the same release\n",
			     node, le32_to_cpu(message->version), ADAPTER_MESSAGE_VERSION);
	switch (le32_to_cpu(message->kind)) {
	case ADAPTER_MESSAGE_CONNECT:
	case ADAPTER_MESSAGE_LINE:
	case ADAPTER_MESSAGE_TRIGGER:
		reply(adapter, node, &answer, -EPROTONOSUPPORT);
		break;
	case ADAPTER_MESSAGE_REPLY:
		answer.status = cpu_to_le32(-EPROTONOSUPPORT);
		receive_reply(adapter, node, &answer);
		break;
	}
}

/* Check whether the message has its full length. */
static bool message_valid(const struct adapter_message *message, u32 bytes)
{
	return bytes >= offsetof(struct adapter_message, data) &&
	       (message->kind != cpu_to_le32(ADAPTER_MESSAGE_TRIGGER) ||
		(le64_to_cpu(message->bytes) <= SMILE_ADAPTER_DATA_BYTES &&
		 message_bytes(message) <= bytes));
}

/* Handle some messages. Return: false if no message is left. */
static bool receive_some(struct adapter *adapter)
{
	struct adapter_message message;
	u32 node, bytes, i;
	__le32 word;
	int count;

	for (count = 0; count < RECEIVE_AT_ONCE; count++) {
		/*
		 * If the node has restarted, drop its old state before its first message is
		 * handled. Otherwise the state that the message creates would be dropped with the
		 * old state.
		 */
		adapter_nodes(adapter);
		node = adapter_read(adapter, ADAPTER_REG_RECEIVE_NODE);
		if (node >= ADAPTER_NODES)
			return false;
		bytes = min_t(u32, adapter_read(adapter, ADAPTER_REG_RECEIVE_BYTES),
			      sizeof(message));
		memset(&message, 0, sizeof(message));
		for (i = 0; i + sizeof(word) <= round_up(bytes, 4) && i < sizeof(message); i += 4) {
			word = cpu_to_le32(adapter_read(adapter, ADAPTER_REG_RECEIVE_DATA + i));
			memcpy((u8 *)&message + i, &word, sizeof(word));
		}
		adapter_write(adapter, ADAPTER_REG_RECEIVE_COMMAND, 1);
		if (bytes >= ADAPTER_MESSAGE_COMMON_BYTES &&
		    le32_to_cpu(message.version) != ADAPTER_MESSAGE_VERSION)
			receive_other(adapter, node, &message);
		else if (message_valid(&message, bytes))
			receive(adapter, node, &message);
		else
			dev_warn_ratelimited(&adapter->dev, "node %u has sent an invalid message\n",
					     node);
	}
	return true;
}

/*
 * Handle some messages, and leave the remaining ones to a work item; the interrupt is disabled
 * meanwhile. The interrupt's thread has a higher priority than all programs, so if it handled all
 * messages, a node that floods this node would occupy the processor and adapter.lock.
 */
void adapter_receive(struct adapter *adapter)
{
	u32 enable = adapter->int_enable | ADAPTER_INT_MESSAGE;

	if (receive_some(adapter)) {
		enable &= ~ADAPTER_INT_MESSAGE;
		schedule_delayed_work(&adapter->receive, 1);
	}
	WRITE_ONCE(adapter->int_enable, enable);
}

static void message_receive(struct work_struct *work)
{
	struct adapter *adapter = container_of(to_delayed_work(work), struct adapter, receive);

	guard(mutex)(&adapter->lock);
	if (adapter->gone)
		return;
	adapter_receive(adapter);
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, adapter->int_enable);
}

/* ---- nodes ---- */

static void node_gone(struct adapter *adapter, u32 node)
{
	struct adapter_request *request, *next;

	outgoing_drop(adapter, node);
	list_for_each_entry_safe(request, next, &adapter->requests, list) {
		if (request->node == node)
			request_end(request, -EHOSTUNREACH);
	}
	adapter_segment_node_gone(adapter, node);
	adapter_connection_node_gone(adapter, node);
	adapter_interrupt_node_gone(adapter, node);
}

void adapter_nodes_all(struct adapter *adapter)
{
	u32 node;

	for (node = 0; node < ADAPTER_NODES; node++)
		node_gone(adapter, node);
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
	 * Clear the bits only after the translations. Otherwise a program could access pages of a
	 * restarted node that now have another use.
	 */
	adapter_write(adapter, ADAPTER_REG_LOST_LOW, low);
	adapter_write(adapter, ADAPTER_REG_LOST_HIGH, high);
}

void adapter_message_init(struct adapter *adapter)
{
	u32 node;

	INIT_LIST_HEAD(&adapter->requests);
	for (node = 0; node < ADAPTER_NODES; node++)
		INIT_LIST_HEAD(&adapter->outgoing[node]);
	INIT_DELAYED_WORK(&adapter->retry, message_retry);
	INIT_DELAYED_WORK(&adapter->receive, message_receive);
	/*
	 * Start at a random number. Otherwise a late reply to a request that an earlier driver of
	 * this node has sent could be mistaken for the reply to a new request.
	 */
	adapter->cookie = get_random_u32();
}

void adapter_message_stop(struct adapter *adapter)
{
	struct adapter_request *request, *next;
	u32 node;

	for (node = 0; node < ADAPTER_NODES; node++)
		outgoing_drop(adapter, node);
	list_for_each_entry_safe(request, next, &adapter->requests, list)
		request_end(request, -ENODEV);
}

void adapter_message_cancel(struct adapter *adapter)
{
	cancel_delayed_work_sync(&adapter->retry);
	cancel_delayed_work_sync(&adapter->receive);
}
