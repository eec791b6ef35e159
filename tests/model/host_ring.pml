/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model of the ring's protocol between card, driver and reader, for Spin: the ring in host memory,
 * which the card writes by DMA and from which the reader reads directly.
 *
 * What lives here: the parts that differ for this ring; the map of the model is in dual_ported.pml.
 * It may use common.pml and driver.pml. model_test.sh runs it, and lists the properties.
 *
 * Here, too, the interrupts are sufficient, and the periodic work is left out. With the latency
 * timer (LATENCY_ON) a reader never sleeps while any record is unread. Without it, a reader never
 * sleeps while MARK or more records are unread, or while the ring is full.
 */

/* DMA_SIZE. */
#ifndef RING_RECORDS
#define RING_RECORDS 4
#endif
#define FIRST 6

#include "common.pml"

/*
 * The pointers count modulo 2^32, here modulo 8. They start at FIRST, near the end, like the
 * driver's own pointers: smile_host_enter() in the middle of a stream.
 */
#define MODULO(pointer) ((pointer) & 7)

byte dma_read = FIRST; /* DMA_READ */
byte dma_write = FIRST; /* DMA_WRITE */

#define UNREAD MODULO(dma_write - dma_read)
#ifdef BAD_FULL
#define FULL (UNREAD == RING_RECORDS + 1)
#else
#define FULL (UNREAD == RING_RECORDS)
#endif

/* Writes on their way to memory: the address, and the two words. */
chan posted = [1] of { byte, byte, byte };

active proctype card()
{
	byte word;

end:	do
	:: atomic {
		!FULL && SOMETHING_WAITS && nfull(posted) ->
		choose(word);
		posted ! dma_write, records, word
	   };
		d_step {
			dma_write = MODULO(dma_write + 1);
			assert(UNREAD <= RING_RECORDS);
			account(word);
			word = 0;
			arm(armed || UNREAD == 1);
			set_line(int_status, int_status | (FULL -> RING_FULL : 0)
				| (MARK && UNREAD == MARK -> WATERMARK : 0))
		}
	od
}

/* The bus performs the writes in their order. */
active proctype bus()
{
	byte place, first, second;

end:	do
	:: atomic {
		posted ? <place, first, second> ->
		data[SLOT(place)] = first
	   };
		d_step {
			data[SLOT(place) + 1] = second;
			posted ? place, first, second;
			place = 0;
			first = 0;
			second = 0
		}
	od
}

/*
 * The lock protects these variables. They are zero between drains, so that no two states differ
 * only in them.
 */
byte tail, written;

/* smile_ring.passed is the value of DMA_READ: a tail below it is ignored. */
#ifdef WIDE_SPAN
#define SPAN RING_RECORDS
#else
#define SPAN MODULO(head - dma_read)
#endif

/* Write a new tail to DMA_READ, but never a tail that the card would refuse (9.2). */
inline pass_on_tail()
{
	d_step {
		tail = TAIL;
		if
		:: MODULO(tail) != dma_read ->
			believe(tail);
			assert(MODULO(tail - dma_read) <= UNREAD);
			dma_read = MODULO(tail);
			arm(UNREAD > 0)
		:: else
		fi
	}
}

/*
 * host_waiting(): the value of DMA_WRITE arrives after all writes of the records below it. An
 * impossible value would break the stream.
 */
inline look_at_write()
{
	atomic {
#ifndef BAD_PUSH
		empty(posted) ->
#endif
		written = head + MODULO(dma_write - head);
		assert(written - head <= RING_RECORDS - MODULO(head - dma_read))
	}
}

/* host_drain() */
inline drain_ring(result)
{
#ifdef BAD_ORDER
	look_at_write();
	pass_on_tail();
#else
	pass_on_tail();
	look_at_write();
#endif
	if
	:: written - head >= least -> publish(written)
	:: else
	fi;
	d_step {
		ring_full = (head - tail == RING_RECORDS);
		result = (ring_full -> AGAIN : EMPTY);
		tail = 0;
		written = 0
	}
}

/* Nothing will wake the reader any more: then no event may exist that should have woken it. */
#ifdef LATENCY_ON
#define CARD_DONE (UNREAD == 0 && !SOMETHING_WAITS)
#else
#define CARD_DONE (!FULL && !SOMETHING_WAITS && (MARK == 0 || UNREAD < MARK))
#endif

#include "driver.pml"
