/* SPDX-License-Identifier: MIT */
/*
 * Events: a thread for each session reads them from the driver and calls the program back.
 *
 * A callback runs without any lock, beside the program's threads, and may call the library, even
 * SCITerminate(): so a dispatcher is never joined; it closes the session's file itself.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/sisci/sisci.h"

/* Dispatchers that run; one that calls SCITerminate() does not wait for itself. */
static unsigned int running;
static _Thread_local bool dispatcher;

/* The object of this session that an event is about. Under lock. */
static struct object *subject(const struct sci_desc *sd, const struct smile_adapter_event *event)
{
	struct object *object;

	LIST_FOREACH(object, &sisci_objects, list)
	{
		if (object->sd == sd && object->handle == event->handle &&
		    (object->kind == KIND_SEGMENT || object->kind == KIND_REMOTE ||
		     object->kind == KIND_INTERRUPT || object->kind == KIND_DATA_INTERRUPT))
			return object;
	}
	return NULL;
}

static sci_segment_cb_reason_t reason_of(uint32_t kind)
{
	switch (kind) {
	case SMILE_ADAPTER_EVENT_CONNECT:
		return SCI_CB_CONNECT;
	case SMILE_ADAPTER_EVENT_DISCONNECT:
		return SCI_CB_DISCONNECT;
	case SMILE_ADAPTER_EVENT_NOT_OPERATIONAL:
		return SCI_CB_NOT_OPERATIONAL;
	case SMILE_ADAPTER_EVENT_OPERATIONAL:
		return SCI_CB_OPERATIONAL;
	default:
		return SCI_CB_LOST;
	}
}

/* Call the program back about a segment. Without lock. Return: false: it wants no more calls. */
static bool call_back(struct object *object, struct event *event)
{
	sci_callback_action_t action;
	struct sci_local_segment *local;
	struct sci_remote_segment *remote;

	if (object->kind == KIND_SEGMENT) {
		local = (struct sci_local_segment *)object;
		action = local->callback(local->arg, local, event->reason, NODE_ID(event->node),
					 object->sd->adapter, SCI_ERR_OK);
	} else {
		remote = (struct sci_remote_segment *)object;
		action = remote->callback(remote->arg, remote, event->reason, SCI_ERR_OK);
	}
	return action != SCI_CALLBACK_CANCEL;
}

/* The same about an interrupt. */
static bool call_back_interrupt(struct interrupt *interrupt, struct smile_adapter_data *data)
{
	sci_callback_action_t action;

	if (interrupt->object.kind == KIND_INTERRUPT)
		action = interrupt->callback(interrupt->arg, (sci_local_interrupt_t)interrupt,
					     SCI_ERR_OK);
	else
		action = interrupt->data_callback(interrupt->arg,
						  (sci_local_data_interrupt_t)interrupt, data->data,
						  data->bytes, SCI_ERR_OK);
	return action != SCI_CALLBACK_CANCEL;
}

/* Whether an object has a callback; and that it has none any more. Under lock. */
static bool has_callback(const struct object *object)
{
	switch (object->kind) {
	case KIND_SEGMENT:
		return ((const struct sci_local_segment *)object)->callback;
	case KIND_REMOTE:
		return ((const struct sci_remote_segment *)object)->callback;
	case KIND_INTERRUPT:
		return ((const struct interrupt *)object)->callback;
	default:
		return ((const struct interrupt *)object)->data_callback;
	}
}

static void drop_callback(struct object *object)
{
	switch (object->kind) {
	case KIND_SEGMENT:
		((struct sci_local_segment *)object)->callback = NULL;
		break;
	case KIND_REMOTE:
		((struct sci_remote_segment *)object)->callback = NULL;
		break;
	default:
		((struct interrupt *)object)->callback = NULL;
		((struct interrupt *)object)->data_callback = NULL;
		break;
	}
}

/* Leave an event for a call that waits. Under lock. */
static void leave(struct object *object, const struct event *event)
{
	if (object->kind == KIND_SEGMENT)
		sisci_event_add(&((struct sci_local_segment *)object)->events, event);
	else
		sisci_event_add(&((struct sci_remote_segment *)object)->events, event);
}

/* Triggers that are not counted are one. Data waits in the driver. Under lock. */
static void leave_triggers(struct interrupt *interrupt, unsigned int count)
{
	if (interrupt->counting)
		interrupt->pending += count;
	else
		interrupt->pending = 1;
	pthread_cond_broadcast(&sisci_changed);
}

/*
 * So many triggers: call back for each, or leave them for a call that waits. Takes one of the
 * object's users.
 */
static void deliver_triggers(struct interrupt *interrupt, unsigned int count)
{
	struct object *object = &interrupt->object;
	struct smile_adapter_data data;
	bool call = true;

	for (; count && call; count--) {
		pthread_mutex_lock(&sisci_lock);
		call = !object->gone && has_callback(object);
		if (!call)
			leave_triggers(interrupt, count);
		else if (object->kind == KIND_DATA_INTERRUPT)
			call = sisci_data_take(interrupt, &data);
		pthread_mutex_unlock(&sisci_lock);
		if (call && !call_back_interrupt(interrupt, &data)) {
			pthread_mutex_lock(&sisci_lock);
			drop_callback(object);
			pthread_mutex_unlock(&sisci_lock);
		}
	}
	sisci_put(object);
}

