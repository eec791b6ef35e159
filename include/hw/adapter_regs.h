/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SCI adapter: PCI identity, register map and limits.
 *
 * What lives here: every number that the adapter and its driver must agree on. kmod, emu and the
 * tests share this file; it is not installed. docs/adapter.md describes the registers, with reset
 * values and side effects. Use the field macros with SMILE_GET() and SMILE_PUT() of <base/field.h>,
 * or with the kernel's FIELD_GET() and FIELD_PREP().
 */
#ifndef HW_ADAPTER_REGS_H
#define HW_ADAPTER_REGS_H

#include <linux/types.h>

/*
 * PCI identity: the ids of Dolphin's 32-bit adapter. A real adapter of Dolphin has a different
 * register map. This project defines the subsystem id, by which the driver distinguishes this
 * device from a real adapter.
 */
#define ADAPTER_PCI_VENDOR 0x11c8
#define ADAPTER_PCI_DEVICE 0x0658
#define ADAPTER_PCI_SUBVENDOR 0x11c8
#define ADAPTER_PCI_SUBDEVICE 0x534d
#define ADAPTER_PCI_CLASS 0x0280 /* network controller, other */
#define ADAPTER_PCI_REVISION 0x01

#define ADAPTER_BAR_REGS 0 /* registers, 32-bit accesses only */
#define ADAPTER_BAR_WINDOW 2 /* remote memory; a 64-bit BAR */
#define ADAPTER_BAR_MEMORY 4 /* this node's shared memory; a 64-bit BAR */
#define ADAPTER_REGS_BYTES 0x2000U
#define ADAPTER_PAGE_BYTES 4096U
#define ADAPTER_PAGES_MAX 0x100000U /* pages of a node's memory: 4 GB */

/* Nodes of a fabric: ids 0 to ADAPTER_NODES - 1. */
#define ADAPTER_NODES 64U

/*
 * A read returns this value if it fails because the adapter is absent, or because another node did
 * not respond.
 */
#define ADAPTER_ABSENT 0xffffffffU

/* Identification */
#define ADAPTER_REG_ID 0x000 /* RO */
#define ADAPTER_ID_VALUE 0x534d6941U /* "SMiA" */
#define ADAPTER_REG_VERSION 0x004 /* RO: major << 16 | minor */
#define ADAPTER_VERSION_VALUE 0x00010000U
#define ADAPTER_REG_CAPABILITY 0x008 /* RO */
#define ADAPTER_CAPABILITY_WINDOW 0x0000001fU /* log2 of the window's pages */
#define ADAPTER_CAPABILITY_MEMORY 0x00001f00U /* log2 of the memory's pages */
#define ADAPTER_CAPABILITY_INCOMING                                                                \
	0x001f0000U /* log2 of the queued incoming transactions per node */
#define ADAPTER_REG_NODE 0x00c /* RO: this node's id */

/* Control */
#define ADAPTER_REG_CONTROL 0x010 /* RW */
#define ADAPTER_CONTROL_ENABLE 0x00000001U /* take part in the fabric */
#define ADAPTER_REG_STATUS 0x014 /* RO except BAD_WRITE */
#define ADAPTER_STATUS_FABRIC 0x00000001U /* connected to a fabric */
#define ADAPTER_STATUS_REVOKING 0x00000002U /* an access to a withdrawn page may still run */
#define ADAPTER_STATUS_DMA 0x00000004U /* the DMA engine is busy */
#define ADAPTER_STATUS_BAD_WRITE 0x00000008U /* a register write was rejected; write 1 to clear */
#define ADAPTER_REG_COMMAND 0x018 /* WO */
#define ADAPTER_COMMAND_RESET 0x00000001U
#define ADAPTER_REG_TIMEOUT 0x01c /* RW: longest wait of a held transaction, in ms */
#define ADAPTER_TIMEOUT_MS 10000U /* its reset value */
#define ADAPTER_TIMEOUT_MS_MAX 60000U

/*
 * Address translation. The command SET maps COUNT pages of the window, starting at page WINDOW, to
 * COUNT pages of NODE's memory, starting at page REMOTE. The command CLEAR removes the mapping.
 * Both commands take effect immediately.
 */
#define ADAPTER_REG_MAP_WINDOW 0x020
#define ADAPTER_REG_MAP_NODE 0x024
#define ADAPTER_REG_MAP_REMOTE 0x028
#define ADAPTER_REG_MAP_COUNT 0x02c
#define ADAPTER_REG_MAP_COMMAND 0x030 /* WO */
#define ADAPTER_MAP_SET 0x00000001U
#define ADAPTER_MAP_CLEAR 0x00000002U
#define ADAPTER_MAP_LOCK 0x00000010U /* with SET: a 4-byte read is a fetch-and-increment */

/*
 * Export. The command SET allows other nodes to access COUNT pages of this node's memory, starting
 * at page PAGE. The command CLEAR forbids this access.
 */
#define ADAPTER_REG_EXPORT_PAGE 0x034
#define ADAPTER_REG_EXPORT_COUNT 0x038
#define ADAPTER_REG_EXPORT_COMMAND 0x03c /* WO */
#define ADAPTER_EXPORT_SET 0x00000001U
#define ADAPTER_EXPORT_CLEAR 0x00000002U

/* Interrupts: the line is active while (INT_STATUS & INT_ENABLE) is not zero. */
#define ADAPTER_REG_INT_STATUS 0x040 /* RW1C */
#define ADAPTER_REG_INT_ENABLE 0x044 /* RW */
#define ADAPTER_INT_MESSAGE 0x00000001U /* a message can be read */
#define ADAPTER_INT_DMA 0x00000002U /* a DMA transfer has ended */
#define ADAPTER_INT_NODE 0x00000004U /* a node has appeared or disappeared */
#define ADAPTER_INT_ERROR 0x00000008U /* a transaction has failed */
#define ADAPTER_INT_ALL                                                                            \
	(ADAPTER_INT_MESSAGE | ADAPTER_INT_DMA | ADAPTER_INT_NODE | ADAPTER_INT_ERROR)

