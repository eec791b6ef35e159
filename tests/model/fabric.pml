/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model of the link between adapters, for Spin: inboxes, monitors without room, and the rest (see
 * the map).
 *
 * What lives here: NODES nodes that issue ACCESSES accesses each, to the next node around the
 * cycle, or, with ANYWHERE, to the next or the previous node. withdraw.pml is the model of the
 * exported pages. model_test.sh runs it, and lists the properties.
 *
 * The map. "adapter.md" is docs/adapter.md.
 *
 *	step of the model            stands for
 *	tail, head, entry            struct link_inbox, link_entries()
 *	monitor, DRAIN               the node's monitor card, with room for ROOM records; a driver that
 *	                             empties it when it interrupts because it is full
 *	lock                         QEMU's lock: an access and the main loop exclude each other
 *	ACCEPTS, held                transaction_begin(); window_wait(); adapter.md 5
 *	issue                        push()
 *	ring                         adapter_ring(), fabric_ring()
 *	main_loop                    shell_work(), receive_from()
 *	rest                         adapter_rest()
 *	kick                         smile_adapter_kick(): by the monitor that has room again, by the
 *	                             timer that looks again where something came
 *	READER, unread, reader       the driver's ring, with room for one fill of the monitor, and the
 *	                             program that reads it; without READER it always has room
 *	SELF                         this program is the one that issues the accesses, and reads after
 *	                             the last
 *	LOSE                         MODE.HOLD is 0: a monitor without room holds nothing, and loses
 *	STAY                         a held access keeps its processor: the plug-in did so whose
 *	                             headers did not say that QEMU has TCG
 *
 * Memory is sequentially consistent. Two accesses that a fence orders are two steps; a switch for a
 * missing fence exchanges them, as a processor may. TIMEOUT is not modelled: no property here may
 * depend on it.
 *
 * Two nodes are searched step by step. Three and more nodes have too many states for this, so
 * COARSE combines the steps that a node makes under its lock into one step. In a cycle, one sender
 * and one owner use an inbox and the flag of a node's rest. So each race between single steps is a
 * race of two nodes, and the search with two nodes covers it. A third node adds the cycle of full
 * inboxes and full monitors, whose order is that of the remaining steps. With ANYWHERE two senders
 * share an owner's flag: there, COARSE leaves out the races between the single steps of three
 * nodes.
 *
 * "model_test.sh BUILD long" searches single steps of three nodes in a cycle for four minutes: 15
 * million states without an error, with a hash factor of 573. It also searches four nodes.
 */
#ifndef NODES
#define NODES 2
#endif
#ifndef ACCESSES
#define ACCESSES 3
#endif
#ifndef INCOMING
#define INCOMING 1
#endif
#ifndef ROOM
#define ROOM 1
#endif

#ifdef COARSE
#define SECTION atomic {
#define SECTION_END }
#else
#define SECTION
#define SECTION_END
#endif

#define INBOX(owner, sender) ((owner) * NODES + (sender))
#define SLOT(inbox, count) ((inbox) * INCOMING + (count) % INCOMING)

byte tail[NODES * NODES];
byte head[NODES * NODES];
byte entry[NODES * NODES * INCOMING];
byte received[NODES * NODES];
byte monitor[NODES];
bool lock[NODES];
bool resting[NODES];
bool bell[NODES];
bool kick[NODES];
byte finished; /* processors that have issued all their accesses */

#ifdef NO_INBOX_ROOM
#define INBOX_ACCEPTS(inbox) true
#else
#define INBOX_ACCEPTS(inbox) (tail[inbox] - head[inbox] < INCOMING)
#endif
#ifdef LOSE
#define TAKES(self) true
#define COUNT(self) monitor[self] = (monitor[self] < ROOM -> monitor[self] + 1 : ROOM)
#else
#define TAKES(self) (monitor[self] < ROOM)
#define COUNT(self) monitor[self]++
#endif
#define ACCEPTS(self, inbox) (INBOX_ACCEPTS(inbox) && TAKES(self))

#ifdef READER
bool unread[NODES];
bool ended[NODES];
#define UNREAD(self) unread[self]
#else
#define UNREAD(self) false
#endif

/* The driver's interrupt handler: the processor takes it between two instructions. */
inline take_interrupt()
{
	atomic {
		monitor[self] == ROOM && !lock[self] && !UNREAD(self) ->
		monitor[self] = 0;
#ifdef READER
		unread[self] = true;
#endif
#ifndef NO_NOTIFY
		kick[self] = true
#endif
	}
}

inline ring()
{
	if
	:: seen ->
		atomic {
			bell[to] = (resting[to] -> true : bell[to]);
			resting[to] = false
		}
	:: else
	fi;
	seen = false
}

