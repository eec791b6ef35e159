/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SCI adapter's driver: what its files share.
 *
 * What lives here: the device, the sessions and what they own, and the calls between the files.
 * May use: <hw/adapter_regs.h>, <uapi/smile_adapter.h>, kernel headers.
 *
 * One mutex, lock, protects all of it: the registers that take several writes (translation, export,
 * messages), the lists, and every object. It is not held while user memory is accessed, nor while
 * another node is waited for.
 *
 *	session		an open file; owns segments, connections, interrupts, lines by handle
 *	segment		memory of this node, exported or not
 *	  importer	another node's connection to it, as long as it may be accessed
 *	connection	a segment of another node
 *	  mapping	pages of the window that it is seen through, in some process
 *	interrupt	can be triggered by other nodes
 *	line		another node's interrupt
 */
#ifndef KMOD_ADAPTER_SMILE_ADAPTER_H
#define KMOD_ADAPTER_SMILE_ADAPTER_H

#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

#define ADAPTER_NAME "smile_adapter"
#define ADAPTER_EVENTS 1024

/**
 * struct adapter - One adapter.
 * @dev: its class device; its last reference frees this
 * @cdev: the character device
 * @pdev: the PCI device, while not @gone
 * @number: minor
 * @regs: BAR 0
 * @memory: BAR 4, for the kernel
 * @window_pages: sizes
 * @memory_pages: likewise
 * @window_map: pages in use
 * @memory_map: likewise
 * @node: this node
 * @gone: removed; no register is accessed
 * @reachable: nodes that answer, as last seen
 * @lock: protects all that follows, and all objects
 * @sessions: open files
 * @segments: of all sessions, by id
 * @interrupts: of all sessions, by number
 * @connections: of all sessions
 * @lines: of all sessions
 * @unacknowledged: importers of segments that are gone, until they say that they know
 * @requests: waiting for a reply
 * @outgoing: messages that the receiver had no room for, in order
 * @retry: sends them
 * @cookie: number of the last connection or request
 * @segment_id: last one chosen
 * @interrupt_number: likewise
 * @dma: one transfer at a time
 * @dma_done: the one under way has ended
 * @dma_session: whose it is
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
	u64 reachable;
	struct mutex lock;
	struct list_head sessions;
	struct list_head segments;
	struct list_head interrupts;
	struct list_head connections;
	struct list_head lines;
	struct list_head unacknowledged;
	struct list_head requests;
	struct list_head outgoing;
	struct delayed_work retry;
	u32 cookie;
	u32 segment_id;
	u32 interrupt_number;
	struct mutex dma;
	struct completion dma_done;
	struct session *dma_session;
};

enum object_kind {
	OBJECT_SEGMENT,
	OBJECT_ATTACHED,
	OBJECT_CONNECTION,
	OBJECT_INTERRUPT,
	OBJECT_LINE,
};

/**
 * struct object - What a session owns.
 * @kind: what it is
 * @handle: its name in the session
 * @session: whose
 * @list: of the adapter: all of this kind
 */
struct object {
	enum object_kind kind;
	u32 handle;
	struct session *session;
	struct list_head list;
};

/**
 * struct session - An open file.
 * @adapter: the adapter; the file holds a reference
 * @list: of the adapter's sessions
 * @mapping: of the file: what is mapped is removed from there when the adapter goes
 * @objects: by handle
 * @events: not yet read
 * @event_count: how many
 * @dropped: events since the last that was read that did not fit
 * @wait: for events
 */
struct session {
	struct adapter *adapter;
	struct list_head list;
	struct address_space *mapping;
	struct idr objects;
	struct list_head events;
	u32 event_count;
	u32 dropped;
	wait_queue_head_t wait;
};

/**
 * struct memory - Pages of this node's memory.
 * @adapter: holds a reference
 * @ref: the segment, its mappings, and every node that may access it
 * @page: where
 * @pages: likewise
 */
struct memory {
	struct adapter *adapter;
	struct kref ref;
	u32 page;
	u32 pages;
};

/**
 * struct segment - OBJECT_SEGMENT, and OBJECT_ATTACHED, which has only @object and @memory.
 * @id: by which other nodes name it
 * @memory: its pages
 * @bytes: as asked for
 * @available: takes connections
 * @exported: other nodes may access its pages
 * @shared: other sessions may attach to it
 * @importers: connections of other nodes, and of this one
 */
struct segment {
	struct object object;
	u32 id;
	struct memory *memory;
	u64 bytes;
	bool available;
	bool exported;
	bool shared;
	struct list_head importers;
};

/**
 * struct importer - A connection to a segment, at the segment's side.
 * @list: of the segment, or of the adapter's unacknowledged
 * @node: which connection
 * @cookie: likewise
 * @memory: what it may access
 */
struct importer {
	struct list_head list;
	u32 node;
	u32 cookie;
	struct memory *memory;
};

/**
 * struct connection - OBJECT_CONNECTION.
 * @node: of the segment
 * @cookie: by which the two nodes name it
 * @page: of the node's memory
 * @pages: likewise
 * @lost: the segment is gone
 * @mappings: where it is seen
 */
struct connection {
	struct object object;
	u32 node;
	u32 cookie;
	u32 page;
	u32 pages;
	bool lost;
	struct list_head mappings;
};

/**
 * struct interrupt - OBJECT_INTERRUPT, and OBJECT_LINE.
 * @node: of a line: whose
 * @number: which
 * @data: it carries data
 * @lost: of a line: it has been removed
 */
struct interrupt {
	struct object object;
	u32 node;
	u32 number;
	bool data;
	bool lost;
};

static inline u32 adapter_read(struct adapter *adapter, u32 offset)
{
	return READ_ONCE(adapter->gone) ? ADAPTER_ABSENT : ioread32(adapter->regs + offset);
}

