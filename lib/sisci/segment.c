/* SPDX-License-Identifier: MIT */
/*
 * Segments: creates segments of this node, and connects to segments of other nodes. A program
 * creates a segment, prepares it, and makes it available, and later unavailable. Only an available
 * segment accepts connections.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "lib/sisci/sisci.h"

/*
 * Wait for an event of a segment. @called: events are delivered only to a callback. In this case,
 * the function fails.
 */
static void wait_event(struct object *segment, struct events *events, bool called,
		       unsigned int timeout, struct event *event, sci_error_t *error)
{
	sci_error_t why;

	sisci_enter();
	why = called ? SCI_ERR_ILLEGAL_OPERATION
		     : sisci_event_wait(segment, events, timeout, event);
	sisci_leave();
	sisci_fail(error, why);
}

/* ---- of this node ---- */

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId,
		      size_t size, sci_cb_local_segment_t callback, void *arg, unsigned int flags,
		      sci_error_t *error)
{
	struct smile_adapter_segment make = {.id = segmentId, .bytes = size};
	struct sci_local_segment *made = NULL;
	struct sci_desc *session;

	session = SISCI_BEGIN(segment, sd, KIND_SESSION, error);
	if (!session)
		return;
	if (sisci_flags(flags,
			SCI_FLAG_USE_CALLBACK | SCI_FLAG_EMPTY | SCI_FLAG_PRIVATE |
				SCI_FLAG_AUTO_ID | SCI_FLAG_ALLOW_UNICAST | SCI_FLAG_DMA_GLOBAL,
			SCI_FLAG_BROADCAST, error))
		made = sisci_new(sizeof(*made), KIND_SEGMENT, session, error);
	if (made) {
		made->bytes = size;
		made->private = flags & SCI_FLAG_PRIVATE;
		made->empty = flags & SCI_FLAG_EMPTY;
		made->callback = flags & SCI_FLAG_USE_CALLBACK ? callback : NULL;
		made->arg = arg;
		if (flags & SCI_FLAG_AUTO_ID)
			make.flags = SMILE_ADAPTER_SEGMENT_AUTO_ID;
		/*
		 * Create an empty segment with one page, because the driver needs a page to
		 * register the id of the segment.
		 */
		if (flags & SCI_FLAG_EMPTY)
			make.bytes = 1;
		sisci_enter();
		if (!ioctl(session->file, SMILE_ADAPTER_SEGMENT_CREATE, &make)) {
			made->id = make.id;
			made->page = make.page;
			sisci_add(made, make.handle);
			*segment = made;
		} else {
			sisci_fail(error, errno == EINVAL ? SCI_ERR_SIZE_ALIGNMENT
							  : sisci_error(errno, SCI_ERR_SYSTEM));
			free(made);
		}
		sisci_leave();
	}
	sisci_put(session);
}

void SCIPrepareSegment(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
		       sci_error_t *error)
{
	struct sci_local_segment *local =
		sisci_use(segment, KIND_SEGMENT, flags, SCI_FLAG_DMA_SOURCE_ONLY, error);

	if (!local)
		return;
	if (sisci_adapter(local->object.sd, localAdapterNo, error)) {
		sisci_enter();
		local->prepared = true;
		sisci_leave();
	}
	sisci_put(local);
}

/*
 * Set the state of a segment. The driver waits for the connected nodes, so the caller must not have
 * the lock.
 */
static void set_state(struct sci_local_segment *local, unsigned int state, sci_error_t *error)
{
	struct smile_adapter_state set = {.handle = local->object.handle, .state = state};

	if (ioctl(local->object.sd->file, SMILE_ADAPTER_SEGMENT_STATE, &set)) {
		sisci_fail(error, sisci_error(errno, SCI_ERR_SYSTEM));
		return;
	}
	sisci_enter();
	local->available = state == SMILE_ADAPTER_AVAILABLE;
	sisci_leave();
}

/*
 * Check whether a segment can be made available. Return: SCI_ERR_OK if it can; otherwise the reason
 * why it cannot.
 */
static sci_error_t unfit(const struct sci_local_segment *local)
{
	sci_error_t why = SCI_ERR_OK;

	sisci_enter();
	if (!local->prepared)
		why = SCI_ERR_SEGMENT_NOT_PREPARED;
	else if (local->private || local->empty || local->attached)
		why = SCI_ERR_ILLEGAL_OPERATION;
	sisci_leave();
	return why;
}

void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int localAdapterNo,
			    unsigned int flags, sci_error_t *error)
{
	struct sci_local_segment *local = sisci_use(segment, KIND_SEGMENT, flags, 0, error);
	sci_error_t why;

	if (!local)
		return;
	if (sisci_adapter(local->object.sd, localAdapterNo, error)) {
		why = unfit(local);
		if (why == SCI_ERR_OK)
			set_state(local, SMILE_ADAPTER_AVAILABLE, error);
		else
			sisci_fail(error, why);
	}
	sisci_put(local);
}

