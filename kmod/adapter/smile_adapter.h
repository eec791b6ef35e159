/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SCI adapter's driver: the declarations that its files share.
 *
 * What lives here: the device, the sessions and their objects, and the functions that the files
 * call. May use: <hw/adapter_regs.h>, <hw/adapter_message.h>, <uapi/smile_adapter.h>, kernel
 * headers.
 *
 * One mutex, adapter.lock, protects the registers whose commands need several writes (translation,
 * export, messages), the lists, and every object. It is not held during an access to user memory or
 * during a wait for another node.
 *
 *	session		an open file; its objects below have handles
 *	segment		memory of this node, exported or not
 *	  importer	another node's connection to a segment, until it can no longer access it
 *	connection	a segment of another node
 *	  mapping	pages of the window through which a process accesses the segment
 *	interrupt	an interrupt of this node that other nodes trigger
 *	line		an interrupt of another node
 */
#ifndef KMOD_ADAPTER_SMILE_ADAPTER_H
#define KMOD_ADAPTER_SMILE_ADAPTER_H

#include <linux/build_bug.h>
#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <hw/adapter_message.h>
#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

/*
 * A page of the adapter must have the size of the processor's pages. On a kernel with larger pages,
 * one mmap() would include segments of other sessions, other registers, and memory after a BAR.
 */
static_assert(PAGE_SIZE == ADAPTER_PAGE_BYTES,
	      "smile_adapter needs a kernel with pages of 4 KB: others would be mapped as well");

#define ADAPTER_NAME "smile_adapter"
#define ADAPTER_EVENTS 1024
#define ADAPTER_CONNECTIONS 4096 /* connections of one node to another node */
#define ADAPTER_NAMES 4096 /* segments in the list of names */

/**
 * struct adapter_failures - Counts of failed accesses, for failures.c.
 * @errors: by node: the value of ADAPTER_REG_ERRORS when it was last read
 * @messages: by node: number of failed messages of this driver since @errors was read
 * @message_count: messages of this driver that have failed since the adapter's reset
 * @before: accesses that had failed before the adapter's last reset
 * @count: accesses that have failed, as last read
 * @rest: work that enables the interrupt again
 */
struct adapter_failures {
	u32 errors[ADAPTER_NODES];
	u32 messages[ADAPTER_NODES];
	u64 message_count;
	u64 before;
	u64 count;
	struct delayed_work rest;
};

/**
 * struct adapter - One adapter.
 * @dev: class device; when its last reference is dropped, its release function frees the adapter
 * @cdev: character device
 * @pdev: PCI device; valid until @gone is set
 * @number: minor number
 * @regs: BAR 0
 * @memory: BAR 4, mapped for the kernel
 * @window_pages: size of the window
 * @memory_pages: size of this node's memory
 * @window_map: bitmap of the window's pages in use
 * @memory_map: bitmap of the memory's pages in use
 * @node: number of this node
 * @gone: the device has been removed; its registers must not be accessed
 * @down: the adapter is being reset, its bus has an error, or the machine sleeps; its registers
 *        must not be accessed
 * @lock: protects all members below, and all objects
 * @sessions: open files
 * @segments: segments of all sessions
 * @interrupts: interrupts of all sessions
 * @connections: connections of all sessions
 * @lines: lines of all sessions
 * @unacknowledged: importers of withdrawn segments whose nodes have not yet confirmed that they
 *                  have disconnected
 * @kept: memories that another node or the DMA engine may still access
 * @settle: work that frees @kept
 * @requests: requests that wait for a reply
 * @outgoing: by node: messages for which the node had no room, in order
 * @queued: by node: number of messages in @outgoing
 * @retry: work that sends @outgoing
 * @receive: work that handles messages if more have arrived than an interrupt handles
 * @cookie: number of the last connection or request that this node has created
 * @segment_id: the last segment id that the driver has chosen
 * @interrupt_number: the last interrupt number that the driver has chosen
 * @int_enable: the interrupts that are enabled when none is being handled
 * @failures: counts of failed accesses; used by failures.c
 * @names: present and former segments, for a recorder
 * @name_count: number of segments in @names
 * @names_dropped: number of segments for which @names had no room
 * @debugfs: the adapter's directory in debugfs
 * @dma: serialises DMA transfers
 * @dma_done: completed when an interrupt reports the end of a transfer
 * @dma_session: the session of the present transfer, or NULL
 * @dma_connection: connection of the present transfer; NULL: there is no transfer, or its
 *                  connection has ended
 */
