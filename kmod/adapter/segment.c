// SPDX-License-Identifier: GPL-2.0-only
/*
 * Segments: this node's memory, and the nodes that may access it.
 *
 * What lives here: the allocation and the export of pages, and the connections of other nodes. A
 * page becomes free when its segment, all mappings and all connections have released it. A node
 * that was connected must first confirm that it has cleared its translation, or be gone. Otherwise
 * that node could access the page after the page has been given to another segment. All functions
 * are called with adapter.lock held, except the creation of a segment. May use: message.c,
 * session.c.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/slab.h>

#include "smile_adapter.h"

#define REVOKE_TRIES 1000
#define KEPT_LOOK_MS 100 /* interval at which the driver checks whether kept pages are free */
#define ZERO_PAGES 64 /* pages that are zeroed in one step, with adapter.lock held */

/* ---- pages ---- */

/* Export the memory, or end its export. Return: 0; -EIO if the adapter rejects the command. */
static int memory_export(struct adapter_memory *memory, u32 command)
{
	struct adapter *adapter = memory->adapter;

	adapter_refused(adapter);
	adapter_write(adapter, ADAPTER_REG_EXPORT_PAGE, memory->page);
	adapter_write(adapter, ADAPTER_REG_EXPORT_COUNT, memory->pages);
	adapter_write(adapter, ADAPTER_REG_EXPORT_COMMAND, command);
	if (!adapter_refused(adapter))
		return 0;
	dev_warn(&adapter->dev,
		 "the adapter refuses to export pages %u to %u, or to end their export\n",
		 memory->page, memory->page + memory->pages - 1);
	return -EIO;
}

static struct adapter_memory *memory_alloc(struct adapter_session *session, u32 pages)
{
	struct adapter *adapter = session->adapter;
	struct adapter_memory *memory;
	unsigned long page;
	int ret;

	ret = adapter_limit_memory(session, pages);
	if (ret)
		return ERR_PTR(ret);
	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	page = bitmap_find_next_zero_area(adapter->memory_map, adapter->memory_pages, 0, pages, 0);
	if (page >= adapter->memory_pages) {
		kfree(memory);
		return ERR_PTR(-ENOSPC);
	}
	bitmap_set(adapter->memory_map, page, pages);
	kref_init(&memory->ref);
	memory->adapter = adapter;
	memory->page = page;
	memory->pages = pages;
	memory->session = session;
	INIT_LIST_HEAD(&memory->kept);
	list_add(&memory->list, &session->memories);
	session->memory_pages += pages;
	get_device(&adapter->dev);
	return memory;
}

/*
 * Zero the memory in parts, so that other callers can use the adapter between the parts. Zeroing
 * the whole memory takes long. Called without adapter.lock.
 */
static int memory_zero(struct adapter *adapter, const struct adapter_memory *memory)
{
	u32 page, pages;
	int ret = 0;

	for (page = 0; page < memory->pages && !ret; page += pages) {
		pages = min_t(u32, memory->pages - page, ZERO_PAGES);
		mutex_lock(&adapter->lock);
		if (adapter->gone || adapter->down)
			ret = adapter->gone ? -ENODEV : -EAGAIN;
		else
			memset_io(adapter->memory +
					  (size_t)(memory->page + page) * ADAPTER_PAGE_BYTES,
				  0, (size_t)pages * ADAPTER_PAGE_BYTES);
		mutex_unlock(&adapter->lock);
		cond_resched();
		if (fatal_signal_pending(current))
			ret = -EINTR;
	}
	return ret;
}

struct adapter_memory *adapter_memory_get(struct adapter_memory *memory)
{
	kref_get(&memory->ref);
	return memory;
}

static void memory_free(struct kref *ref)
{
	struct adapter_memory *memory = container_of(ref, struct adapter_memory, ref);
	struct adapter *adapter = memory->adapter;

	bitmap_clear(adapter->memory_map, memory->page, memory->pages);
	if (memory->session)
		memory->session->memory_pages -= memory->pages;
	list_del(&memory->list);
	kfree(memory);
	put_device(&adapter->dev);
}

void adapter_memory_put(struct adapter_memory *memory)
{
	kref_put(&memory->ref, memory_free);
}

void adapter_memory_orphan(struct adapter_session *session)
{
	struct adapter_memory *memory, *next;

	list_for_each_entry_safe(memory, next, &session->memories, list) {
		memory->session = NULL;
		list_del_init(&memory->list);
	}
}

/* ---- pages that nothing on this node holds, but that may still be accessed ---- */

