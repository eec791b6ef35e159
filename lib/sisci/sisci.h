/* SPDX-License-Identifier: MIT */
/*
 * libsisci: the declarations that its files share.
 *
 * What lives here: handles, sessions and events. May use: include/sisci/, <uapi/smile_adapter.h>,
 * <hw/adapter_regs.h>, POSIX threads, libc.
 *
 * One mutex protects all data; it is never held while a program's callback runs, nor in a call that
 * waits for another node. A handle is valid while it is in the list of objects: a pointer that is
 * not in the list is never dereferenced. An object that threads still use is freed by its last
 * user.
 *
 * A thread that has the lock cannot be cancelled, except while it waits for an event.
 */
#ifndef LIB_SISCI_SISCI_H
#define LIB_SISCI_SISCI_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include <hw/adapter_regs.h>
#include <sisci/sisci_api.h>
#include <uapi/smile_adapter.h>

#define ADAPTERS 16 /* device files */
#define PAGE_BYTES ((size_t)ADAPTER_PAGE_BYTES)

/* SISCI's node ids are multiples of 4, from 4. */
#define NODE_ID(node) (4 * ((node) + 1))

enum kind {
	KIND_SESSION,
	KIND_SEGMENT,
	KIND_REMOTE,
	KIND_MAP,
	KIND_SEQUENCE,
	KIND_DMA,
	KIND_INTERRUPT,
	KIND_LINE,
	KIND_DATA_INTERRUPT,
	KIND_DATA_LINE,
};

/**
 * struct object - The common part of all objects behind handles.
 * @kind: kind of the object
 * @sd: the session that the object belongs to; for a session: itself
 * @handle: the driver's handle
 * @users: number of threads that use the object, not counting the list
 * @maps: number of mappings, for a segment
 * @gone: removed from the list
 * @list: in the list of all objects
 */
struct object {
	enum kind kind;
	struct sci_desc *sd;
	unsigned int handle;
	unsigned int users;
	unsigned int maps;
	bool gone;
	LIST_ENTRY(object) list;
};

/**
 * struct sci_desc - A session: one open device file.
 * @file: its file descriptor
 * @adapter: number of the adapter
 * @node: node of the adapter, from 0
 * @state: ADAPTER_STATE_PAGE
 * @wake: written to wake the dispatcher
 * @ending: the dispatcher must end
 */
struct sci_desc {
	struct object object;
	int file;
	unsigned int adapter;
	unsigned int node;
	volatile const uint32_t *state;
	int wake;
	bool ending;
};

#define EVENTS 64

/**
 * struct event - An event that waits for a call.
 */
struct event {
	sci_segment_cb_reason_t reason;
	unsigned int node;
};

/**
 * struct events - Events of an object, in order; the oldest event is dropped if there are too many.
 * @missed: events were dropped: the next call that waits reports it
 */
struct events {
	struct event event[EVENTS];
	unsigned int first;
	unsigned int count;
	bool missed;
};

struct sci_local_segment {
	struct object object;
	unsigned int id;
	unsigned int page; /* its first page in the node's memory */
	size_t bytes;
	bool private;
	bool empty;
	bool prepared;
	bool available;
	bool attached;
	sci_cb_local_segment_t callback;
	void *arg;
	struct events events;
};

struct sci_remote_segment {
	struct object object;
	bool connected; /* asynchronously, but not reported by the dispatcher yet */
	unsigned int node;
	unsigned int id;
	unsigned int page; /* its first page in the node's memory */
	size_t bytes;
	bool lost;
	sci_cb_remote_segment_t callback;
	void *arg;
	struct events events;
};

/**
 * struct sci_map - A mapping.
 * @segment: the mapped segment
 * @remote: the mapped segment, if it is a remote segment
 * @pages, @pages_bytes: the mapped pages
 * @at: first byte of the part that the program requested
 * @bytes: size of this part
 * @offset: offset of this part in the segment
 * @node: node of the memory
 */
struct sci_map {
	struct object object;
	struct object *segment;
	struct sci_remote_segment *remote;
	void *pages;
	size_t pages_bytes;
	volatile uint8_t *at;
	size_t bytes;
	size_t offset;
	unsigned int node;
};

