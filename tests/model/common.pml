/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model, parts for both rings: the B-Link's events and their loss, the interrupt registers, and the
 * memory that the driver shares with its reader.
 *
 * What lives here: the state, and the single steps that change it, each with the name of the
 * modelled step; the processes are in the other files. dual_ported.pml begins with the map of the
 * whole model.
 */

/* Events on the B-Link: the first is number 1. */
#ifndef EVENTS
#define EVENTS 5
#endif

/* A record has two words here: its own number; an event's number, or TOLD + how many were lost. */
#define WORDS 2
#define TOLD 32

/* ---- card: a range table with ENTRIES = 1, and loss (registers.md, sections 6 and 10) -------- */

byte accepted; /* COUNT_ACCEPTED: events so far */
byte lost; /* COUNT_LOST */
byte delivered; /* COUNT_DELIVERED */
byte held; /* the event that the only entry counts, until there is room; 0: none */
byte unsaid; /* events lost, and not yet reported by a LOST record */
byte records; /* COUNT_RECORDS: the number of the next record */

/* The B-Link does not wait. */
active proctype blink()
{
	do
	:: d_step {
		accepted < EVENTS ->
		accepted++;
		if
		:: held == 0 -> held = accepted
		:: else ->
			lost++;
			unsaid++
		fi
	   }
	:: accepted == EVENTS -> break
	od
}

/* Does anything wait for room? Section 10: first the LOST record, last the entry. */
#ifdef NO_LOST
#define SOMETHING_WAITS (held)
#else
#define SOMETHING_WAITS (unsaid || held)
#endif

/* Choose the next record to be written; later losses are reported by another LOST record. */
inline choose(word)
{
	if
#ifdef NO_LOST
	:: true -> word = held
#else
	:: unsaid ->
		word = TOLD + unsaid;
		unsaid = 0
	:: else -> word = held
#endif
	fi
}

/* The record is in the ring, and the count in it has been removed from the table. */
inline account(word)
{
	records++;
	if
	:: word < TOLD ->
		delivered++;
		held = 0
	:: else
	fi
}

/* ---- card: interrupt registers (registers.md, section 11) ------------------------------------ */

#define RING_FULL 1
#define WATERMARK 2
#define LATENCY 4
#define INT_ALL 7

byte int_status;
byte int_enable = INT_ALL; /* the value that smile_ring_open() sets */
bool message; /* an MSI has been sent and not yet been handled */

#define LINE (int_status & int_enable)

/* With MSI, a message is sent each time the line becomes active. */
inline set_line(reg, value)
{
	if
	:: LINE -> reg = value
	:: else ->
		reg = value;
		message = (LINE -> true : message)
	fi
}

/* ---- card: watermark and latency (registers.md, section 9.3) --------------------------------- */

/* RING_WATERMARK; 0: no watermark. RING_LATENCY is 0 without LATENCY_ON. */
#ifndef MARK
#define MARK 0
#endif

bool armed; /* the latency timer runs */

#ifdef LATENCY_ON
#define arm(condition) armed = (condition)
#else
#define arm(condition) skip
#endif

/* The latency timer may expire at any time. */
active proctype expire()
{
end:	do
	:: d_step {
		armed ->
		armed = false;
		set_line(int_status, int_status | LATENCY)
	   }
	od
}

/*
 * ---- the driver's ring, and its sleeping reader
 * --------------------------------------------------
 */

byte data[RING_RECORDS * WORDS]; /* smile_ring.data */
#define SLOT(record) (((record) % RING_RECORDS) * WORDS)
byte head = FIRST; /* smile_ring.head, which never wraps */
byte mapped_tail = FIRST; /* smile_consumer.tail */
bool ring_full; /* smile_ring.full: the last drain ran out of room */
bool queued; /* the reader is in the wait queue smile_card.wait */

/*
 * smile_ring_tail(), SPAN is ring_span(). A correct consumer's tail is always valid, so the last
 * accepted tail is never read: it is left out, because states that differ only in it are
 * equivalent.
 */
#ifdef HOSTILE
byte ring_tail; /* smile_ring.tail */
#define POSSIBLE(tail) (head - (tail) >= 0 && head - (tail) <= SPAN)
#ifdef TRUST_TAIL
#define TAIL mapped_tail
#else
#define TAIL                                                                                       \
	(POSSIBLE(mapped_tail) -> mapped_tail : (POSSIBLE(ring_tail) -> ring_tail : head - SPAN))
#endif
#define believe(tail) ring_tail = tail
#else
#define TAIL mapped_tail
#define believe(tail) skip
#endif

/* smile_ring_publish() and the wake_up_interruptible_poll() that follows it */
inline publish(value)
{
#ifdef WAKE_FIRST
	queued = false;
	head = value
#else
	head = value;
	queued = false
#endif
}

/* The result of a drain: the card was found empty, it may hold more, the driver's ring is full. */
#define EMPTY 0
#define MORE 1
#define AGAIN 2
