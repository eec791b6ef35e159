// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: open files, their objects, and their events.
 *
 * What lives here: open, close, read and poll. May use: the files with the functions that destroy a
 * session's objects.
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../minors.h"
#include "smile_adapter.h"

struct adapter_event {
	struct list_head list;
	struct smile_adapter_event event;
};

/* ---- handles ---- */

int adapter_object_add(struct adapter_session *session, struct adapter_object *object,
		       enum adapter_object_kind kind, struct list_head *all)
{
	/*
	 * Reuse a handle as late as possible. Otherwise, if a program has read an event before it
	 * removed the object, the event would seem to be about the next object with this handle.
	 */
	int handle = adapter_limit_object(session)
			     ?: idr_alloc_cyclic(&session->objects, NULL, 1, SMILE_ADAPTER_HANDLES,
						 GFP_KERNEL);

	if (handle < 0)
		return handle;
	object->kind = kind;
	object->handle = handle;
	object->session = session;
	session->object_count++;
	list_add_tail(&object->list, all);
	return 0;
}

void adapter_object_publish(struct adapter_object *object)
{
	idr_replace(&object->session->objects, object, object->handle);
}

/*
 * Remove the object's events, too. Otherwise they would be mistaken for events of the next object
 * with this handle.
 */
void adapter_object_remove(struct adapter_object *object)
{
	struct adapter_session *session = object->session;
	struct adapter_event *event, *next;

	list_for_each_entry_safe(event, next, &session->events, list) {
		if (event->event.handle != object->handle)
			continue;
		list_del(&event->list);
		kfree(event);
		WRITE_ONCE(session->event_count, session->event_count - 1);
	}
	idr_remove(&session->objects, object->handle);
	session->object_count--;
	list_del(&object->list);
}

struct adapter_object *adapter_object_find(struct adapter_session *session, u32 handle,
					   enum adapter_object_kind kind)
{
	struct adapter_object *object = idr_find(&session->objects, handle);

	return object && object->kind == kind ? object : NULL;
}

void adapter_object_destroy(struct adapter_object *object)
{
	switch (object->kind) {
	case ADAPTER_OBJECT_SEGMENT:
	case ADAPTER_OBJECT_ATTACHED:
		adapter_segment_remove(container_of(object, struct adapter_segment, object));
		break;
	case ADAPTER_OBJECT_CONNECTION:
		adapter_release(container_of(object, struct adapter_connection, object));
		break;
	case ADAPTER_OBJECT_INTERRUPT:
	case ADAPTER_OBJECT_LINE:
		adapter_interrupt_remove(container_of(object, struct adapter_interrupt, object));
		break;
	}
}

/* ---- events ---- */

/*
 * Make room for one more event: drop the oldest one. Events of interrupts are kept, because each
 * interrupt has at most one.
 */
static void session_drop(struct adapter_session *session)
{
	struct adapter_event *event;

	list_for_each_entry(event, &session->events, list) {
		if (event->event.kind == SMILE_ADAPTER_EVENT_INTERRUPT)
			continue;
		list_del(&event->list);
		kfree(event);
		WRITE_ONCE(session->event_count, session->event_count - 1);
		session->dropped++;
		return;
	}
}

/*
 * Queue an event. Return: the event, which may be changed while adapter.lock is held; NULL if there
 * is no memory.
 */
static struct adapter_event *event_queue(struct adapter_session *session, u32 kind, u32 handle,
					 u32 node, u32 count)
{
	struct adapter_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event) {
		session->dropped++;
		return NULL;
	}
	event->event.kind = kind;
	event->event.handle = handle;
	event->event.node = node;
	event->event.count = count;
	if (session->event_count >= ADAPTER_EVENTS && kind != SMILE_ADAPTER_EVENT_INTERRUPT)
		session_drop(session);
	list_add_tail(&event->list, &session->events);
	WRITE_ONCE(session->event_count, session->event_count + 1);
	wake_up_interruptible(&session->wait);
	return event;
}

/*
 * Set the count of an event about an interrupt. The event stands for all triggers so far. Called
 * with adapter.lock held.
 */
static void event_count(struct adapter_session *session, struct smile_adapter_event *event)
{
	struct adapter_object *object;

	if (event->kind != SMILE_ADAPTER_EVENT_INTERRUPT)
		return;
	object = adapter_object_find(session, event->handle, ADAPTER_OBJECT_INTERRUPT);
	if (object)
		event->count = adapter_interrupt_arrived(
			container_of(object, struct adapter_interrupt, object));
}

bool adapter_event(struct adapter_object *object, u32 kind, u32 node)
{
	return event_queue(object->session, kind, object->handle, node, 1);
}

