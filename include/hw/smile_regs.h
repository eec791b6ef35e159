/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SMiLE Monitor: PCI identity and register map.
 *
 * What lives here: every number that the card and its driver must agree on, besides the record and
 * the configuration bits, which are in <uapi/smile_monitor.h>. Shared by kmod, emu, lib and tests;
 * not installed. docs/registers.md is the prose to it, with reset values and side effects.
 */
#ifndef HW_SMILE_REGS_H
#define HW_SMILE_REGS_H

#include <uapi/smile_monitor.h>

/*
 * PCI identity. The bridge is the historic one, a PLX PCI 9060 (2000 paper, section V); since that
 * chip sits on many cards, the subsystem id, defined here, is what tells this card from others.
 */
#define SMILE_PCI_VENDOR 0x10b5
#define SMILE_PCI_DEVICE 0x9060
#define SMILE_PCI_SUBVENDOR 0x10b5
#define SMILE_PCI_SUBDEVICE 0x534d
#define SMILE_PCI_CLASS 0x1101 /* signal processing controller: performance counters */
#define SMILE_PCI_REVISION 0x01

#define SMILE_BAR_REGS 0 /* registers, 32-bit accesses only */
#define SMILE_BAR_RING 2 /* dual-ported RAM, read-only for the host */
#define SMILE_REGS_BYTES 0x1000U
#define SMILE_RING_WORDS 4096U /* 4k x 32 bit */
#define SMILE_RING_BYTES (SMILE_RING_WORDS * 4U)

/* What a read returns from a card that is gone. */
#define SMILE_REG_ABSENT 0xffffffffU

/* Identification */
#define SMILE_REG_ID 0x000 /* RO */
#define SMILE_ID_VALUE 0x534d694cU /* "SMiL" */
#define SMILE_REG_VERSION 0x004 /* RO */
#define SMILE_VERSION_MAJOR 0xffff0000U
#define SMILE_VERSION_MINOR 0x0000ffffU
#define SMILE_VERSION_VALUE 0x00010000U
#define SMILE_REG_CAPABILITY 0x008 /* RO */
#define SMILE_CAPABILITY_ENTRIES 0x0000007fU /* entries of the dynamic array */
#define SMILE_CAPABILITY_STATIC 0x00001f00U /* counters of the static array */
#define SMILE_CAPABILITY_RING 0x001f0000U /* log2 of the dual-ported RAM's words */
#define SMILE_CAPABILITY_DMA 0x01000000U /* ring in host memory */
#define SMILE_CAPABILITY_TIMER 0x02000000U /* timer event and TIME records */

/* Control */
#define SMILE_REG_CONTROL 0x010 /* RW */
#define SMILE_CONTROL_ENABLE 0x00000001U /* count */
#define SMILE_REG_STATUS 0x014 /* RO but for BAD_WRITE */
#define SMILE_STATUS_SWAPPING 0x00000001U /* a Swap_All or an EVENT waits for room */
#define SMILE_STATUS_FULL 0x00000002U /* auxiliary pointer has reached the read pointer */
#define SMILE_STATUS_LINK 0x00000004U /* B-Link clock present */
#define SMILE_STATUS_BAD_WRITE 0x00000008U /* a register write was refused; write 1 to clear */
#define SMILE_STATUS_OCCUPIED 0x00007f00U /* valid entries of the dynamic array */
#define SMILE_REG_COMMAND 0x018 /* WO */
#define SMILE_COMMAND_RESET 0x00000001U
#define SMILE_COMMAND_SWAP 0x00000002U /* SWAP_OUT */
#define SMILE_REG_EVENT 0x01c /* WO: raise a global event */
#define SMILE_EVENT_ID 0x0000ffffU

/* Configuration: writable while the card is disabled and the array empty */
#define SMILE_REG_NODE 0x020
#define SMILE_NODE_ID 0x0000ffffU
#define SMILE_REG_FILTER 0x024 /* SMILE_FILTER_* */
#define SMILE_REG_MODE 0x028 /* SMILE_MODE_* */
#define SMILE_REG_MAX_RANGE 0x02c /* bytes */
#define SMILE_REG_ENTRIES 0x030
#define SMILE_REG_PHASE_EVENTS 0x034
#define SMILE_PHASE_EVENTS_MASK 0x0000ffffU

/* Interrupts: the line is active while (INT_STATUS & INT_ENABLE) is not zero */
#define SMILE_REG_INT_STATUS 0x040 /* RW1C */
#define SMILE_REG_INT_ENABLE 0x044 /* RW */
#define SMILE_INT_RING_FULL 0x00000001U
#define SMILE_INT_LINK 0x00000002U /* STATUS.LINK has changed */
#define SMILE_INT_ALL (SMILE_INT_RING_FULL | SMILE_INT_LINK)

/*
 * Swap ring in the dual-ported RAM. Pointers count 32-bit words and are one bit wider than the
 * address, so that full and empty differ; the address is the pointer modulo the RAM's words.
 */
#define SMILE_RING_POINTER (2 * SMILE_RING_WORDS - 1)
#define SMILE_REG_RING_READ 0x050 /* RW: next word the host reads; a multiple of 4 */
#define SMILE_REG_RING_WRITE 0x054 /* RO: first word of the record not yet complete */
#define SMILE_REG_RING_AUX 0x058 /* RO: one past the last word written */

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
#define SMILE_COUNT_FIRST SMILE_REG_COUNT_SEEN
#define SMILE_COUNT_LAST SMILE_REG_CLOCK

/*
 * Kept free: 0x060-0x07f ring in host memory, 0x0e0-0x0ff timer, 0x100-0x17f page table,
 * 0x180-0x1ff event table, 0x200-0x2ff static counters.
 */

#endif /* HW_SMILE_REGS_H */