static inline void adapter_write(struct adapter *adapter, u32 offset, u32 value)
{
	if (!READ_ONCE(adapter->gone))
		iowrite32(value, adapter->regs + offset);
}

/* ---- session.c: open files, handles and events ---- */

extern const struct file_operations adapter_fops;

/* Enter @object into @session. Return: 0, or -ENOMEM. Under lock. */
int adapter_object_add(struct session *session, struct object *object, enum object_kind kind,
		       struct list_head *all);
void adapter_object_remove(struct object *object);
/* The object of this kind with this handle; NULL: there is none. Under lock. */
struct object *adapter_object_find(struct session *session, u32 handle, enum object_kind kind);

/* Let @object's session know. Under lock. */
void adapter_event(struct object *object, u32 kind, u32 node, const void *data, u32 bytes);

/* ---- ioctl.c ---- */

long adapter_ioctl(struct file *file, unsigned int command, unsigned long argument);

/* ---- map.c ---- */

int adapter_mmap(struct file *file, struct vm_area_struct *vma);

/* Its mappings no longer reach the other node. Under lock. */
void adapter_map_clear(struct connection *connection);

/* ---- segment.c: all under lock ---- */

struct memory *adapter_memory_get(struct memory *memory);
void adapter_memory_put(struct memory *memory);

int adapter_segment_create(struct session *session, struct smile_adapter_segment *args);
int adapter_segment_attach(struct session *session, struct smile_adapter_attach *args);
int adapter_segment_state(struct segment *segment, u32 state);
void adapter_segment_remove(struct segment *segment);
/* The memory of a segment of the session, or one that it has attached to; NULL: neither. */
struct segment *adapter_segment_find(struct session *session, u32 handle);

/* Another node asks to connect, to disconnect, or knows that a segment is gone. */
int adapter_segment_connect(struct adapter *adapter, u32 node, u32 id, u32 cookie,
			    struct segment **segment);
void adapter_segment_disconnect(struct adapter *adapter, u32 node, u32 cookie);
void adapter_segment_node_gone(struct adapter *adapter, u32 node);

/* ---- connection.c ---- */

/* Not under lock: it waits for the other node. */
int adapter_connect(struct session *session, struct smile_adapter_connect *args);
/* Under lock. */
void adapter_release(struct connection *connection);
void adapter_connection_lost(struct adapter *adapter, u32 node, u32 cookie);
void adapter_connection_node_gone(struct adapter *adapter, u32 node);

/* ---- interrupt.c ---- */

int adapter_interrupt_create(struct session *session, struct smile_adapter_interrupt *args);
void adapter_interrupt_remove(struct interrupt *interrupt);
/* Not under lock: it waits for the other node. */
int adapter_interrupt_connect(struct session *session,
			      struct smile_adapter_interrupt_connect *args);
int adapter_trigger(struct session *session, const struct smile_adapter_trigger *args);
/* Another node triggers. Return: false: there is none of this number. Under lock. */
bool adapter_interrupt_arrive(struct adapter *adapter, u32 node, u32 number, bool data,
			      const void *bytes, u32 count);
struct interrupt *adapter_interrupt_find(struct adapter *adapter, u32 number, bool data);
void adapter_interrupt_lost(struct adapter *adapter, u32 node, u32 number, bool data);

/* ---- dma.c: not under lock ---- */

int adapter_dma(struct session *session, struct smile_adapter_dma *args);
void adapter_dma_abort(struct session *session);

/* ---- message.c ---- */

/**
 * struct message - What one driver says to another.
 * @version: MESSAGE_VERSION
 * @kind: MESSAGE_*
 * @request: number of the request, or of the one that this replies to
 * @status: of a reply: 0 or a negative errno
 * @cookie: which connection
 * @id: of a segment, or number of an interrupt
 * @flags: of an interrupt: SMILE_ADAPTER_INTERRUPT_DATA
 * @page: of a segment
 * @pages: likewise
 * @bytes: of a segment as asked for, or of @data
 * @data: of a data interrupt
 */
struct message {
	u32 version;
	u32 kind;
	u32 request;
	s32 status;
	u32 cookie;
	u32 id;
	u32 flags;
	u32 page;
	u32 pages;
	u32 unused;
	u64 bytes;
	u8 data[SMILE_ADAPTER_DATA_BYTES];
};

#define MESSAGE_VERSION 1
#define MESSAGE_CONNECT 1 /* to a segment; answered by REPLY */
#define MESSAGE_DISCONNECT 2 /* from it */
#define MESSAGE_LOST 3 /* the segment is gone; answered by KNOWN */
#define MESSAGE_KNOWN 4
#define MESSAGE_LINE 5 /* to an interrupt; answered by REPLY */
#define MESSAGE_TRIGGER 6
#define MESSAGE_UNKNOWN 7 /* there is no interrupt of this number */
#define MESSAGE_REPLY 8

/* Send; queued if the receiver has no room now. Return: 0, -EHOSTUNREACH, -EAGAIN. Under lock. */
int adapter_send(struct adapter *adapter, u32 node, struct message *message);
/* Send, and wait for the reply, which is then in @message. Not under lock. */
int adapter_ask(struct adapter *adapter, u32 node, struct message *message);

/* Handle all messages that have come. Under lock. */
void adapter_receive(struct adapter *adapter);
/* Nodes have come or gone. Under lock. */
void adapter_nodes(struct adapter *adapter);
void adapter_message_init(struct adapter *adapter);
/* Forget what is queued, and end all waits. Under lock. */
void adapter_message_stop(struct adapter *adapter);

#endif /* KMOD_ADAPTER_SMILE_ADAPTER_H */
