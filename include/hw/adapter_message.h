/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SCI adapter: the messages between the drivers of two nodes.
 *
 * What lives here: their format, little-endian. Shared by kmod/adapter and tests; not installed.
 * A driver does not trust the messages that it gets. In all versions the first three fields, and
 * the numbers of the kinds CONNECT, LINE, TRIGGER and REPLY, are the same: a driver answers a
 * request of another version with a REPLY of its own, and takes a REPLY of another version as a
 * refusal.
 */
#ifndef HW_ADAPTER_MESSAGE_H
#define HW_ADAPTER_MESSAGE_H

#include <linux/types.h>

#include <uapi/smile_adapter.h>

/**
 * struct adapter_message - A message between the drivers of two nodes.
 * @version: ADAPTER_MESSAGE_VERSION
 * @kind: ADAPTER_MESSAGE_CONNECT to ADAPTER_MESSAGE_LEAVE
 * @request: number of the request; in a reply, of the request that it answers
 * @status: in a reply: 0 or a negative errno, as a signed number
 * @cookie: number of the connection
 * @id: id of a segment, or number of an interrupt
 * @flags: of an interrupt: SMILE_ADAPTER_INTERRUPT_DATA
 * @page: first page of a segment
 * @pages: number of pages of a segment
 * @unused: 0
 * @bytes: of a segment: its size as requested; of a data interrupt: bytes of @data
 * @data: of a data interrupt; only @bytes of it are sent
 */
struct adapter_message {
	__le32 version;
	__le32 kind;
	__le32 request;
	__le32 status;
	__le32 cookie;
	__le32 id;
	__le32 flags;
	__le32 page;
	__le32 pages;
	__le32 unused;
	__le64 bytes;
	__u8 data[SMILE_ADAPTER_DATA_BYTES];
};

#define ADAPTER_MESSAGE_VERSION 2
#define ADAPTER_MESSAGE_COMMON_BYTES 12 /* @version, @kind and @request */
#define ADAPTER_MESSAGE_CONNECT 1 /* to a segment; answered by REPLY */
#define ADAPTER_MESSAGE_DISCONNECT 2 /* from it */
#define ADAPTER_MESSAGE_LOST 3 /* the segment is withdrawn; answered by KNOWN */
#define ADAPTER_MESSAGE_KNOWN 4 /* the connection's translations are cleared */
#define ADAPTER_MESSAGE_LINE 5 /* to an interrupt; answered by REPLY */
#define ADAPTER_MESSAGE_TRIGGER 6 /* of an interrupt; with data: answered by REPLY */
#define ADAPTER_MESSAGE_UNKNOWN 7 /* no interrupt without data has the number of a TRIGGER */
#define ADAPTER_MESSAGE_REPLY 8
#define ADAPTER_MESSAGE_LEAVE 9 /* the owner asks to disconnect */

#endif /* HW_ADAPTER_MESSAGE_H */
