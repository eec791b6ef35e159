/* SPDX-License-Identifier: MIT */
/*
 * DMA queues: the function that posts a queue executes the queue's transfers itself, one after the
 * other. It uses no separate thread, because a program that polls the state of the queue could keep
 * that thread from running. The dispatcher calls the callback.
 */
#include <sys/ioctl.h>

#include "lib/sisci/sisci.h"

#define ENTRIES_MAX 4096

/**
 * struct transfer - A transfer of a queue.
 * @dma: the parameters for the driver
 * @local, @remote: the sessions of the two segments. The transfer has a reference to each, because
 *                  the queue can belong to a different session
 */
struct transfer {
	struct smile_adapter_dma dma;
	struct sci_desc *local;
	struct sci_desc *remote;
};

/**
 * struct sci_dma_queue - A queue.
 * @state: state of the queue
 * @max: number of transfers that can be enqueued
 * @room, @count: number of transfers for which @transfer has memory, which can be more than @max
 *                for a vector; number of queued transfers
 * @transfer: the transfers; while they are executed, only the thread that executes them may access
 *                them
 * @error: error of the last transfers
 * @aborting: SCIAbortDMAQueue() was called
 * @completions: completions that were not reported to the callback yet
 */
struct sci_dma_queue {
	struct object object;
	sci_dma_queue_state_t state;
	unsigned int max;
	unsigned int room;
	unsigned int count;
	struct transfer *transfer;
	sci_error_t error;
	bool aborting;
	STAILQ_HEAD(, completion) completions;
};

/*
 * Allocate memory for @count transfers. The caller must have the lock, and no transfer may be
 * running. Return: false if memory is missing.
 */
static bool reserve(struct sci_dma_queue *queue, size_t count)
{
	struct transfer *transfer;

	if (count <= queue->room)
		return true;
	transfer = realloc(queue->transfer, count * sizeof(*transfer));
	if (!transfer)
		return false;
	queue->transfer = transfer;
	queue->room = (unsigned int)count;
	return true;
}

/* Drop the transfers. The caller must have the lock, and no transfer may be running. */
static void clear(struct sci_dma_queue *queue)
{
	for (; queue->count; queue->count--) {
		sisci_put_locked(queue->transfer[queue->count - 1].local);
		sisci_put_locked(queue->transfer[queue->count - 1].remote);
	}
}

/*
 * Abort the running transfer of the session. If it belongs to another queue, the thread that
 * executes it starts it again.
 */
static void abort_moving(struct sci_dma_queue *queue)
{
	unsigned int i;

	queue->aborting = true;
	for (i = 0; i < queue->count; i++)
		ioctl(queue->transfer[i].remote->file, SMILE_ADAPTER_DMA_ABORT);
}

void SCICreateDMAQueue(sci_desc_t sd, sci_dma_queue_t *queue, unsigned int localAdapterNo,
		       unsigned int maxEntries, unsigned int flags, sci_error_t *error)
{
	struct sci_dma_queue *made = NULL;
	struct sci_desc *session;

	session = SISCI_BEGIN(queue, sd, KIND_SESSION, error);
	if (!session)
		return;
	if (!maxEntries || maxEntries > ENTRIES_MAX)
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else if (sisci_flags(flags,
			     SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SYSDMA | SCI_FLAG_DMA_ADAPTER, 0,
			     error) &&
		 sisci_adapter(session, localAdapterNo, error))
		made = sisci_new(sizeof(*made), KIND_DMA, session, error);
	if (made && !reserve(made, maxEntries)) {
		sisci_fail(error, sisci_error(ENOMEM, SCI_ERR_SYSTEM));
		free(made);
	} else if (made) {
		STAILQ_INIT(&made->completions);
		made->max = maxEntries;
		sisci_enter();
		sisci_add(made, 0);
		sisci_leave();
		*queue = made;
	}
	sisci_put(session);
}

struct completion *sisci_dma_completed(struct sci_dma_queue *queue)
{
	struct completion *first = STAILQ_FIRST(&queue->completions);

	if (first)
		STAILQ_REMOVE_HEAD(&queue->completions, link);
	return first;
}

bool sisci_dma_posted(const struct sci_dma_queue *queue)
{
	return queue->state == SCI_DMAQUEUE_POSTED;
}

