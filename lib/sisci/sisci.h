/* SPDX-License-Identifier: MIT */
/*
 * libsisci: the declarations that its files share.
 *
 * What lives here: handles, sessions and events. May use: include/sisci/, <uapi/smile_adapter.h>,
 * <hw/adapter_regs.h>, POSIX threads, libc.
 *
 * One mutex, the lock, protects all data. No thread holds it during a callback of the program, or
 * while it waits for another node. A handle is valid while its object is in the list of objects.
 * The library never dereferences a handle that is not in the list. If threads still use an object
 * that was removed from the list, the last of these threads frees the object.
 *
 * A thread that has the lock can be cancelled only while it waits for an event.
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

#define ADAPTERS 16 /* largest number of adapters, each of which has a device file */
#define PAGE_BYTES ((size_t)ADAPTER_PAGE_BYTES)

/* In the SISCI API, node ids are multiples of 4, beginning with 4. */
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
 * struct object - The common part of all objects that have handles.
 * @kind: kind of the object
 * @sd: the session to which the object belongs; for a session, the session itself
 * @handle: the driver's handle
 * @users: number of references to the object, not counting the reference of the list
 * @maps: for a segment, the number of mappings of the segment
 * @gone: the object was removed from the list
 * @list: link in the list of all objects
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
 * struct sci_desc - A session, which has one open device file.
 * @file: descriptor of the file
 * @adapter: number of the adapter
 * @node: node of the adapter, from 0
 * @state: mapping of the adapter's page ADAPTER_STATE_PAGE
 * @wake: descriptor that is written to wake the dispatcher
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
 * struct event - An event that the program has not received yet.
 */
struct event {
	sci_segment_cb_reason_t reason;
	unsigned int node;
};

/**
 * struct events - The events of an object, in the order in which they occurred. If there are too
 * many, the oldest event is dropped.
 * @missed: at least one event was dropped; the next call that waits for an event reports this
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
	unsigned int page; /* number of its first page in the node's memory */
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
	bool connected; /* connected asynchronously, and the dispatcher has not reported this yet */
	unsigned int node;
	unsigned int id;
	unsigned int page; /* number of its first page in the node's memory */
	size_t bytes;
	bool lost;
	sci_cb_remote_segment_t callback;
	void *arg;
	struct events events;
};

/**
 * struct sci_map - A mapping of a segment.
 * @segment: the mapped segment
 * @remote: the mapped segment, if it is a remote segment
 * @pages, @pages_bytes: the mapped pages
 * @at: address of the first byte that the program requested
 * @bytes: number of bytes that the program requested
 * @offset: offset of the first byte of the mapping in the segment
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
 * struct sci_sequence - The errors of a node since the start of a SISCI sequence.
 * @map: the mapping; after it is removed, errors cannot be checked
 * @errors: error count of the node when the sequence was started
 * @own_errors: error count of this node when the sequence was started. The error count includes
 *              accesses to mappings of lost segments
 * @failed: an error was reported, so the sequence must be started again
 */
struct sci_sequence {
	struct object object;
	struct sci_map *map;
	uint32_t errors;
	uint32_t own_errors;
	bool failed;
};

/**
 * struct interrupt - An interrupt of this node, or a connection to an interrupt of another node,
 * with or without data.
 * @number: number of the interrupt
 * @node: for a connection, the other node
 * @counting: each trigger is counted; otherwise several triggers that wait count as one
 * @callback, @data_callback, @arg: passed by the program
 * @pending: number of triggers that the program has not received yet. Triggers of a data interrupt
 *           wait in the driver instead, which limits their number
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

/* sisci_enter() takes the lock; sisci_leave() releases it. */
void sisci_enter(void);
void sisci_leave(void);
/* Prepare for fork(), so that the child has no sessions. The caller must have the lock. */
void sisci_fork_prepare(void);

/*
 * This condition is signalled after each change: a new event, a new state, or the removal of an
 * object.
 */
extern pthread_cond_t sisci_changed;
extern bool sisci_initialized;
/* The number of connections that may already exist in the driver, but are not in the list yet. */
extern unsigned int sisci_connecting;
LIST_HEAD(objects, object);
extern struct objects sisci_objects;

