/* SPDX-License-Identifier: MIT */
/* Objects: the handles, the errors and the events of the library. */
#include <sys/mman.h>
#include <unistd.h>

#include "lib/sisci/sisci.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/*
 * The cancellation state that the thread with the lock had before it took the lock. It is restored
 * when the thread releases the lock.
 */
static int cancel_state;
pthread_cond_t sisci_changed = PTHREAD_COND_INITIALIZER;
/*
 * Use the monotonic clock, because a change of the time of day could make a short wait very long.
 */
#define DEADLINE_CLOCK CLOCK_MONOTONIC
bool sisci_initialized;
unsigned int sisci_connecting;
struct objects sisci_objects = LIST_HEAD_INITIALIZER(sisci_objects);

/*
 * Return whether SCITerminate() was called. If it was, all earlier handles are invalid, and
 * removing them is not an error.
 */
static bool terminated(void)
{
	return !sisci_initialized;
}

/* ---- the lock ---- */

void sisci_enter(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	cancel_state = state;
}

void sisci_leave(void)
{
	int state = cancel_state;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

/* Clean up after a thread that was cancelled in a wait. At this time, the thread has the lock. */
static void cancelled(void *object)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_mutex_unlock(&lock);
	sisci_put(object);
}

static int wait_cancellable(const struct timespec *deadline, struct object *object)
{
	int type, ret;

	pthread_cleanup_push(cancelled, object);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcancelstate(cancel_state, NULL);
	ret = deadline ? pthread_cond_clockwait(&sisci_changed, &lock, DEADLINE_CLOCK, deadline)
		       : pthread_cond_wait(&sisci_changed, &lock);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_setcanceltype(type, NULL);
	pthread_cleanup_pop(0);
	return ret;
}

/* ---- fork(): the child has none of the parent's objects ---- */

static void fork_child(void)
{
	struct object *object;

	/*
	 * Do not remove the objects. The parent process has the same open files, and would lose its
	 * objects too. Do not free the memory of the objects, because this thread may be in a
	 * function that uses it.
	 */
	LIST_FOREACH(object, &sisci_objects, list)
	{
		struct sci_desc *sd = object->sd;

		if (object->kind != KIND_SESSION)
			continue;
		close(sd->file);
		close(sd->wake);
		sd->file = -1;
		sd->wake = -1;
		sd->state = NULL;
		sd->ending = true;
	}
	LIST_INIT(&sisci_objects);
	sisci_initialized = false;
	sisci_connecting = 0;
	sisci_dispatch_forget();
	sisci_changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	sisci_leave();
}

void sisci_fork_prepare(void)
{
	static bool prepared;

	if (!prepared)
		pthread_atfork(sisci_enter, sisci_leave, fork_child);
	prepared = true;
}

/* ---- errors ---- */

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
	case EPROTONOSUPPORT:
		return SCI_ERR_INCONSISTENT_VERSIONS;
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
	if (flags & ~(allowed | unsupported))
		return sisci_fail(error, SCI_ERR_ILLEGAL_FLAG);
	if (flags & unsupported)
		return sisci_fail(error, SCI_ERR_FLAG_NOT_IMPLEMENTED);
	return true;
}

/* ---- objects ---- */

void *sisci_new(size_t bytes, enum kind kind, struct sci_desc *sd, sci_error_t *error)
{
	struct object *object = calloc(1, bytes);

	if (!object) {
		sisci_fail(error, sisci_error(ENOMEM, SCI_ERR_SYSTEM));
		return NULL;
	}
	object->kind = kind;
	object->sd = sd;
	return object;
}

void sisci_add(void *object, unsigned int handle)
{
	struct object *added = object;

	added->handle = handle;
	LIST_INSERT_HEAD(&sisci_objects, added, list);
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
	sisci_enter();
	object = find(handle, kind);
	if (object)
		object->users++;
	else
		sisci_fail(error,
			   terminated() ? SCI_ERR_NOT_INITIALIZED : SCI_ERR_ILLEGAL_PARAMETER);
	sisci_leave();
	return object;
}