struct adapter {
	struct device dev;
	struct cdev cdev;
	struct pci_dev *pdev;
	int number;
	void __iomem *regs;
	void __iomem *memory;
	u32 window_pages;
	u32 memory_pages;
	unsigned long *window_map;
	unsigned long *memory_map;
	u32 node;
	bool gone;
	bool down;
	struct mutex lock; /* protects all changing members, and sequences of register accesses */
	struct list_head sessions;
	struct list_head segments;
	struct list_head interrupts;
	struct list_head connections;
	struct list_head lines;
	struct list_head unacknowledged;
	struct list_head kept;
	struct delayed_work settle;
	struct list_head requests;
	struct list_head outgoing[ADAPTER_NODES];
	u32 queued[ADAPTER_NODES];
	struct delayed_work retry;
	struct delayed_work receive;
	u32 cookie;
	u32 segment_id;
	u32 interrupt_number;
	u32 int_enable;
	struct adapter_failures failures;
	struct list_head names;
	u32 name_count;
	u64 names_dropped;
	struct dentry *debugfs;
	struct mutex dma; /* held during a transfer */
	struct completion dma_done;
	struct adapter_session *dma_session;
	struct adapter_connection *dma_connection;
};

struct adapter_message;

enum adapter_object_kind {
	ADAPTER_OBJECT_SEGMENT,
	ADAPTER_OBJECT_ATTACHED,
	ADAPTER_OBJECT_CONNECTION,
	ADAPTER_OBJECT_INTERRUPT,
	ADAPTER_OBJECT_LINE,
};

/**
 * struct adapter_object - An object of a session. It is the first member of each kind of object.
 * @kind: type of the containing object
 * @handle: its handle in the session; after the object is published, calls can find it by its
 *          handle
 * @session: the session that owns the object
 * @list: entry of the adapter's list of objects of this kind
 */
struct adapter_object {
	enum adapter_object_kind kind;
	u32 handle;
	struct adapter_session *session;
	struct list_head list;
};

/**
 * struct adapter_session - An open file.
 * @adapter: the adapter; the file holds a reference
 * @list: entry of the adapter's list of sessions
 * @mapping: address space of the device file, from which a removal unmaps all pages
 * @objects: objects by handle
 * @events: events that have not been read
 * @event_count: number of events in @events
 * @dropped: number of events that were dropped since the session last read an event
 * @wait: readers that wait for events
 * @severed: mappings of this session whose connection has ended
 * @object_count: number of objects in @objects
 * @memories: memory that the session has allocated, and that has not been freed
 * @memory_pages: number of pages of @memories
 * @window_pages: number of pages of the window that its mappings use
 */
struct adapter_session {
	struct adapter *adapter;
	struct list_head list;
	struct address_space *mapping;
	struct idr objects;
	struct list_head events;
	u32 event_count;
	u32 dropped;
	wait_queue_head_t wait;
	u32 severed;
	u32 object_count;
	struct list_head memories;
	u32 memory_pages;
	u32 window_pages;
};

/**
 * struct adapter_memory - Pages of this node's memory.
 * @adapter: the adapter; holds a reference
 * @ref: held by the segment, by its mappings, and by each connection of another node
 * @session: the session that has allocated the memory; NULL: the session is closed
 * @list: entry of the session's list of memories
 * @kept: entry of the adapter's list of kept memories, which holds a reference
 * @refused: the memory is kept because the adapter has refused to end its export
 * @page: first page
 * @pages: number of pages
 */
struct adapter_memory {
	struct adapter *adapter;
	struct kref ref;
	struct adapter_session *session;
	struct list_head list;
	struct list_head kept;
	bool refused;
	u32 page;
	u32 pages;
};

/**
 * struct adapter_segment - A segment of this node. An ADAPTER_OBJECT_SEGMENT uses all members, and
 * an ADAPTER_OBJECT_ATTACHED only @object and @memory.
 * @id: id of the segment for other nodes
 * @memory: its pages
 * @bytes: requested size of the segment, before rounding to pages
 * @available: the segment accepts new connections
 * @exported: the segment's pages are in the adapter's table of exported pages
 * @shared: other sessions may attach to it
 * @importers: connections of all nodes to the segment
 */
struct adapter_segment {
	struct adapter_object object;
	u32 id;
	struct adapter_memory *memory;
	u64 bytes;
	bool available;
	bool exported;
	bool shared;
	struct list_head importers;
};