void adapter_memory_keep(struct adapter_memory *memory, bool refused)
{
	struct adapter *adapter = memory->adapter;

	memory->refused |= refused;
	/*
	 * If the adapter is gone, put the pages immediately, because they will not be used again.
	 */
	if (adapter->gone || !list_empty(&memory->kept)) {
		adapter_memory_put(memory);
		return;
	}
	list_add_tail(&memory->kept, &adapter->kept);
	schedule_delayed_work(&adapter->settle, msecs_to_jiffies(KEPT_LOOK_MS));
}

/*
 * Free the kept pages that are no longer accessed. Return: whether further pages will become free.
 */
static bool kept_free(struct adapter *adapter, bool accessed)
{
	struct adapter_memory *memory, *next;
	bool more = false;

	list_for_each_entry_safe(memory, next, &adapter->kept, kept) {
		if (!adapter->gone && (accessed || memory->refused)) {
			more |= !memory->refused;
			continue;
		}
		list_del_init(&memory->kept);
		adapter_memory_put(memory);
	}
	return more;
}

static void segment_settle(struct work_struct *work)
{
	struct adapter *adapter = container_of(to_delayed_work(work), struct adapter, settle);
	u32 status;

	guard(mutex)(&adapter->lock);
	status = adapter_read(adapter, ADAPTER_REG_STATUS);
	if (kept_free(adapter, status == ADAPTER_ABSENT || status & ADAPTER_STATUS_REVOKING ||
				       status & ADAPTER_STATUS_DMA))
		schedule_delayed_work(&adapter->settle, msecs_to_jiffies(KEPT_LOOK_MS));
}

/* ---- segments ---- */

static struct adapter_segment *segment_by_id(struct adapter *adapter, u32 id)
{
	struct adapter_segment *segment;

	list_for_each_entry(segment, &adapter->segments, object.list) {
		if (segment->object.kind == ADAPTER_OBJECT_SEGMENT && segment->id == id)
			return segment;
	}
	return NULL;
}

struct adapter_segment *adapter_segment_find(struct adapter_session *session, u32 handle)
{
	struct adapter_object *object =
		adapter_object_find(session, handle, ADAPTER_OBJECT_SEGMENT);

	if (!object)
		object = adapter_object_find(session, handle, ADAPTER_OBJECT_ATTACHED);
	return object ? container_of(object, struct adapter_segment, object) : NULL;
}

static struct adapter_segment *segment_new(struct adapter_session *session,
					   struct adapter_memory *memory,
					   enum adapter_object_kind kind)
{
	struct adapter_segment *segment = kzalloc(sizeof(*segment), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!segment)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&segment->importers);
	segment->memory = memory;
	ret = adapter_object_add(session, &segment->object, kind, &session->adapter->segments);
	if (!ret)
		return segment;
	kfree(segment);
	return ERR_PTR(ret);
}

/*
 * Make a segment whose pages are not zeroed yet. No call can find the segment by its handle yet.
 * Called with adapter.lock held.
 */
static struct adapter_segment *segment_make(struct adapter_session *session,
					    struct smile_adapter_segment *args)
{
	struct adapter *adapter = session->adapter;
	struct adapter_segment *segment;
	struct adapter_memory *memory;

	if (adapter->gone)
		return ERR_PTR(-ENODEV);
	if (args->flags & SMILE_ADAPTER_SEGMENT_AUTO_ID) {
		do {
			/*
			 * Use the upper half of the ids, so that the id does not collide with ids
			 * that programs choose.
			 */
			args->id = ++adapter->segment_id | 0x80000000;
		} while (segment_by_id(adapter, args->id));
	} else if (segment_by_id(adapter, args->id)) {
		return ERR_PTR(-EEXIST);
	}
	memory = memory_alloc(session, DIV_ROUND_UP_ULL(args->bytes, ADAPTER_PAGE_BYTES));
	if (IS_ERR(memory))
		return ERR_CAST(memory);
	segment = segment_new(session, memory, ADAPTER_OBJECT_SEGMENT);
	if (IS_ERR(segment)) {
		adapter_memory_put(memory);
		return segment;
	}
	segment->id = args->id;
	segment->bytes = args->bytes;
	adapter_name_add(adapter, adapter->node, args->id, memory->page, memory->pages);
	return segment;
}

int adapter_segment_create(struct adapter_session *session, struct smile_adapter_segment *args,
			   struct adapter_object **made)
{
	struct adapter *adapter = session->adapter;
	struct adapter_segment *segment;
	int ret;

	if (!args->bytes || args->bytes > (u64)adapter->memory_pages * ADAPTER_PAGE_BYTES)
		return args->bytes ? -ENOSPC : -EINVAL;
	scoped_guard(mutex, &adapter->lock)
		segment = segment_make(session, args);
	if (IS_ERR(segment))
		return PTR_ERR(segment);
	ret = memory_zero(adapter, segment->memory);
	if (ret) {
		guard(mutex)(&adapter->lock);
		adapter_segment_remove(segment);
		return ret;
	}
	args->handle = segment->object.handle;
	args->page = segment->memory->page;
	*made = &segment->object;
	return 0;
}

