// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts between nodes, with and without data.
 *
 * What lives here: interrupts of this node, and lines, which are connections to interrupts of other
 * nodes. May use: message.c, session.c.
 */
#include <linux/slab.h>

#include "smile_adapter.h"

/**
 * struct adapter_data_message - A message of a data interrupt that the session has not taken yet.
 * @list: entry of the interrupt's list of messages
 * @node: the node that has triggered the interrupt
 * @bytes: length of @data
 * @data: the message
 */
struct adapter_data_message {
	struct list_head list;
	u32 node;
	u32 bytes;
	u8 data[SMILE_ADAPTER_DATA_BYTES];
};

struct adapter_interrupt *adapter_interrupt_find(struct adapter *adapter, u32 number, bool data)
{
	struct adapter_interrupt *interrupt;

	list_for_each_entry(interrupt, &adapter->interrupts, object.list) {
		if (interrupt->number == number && interrupt->data == data)
			return interrupt;
	}
	return NULL;
}

int adapter_interrupt_create(struct adapter_session *session, struct smile_adapter_interrupt *args,
			     struct adapter_object **made)
{
	struct adapter *adapter = session->adapter;
	bool data = args->flags & SMILE_ADAPTER_INTERRUPT_DATA;
	struct adapter_interrupt *interrupt;
	int ret;

	if (!(args->flags & SMILE_ADAPTER_INTERRUPT_FIXED)) {
		do {
			args->number = ++adapter->interrupt_number & 0x7fffffff;
		} while (adapter_interrupt_find(adapter, args->number, data));
	} else if (adapter_interrupt_find(adapter, args->number, data)) {
		return -EEXIST;
	}
	interrupt = kzalloc(sizeof(*interrupt), GFP_KERNEL_ACCOUNT);
	if (!interrupt)
		return -ENOMEM;
	interrupt->number = args->number;
	interrupt->data = data;
	INIT_LIST_HEAD(&interrupt->messages);
	ret = adapter_object_add(session, &interrupt->object, ADAPTER_OBJECT_INTERRUPT,
				 &adapter->interrupts);
	if (ret) {
		kfree(interrupt);
		return ret;
	}
	args->handle = interrupt->object.handle;
	*made = &interrupt->object;
	return 0;
}

void adapter_interrupt_remove(struct adapter_interrupt *interrupt)
{
	struct adapter_data_message *message, *next;

	adapter_object_remove(&interrupt->object);
	list_for_each_entry_safe(message, next, &interrupt->messages, list)
		kfree(message);
	kfree(interrupt);
}

int adapter_interrupt_connect(struct adapter_session *session,
			      struct smile_adapter_interrupt_connect *args,
			      struct adapter_object **made)
{
	struct adapter *adapter = session->adapter;
	struct adapter_message message = {
		.kind = cpu_to_le32(ADAPTER_MESSAGE_LINE),
		.id = cpu_to_le32(args->number),
		.flags = cpu_to_le32(args->flags & SMILE_ADAPTER_INTERRUPT_DATA)};
	struct adapter_interrupt *line;
	bool pending;
	int ret = adapter_ask(adapter, args->node, &message, &pending);

	if (ret)
		return ret;
	line = kzalloc(sizeof(*line), GFP_KERNEL_ACCOUNT);
	if (!line)
		return -ENOMEM;
	line->node = args->node;
	line->number = args->number;
	line->data = args->flags & SMILE_ADAPTER_INTERRUPT_DATA;
	INIT_LIST_HEAD(&line->messages);
	scoped_guard(mutex, &adapter->lock)
		ret = adapter_object_add(session, &line->object, ADAPTER_OBJECT_LINE,
					 &adapter->lines);
	if (ret) {
		kfree(line);
		return ret;
	}
	args->handle = line->object.handle;
	*made = &line->object;
	return 0;
}

/*
 * Compose the message that triggers the interrupt which @args selects. Return: the node of the
 * interrupt, or a negative errno. Called with adapter.lock held.
 */
static int trigger_message(struct adapter_session *session,
			   const struct smile_adapter_trigger *args,
			   struct adapter_message *message)
{
	struct adapter_object *object =
		adapter_object_find(session, args->handle, ADAPTER_OBJECT_LINE);
	struct adapter_interrupt *line;

