/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Messages: pass up to 256 bytes from one driver to another.
 *
 * What lives here: sending a message, and the order in which messages of all senders are read. A
 * message waits in the receiver's region, in a slot for messages of its sender. On the B-Link, the
 * message is a transaction with the command dmove, so it keeps its order relative to the sender's
 * other transactions.
 */
#include "emu/adapter/adapter_inside.h"

#define FROM_SIZE (ADAPTER_NODES * ADAPTER_MESSAGES)

static uint32_t move_command(uint32_t bytes)
{
	return bytes <= 16 ? BLINK_DMOVE16 : bytes <= 64 ? BLINK_DMOVE64 : BLINK_DMOVE256;
}

/* Send a message. Return: ADAPTER_ERROR_*. */
static uint32_t send(struct adapter *adapter, uint32_t node, uint32_t bytes)
{
	struct adapter_peer *peer = &adapter->peer[node];
	struct link_inbox *inbox;
	struct link_message *message;
	uint32_t tail;

	if (!(adapter->control & ADAPTER_CONTROL_ENABLE) || !adapter->fabric)
		return ADAPTER_ERROR_DISABLED;
	if (!adapter_answers(adapter, node))
		return ADAPTER_ERROR_NODE;
	inbox = &peer->region->inbox[adapter->node];
	tail = atomic_load_explicit(&inbox->message_tail, memory_order_relaxed);
	if (tail - atomic_load_explicit(&inbox->message_head, memory_order_acquire) >=
	    ADAPTER_MESSAGES)
		return ADAPTER_ERROR_BUSY;
	if (node != adapter->node && !transaction_room(adapter, peer, 1))
		return ADAPTER_ERROR_BUSY;
	if (adapter->ops->room && !adapter->ops->room(adapter->opaque))
		return ADAPTER_ERROR_BUSY;

	message = &inbox->message[tail % ADAPTER_MESSAGES];
	memcpy(message->data, adapter->message.data, bytes);
	message->bytes = bytes;
	message->incarnation = adapter->incarnation;
	atomic_store_explicit(&inbox->message_tail, tail + 1, memory_order_release);
	adapter->count.messages++;
	transaction_issue(adapter, node, LINK_MESSAGE, move_command(bytes), adapter->message.data);
	if (node == adapter->node)
		message_arrive(adapter, node);
	return ADAPTER_ERROR_NONE;
}

void message_send(struct adapter *adapter)
{
	struct adapter_messages *messages = &adapter->message;

	if (messages->node >= ADAPTER_NODES) {
		messages->status = ADAPTER_ERROR_NODE;
		return;
	}
	messages->status = send(adapter, messages->node, messages->bytes);
	if (messages->status != ADAPTER_ERROR_NONE && messages->status != ADAPTER_ERROR_BUSY)
		transaction_fail(adapter, messages->node, messages->status);
}

bool message_arrive(struct adapter *adapter, uint32_t sender)
{
	struct adapter_messages *messages = &adapter->message;
	const struct link_inbox *inbox = &adapter->own->inbox[sender];
	uint32_t unread = 0, i;

	for (i = 0; i < messages->count; i++)
		unread += messages->from[(messages->first + i) % FROM_SIZE] == sender;
	/*
	 * A correct adapter never writes an entry without a message in its slot, and never more
	 * entries for messages than there are slots.
	 */
	if (unread >= atomic_load_explicit(&inbox->message_tail, memory_order_acquire) -
			      atomic_load_explicit(&inbox->message_head, memory_order_relaxed) ||
	    unread >= ADAPTER_MESSAGES)
		return false;
	messages->from[(messages->first + messages->count) % FROM_SIZE] = (uint8_t)sender;
	messages->count++;
	adapter_raise(adapter, ADAPTER_INT_MESSAGE);
	return true;
}

const struct link_message *message_first(struct adapter *adapter, uint32_t *sender)
{
	struct adapter_messages *messages = &adapter->message;
	struct link_inbox *inbox;

	if (!messages->count)
		return NULL;
	*sender = messages->from[messages->first];
	inbox = &adapter->own->inbox[*sender];
	return &inbox->message[atomic_load_explicit(&inbox->message_head, memory_order_relaxed) %
			       ADAPTER_MESSAGES];
}

static void take(struct adapter *adapter, uint32_t sender)
{
	struct link_inbox *inbox = &adapter->own->inbox[sender];

	atomic_fetch_add_explicit(&inbox->message_head, 1, memory_order_release);
}

void message_next(struct adapter *adapter)
{
	struct adapter_messages *messages = &adapter->message;

	if (!messages->count)
		return;
	take(adapter, messages->from[messages->first]);
	messages->first = (messages->first + 1) % FROM_SIZE;
	messages->count--;
	/* If this was the last message that a lost node had sent, the loss is reported now. */
	adapter_look(adapter);
}

bool message_waits(struct adapter *adapter, uint32_t sender)
{
	const struct link_inbox *inbox = &adapter->own->inbox[sender];
	uint32_t head = atomic_load_explicit(&inbox->message_head, memory_order_relaxed);

	return head != atomic_load_explicit(&inbox->message_tail, memory_order_acquire) &&
	       inbox->message[head % ADAPTER_MESSAGES].incarnation !=
		       adapter->peer[sender].incarnation;
}

void message_forget(struct adapter *adapter)
{
	while (adapter->message.count)
		message_next(adapter);
}

void message_forget_sender(struct adapter *adapter, uint32_t sender)
{
	struct adapter_messages *messages = &adapter->message;
	uint32_t kept = 0, i;

	for (i = 0; i < messages->count; i++) {
		uint8_t from = messages->from[(messages->first + i) % FROM_SIZE];

		if (from == sender)
			take(adapter, sender);
		else
			messages->from[(messages->first + kept++) % FROM_SIZE] = from;
	}
	messages->count = kept;
}
