/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * SCI adapter: the contract between its driver and user space.
 *
 * What lives here: the ioctls, the events and the offsets of mmap(). It may include only
 * <linux/types.h> and <linux/ioctl.h>. libsisci (lib/sisci) uses this contract; programs use
 * libsisci.
 *
 * The device file
 *
 * /dev/smile_adapterN is one adapter. Each open file is a session. A segment, a connection or an
 * interrupt belongs to the session that created it, and is identified by a handle, a small positive
 * number within the session. Closing the file removes all of the session's objects. Node numbers
 * are those of the adapter, from 0; the SISCI library's node ids are 4 x (node + 1).
 *
 * A file that is open only for reading can only query, by SMILE_ADAPTER_INFO and
 * SMILE_ADAPTER_MMAP_STATE. All other calls need a file that is open for reading and writing;
 * otherwise they fail with EBADF, and mmap() with EACCES.
 *
 * Only 64-bit processes can use the device. The mmap() offset of a 32-bit process has no room for
 * kind and handle, so each ioctl of a 32-bit process fails with ENOTTY.
 *
 *   read()	returns whole events, struct smile_adapter_event; blocks while no events wait
 *		unless O_NONBLOCK is set
 *   poll()	POLLIN while events wait; POLLHUP once the adapter is gone
 *   mmap()	only MAP_SHARED. The offset selects the memory: SMILE_ADAPTER_MMAP(kind, handle)
 *		plus a byte offset within it, a multiple of a page
 *
 * Errors common to all calls: ENODEV: the adapter is gone; EINTR; EINVAL: an impossible argument,
 * or a reserved field that is not zero; ENOTTY: an unknown ioctl; EBADF: a handle of no object, or
 * of an object of another kind; EIO: the adapter rejects a request of the driver. Calls that send a
 * request to another node fail with EHOSTUNREACH if the node does not answer, or stops; with EAGAIN
 * if 128 such calls already wait for the node; and with EPROTONOSUPPORT if its driver has another
 * version. They wait for the node's driver without a limit; only a signal that ends the process
 * interrupts them. mmap(), and a call that creates an object, fail with ENOSPC if there is no room
 * for it, or if the session would have more than the driver's parameters session_objects,
 * session_memory_mb and session_window_mb allow.
 */
#ifndef UAPI_SMILE_ADAPTER_H
#define UAPI_SMILE_ADAPTER_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SMILE_ADAPTER_NODES 64
#define SMILE_ADAPTER_DATA_BYTES 192 /* largest payload of a data interrupt */
#define SMILE_ADAPTER_DATA_WAITING 256 /* largest number of waiting messages of a data interrupt */

/*
 * Kinds of memory for mmap(). The offset is SMILE_ADAPTER_MMAP(kind, handle) + byte offset.
 */
#define SMILE_ADAPTER_MMAP_STATE 0 /* one page, read-only: ADAPTER_STATE_PAGE; handle 0 */
#define SMILE_ADAPTER_MMAP_SEGMENT 1 /* a segment of this node */
#define SMILE_ADAPTER_MMAP_REMOTE 2 /* a connected segment, through the window */
#define SMILE_ADAPTER_MMAP_LOCK 3 /* as REMOTE; a 4-byte read is a fetch and increment */
#define SMILE_ADAPTER_HANDLES (1 << 28) /* all handles of a session are smaller */
#define SMILE_ADAPTER_MMAP(kind, handle) ((__u64)(kind) << 60 | (__u64)(handle) << 32)

/**
 * struct smile_adapter_info - SMILE_ADAPTER_INFO: properties of this adapter.
 * @node: number of this node
 * @fabric: 1: the adapter is connected to a fabric
 * @reachable: bit n: node n answers
 * @window_bytes: size of the window
 * @memory_bytes: size of the memory for segments
 * @memory_free: bytes of this memory that are in no segment
 * @reserved: 0
 */
struct smile_adapter_info {
	__u32 node;
	__u32 fabric;
	__u64 reachable;
	__u64 window_bytes;
	__u64 memory_bytes;
	__u64 memory_free;
	__u64 reserved[3];
};