/**
 * struct adapter_importer - A connection to a segment, on the segment's node.
 * @list: entry of the segment's list of importers, or of the adapter's unacknowledged ones
 * @node: the node that has connected
 * @cookie: the connection's number on that node
 * @memory: the pages that the node may access
 * @asked: the driver has asked the node to disconnect
 */
struct adapter_importer {
	struct list_head list;
	u32 node;
	u32 cookie;
	struct adapter_memory *memory;
	bool asked;
};

/**
 * struct adapter_connection - A connection to a segment of another node: an
 * ADAPTER_OBJECT_CONNECTION.
 * @node: the segment's node
 * @cookie: the connection's number, unique on this node
 * @page: the segment's first page in that node's memory
 * @pages: number of pages
 * @lost: the segment has been withdrawn, or its node is gone
 * @mappings: mappings of the connection
 */
struct adapter_connection {
	struct adapter_object object;
	u32 node;
	u32 cookie;
	u32 page;
	u32 pages;
	bool lost;
	struct list_head mappings;
};

/**
 * struct adapter_interrupt - An interrupt of this node (ADAPTER_OBJECT_INTERRUPT), or a line, which
 * is a connection to an interrupt of another node (ADAPTER_OBJECT_LINE).
 * @node: for a line: the interrupt's node
 * @number: the interrupt's number on its node; data interrupts are numbered separately
 * @data: the interrupt carries data
 * @lost: for a line: its node has removed the interrupt
 * @arrived: number of triggers since the session last read an event about the interrupt; while the
 *           number is not 0, one event is queued
 * @waiting: number of messages in @messages
 * @messages: for a data interrupt: messages that the session has not taken yet, in order
 */
struct adapter_interrupt {
	struct adapter_object object;
	u32 node;
	u32 number;
	bool data;
	bool lost;
	u32 arrived;
	u32 waiting;
	struct list_head messages;
};

static inline u32 adapter_read(struct adapter *adapter, u32 offset)
{
	return READ_ONCE(adapter->gone) || READ_ONCE(adapter->down)
		       ? ADAPTER_ABSENT
		       : ioread32(adapter->regs + offset);
}

static inline void adapter_write(struct adapter *adapter, u32 offset, u32 value)
{
	if (!READ_ONCE(adapter->gone) && !READ_ONCE(adapter->down))
		iowrite32(value, adapter->regs + offset);
}

/*
 * Check whether the adapter has rejected a register write since the last call. A rejected command
 * has no effect. Called with adapter.lock held.
 */
static inline bool adapter_refused(struct adapter *adapter)
{
	u32 status = adapter_read(adapter, ADAPTER_REG_STATUS);

	if (status == ADAPTER_ABSENT || !(status & ADAPTER_STATUS_BAD_WRITE))
		return false;
	adapter_write(adapter, ADAPTER_REG_STATUS, ADAPTER_STATUS_BAD_WRITE);
	return true;
}

/* ---- main.c: called with adapter.lock held ---- */

/* Join the fabric. */
void adapter_start(struct adapter *adapter);

/* ---- recovery.c ---- */

extern const struct pci_error_handlers adapter_recovery_errors;
extern const struct dev_pm_ops adapter_recovery_pm;

/* ---- limit.c: called with adapter.lock held. Return: 0; -ENOSPC: the session's limit ---- */

int adapter_limit_object(const struct adapter_session *session);
int adapter_limit_memory(const struct adapter_session *session, u32 pages);
int adapter_limit_window(const struct adapter_session *session, u32 pages);

/* ---- session.c: open files, handles and events ---- */

extern const struct file_operations adapter_fops;

/*
 * Get the session of an open file. Return: NULL if the file has no session, or is open only for
 * reading.
 */
struct adapter_session *adapter_session(struct file *file);

/*
 * Reserve a handle of @session for @object. Until the object is published, no call finds it by the
 * handle. The creating call can therefore release adapter.lock, and no other call can release the
 * object meanwhile. Return: 0; -ENOSPC if no handle is free, or the session has too many objects;
 * -ENOMEM. Called with adapter.lock held.
 */
int adapter_object_add(struct adapter_session *session, struct adapter_object *object,
		       enum adapter_object_kind kind, struct list_head *all);
/* Publish the object, whose handle the program has received. Called with adapter.lock held. */
void adapter_object_publish(struct adapter_object *object);
/* Destroy an object of any kind. Called with adapter.lock held. */
void adapter_object_destroy(struct adapter_object *object);
void adapter_object_remove(struct adapter_object *object);
/*
 * Find the object of this kind with this handle. Return: NULL if it does not exist. Called with
 * adapter.lock held.
 */
