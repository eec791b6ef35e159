/* SPDX-License-Identifier: MIT */
/*
 * Handles, errors and events.
 */
#include "lib/sisci/sisci.h"

pthread_mutex_t sisci_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sisci_changed = PTHREAD_COND_INITIALIZER;
bool sisci_initialized;
unsigned int sisci_connecting;
struct objects sisci_objects = LIST_HEAD_INITIALIZER(sisci_objects);

/* SCITerminate() was called: handles of before are gone, and that is no error. */
static bool terminated(void)
{
	return !sisci_initialized;
}

/* ---- errors ---- */

void sisci_fail(sci_error_t *error, sci_error_t why)
{
	if (error)
		*error = why;
}

void sisci_ok(sci_error_t *error)
{
	sisci_fail(error, SCI_ERR_OK);
}

sci_error_t sisci_error(int number, sci_error_t missing)
{
	switch (number) {
	case 0:
		return SCI_ERR_OK;
	case ENOENT:
		return missing;
	case EHOSTUNREACH:
		return SCI_ERR_NO_REMOTE_LINK_ACCESS;
	case ETIMEDOUT:
		return SCI_ERR_TIMEOUT;
	case ENOSPC:
	case ENOMEM:
	case EAGAIN:
		return SCI_ERR_NOSPC;
	case EEXIST:
		return SCI_ERR_SEGMENTID_USED;
	case ENOTCONN:
		return SCI_ERR_SEGMENT_NOT_CONNECTED;
	case ERANGE:
		return SCI_ERR_OUT_OF_RANGE;
	case EACCES:
		return SCI_ERR_ACCESS;
	case EINVAL:
	case EBADF:
		return SCI_ERR_ILLEGAL_PARAMETER;
	case EIO:
		return SCI_ERR_TRANSFER_FAILED;
	case ECANCELED:
	case EINTR:
		return SCI_ERR_CANCELLED;
	default:
		return SCI_ERR_SYSTEM;
	}
}

bool sisci_flags(unsigned int flags, unsigned int allowed, unsigned int unsupported,
		 sci_error_t *error)
{
	if (flags & ~(allowed | unsupported)) {
		sisci_fail(error, SCI_ERR_ILLEGAL_FLAG);
		return false;
	}
	if (flags & unsupported) {
		sisci_fail(error, SCI_ERR_FLAG_NOT_IMPLEMENTED);
		return false;
	}
	return true;
}

/* ---- objects ---- */

void *sisci_new(size_t bytes, enum kind kind, struct sci_desc *sd)
{
	struct object *object = calloc(1, bytes);

	if (!object)
		return NULL;
	object->kind = kind;
	object->sd = sd;
	LIST_INSERT_HEAD(&sisci_objects, object, list);
	return object;
}

static struct object *find(const void *handle, enum kind kind)
{
	struct object *object;

	LIST_FOREACH(object, &sisci_objects, list)
	{
		if (object == handle)
			return object->kind == kind ? object : NULL;
	}
	return NULL;
}

void *sisci_get(const void *handle, enum kind kind, sci_error_t *error)
{
	struct object *object;

	sisci_ok(error);
	pthread_mutex_lock(&sisci_lock);
	object = find(handle, kind);
	if (object)
		object->users++;
	else
		sisci_fail(error,
			   terminated() ? SCI_ERR_NOT_INITIALIZED : SCI_ERR_ILLEGAL_PARAMETER);
	pthread_mutex_unlock(&sisci_lock);
	return object;
}

void *sisci_get_to_remove(const void *handle, enum kind kind, sci_error_t *error)
{
	sci_error_t why;
	void *object = sisci_get(handle, kind, &why);

	sisci_fail(error, why == SCI_ERR_NOT_INITIALIZED ? SCI_ERR_OK : why);
	return object;
}

void sisci_put(void *object)
{
	struct object *used = object;
	bool last;

	pthread_mutex_lock(&sisci_lock);
	used->users--;
	last = used->gone && !used->users;
	pthread_mutex_unlock(&sisci_lock);
	if (last)
		free(used);
}

void sisci_remove(void *object)
{
	struct object *removed = object;

	LIST_REMOVE(removed, list);
	removed->gone = true;
	pthread_cond_broadcast(&sisci_changed);
	if (!removed->users)
		free(removed);
}

bool sisci_has(const struct sci_desc *sd, enum kind kind)
{
	struct object *object;

	LIST_FOREACH(object, &sisci_objects, list)
	{
		if (object->kind == kind && object->sd == sd)
			return true;
	}
	return false;
}

/* ---- events ---- */

void sisci_event_add(struct events *events, const struct event *event)
{
	if (events->count == EVENTS) {
		events->first = (events->first + 1) % EVENTS;
		events->count--;
	}
	events->event[(events->first + events->count) % EVENTS] = *event;
	events->count++;
	pthread_cond_broadcast(&sisci_changed);
}

bool sisci_event_take(struct events *events, struct event *event)
{
	if (!events->count)
		return false;
	*event = events->event[events->first];
	events->first = (events->first + 1) % EVENTS;
	events->count--;
	return true;
}

struct timespec sisci_deadline(unsigned int timeout_ms)
{
	struct timespec deadline;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += timeout_ms / 1000;
	deadline.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
	if (deadline.tv_nsec >= 1000000000) {
		deadline.tv_sec++;
		deadline.tv_nsec -= 1000000000;
	}
	return deadline;
}

bool sisci_wait(unsigned int timeout_ms, const struct timespec *deadline)
{
	if (timeout_ms == SCI_INFINITE_TIMEOUT) {
		pthread_cond_wait(&sisci_changed, &sisci_lock);
		return true;
	}
	return pthread_cond_timedwait(&sisci_changed, &sisci_lock, deadline) != ETIMEDOUT;
}

sci_error_t sisci_event_wait(struct object *object, struct events *events, unsigned int timeout_ms,
			     struct event *event)
{
	struct timespec deadline = sisci_deadline(timeout_ms);
	bool late = false;

	for (;;) {
		if (object->gone)
			return SCI_ERR_CANCELLED;
		if (sisci_event_take(events, event))
			return SCI_ERR_OK;
		if (late)
			return SCI_ERR_TIMEOUT;
		late = !sisci_wait(timeout_ms, &deadline);
	}
}
