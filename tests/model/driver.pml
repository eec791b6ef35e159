/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model, the driver's processes and the reader: the same for both rings.
 *
 * What lives here: the lock, the interrupt's two handlers, the work, the reader, and what must be
 * true in the end. It may use common.pml, and of the file that includes it drain_ring(), and
 * CARD_DONE: may a reader sleep while nothing more happens on the card?
 */

/* smile_ring.lock; waiting processes receive it in their order. */
chan lock = [3] of { byte };

#define THREAD 1
#define WORK 2
#define READER 3

inline lock_ring(who)
{
	atomic {
		lock ! who;
		lock ? [who]
	}
}

inline unlock_ring(who)
{
	lock ? who
}

bool wake_thread; /* the hard interrupt has requested its thread */
bool work_now; /* smile_drain_hurry() */

/*
 * smile_card_watermark(): a thread that is about to sleep leaves fewer records than this number to
 * the interrupt.
 */
#ifndef ENOUGH
#define ENOUGH 1
#endif
#ifdef BAD_LAZY
#define LAZY ENOUGH
#else
#define LAZY (ring_full -> 1 : ENOUGH)
#endif

byte least; /* protected by the lock, like the variables of the rings' drains */

/* the end of drain_locked(); fewer records than @enough are left */
inline drain_unlock(who, result, enough)
{
	least = enough;
	drain_ring(result);
	least = 0;
	d_step {
		unlock_ring(who);
		if
		:: result == MORE -> work_now = true
		:: else
		fi;
		result = EMPTY
	}
}

inline drain_run(who, result)
{
	lock_ring(who);
	drain_unlock(who, result, 1)
}

inline drain_lazy(who, result)
{
	lock_ring(who);
	drain_unlock(who, result, LAZY)
}

/* ---- interrupt ------------------------------------------------------------------------------- */

#ifdef INTX
#define INTERRUPT (LINE)
#else
#define INTERRUPT (message)
#endif

/*
 * No other process disables the card's interrupt or clears a cause meanwhile, so this is one step.
 */
active proctype irq_check()
{
end:	do
	:: d_step {
		INTERRUPT ->
		message = false;
		if
		:: LINE ->
			set_line(int_enable, 0);
			wake_thread = true
		:: else
		fi
	   }
	od
}

active proctype irq_handle()
{
	byte status, result;

end:	do
	:: d_step {
		wake_thread ->
		wake_thread = false;
		status = int_status
	   };
#ifndef CLEAR_LATE
		d_step {
			set_line(int_status, int_status & ~status);
			status = 0
		};
#endif
		drain_run(THREAD, result);
#ifdef CLEAR_LATE
		d_step {
			set_line(int_status, int_status & ~status);
			status = 0
		};
#endif
		/* smile_drain_listen() */
		atomic {
			lock_ring(THREAD);
#ifndef NO_LISTEN
			set_line(int_enable, INT_ALL);
#endif
			unlock_ring(THREAD)
		}
	od
}

/* ---- work ------------------------------------------------------------------------------------ */

/*
 * The work runs when it is requested. The periodic check of the tail, which drain_repeats() adds,
 * is left out: it is for consumers that do not call poll(), and no property here may depend on it.
 */
active proctype drain_work()
{
	byte result;

end:	do
	:: d_step {
		work_now ->
		work_now = false
	   };
		drain_run(WORK, result)
	od
}

/* ---- reader ---------------------------------------------------------------------------------- */

byte expected; /* number of the next record */
byte last; /* event of the last record that had one */
byte received; /* events received */
byte reported; /* events reported as lost */
bool asleep;

#define ACCOUNTED (received + reported)

/* smile_ring_available() */
#define AVAILABLE (head != TAIL)

/* Each record is read whole and in its order: none is missing, and none is read twice. */
inline look_at(number, word)
{
#ifndef HOSTILE
	assert(number == expected);
	expected++;
	if
	:: word > TOLD -> reported = reported + word - TOLD
	:: else ->
		assert(word > last && word <= EVENTS);
		last = word;
		received++
	fi;
	assert(reported <= lost && received <= delivered);
#endif
	number = 0;
	word = 0
}

/*
 * A consumer, either read() or a program with a mapping: it reads head and records, and writes
 * tail.
 */
inline consume()
{
	atomic {
		to = head;
		from = TAIL;
		assert(from <= to);
		assert(to - from <= RING_RECORDS)
	};
	do
	:: from != to ->
		d_step {
			number = data[SLOT(from)];
			word = data[SLOT(from) + 1];
			data[SLOT(from)] = 0;
			data[SLOT(from) + 1] = 0;
			look_at(number, word);
			from++
		}
	:: else -> break
	od
}

active proctype reader()
{
	byte to, from, number, word, result;

again:	if
#ifndef NO_READ
	:: goto by_read
#endif
#ifndef NO_POLL
	:: goto by_poll
#endif
	fi;

by_read:
	drain_lazy(READER, result);
	if
	:: AVAILABLE ->
		consume();
		atomic {
			believe(to);
			mapped_tail = to;
			to = 0;
			from = 0
		};
		goto again
	:: else
	fi;
wait:
#ifdef LOOK_FIRST
	if
	:: AVAILABLE -> goto by_read
	:: else
	fi;
	d_step {
		queued = true;
		asleep = true
	};
#else
	queued = true;
	if
	:: atomic {
		AVAILABLE ->
		queued = false
	   };
		goto by_read
	:: atomic {
		!AVAILABLE ->
		asleep = true
	   }
	fi;
#endif
end_read:
	atomic {
		!queued ->
		asleep = false
	};
	goto wait;

by_poll:
	queued = true;
	/* smile_drain_try() */
	if
	:: !AVAILABLE || ring_full ->
		if
		:: atomic {
			empty(lock) ->
			lock ! READER
		   };
			drain_unlock(READER, result, LAZY)
		:: nempty(lock) -> work_now = true
		fi
	:: else
	fi;
	if
	:: atomic {
		AVAILABLE ->
		queued = false
	   };
		consume();
		atomic {
			mapped_tail = to;
			to = 0;
			from = 0
		};
		goto again
	:: atomic {
		!AVAILABLE ->
		asleep = true
	   }
	fi;
end_poll:
	atomic {
		!queued ->
		asleep = false
	};
	goto by_poll
}

#ifdef HOSTILE
/* A program that writes any values to the consumer's page. */
active proctype hostile()
{
	if
	:: mapped_tail = 0
	:: mapped_tail = FIRST - 1
	:: mapped_tail = FIRST
	:: mapped_tail = FIRST + 2
	:: mapped_tail = FIRST + 4
	:: mapped_tail = 255
	fi
}
#endif

/* ---- in the end ------------------------------------------------------------------------------ */

#ifdef LIVE
/* For runs without end: no reader waits for ever for an event that was counted or lost. */
ltl all_accounted { <> (ACCOUNTED == EVENTS) }
#else
/* For runs that end: no step is possible any more, so a process that sleeps now sleeps for ever. */
active proctype watch()
{
end:	timeout ->
	assert(asleep && accepted == EVENTS);
	assert(accepted == delivered + lost + (held != 0));
#ifndef HOSTILE
	assert(!AVAILABLE);
	assert(CARD_DONE);
	assert(UNREAD || ACCOUNTED == EVENTS)
#endif
}
#endif