/*
 * Every function of the API first calls one of the following functions. They set *error to
 * SCI_ERR_OK, or to the reason why the function of the API fails.
 */
void sisci_ok(sci_error_t *error);
/* Set *error to @why. Return: false, so that a function can return this result. */
static inline bool sisci_fail(sci_error_t *error, sci_error_t why)
{
	if (error)
		*error = why;
	return false;
}

/* Convert an errno to a SISCI error. @missing: the SISCI error for ENOENT. */
sci_error_t sisci_error(int number, sci_error_t missing);

/*
 * Check that @flags has no flags except those in @allowed. Flags in @unsupported are known, but not
 * implemented.
 */
bool sisci_flags(unsigned int flags, unsigned int allowed, unsigned int unsupported,
		 sci_error_t *error);

/*
 * Every function of the API that creates a handle first uses SISCI_OUT(), which sets the caller's
 * variable to NULL. Result: true; false if the address of the variable is NULL, with *error set.
 */
#define SISCI_OUT(variable, error)                                                                 \
	((variable) ? (*(variable) = NULL, true) : sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER))

/*
 * Every function of the API that creates a handle from another object first uses SISCI_BEGIN(). It
 * does the work of SISCI_OUT(), and then calls sisci_get() for the other object.
 */
#define SISCI_BEGIN(variable, handle, kind, error)                                                 \
	(SISCI_OUT(variable, error) ? sisci_get(handle, kind, error) : NULL)

/*
 * Allocate an object. Call this function before the driver creates its own object, so that each
 * object of the driver has an object here. If the driver succeeds, call sisci_add(), with the lock,
 * to add the object to the list; otherwise call free(). Return: the object; NULL if memory is
 * missing, with *error set.
 */
void *sisci_new(size_t bytes, enum kind kind, struct sci_desc *sd, sci_error_t *error);
void sisci_add(void *object, unsigned int handle);

/*
 * Get the object of a handle, and take a reference to it. The caller must later call sisci_put(),
 * which also accepts NULL. Return: the object; NULL if the handle is invalid, with *error set.
 */
void *sisci_get(const void *handle, enum kind kind, sci_error_t *error);
void sisci_put(void *object);
/*
 * Like sisci_get(), but for a function of the API that has flags. @allowed: the flags that the
 * function of the API supports, as for sisci_flags().
 */
void *sisci_use(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
		sci_error_t *error);
/* Like sisci_put(), for a caller that has the lock. */
void sisci_put_locked(void *object);

/*
 * Remove an object from the list. The object is freed when its last reference is dropped. The
 * caller must have the lock.
 */
void sisci_remove(void *object);

/* Return whether @sd has an object of the kind @kind. The caller must have the lock. */
bool sisci_has(const struct sci_desc *sd, enum kind kind);

#define FORMERS 64

/**
 * struct sisci_former - Data about a segment whose handle no longer exists.
 */
struct sisci_former {
	unsigned int id;
	unsigned int node_id;
	size_t bytes;
};

/* Store data about the segment of a handle that is being removed. The caller must have the lock. */
void sisci_former_add(const void *handle, const struct sisci_former *former);
/*
 * Get the data about the former segment of a handle. If the segment is not among the last FORMERS
 * segments, the data is zeros. The caller must not have the lock.
 */
struct sisci_former sisci_former(const void *handle);

/* Add an event to @events. The caller must have the lock. */
void sisci_event_add(struct events *events, const struct event *event);

/*
 * Wait until @events has an event, and take it. The wait ends, too, if @object is removed or
 * @timeout_ms have passed. The caller must have the lock, which is released during the wait.
 * Return: SCI_ERR_OK, CANCELLED or TIMEOUT; OVERFLOW if events before the next event were dropped;
 * ILLEGAL_OPERATION if the calling thread is the thread that must deliver the event.
 */
sci_error_t sisci_event_wait(struct object *object, struct events *events, unsigned int timeout_ms,
			     struct event *event);
/*
 * sisci_deadline() gets the time @timeout_ms from now. sisci_wait() waits for sisci_changed until
 * that time. It returns true, or false if the time has passed. The thread can be cancelled during
 * the wait if it has a reference to no object except @object.
 */