int adapter_segment_attach(struct adapter_session *session, struct smile_adapter_attach *args,
			   struct adapter_object **made)
{
	struct adapter_segment *segment = segment_by_id(session->adapter, args->id), *attached;

	if (!segment)
		return -ENOENT;
	if (!segment->shared)
		return -EACCES;
	attached =
		segment_new(session, adapter_memory_get(segment->memory), ADAPTER_OBJECT_ATTACHED);
	if (IS_ERR(attached)) {
		adapter_memory_put(segment->memory);
		return PTR_ERR(attached);
	}
	attached->bytes = segment->bytes;
	args->handle = attached->object.handle;
	*made = &attached->object;
	args->bytes = segment->bytes;
	args->page = segment->memory->page;
	return 0;
}

/* ---- other nodes ---- */

static void importer_free(struct adapter_importer *importer)
{
	list_del(&importer->list);
	adapter_memory_put(importer->memory);
	kfree(importer);
}

/*
 * Wait until no access to a withdrawn page is running. The function releases adapter.lock while it
 * waits.
 */
static int revoke_wait(struct adapter *adapter)
{
	int tries;

	for (tries = 0; tries < REVOKE_TRIES; tries++) {
		u32 status = adapter_read(adapter, ADAPTER_REG_STATUS);

		if (status == ADAPTER_ABSENT || !(status & ADAPTER_STATUS_REVOKING))
			return 0;
		mutex_unlock(&adapter->lock);
		usleep_range(100, 1000);
		mutex_lock(&adapter->lock);
	}
	return -ETIMEDOUT;
}

/*
 * Withdraw the segment's pages, notify the connected nodes, and wait until no access is running.
 * The function releases adapter.lock while it waits. If other calls can find the segment by its
 * handle, the segment may be gone when the function returns.
 */
static int segment_withdraw(struct adapter_segment *segment)
{
	struct adapter *adapter = segment->memory->adapter;
	struct adapter_importer *importer, *next;
	int ret, refused = 0;

	if (segment->exported)
		refused = memory_export(segment->memory, ADAPTER_EXPORT_CLEAR);
	segment->exported = false;
	list_for_each_entry_safe(importer, next, &segment->importers, list) {
		struct adapter_message lost = {.kind = cpu_to_le32(ADAPTER_MESSAGE_LOST),
					       .cookie = cpu_to_le32(importer->cookie)};

		list_move_tail(&importer->list, &adapter->unacknowledged);
		ret = adapter_send(adapter, importer->node, &lost);
		if (ret == -EHOSTUNREACH || ret == -ENODEV)
			importer_free(importer);
	}
	ret = revoke_wait(adapter);
	return refused ?: ret;
}

/* Ask all connected nodes to disconnect. A node that is gone counts as disconnected. */
static void segment_notify(struct adapter_segment *segment)
{
	struct adapter *adapter = segment->memory->adapter;
	struct adapter_importer *importer;

	list_for_each_entry(importer, &segment->importers, list) {
		struct adapter_message leave = {.kind = cpu_to_le32(ADAPTER_MESSAGE_LEAVE),
						.cookie = cpu_to_le32(importer->cookie)};

		/*
		 * Send the request only once, because a program that repeats the call must not fill
		 * the queue.
		 */
		if (importer->asked)
			continue;
		importer->asked = true;
		adapter_send(adapter, importer->node, &leave);
	}
}

int adapter_segment_state(struct adapter_segment *segment, u32 state)
{
	switch (state) {
	case SMILE_ADAPTER_AVAILABLE:
		if (!segment->exported && memory_export(segment->memory, ADAPTER_EXPORT_SET))
			return -EIO;
		segment->exported = true;
		segment->available = true;
		return 0;
	case SMILE_ADAPTER_UNAVAILABLE:
		segment->available = false;
		return 0;
	case SMILE_ADAPTER_NOTIFY:
		segment->available = false;
		segment_notify(segment);
		return 0;
	case SMILE_ADAPTER_DISCONNECT:
		segment->available = false;
		return segment_withdraw(segment);
	default:
		return -EINVAL;
	}
}

