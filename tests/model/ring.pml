/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model of SCI's ring, for Spin: go bits, echoes, and retries with A-B ageing.
 *
 * What lives here: NODES nodes, each with one packet at a time, and a receiver with room for one
 * packet. model_test.sh runs it, and lists the properties. The map; sections are those of
 * docs/ring.md:
 *
 *	step of the model            stands for
 *	link                         what left each node in the last clock; HOP is 1
 *	HEAD, LAST                   a request: all symbols but the last four, and these
 *	ECHO                         an echo's four symbols
 *	GAP                          the gap; GAP of ring.md is 1
 *	strip, decide                section 4; 4.1
 *	echo_came                    section 4.2
 *	multiplex, store, ends       section 5
 *	offer                        a new request, to any other node; with HOT all to node 0; with
 *	                             AWAY none to node 0; with ROUND to the node before, but node 1
 *	                             to the last: what the others send passes node 0
 *	PIPELINE                     with ROUND: a node sends packet after packet and waits for no
 *	                             echo, as with a large active buffer; receivers have room
 *	serve                        section 6: the receiver has room again after SLOW clocks at most
 *
 * A clock is one step, because the nodes of a ring have one clock. Responses are not modelled: on
 * the ring they are packets like requests. The packet of node WATCH must not wait for ever: in a
 * cycle without "progress" it would.
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef SLOW
#define SLOW 3
#endif
#ifndef WATCH
#define WATCH 0
#endif

#define FREE 0
#define GAP 1
#define HEAD 2
#define LAST 3
#define ECHO 4
#define GO 8
#define SYMBOL(kind, owner) ((kind) | (owner) << 4)
#define KIND(symbol) ((symbol) & 7)
#define OWNER(symbol) ((symbol) >> 4)
#define IDLE(symbol) (KIND(symbol) <= GAP)

/*
 * The longest packet, with its gap; and one more, because a symbol is stored before another one
 * leaves.
 */
#define FIFO 4

byte link[NODES] = FREE | GO;

/* Stripper: its action for the arriving packet. */
#define PASSES 0
#define TAKES 1 /* removes the packet and accepts it */
#define REFUSES 2
#define ENDS 3 /* an echo */
byte strips[NODES];

/* Multiplexer. */
#define PASS 0
#define SEND_LAST 1 /* the packet's next symbol */
#define SEND_GAP 2
#define RECOVER 3
byte state[NODES];
bool saved[NODES];
byte fifo[NODES * FIFO];
byte count[NODES];

/* The packet of each node. */
#define NONE 0
#define WAITS 1
#define SENT 2
byte packet[NODES];
byte target[NODES];
byte phase[NODES]; /* 0: the first time, 1: RETRY_A, 2: RETRY_B */
bool busy[NODES];
bool delivered[NODES];

/* The receiver of each node. */
bool holds[NODES];
byte slow[NODES];
byte waiting[NODES * 2];
byte turn[NODES];

bool served; /* the packet of WATCH is not waiting */

byte self;
hidden byte arrives, symbol, leaves, before, owner, other, at, carriers;
hidden byte room;

#define WAITING(generation) waiting[self * 2 + (generation)]

inline decide()
{
#ifdef PIPELINE
	strips[self] = TAKES
#else
	if
	:: !WAITING(turn[self]) && WAITING(1 - turn[self]) -> turn[self] = 1 - turn[self]
	:: else
	fi;
	room = !holds[self];
#ifdef NO_ROOM
	room = 1;
#endif
	if
#ifdef NO_AGEING
	:: true -> busy[owner] = !room; phase[owner] = (room -> phase[owner] : 1)
#else
	:: phase[owner] == 0 ->
		busy[owner] = !room || WAITING(turn[self]);
		if
		:: busy[owner] ->
			other = (WAITING(turn[self]) -> 1 - turn[self] : turn[self]);
			WAITING(other)++;
			phase[owner] = 1 + other
		:: else
		fi
	:: else ->
		busy[owner] = !room || phase[owner] != 1 + turn[self];
		WAITING(phase[owner] - 1) = WAITING(phase[owner] - 1) - (busy[owner] -> 0 : 1)
#endif
	fi;
	strips[self] = (busy[owner] -> REFUSES : TAKES)
#endif
}

inline deliver()
{
#ifdef PIPELINE
	skip
#else
	assert(!holds[self]);
	assert(!delivered[owner]);
	holds[self] = true;
	delivered[owner] = true
#endif
}

inline echo_came()
{
#ifdef PIPELINE
	skip
#else
	assert(packet[self] == SENT);
	assert(delivered[self] != busy[self]);
	packet[self] = (busy[self] -> WAITS : NONE);
	if
	:: !busy[self] ->
		delivered[self] = false;
		phase[self] = 0;
		target[self] = 0
	:: else
	fi;
	busy[self] = false
#endif
}

