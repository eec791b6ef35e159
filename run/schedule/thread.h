/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Thread: the threads of the program, and its processes.
 *
 * What lives here: the state of threads and processes, and their creation and end. May use input.h,
 * emu/machine and the C library without <stdio.h>.
 */
#ifndef RUN_SCHEDULE_THREAD_H
#define RUN_SCHEDULE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#include "input.h"

struct lock;
struct barrier;
struct condition;
struct role;
struct semaphore;
struct schedule;

enum thread_state {
	THREAD_READY, /* its next word is replayed when its clock is the least */
	THREAD_AT_LOCK,
	THREAD_AT_BARRIER,
	THREAD_AT_JOIN,
	THREAD_AT_WAKE, /* waits until a wake-up is replayed */
	THREAD_ASLEEP, /* sleeps at a condition */
	THREAD_AT_SEMAPHORE,
	THREAD_AT_REST, /* waits until it has words; no thread waits for them */
	THREAD_LATE, /* in the kernel, or silent for too long: the others continue without it */
	THREAD_ENDED,
};

/**
 * struct process - A process of the program.
 * @pid: process id
 * @ordinal: number from 0, in the order of beginning
 * @program: index, in the schedule's list, of the program that it executes
 * @alive: number of threads that have not ended
 * @coming: number of threads that it has created, and whose channels are not known yet
 * @made: number of threads and processes that it has created in this program
 * @dead: it has ended
 * @exited: its EXIT was replayed: its threads end at their current positions
 * @doubtful: it was about to execute another program or to end, so there may be no more words of it
 */
struct process {
	uint32_t pid;
	unsigned ordinal;
	unsigned program;
	size_t alive;
	size_t coming;
	unsigned made;
	bool dead;
	bool exited;
	bool doubtful;
};

/**
 * struct thread - A thread of the program.
 * @number: number from 0, in the order of creation
 * @program: index, in the schedule's list, of the program that it or its process executes
 * @settled: number of its accesses that were already added to the accesses of a program
 * @key: key in the stream
 * @node: its node
 * @processor: its processor of the machine
 * @process: its process; NULL before it begins
 * @creator: process of the thread that created it; NULL for the first
 * @forked: it is the first thread of a process
 * @adopted: it has begun before its first record was replayed
 * @input: the channel with its words; NULL until the channel is known
 * @state: enum thread_state
 * @began: its BEGIN was replayed
 * @blocked: its last record was BLOCK
 * @blocked_at: its clock at that BLOCK
 * @futex: futex of its last FUTEX record, until its BLOCK has ended or its WAKE was replayed; 0: no
 *         futex
 * @futex_count: how many threads the WAKE at @futex wakes
 * @futex_order: number of the wait at a futex: threads that wait at a futex are woken in that order
 * @expected: a wake-up was replayed that ends its wait, since it is the first thread that waits at
 *            @futex
 * @waker: if @expected, the thread that wakes it
 * @waking: its last record was WAKE
 * @reheld: it was expected again, and then given up, once during this wait
 * @outside: it has waited in the kernel for an unknown event since it last tried a lock
 * @clock: simulated clock, in cycles; valid while it is not being replayed
 * @begin_cycle: its clock at its beginning
 * @place: index in the heap of ready threads
 * @fresh: the lock that it was given, if none of its records was replayed since; otherwise 0
 * @lock: THREAD_AT_LOCK: the lock
 * @shared: THREAD_AT_LOCK: whether it requests the lock shared
 * @orders: it needs only a turn of the lock: STREAM_ORDER
 * @numbers: it may also get a number by this turn: STREAM_ROLE
 * @loops: it gets the next chunk of a loop by this lock: STREAM_LOOP
 * @turn: the lock at which it has its turn; 0: it has no turn
 * @barrier: THREAD_AT_BARRIER: the barrier
 * @awaited: THREAD_AT_JOIN: key of the thread for which it waits; THREAD_AT_WAKE: number of the
 *           wake-up
 * @next: next thread in the list of its state
 * @condition: THREAD_ASLEEP: the condition
 * @semaphore: THREAD_AT_SEMAPHORE: the semaphore
 * @slept: the lock that it released to sleep at a condition, and takes again next; 0: no lock
 * @site: return address of the call that takes its next lock; 0: unknown
 * @callers: return addresses of the calls that allocate its blocks
 * @taken: the lock that it took last, unless it has woken another thread since; NULL: no lock
 * @taken_at: number of the schedule's meetings when it took @taken
 * @turns: number of ACQUIRE, SLEEP and WAIT records replayed
 * @instructions: number of instructions executed
 * @accesses: number of accesses, by SMILE_TYPE_*
 */