/* Call back, or leave it for a call that waits. Takes one of the object's users. */
static void deliver_to(struct object *object, struct event *event)
{
	bool call;

	pthread_mutex_lock(&sisci_lock);
	call = has_callback(object);
	if (!call)
		leave(object, event);
	pthread_mutex_unlock(&sisci_lock);
	if (call && !call_back(object, event)) {
		pthread_mutex_lock(&sisci_lock);
		drop_callback(object);
		pthread_mutex_unlock(&sisci_lock);
	}
	sisci_put(object);
}

static void deliver(struct sci_desc *sd, const struct smile_adapter_event *from)
{
	struct event event = {.reason = reason_of(from->kind), .node = from->node};
	struct object *object;

	/* It is about no object; the program sees the failure by its sequences. */
	if (from->kind == SMILE_ADAPTER_EVENT_FAILED)
		return;
	pthread_mutex_lock(&sisci_lock);
	/*
	 * A connection can be lost before the call that made it has put it into the list: wait for
	 * that call. Otherwise the program never learns it.
	 */
	while (!(object = subject(sd, from)) && sisci_connecting)
		pthread_cond_wait(&sisci_changed, &sisci_lock);
	if (!object) {
		pthread_mutex_unlock(&sisci_lock);
		return;
	}
	if (object->kind == KIND_REMOTE && event.reason == SCI_CB_LOST)
		((struct sci_remote_segment *)object)->lost = true;
	object->users++;
	pthread_mutex_unlock(&sisci_lock);
	if (object->kind == KIND_INTERRUPT || object->kind == KIND_DATA_INTERRUPT)
		deliver_triggers((struct interrupt *)object, from->count);
	else
		deliver_to(object, &event);
}

/* The segments of @sd that were connected asynchronously, since the dispatcher last looked. */
static void deliver_connected(struct sci_desc *sd)
{
	struct event event = {.reason = SCI_CB_CONNECT};
	struct object *object;

	for (;;) {
		pthread_mutex_lock(&sisci_lock);
		LIST_FOREACH(object, &sisci_objects, list)
		{
			if (object->sd == sd && object->kind == KIND_REMOTE &&
			    ((struct sci_remote_segment *)object)->connected)
				break;
		}
		if (object) {
			((struct sci_remote_segment *)object)->connected = false;
			object->users++;
		}
		pthread_mutex_unlock(&sisci_lock);
		if (!object)
			return;
		event.node = ((struct sci_remote_segment *)object)->node;
		deliver_to(object, &event);
	}
}

void sisci_dispatch_connected(struct sci_remote_segment *segment)
{
	uint64_t one = 1;
	ssize_t written;

	pthread_mutex_lock(&sisci_lock);
	if (!segment->object.gone && !segment->object.sd->ending) {
		segment->connected = true;
		written = write(segment->object.sd->wake, &one, sizeof(one));
		(void)written;
	}
	pthread_mutex_unlock(&sisci_lock);
}

/* What the dispatcher is woken for: the session's end, or a segment that is connected. */
static bool woken_to_end(struct sci_desc *sd)
{
	uint64_t count;
	ssize_t got = read(sd->wake, &count, sizeof(count));
	bool ending;

	(void)got;
	pthread_mutex_lock(&sisci_lock);
	ending = sd->ending;
	pthread_mutex_unlock(&sisci_lock);
	return ending;
}

static void *dispatch(void *opaque)
{
	struct sci_desc *sd = opaque;
	struct pollfd files[2] = {{.fd = sd->file, .events = POLLIN},
				  {.fd = sd->wake, .events = POLLIN}};
	struct smile_adapter_event event;

	dispatcher = true;
	for (;;) {
		if (poll(files, 2, -1) < 0 && errno != EINTR)
			break;
		if (files[1].revents && woken_to_end(sd))
			break;
		deliver_connected(sd);
		if (files[0].revents & POLLHUP)
			break;
		if (files[0].revents & POLLIN &&
		    read(sd->file, &event, sizeof(event)) == (ssize_t)sizeof(event))
			deliver(sd, &event);
	}
	pthread_mutex_lock(&sisci_lock);
	/* An adapter that is gone ends the dispatcher; the session stays until it is closed. */
	while (!sd->ending)
		pthread_cond_wait(&sisci_changed, &sisci_lock);
	munmap((void *)(uintptr_t)sd->state, PAGE_BYTES);
	close(sd->file);
	close(sd->wake);
	running--;
	pthread_cond_broadcast(&sisci_changed);
	pthread_mutex_unlock(&sisci_lock);
	sisci_put(sd);
	return NULL;
}

int sisci_dispatch_start(struct sci_desc *sd)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int ret;

	sd->wake = eventfd(0, EFD_CLOEXEC);
	if (sd->wake < 0)
		return -errno;
	sd->object.users++;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	ret = pthread_create(&thread, &attributes, dispatch, sd);
	pthread_attr_destroy(&attributes);
	if (ret) {
		sd->object.users--;
		close(sd->wake);
		return -ret;
	}
	running++;
	return 0;
}

void sisci_dispatch_end(struct sci_desc *sd)
{
	uint64_t one = 1;
	ssize_t written;

	sd->ending = true;
	/* An eventfd takes a first 1 always. */
	written = write(sd->wake, &one, sizeof(one));
	(void)written;
	sisci_remove(sd);
}

void sisci_dispatch_wait(void)
{
	while (running > dispatcher)
		pthread_cond_wait(&sisci_changed, &sisci_lock);
}
