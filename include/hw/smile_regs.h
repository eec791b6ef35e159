/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SMiLE Monitor: PCI identity and register map.
 *
 * What lives here: every number that the card and its driver must agree on, except the record and
 * the configuration bits, which are in <uapi/smile_monitor.h>. kmod, emu, lib and the tests share
 * this file; it is not installed. docs/registers.md describes the registers, with reset values and
 * side effects.
 */
#ifndef HW_SMILE_REGS_H
#define HW_SMILE_REGS_H

#include <uapi/smile_monitor.h>

/*
 * PCI identity. Like the historic card, the card has the bridge PLX PCI 9060 (2000 paper, section
 * V). Many other cards have this bridge, too. This project defines the subsystem id, by which the
 * driver distinguishes this card from other cards.
 */
#define SMILE_PCI_VENDOR 0x10b5
#define SMILE_PCI_DEVICE 0x9060
#define SMILE_PCI_SUBVENDOR 0x10b5
#define SMILE_PCI_SUBDEVICE 0x534d
#define SMILE_PCI_CLASS 0x1101 /* signal processing controller: performance counters */
#define SMILE_PCI_REVISION 0x01

/*
 * Offsets of the PCI capabilities in configuration space. EXPRESS and AER exist only if the card is
 * in a PCI Express slot.
 */
#define SMILE_PCI_MSI 0x40
#define SMILE_PCI_PM 0x50
#define SMILE_PCI_EXPRESS 0x60
#define SMILE_PCI_AER 0x100

#define SMILE_BAR_REGS 0 /* registers, 32-bit accesses only */
#define SMILE_BAR_RING 2 /* dual-ported RAM, read-only for the host */
#define SMILE_REGS_BYTES 0x1000U
#define SMILE_RING_WORDS 4096U /* 4k x 32 bit */
#define SMILE_RING_BYTES (SMILE_RING_WORDS * 4U)

/* Every read from a card that was removed returns this value. */
#define SMILE_REG_ABSENT 0xffffffffU

/* Identification */
#define SMILE_REG_ID 0x000 /* RO */
#define SMILE_ID_VALUE 0x534d694cU /* "SMiL" */
#define SMILE_REG_VERSION 0x004 /* RO */
#define SMILE_VERSION_MAJOR 0xffff0000U
#define SMILE_VERSION_MINOR 0x0000ffffU
#define SMILE_VERSION_VALUE 0x00010001U
#define SMILE_REG_CAPABILITY 0x008 /* RO */
#define SMILE_CAPABILITY_ENTRIES 0x0000007fU /* entries of the dynamic array */
#define SMILE_CAPABILITY_STATIC 0x00001f00U /* counters of the static array */
#define SMILE_CAPABILITY_RING 0x001f0000U /* log2 of the dual-ported RAM's words */
#define SMILE_CAPABILITY_DMA 0x01000000U /* ring in host memory */
#define SMILE_CAPABILITY_TIMER 0x02000000U /* timer event and TIME records */

/* Control */
#define SMILE_REG_CONTROL 0x010 /* RW */
#define SMILE_CONTROL_ENABLE 0x00000001U /* count */
#define SMILE_REG_STATUS 0x014 /* RO except BAD_WRITE and DMA_ERROR */
#define SMILE_STATUS_SWAPPING 0x00000001U /* a swap or an EVENT record waits for room */
#define SMILE_STATUS_FULL 0x00000002U /* the ring in use is full */
#define SMILE_STATUS_LINK 0x00000004U /* the B-Link has a clock */
#define SMILE_STATUS_BAD_WRITE 0x00000008U /* a register write was rejected; write 1 to clear */
#define SMILE_STATUS_DMA_ERROR 0x00000010U /* the bus rejected a record; write 1 to try again */
#define SMILE_STATUS_OCCUPIED 0x00007f00U /* valid entries of the dynamic array */
#define SMILE_REG_COMMAND 0x018 /* WO */
#define SMILE_COMMAND_RESET 0x00000001U
#define SMILE_COMMAND_SWAP 0x00000002U /* SWAP_OUT of the dynamic array */
#define SMILE_COMMAND_SWAP_STATIC 0x00000004U /* SWAP_OUT of the static array */
#define SMILE_COMMAND_ONE 0x00000008U /* with SWAP_STATIC: only of the counter COUNTER */
#define SMILE_COMMAND_COUNTER 0x00000f00U
#define SMILE_REG_EVENT 0x01c /* WO: raise a global event */
#define SMILE_EVENT_ID 0x0000ffffU

/*
 * Configuration. Software can write these registers only while the card is disabled, both arrays
 * are empty, and no record waits for room.
 */
#define SMILE_REG_NODE 0x020
#define SMILE_NODE_ID 0x0000ffffU
#define SMILE_REG_FILTER 0x024 /* SMILE_FILTER_* */
#define SMILE_REG_MODE 0x028 /* SMILE_MODE_* */
#define SMILE_REG_MAX_RANGE 0x02c /* bytes */
#define SMILE_REG_ENTRIES 0x030
#define SMILE_REG_PHASE_EVENTS 0x034
#define SMILE_PHASE_EVENTS_MASK 0x0000ffffU

