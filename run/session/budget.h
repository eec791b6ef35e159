/* SPDX-License-Identifier: MIT */
/*
 * run/session: limits the cost of page migration.
 *
 * What lives here: an account in cycles. Moving a page to a wrong node makes the program slower,
 * and it is not known in advance which moves are wrong. For this reason, each move has a stake
 * until it is judged. The stake is the largest number of cycles that the move can lose. The sum of
 * all stakes and all losses must not exceed 1 % of the elapsed time plus the savings of earlier
 * moves. This file may use include/.
 *
 * This rule limits the run time T. Assume that the program does the same work at any speed, so that
 * T is the length of the longest path through this work. If a node loses a cycle, this path becomes
 * at most one cycle longer. If a node saves a cycle, the path does not become longer. If @lost +
 * @staked <= T / 100 + @saved, T is at most the sum of the time without migration, 1 % of T, and
 * the error of @saved. @saved is an estimate. For each right move, it includes the cycles that the
 * page's new home has spent on remote accesses to the page before the move. The estimate is right
 * if the new home accesses the page as often after the move as before. Savings count only while a
 * node spends most of its time in remote accesses, because only in this case can moves save much.
 */
#ifndef RUN_SESSION_BUDGET_H
#define RUN_SESSION_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* At most one in this number of cycles may be lost. */
#define BUDGET_PART 100U

/**
 * struct budget - An account, in cycles. At first, all members except @stake are 0.
 * @stake: the largest number of cycles that a move can lose before it is reversed
 * @staked: sum of the stakes of moves that have not been judged yet
 * @lost: sum of the costs of moves, and of the losses of the pages' old homes
 * @saved: cycles that right moves have saved
 */
struct budget {
	uint64_t stake;
	uint64_t staked;
	uint64_t lost;
	uint64_t saved;
};

/**
 * budget_stake() - Reserve the stake of a move at @cycle, if the account allows the move.
 * @saved: include the savings of earlier moves in the limit
 *
 * Return: true if the stake was reserved; false if the account does not allow the move.
 */
static inline bool budget_stake(struct budget *budget, uint64_t cycle, bool saved)
{
	uint64_t most = cycle / BUDGET_PART + (saved ? budget->saved : 0);

	if (budget->lost + budget->staked + budget->stake > most)
		return false;
	budget->staked += budget->stake;
	return true;
}

/*
 * Remove the stake of a move, and add the cycles that the move has lost and saved. Call this
 * function when the move was judged, or when its page moves again.
 */
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
