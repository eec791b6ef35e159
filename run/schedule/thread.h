/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Threads: keeps the state of the program's threads and processes.
 *
 * What lives here: the state of threads and processes, and their creation and end. This file may
 * use input.h, emu/machine and the C library except <stdio.h>.
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
	/* the thread's next word is replayed when no other ready thread precedes it */
	THREAD_READY,
	THREAD_AT_LOCK,
	THREAD_AT_BARRIER,
	THREAD_AT_JOIN,
	THREAD_AT_WAKE, /* the thread waits until a wake-up is replayed */
	THREAD_ASLEEP, /* the thread sleeps until another thread signals a condition */
	THREAD_AT_SEMAPHORE,
	/* the thread is idle until its next record arrives; the replay continues without it */
	THREAD_AT_REST,
	/*
	 * the replay continues without the thread, because it waits in the kernel or has written
	 * nothing for too long
	 */
	THREAD_LATE,
	THREAD_ENDED,
};

/**
 * struct process - A process of the program.
 * @pid: process id
 * @ordinal: number of the process, from 0, in the order in which processes began
 * @program: the program that the process executes, as an index into schedule->programs
 * @alive: number of threads of the process that have not ended
 * @coming: number of threads that the process has created and whose channels are not known yet
 * @made: number of threads and processes that the process has created in its present program
 * @dead: the process has ended
 * @exited: the EXIT record of the process was replayed, so its threads end where they are
 * @doubtful: the process was about to end or to execute another program, so it may write no more
 *            words
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
 * @number: number of the thread, from 0, in the order of creation
 * @program: the program that the thread executes, as an index into schedule->programs
 * @settled: number of the thread's accesses that were already added to the accesses of a program
 * @key: key of the thread in the stream
 * @node: the node on which the thread runs
 * @processor: the processor of the machine on which the thread runs
 * @process: the thread's process; NULL before the thread begins
 * @creator: the process of the thread that created this thread; NULL for the first thread
 * @forked: the thread is the first thread of a forked process
 * @adopted: the thread began before the record of its creation was replayed
 * @input: the channel with the thread's words; NULL until the channel is known
 * @state: enum thread_state
 * @began: the thread's BEGIN record was replayed
 * @blocked: the thread's last record was BLOCK, so it waits in the kernel
 * @blocked_at: the thread's clock at the last BLOCK record
 * @futex: address of the futex in the thread's last FUTEX record; 0: no futex. The address is valid
 *         until the wait of the next BLOCK record has ended, or until the next WAKE record was
 *         replayed
 * @futex_count: largest number of threads that the WAKE at @futex wakes
 * @futex_order: number of the thread's wait at a futex. Threads that wait at the same futex are
 *               woken in the order of these numbers
 * @expected: when a wake-up at @futex was replayed, the thread was the first of the waiting
 *            threads, so its wait must have ended
 * @waker: if @expected is set, the thread that made the wake-up
 * @waking: the thread's last record was WAKE
 * @reheld: during the thread's present wait, the replay has continued without the thread, and has
 *          later waited for it a second time
 * @outside: the thread has waited in the kernel for an unknown event since it last tried to take a
 *           lock
 * @clock: the thread's simulated clock, in cycles; not up to date while the thread is being
 *         replayed
 * @begin_cycle: the thread's clock when it began
 * @place: index of the thread in the heap of ready threads
 * @fresh: the lock that the thread has received last, if none of the thread's records was replayed
 *         since then; otherwise 0
 * @lock: in state THREAD_AT_LOCK: the lock
 * @shared: in state THREAD_AT_LOCK: the thread requests the lock shared
 * @orders: the thread's request is not for a lock of the program, but only for a turn
 *         (STREAM_ORDER)
 * @numbers: the turn is for an atomic instruction, which may give the thread its number
 *           (STREAM_ROLE)
 * @loops: the turn is for the next chunk of a loop (STREAM_LOOP)
 * @turn: the lock at which the thread has a turn; 0: the thread has no turn
 * @barrier: in state THREAD_AT_BARRIER: the barrier
 * @awaited: in state THREAD_AT_JOIN: key of the thread whose end this thread waits for; in state
 *           THREAD_AT_WAKE: number of the wake-up that this thread waits for
 * @next: next thread in a list of threads that are in the same state
 * @condition: in state THREAD_ASLEEP: the condition
 * @semaphore: in state THREAD_AT_SEMAPHORE: the semaphore
 * @slept: the lock that the thread has released in order to sleep at a condition, and that it will
 *         take again after the sleep; 0: no lock
 * @site: return address of the call that takes the thread's next lock; 0: unknown
 * @callers: return addresses of the calls that allocate the thread's blocks
 * @locked: the thread has taken a lock of the program
 * @numbered: the thread has had a turn for an atomic instruction
 * @met: the thread has arrived at a barrier
 * @taken: the lock that the thread has taken last; NULL if it has woken another thread since then
 * @taken_at: value of schedule->meetings when the thread took @taken
 * @turns: number of the thread's ACQUIRE, SLEEP and WAIT records that were replayed
 * @instructions: number of instructions that the thread has executed
 * @accesses: number of the thread's accesses, by SMILE_TYPE_*
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

/* Check whether @a is replayed before @b if both threads are ready. */
static inline bool thread_before(const struct thread *a, const struct thread *b)
{
	return a->clock < b->clock || (a->clock == b->clock && a->number < b->number);
}

