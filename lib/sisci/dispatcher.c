/* SPDX-License-Identifier: MIT */
/*
 * Dispatch: calls the program's callbacks. Each session has a thread for this, the dispatcher,
 * which reads events from the driver.
 *
 * A callback runs without any lock and in parallel with the program's threads. It may call the
 * library, and even SCITerminate(). For this reason, no thread joins a dispatcher. Instead, the
 * dispatcher itself closes the session's file.
 */
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/sisci/sisci.h"

/*
 * The number of running dispatchers. SCITerminate() waits for them. If a dispatcher calls
 * SCITerminate(), it does not wait for itself.
 */
static unsigned int running;
/* The session whose events this thread delivers. */
static _Thread_local struct sci_desc *dispatched;

bool sisci_dispatches(const struct sci_desc *sd)
{
	return dispatched && dispatched == sd;
}

/* Find the object of this session to which an event belongs. The caller must have the lock. */
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

/*
 * Call the program's callback for a segment. @why: SCI_ERR_OVERFLOW if events before this event
 * were dropped. The caller must not have the lock. Return: false if the callback must not be called
 * again.
 */
static bool call_back(struct object *object, struct event *event, sci_error_t why)
{
	sci_callback_action_t action;
	struct sci_local_segment *local;
	struct sci_remote_segment *remote;

	if (object->kind == KIND_SEGMENT) {
		local = (struct sci_local_segment *)object;
		action = local->callback(local->arg, local, event->reason, NODE_ID(event->node),
					 object->sd->adapter, why);
	} else {
		remote = (struct sci_remote_segment *)object;
		action = remote->callback(remote->arg, remote, event->reason, why);
	}
	return action != SCI_CALLBACK_CANCEL;
}

/*
 * Call the program's callback for an interrupt. The caller must not have the lock. Return: false if
 * the callback must not be called again.
 */
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

/* Return whether an object has a callback. The caller must have the lock. */
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

/* Get the list of events of a segment, which can be a segment of this node or of another node. */
static struct events *events_of(struct object *object)
{
	return object->kind == KIND_SEGMENT ? &((struct sci_local_segment *)object)->events
					    : &((struct sci_remote_segment *)object)->events;
}

/*
 * Handle the driver's report that it had to drop events of @sd. The report does not say which
 * events it dropped.
 */
static void deliver_missed(struct sci_desc *sd)
{
	struct object *object;

	sisci_enter();
	LIST_FOREACH(object, &sisci_objects, list)
	{
		if (object->sd != sd ||
		    (object->kind != KIND_SEGMENT && object->kind != KIND_REMOTE))
			continue;
		events_of(object)->missed = true;
		if (object->kind == KIND_REMOTE)
			sisci_remote_lost((struct sci_remote_segment *)object);
	}
	pthread_cond_broadcast(&sisci_changed);
	sisci_leave();
}

/*
 * Store triggers for a later call that waits for them. If the interrupt does not count its
 * triggers, several triggers become one. The data of triggers stays in the driver. The caller must
 * have the lock.
 */
static void leave_triggers(struct interrupt *interrupt, unsigned int count)
{
	if (interrupt->counting)
		interrupt->pending += count;
	else
		interrupt->pending = 1;
	pthread_cond_broadcast(&sisci_changed);
}

/*
 * Deliver @count triggers: call the callback for each of them, or store them for a later call that
 * waits for them. The function drops one reference to the object.
 */
static void deliver_triggers(struct interrupt *interrupt, unsigned int count)
{
	struct object *object = &interrupt->object;
	struct smile_adapter_data data;
	bool call = true;

	for (; count && call; count--) {
		sisci_enter();
		call = !object->gone && has_callback(object);
		if (!call)
			leave_triggers(interrupt, count);
		else if (object->kind == KIND_DATA_INTERRUPT)
			call = sisci_data_take(interrupt, &data);
		sisci_leave();
		if (call && !call_back_interrupt(interrupt, &data)) {
			sisci_enter();
			drop_callback(object);
			sisci_leave();
		}
	}
	sisci_put(object);
}

/*
 * Deliver an event: call the callback, or store the event for a later call that waits for it. The
 * function drops one reference to the object.
 */
static void deliver_to(struct object *object, struct event *event)
{
	struct events *events = events_of(object);
	sci_error_t why = SCI_ERR_OK;
	bool call;

	sisci_enter();
	call = has_callback(object);
	if (!call) {
		sisci_event_add(events, event);
	} else if (events->missed) {
		events->missed = false;
		why = SCI_ERR_OVERFLOW;
	}
	sisci_leave();
	if (call && !call_back(object, event, why)) {
		sisci_enter();
		drop_callback(object);
		sisci_leave();
	}
	sisci_put(object);
}