/**
 * struct smile_adapter_segment - SMILE_ADAPTER_SEGMENT_CREATE: create a segment, filled with zeros.
 * @id: the segment's id, unique on the node among all sessions; with AUTO_ID: chosen by the driver,
 *      and written
 * @flags: SMILE_ADAPTER_SEGMENT_*
 * @bytes: its size, at least 1; rounded up to pages
 * @handle: written
 * @page: written: number of the segment's first page in this node's memory, as on the B-Link
 * @reserved: 0
 *
 * Errors: EEXIST: the id is in use; ENOSPC: no free part of the memory is large enough.
 */
struct smile_adapter_segment {
	__u32 id;
	__u32 flags;
	__u64 bytes;
	__u32 handle;
	__u32 page;
	__u32 reserved[2];
};

#define SMILE_ADAPTER_SEGMENT_AUTO_ID 1

/**
 * struct smile_adapter_attach - SMILE_ADAPTER_SEGMENT_ATTACH: use a segment that another session
 * of this node has shared (SMILE_ADAPTER_SEGMENT_SHARE).
 * @id: id of the segment
 * @handle: written
 * @bytes: written: the segment's size
 * @page: written: as in struct smile_adapter_segment
 * @reserved: 0
 *
 * Errors: ENOENT: the segment does not exist; EACCES: it is not shared.
 */
struct smile_adapter_attach {
	__u32 id;
	__u32 handle;
	__u64 bytes;
	__u32 page;
	__u32 reserved;
};

/**
 * struct smile_adapter_state - SMILE_ADAPTER_SEGMENT_STATE: allow or forbid connections of other
 * nodes.
 * @handle: the segment
 * @state: SMILE_ADAPTER_UNAVAILABLE, AVAILABLE, DISCONNECT, or NOTIFY
 * @reserved: 0
 *
 * AVAILABLE exports the segment's pages. UNAVAILABLE accepts no new connections, and keeps the
 * existing connections. DISCONNECT also ends the existing connections: the pages are no longer
 * exported, and when the call returns no other node accesses them; the connected sessions get
 * SMILE_ADAPTER_EVENT_LOST. NOTIFY does the same as UNAVAILABLE, and the connected sessions get
 * SMILE_ADAPTER_EVENT_DISCONNECT, which requests them to disconnect; the pages stay exported until
 * all sessions have disconnected.
 */
struct smile_adapter_state {
	__u32 handle;
	__u32 state;
	__u64 reserved;
};

#define SMILE_ADAPTER_UNAVAILABLE 0
#define SMILE_ADAPTER_AVAILABLE 1
#define SMILE_ADAPTER_DISCONNECT 2
#define SMILE_ADAPTER_NOTIFY 3

/**
 * struct smile_adapter_handle - an argument that is only a handle.
 * @handle: handle of a segment, a connection, or an interrupt
 * @reserved: 0
 */
struct smile_adapter_handle {
	__u32 handle;
	__u32 reserved;
};

/**
 * struct smile_adapter_connect - SMILE_ADAPTER_CONNECT: use a segment of another node, or of this
 * node.
 * @node: node of the segment
 * @id: id of the segment on that node
 * @handle: written
 * @page: written: number of the segment's first page in that node's memory
 * @bytes: written: the segment's size in whole pages
 * @exact_bytes: written: the size requested when the segment was created
 *
 * Errors: ENOENT: the segment does not exist, or is not available.
 */
struct smile_adapter_connect {
	__u32 node;
	__u32 id;
	__u32 handle;
	__u32 page;
	__u64 bytes;
	__u64 exact_bytes;
};

/**
 * struct smile_adapter_interrupt - SMILE_ADAPTER_INTERRUPT_CREATE: create an interrupt that other
 * nodes can trigger.
 * @number: with FIXED, the number; else chosen by the driver, and written
 * @flags: SMILE_ADAPTER_INTERRUPT_*
 * @handle: written
 * @reserved: 0
 *
 * Errors: EEXIST: the number is in use (data interrupts are numbered separately).
 */
struct smile_adapter_interrupt {
	__u32 number;
	__u32 flags;
	__u32 handle;
	__u32 reserved;
};

#define SMILE_ADAPTER_INTERRUPT_FIXED 1
#define SMILE_ADAPTER_INTERRUPT_DATA 2

