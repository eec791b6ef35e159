/* SPDX-License-Identifier: MIT */
/*
 * run/session: gather the threads that wait for turns on one of the host's processors.
 *
 * What lives here: the decision whether the replay and the threads that wait for turns all run on
 * one processor. When a thread receives a turn, the replay wakes the thread; at the end of the
 * turn, the thread wakes the replay. This is a hand-over. On one processor, a hand-over takes about
 * 5 microseconds. If the two are on different processors, each of them must interrupt the other's
 * processor to wake it, and in a virtual machine a hand-over can take 30 microseconds. On the other
 * hand, threads on one processor do not compute at the same time. Which of the two is faster
 * depends on the host and on the program, so both are measured repeatedly while threads take turns,
 * and the faster one is used. Counts and simulated times do not depend on this choice. These files
 * use no other file of run/.
 */
#ifndef RUN_SESSION_GATHER_H
#define RUN_SESSION_GATHER_H

#include <stdbool.h>
#include <stdint.h>

/* Number of hand-overs whose mean time is measured. */
#define GATHER_TURNS 64U
/*
 * If a hand-over takes longer than this number of nanoseconds, the threads compute for most of the
 * time, and are not gathered.
 */
#define GATHER_LONG_NS 100000U
/*
 * Shortest and longest time in nanoseconds until the next measurement. The time doubles whenever
 * gathered threads were slower.
 */
#define GATHER_KEEP_NS 100000000U
#define GATHER_KEEP_MAX_NS 3200000000U

enum gather_state {
	GATHER_SPREAD, /* the threads are not gathered, and the time of hand-overs is measured */
	GATHER_TRIED, /* the threads are gathered, and the time of hand-overs is measured */
	GATHER_KEPT, /* the result of the measurement is used until @until_ns */
};

/**
 * struct gather - The measurements. Initialise with {0}.
 * @state: enum gather_state
 * @gathered: the threads are gathered
 * @turns: number of hand-overs since @begun_ns
 * @begun_ns: time at which the measurement began
 * @spread_ns: mean time of a hand-over when the threads were last not gathered
 * @keep_ns: time until the next measurement; 0: GATHER_KEEP_NS
 * @until_ns: time of the next measurement
 */
struct gather {
	enum gather_state state;
	bool gathered;
	unsigned int turns;
	uint64_t begun_ns;
	uint64_t spread_ns;
	uint64_t keep_ns;
	uint64_t until_ns;
};

/**
 * gather_turn() - Count a hand-over, and decide whether the threads are gathered from now on.
 * @now_ns: the present time
 *
 * Return: the new value of @gather->gathered.
 */
bool gather_turn(struct gather *gather, uint64_t now_ns);

#endif /* RUN_SESSION_GATHER_H */
