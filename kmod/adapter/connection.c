// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections of this node to segments of other nodes.
 *
 * What lives here: the calls that connect and release, and the handling of a connection that is
 * lost. May use: message.c, map.c, session.c.
 */
#include <linux/slab.h>

#include "smile_adapter.h"

/*
 * Choose a cookie that no connection of this node has. If two connections had the same cookie, the
 * node that owns the segments would end both connections when one of them ends, and would reuse the
 * pages of both.
 * Return: the cookie; 0 if there are too many connections to @node.
 */
static u32 connection_cookie(struct adapter *adapter, u32 node)
{
	struct adapter_connection *connection;
	u32 cookie, count;
	bool used;

	do {
		cookie = ++adapter->cookie;
		used = !cookie;
		count = 0;
		list_for_each_entry(connection, &adapter->connections, object.list) {
			used |= connection->cookie == cookie;
			count += connection->node == node;
		}
	} while (used);
	return count < ADAPTER_CONNECTIONS ? cookie : 0;
}

/* Check the reply to a request of @connection, because another node's driver is not trusted. */
static bool connection_valid(const struct adapter_connection *connection,
			     const struct adapter_message *reply)
{
	u32 page = le32_to_cpu(reply->page), pages = le32_to_cpu(reply->pages);

	return le32_to_cpu(reply->cookie) == connection->cookie && pages &&
	       pages <= ADAPTER_PAGES_MAX && page <= ADAPTER_PAGES_MAX - pages &&
	       le64_to_cpu(reply->bytes) <= (u64)pages * ADAPTER_PAGE_BYTES;
}

int adapter_connect(struct adapter_session *session, struct smile_adapter_connect *args,
		    struct adapter_object **made)
{
	struct adapter *adapter = session->adapter;
	struct adapter_connection *connection = kzalloc(sizeof(*connection), GFP_KERNEL_ACCOUNT);
	struct adapter_message message = {.kind = cpu_to_le32(ADAPTER_MESSAGE_CONNECT),
					  .id = cpu_to_le32(args->id)};
	bool pending = false;
	int ret;

	if (!connection)
		return -ENOMEM;
	connection->node = args->node;
	INIT_LIST_HEAD(&connection->mappings);
	mutex_lock(&adapter->lock);
	connection->cookie = connection_cookie(adapter, args->node);
	/*
	 * Add the connection to the list before the request is sent. Otherwise a LOST message that
	 * arrives immediately after the reply would find no connection, and this connection would
	 * never be marked as lost. No call of the session finds the connection, because it is not
	 * published yet.
	 */
	ret = connection->cookie
		      ? adapter_object_add(session, &connection->object, ADAPTER_OBJECT_CONNECTION,
					   &adapter->connections)
		      : -ENOSPC;
	mutex_unlock(&adapter->lock);
	if (ret) {
		kfree(connection);
		return ret;
	}
	message.cookie = cpu_to_le32(connection->cookie);
	ret = adapter_ask(adapter, args->node, &message, &pending);
	if (!ret && !connection_valid(connection, &message)) {
		ret = -EPROTO;
		pending = true;
	}
	mutex_lock(&adapter->lock);
	if (ret) {
		/*
		 * If the node has not received the request, or has rejected it, it has no
		 * connection to end.
		 */
		connection->lost |= !pending;
		adapter_release(connection);
	} else {
		connection->page = le32_to_cpu(message.page);
		connection->pages = le32_to_cpu(message.pages);
		args->handle = connection->object.handle;
		args->page = connection->page;
		adapter_name_add(adapter, args->node, args->id, connection->page,
				 connection->pages);
		args->bytes = (u64)connection->pages * ADAPTER_PAGE_BYTES;
		args->exact_bytes = le64_to_cpu(message.bytes);
		*made = &connection->object;
	}
	mutex_unlock(&adapter->lock);
	return ret;
}

/*
 * End all accesses of this node to the connection's pages, both through mapped pages of the window
 * and by the DMA engine. Return: 0; -EBUSY if the engine still accesses the pages. The owner of the
 * pages must then not reuse them.
 */
static int connection_leave(struct adapter_connection *connection)
{
	int ret = adapter_dma_leave(connection);

	adapter_map_clear(connection);
	if (ret)
		dev_warn(&connection->object.session->adapter->dev,
			 "a DMA transfer to node %u does not end: its pages stay reserved there\n",
			 connection->node);
	return ret;
}

void adapter_release(struct adapter_connection *connection)
{
	struct adapter *adapter = connection->object.session->adapter;
	struct adapter_message message = {.kind = cpu_to_le32(ADAPTER_MESSAGE_DISCONNECT),
					  .cookie = cpu_to_le32(connection->cookie)};

	/*
	 * End the accesses before the message is sent: the owner may reuse the pages as soon as it
	 * has received the message.
	 */
	if (!connection_leave(connection) && !connection->lost)
		adapter_send(adapter, connection->node, &message);
	adapter_object_remove(&connection->object);
	kfree(connection);
}

/*
 * Mark a connection as lost, and end its accesses. Return: 0; -EBUSY if its pages are still
 * accessed.
 */
static int connection_lose(struct adapter_connection *connection)
{
	if (connection->lost)
		return 0;
	connection->lost = true;
	adapter_event(&connection->object, SMILE_ADAPTER_EVENT_LOST, connection->node);
	return connection_leave(connection);
}

bool adapter_connection_lost(struct adapter *adapter, u32 node, u32 cookie)
{
	struct adapter_connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node && connection->cookie == cookie && !connection->lost)
			return !connection_lose(connection);
	}
	return false;
}

/*
 * The segment's owner requests the end of the connection. The program decides when to disconnect,
 * so only send it an event.
 */
void adapter_connection_leave(struct adapter *adapter, u32 node, u32 cookie)
{
	struct adapter_connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node && connection->cookie == cookie && !connection->lost)
			adapter_event(&connection->object, SMILE_ADAPTER_EVENT_DISCONNECT, node);
	}
}

void adapter_connection_node_gone(struct adapter *adapter, u32 node)
{
	struct adapter_connection *connection;

	list_for_each_entry(connection, &adapter->connections, object.list) {
		if (connection->node == node)
			connection_lose(connection);
	}
}