/**
 * struct smile_adapter_interrupt_connect - SMILE_ADAPTER_INTERRUPT_CONNECT.
 * @node: node of the interrupt
 * @number: number of the interrupt on that node
 * @flags: 0 or SMILE_ADAPTER_INTERRUPT_DATA
 * @handle: written
 * @reserved: 0
 *
 * Errors: ENOENT: the interrupt does not exist.
 */
struct smile_adapter_interrupt_connect {
	__u32 node;
	__u32 number;
	__u32 flags;
	__u32 handle;
	__u64 reserved;
};

/**
 * struct smile_adapter_trigger - SMILE_ADAPTER_TRIGGER: trigger a connected interrupt.
 * @handle: handle of the interrupt
 * @bytes: length of @data; 0 for an interrupt without data
 * @data: the message
 *
 * For a data interrupt the call waits for the answer of its node. The result 0 means that the
 * message is queued there, and any error except ETIMEDOUT means that it is not queued. For an
 * interrupt without data the call does not wait.
 * Errors: ENOENT: the interrupt has been removed; ENOSPC: SMILE_ADAPTER_DATA_WAITING messages of
 * this data interrupt are queued on its node; EAGAIN: too many messages for that node wait on this
 * node: try again.
 */
struct smile_adapter_trigger {
	__u32 handle;
	__u32 bytes;
	__u8 data[SMILE_ADAPTER_DATA_BYTES];
};

/**
 * struct smile_adapter_data - SMILE_ADAPTER_DATA: take the oldest message of a data interrupt of
 * this node.
 * @handle: handle of the interrupt
 * @node: written: the node that has triggered the interrupt
 * @bytes: written: length of @data
 * @reserved: 0
 * @data: written: the message
 *
 * Errors: EAGAIN: no message is queued.
 */
struct smile_adapter_data {
	__u32 handle;
	__u32 node;
	__u32 bytes;
	__u32 reserved;
	__u8 data[SMILE_ADAPTER_DATA_BYTES];
};

/**
 * struct smile_adapter_dma - SMILE_ADAPTER_DMA: move bytes between a segment of this node and a
 * connected segment, and wait until the transfer has ended.
 * @segment: handle of the segment
 * @remote: handle of the connection
 * @segment_offset: byte offset in the segment of this node
 * @remote_offset: byte offset in the connected segment
 * @bytes: number of bytes
 * @flags: SMILE_ADAPTER_DMA_READ: from the connected segment to this node's segment; else to the
 *         connected segment.
 *	SMILE_ADAPTER_DMA_FILE: the segment belongs to the session @file
 * @file: with FILE: an open file of the same adapter; else 0
 * @done: written: number of bytes moved
 *
 * Transfers of all sessions are executed one after another. Errors: ERANGE: the range reaches
 * beyond the end of a segment; EIO: a transaction has failed; ECANCELED: SMILE_ADAPTER_DMA_ABORT;
 * ENOTCONN: the connection had ended before the call, or ended during it.
 */
struct smile_adapter_dma {
	__u32 segment;
	__u32 remote;
	__u64 segment_offset;
	__u64 remote_offset;
	__u64 bytes;
	__u64 done;
	__u32 flags;
	__s32 file;
};

#define SMILE_ADAPTER_DMA_READ 1
#define SMILE_ADAPTER_DMA_FILE 2