void sisci_dma_end(struct sci_dma_queue *queue)
{
	struct completion *completion;

	if (queue->state == SCI_DMAQUEUE_POSTED) {
		abort_moving(queue);
	} else {
		clear(queue);
		free(queue->transfer);
		queue->transfer = NULL;
	}
	while ((completion = sisci_dma_completed(queue)))
		free(completion);
	sisci_remove(queue);
}

void SCIRemoveDMAQueue(sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)
{
	sisci_end(queue, KIND_DMA, flags, 0, error);
}

/* ---- execution of transfers ---- */

/*
 * Execute one transfer. The caller must not have the lock. A signal to this thread, or the abort of
 * another queue of the session, can end the transfer early. In this case, the function moves the
 * remaining bytes.
 */
static sci_error_t move_one(struct sci_dma_queue *queue, struct transfer *transfer)
{
	struct smile_adapter_dma *dma = &transfer->dma;

	while (!queue->aborting) {
		if (!ioctl(transfer->remote->file, SMILE_ADAPTER_DMA, dma))
			return SCI_ERR_OK;
		if (errno != EINTR && errno != ECANCELED)
			return sisci_error(errno, SCI_ERR_TRANSFER_FAILED);
		dma->segment_offset += dma->done;
		dma->remote_offset += dma->done;
		dma->bytes -= dma->done;
	}
	return SCI_ERR_CANCELLED;
}

static sci_error_t move_all(struct sci_dma_queue *queue)
{
	sci_error_t error = SCI_ERR_OK;
	unsigned int i;

	for (i = 0; i < queue->count && error == SCI_ERR_OK; i++)
		error = move_one(queue, &queue->transfer[i]);
	return error;
}

/* Add a completion that must be reported to the callback. The caller must have the lock. */
static void complete(struct sci_dma_queue *queue, struct completion *completion)
{
	completion->error = queue->error;
	STAILQ_INSERT_TAIL(&queue->completions, completion, link);
	sisci_dispatch_completed(queue);
}

/*
 * Post the queued transfers, and execute them. The caller must have the lock. The function releases
 * it during the execution, so that other threads can see that the queue is posted, and can abort
 * it. Return: false, with *error set, if the queue is not posted.
 */
static bool post(struct sci_dma_queue *queue, sci_cb_dma_t callback, void *arg, sci_error_t *error)
{
	struct sci_desc *sd = queue->object.sd;
	struct completion *completion = NULL;
	sci_error_t why;

	if (callback) {
		completion = malloc(sizeof(*completion));
		if (!completion)
			return sisci_fail(error, SCI_ERR_SYSTEM);
		*completion = (struct completion){.callback = callback, .arg = arg};
	}
	queue->aborting = false;
	queue->state = SCI_DMAQUEUE_POSTED;
	sd->object.users++;
	sisci_leave();
	why = move_all(queue);
	sisci_enter();
	queue->error = why;
	queue->state = why == SCI_ERR_OK	  ? SCI_DMAQUEUE_DONE
		       : why == SCI_ERR_CANCELLED ? SCI_DMAQUEUE_ABORTED
						  : SCI_DMAQUEUE_ERROR;
	clear(queue);
	if (queue->object.gone) {
		free(queue->transfer);
		queue->transfer = NULL;
		free(completion);
	} else if (completion) {
		complete(queue, completion);
	}
	pthread_cond_broadcast(&sisci_changed);
	sisci_put_locked(sd);
	return true;
}

/* Wait until the queue is no longer posted. The caller must have the lock. */
static void wait_for(struct sci_dma_queue *queue)
{
	while (queue->state == SCI_DMAQUEUE_POSTED && !queue->object.gone)
		sisci_wait_change();
}

/* ---- transfers ---- */

struct part {
	size_t local_offset;
	size_t remote_offset;
	size_t bytes;
};

static bool range(const struct part *part, size_t local_bytes, size_t remote_bytes)
{
	return part->bytes && part->bytes <= local_bytes && part->bytes <= remote_bytes &&
	       part->local_offset <= local_bytes - part->bytes &&
	       part->remote_offset <= remote_bytes - part->bytes;
}

/*
 * Add one transfer of at most @max bytes. There must be memory for the transfer, and the caller
 * must have the lock. Return: false after an error, with *error set.
 */