	if (session->adapter->gone)
		return -ENODEV;
	if (!object)
		return -EBADF;
	line = container_of(object, struct adapter_interrupt, object);
	if (args->bytes > SMILE_ADAPTER_DATA_BYTES || (args->bytes && !line->data))
		return -EINVAL;
	if (line->lost)
		return -ENOENT;
	message->id = cpu_to_le32(line->number);
	message->flags = cpu_to_le32(line->data ? SMILE_ADAPTER_INTERRUPT_DATA : 0);
	message->bytes = cpu_to_le64(args->bytes);
	memcpy(message->data, args->data, args->bytes);
	return line->node;
}

int adapter_trigger(struct adapter_session *session, const struct smile_adapter_trigger *args)
{
	struct adapter *adapter = session->adapter;
	struct adapter_message message = {.kind = cpu_to_le32(ADAPTER_MESSAGE_TRIGGER)};
	int node, ret = 0;
	bool pending;

	mutex_lock(&adapter->lock);
	node = trigger_message(session, args, &message);
	if (node >= 0 && !message.flags)
		ret = adapter_send(adapter, node, &message);
	mutex_unlock(&adapter->lock);
	if (node < 0)
		return node;
	/*
	 * A message with data must not be lost unnoticed, so the receiving node confirms its
	 * arrival.
	 */
	return message.flags ? adapter_ask(adapter, node, &message, &pending) : ret;
}

int adapter_interrupt_arrive(struct adapter *adapter, u32 node,
			     const struct adapter_message *message)
{
	bool data = le32_to_cpu(message->flags) & SMILE_ADAPTER_INTERRUPT_DATA;
	struct adapter_interrupt *interrupt =
		adapter_interrupt_find(adapter, le32_to_cpu(message->id), data);
	struct adapter_data_message *arrived = NULL;

	if (!interrupt)
		return -ENOENT;
	if (data) {
		/*
		 * Each interrupt has its own limit, so that a node that floods one interrupt does
		 * not affect the others.
		 */
		if (interrupt->waiting == SMILE_ADAPTER_DATA_WAITING)
			return -ENOSPC;
		arrived = kmalloc(sizeof(*arrived), GFP_KERNEL);
		if (!arrived)
			return -ENOMEM;
		arrived->node = node;
		arrived->bytes = le64_to_cpu(message->bytes);
		memcpy(arrived->data, message->data, arrived->bytes);
	}
	if (!interrupt->arrived &&
	    !adapter_event(&interrupt->object, SMILE_ADAPTER_EVENT_INTERRUPT, node)) {
		kfree(arrived);
		return -ENOMEM;
	}
	interrupt->arrived++;
	if (arrived) {
		list_add_tail(&arrived->list, &interrupt->messages);
		interrupt->waiting++;
	}
	return 0;
}

u32 adapter_interrupt_arrived(struct adapter_interrupt *interrupt)
{
	u32 arrived = interrupt->arrived;

	interrupt->arrived = 0;
	return arrived;
}

int adapter_interrupt_data(struct adapter_session *session, struct smile_adapter_data *args)
{
	struct adapter_object *object =
		adapter_object_find(session, args->handle, ADAPTER_OBJECT_INTERRUPT);
	struct adapter_interrupt *interrupt;
	struct adapter_data_message *message;

	if (!object)
		return -EBADF;
	interrupt = container_of(object, struct adapter_interrupt, object);
	message = list_first_entry_or_null(&interrupt->messages, struct adapter_data_message, list);
	if (!message)
		return -EAGAIN;
	list_del(&message->list);
	interrupt->waiting--;
	args->node = message->node;
	args->bytes = message->bytes;
	memcpy(args->data, message->data, message->bytes);
	kfree(message);
	return 0;
}

void adapter_interrupt_lost(struct adapter *adapter, u32 node, u32 number, bool data)
{
	struct adapter_interrupt *line;

	list_for_each_entry(line, &adapter->lines, object.list) {
		if (line->node == node && line->number == number && line->data == data)
			line->lost = true;
	}
}

void adapter_interrupt_node_gone(struct adapter *adapter, u32 node)
{
	struct adapter_interrupt *line;

	list_for_each_entry(line, &adapter->lines, object.list)
		line->lost |= line->node == node;
}
