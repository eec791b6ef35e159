/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints in the group "smile_monitor" of tracefs; docs/ABI/tracefs-smile_monitor describes
 * them.
 *
 * What lives here: the definitions of the tracepoints, from which drain.c creates the code. The
 * first field of each event is the number of the device file, which distinguishes the cards. May
 * use: the contract with user space.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM smile_monitor

#if !defined(KMOD_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KMOD_TRACE_H

#include <linux/tracepoint.h>

#include "smile_monitor.h"

/* clang-format off */
TRACE_EVENT(smile_interrupt,
	TP_PROTO(const struct smile_card *card, u32 status),
	TP_ARGS(card, status),
	TP_STRUCT__entry(
		__field(unsigned int, card)
		__field(u32, status)
	),
	TP_fast_assign(
		__entry->card = card->number;
		__entry->status = status;
	),
	TP_printk("card=%u cause=%s", __entry->card,
		  __print_flags(__entry->status, "|",
				{SMILE_INT_RING_FULL, "ring_full"},
				{SMILE_INT_LINK, "link"},
				{SMILE_INT_WATERMARK, "watermark"},
				{SMILE_INT_LATENCY, "latency"},
				{SMILE_INT_DMA_ERROR, "dma_error"}))
);

TRACE_EVENT(smile_drain,
	TP_PROTO(const struct smile_card *card, u64 records, int result),
	TP_ARGS(card, records, result),
	TP_STRUCT__entry(
		__field(unsigned int, card)
		__field(u64, records)
		__field(u64, head)
		__field(u64, tail)
		__field(int, result)
	),
	TP_fast_assign(
		__entry->card = card->number;
		__entry->records = records;
		__entry->head = card->ring.head;
		__entry->tail = card->ring.tail;
		__entry->result = result;
	),
	TP_printk("card=%u records=%llu head=%llu tail=%llu result=%d", __entry->card,
		  __entry->records, __entry->head, __entry->tail, __entry->result)
);

TRACE_EVENT(smile_loss,
	TP_PROTO(const struct smile_card *card, u64 events, u32 marks),
	TP_ARGS(card, events, marks),
	TP_STRUCT__entry(
		__field(unsigned int, card)
		__field(u64, events)
		__field(u32, marks)
	),
	TP_fast_assign(
		__entry->card = card->number;
		__entry->events = events;
		__entry->marks = marks;
	),
	TP_printk("card=%u events=%llu marks=%u", __entry->card, __entry->events, __entry->marks)
);
/* clang-format on */

#endif /* KMOD_TRACE_H */

/*
 * Kbuild's -I makes the compiler find this file; by default it searches only the kernel's
 * directories.
 */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