struct timespec sisci_deadline(unsigned int timeout_ms);
bool sisci_wait(struct object *object, unsigned int timeout_ms, const struct timespec *deadline);
/* Wait for sisci_changed for a short time. The thread cannot be cancelled during this wait. */
void sisci_wait_change(void);

/* ---- map.c ---- */

/*
 * In the original libraries, this function chooses the function that copies memory. No header
 * declares it, but programs link to it.
 */
__attribute__((visibility("default"))) void SetSciMemCopyFunction(int function);

/* ---- session.c ---- */

/*
 * Implement the functions of the API that remove an object. @allowed: the flags that the function
 * of the API supports, as for sisci_flags().
 */
void sisci_end(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
	       sci_error_t *error);

/*
 * Convert a SISCI node id to a node number. SCI_LOCAL_HOST is the node of @sd. Return: true; false
 * if there is no such node, with *error set.
 */
bool sisci_node(const struct sci_desc *sd, unsigned int node_id, unsigned int *node,
		sci_error_t *error);

/*
 * Check that the session @sd uses the adapter @adapter. Return: true; false if it does not, with
 * *error set.
 */
bool sisci_adapter(const struct sci_desc *sd, unsigned int adapter, sci_error_t *error);

/* ---- dispatcher.c ---- */

/*
 * Start the dispatcher of @sd, which is the thread that delivers its events. Return: 0 or a
 * negative errno.
 */
int sisci_dispatch_start(struct sci_desc *sd);
/* Deliver SCI_CB_CONNECT for @segment. The caller passes a reference to @segment. */
void sisci_dispatch_connected(struct sci_remote_segment *segment);
/*
 * Call the callback of @queue, because a further transfer has been completed. The caller must have
 * the lock.
 */
void sisci_dispatch_completed(struct sci_dma_queue *queue);
/*
 * Return whether the calling thread is the dispatcher of @sd, which means that it is in a callback.
 */
bool sisci_dispatches(const struct sci_desc *sd);
/*
 * Forget the dispatchers after fork(). In the child, no dispatcher runs, unless the calling thread
 * is a dispatcher. The caller must have the lock.
 */
void sisci_dispatch_forget(void);
/*
 * End the dispatcher of a session. When the dispatcher ends, it closes the file of the session. The
 * caller must have the lock.
 */
void sisci_dispatch_end(struct sci_desc *sd);
/*
 * Wait until all dispatchers except the calling thread have ended. The caller must have the lock.
 */
void sisci_dispatch_wait(void);

/*
 * ---- removal of each kind of object, for SCITerminate() and SCIClose(); the caller has the lock
 * ----
 */

void sisci_segment_end(struct sci_local_segment *segment);
void sisci_remote_end(struct sci_remote_segment *segment);
void sisci_map_end(struct sci_map *map);
void sisci_sequence_end(struct sci_sequence *sequence);
void sisci_dma_end(struct sci_dma_queue *queue);
void sisci_interrupt_end(struct interrupt *interrupt);

/* ---- segment.c ---- */

/*
 * Return whether the segment was withdrawn, or its node has failed. The function asks the driver,
 * because the event may not have arrived yet. The caller must have the lock.
 */
bool sisci_remote_lost(struct sci_remote_segment *remote);

/* ---- dma.c ---- */

/* Return whether the transfers of @queue are being executed. The caller must have the lock. */
bool sisci_dma_posted(const struct sci_dma_queue *queue);

/* A completion that must be reported to a callback. */
struct completion {
	STAILQ_ENTRY(completion) link;
	sci_cb_dma_t callback;
	void *arg;
	sci_error_t error;
};

/*
 * Take the first completion of @queue. The caller must have the lock. Return: the completion; NULL
 * if there is none.
 */
struct completion *sisci_dma_completed(struct sci_dma_queue *queue);

/* ---- interrupt.c ---- */

/*
 * Take the oldest message of a data interrupt. The caller must have the lock. Return: true; false
 * if there is no message.
 */
bool sisci_data_take(const struct interrupt *interrupt, struct smile_adapter_data *data);

#endif /* LIB_SISCI_SISCI_H */
