/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * SCI adapter: the contract between its driver and user space.
 *
 * What lives here: the ioctls, the events and the offsets of mmap(). This file may include only
 * <linux/types.h> and <linux/ioctl.h>. libsisci (lib/sisci) uses these definitions; programs
 * usually use libsisci.
 *
 * The device file
 *
 * /dev/smile_adapterN is one adapter. Each open file is a session. A segment, a connection or an
 * interrupt belongs to the session that created it, and is identified by a handle, which is a small
 * positive number that is unique in the session. Closing the file removes all objects of the
 * session. Nodes are numbered from 0, as by the adapter; libsisci gives node n the id 4 x (n + 1).
 *
 * A file that is open only for reading supports only SMILE_ADAPTER_INFO and the mapping of
 * SMILE_ADAPTER_MMAP_STATE. All other calls need a file that is open for reading and writing. On
 * any other file, mmap() fails with EACCES, and all other calls fail with EBADF.
 *
 * Only 64-bit processes can use the device. The mmap() offset of a 32-bit process is too small to
 * hold a kind and a handle, so each ioctl of a 32-bit process fails with ENOTTY.
 *
 *   read()	returns whole events (struct smile_adapter_event); blocks until an event arrives,
 *		unless O_NONBLOCK is set
 *   poll()	POLLIN while events wait to be read; POLLHUP after the adapter was removed
 *   mmap()	needs MAP_SHARED. The offset selects the memory: SMILE_ADAPTER_MMAP(kind, handle)
 *		plus a byte offset within it, a multiple of a page
 *
 * Errors common to all calls: ENODEV: the adapter was removed; EINTR: a signal arrived; EINVAL: an
 * argument is impossible, or a reserved field is not zero; ENOTTY: the ioctl is unknown; EBADF: a
 * handle identifies no object, or an object of the wrong kind; EIO: the adapter has rejected a
 * request of the driver. Calls that send a request to another node wait for that node's driver
 * without a time limit, and only a signal that ends the process interrupts them. They fail with
 * EHOSTUNREACH if the node does not respond or is being stopped, with EAGAIN if 128 such calls
 * already wait for the node, and with EPROTONOSUPPORT if its driver has another version. mmap(),
 * and calls that create objects, fail with ENOSPC if memory, window or handles are used up, or if
 * the session would exceed a limit that the driver's parameters session_objects, session_memory_mb
 * and session_window_mb set.
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
#define SMILE_ADAPTER_MMAP_LOCK 3 /* as REMOTE, but a 4-byte read is a fetch-and-increment */
#define SMILE_ADAPTER_HANDLES (1 << 28) /* all handles of a session are smaller */
#define SMILE_ADAPTER_MMAP(kind, handle) ((__u64)(kind) << 60 | (__u64)(handle) << 32)

/**
 * struct smile_adapter_info - SMILE_ADAPTER_INFO: properties of this adapter.
 * @node: number of this node
 * @fabric: 1: the adapter is connected to a fabric
 * @reachable: bit n is set if node n responds
 * @window_bytes: size of the window
 * @memory_bytes: size of the memory for segments
 * @memory_free: number of bytes of this memory that no segment uses
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
 * @id: the segment's id, which must be unique among all sessions of the node; with AUTO_ID, the
 *      driver chooses the id and writes it
 * @flags: SMILE_ADAPTER_SEGMENT_*
 * @bytes: size of the segment, at least 1; the driver rounds it up to whole pages
 * @handle: written by the driver
 * @page: written by the driver: number of the segment's first page in this node's memory, as it
 *        appears on the B-Link
 * @reserved: 0
 *
 * Errors: EEXIST: the id is in use; ENOSPC: no contiguous free part of the memory is large enough.
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
 * @handle: written by the driver
 * @bytes: written by the driver: the segment's size
 * @page: written by the driver: as in struct smile_adapter_segment
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
 * AVAILABLE exports the segment's pages, so that other nodes can connect. UNAVAILABLE refuses new
 * connections, but keeps the existing connections. DISCONNECT also ends the existing connections:
 * the pages are no longer exported, no other node accesses them after the call has returned, and
 * the connected sessions receive SMILE_ADAPTER_EVENT_LOST. NOTIFY does the same as UNAVAILABLE, and
 * also sends SMILE_ADAPTER_EVENT_DISCONNECT to the connected sessions to ask them to disconnect;
 * the pages stay exported until all of these sessions have disconnected.
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
 * struct smile_adapter_handle - The argument of ioctls that need only a handle.
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
 * @handle: written by the driver
 * @page: written by the driver: number of the segment's first page in that node's memory
 * @bytes: written by the driver: the segment's size, rounded up to whole pages
 * @exact_bytes: written by the driver: the size that was requested when the segment was created
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
 * @number: number of the interrupt; without FIXED, the driver chooses the number and writes it
 * @flags: SMILE_ADAPTER_INTERRUPT_*
 * @handle: written by the driver
 * @reserved: 0
 *
 * Errors: EEXIST: the number is in use. Data interrupts and interrupts without data have separate
 * numbers.
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
 * struct smile_adapter_interrupt_connect - SMILE_ADAPTER_INTERRUPT_CONNECT: connect to an interrupt
 * of another node.
 * @node: node of the interrupt
 * @number: number of the interrupt on that node
 * @flags: 0 or SMILE_ADAPTER_INTERRUPT_DATA
 * @handle: written by the driver
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
 * For a data interrupt, the call waits for the response of the interrupt's node. If the result is
 * 0, that node has queued the message. If the call fails with any error except ETIMEDOUT, the
 * message is not queued. For an interrupt without data, the call does not wait.
 * Errors: ENOENT: the interrupt has been removed; ENOSPC: SMILE_ADAPTER_DATA_WAITING messages of
 * this data interrupt are queued on its node; EAGAIN: too many messages for that node are waiting
 * on this node; try again.
 */