struct thread {
	unsigned number;
	unsigned program;
	uint64_t settled;
	uint64_t key;
	unsigned node;
	unsigned processor;
	struct process *process;
	struct process *creator;
	bool forked;
	bool adopted;
	struct input *input;
	enum thread_state state;
	bool began;
	bool blocked;
	uint64_t blocked_at;
	uint64_t futex;
	uint64_t futex_count;
	uint64_t futex_order;
	bool expected;
	struct thread *waker;
	bool waking;
	bool reheld;
	bool outside;
	uint64_t clock;
	uint64_t begin_cycle;
	size_t place;
	uint64_t fresh;
	struct lock *lock;
	bool shared;
	bool orders;
	bool numbers;
	bool loops;
	uint64_t turn;
	struct barrier *barrier;
	uint64_t awaited;
	struct thread *next;
	struct condition *condition;
	struct semaphore *semaphore;
	uint64_t slept;
	uint64_t site;
	uint64_t callers[STREAM_SITES];
	bool locked;
	bool numbered;
	bool met;
	struct role *taken;
	uint64_t taken_at;
	uint32_t turns;
	uint64_t instructions;
	uint64_t accesses[SMILE_TYPE_COUNT];
};

/* Is @a replayed before @b if both are ready? */
static inline bool thread_before(const struct thread *a, const struct thread *b)
{
	return a->clock < b->clock || (a->clock == b->clock && a->number < b->number);
}

/**
 * thread_create() - Create a thread, ready at @clock.
 *
 * Return: 0; -EPROTO if the key is in use or there are too many threads; -ENOMEM.
 */
int thread_create(struct schedule *schedule, uint64_t key, struct process *creator, bool forked,
		  uint64_t clock, struct thread **out);

/**
 * thread_begin() - Replay the thread's BEGIN: assign a processor to it.
 *
 * Return: 0; -ENOSPC if no processor is left; -ENOMEM; -EPROTO.
 */
int thread_begin(struct schedule *schedule, struct thread *thread);

/**
 * thread_came() - Record that the thread's channel is known, or that it will have no channel.
 */
void thread_came(const struct thread *thread);

/**
 * thread_end() - End the thread at its clock; joins that waited for it continue.
 *
 * The thread must not be in the heap or in any list.
 */
void thread_end(struct schedule *schedule, struct thread *thread);

/**
 * thread_resume() - Make the thread ready again, not before @cycle.
 */
void thread_resume(struct schedule *schedule, struct thread *thread, uint64_t cycle);

/**
 * thread_turn() - Grant the turn that the thread requested last: it may continue on the host, too.
 */
void thread_turn(struct thread *thread);

/**
 * thread_answer() - Grant a turn as thread_turn() does, with an answer.
 */
void thread_answer(struct thread *thread, enum stream_answer answer);

/**
 * thread_wait_cycle() - Let the thread wait until @cycle.
 */
void thread_wait_cycle(struct schedule *schedule, struct thread *thread, uint64_t cycle);

/**
 * thread_has_words() - Does the thread have words after the record at which it waits?
 */
bool thread_has_words(struct schedule *schedule, struct thread *thread);

/**
 * process_find() - Find a process by its id, or add it.
 *
 * Return: the process; NULL if there is no memory, or there are too many processes.
 */
struct process *process_find(struct schedule *schedule, uint32_t pid);

/**
 * processes_full() - Report that there are more processes than can be distinguished.
 *
 * Return: -EUSERS.
 */
int processes_full(struct schedule *schedule);

/* ---- lists of threads ---- */

static inline void list_push(struct thread **list, struct thread *thread)
{
	thread->next = *list;
	*list = thread;
}

/* Insert a thread, keeping the list in the order of thread_before(). */
static inline void list_insert(struct thread **list, struct thread *thread)
{
	while (*list && thread_before(*list, thread))
		list = &(*list)->next;
	list_push(list, thread);
}

static inline void list_remove(struct thread **list, const struct thread *thread)
{
	while (*list && *list != thread)
		list = &(*list)->next;
	if (*list)
		*list = thread->next;
}

#endif /* RUN_SCHEDULE_THREAD_H */