static bool add(struct sci_dma_queue *queue, const struct sci_local_segment *local,
		const struct sci_remote_segment *remote, const struct part *part, bool read,
		size_t max, sci_error_t *error)
{
	bool other = local->object.sd != remote->object.sd;

	if (!local->prepared && !local->attached)
		return sisci_fail(error, SCI_ERR_SEGMENT_NOT_PREPARED);
	if (remote->lost)
		return sisci_fail(error, SCI_ERR_SEGMENT_NOT_CONNECTED);
	if (!range(part, local->bytes, remote->bytes))
		return sisci_fail(error, SCI_ERR_OUT_OF_RANGE);
	if (queue->count >= max)
		return sisci_fail(error, SCI_ERR_MAX_ENTRIES);
	queue->transfer[queue->count++] = (struct transfer){
		.local = local->object.sd,
		.remote = remote->object.sd,
		.dma = {.segment = local->object.handle,
			.remote = remote->object.handle,
			.segment_offset = part->local_offset,
			.remote_offset = part->remote_offset,
			.bytes = part->bytes,
			.flags = (read ? SMILE_ADAPTER_DMA_READ : 0) |
				 (other ? SMILE_ADAPTER_DMA_FILE : 0),
			.file = other ? local->object.sd->file : 0},
	};
	local->object.sd->object.users++;
	remote->object.sd->object.users++;
	return true;
}

sci_dma_queue_state_t SCIEnqueueDMATransfer(sci_dma_queue_t queue, sci_local_segment_t local,
					    sci_remote_segment_t remote, unsigned int localOffset,
					    unsigned int remoteOffset, unsigned int size,
					    unsigned int flags, sci_error_t *error)
{
	const unsigned int whole = SCI_FLAG_DMA_POST | SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_RESET;
	struct part part = {localOffset, remoteOffset, size};
	struct sci_dma_queue *used = sisci_get(queue, KIND_DMA, error);
	sci_dma_queue_state_t state = SCI_DMAQUEUE_ERROR;
	struct sci_remote_segment *to;
	struct sci_local_segment *from;

	if (!used)
		return state;
	from = sisci_get(local, KIND_SEGMENT, error);
	to = from ? sisci_get(remote, KIND_REMOTE, error) : NULL;
	if (to && sisci_flags(flags, SCI_FLAG_DMA_READ | whole, 0, error)) {
		sisci_enter();
		if (used->state != SCI_DMAQUEUE_IDLE && used->state != SCI_DMAQUEUE_GATHER) {
			sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
		} else if (add(used, from, to, &part, flags & SCI_FLAG_DMA_READ, used->max,
			       error)) {
			used->state = SCI_DMAQUEUE_GATHER;
			if (flags & whole && post(used, NULL, NULL, error)) {
				if (used->state == SCI_DMAQUEUE_ERROR)
					sisci_fail(error, used->error);
				if (flags & SCI_FLAG_DMA_RESET)
					used->state = SCI_DMAQUEUE_IDLE;
			}
		}
		state = used->state;
		sisci_leave();
	}
	sisci_put(to);
	sisci_put(from);
	sisci_put(used);
	return state;
}

void SCIPostDMAQueue(sci_dma_queue_t queue, sci_cb_dma_t callback, void *arg, unsigned int flags,
		     sci_error_t *error)
{
	struct sci_dma_queue *used =
		sisci_use(queue, KIND_DMA, flags, SCI_FLAG_USE_CALLBACK, error);

	if (!used)
		return;
	sisci_enter();
	if (used->state != SCI_DMAQUEUE_GATHER)
		sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	else
		post(used, flags & SCI_FLAG_USE_CALLBACK ? callback : NULL, arg, error);
	sisci_leave();
	sisci_put(used);
}

void SCIResetDMAQueue(sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)
{
	struct sci_dma_queue *used = sisci_use(queue, KIND_DMA, flags, 0, error);

	if (!used)
		return;
	sisci_enter();
	if (used->state == SCI_DMAQUEUE_POSTED) {
		sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	} else {
		clear(used);
		used->state = SCI_DMAQUEUE_IDLE;
	}
	sisci_leave();
	sisci_put(used);
}

sci_dma_queue_state_t SCIDMAQueueState(sci_dma_queue_t queue)
{
	struct sci_dma_queue *used = sisci_get(queue, KIND_DMA, NULL);
	sci_dma_queue_state_t state = SCI_DMAQUEUE_ERROR;

	if (!used)
		return state;
	sisci_enter();
	state = used->state;
	sisci_leave();
	sisci_put(used);
	return state;
}

