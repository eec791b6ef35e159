/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model of the ring's protocol between card, driver and reader, for Spin: the ring in the card's
 * dual-ported RAM. host_ring.pml is the same for the ring in host memory.
 *
 * What lives here: the map of the model, and the parts that differ for this ring. It may use
 * common.pml and driver.pml. model_test.sh runs it, and lists the properties.
 *
 * The map. "registers.md" is docs/registers.md, the rest are functions of the driver.
 *
 *	step of the model            stands for
 *	blink                        registers.md 6 with ENTRIES = 1: each event is a record at
 *	                             once, or stays in the entry; 10: loss
 *	choose, account              registers.md 10: what waits for room, in its order; 3: its
 *	                             identities
 *	set_line                     registers.md 11: INT_STATUS, INT_ENABLE, the line, MSI
 *	card (here)                  registers.md 9.1: words, three pointers, full
 *	drain_ring (here)            drain_ram(), smile_drain_in_ram(), drain_copy()
 *	card, bus (host)             registers.md 9.2: full, posted writes
 *	MARK, arm, expire            registers.md 9.3: watermark, latency
 *	drain_ring (host)            host_drain(); registers.md 9.3, last paragraph
 *	look_at_write (host)         host_waiting(); registers.md 9.2, last paragraph
 *	TAIL, SPAN, publish          smile_ring_tail(), ring_span(), smile_ring_publish()
 *	lock_ring, unlock_ring       smile_ring.lock, a mutex
 *	irq_check                    drain_interrupt(): the hard interrupt
 *	irq_handle                   drain_thread(): the interrupt's; smile_drain_listen()
 *	drain_run, drain_lazy        smile_drain_run()
 *	drain_work                   smile_drain_work(), smile_drain_hurry()
 *	reader, by_read              cdev_read(), smile_ring_copy()
 *	reader, by_poll              cdev_poll(), smile_drain_try(), and a consumer of the mapping
 *
 * Not modelled: a link that is disconnected and connected, bus errors, a card that is removed or
 * reports impossible values, O_NONBLOCK, the ownership of the stream, MODE bits. Memory is
 * sequentially consistent: accesses that the barriers of <uapi/smile_monitor.h> order are assumed
 * to be ordered.
 *
 * The driver always sets a watermark and a latency. The model can leave out either of them, which
 * shows the purpose of each. With neither, the card interrupts only when its ring is full. A full
 * ring of the card is always detected, and so is a ring with MARK records, and a reader never
 * sleeps while records are in the driver's ring. With the latency timer (LATENCY_ON) a reader never
 * sleeps while any record is unread: every event is accounted for in the end. The periodic work is
 * not needed for this, and is left out.
 */

/* Records of the driver's ring, and its first index. */
#ifndef RING_RECORDS
#define RING_RECORDS 2
#endif
#define FIRST 0

#include "common.pml"

#define RAM_WORDS 4
#define FILL (RAM_WORDS / WORDS) /* records that fill the card's ring */

byte ram[RAM_WORDS];
byte reg_read; /* RING_READ, RING_WRITE and RING_AUX: modulo twice the RAM's words */
byte reg_write;
byte reg_aux;
byte card_read; /* smile_ring.card_read */

#define MODULO(pointer) ((pointer) & (2 * RAM_WORDS - 1))
#define SPAN RING_RECORDS
#define UNREAD MODULO(reg_write - reg_read)

/* The auxiliary pointer's address is equal to the read pointer's, and their extra bits differ. */
#if BAD_FULL == 1 /* without the extra bit */
#define FULL ((reg_aux & (RAM_WORDS - 1)) == (reg_read & (RAM_WORDS - 1)))
#elif BAD_FULL == 2 /* full is reported one record too late */
#define FULL (MODULO(reg_aux - reg_read) == RAM_WORDS + WORDS)
#else
#define FULL (reg_aux != reg_read && (reg_aux & (RAM_WORDS - 1)) == (reg_read & (RAM_WORDS - 1)))
#endif

active proctype card()
{
	byte word;

end:	do
	:: d_step {
			!FULL && SOMETHING_WAITS ->
			choose(word);
			/* No unread record is ever overwritten. */
			assert(MODULO(reg_aux - reg_read) < RAM_WORDS);
			ram[reg_aux & (RAM_WORDS - 1)] = records;
			reg_aux = MODULO(reg_aux + 1);
#ifdef WRITE_EARLY
			reg_write = MODULO(reg_write + WORDS)
#endif
		};
		d_step {
			assert(MODULO(reg_aux - reg_read) < RAM_WORDS);
			ram[reg_aux & (RAM_WORDS - 1)] = word;
			reg_aux = MODULO(reg_aux + 1)
		};
		d_step {
			reg_write = reg_aux;
			account(word);
			word = 0;
			arm(armed || UNREAD == WORDS);
			set_line(int_status, int_status | (FULL -> RING_FULL : 0)
				| (MARK && UNREAD == MARK * WORDS -> WATERMARK : 0))
		}
	od
}

/*
 * The lock protects these variables. They are zero between drains, so that no two states differ
 * only in them.
 */
byte count, moved, tail, budget;

/* drain_ram() */
inline drain_ring(result)
{
	budget = 2 * FILL;
	do
	:: budget == 0 ->
		result = MORE;
		break
	:: else ->
		/* smile_drain_in_ram(): a write pointer that is impossible would break the stream */
		d_step {
			count = MODULO(reg_write - card_read);
			assert(count <= RAM_WORDS);
			count = count / WORDS
		};
		if
		:: count < least ->
			result = EMPTY;
			break
		:: else
		fi;
		d_step {
			tail = TAIL;
			believe(tail);
#ifndef BAD_ROOM
			tail = RING_RECORDS - (head - tail);
			count = (tail < count -> tail : count);
#endif
			count = (budget < count -> budget : count);
			tail = 0;
			ring_full = (count == 0)
		};
		if
		:: count == 0 ->
			result = AGAIN;
			break
		:: else
		fi;
		budget = budget - count;
#ifdef FREE_EARLY
		reg_read = MODULO(card_read + count * WORDS);
#endif
		/* drain_copy() */
		do
		:: d_step {
			moved < count ->
			data[SLOT(head + moved)] = ram[card_read & (RAM_WORDS - 1)];
			data[SLOT(head + moved) + 1] = ram[card_read + 1 & (RAM_WORDS - 1)];
			ram[card_read & (RAM_WORDS - 1)] = 0;
			ram[card_read + 1 & (RAM_WORDS - 1)] = 0;
			card_read = MODULO(card_read + WORDS);
			moved++
		   }
		:: moved == count -> break
		od;
		moved = 0;
		d_step {
			reg_read = card_read;
			arm(UNREAD > 0)
		};
		publish(head + count)
	od;
	count = 0;
	budget = 0
}

/* Only the interrupt causes a full ring to be emptied. */
#ifdef LATENCY_ON
#define CARD_DONE (UNREAD == 0 && !SOMETHING_WAITS)
#else
#define CARD_DONE (!FULL && !SOMETHING_WAITS && (MARK == 0 || UNREAD < MARK * WORDS))
#endif

#include "driver.pml"