/**
 * struct smile_adapter_event - An event that read() returns.
 * @kind: SMILE_ADAPTER_EVENT_*
 * @handle: of the segment, connection or interrupt that the event is about
 * @node: the other node; for INTERRUPT: the node of the first trigger
 * @dropped: number of events dropped since the last event that was read
 * @count: for INTERRUPT: triggers since the last event about the interrupt was read; for FAILED:
 *         failed accesses; else 1
 * @reason: for FAILED: why the last access failed (docs/adapter.md, section 7)
 * @reserved: 0
 *
 * CONNECT and DISCONNECT are about a segment of this node, LOST about a segment of this node or a
 * connection, INTERRUPT about an interrupt of this node. LOST is the last event of a connection: a
 * node that stops answering loses its connections even if it answers again later. So
 * NOT_OPERATIONAL and OPERATIONAL, which the API defines, are not sent at present. If a session
 * does not read and more than 1024 events wait, the oldest events are dropped; @dropped of the next
 * event is their number. INTERRUPT is never dropped: at most one event of each interrupt waits.
 * SMILE_ADAPTER_DATA takes the messages of a data interrupt.
 *
 * After a reset of the adapter, an error of its bus or a sleep of the machine, sessions get LOST
 * for each connection, and for each segment that was available. For a segment, @node is this node,
 * and the segment is no longer available. Until the adapter has recovered, calls fail with EAGAIN
 * or as if no node answers.
 *
 * FAILED is about no object: @handle is 0. An access to @node has failed: a load returned all ones,
 * a store changed nothing, or a block of a DMA transfer was not moved. Each session with a
 * connection to the node gets the event, because the adapter cannot determine which session made
 * the access. An access through a mapping whose connection has ended reaches no node: @node is this
 * node, the reason is UNMAPPED, and each session with such a mapping gets the event. The event is
 * sent immediately for the first failure, and within a tenth of a second for further failures.
 * While an event of a node is unread, later failures are added to its count.
 */
struct smile_adapter_event {
	__u32 kind;
	__u32 handle;
	__u32 node;
	__u32 dropped;
	__u32 count;
	__u32 reason;
	__u32 reserved[2];
};

#define SMILE_ADAPTER_EVENT_CONNECT 1
#define SMILE_ADAPTER_EVENT_DISCONNECT 2
#define SMILE_ADAPTER_EVENT_LOST 3
#define SMILE_ADAPTER_EVENT_NOT_OPERATIONAL 4
#define SMILE_ADAPTER_EVENT_OPERATIONAL 5
#define SMILE_ADAPTER_EVENT_INTERRUPT 6
#define SMILE_ADAPTER_EVENT_FAILED 7

/*
 * Three devices share the type: the adapter has the numbers 0x80 to 0x9f, the card 0x40 to 0x5f,
 * the trace instrument 0x60 to 0x7f.
 */
#define SMILE_ADAPTER_IOC_TYPE 0xB5
#define SMILE_ADAPTER_INFO _IOR(SMILE_ADAPTER_IOC_TYPE, 0x80, struct smile_adapter_info)
#define SMILE_ADAPTER_SEGMENT_CREATE                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x81, struct smile_adapter_segment)
#define SMILE_ADAPTER_SEGMENT_STATE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x82, struct smile_adapter_state)
/* Remove a segment. This ends connections like DISCONNECT; existing mappings keep the memory. */
#define SMILE_ADAPTER_SEGMENT_REMOVE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x83, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_SHARE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x84, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_ATTACH                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x85, struct smile_adapter_attach)
#define SMILE_ADAPTER_CONNECT _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x86, struct smile_adapter_connect)
/* End a connection. Reads of its mappings then return all ones, and writes are ignored. */
#define SMILE_ADAPTER_RELEASE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x87, struct smile_adapter_handle)
#define SMILE_ADAPTER_INTERRUPT_CREATE                                                             \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x88, struct smile_adapter_interrupt)
#define SMILE_ADAPTER_INTERRUPT_REMOVE                                                             \
	_IOW(SMILE_ADAPTER_IOC_TYPE, 0x89, struct smile_adapter_handle)
#define SMILE_ADAPTER_INTERRUPT_CONNECT                                                            \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8a, struct smile_adapter_interrupt_connect)
/* Disconnect from an interrupt. */
#define SMILE_ADAPTER_INTERRUPT_RELEASE                                                            \
	_IOW(SMILE_ADAPTER_IOC_TYPE, 0x8b, struct smile_adapter_handle)
#define SMILE_ADAPTER_TRIGGER _IOW(SMILE_ADAPTER_IOC_TYPE, 0x8c, struct smile_adapter_trigger)
#define SMILE_ADAPTER_DMA _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8d, struct smile_adapter_dma)
/* End the running transfer, if it belongs to this session. */
#define SMILE_ADAPTER_DMA_ABORT _IO(SMILE_ADAPTER_IOC_TYPE, 0x8e)
#define SMILE_ADAPTER_DATA _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8f, struct smile_adapter_data)

#endif /* UAPI_SMILE_ADAPTER_H */