struct adapter_object *adapter_object_find(struct adapter_session *session, u32 handle,
					   enum adapter_object_kind kind);

/*
 * Queue an event about @object for its session. Return: false if there is no memory. Called with
 * adapter.lock held.
 */
bool adapter_event(struct adapter_object *object, u32 kind, u32 node);

/*
 * Report to @session that @count accesses to @node have failed. @reason is the reason of the last
 * failure. Called with adapter.lock held.
 */
void adapter_event_failed(struct adapter_session *session, u32 node, u32 count, u32 reason);

/* ---- failures.c: called with adapter.lock held, except init and stop ---- */

void adapter_failures_init(struct adapter *adapter);
/*
 * Handle the interrupt ERROR: report the failed accesses to the log and the sessions, and disable
 * the interrupt for some time.
 */
void adapter_failures_interrupt(struct adapter *adapter);
/*
 * Record that a message of this driver to @node has failed, because the adapter counts it among
 * failed accesses.
 */
void adapter_failures_message(struct adapter *adapter, u32 node);
/* Get the number of accesses that have failed since the driver was bound. */
u64 adapter_failures_count(struct adapter *adapter);
/* Save the counts, because the adapter will be reset and its counters will restart. */
void adapter_failures_reset(struct adapter *adapter);
/* Stop the work, after the adapter has been removed. Called without adapter.lock. */
void adapter_failures_stop(struct adapter *adapter);
extern const struct attribute_group *adapter_groups[];

/* ---- segment_names.c ---- */

/* Add a segment to the list of names. Called with adapter.lock held. */
void adapter_name_add(struct adapter *adapter, u32 node, u32 id, u32 page, u32 pages);
void adapter_names_free(struct adapter *adapter);
/* Show the names in debugfs. debugfs_remove(adapter->debugfs) undoes this. */
void adapter_debugfs_add(struct adapter *adapter);

/* ---- ioctl.c ---- */

long adapter_ioctl(struct file *file, unsigned int command, unsigned long argument);

/* ---- map.c ---- */

int adapter_mmap(struct file *file, struct vm_area_struct *vma);

/*
 * Unmap all pages of the adapter from processes. A later fault maps a page again, or fails. Called
 * with adapter.lock held.
 */
void adapter_map_unmap(struct adapter *adapter);

/* Clear the translations of the connection's mappings. Called with adapter.lock held. */
void adapter_map_clear(struct adapter_connection *connection);

/* ---- segment.c: called with adapter.lock held; some calls release it temporarily ---- */

struct adapter_memory *adapter_memory_get(struct adapter_memory *memory);
void adapter_memory_put(struct adapter_memory *memory);
/*
 * Keep the memory, and free it when neither another node nor the DMA engine can access it.
 * @refused: the adapter has refused to end the export, so that the memory is freed only when the
 * adapter is reset.
 */
void adapter_memory_keep(struct adapter_memory *memory, bool refused);
/*
 * Detach the memory of @session, which ends. Memory that is still in use no longer counts towards
 * the limits of a session.
 */
void adapter_memory_orphan(struct adapter_session *session);

/*
 * The next two functions store a new object in @made, until it is published.
 * adapter_segment_create() is called without adapter.lock.
 */
int adapter_segment_create(struct adapter_session *session, struct smile_adapter_segment *args,
			   struct adapter_object **made);
int adapter_segment_attach(struct adapter_session *session, struct smile_adapter_attach *args,
			   struct adapter_object **made);
int adapter_segment_state(struct adapter_segment *segment, u32 state);
void adapter_segment_remove(struct adapter_segment *segment);
/*
 * Find the segment with this handle, which the session has created or attached. Return: NULL if it
 * does not exist.
 */
struct adapter_segment *adapter_segment_find(struct adapter_session *session, u32 handle);

/*
 * Handle another node that connects, that disconnects, or that confirms its disconnection from a
 * withdrawn segment.
 */
int adapter_segment_connect(struct adapter *adapter, u32 node, u32 id, u32 cookie,
			    struct adapter_segment **segment);
void adapter_segment_disconnect(struct adapter *adapter, u32 node, u32 cookie);
void adapter_segment_node_gone(struct adapter *adapter, u32 node);
/* Record that the adapter was reset, and no longer exports pages. */
void adapter_segment_reset(struct adapter *adapter);
void adapter_segment_init(struct adapter *adapter);
/*
 * Drop the kept memories, and the importers whose nodes have not confirmed that they have
 * disconnected, because the adapter is being removed.
 */
void adapter_segment_stop(struct adapter *adapter);
/* Called without adapter.lock. */
void adapter_segment_cancel(struct adapter *adapter);