/**
 * struct sci_sequence - Errors of a node since the start of the sequence.
 * @map: the mapping; if it is gone, no errors can be checked
 * @errors: the node's error count at the start
 * @own_errors: this node's error count at the start; it counts accesses to the mapping of a lost
 *              segment
 * @failed: an error was reported after which the sequence must be started again
 */
struct sci_sequence {
	struct object object;
	struct sci_map *map;
	uint32_t errors;
	uint32_t own_errors;
	bool failed;
};

/**
 * struct interrupt - All four kinds of interrupts.
 * @number: its number
 * @node: for a connection: the other node
 * @counting: each trigger counts
 * @callback, @data_callback, @arg: passed by the program
 * @pending: number of triggers that wait for a call. Triggers of a data interrupt wait in the
 *           driver, which
 *	limits their number
 */
struct interrupt {
	struct object object;
	unsigned int number;
	unsigned int node;
	bool counting;
	sci_cb_interrupt_t callback;
	sci_cb_data_interrupt_t data_callback;
	void *arg;
	unsigned int pending;
};

/* ---- object.c ---- */

/* Take the lock, and release it. */
void sisci_enter(void);
void sisci_leave(void);
/* From now on the child of a fork() has no sessions. Under lock. */
void sisci_fork_prepare(void);

/* Signalled after a change: an event, a state, a removed object. */
extern pthread_cond_t sisci_changed;
extern bool sisci_initialized;
/* The number of connections that the driver may have, but that are not in the list yet. */
extern unsigned int sisci_connecting;
LIST_HEAD(objects, object);
extern struct objects sisci_objects;

/*
 * Every API call begins with one of these functions: *error is OK, or the reason why the call
 * fails.
 */
void sisci_ok(sci_error_t *error);
/* Set *error. Return: false, for functions that return false on failure. */
static inline bool sisci_fail(sci_error_t *error, sci_error_t why)
{
	if (error)
		*error = why;
	return false;
}

/* The error for an errno; @missing: the error for ENOENT. */
sci_error_t sisci_error(int number, sci_error_t missing);

/*
 * Check that there are no flags besides @allowed. Flags of @unsupported are known, but not
 * implemented.
 */
bool sisci_flags(unsigned int flags, unsigned int allowed, unsigned int unsupported,
		 sci_error_t *error);

/*
 * An API call that creates a handle begins with SISCI_OUT(), which clears the caller's variable.
 * False: the variable is NULL, and *error reports that.
 */
#define SISCI_OUT(variable, error)                                                                 \
	((variable) ? (*(variable) = NULL, true) : sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER))

/*
 * An API call that creates a handle from another object begins with SISCI_BEGIN(), which is
 * SISCI_OUT(), then sisci_get() of the other object.
 */
#define SISCI_BEGIN(variable, handle, kind, error)                                                 \
	(SISCI_OUT(variable, error) ? sisci_get(handle, kind, error) : NULL)

/*
 * Allocate an object, before the driver creates its counterpart, so that each counterpart has an
 * object. sisci_add() adds it to the list, under lock; free() drops it instead. Return: NULL, with
 * *error set, without memory.
 */
void *sisci_new(size_t bytes, enum kind kind, struct sci_desc *sd, sci_error_t *error);
void sisci_add(void *object, unsigned int handle);

/*
 * The object of a handle, with one more user; the caller must call sisci_put(), which also accepts
 * NULL. Return: NULL, with *error set, if the handle is invalid.
 */
void *sisci_get(const void *handle, enum kind kind, sci_error_t *error);
void sisci_put(void *object);
/* sisci_get() for an API call whose flags are checked. @allowed: as for sisci_flags() */
void *sisci_use(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
		sci_error_t *error);
/* The same under lock. */
void sisci_put_locked(void *object);

/* Remove an object from the list. It is freed when its last user has put it. Under lock. */
void sisci_remove(void *object);

/* Whether @sd has an object of this kind. Under lock. */
bool sisci_has(const struct sci_desc *sd, enum kind kind);

#define FORMERS 64

/**
 * struct sisci_former - Stored data about a segment whose handle is gone.
 */
struct sisci_former {
	unsigned int id;
	unsigned int node_id;
	size_t bytes;
};

/* Store data about the segment behind a handle. Under lock. */
void sisci_former_add(const void *handle, const struct sisci_former *former);
/* The former segment of a handle, if it is among the last FORMERS; else zeros. Not under lock. */
struct sisci_former sisci_former(const void *handle);