/* Interrupts: the line is active while (INT_STATUS & INT_ENABLE) is not zero. */
#define SMILE_REG_INT_STATUS 0x040 /* RW1C */
#define SMILE_REG_INT_ENABLE 0x044 /* RW */
#define SMILE_INT_RING_FULL 0x00000001U
#define SMILE_INT_LINK 0x00000002U /* STATUS.LINK has changed */
#define SMILE_INT_WATERMARK 0x00000004U /* RING_WATERMARK or more records are unread */
#define SMILE_INT_LATENCY 0x00000008U /* a record has waited unread for RING_LATENCY */
#define SMILE_INT_DMA_ERROR 0x00000010U /* STATUS.DMA_ERROR was set */
#define SMILE_INT_ALL                                                                              \
	(SMILE_INT_RING_FULL | SMILE_INT_LINK | SMILE_INT_WATERMARK | SMILE_INT_LATENCY |          \
	 SMILE_INT_DMA_ERROR)

/*
 * Swap ring in the dual-ported RAM. The ring's pointers count 32-bit words. A pointer is one bit
 * wider than an address in the RAM, so that software can distinguish a full ring from an empty
 * ring. The address of a word is the pointer modulo the number of words of the RAM.
 */
#define SMILE_RING_POINTER (2 * SMILE_RING_WORDS - 1)
#define SMILE_REG_RING_READ 0x050 /* RW: next word that the host reads; a multiple of 4 */
#define SMILE_REG_RING_WRITE 0x054 /* RO: first word of the record that is not complete yet */
#define SMILE_REG_RING_AUX 0x058 /* RO: one past the last word that was written */

/*
 * Swap ring in host memory (MODE.HOST_RING). The ring's pointers count records modulo 2^32. The
 * slot of a record in the ring is the number of the record modulo DMA_SIZE.
 */
#define SMILE_DMA_RECORDS_MIN 256U /* one page */
#define SMILE_DMA_RECORDS_MAX 0x01000000U
#define SMILE_REG_DMA_BASE_LOW 0x060 /* bus address; a multiple of a page */
#define SMILE_REG_DMA_BASE_HIGH 0x064
#define SMILE_DMA_BASE_ALIGN 4096U
#define SMILE_REG_DMA_SIZE 0x068 /* number of records, a power of two; 0: no ring */
#define SMILE_REG_DMA_READ 0x06c /* RW: next record that the host reads */
#define SMILE_REG_DMA_WRITE 0x070 /* next record that the card writes; RW if MODE.HOST_RING is 0 */

/* These registers apply to the ring in use, whether it is in the RAM or in host memory. */
#define SMILE_REG_RING_WATERMARK 0x074 /* RW: records; 0: no interrupt */
#define SMILE_REG_RING_LATENCY 0x078 /* RW: microseconds; 0: no interrupt */

/* Counters, 64 bits each, RO. Reading the low half latches the high half. */
#define SMILE_REG_COUNT_SEEN 0x080
#define SMILE_REG_COUNT_MALFORMED 0x088
#define SMILE_REG_COUNT_UNMATCHED 0x090
#define SMILE_REG_COUNT_FILTERED 0x098
#define SMILE_REG_COUNT_EVENT 0x0a0
#define SMILE_REG_COUNT_ACCEPTED 0x0a8
#define SMILE_REG_COUNT_LOST 0x0b0
#define SMILE_REG_COUNT_DELIVERED 0x0b8
#define SMILE_REG_COUNT_MARKS_LOST 0x0c0
#define SMILE_REG_COUNT_EXTENSIONS 0x0c8
#define SMILE_REG_COUNT_RECORDS 0x0d0
#define SMILE_REG_CLOCK 0x0d8 /* ns */
#define SMILE_REG_COUNT_STATIC 0x0e0
#define SMILE_REG_COUNT_STATIC_DELIVERED 0x0e8
#define SMILE_COUNT_FIRST SMILE_REG_COUNT_SEEN
#define SMILE_COUNT_LAST SMILE_REG_COUNT_STATIC_DELIVERED

/*
 * Static array: tables of SMILE_STATIC_PAGES, _EVENTS and _COUNTERS entries. To find entry i of a
 * table, add i times the table's stride to the table's first register. struct smile_static has the
 * same words.
 */
#define SMILE_REG_STATIC_PAGE 0x100 /* SMILE_STATIC_PAGE_* */
#define SMILE_REG_STATIC_NODE 0x104 /* node id of the same page */
#define SMILE_STRIDE_STATIC_PAGE 8U
#define SMILE_STRIDE_STATIC_NODE 8U
#define SMILE_REG_STATIC_EVENT 0x200 /* SMILE_STATIC_EVENT_* */
#define SMILE_STRIDE_STATIC_EVENT 4U
#define SMILE_REG_STATIC_COUNTER 0x280 /* SMILE_STATIC_COUNTER_* */
#define SMILE_STRIDE_STATIC_COUNTER 4U
#define SMILE_REG_STATIC_VALUE 0x2c0 /* RO */
#define SMILE_STRIDE_STATIC_VALUE 4U
#define SMILE_VALUE_COUNT 0x0000ffffU
#define SMILE_VALUE_ACTIVE 0x80000000U

/* Timer */
#define SMILE_REG_TIMER_PERIOD 0x300 /* microseconds between timer events; 0: no events */
#define SMILE_REG_TIMER_EVENT 0x304 /* the global event that the timer raises */
#define SMILE_TIMER_EVENT_ID 0x0000000fU
#define SMILE_REG_TIME_PERIOD 0x308 /* microseconds between TIME records; 0: no records */
#define SMILE_REG_CLOCK_STEP 0x30c /* RO: resolution of CLOCK, ns */

#endif /* HW_SMILE_REGS_H */
