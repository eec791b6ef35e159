/* SPDX-License-Identifier: MIT */
/*
 * run/session: what page migration may spend.
 *
 * What lives here: an account in cycles. A wrong move makes the program slower, and which moves are
 * wrong is not known in advance. So each move that has not been judged yet is a stake. The sum of
 * stakes and losses is limited to 1 % of the time that has elapsed, plus what earlier moves have
 * saved. May use include/.
 *
 * Assume that a program does the same work at any speed, so that its run time is the longest path
 * through its work. A cycle that a node loses lengthens that path by one cycle at most, and a cycle
 * that one saves never lengthens it. So with @lost + @staked <= T / 100 + @saved, the run time T is
 * at most the sum of the time without migration, 1 % of T, and the error of @saved. @saved is the
 * cost of the pages, before they moved, on the nodes that got them: the estimate is right if these
 * nodes use the pages as much again. It counts only while some node spends most of its time in
 * remote accesses: only then is there much to save.
 */
#ifndef RUN_SESSION_BUDGET_H
#define RUN_SESSION_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* One cycle in this many may be lost. */
#define BUDGET_PART 100U

/**
 * struct budget - An account, in cycles; all fields except @stake are zero at first.
 * @stake: cycles that a move can lose until it is taken back
 * @staked: stakes of moves that have not been judged yet
 * @lost: prices of moves, and the losses of the pages' old homes
 * @saved: cycles that right moves have saved
 */
struct budget {
	uint64_t stake;
	uint64_t staked;
	uint64_t lost;
	uint64_t saved;
};

/**
 * budget_stake() - Stake the cycles that a move at @cycle can lose.
 * @saved: whether savings may be staked, too
 *
 * Return: whether the budget allows this stake.
 */
static inline bool budget_stake(struct budget *budget, uint64_t cycle, bool saved)
{
	uint64_t most = cycle / BUDGET_PART + (saved ? budget->saved : 0);

	if (budget->lost + budget->staked + budget->stake > most)
		return false;
	budget->staked += budget->stake;
	return true;
}

/* Settle a move that was judged, or whose page moves again. */
static inline void budget_settle(struct budget *budget, uint64_t lost, uint64_t saved)
{
	budget->staked -= budget->stake;
	budget->lost += lost;
	budget->saved += saved;
}

static inline void budget_loses(struct budget *budget, uint64_t cycles)
{
	budget->lost += cycles;
}

#endif /* RUN_SESSION_BUDGET_H */