void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int localAdapterNo,
			      unsigned int flags, sci_error_t *error)
{
	struct sci_local_segment *local = sisci_use(
		segment, KIND_SEGMENT, flags, SCI_FLAG_NOTIFY | SCI_FLAG_FORCE_DISCONNECT, error);
	unsigned int state = flags & SCI_FLAG_FORCE_DISCONNECT ? SMILE_ADAPTER_DISCONNECT
			     : flags & SCI_FLAG_NOTIFY	       ? SMILE_ADAPTER_NOTIFY
							       : SMILE_ADAPTER_UNAVAILABLE;
	bool available;

	if (!local)
		return;
	if (sisci_adapter(local->object.sd, localAdapterNo, error)) {
		sisci_enter();
		available = local->available;
		sisci_leave();
		if (available)
			set_state(local, state, error);
		else
			sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	}
	sisci_put(local);
}

void sisci_segment_end(struct sci_local_segment *segment)
{
	struct smile_adapter_handle handle = {.handle = segment->object.handle};

	sisci_former_add(segment,
			 &(struct sisci_former){.id = segment->id, .bytes = segment->bytes});
	ioctl(segment->object.sd->file, SMILE_ADAPTER_SEGMENT_REMOVE, &handle);
	sisci_remove(segment);
}

void SCIRemoveSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
	sisci_end(segment, KIND_SEGMENT, flags, SCI_FLAG_FORCE_DISCONNECT, error);
}

size_t SCIGetLocalSegmentSize(sci_local_segment_t segment)
{
	struct sci_local_segment *local = sisci_get(segment, KIND_SEGMENT, NULL);
	size_t bytes = local ? local->bytes : sisci_former(segment).bytes;

	sisci_put(local);
	return bytes;
}

unsigned int SCIGetLocalSegmentId(sci_local_segment_t segment)
{
	struct sci_local_segment *local = sisci_get(segment, KIND_SEGMENT, NULL);
	unsigned int id = local ? local->id : sisci_former(segment).id;

	sisci_put(local);
	return id;
}

sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment,
						    unsigned int *nodeId,
						    unsigned int *localAdapterNo,
						    unsigned int timeout, unsigned int flags,
						    sci_error_t *error)
{
	struct sci_local_segment *local = sisci_use(segment, KIND_SEGMENT, flags, 0, error);
	struct event event = {0};

	if (!local)
		return event.reason;
	wait_event(&local->object, &local->events, local->callback, timeout, &event, error);
	if (nodeId)
		*nodeId = NODE_ID(event.node);
	if (localAdapterNo)
		*localAdapterNo = local->object.sd->adapter;
	sisci_put(local);
	return event.reason;
}

void SCIShareSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
	struct sci_local_segment *local = sisci_use(segment, KIND_SEGMENT, flags, 0, error);
	struct smile_adapter_handle handle = {0};

	if (!local)
		return;
	handle.handle = local->object.handle;
	if (ioctl(local->object.sd->file, SMILE_ADAPTER_SEGMENT_SHARE, &handle))
		sisci_fail(error, sisci_error(errno, SCI_ERR_SYSTEM));
	sisci_put(local);
}

void SCIAttachLocalSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId,
			   size_t *size, sci_cb_local_segment_t callback, void *arg,
			   unsigned int flags, sci_error_t *error)
{
	struct smile_adapter_attach attach = {.id = segmentId};
	struct sci_local_segment *made = NULL;
	struct sci_desc *session;

	session = SISCI_BEGIN(segment, sd, KIND_SESSION, error);
	if (!session)
		return;
	if (sisci_flags(flags, SCI_FLAG_USE_CALLBACK, 0, error))
		made = sisci_new(sizeof(*made), KIND_SEGMENT, session, error);
	if (made) {
		made->id = segmentId;
		made->attached = true;
		made->callback = flags & SCI_FLAG_USE_CALLBACK ? callback : NULL;
		made->arg = arg;
		sisci_enter();
		if (!ioctl(session->file, SMILE_ADAPTER_SEGMENT_ATTACH, &attach)) {
			made->bytes = attach.bytes;
			made->page = attach.page;
			sisci_add(made, attach.handle);
			*segment = made;
			if (size)
				*size = attach.bytes;
		} else {
			sisci_fail(error, sisci_error(errno, SCI_ERR_NO_SUCH_SEGMENT));
			free(made);
		}
		sisci_leave();
	}
	sisci_put(session);
}

/*
 * This function always fails. A segment is memory of the adapter, so a program cannot export its
 * own pages.
 */
void SCIRegisterSegmentMemory(void *address, size_t size, sci_local_segment_t segment,
			      unsigned int flags, sci_error_t *error)
{
	(void)address;
	(void)size;
	(void)segment;
	(void)flags;
	sisci_fail(error, SCI_ERR_NOT_IMPLEMENTED);
}

