/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SMiLE deep trace instrument: PCI identity and register map.
 *
 * What lives here: every number that the instrument and its driver must agree on, except the
 * numbers in <uapi/smile_trace.h>. kmod, emu, lib and the tests share this file; it is not
 * installed. docs/trace.md describes the registers. SMILE_GET() and SMILE_PUT(), which read and
 * write fields, are in <base/field.h>.
 */
#ifndef HW_SMILE_TRACE_REGS_H
#define HW_SMILE_TRACE_REGS_H

#include <uapi/smile_monitor.h>
#include <uapi/smile_trace.h>

/* The instrument is a separate device with the same kind of bridge as the monitor card. */
#define SMILE_TRACE_PCI_VENDOR 0x10b5
#define SMILE_TRACE_PCI_DEVICE 0x9060
#define SMILE_TRACE_PCI_SUBVENDOR 0x10b5
#define SMILE_TRACE_PCI_SUBDEVICE 0x5354
#define SMILE_TRACE_PCI_CLASS 0x1101
#define SMILE_TRACE_PCI_REVISION 0x01
#define SMILE_TRACE_PCI_MSI 0x40

#define SMILE_TRACE_BAR_REGS 0 /* registers, 32-bit accesses only */
#define SMILE_TRACE_BAR_MEMORY 2 /* trace memory, read-only for the host */
#define SMILE_TRACE_REGS_BYTES 0x1000U

#define SMILE_TRACE_REG_ID 0x000 /* RO */
#define SMILE_TRACE_ID_VALUE 0x534d6954U /* "SMiT" */
#define SMILE_TRACE_REG_VERSION 0x004 /* RO */
#define SMILE_TRACE_VERSION_VALUE 0x00010000U
#define SMILE_TRACE_REG_CAPABILITY 0x008 /* RO */
#define SMILE_TRACE_CAPABILITY_LEVELS 0x0000000fU
#define SMILE_TRACE_CAPABILITY_PATTERNS 0x00001f00U
#define SMILE_TRACE_CAPABILITY_DMA 0x01000000U
#define SMILE_TRACE_REG_MEMORY_MAX 0x00c /* RO: bytes of trace memory */

#define SMILE_TRACE_REG_STATUS 0x010
#define SMILE_TRACE_STATUS_STATE 0x00000003U /* SMILE_TRACE_IDLE and so on */
#define SMILE_TRACE_STATUS_LEVEL 0x00000070U
#define SMILE_TRACE_STATUS_STORING 0x00000080U
#define SMILE_TRACE_STATUS_FULL 0x00000100U /* a frame was missed */
#define SMILE_TRACE_STATUS_TRIGGER_BY 0x00007000U /* SMILE_TRACE_BY_* */
#define SMILE_TRACE_STATUS_TRIGGER_LEVEL 0x00030000U
#define SMILE_TRACE_STATUS_BAD_WRITE 0x40000000U /* RW1C: a write was rejected */
#define SMILE_TRACE_STATUS_DMA_ERROR 0x80000000U /* RW1C: the bus has rejected a transfer */
#define SMILE_TRACE_REG_COMMAND 0x014 /* WO: one of these: */
#define SMILE_TRACE_COMMAND_RESET 0x00000001U
#define SMILE_TRACE_COMMAND_ARM 0x00000002U
#define SMILE_TRACE_COMMAND_STOP 0x00000004U
#define SMILE_TRACE_COMMAND_TRIGGER 0x00000008U
#define SMILE_TRACE_COMMAND_TRANSFER 0x00000010U

/* Configuration. These registers can be written while the instrument is not armed. */
#define SMILE_TRACE_REG_MODE 0x020
#define SMILE_TRACE_REG_MEMORY 0x024
#define SMILE_TRACE_REG_POSITION 0x028
#define SMILE_TRACE_REG_LEVELS 0x02c
#define SMILE_TRACE_REG_FILTER_SET 0x030
#define SMILE_TRACE_REG_WATERMARK 0x034

#define SMILE_TRACE_REG_INT_STATUS 0x040 /* RW1C */
#define SMILE_TRACE_REG_INT_ENABLE 0x044
#define SMILE_TRACE_INT_TRIGGER 0x00000001U
#define SMILE_TRACE_INT_DONE 0x00000002U
#define SMILE_TRACE_INT_FULL 0x00000004U
#define SMILE_TRACE_INT_WATERMARK 0x00000008U
#define SMILE_TRACE_INT_TRANSFER 0x00000010U
#define SMILE_TRACE_INT_ALL 0x0000001fU

/*
 * Trace memory. HEAD and TAIL count bytes since the command ARM. Byte number n is at offset n
 * modulo MEMORY of the trace memory.
 */
#define SMILE_TRACE_REG_CONSUME 0x04c /* WO: number of bytes by which TAIL advances */
#define SMILE_TRACE_REG_DMA_BASE_LOW 0x050 /* bus address of a transfer; a multiple of 8 */
#define SMILE_TRACE_REG_DMA_BASE_HIGH 0x054
#define SMILE_TRACE_REG_DMA_FROM 0x058 /* first byte of the memory; a multiple of 8 */
#define SMILE_TRACE_REG_DMA_BYTES 0x05c /* a multiple of 8 */

/* Read-only registers of 64 bits. Reading the low half latches the high half. */
#define SMILE_TRACE_REG_HEAD 0x060
#define SMILE_TRACE_REG_TAIL 0x068
#define SMILE_TRACE_REG_TRIGGER_TIME 0x070
#define SMILE_TRACE_REG_TRIGGER_FRAME 0x078
#define SMILE_TRACE_REG_COUNT_SEEN 0x080
#define SMILE_TRACE_REG_COUNT_STORED 0x088
#define SMILE_TRACE_REG_COUNT_FILTERED 0x090
#define SMILE_TRACE_REG_COUNT_OUTSIDE 0x098
#define SMILE_TRACE_REG_COUNT_OVERWRITTEN 0x0a0
#define SMILE_TRACE_REG_COUNT_MISSED 0x0a8
#define SMILE_TRACE_REG_COUNT_CUT 0x0b0

/* The registers of level 0. To find a register of level i, add i times the stride. */
#define SMILE_TRACE_REG_LEVEL_SET 0x100
#define SMILE_TRACE_REG_LEVEL_COUNT 0x104
#define SMILE_TRACE_REG_LEVEL_TIMEOUT_LOW 0x108 /* ns */
#define SMILE_TRACE_REG_LEVEL_TIMEOUT_HIGH 0x10c
#define SMILE_TRACE_REG_LEVEL_ACTION 0x110
#define SMILE_TRACE_STRIDE_LEVEL 0x20U

/*
 * Patterns. There are five sets of patterns, one for each of the four levels and one for the
 * filter. A set has 16 patterns. A pattern has eight registers, which contain the words of struct
 * smile_trace_pattern, the low half of each word first.
 */
#define SMILE_TRACE_REG_PATTERN 0x400
#define SMILE_TRACE_STRIDE_PATTERN 0x20U
#define SMILE_TRACE_STRIDE_SET 0x200U
#define SMILE_TRACE_SETS (SMILE_TRACE_LEVELS + 1U)

#endif /* HW_SMILE_TRACE_REGS_H */