sci_dma_queue_state_t SCIWaitForDMAQueue(sci_dma_queue_t queue, unsigned int timeout,
					 unsigned int flags, sci_error_t *error)
{
	struct sci_dma_queue *used = sisci_use(queue, KIND_DMA, flags, 0, error);
	struct timespec deadline = sisci_deadline(timeout);
	sci_dma_queue_state_t state = SCI_DMAQUEUE_ERROR;
	bool late = false;

	if (!used)
		return state;
	sisci_enter();
	if (used->state == SCI_DMAQUEUE_IDLE || used->state == SCI_DMAQUEUE_GATHER)
		sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	while (used->state == SCI_DMAQUEUE_POSTED && !late && !used->object.gone)
		late = !sisci_wait(&used->object, timeout, &deadline);
	state = used->state;
	if (state == SCI_DMAQUEUE_POSTED)
		sisci_fail(error, used->object.gone ? SCI_ERR_CANCELLED : SCI_ERR_TIMEOUT);
	else if (state == SCI_DMAQUEUE_ERROR)
		sisci_fail(error, used->error);
	sisci_leave();
	sisci_put(used);
	return state;
}

void SCIAbortDMAQueue(sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)
{
	struct sci_dma_queue *used = sisci_use(queue, KIND_DMA, flags, 0, error);

	if (!used)
		return;
	sisci_enter();
	if (used->state != SCI_DMAQUEUE_POSTED) {
		sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	} else {
		abort_moving(used);
		wait_for(used);
	}
	sisci_leave();
	sisci_put(used);
}

void SCIStartDmaTransferVec(sci_dma_queue_t queue, sci_local_segment_t local,
			    sci_remote_segment_t remote, size_t count, dis_dma_vec_t *vector,
			    sci_cb_dma_t callback, void *arg, unsigned int flags,
			    sci_error_t *error)
{
	struct sci_dma_queue *used = sisci_get(queue, KIND_DMA, error);
	struct sci_remote_segment *to;
	struct sci_local_segment *from;
	bool good = true;
	size_t i;

	if (!used)
		return;
	from = sisci_get(local, KIND_SEGMENT, error);
	to = from ? sisci_get(remote, KIND_REMOTE, error) : NULL;
	if (!vector || !count || count > DIS_DMA_MAX_VECLEN)
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else if (to && sisci_flags(flags,
				   SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_READ | SCI_FLAG_DMA_WAIT |
					   SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SYSDMA |
					   SCI_FLAG_DMA_ADAPTER,
				   SCI_FLAG_BROADCAST, error)) {
		sisci_enter();
		if (used->state == SCI_DMAQUEUE_POSTED || used->state == SCI_DMAQUEUE_GATHER) {
			good = sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
		} else if (!reserve(used, count)) {
			good = sisci_fail(error, SCI_ERR_SYSTEM);
		} else {
			clear(used);
		}
		for (i = 0; good && i < count; i++) {
			struct part part = {vector[i].local_offset, vector[i].remote_offset,
					    vector[i].size};

			good = add(used, from, to, &part, flags & SCI_FLAG_DMA_READ, count, error);
		}
		if (good) {
			good = post(used, flags & SCI_FLAG_USE_CALLBACK ? callback : NULL, arg,
				    error);
			if (good && flags & SCI_FLAG_DMA_WAIT && used->state != SCI_DMAQUEUE_DONE)
				sisci_fail(error, used->error);
		}
		if (!good && used->state != SCI_DMAQUEUE_POSTED &&
		    used->state != SCI_DMAQUEUE_GATHER)
			clear(used);
		sisci_leave();
	}
	sisci_put(to);
	sisci_put(from);
	sisci_put(used);
}

void SCIStartDmaTransfer(sci_dma_queue_t queue, sci_local_segment_t local,
			 sci_remote_segment_t remote, size_t localOffset, size_t size,
			 size_t remoteOffset, sci_cb_dma_t callback, void *arg, unsigned int flags,
			 sci_error_t *error)
{
	dis_dma_vec_t part = {.size = (unsigned int)size,
			      .local_offset = (unsigned int)localOffset,
			      .remote_offset = (unsigned int)remoteOffset};

	sisci_ok(error);
	if (size > UINT32_MAX || localOffset > UINT32_MAX || remoteOffset > UINT32_MAX)
		sisci_fail(error, SCI_ERR_OUT_OF_RANGE);
	else
		SCIStartDmaTransferVec(queue, local, remote, 1, &part, callback, arg, flags, error);
}
