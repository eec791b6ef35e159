// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA between a segment of this node and a connected segment.
 *
 * What lives here: transfers. Only one transfer runs at a time. Other transfers wait for the mutex
 * adapter.dma. A transfer holds a reference to the segment's memory. If the other node withdraws
 * its pages, the transfer ends with an error. The engine has its own copy of the node's number and
 * of the offset. The driver therefore aborts a transfer before its connection ends, and releases
 * the memory only after the engine has stopped accessing it. May use: segment.c, session.c.
 */
#include <linux/delay.h>

#include <linux/file.h>
#include <linux/fs.h>

#include "smile_adapter.h"

#define LEAVE_TRIES 1000

static int dma_status(u32 status)
{
	switch (status) {
	case ADAPTER_ERROR_NONE:
		return 0;
	case ADAPTER_ERROR_ABORTED:
		return -ECANCELED;
	case ADAPTER_ERROR_NODE:
		return -EHOSTUNREACH;
	default:
		return -EIO;
	}
}

/* Check whether @bytes bytes from @offset on are within @size. */
static bool dma_within(u64 offset, u64 bytes, u64 size)
{
	return bytes <= size && offset <= size - bytes;
}

/* Check whether the engine is busy. If the adapter is gone, the engine is not busy. */
static bool dma_busy(struct adapter *adapter)
{
	u32 status = adapter_read(adapter, ADAPTER_REG_STATUS);

	return status != ADAPTER_ABSENT && status & ADAPTER_STATUS_DMA;
}

/*
 * Check the arguments and start a transfer. @owner: the session of the segment. Return: the
 * segment's memory, with a reference; or an error pointer.
 */
static struct adapter_memory *dma_start(struct adapter_session *session,
					struct adapter_session *owner,
					const struct smile_adapter_dma *args)
{
	struct adapter *adapter = session->adapter;
	struct adapter_segment *segment = adapter_segment_find(owner, args->segment);
	struct adapter_object *object =
		adapter_object_find(session, args->remote, ADAPTER_OBJECT_CONNECTION);
	struct adapter_connection *connection;

	if (!segment || !object)
		return ERR_PTR(-EBADF);
	connection = container_of(object, struct adapter_connection, object);
	if (connection->lost)
		return ERR_PTR(-ENOTCONN);
	if (!args->bytes || args->bytes > U32_MAX ||
	    !dma_within(args->segment_offset, args->bytes,
			(u64)segment->memory->pages * ADAPTER_PAGE_BYTES) ||
	    !dma_within(args->remote_offset, args->bytes,
			(u64)connection->pages * ADAPTER_PAGE_BYTES))
		return ERR_PTR(-ERANGE);
	if (dma_busy(adapter))
		return ERR_PTR(-EBUSY);
	reinit_completion(&adapter->dma_done);
	adapter->dma_session = session;
	adapter->dma_connection = connection;
	adapter_write(adapter, ADAPTER_REG_DMA_LOCAL,
		      segment->memory->page * ADAPTER_PAGE_BYTES + args->segment_offset);
	adapter_write(adapter, ADAPTER_REG_DMA_NODE, connection->node);
	adapter_write(adapter, ADAPTER_REG_DMA_REMOTE,
		      connection->page * ADAPTER_PAGE_BYTES + args->remote_offset);
	adapter_write(adapter, ADAPTER_REG_DMA_BYTES, args->bytes);
	adapter_write(adapter, ADAPTER_REG_DMA_COMMAND,
		      args->flags & SMILE_ADAPTER_DMA_READ ? ADAPTER_DMA_READ : ADAPTER_DMA_WRITE);
	return adapter_memory_get(segment->memory);
}