/* Add an event to @events; take the next one. Under lock. */
void sisci_event_add(struct events *events, const struct event *event);

/*
 * Wait until @events has an event, @object is gone, or @timeout_ms have passed. Under lock, which
 * it releases meanwhile. Return: SCI_ERR_OK, CANCELLED or TIMEOUT; OVERFLOW: events before the next
 * event were dropped; ILLEGAL_OPERATION: this thread itself would have to deliver the event.
 */
sci_error_t sisci_event_wait(struct object *object, struct events *events, unsigned int timeout_ms,
			     struct event *event);
/*
 * The time @timeout_ms from now; and a wait for sisci_changed until that time. False: the time has
 * passed. The thread can be cancelled in the wait if it uses no other object than @object.
 */
struct timespec sisci_deadline(unsigned int timeout_ms);
bool sisci_wait(struct object *object, unsigned int timeout_ms, const struct timespec *deadline);
/* A short wait for sisci_changed, in which no thread is cancelled. */
void sisci_wait_change(void);

/* ---- map.c ---- */

/*
 * In original libraries this function chooses the copy function. No header declares it, but
 * programs link it.
 */
__attribute__((visibility("default"))) void SetSciMemCopyFunction(int function);

/* ---- session.c ---- */

/* A whole API call that removes an object. @allowed: as for sisci_flags() */
void sisci_end(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
	       sci_error_t *error);

/* The node of a SISCI id; SCI_LOCAL_HOST: @sd's own. Return: false, with *error set. */
bool sisci_node(const struct sci_desc *sd, unsigned int node_id, unsigned int *node,
		sci_error_t *error);

/* Whether this session uses this adapter. */
bool sisci_adapter(const struct sci_desc *sd, unsigned int adapter, sci_error_t *error);

/* ---- dispatch.c ---- */

/* Start the thread that delivers @sd's events. Return: 0 or a negative errno. */
int sisci_dispatch_start(struct sci_desc *sd);
/* Deliver SCI_CB_CONNECT for @segment, which has one more user. */
void sisci_dispatch_connected(struct sci_remote_segment *segment);
/* Call the callback of @queue, which has one more completion. Under lock. */
void sisci_dispatch_completed(struct sci_dma_queue *queue);
/* Whether this thread delivers the events of @sd, so that it is in a callback. */
bool sisci_dispatches(const struct sci_desc *sd);
/* After a fork() no dispatcher runs, except the calling thread if it is one. Under lock. */
void sisci_dispatch_forget(void);
/* End a dispatcher; it closes the session's file. Under lock. */
void sisci_dispatch_end(struct sci_desc *sd);
/* Wait until all dispatchers except the calling thread have ended. Under lock. */
void sisci_dispatch_wait(void);

/* ---- the removal of each kind, for SCITerminate() and SCIClose(): under lock ---- */

void sisci_segment_end(struct sci_local_segment *segment);
void sisci_remote_end(struct sci_remote_segment *segment);
void sisci_map_end(struct sci_map *map);
void sisci_sequence_end(struct sci_sequence *sequence);
void sisci_dma_end(struct sci_dma_queue *queue);
void sisci_interrupt_end(struct interrupt *interrupt);

/* ---- segment.c ---- */

/*
 * Whether the segment is withdrawn, or its node gone. Queries the driver, because the event may not
 * have arrived yet. Under lock.
 */
bool sisci_remote_lost(struct sci_remote_segment *remote);

/* ---- dma.c ---- */

/* Whether the transfers of @queue are being executed. Under lock. */
bool sisci_dma_posted(const struct sci_dma_queue *queue);

/* A completion that must be reported by callback. */
struct completion {
	STAILQ_ENTRY(completion) link;
	sci_cb_dma_t callback;
	void *arg;
	sci_error_t error;
};

/* Take the first completion of @queue. Under lock. Return: NULL: no completion waits. */
struct completion *sisci_dma_completed(struct sci_dma_queue *queue);

/* ---- interrupt.c ---- */

/* Take the oldest message of a data interrupt. Under lock. Return: false: no message waits. */
bool sisci_data_take(const struct interrupt *interrupt, struct smile_adapter_data *data);

#endif /* LIB_SISCI_SISCI_H */