/**
 * thread_block() - Get the number of consecutive threads that run on one node before the next node
 * follows.
 */
unsigned thread_block(const struct schedule *schedule);

/**
 * thread_node() - Get the node on which the thread with this number runs.
 */
unsigned thread_node(const struct schedule *schedule, unsigned number);

/**
 * thread_create() - Create a thread that is ready, with the clock @clock.
 * @key: key of the thread in the stream; 0: no key
 * @creator: process that has created the thread; NULL: unknown
 * @forked: the thread is the first thread of a forked process
 * @out: receives the thread
 *
 * Return: 0; -EPROTO if the key is in use, or if there are too many threads; -ENOMEM.
 */
int thread_create(struct schedule *schedule, uint64_t key, struct process *creator, bool forked,
		  uint64_t clock, struct thread **out);

/**
 * thread_begin() - Replay the thread's BEGIN record: assign a processor to the thread.
 *
 * Return: 0; -ENOSPC if the machine has no processor left; -EUSERS if there are too many processes;
 * -ENOMEM; -EPROTO.
 */
int thread_begin(struct schedule *schedule, struct thread *thread);

/**
 * thread_came() - Record that the thread's channel is known, or that it will have no channel.
 */
void thread_came(const struct thread *thread);

/**
 * thread_end() - End a thread at its present clock. The threads that wait for its end continue.
 *
 * The thread must not be in the heap or in any list.
 */
void thread_end(struct schedule *schedule, struct thread *thread);

/**
 * thread_resume() - Make the thread ready again. If its clock is before @cycle, advance it to
 * @cycle.
 */
void thread_resume(struct schedule *schedule, struct thread *thread, uint64_t cycle);

/**
 * thread_turn() - Give the thread the turn that it has requested, so that it continues on the host.
 */
void thread_turn(struct thread *thread);

/**
 * thread_answer() - Give a turn like thread_turn(), with an answer for the thread.
 */
void thread_answer(struct thread *thread, enum stream_answer answer);

/**
 * thread_wait_cycle() - If the clock of the thread is before @cycle, make the thread wait until
 * @cycle.
 */
void thread_wait_cycle(struct schedule *schedule, struct thread *thread, uint64_t cycle);

/**
 * thread_has_words() - Check whether the thread has words that have not been replayed yet.
 */
bool thread_has_words(struct schedule *schedule, struct thread *thread);

/**
 * process_find() - Find the process with the id @pid. If the process is not known yet, add it.
 *
 * Return: the process; NULL if memory is missing, or if there are too many processes.
 */
struct process *process_find(struct schedule *schedule, uint32_t pid);

/**
 * processes_full() - Report that the program has more processes than the schedule can distinguish.
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

/* Insert a thread into a list that is ordered by thread_before(). */
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