static void deliver(struct sci_desc *sd, const struct smile_adapter_event *from)
{
	struct event event = {.reason = reason_of(from->kind), .node = from->node};
	struct object *object;

	/*
	 * An event of this kind belongs to no object. The program detects the failure by its
	 * sequences.
	 */
	if (from->kind == SMILE_ADAPTER_EVENT_FAILED)
		return;
	sisci_enter();
	/*
	 * A connection can be lost before the function that creates it has added it to the list.
	 * Wait for this function, because otherwise the program would never get the event.
	 */
	while (!(object = subject(sd, from)) && sisci_connecting)
		sisci_wait_change();
	if (!object) {
		sisci_leave();
		return;
	}
	if (object->kind == KIND_REMOTE && event.reason == SCI_CB_LOST)
		((struct sci_remote_segment *)object)->lost = true;
	object->users++;
	sisci_leave();
	if (object->kind == KIND_INTERRUPT || object->kind == KIND_DATA_INTERRUPT)
		deliver_triggers((struct interrupt *)object, from->count);
	else
		deliver_to(object, &event);
}

/*
 * Report the segments of @sd that were connected asynchronously since the last check.
 */
static void deliver_connected(struct sci_desc *sd)
{
	struct event event = {.reason = SCI_CB_CONNECT};
	struct object *object;

	for (;;) {
		sisci_enter();
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
		sisci_leave();
		if (!object)
			return;
		event.node = ((struct sci_remote_segment *)object)->node;
		deliver_to(object, &event);
	}
}

/* Report the completions of DMA queues of @sd. */
static void deliver_completed(struct sci_desc *sd)
{
	struct completion *completion;
	struct sci_dma_queue *queue;
	struct object *object;

	for (;;) {
		completion = NULL;
		queue = NULL;
		sisci_enter();
		LIST_FOREACH(object, &sisci_objects, list)
		{
			if (object->sd != sd || object->kind != KIND_DMA)
				continue;
			queue = (struct sci_dma_queue *)object;
			completion = sisci_dma_completed(queue);
			if (completion)
				break;
		}
		if (completion)
			object->users++;
		sisci_leave();
		if (!completion)
			return;
		completion->callback(completion->arg, queue, completion->error);
		free(completion);
		sisci_put(queue);
	}
}

/* Wake the dispatcher of a session. The caller must have the lock. */
static void wake(struct sci_desc *sd)
{
	uint64_t one = 1;
	ssize_t written = write(sd->wake, &one, sizeof(one));

	/* A write of 1 to an eventfd fails only if its count is 2^64 - 2. */
	(void)written;
}

void sisci_dispatch_completed(struct sci_dma_queue *queue)
{
	wake(((struct object *)queue)->sd);
}

void sisci_dispatch_connected(struct sci_remote_segment *segment)
{
	sisci_enter();
	if (!segment->object.gone && !segment->object.sd->ending) {
		segment->connected = true;
		wake(segment->object.sd);
	}
	sisci_leave();
}

static bool ending(struct sci_desc *sd)
{
	bool ends;

	sisci_enter();
	ends = sd->ending;
	sisci_leave();
	return ends;
}

/* Wait for an event of the driver, and deliver it. Return: false if the adapter was removed. */
static bool dispatch_next(struct sci_desc *sd)
{
	struct pollfd files[2] = {{.fd = sd->file, .events = POLLIN},
				  {.fd = sd->wake, .events = POLLIN}};
	struct smile_adapter_event event;
	uint64_t count;
	ssize_t got;

	if (poll(files, 2, -1) < 0)
		return errno == EINTR;
	if (files[1].revents) {
		got = read(sd->wake, &count, sizeof(count));
		(void)got;
		deliver_connected(sd);
		deliver_completed(sd);
	}
	if (files[0].revents & POLLHUP)
		return false;
	if (files[0].revents & POLLIN &&
	    read(sd->file, &event, sizeof(event)) == (ssize_t)sizeof(event)) {
		if (event.dropped)
			deliver_missed(sd);
		deliver(sd, &event);
	}
	return true;
}

static void *dispatch(void *opaque)
{
	struct sci_desc *sd = opaque;

	dispatched = sd;
	while (!ending(sd) && dispatch_next(sd))
		continue;
	sisci_enter();
	/* The adapter was removed, so no more events arrive. Wait until the session is closed. */
	while (!sd->ending)
		sisci_wait_change();
	sisci_put_locked(sd);
	running--;
	pthread_cond_broadcast(&sisci_changed);
	sisci_leave();
	return NULL;
}

int sisci_dispatch_start(struct sci_desc *sd)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t thread;
	int ret;

	sd->wake = eventfd(0, EFD_CLOEXEC);
	if (sd->wake < 0)
		return -errno;
	sd->object.users++;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	/*
	 * Block all signals in the dispatcher, because a signal handler may rely on running in a
	 * thread of the program.
	 */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&thread, &attributes, dispatch, sd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (ret) {
		sd->object.users--;
		return -ret;
	}
	running++;
	return 0;
}

void sisci_dispatch_end(struct sci_desc *sd)
{
	sd->ending = true;
	wake(sd);
	sisci_remove(sd);
}

void sisci_dispatch_wait(void)
{
	while (running > (dispatched ? 1U : 0U))
		sisci_wait_change();
}

void sisci_dispatch_forget(void)
{
	running = dispatched ? 1 : 0;
}
