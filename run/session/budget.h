/* SPDX-License-Identifier: MIT */
/*
 * run/session: what page migration may spend.
 *
 * What lives here: an account in cycles. A move that turns out to be wrong makes the program
 * slower, and which ones are wrong is not known in advance. So moves that are not judged yet are
 * stakes, and what these and all losses come to may be at most 1 % of the time that has elapsed,
 * and what earlier moves have saved. May use include/.
 *
 * Let a program do the same whatever its time is, so that its run time is the longest path through
 * its work. A cycle that a node loses lengthens that path by one cycle at most, and a cycle that
 * one saves never lengthens it. So with @lost + @staked <= T / 100 + @saved, the run time T is at
 * most the time without migration, and 1 % of T, and what @saved is too large by. @saved is what
 * the nodes that got pages had spent on them before: it is right if they use them as much again. It
 * counts only while some node spends most of its time in remote accesses: then there is much to
 * save.
 */
#ifndef RUN_SESSION_BUDGET_H
#define RUN_SESSION_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* One cycle in so many may be lost. */
#define BUDGET_PART 100U

/**
 * struct budget - In cycles; all zero but @stake.
 * @stake: what a move can lose until it is taken back
 * @staked: of moves that are not judged yet
 * @lost: prices of moves, and what old homes lost by them
 * @saved: by moves that were right
 */
struct budget {
	uint64_t stake;
	uint64_t staked;
	uint64_t lost;
	uint64_t saved;
};

/**
 * budget_stake() - A page is to move at @cycle: stake what it can lose.
 * @saved: what was saved may be staked, too
 *
 * Return: whether there is enough.
 */
static inline bool budget_stake(struct budget *budget, uint64_t cycle, bool saved)
{
	uint64_t most = cycle / BUDGET_PART + (saved ? budget->saved : 0);

	if (budget->lost + budget->staked + budget->stake > most)
		return false;
	budget->staked += budget->stake;
	return true;
}

/* A move is judged, or its page moves again. */
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