inline strip()
{
	symbol = arrives;
	owner = OWNER(arrives);
	if
	:: KIND(arrives) == GAP ->
		symbol = (strips[self] == ENDS -> FREE | arrives & GO : symbol);
		strips[self] = PASSES
	:: KIND(arrives) == HEAD && target[owner] == self ->
		decide();
		symbol = FREE
	:: KIND(arrives) == LAST && strips[self] == TAKES ->
		deliver();
		symbol = SYMBOL(ECHO, owner)
	:: KIND(arrives) == LAST && strips[self] == REFUSES ->
#ifdef KEEP_REFUSED
		delivered[owner] = true;
#endif
		symbol = SYMBOL(ECHO, owner)
	:: KIND(arrives) == ECHO && owner == self ->
		echo_came();
		strips[self] = ENDS;
		symbol = FREE
	:: else
	fi
}

inline store()
{
#ifndef NO_SAVE
	saved[self] = saved[self] || (IDLE(symbol) && symbol & GO);
#endif
	if
	:: KIND(symbol) != FREE ->
		assert(count[self] < FIFO);
#ifdef NO_STOP
		fifo[self * FIFO + count[self]] = symbol;
#else
		fifo[self * FIFO + count[self]] = (IDLE(symbol) -> symbol & ~GO : symbol);
#endif
		count[self]++
	:: else
	fi
}

inline take()
{
	leaves = fifo[self * FIFO];
	at = 1;
	do
	:: at < FIFO ->
		fifo[self * FIFO + at - 1] = fifo[self * FIFO + at];
		at++
	:: else -> break
	od;
	fifo[self * FIFO + FIFO - 1] = 0;
	count[self]--
}

inline ends()
{
	if
	:: count[self] -> state[self] = RECOVER
	:: else ->
		leaves = leaves | (saved[self] -> GO : 0);
		saved[self] = false;
		state[self] = PASS
	fi
}

/* link[self] is the symbol that left this node in the last clock. */
#ifdef NO_GO
#define ALLOWED IDLE(link[self])
#else
#define ALLOWED (IDLE(link[self]) && link[self] & GO)
#endif

inline multiplex()
{
	if
	:: state[self] == PASS && packet[self] == WAITS && ALLOWED ->
		store();
#ifdef PIPELINE
		packet[self] = NONE;
#else
		packet[self] = SENT;
#endif
		leaves = SYMBOL(HEAD, self);
		state[self] = SEND_LAST
	:: state[self] == PASS && !(packet[self] == WAITS && ALLOWED) ->
		leaves = symbol;
#ifndef NO_EXTEND
		leaves = leaves | (IDLE(symbol) && IDLE(link[self]) -> link[self] & GO : 0)
#endif
	:: state[self] == SEND_LAST ->
		store();
		leaves = SYMBOL(LAST, self);
		state[self] = SEND_GAP
	:: state[self] == SEND_GAP ->
		store();
		leaves = GAP;
		ends()
	:: state[self] == RECOVER ->
		store();
		take();
		if
		:: KIND(leaves) == GAP -> ends()
		:: else
		fi
	fi
}

/* Check that a go bit exists: on a link, or saved. */
inline carry()
{
	self = 0;
	carriers = 0;
	do
	:: self < NODES ->
		carriers = carriers + (saved[self] || (IDLE(link[self]) && link[self] & GO) -> 1 : 0);
		self++
	:: else -> break
	od;
	assert(carriers)
}

inline clock()
{
	self = 0;
	before = link[NODES - 1];
	do
	:: self < NODES ->
		arrives = before;
		before = link[self];
		strip();
		multiplex();
		assert(count[self] < FIFO);
		link[self] = leaves;
		self++
	:: else -> break
	od;
	carry();
	served = packet[WATCH] == NONE
}

inline offer()
{
	if
	:: packet[self] == NONE ->
		if
		:: true
#ifdef ROUND
		:: packet[self] = WAITS; target[self] = (self <= 1 -> NODES - 1 : self - 1)
#else
#ifdef HOT
		:: self != 0 -> packet[self] = WAITS
#else
#ifdef AWAY
		:: self != 1 -> packet[self] = WAITS; target[self] = 1
		:: self != 2 -> packet[self] = WAITS; target[self] = 2
#else
		:: packet[self] = WAITS; target[self] = (self + 1) % NODES
		:: packet[self] = WAITS; target[self] = (self + 2) % NODES
#endif
#endif
#endif
		fi
	:: else
	fi
}

inline serve()
{
	if
	:: holds[self] -> holds[self] = false; slow[self] = 0
	:: holds[self] && slow[self] < SLOW -> slow[self]++
	:: !holds[self]
	fi
}

active proctype ring()
{
	do
	:: served ->
progress:	served = false
	:: !served ->
		atomic {
			self = 0;
			do
			:: self < NODES ->
				offer();
				serve();
				self++
			:: else -> break
			od;
			d_step {
				clock();
				self = 0;
				arrives = 0;
				symbol = 0;
				leaves = 0;
				before = 0;
				owner = 0;
				other = 0;
				at = 0;
				carriers = 0;
				room = 0
			}
		}
	od
}
