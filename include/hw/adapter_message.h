/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SCI adapter: the messages between the drivers of two nodes.
 *
 * What lives here: the format of these messages. All numbers in a message are little-endian.
 * kmod/adapter and the tests share this file; it is not installed. A driver does not trust the
 * messages that it receives. In all versions of the format, the first three fields are the same,
 * and CONNECT, LINE, TRIGGER and REPLY have the same numbers. A driver can therefore answer a
 * request of another version with a REPLY of its own version, and treat a REPLY of another version
 * as a rejection.
 */
#ifndef HW_ADAPTER_MESSAGE_H
#define HW_ADAPTER_MESSAGE_H

#include <linux/types.h>

#include <uapi/smile_adapter.h>

/**
 * struct adapter_message - A message between the drivers of two nodes.
 * @version: ADAPTER_MESSAGE_VERSION
 * @kind: ADAPTER_MESSAGE_CONNECT to ADAPTER_MESSAGE_LEAVE
 * @request: number of the request; in a reply, the number of the request that it answers
 * @status: in a reply, 0 or a negative errno value, as a signed number
 * @cookie: number of the connection
 * @id: id of a segment, or number of an interrupt
 * @flags: for an interrupt, 0 or SMILE_ADAPTER_INTERRUPT_DATA
 * @page: first page of a segment
 * @pages: number of pages of a segment
 * @unused: 0
 * @bytes: for a segment, its requested size; for a data interrupt, the length of @data
 * @data: message of a data interrupt; only the first @bytes bytes are sent
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
#define ADAPTER_MESSAGE_CONNECT 1 /* connect to a segment; answered by REPLY */
#define ADAPTER_MESSAGE_DISCONNECT 2 /* disconnect from a segment */
#define ADAPTER_MESSAGE_LOST 3 /* the segment is withdrawn; answered by KNOWN */
#define ADAPTER_MESSAGE_KNOWN 4 /* the connection's translations are cleared */
#define ADAPTER_MESSAGE_LINE 5 /* connect to an interrupt; answered by REPLY */
#define ADAPTER_MESSAGE_TRIGGER 6 /* trigger an interrupt; answered by REPLY if it has data */
#define ADAPTER_MESSAGE_UNKNOWN 7 /* a TRIGGER without data had a number that does not exist */
#define ADAPTER_MESSAGE_REPLY 8
#define ADAPTER_MESSAGE_LEAVE 9 /* the segment's owner requests to disconnect */

#endif /* HW_ADAPTER_MESSAGE_H */
