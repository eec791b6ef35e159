/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * SCI adapter: the contract between its driver and user space.
 *
 * What lives here: the ioctls, the events and the offsets of mmap(). It may use <linux/types.h> and
 * <linux/ioctl.h>, nothing else. libsisci (lib/sisci) is its user; programs use that library.
 *
 * The device file
 *
 * /dev/smile_adapterN is one adapter. Each open file is a session. A segment, a connection or an
 * interrupt belongs to the session that made it, and is named by a handle, a small positive number
 * within the session. Closing the file removes all of them. Nodes are numbered as the adapter
 * numbers them, from 0; the SISCI library's node ids are 4 x (node + 1).
 *
 * A file that is open for reading only can query: SMILE_ADAPTER_INFO and SMILE_ADAPTER_MMAP_STATE.
 * All other calls need a file that is open for reading and writing; otherwise they fail with EBADF,
 * and mmap() with EACCES.
 *
 * Only for processes of 64 bits: the mmap() offset of a 32-bit process has no room for kind and
 * handle, so each ioctl of such a process fails with ENOTTY.
 *
 *   read()	gives whole events, struct smile_adapter_event; blocks while there are none unless
 *		O_NONBLOCK is set
 *   poll()	POLLIN while events wait; POLLHUP once the adapter is gone
 *   mmap()	MAP_SHARED alone. The offset names what is mapped: SMILE_ADAPTER_MMAP(kind, handle)
 *		plus a byte offset within it, a multiple of a page
 *
 * Errors common to all calls: ENODEV: the adapter is gone; EINTR; EINVAL: an argument that cannot
 * be, or a reserved field that is not zero; ENOTTY: an unknown ioctl; EBADF: a handle of no object,
 * or of one of another kind. Calls that ask another node fail with EHOSTUNREACH if the node is not
 * there, or stops, and with EAGAIN if 128 such calls wait for it, with EPROTONOSUPPORT if its
 * driver is of another version. They wait for its driver without a limit; only a signal that ends
 * the process interrupts them. A call that makes something fails
 * with ENOSPC, as does mmap(), if there is no room for it, or if the session would have more than
 * the driver's parameters session_objects, session_memory_mb and session_window_mb allow. EIO: the
 * adapter refuses what the driver asks for.
 */
#ifndef UAPI_SMILE_ADAPTER_H
#define UAPI_SMILE_ADAPTER_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SMILE_ADAPTER_NODES 64
#define SMILE_ADAPTER_DATA_BYTES 192 /* the most that a data interrupt carries */
#define SMILE_ADAPTER_DATA_WAITING 256 /* messages of one data interrupt that wait to be taken */

/* What mmap() maps: SMILE_ADAPTER_MMAP(kind, handle) + byte offset. */
#define SMILE_ADAPTER_MMAP_STATE 0 /* one page, read-only: ADAPTER_STATE_PAGE; handle 0 */
#define SMILE_ADAPTER_MMAP_SEGMENT 1 /* a segment of this node */
#define SMILE_ADAPTER_MMAP_REMOTE 2 /* a connected segment, through the window */
#define SMILE_ADAPTER_MMAP_LOCK 3 /* the same; a 4-byte read is a fetch and increment */
#define SMILE_ADAPTER_HANDLES (1 << 28) /* handles of a session are below it */
#define SMILE_ADAPTER_MMAP(kind, handle) ((__u64)(kind) << 60 | (__u64)(handle) << 32)

/**
 * struct smile_adapter_info - SMILE_ADAPTER_INFO: what this adapter is.
 * @node: this node
 * @fabric: 1: it is connected to a fabric
 * @reachable: bit n: node n answers
 * @window_bytes: size of the window
 * @memory_bytes: memory that segments are made of
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
 * struct smile_adapter_segment - SMILE_ADAPTER_SEGMENT_CREATE: make a segment, of zeros.
 * @id: its id, unique on the node among all sessions; with AUTO_ID: chosen, and written
 * @flags: SMILE_ADAPTER_SEGMENT_*
 * @bytes: its size, at least 1; rounded up to pages
 * @handle: written
 * @page: written: its first page in this node's memory, which the B-Link shows
 * @reserved: 0
 *
 * Errors: EEXIST: the id is in use; ENOSPC: no free part of the memory is so large.
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
 * @id: which
 * @handle: written
 * @bytes: written: its size
 * @page: written: as of struct smile_adapter_segment
 * @reserved: 0
 *
 * Errors: ENOENT: there is no such segment, EACCES: it is not shared.
 */
