/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Model of a page that its owner withdraws while another node accesses it, for Spin.
 *
 * What lives here: one page, a node that issues accesses and may end in the middle of one, and the
 * owner, which exports and withdraws the page ROUNDS times. docs/adapter.md, section 6, has the
 * steps; enter(), transaction_end(), adapter_withdraw() and adapter_revoking() take them.
 * model_test.sh runs it. As in fabric.pml, a switch for a missing fence exchanges two steps.
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef ACCESSES
#define ACCESSES 3
#endif

bool exported = true;
bool withdrawn; /* the owner has found the withdrawal complete */
bool gone; /* the other node has ended */
byte epoch;
bool complete;

active proctype issuer()
{
	byte left = ACCESSES;
	bool allowed;

	do
	:: left > 0 ->
		left--;
#ifdef TABLE_FIRST
		allowed = exported;
		epoch++;
#else
		epoch++;
		allowed = exported;
#endif
		if
		:: allowed ->
			assert(!withdrawn);
			if
			:: skip
			:: goto ended
			fi;
			assert(!withdrawn)
		:: else
		fi;
		d_step {
			epoch++;
			allowed = false
		}
	:: left == 0 -> break
	od;
ended:
	gone = true
}

active proctype owner()
{
	byte rounds = ROUNDS, seen;

	do
	:: rounds > 0 ->
		rounds--;
#ifdef EPOCH_FIRST
		seen = epoch;
		exported = false;
#else
		exported = false;
		seen = epoch;
#endif
#ifndef NO_WAIT
		if
#ifdef NEVER_GONE
		:: seen % 2 -> epoch != seen
#else
		:: seen % 2 -> (epoch != seen || gone)
#endif
		:: else
		fi;
#endif
		withdrawn = true;
		/* Now the memory can be used for something else; later the page is exported again. */
		withdrawn = false;
		exported = true
	:: rounds == 0 -> break
	od;
	complete = true
}

active proctype watch()
{
end:	timeout ->
	assert(complete)
}