void *sisci_use(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
		sci_error_t *error)
{
	void *object = sisci_get(handle, kind, error);

	if (!object || sisci_flags(flags, allowed, 0, error))
		return object;
	sisci_put(object);
	return NULL;
}

/*
 * Free an object that no thread uses. The file of the object's session stays open as long as a
 * thread may use it.
 */
static void object_free(struct object *object)
{
	struct sci_desc *sd = object->sd;

	if (object->users || !object->gone)
		return;
	if (object->kind == KIND_SESSION) {
		if (sd->state)
			munmap((void *)(uintptr_t)sd->state, PAGE_BYTES);
		if (sd->file >= 0)
			close(sd->file);
		if (sd->wake >= 0)
			close(sd->wake);
	}
	free(object);
}

void sisci_put_locked(void *object)
{
	struct object *used = object;

	used->users--;
	object_free(used);
}

void sisci_put(void *object)
{
	if (!object)
		return;
	sisci_enter();
	sisci_put_locked(object);
	sisci_leave();
}

void sisci_remove(void *object)
{
	struct object *removed = object;

	LIST_REMOVE(removed, list);
	removed->gone = true;
	pthread_cond_broadcast(&sisci_changed);
	object_free(removed);
}

/* ---- handles of removed segments ---- */

static struct former {
	const void *handle;
	struct sisci_former former;
} formers[FORMERS];
static unsigned int formers_next;

void sisci_former_add(const void *handle, const struct sisci_former *former)
{
	formers[formers_next++ % FORMERS] = (struct former){handle, *former};
}

struct sisci_former sisci_former(const void *handle)
{
	struct sisci_former former = {0};
	unsigned int i;

	sisci_enter();
	/* Search from the newest element to the oldest. */
	for (i = 1; handle && i <= FORMERS && !former.bytes; i++) {
		const struct former *one = &formers[(formers_next - i) % FORMERS];

		if (one->handle == handle)
			former = one->former;
	}
	sisci_leave();
	return former;
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
		events->missed = true;
	}
	events->event[(events->first + events->count) % EVENTS] = *event;
	events->count++;
	pthread_cond_broadcast(&sisci_changed);
}

static bool event_take(struct events *events, struct event *event)
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

	clock_gettime(DEADLINE_CLOCK, &deadline);
	deadline.tv_sec += timeout_ms / 1000;
	deadline.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
	if (deadline.tv_nsec >= 1000000000) {
		deadline.tv_sec++;
		deadline.tv_nsec -= 1000000000;
	}
	return deadline;
}

bool sisci_wait(struct object *object, unsigned int timeout_ms, const struct timespec *deadline)
{
	bool infinite = timeout_ms == SCI_INFINITE_TIMEOUT;
	int state = cancel_state, ret;

	ret = wait_cancellable(infinite ? NULL : deadline, object);
	cancel_state = state;
	return ret != ETIMEDOUT;
}

void sisci_wait_change(void)
{
	int state = cancel_state;

	pthread_cond_wait(&sisci_changed, &lock);
	cancel_state = state;
}

sci_error_t sisci_event_wait(struct object *object, struct events *events, unsigned int timeout_ms,
			     struct event *event)
{
	struct timespec deadline = sisci_deadline(timeout_ms);
	bool late = false;

	for (;;) {
		if (object->gone)
			return SCI_ERR_CANCELLED;
		if (events->missed) {
			events->missed = false;
			return SCI_ERR_OVERFLOW;
		}
		if (event_take(events, event))
			return SCI_ERR_OK;
		if (late)
			return SCI_ERR_TIMEOUT;
		if (sisci_dispatches(object->sd))
			return SCI_ERR_ILLEGAL_OPERATION;
		late = !sisci_wait(object, timeout_ms, &deadline);
	}
}