inline issue()
{
#ifdef NO_FENCE_RING
	seen = resting[to];
#endif
#ifdef TAIL_EARLY
	tail[inbox]++;
	entry[SLOT(inbox, tail[inbox] - 1)] = tail[inbox];
#else
	entry[SLOT(inbox, tail[inbox])] = tail[inbox] + 1;
	tail[inbox]++;
#endif
#ifndef NO_FENCE_RING
	seen = resting[to];
#endif
	ring()
}

proctype processor(byte self)
{
	byte left = ACCESSES, to, inbox;
	bool seen, held;

	do
	:: left == 0 -> break
	:: left > 0 ->
		d_step {
			left--;
			to = (self + 1) % NODES;
			inbox = INBOX(to, self)
		};
#ifdef ANYWHERE
		/* Or to the previous node. */
		if
		:: true
		:: d_step {
			true ->
			to = (self + NODES - 1) % NODES;
			inbox = INBOX(to, self)
		   }
		fi;
#endif
instruction:
		SECTION
		atomic {
			!lock[self] ->
			lock[self] = true
		};
		if
		:: atomic {
			ACCEPTS(self, inbox) ->
			COUNT(self)
		   };
			issue();
			atomic {
				to = 0;
				inbox = 0;
				lock[self] = false
			}
		:: atomic {
			!ACCEPTS(self, inbox) ->
			held = true;
			lock[self] = false
		   }
		fi
		SECTION_END;
		if
		:: held ->
			if
			:: ACCEPTS(self, inbox)
#ifndef STAY
			:: take_interrupt()
#endif
			fi;
			held = false;
			goto instruction
		:: else
		fi
	od;
#ifdef READER
	ended[self] = true;
#endif
	finished++;
end:	do
	:: take_interrupt()
	od
}

#ifdef READER
proctype reader(byte self)
{
end:	do
	:: d_step {
#ifdef SELF
		unread[self] && ended[self] ->
#else
		unread[self] ->
#endif
		unread[self] = false
	   }
	od
}
#endif

/* Pass one entry to the monitor. Each entry is passed once and in its order. */
inline receive()
{
	d_step {
		assert(entry[SLOT(inbox, next)] == received[inbox] + 1);
		received[inbox]++;
		next++;
		COUNT(self);
		assert(monitor[self] <= ROOM);
		took = true
	}
}

inline look()
{
	from = 0;
	do
	:: d_step {
		from < NODES ->
		waiting = waiting || tail[INBOX(self, from)] != head[INBOX(self, from)];
		from++
	   }
	:: from == NODES -> break
	od
}

/*
 * Entries that arrived meanwhile are taken immediately, if the monitor has room. Otherwise, its
 * later notice of room starts the main loop.
 */
inline rest()
{
#ifdef NO_FENCE_REST
	look();
	resting[self] = true;
#else
	resting[self] = true;
#ifndef NO_LOOK
	look();
#endif
#endif
	if
	:: waiting ->
		d_step {
			resting[self] = false;
#ifndef REST_ANYWAY
			kick[self] = (TAKES(self) -> true : kick[self])
#endif
		}
	:: else
	fi
}

proctype main_loop(byte self)
{
	byte from, inbox, next;
	bool took, waiting;

	/* Power on. */
	kick[self] = true;
end:	do
	:: SECTION
	   atomic {
		(bell[self] || kick[self]) && !lock[self] ->
		lock[self] = true;
		bell[self] = false;
		kick[self] = false
	   };
		do
		:: from == self -> from++
		:: from < NODES && from != self ->
			d_step {
				inbox = INBOX(self, from);
				next = head[inbox]
			};
			do
			:: next != tail[inbox] && TAKES(self) ->
#ifdef HEAD_EARLY
				head[inbox] = next + 1;
#endif
				receive()
			:: else -> break
			od;
			atomic {
				head[inbox] = next;
				from++
			}
		:: from == NODES -> break
		od;
		if
		:: took -> kick[self] = true
		:: else -> rest()
		fi;
		atomic {
			took = false;
			waiting = false;
			from = 0;
			inbox = 0;
			next = 0;
			lock[self] = false
		}
	   SECTION_END
	od
}

init {
	byte node = 0;

	atomic {
		do
		:: node < NODES ->
			run processor(node);
			run main_loop(node);
#ifdef READER
			run reader(node);
#endif
			node++
		:: else -> break
		od;
		node = 0
	}
}

/*
 * No step is possible any more: then all accesses have been issued, and no entry waits in an inbox.
 */
active proctype watch()
{
	byte inbox = 0;

end:	timeout ->
	assert(finished == NODES);
	do
	:: inbox < NODES * NODES ->
		assert(received[inbox] == tail[inbox]);
		inbox++
	:: else -> break
	od
}
