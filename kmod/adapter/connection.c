// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections: segments of other nodes.
 *
 * What lives here: connecting, releasing, and the loss of a connection. May use: message.c, map.c,
 * session.c.
 */
#include <linux/slab.h>

#include "smile_adapter.h"

int adapter_connect(struct session *session, struct smile_adapter_connect *args)
{
	struct adapter *adapter = session->adapter;
	struct connection *connection = kzalloc(sizeof(*connection), GFP_KERNEL_ACCOUNT);
	struct message message = {.kind = MESSAGE_CONNECT, .id = args->id};
	int ret;

	if (!connection)
		return -ENOMEM;
	mutex_lock(&adapter->lock);
	message.cookie = ++adapter->cookie;
	mutex_unlock(&adapter->lock);
	connection->node = args->node;
	connection->cookie = message.cookie;
	INIT_LIST_HEAD(&connection->mappings);

	/*
	 * Add it to the list before the request. Otherwise a LOST message that follows the reply at
	 * once finds no connection, and this connection is never marked as lost.
	 */
	mutex_lock(&adapter->lock);
	ret = adapter_object_add(session, &connection->object, OBJECT_CONNECTION,
				 &adapter->connections);
	if (ret) {
		mutex_unlock(&adapter->lock);
		kfree(connection);
		return ret;
	}
	args->handle = connection->object.handle;
	mutex_unlock(&adapter->lock);

	ret = adapter_ask(adapter, args->node, &message);
	mutex_lock(&adapter->lock);
	/* Another thread may have released the handle meanwhile. */
	if (adapter_object_find(session, args->handle, OBJECT_CONNECTION) != &connection->object)
		ret = -EBADF;
	else if (ret)
		adapter_release(connection);
	if (!ret) {
		connection->page = message.page;
		connection->pages = message.pages;
		args->bytes = (u64)message.pages * ADAPTER_PAGE_BYTES;
		args->exact_bytes = message.bytes;
	}
	mutex_unlock(&adapter->lock);
	return ret;
}

void adapter_release(struct connection *connection)
{
	struct adapter *adapter = connection->object.session->adapter;
	struct message message = {.kind = MESSAGE_DISCONNECT, .cookie = connection->cookie};

	/* Before the message: its owner may reuse the page as soon as it has received that. */
	adapter_map_clear(connection);
	if (!connection->lost)
		adapter_send(adapter, connection->node, &message);
	adapter_object_remove(&connection->object);
	kfree(connection);
}

static void connection_lose(struct connection *connection)
{
	if (connection->lost)
		return;
	connection->lost = true;
	adapter_map_clear(connection);
	adapter_event(&connection->object, SMILE_ADAPTER_EVENT_LOST, connection->node, NULL, 0);
}

void adapter_connection_lost(struct adapter *adapter, u32 node, u32 cookie)
{
	struct connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node && connection->cookie == cookie)
			connection_lose(connection);
	}
}

/* The owner wants it to end: the program decides. */
void adapter_connection_leave(struct adapter *adapter, u32 node, u32 cookie)
{
	struct connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node && connection->cookie == cookie && !connection->lost)
			adapter_event(&connection->object, SMILE_ADAPTER_EVENT_DISCONNECT, node,
				      NULL, 0);
	}
}

void adapter_connection_node_gone(struct adapter *adapter, u32 node)
{
	struct connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node)
			connection_lose(connection);
	}
}