/*
 * Bit n of LOST_LOW stands for node n, and bit n of LOST_HIGH stands for node n + 32. A bit is set
 * if its node has disappeared, was disabled or has restarted since the driver last cleared the bit.
 * The adapter sends nothing to a node whose bit is set, even if the node responds again. The driver
 * must clear its translations of that node's pages before it clears the bit, because the node may
 * have exported the same pages again for another use.
 */
#define ADAPTER_REG_LOST_LOW 0x048 /* RW1C */
#define ADAPTER_REG_LOST_HIGH 0x04c /* RW1C */

/* DMA between this node's memory and another node's memory; LOCAL and REMOTE are byte offsets. */
#define ADAPTER_REG_DMA_LOCAL 0x050
#define ADAPTER_REG_DMA_NODE 0x054
#define ADAPTER_REG_DMA_REMOTE 0x058
#define ADAPTER_REG_DMA_BYTES 0x05c
#define ADAPTER_REG_DMA_COMMAND 0x060 /* WO */
#define ADAPTER_DMA_WRITE 0x00000001U /* local to remote */
#define ADAPTER_DMA_READ 0x00000002U /* remote to local */
#define ADAPTER_DMA_ABORT 0x00000004U
#define ADAPTER_REG_DMA_STATUS 0x064 /* RO: ADAPTER_ERROR_* of the last transfer */
#define ADAPTER_REG_DMA_DONE 0x068 /* RO: number of bytes that the last transfer has copied */

/*
 * The driver of a node can send messages of up to ADAPTER_MESSAGE_BYTES to the driver of another
 * node.
 */
#define ADAPTER_MESSAGE_BYTES 256U
#define ADAPTER_MESSAGES 16U /* limit of unread messages at the receiver, per sender */
#define ADAPTER_REG_SEND_NODE 0x070
#define ADAPTER_REG_SEND_BYTES 0x074
#define ADAPTER_REG_SEND_COMMAND 0x078 /* WO: 1: send */
#define ADAPTER_REG_SEND_STATUS 0x07c /* RO: ADAPTER_ERROR_* of the last message sent */
#define ADAPTER_REG_RECEIVE_NODE 0x080 /* RO: sender of the message; ABSENT: no message */
#define ADAPTER_REG_RECEIVE_BYTES 0x084 /* RO */
#define ADAPTER_REG_RECEIVE_COMMAND 0x088 /* WO: 1: continue with the next message */
#define ADAPTER_REG_SEND_DATA 0x200 /* RW */
#define ADAPTER_REG_RECEIVE_DATA 0x300 /* RO */

/* Counters, 64 bits each, RO. Reading the low half latches the high half. */
#define ADAPTER_REG_COUNT_READS 0x100 /* this and the next five: issued by this node */
#define ADAPTER_REG_COUNT_WRITES 0x108
#define ADAPTER_REG_COUNT_LOCKS 0x110
#define ADAPTER_REG_COUNT_BLOCKS 0x118
#define ADAPTER_REG_COUNT_MESSAGES 0x120
#define ADAPTER_REG_COUNT_FAILED 0x128 /* requested, but not issued; see ERRORS */
#define ADAPTER_REG_COUNT_RECEIVED 0x130 /* transactions of other nodes that reached this node */
#define ADAPTER_REG_COUNT_HELD 0x138 /* accesses that were held back at least once */
#define ADAPTER_REG_COUNT_REFUSED 0x140 /* received transactions that were malformed */
#define ADAPTER_COUNT_FIRST ADAPTER_REG_COUNT_READS
#define ADAPTER_COUNT_LAST ADAPTER_REG_COUNT_REFUSED

/*
 * The second page is read-only. It has only data that programs may read directly: the nodes that
 * respond, and the number of failed transactions to each node.
 */
#define ADAPTER_STATE_PAGE 0x1000
#define ADAPTER_REG_REACHABLE_LOW 0x1000 /* bit n: node n responds */
#define ADAPTER_REG_REACHABLE_HIGH 0x1004
#define ADAPTER_REG_ERRORS 0x1100 /* failed transactions to node n, at n times the stride */
#define ADAPTER_STRIDE_ERRORS 8U
#define ADAPTER_REG_ERROR 0x1104 /* reason of the last failure: ADAPTER_ERROR_* */
#define ADAPTER_STRIDE_ERROR 8U

/* The reason why a transaction failed. */
#define ADAPTER_ERROR_NONE 0U
#define ADAPTER_ERROR_NODE 1U /* the node does not exist, or has disappeared */
#define ADAPTER_ERROR_EXPORT 2U /* the owner of the page does not export it */
#define ADAPTER_ERROR_TIMEOUT 3U /* held back for longer than TIMEOUT */
#define ADAPTER_ERROR_UNMAPPED 4U /* the page of the window is not mapped */
#define ADAPTER_ERROR_DISABLED 5U /* this adapter is disabled, or has no fabric */
#define ADAPTER_ERROR_BUSY 6U /* the receiver has ADAPTER_MESSAGES unread: send again */
#define ADAPTER_ERROR_RANGE 7U /* beyond the end of a memory, or of impossible size */
#define ADAPTER_ERROR_ABORTED 8U /* aborted by DMA_COMMAND */

#endif /* HW_ADAPTER_REGS_H */