void adapter_segment_remove(struct adapter_segment *segment)
{
	struct adapter_memory *memory = segment->memory;
	int ret = 0;

	/* From here on, no call finds the segment. */
	adapter_object_remove(&segment->object);
	if (segment->object.kind == ADAPTER_OBJECT_SEGMENT)
		ret = segment_withdraw(segment);
	/* Keep the memory: another node has not ended its access, or can still start one. */
	if (ret) {
		dev_warn(&memory->adapter->dev,
			 "segment %u: another node may still access it; %u pages stay reserved%s\n",
			 segment->id, memory->pages, ret == -EIO ? "" : " until that ends");
		adapter_memory_keep(memory, ret == -EIO);
	} else {
		adapter_memory_put(memory);
	}
	kfree(segment);
}

/* Get the number of connections that @node has, or whose end it has not yet confirmed. */
static u32 importers_of(struct adapter *adapter, u32 node)
{
	struct adapter_importer *importer;
	struct adapter_segment *segment;
	u32 count = 0;

	list_for_each_entry(importer, &adapter->unacknowledged, list)
		count += importer->node == node;
	list_for_each_entry(segment, &adapter->segments, object.list) {
		list_for_each_entry(importer, &segment->importers, list)
			count += importer->node == node;
	}
	return count;
}

int adapter_segment_connect(struct adapter *adapter, u32 node, u32 id, u32 cookie,
			    struct adapter_segment **segment)
{
	struct adapter_importer *importer;

	*segment = segment_by_id(adapter, id);
	if (!*segment || !(*segment)->available)
		return -ENOENT;
	/*
	 * Limit the connections, because a node that connects and never disconnects must not fill
	 * this node's memory.
	 */
	if (importers_of(adapter, node) >= ADAPTER_CONNECTIONS)
		return -ENOSPC;
	importer = kzalloc(sizeof(*importer), GFP_KERNEL);
	if (!importer)
		return -ENOMEM;
	importer->node = node;
	importer->cookie = cookie;
	importer->memory = adapter_memory_get((*segment)->memory);
	list_add_tail(&importer->list, &(*segment)->importers);
	adapter_event(&(*segment)->object, SMILE_ADAPTER_EVENT_CONNECT, node);
	return 0;
}

static bool importer_is(const struct adapter_importer *importer, u32 node, u32 cookie)
{
	return importer->node == node && importer->cookie == cookie;
}

void adapter_segment_disconnect(struct adapter *adapter, u32 node, u32 cookie)
{
	struct adapter_importer *importer, *next;
	struct adapter_segment *segment;

	list_for_each_entry_safe(importer, next, &adapter->unacknowledged, list) {
		if (importer_is(importer, node, cookie))
			importer_free(importer);
	}
	list_for_each_entry(segment, &adapter->segments, object.list) {
		list_for_each_entry_safe(importer, next, &segment->importers, list) {
			if (!importer_is(importer, node, cookie))
				continue;
			importer_free(importer);
			adapter_event(&segment->object, SMILE_ADAPTER_EVENT_DISCONNECT, node);
		}
	}
}

void adapter_segment_node_gone(struct adapter *adapter, u32 node)
{
	struct adapter_importer *importer, *next;
	struct adapter_segment *segment;

	list_for_each_entry_safe(importer, next, &adapter->unacknowledged, list) {
		if (importer->node == node)
			importer_free(importer);
	}
	list_for_each_entry(segment, &adapter->segments, object.list) {
		list_for_each_entry_safe(importer, next, &segment->importers, list) {
			if (importer->node != node)
				continue;
			importer_free(importer);
			adapter_event(&segment->object, SMILE_ADAPTER_EVENT_LOST, node);
		}
	}
}

/* The adapter was reset. The segments keep their pages, which are this node's memory. */
void adapter_segment_reset(struct adapter *adapter)
{
	struct adapter_segment *segment;
	struct adapter_memory *memory;

	list_for_each_entry(segment, &adapter->segments, object.list) {
		if (segment->exported || segment->available)
			adapter_event(&segment->object, SMILE_ADAPTER_EVENT_LOST, adapter->node);
		segment->exported = false;
		segment->available = false;
	}
	list_for_each_entry(memory, &adapter->kept, kept)
		memory->refused = false;
	schedule_delayed_work(&adapter->settle, msecs_to_jiffies(KEPT_LOOK_MS));
}

void adapter_segment_init(struct adapter *adapter)
{
	INIT_LIST_HEAD(&adapter->unacknowledged);
	INIT_LIST_HEAD(&adapter->kept);
	INIT_DELAYED_WORK(&adapter->settle, segment_settle);
}

void adapter_segment_stop(struct adapter *adapter)
{
	struct adapter_importer *importer, *next;

	list_for_each_entry_safe(importer, next, &adapter->unacknowledged, list)
		importer_free(importer);
	kept_free(adapter, false);
}

void adapter_segment_cancel(struct adapter *adapter)
{
	cancel_delayed_work_sync(&adapter->settle);
}