struct smile_adapter_attach {
	__u32 id;
	__u32 handle;
	__u64 bytes;
	__u32 page;
	__u32 reserved;
};

/**
 * struct smile_adapter_state - SMILE_ADAPTER_SEGMENT_STATE: let other nodes connect, or not.
 * @handle: the segment
 * @state: SMILE_ADAPTER_UNAVAILABLE, AVAILABLE, DISCONNECT, or NOTIFY
 * @reserved: 0
 *
 * AVAILABLE exports its pages. UNAVAILABLE takes no new connections and leaves those that are
 * there. DISCONNECT ends those, too: its pages are exported no longer, and when the call returns no
 * other node accesses them; the connected sessions get SMILE_ADAPTER_EVENT_LOST. NOTIFY does what
 * UNAVAILABLE does, and the connected sessions get SMILE_ADAPTER_EVENT_DISCONNECT: they are asked
 * to leave, and the pages stay exported until they have.
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
 * struct smile_adapter_handle - an argument that is a handle alone.
 * @handle: of a segment, a connection, or an interrupt
 * @reserved: 0
 */
struct smile_adapter_handle {
	__u32 handle;
	__u32 reserved;
};

/**
 * struct smile_adapter_connect - SMILE_ADAPTER_CONNECT: use a segment of another node, or of this.
 * @node: whose
 * @id: its id there
 * @handle: written
 * @page: written: its first page in that node's memory
 * @bytes: written: its size, in whole pages as made, and
 * @exact_bytes: as asked for when it was made
 *
 * Errors: ENOENT: no such segment, or it is not available.
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
 * struct smile_adapter_interrupt - SMILE_ADAPTER_INTERRUPT_CREATE: make an interrupt that other
 * nodes can trigger.
 * @number: with FIXED, the number; else chosen, and written
 * @flags: SMILE_ADAPTER_INTERRUPT_*
 * @handle: written
 * @reserved: 0
 *
 * Errors: EEXIST: the number is in use (data interrupts have numbers of their own).
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
 * @node: of which node
 * @number: its number there
 * @flags: 0 or SMILE_ADAPTER_INTERRUPT_DATA
 * @handle: written
 * @reserved: 0
 *
 * Errors: ENOENT: there is none.
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
 * @handle: which
 * @bytes: of @data; 0 for an interrupt without data
 * @data: what it carries
 *
 * A data interrupt waits for the answer of its node: 0 says that the message waits there to be
 * taken, and any error but ETIMEDOUT that it does not. An interrupt without data waits for nothing.
 * Errors: ENOENT: it has been removed; ENOSPC: SMILE_ADAPTER_DATA_WAITING messages of this data
 * interrupt wait there; EAGAIN: too many messages for the node wait on this one: try again.
 */
struct smile_adapter_trigger {
	__u32 handle;
	__u32 bytes;
	__u8 data[SMILE_ADAPTER_DATA_BYTES];
};