/* ---- of other nodes ---- */

/*
 * Make the driver connect to a segment of another node. The driver waits for the other node, so the
 * caller must not have the lock. Return: true if @made is in the list of objects, with a further
 * reference; false after an error, with *error set.
 */
static bool connect_remote(struct sci_remote_segment *made, struct smile_adapter_connect *connect,
			   sci_error_t *error)
{
	int ret;

	sisci_enter();
	sisci_connecting++;
	sisci_leave();
	ret = ioctl(made->object.sd->file, SMILE_ADAPTER_CONNECT, connect) ? errno : 0;
	sisci_enter();
	sisci_connecting--;
	pthread_cond_broadcast(&sisci_changed);
	if (!ret) {
		made->bytes = connect->exact_bytes;
		made->page = connect->page;
		made->object.users++;
		sisci_add(made, connect->handle);
	}
	sisci_leave();
	if (ret)
		sisci_fail(error, sisci_error(ret, SCI_ERR_NO_SUCH_SEGMENT));
	return !ret;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId,
		       unsigned int segmentId, unsigned int localAdapterNo,
		       sci_cb_remote_segment_t callback, void *arg, unsigned int timeout,
		       unsigned int flags, sci_error_t *error)
{
	struct smile_adapter_connect connect = {.id = segmentId};
	struct sci_remote_segment *made = NULL;
	struct sci_desc *session;

	(void)timeout;
	session = SISCI_BEGIN(segment, sd, KIND_SESSION, error);
	if (!session)
		return;
	if (sisci_flags(flags, SCI_FLAG_USE_CALLBACK | SCI_FLAG_ASYNCHRONOUS_CONNECT,
			SCI_FLAG_BROADCAST, error) &&
	    sisci_adapter(session, localAdapterNo, error) &&
	    sisci_node(session, nodeId, &connect.node, error))
		made = sisci_new(sizeof(*made), KIND_REMOTE, session, error);
	if (made) {
		made->node = connect.node;
		made->id = segmentId;
		made->callback = flags & SCI_FLAG_USE_CALLBACK ? callback : NULL;
		made->arg = arg;
		if (connect_remote(made, &connect, error)) {
			*segment = made;
			/*
			 * The segment is already connected. For an asynchronous connection, an
			 * event must report this nevertheless.
			 */
			if (flags & SCI_FLAG_ASYNCHRONOUS_CONNECT)
				sisci_dispatch_connected(made);
			sisci_put(made);
		} else {
			free(made);
		}
	}
	sisci_put(session);
}

void sisci_remote_end(struct sci_remote_segment *segment)
{
	struct smile_adapter_handle handle = {.handle = segment->object.handle};

	sisci_former_add(segment, &(struct sisci_former){.id = segment->id,
							 .node_id = NODE_ID(segment->node),
							 .bytes = segment->bytes});
	ioctl(segment->object.sd->file, SMILE_ADAPTER_RELEASE, &handle);
	sisci_remove(segment);
}

void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error)
{
	sisci_end(segment, KIND_REMOTE, flags, 0, error);
}

bool sisci_remote_lost(struct sci_remote_segment *remote)
{
	void *page;

	if (remote->lost)
		return true;
	/* Try to map a page, because the driver rejects this if the segment is lost. */
	page = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, remote->object.sd->file,
		    (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_REMOTE, remote->object.handle));
	if (page != MAP_FAILED)
		munmap(page, PAGE_BYTES);
	else
		remote->lost = errno == ENOTCONN;
	return remote->lost;
}

size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment)
{
	struct sci_remote_segment *remote = sisci_get(segment, KIND_REMOTE, NULL);
	size_t bytes = remote ? remote->bytes : sisci_former(segment).bytes;

	sisci_put(remote);
	return bytes;
}

unsigned int SCIGetRemoteSegmentId(sci_remote_segment_t segment)
{
	struct sci_remote_segment *remote = sisci_get(segment, KIND_REMOTE, NULL);
	unsigned int id = remote ? remote->id : sisci_former(segment).id;

	sisci_put(remote);
	return id;
}

unsigned int SCIGetRemoteSegmentNodeId(sci_remote_segment_t segment)
{
	struct sci_remote_segment *remote = sisci_get(segment, KIND_REMOTE, NULL);
	unsigned int id = remote ? NODE_ID(remote->node) : sisci_former(segment).node_id;

	sisci_put(remote);
	return id;
}

sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t segment,
						     sci_error_t *status, unsigned int timeout,
						     unsigned int flags, sci_error_t *error)
{
	struct sci_remote_segment *remote = sisci_use(segment, KIND_REMOTE, flags, 0, error);
	struct event event = {0};

	if (!remote)
		return event.reason;
	wait_event(&remote->object, &remote->events, remote->callback, timeout, &event, error);
	if (status)
		*status = SCI_ERR_OK;
	sisci_put(remote);
	return event.reason;
}