/* ---- connection.c ---- */

/* Called without adapter.lock, because the call waits for the other node. */
int adapter_connect(struct adapter_session *session, struct smile_adapter_connect *args,
		    struct adapter_object **made);
/* Called with adapter.lock held. */
void adapter_release(struct adapter_connection *connection);
/*
 * End a connection whose segment was withdrawn. Return: whether the connection existed, and this
 * node no longer accesses its pages.
 */
bool adapter_connection_lost(struct adapter *adapter, u32 node, u32 cookie);
void adapter_connection_leave(struct adapter *adapter, u32 node, u32 cookie);
void adapter_connection_node_gone(struct adapter *adapter, u32 node);

/* ---- interrupt.c ---- */

int adapter_interrupt_create(struct adapter_session *session, struct smile_adapter_interrupt *args,
			     struct adapter_object **made);
void adapter_interrupt_remove(struct adapter_interrupt *interrupt);
/* Called without adapter.lock, because the call waits for the other node. */
int adapter_interrupt_connect(struct adapter_session *session,
			      struct smile_adapter_interrupt_connect *args,
			      struct adapter_object **made);
/* Called without adapter.lock, because the call waits for the other node of a data interrupt. */
int adapter_trigger(struct adapter_session *session, const struct smile_adapter_trigger *args);
/*
 * Handle a trigger from another node. Return: 0; -ENOENT if no interrupt has this number; -ENOSPC
 * if too many messages of this interrupt wait; -ENOMEM. Called with adapter.lock held.
 */
int adapter_interrupt_arrive(struct adapter *adapter, u32 node,
			     const struct adapter_message *message);
/*
 * A session reads an event about @interrupt. Get the number of triggers that the event reports.
 * Called with adapter.lock held.
 */
u32 adapter_interrupt_arrived(struct adapter_interrupt *interrupt);
/* Take the oldest message of a data interrupt. Called with adapter.lock held. */
int adapter_interrupt_data(struct adapter_session *session, struct smile_adapter_data *args);
struct adapter_interrupt *adapter_interrupt_find(struct adapter *adapter, u32 number, bool data);
/* Mark all lines to @node as lost. Called with adapter.lock held. */
void adapter_interrupt_node_gone(struct adapter *adapter, u32 node);
void adapter_interrupt_lost(struct adapter *adapter, u32 node, u32 number, bool data);

/* ---- dma.c: called without adapter.lock, except adapter_dma_leave() ---- */

int adapter_dma(struct adapter_session *session, struct smile_adapter_dma *args);
void adapter_dma_abort(struct adapter_session *session);
/*
 * End the transfer over @connection, if there is one, and wait until the engine accesses neither of
 * the two memories. Return: 0; -EBUSY if the engine still accesses one of them. Called with
 * adapter.lock held.
 */
int adapter_dma_leave(struct adapter_connection *connection);

/* ---- message.c ---- */

/*
 * Send a message, or queue it while the receiver has no room. Return: 0; -EHOSTUNREACH if the node
 * does not answer; -EAGAIN if too many messages are queued; -ENODEV; -ENOMEM. Called with
 * adapter.lock held.
 */
int adapter_send(struct adapter *adapter, u32 node, struct adapter_message *message);
/*
 * Send a request, and wait for the reply, which is then in @message. Only a signal that ends the
 * process interrupts the wait, because a restarted call would send the request twice. @pending: set
 * if the node may have received the request, and has not answered. Called without adapter.lock.
 */
int adapter_ask(struct adapter *adapter, u32 node, struct adapter_message *message, bool *pending);

/* Handle messages that have arrived. Changes adapter.int_enable. Called with adapter.lock held. */
void adapter_receive(struct adapter *adapter);
/* Drop the state of the nodes that were lost, or of all nodes. Called with adapter.lock held. */
void adapter_nodes(struct adapter *adapter);
void adapter_nodes_all(struct adapter *adapter);
void adapter_message_init(struct adapter *adapter);
/*
 * Wait until queued messages are sent, because they may be answers for which a program of another
 * node waits. If a node reads no messages, the wait for it ends early. Called without adapter.lock.
 */
void adapter_message_flush(struct adapter *adapter);
/* Drop queued messages, and end all waits. Called with adapter.lock held. */
void adapter_message_stop(struct adapter *adapter);
/* Called without adapter.lock. */
void adapter_message_cancel(struct adapter *adapter);

#endif /* KMOD_ADAPTER_SMILE_ADAPTER_H */