/**
 * struct smile_adapter_data - SMILE_ADAPTER_DATA: take the oldest message of a data interrupt of
 * this node.
 * @handle: which
 * @node: written: the node that has triggered it
 * @bytes: written: of @data
 * @reserved: 0
 * @data: written: what it carries
 *
 * Errors: EAGAIN: none waits.
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
 * connected one, and wait until that is done.
 * @segment: handle of the segment
 * @remote: handle of the connection
 * @segment_offset: where in the segment, in bytes
 * @remote_offset: where in the connected one
 * @bytes: how many
 * @flags: SMILE_ADAPTER_DMA_READ: from the connected one to this node's; else to the connected one.
 *	SMILE_ADAPTER_DMA_FILE: the segment is one of the session @file
 * @file: with FILE: an open file of the same adapter; else 0
 * @done: written: bytes moved
 *
 * Transfers of all sessions queue. Errors: ERANGE: beyond an end; EIO: a transaction has failed;
 * ECANCELED: SMILE_ADAPTER_DMA_ABORT; ENOTCONN: the connection had ended before the call, or ended
 * during it.
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
 * struct smile_adapter_event - An event, as read() gives it.
 * @kind: SMILE_ADAPTER_EVENT_*
 * @handle: of the segment, connection or interrupt that the event is about
 * @node: the other node; of INTERRUPT: the node of the first trigger
 * @dropped: events dropped since the last one that was read
 * @count: of INTERRUPT: triggers since the last event about it was read; of FAILED: failed
 *	accesses; else 1
 * @reason: of FAILED: why the last one failed (docs/adapter.md, section 7)
 * @reserved: 0
 *
 * CONNECT and DISCONNECT are about a segment of this node, LOST about a segment of this node or a
 * connection, INTERRUPT about an interrupt of this node. LOST is the last event of a connection: a
 * node that stops answering loses its connections even if it comes back. So NOT_OPERATIONAL and
 * OPERATIONAL, which the API knows, are not sent at present. While a session does not read, the
 * oldest of more than 1024 events are dropped; @dropped of the next event is their number.
 * INTERRUPT is never dropped: there is at most one of each interrupt. The messages of a data
 * interrupt are taken by SMILE_ADAPTER_DATA.
 *
 * After a reset of the adapter, an error of its bus or a sleep of the machine LOST comes for each
 * connection, and for each segment that was available: with this node as @node, it is available no
 * longer. Until the adapter is back, calls fail with EAGAIN or as if no node answers.
 *
 * FAILED is about no object: @handle is 0. An access to @node has failed: a load gave ones, a store
 * changed nothing, or a block of a DMA transfer was not moved. Each session with a connection to
 * the node gets the event, since the adapter does not know whose access it was. An access through a
 * mapping whose connection has ended reaches no node: @node is this node, the reason is UNMAPPED,
 * and each session with such a mapping gets the event. It comes at once for the first failure, and
 * within a tenth of a second for those that follow. While an event of a node is unread, later
 * failures are added to its count.
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

/* The type is shared: the adapter has 0x80 to 0x9f, the card 0x40 to 0x5f, the trace instrument
 * 0x60 to 0x7f. */
#define SMILE_ADAPTER_IOC_TYPE 0xB5
#define SMILE_ADAPTER_INFO _IOR(SMILE_ADAPTER_IOC_TYPE, 0x80, struct smile_adapter_info)
#define SMILE_ADAPTER_SEGMENT_CREATE                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x81, struct smile_adapter_segment)
#define SMILE_ADAPTER_SEGMENT_STATE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x82, struct smile_adapter_state)
/* Remove a segment: ends connections as DISCONNECT does; mappings keep its memory. */
#define SMILE_ADAPTER_SEGMENT_REMOVE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x83, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_SHARE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x84, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_ATTACH                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x85, struct smile_adapter_attach)
#define SMILE_ADAPTER_CONNECT _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x86, struct smile_adapter_connect)
/* End a connection; its mappings then read as ones, and what is written there vanishes. */
#define SMILE_ADAPTER_RELEASE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x87, struct smile_adapter_handle)
#define SMILE_ADAPTER_INTERRUPT_CREATE                                                             \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x88, struct smile_adapter_interrupt)
#define SMILE_ADAPTER_INTERRUPT_REMOVE                                                             \
	_IOW(SMILE_ADAPTER_IOC_TYPE, 0x89, struct smile_adapter_handle)
#define SMILE_ADAPTER_INTERRUPT_CONNECT                                                            \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8a, struct smile_adapter_interrupt_connect)
/* Disconnect it. */
#define SMILE_ADAPTER_INTERRUPT_RELEASE                                                            \
	_IOW(SMILE_ADAPTER_IOC_TYPE, 0x8b, struct smile_adapter_handle)
#define SMILE_ADAPTER_TRIGGER _IOW(SMILE_ADAPTER_IOC_TYPE, 0x8c, struct smile_adapter_trigger)
#define SMILE_ADAPTER_DMA _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8d, struct smile_adapter_dma)
/* End the transfer under way, if it is this session's. */
#define SMILE_ADAPTER_DMA_ABORT _IO(SMILE_ADAPTER_IOC_TYPE, 0x8e)
#define SMILE_ADAPTER_DATA _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x8f, struct smile_adapter_data)

#endif /* UAPI_SMILE_ADAPTER_H */
