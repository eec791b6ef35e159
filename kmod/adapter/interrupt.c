// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts between nodes, with and without data.
 *
 * What lives here: interrupts of this node, and lines to interrupts of other nodes. May use:
 * message.c, session.c.
 */
#include <linux/slab.h>

#include "smile_adapter.h"

struct interrupt *adapter_interrupt_find(struct adapter *adapter, u32 number, bool data)
{
	struct interrupt *interrupt;

	list_for_each_entry(interrupt, &adapter->interrupts, object.list) {
		if (interrupt->number == number && interrupt->data == data)
			return interrupt;
	}
	return NULL;
}

int adapter_interrupt_create(struct session *session, struct smile_adapter_interrupt *args,
			     struct object **made)
{
	struct adapter *adapter = session->adapter;
	bool data = args->flags & SMILE_ADAPTER_INTERRUPT_DATA;
	struct interrupt *interrupt;
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
	ret = adapter_object_add(session, &interrupt->object, OBJECT_INTERRUPT,
				 &adapter->interrupts);
	if (ret) {
		kfree(interrupt);
		return ret;
	}
	args->handle = interrupt->object.handle;
	*made = &interrupt->object;
	return 0;
}

void adapter_interrupt_remove(struct interrupt *interrupt)
{
	adapter_object_remove(&interrupt->object);
	kfree(interrupt);
}

int adapter_interrupt_connect(struct session *session, struct smile_adapter_interrupt_connect *args,
			      struct object **made)
{
	struct adapter *adapter = session->adapter;
	struct message message = {.kind = MESSAGE_LINE,
				  .id = args->number,
				  .flags = args->flags & SMILE_ADAPTER_INTERRUPT_DATA};
	struct interrupt *line;
	int ret = adapter_ask(adapter, args->node, &message);

	if (ret)
		return ret;
	line = kzalloc(sizeof(*line), GFP_KERNEL_ACCOUNT);
	if (!line)
		return -ENOMEM;
	line->node = args->node;
	line->number = args->number;
	line->data = message.flags;
	mutex_lock(&adapter->lock);
	ret = adapter_object_add(session, &line->object, OBJECT_LINE, &adapter->lines);
	mutex_unlock(&adapter->lock);
	if (ret) {
		kfree(line);
		return ret;
	}
	args->handle = line->object.handle;
	*made = &line->object;
	return 0;
}

int adapter_trigger(struct session *session, const struct smile_adapter_trigger *args)
{
	struct object *object = adapter_object_find(session, args->handle, OBJECT_LINE);
	struct message message = {.kind = MESSAGE_TRIGGER, .bytes = args->bytes};
	struct interrupt *line;

	if (!object)
		return -EBADF;
	line = container_of(object, struct interrupt, object);
	if (args->bytes > SMILE_ADAPTER_DATA_BYTES || (args->bytes && !line->data))
		return -EINVAL;
	if (line->lost)
		return -ENOENT;
	message.id = line->number;
	message.flags = line->data ? SMILE_ADAPTER_INTERRUPT_DATA : 0;
	memcpy(message.data, args->data, args->bytes);
	return adapter_send(session->adapter, line->node, &message);
}

bool adapter_interrupt_arrive(struct adapter *adapter, u32 node, u32 number, bool data,
			      const void *bytes, u32 count)
{
	struct interrupt *interrupt = adapter_interrupt_find(adapter, number, data);

	if (!interrupt)
		return false;
	adapter_event(&interrupt->object, SMILE_ADAPTER_EVENT_INTERRUPT, node, bytes, count);
	return true;
}

void adapter_interrupt_lost(struct adapter *adapter, u32 node, u32 number, bool data)
{
	struct interrupt *line;

	list_for_each_entry(line, &adapter->lines, object.list) {
		if (line->node == node && line->number == number && line->data == data)
			line->lost = true;
	}
}