struct smile_adapter_trigger {
	__u32 handle;
	__u32 bytes;
	__u8 data[SMILE_ADAPTER_DATA_BYTES];
};

/**
 * struct smile_adapter_data - SMILE_ADAPTER_DATA: remove the oldest message of one of this node's
 * data interrupts from its queue.
 * @handle: handle of the interrupt
 * @node: written by the driver: the node that has triggered the interrupt
 * @bytes: written by the driver: length of @data
 * @reserved: 0
 * @data: written by the driver: the message
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
 * struct smile_adapter_dma - SMILE_ADAPTER_DMA: copy bytes between a segment of this node and a
 * connected segment, and wait until the transfer has ended.
 * @segment: handle of the segment
 * @remote: handle of the connection
 * @segment_offset: byte offset in the segment of this node
 * @remote_offset: byte offset in the connected segment
 * @bytes: number of bytes
 * @flags: SMILE_ADAPTER_DMA_READ: copy from the connected segment to the segment of this node;
 *         without it, copy in the other direction.
 *	SMILE_ADAPTER_DMA_FILE: the segment belongs to the session @file
 * @file: with SMILE_ADAPTER_DMA_FILE, an open file of the same adapter; else 0
 * @done: written by the driver: number of bytes that were copied
 *
 * The driver executes the transfers of all sessions one after another. Errors: ERANGE: the range
 * reaches beyond the end of a segment; EIO: a transaction has failed; ECANCELED:
 * SMILE_ADAPTER_DMA_ABORT has ended the transfer; ENOTCONN: the connection had ended before the
 * call, or has ended during it.
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
 * @handle: handle of the segment, connection or interrupt that the event concerns
 * @node: the other node; for INTERRUPT, the node that triggered the interrupt first
 * @dropped: number of events that were dropped since the last event was read
 * @count: for INTERRUPT, the number of triggers since the last event of this interrupt was read;
 *         for FAILED, the number of failed accesses; else 1
 * @reason: for FAILED, the reason why the last access failed (docs/adapter.md, section 7)
 * @reserved: 0
 *
 * CONNECT and DISCONNECT concern a segment of this node, LOST concerns a segment of this node or a
 * connection, and INTERRUPT concerns an interrupt of this node. LOST is the last event of a
 * connection: if a node stops responding, its connections are lost, even if it responds again
 * later. For this reason the driver does not send NOT_OPERATIONAL and OPERATIONAL, which the SISCI
 * API defines. If more than 1024 events wait because a session does not read them, the driver drops
 * the oldest events; @dropped of the next event is the number of dropped events. INTERRUPT is never
 * dropped, because at most one event of each interrupt waits. Messages of a data interrupt are not
 * events; read them with SMILE_ADAPTER_DATA.
 *
 * After a reset of the adapter, a bus error, or a suspend of the machine, each session receives
 * LOST for each of its connections, and for each of its segments that was available. For a segment,
 * @node is this node, and the segment is no longer available. Until the adapter has recovered,
 * calls fail with EAGAIN, or with the errors that occur if no node responds.
 *
 * FAILED reports that an access to @node has failed: a load has returned all ones, a store has
 * changed nothing, or a block of a DMA transfer was not copied. @handle is 0. Each session with a
 * connection to the node receives the event, because the adapter cannot determine which session
 * made the access. If a program accesses a mapping whose connection has ended, the access does not
 * reach a node. In this case @node is this node, the reason is UNMAPPED, and each session with such
 * a mapping receives the event. For the first failure, the event is sent immediately; for further
 * failures, it is sent within a tenth of a second. While the event of a node is unread, the driver
 * adds later failures to its count.
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
 * Three devices share this ioctl type. The adapter uses the numbers 0x80 to 0x9f, the card 0x40 to
 * 0x5f, and the trace instrument 0x60 to 0x7f.
 */
#define SMILE_ADAPTER_IOC_TYPE 0xB5
#define SMILE_ADAPTER_INFO _IOR(SMILE_ADAPTER_IOC_TYPE, 0x80, struct smile_adapter_info)
#define SMILE_ADAPTER_SEGMENT_CREATE                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x81, struct smile_adapter_segment)
#define SMILE_ADAPTER_SEGMENT_STATE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x82, struct smile_adapter_state)
/* Remove a segment. Connections end as with DISCONNECT; existing mappings keep the memory. */
#define SMILE_ADAPTER_SEGMENT_REMOVE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x83, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_SHARE _IOW(SMILE_ADAPTER_IOC_TYPE, 0x84, struct smile_adapter_handle)
#define SMILE_ADAPTER_SEGMENT_ATTACH                                                               \
	_IOWR(SMILE_ADAPTER_IOC_TYPE, 0x85, struct smile_adapter_attach)
#define SMILE_ADAPTER_CONNECT _IOWR(SMILE_ADAPTER_IOC_TYPE, 0x86, struct smile_adapter_connect)
/* End a connection. Reads from its mappings then return all ones, and writes are ignored. */
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