/* Abort the transfer, and wait until the engine makes no more accesses. Return: 0, or -EBUSY. */
static int dma_abort(struct adapter *adapter)
{
	int tries;

	adapter_write(adapter, ADAPTER_REG_DMA_COMMAND, ADAPTER_DMA_ABORT);
	for (tries = 0; dma_busy(adapter); tries++) {
		if (tries == LEAVE_TRIES)
			return -EBUSY;
		usleep_range(10, 100);
	}
	return 0;
}

int adapter_dma_leave(struct adapter_connection *connection)
{
	struct adapter *adapter = connection->object.session->adapter;

	if (adapter->dma_connection != connection)
		return 0;
	adapter->dma_connection = NULL;
	return dma_abort(adapter);
}

/* Wait until the transfer has ended. Return: 0; -EINTR if a signal aborts it. */
static int dma_wait(struct adapter *adapter)
{
	bool busy;
	int ret;

	do {
		ret = wait_for_completion_interruptible(&adapter->dma_done);
		mutex_lock(&adapter->lock);
		if (ret)
			dma_abort(adapter);
		/*
		 * Read STATUS, which shows whether this transfer has ended: the interrupt of an
		 * earlier, aborted transfer may arrive only now.
		 */
		busy = dma_busy(adapter);
		mutex_unlock(&adapter->lock);
	} while (busy && !ret);
	return ret ? -EINTR : 0;
}

/* Determine the result of the transfer. Called with adapter.lock held. */
static int dma_end(struct adapter *adapter, struct smile_adapter_dma *args,
		   struct adapter_memory *memory, int interrupted)
{
	bool left = !adapter->dma_connection;
	int ret;

	adapter->dma_session = NULL;
	adapter->dma_connection = NULL;
	if (dma_busy(adapter)) {
		dev_warn(&adapter->dev,
			 "a DMA transfer does not end; %u pages stay reserved until it does\n",
			 memory->pages);
		adapter_memory_keep(memory, false);
		return -EIO;
	}
	adapter_memory_put(memory);
	if (adapter->gone || adapter->down)
		return adapter->gone ? -ENODEV : -ENOTCONN;
	args->done = adapter_read(adapter, ADAPTER_REG_DMA_DONE);
	ret = dma_status(adapter_read(adapter, ADAPTER_REG_DMA_STATUS));
	if (ret == -ECANCELED && left)
		return -ENOTCONN;
	return ret == -ECANCELED && interrupted ? -EINTR : ret;
}

static int dma_move(struct adapter_session *session, struct adapter_session *owner,
		    struct smile_adapter_dma *args)
{
	struct adapter *adapter = session->adapter;
	struct adapter_memory *memory;
	int ret, interrupted;

	if (mutex_lock_interruptible(&adapter->dma))
		return -ERESTARTSYS;
	scoped_guard(mutex, &adapter->lock)
		memory = adapter->gone ? ERR_PTR(-ENODEV) : dma_start(session, owner, args);
	if (IS_ERR(memory)) {
		ret = PTR_ERR(memory);
		goto unlock;
	}
	interrupted = dma_wait(adapter);
	scoped_guard(mutex, &adapter->lock)
		ret = dma_end(adapter, args, memory, interrupted);
unlock:
	mutex_unlock(&adapter->dma);
	return ret;
}

int adapter_dma(struct adapter_session *session, struct smile_adapter_dma *args)
{
	struct adapter_session *owner;
	struct file *file;
	int ret = -EBADF;

	args->done = 0;
	if (!(args->flags & SMILE_ADAPTER_DMA_FILE))
		return dma_move(session, session, args);
	file = fget(args->file);
	if (!file)
		return ret;
	owner = adapter_session(file);
	if (owner && owner->adapter == session->adapter)
		ret = dma_move(session, owner, args);
	fput(file);
	return ret;
}

void adapter_dma_abort(struct adapter_session *session)
{
	struct adapter *adapter = session->adapter;

	guard(mutex)(&adapter->lock);
	if (adapter->dma_session == session)
		adapter_write(adapter, ADAPTER_REG_DMA_COMMAND, ADAPTER_DMA_ABORT);
}