void adapter_event_failed(struct adapter_session *session, u32 node, u32 count, u32 reason)
{
	struct adapter_event *event;

	/*
	 * Keep only one unread event for each node, because there can be as many failures as
	 * accesses.
	 */
	list_for_each_entry(event, &session->events, list) {
		if (event->event.kind != SMILE_ADAPTER_EVENT_FAILED || event->event.node != node)
			continue;
		count += event->event.count;
		event->event.count = count < event->event.count ? U32_MAX : count;
		event->event.reason = reason;
		return;
	}
	event = event_queue(session, SMILE_ADAPTER_EVENT_FAILED, 0, node, count);
	if (event)
		event->event.reason = reason;
}

static bool session_ready(struct adapter_session *session)
{
	return READ_ONCE(session->event_count) || READ_ONCE(session->adapter->gone);
}

/* Take the first event. Return: the event; NULL if there is none. */
static struct adapter_event *session_take(struct adapter_session *session)
{
	struct adapter_event *event;

	guard(mutex)(&session->adapter->lock);
	event = list_first_entry_or_null(&session->events, struct adapter_event, list);
	if (event) {
		list_del(&event->list);
		WRITE_ONCE(session->event_count, session->event_count - 1);
		event_count(session, &event->event);
		event->event.dropped = session->dropped;
		session->dropped = 0;
	}
	return event;
}

static ssize_t session_read(struct file *file, char __user *to, size_t bytes, loff_t *offset)
{
	struct adapter_session *session = file->private_data;
	struct adapter_event *event;
	size_t done = 0;
	int ret = 0;

	if (bytes < sizeof(event->event))
		return -EINVAL;
	while (!done) {
		while (bytes - done >= sizeof(event->event) && !ret) {
			event = session_take(session);
			if (!event)
				break;
			if (copy_to_user(to + done, &event->event, sizeof(event->event)))
				ret = -EFAULT;
			else
				done += sizeof(event->event);
			kfree(event);
		}
		if (done || ret)
			break;
		if (READ_ONCE(session->adapter->gone))
			return -ENODEV;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(session->wait, session_ready(session));
	}
	return done ? done : ret;
}

static __poll_t session_poll(struct file *file, poll_table *wait)
{
	struct adapter_session *session = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &session->wait, wait);
	if (READ_ONCE(session->event_count))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(session->adapter->gone))
		mask |= EPOLLHUP;
	return mask;
}

/* ---- open and close ---- */

static int session_open(struct inode *inode, struct file *file)
{
	struct adapter *adapter = container_of(inode->i_cdev, struct adapter, cdev);
	struct adapter_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return -ENOMEM;
	session->adapter = adapter;
	session->mapping = file->f_mapping;
	idr_init(&session->objects);
	INIT_LIST_HEAD(&session->events);
	INIT_LIST_HEAD(&session->memories);
	init_waitqueue_head(&session->wait);
	mutex_lock(&adapter->lock);
	if (adapter->gone) {
		mutex_unlock(&adapter->lock);
		kfree(session);
		return -ENODEV;
	}
	list_add_tail(&session->list, &adapter->sessions);
	mutex_unlock(&adapter->lock);
	get_device(&adapter->dev);
	file->private_data = session;
	return nonseekable_open(inode, file);
}

static int session_release(struct inode *inode, struct file *file)
{
	struct adapter_session *session = file->private_data;
	struct adapter *adapter = session->adapter;
	struct adapter_event *event, *next;
	struct adapter_object *object;
	int handle;

	scoped_guard(mutex, &adapter->lock) {
		list_del(&session->list);
		/* Destroying an object removes it from the table. */
		for (handle = 0; (object = idr_get_next(&session->objects, &handle)); handle = 0)
			adapter_object_destroy(object);
		adapter_memory_orphan(session);
	}
	list_for_each_entry_safe(event, next, &session->events, list)
		kfree(event);
	idr_destroy(&session->objects);
	kfree(session);
	put_device(&adapter->dev);
	return 0;
}

const struct file_operations adapter_fops = {
	.owner = THIS_MODULE,
	.open = session_open,
	.release = session_release,
	.read = session_read,
	.poll = session_poll,
	.mmap = adapter_mmap,
	/*
	 * There is no compat_ioctl, because a 32-bit process could not use mmap(): its offsets have
	 * only 44 bits.
	 */
	.unlocked_ioctl = adapter_ioctl,
};

struct adapter_session *adapter_session(struct file *file)
{
	return file->f_op == &adapter_fops && smile_minors_owns(file) ? file->private_data : NULL;
}
