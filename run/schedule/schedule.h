/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The schedule: replays the threads of a traced program on the machine, in simulated time.
 *
 * What lives here: the public interface of the schedule, which reads the trace stream
 * (include/run/stream.h). It reads the words of all channels, assigns each thread to a processor of
 * a node, and passes the thread's accesses to emu/machine. This file may use include/, emu/machine
 * and the C library except <stdio.h>. The only system calls are futex(2), to wake producers, and
 * getpid(2). The schedule reads no file, does not use the time of day, and starts no program.
 *
 * Order: the schedule replays synchronisation in the order of the threads' simulated clocks. If
 * clocks are equal, the thread with the lower number is first. The order in which the host ran the
 * threads has no effect, so the replay is deterministic. If a thread is next in the order, but has
 * written no words yet, the replay stops until the words arrive. A thread gets its number when its
 * creation is replayed, and starts with the clock of its creator. All threads leave a barrier at
 * the clock of the last thread that arrives. A lock is given to the thread that requested it first.
 * Barriers and locks themselves take no simulated time.
 *
 * In three cases, the host decides the order. First, a thread waits in the kernel for an unknown
 * event. Second, the program requests data that only the host has. Third, waiting for a thread
 * would need more memory or time than the replay may use. The schedule counts these cases, and
 * reports the first case of each kind.
 *
 * The program can write anything into the shared memory, so the schedule checks every value that it
 * reads from this memory.
 *
 * The functions are not thread-safe: only one thread at a time may call functions for the same
 * schedule.
 */
#ifndef RUN_SCHEDULE_SCHEDULE_H
#define RUN_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <run/stream.h>
#include <uapi/smile_monitor.h>

struct machine;
struct schedule;

/* The event on the machine's links that marks the beginning of a phase. */
#define SCHEDULE_PHASE_EVENT 0U

#define SCHEDULE_THREADS_MAX (1U << 20)
#define SCHEDULE_PROCESSES_MAX 65535U
#define SCHEDULE_SPILL_DEFAULT (256ULL << 20)
#define SCHEDULE_PATIENCE_DEFAULT 32U

/* Notices for the user. The text of a notice is a sentence without a full stop. */
enum schedule_notice {
	SCHEDULE_NOTICE_EXEC, /* a process executes a program that is not traced */
	/* a process other than the first process has ended with a status other than 0 */
	SCHEDULE_NOTICE_EXIT,
	SCHEDULE_NOTICE_UNANNOUNCED, /* a thread began that no known thread had created */
	SCHEDULE_NOTICE_REFUSED, /* threads found no free channel, so their accesses are missing */
	SCHEDULE_NOTICE_HOST_WAIT, /* the host decided when a wait ended; reported once */
	/* the order of threads was taken from the host; reported once */
	SCHEDULE_NOTICE_HOST_ORDER,
	SCHEDULE_NOTICE_CHANCE, /* the host decided the result of a call; reported once */
	/*
	 * in simulated time no thread could continue, but on the host a thread did; reported once
	 */
	SCHEDULE_NOTICE_DEADLOCK,
	SCHEDULE_NOTICE_PLACE, /* memory cannot be placed as the program requests */
	SCHEDULE_NOTICE_PHASE, /* there were more phases than are stored by name */
	SCHEDULE_NOTICE_REGIONS, /* there were more regions than the table can hold */
	SCHEDULE_NOTICE_PROCESSES, /* there were too many processes: the reason for -EUSERS */
	SCHEDULE_NOTICE_ROLE, /* a required order of threads at a lock is no longer enforced */
	/*
	 * the memory is invalid, or the machine has too few processors: the reason for -EPROTO or
	 * -ENOSPC
	 */
	SCHEDULE_NOTICE_PROTOCOL,
	SCHEDULE_NOTICE_COUNT,
};

/**
 * struct schedule_block - A block of the program's heap that was allocated or freed.
 * @address: address of the first byte of the block
 * @bytes: size of the block; 0: the block was freed
 * @sites: return addresses of the calls that allocated the block, from the innermost to the
 *         outermost call; 0 after the last address
 * @time_ns: simulated time
 * @pid: id of the process
 */
struct schedule_block {
	uint64_t address;
	uint64_t bytes;
	uint64_t sites[STREAM_SITES];
	uint64_t time_ns;
	uint32_t pid;
};

/**
 * struct schedule_frame - A function in which a thread is, or which the thread is about to enter.
 * STREAM_FRAME describes the members that are not described here.
 * @thread: number of the thread, from 0, in the order of creation
 * @pid: id of the thread's process
 */
struct schedule_frame {
	uint64_t ip;
	uint64_t cfa;
	uint64_t sp;
	uint64_t bp;
	uint32_t thread;
	uint32_t pid;
};

/**
 * struct schedule_ops - The caller's functions. Any of them may be NULL.
 * @phase: called when a phase begins and the previous phase ends. Its argument index counts from 1,
 *         because phase 0 precedes the program's first phase. The phase mark, event
 *         SCHEDULE_PHASE_EVENT, has just appeared on every link. The argument name is printable
 *         ASCII, and is valid only during the call
 * @notice: receives a notice for the user; the text is valid only during the call
 * @block: called when a block of the heap is allocated or freed, in the order of simulated time
 * @frame: called for a function in which a thread is, in the order of simulated time
 * @epoch: called when an epoch ends, at the cycle in the argument cycle. All accesses before this
 *         cycle have appeared on the links, and no later access has. If the argument phase is set,
 *         a phase begins at this cycle. The array in the argument delays has an element for each
 *         node, all 0. The function may set an element to the number of cycles for which the
 *         threads of the node must stop
 * @region: called when a region was added; schedule_region() returns the region
 * @sleeps: returns whether the thread with the given id of the system sleeps. If a thread has
 *          announced that it waits at a futex, the schedule continues without it as soon as it
 *          sleeps. If @sleeps is NULL, the schedule continues without it after a short time
 * @meet: called when waiting threads continue together, when a thread becomes the only one, or when
 *        a thread is no longer the only one. All accesses before this moment were replayed. The
 *        argument cycle is the cycle of this moment, and never decreases
 */
struct schedule_ops {
	void (*phase)(void *opaque, const char *name, unsigned index, uint64_t time_ns);
	void (*notice)(void *opaque, enum schedule_notice kind, const char *text);
	void (*block)(void *opaque, const struct schedule_block *block);
	void (*frame)(void *opaque, const struct schedule_frame *frame);
	void (*epoch)(void *opaque, uint64_t cycle, bool phase, uint64_t *delays);
	void (*region)(void *opaque, unsigned index);
	void (*meet)(void *opaque, uint64_t cycle);
	bool (*sleeps)(void *opaque, uint32_t tid);
};

/**
 * struct schedule_order - The order in which threads must take a lock for the first time.
 * @lock: address of the lock in the stream
 * @threads: numbers of the threads, in the required order; shape [@count]. Threads that are not in
 *           this list take the lock at any time
 * @count: number of entries of @threads
 */
struct schedule_order {
	uint64_t lock;
	const unsigned *threads;
	size_t count;
};

enum schedule_mapping {
	SCHEDULE_ROUND_ROBIN, /* thread t on node t modulo the number of nodes */
	/* the first threads on node 0, the same number of threads on node 1, ... */
	SCHEDULE_IN_BLOCKS,
	SCHEDULE_BY_LIST, /* thread t on node list[t modulo list_count] */
};

/**
 * struct schedule_config - The configuration of a replay. If a member is 0 or NULL, its default
 * applies.
 * @machine: the machine. It must have space for processors (machine_config.processors), but no
 *           processor yet. It must exist longer than the schedule
 * @mapping: how threads are assigned to nodes
 * @threads: for SCHEDULE_IN_BLOCKS: the expected number of threads, including the first one.
 *           Threads beyond this number run on the last node
 * @list: for SCHEDULE_BY_LIST: the nodes; the schedule copies the list
 * @list_count: number of entries of @list, at least 1
 * @spill_bytes: limit on the memory for words that were moved out of their channels; default
 *               SCHEDULE_SPILL_DEFAULT. Memory is allocated only when it is needed
 * @patience: number of consecutive calls of schedule_run() that may make no progress because a
 *            thread waits in the kernel. After this number of calls, the other threads continue
 *            without the waiting thread. The default is SCHEDULE_PATIENCE_DEFAULT. If the caller
 *            waits as recommended for schedule_run(), this number of calls takes about 30 ms. With
 *            a lower number, results depend on the host more often
 * @orders: the orders to enforce, at most one for each lock; shape [@orders_count]. The array must
 *          exist longer than the schedule. If threads take locks in the host's order, @orders has
 *          no effect. If an order would stop all threads, the schedule stops enforcing it, and
 *          sends a notice
 * @orders_count: number of entries of @orders
 * @epoch_cycles: length of an epoch; 0: epochs do not end by time
 * @epoch_phases: an epoch ends when a phase begins
 * @ops: the caller's functions, which must exist longer than the schedule; may be NULL
 * @opaque: first argument of the caller's functions
 */
struct schedule_config {
	struct machine *machine;
	enum schedule_mapping mapping;
	unsigned threads;
	const unsigned *list;
	size_t list_count;
	uint64_t spill_bytes;
	unsigned patience;
	const struct schedule_order *orders;
	size_t orders_count;
	uint64_t epoch_cycles;
	bool epoch_phases;
	const struct schedule_ops *ops;
	void *opaque;
};

/**
 * struct schedule_statistics - Counts of the events that were replayed so far.
 * @traced: number of accesses that ended threads have written, as counted by the tracer
 * @accesses: accesses of the program that were replayed, by SMILE_TYPE_*
 * @instructions: instructions that were executed
 * @words: words of the stream that were read
 * @threads: threads that were created
 * @threads_most: largest number of threads that existed at the same time
 * @processes: processes that have begun
 * @creations: creations of threads and processes
 * @joins: waits for the end of a thread
 * @barriers: number of times that all threads have passed a barrier
 * @acquisitions: acquisitions of locks
 * @contended: acquisitions of locks that were not free
 * @wakes: wake-ups
 * @phases: phases that began
 * @blocks: blocks of the heap that were allocated
 * @regions: regions of memory that were reported
 * @host_waits: waits whose end the host determined
 * @host_orders: number of times that the order of threads was taken from the host
 * @chances: calls whose result the host determined
 * @deadlocks: number of times that no thread could continue, so that a thread had to continue
 *             against the order
 * @unannounced: threads that began without a record of their creation
 * @unended: threads that were ended by schedule_dead() or schedule_finish()
 * @refused: threads that found no free channel
 * @unknown: accesses to memory that the tracer does not know. @accesses does not include them
 * @left: accesses that are not counted because of a rule, by enum stream_left
 * @untraced: executed programs that were not traced
 * @spilled_bytes: the largest amount of memory that was used at one time for words outside their
 *                 channels
 */
struct schedule_statistics {
	uint64_t traced;
	uint64_t accesses[SMILE_TYPE_COUNT];
	uint64_t instructions;
	uint64_t words;
	uint64_t threads;
	uint64_t threads_most;
	uint64_t processes;
	uint64_t creations;
	uint64_t joins;
	uint64_t barriers;
	uint64_t acquisitions;
	uint64_t contended;
	uint64_t wakes;
	uint64_t phases;
	uint64_t blocks;
	uint64_t regions;
	uint64_t host_waits;
	uint64_t host_orders;
	uint64_t chances;
	uint64_t deadlocks;
	uint64_t unannounced;
	uint64_t unended;
	uint64_t refused;
	uint64_t unknown;
	uint64_t left[STREAM_LEFT_COUNT];
	uint64_t untraced;
	uint64_t spilled_bytes;
};

/**
 * struct schedule_thread - A thread of the program.
 * @node: the node on which the thread runs
 * @processor: number of the processor on which the thread runs. After the end of the thread,
 *             another thread may run on this processor
 * @pid: id of the thread's process
 * @began: the thread's first record was replayed; if false, only the thread's creation was replayed
 * @ended: the thread has ended
 * @begin_cycle: the thread's clock when it began
 * @cycle: the thread's present clock, or its clock when it ended
 * @instructions: number of instructions that the thread has executed
 * @accesses: number of the thread's accesses, by SMILE_TYPE_*
 */
struct schedule_thread {
	unsigned node;
	unsigned processor;
	uint32_t pid;
	bool began;
	bool ended;
	uint64_t begin_cycle;
	uint64_t cycle;
	uint64_t instructions;
	uint64_t accesses[SMILE_TYPE_COUNT];
};

/**
 * struct schedule_program - A program that a process has executed. A forked process that has not
 * executed a program has a copy of its parent's program. Such a copy is listed as a program too.
 * @number: number of the program in the stream; 0: the program with which the run started
 * @process: number of the process, from 0, in the order in which processes began
 * @forked: the process has not executed the program itself; it was forked from a process that ran
 *          the program
 * @accesses: accesses that the process has made in this program
 * @name: the last part of the program's path; "" for the program with which the run started, and
 *        for its forked copies
 */
struct schedule_program {
	unsigned number;
	unsigned process;
	bool forked;
	uint64_t accesses;
	char name[STREAM_NAME_BYTES];
};

/**
 * struct schedule_role - A lock, or an atomic instruction, that probably assigns the threads their
 * parts of the work.
 * @lock: address of the lock
 * @site: return address of the first call that took the lock; 0: unknown
 * @threads: numbers of the threads, in the order in which they first took the lock; shape [@count];
 *           valid until the next call of schedule_run()
 * @count: number of entries of @threads
 * @turns: number of times that the lock was taken. For an atomic instruction, only executions for
 *         which the schedule gave a turn count
 * @atomic: this is an atomic instruction, not a lock
 * @loop: this is the source of the chunks of loops, or of sections
 * @even: all threads have taken the lock with the same frequency
 * @later: it is not certain that the lock assigns work, because it may protect other data
 *
 * Three kinds of roles are reported. The first kind is a lock that two or more threads took before
 * any other lock and before any barrier. The second kind is an atomic instruction for which the
 * same is true. The third kind is a later lock that may assign work. The source of the chunks of an
 * OpenMP loop is reported like a lock.
 *
 * @later is set for two kinds of locks. A lock of the first kind was taken after another lock, or
 * after threads had met, and behaves like the lock of a queue of work. Threads take it repeatedly,
 * and some take it more often than others. Between two meetings, several threads take it without
 * waking another thread after each turn. In addition, one of two conditions is true. Either the
 * same call in the program takes several such locks, and there are no more of these locks than
 * threads; or all threads stop taking the lock at the same time, as they do when a queue is empty.
 *
 * A lock of the second kind was taken before any other lock, and some threads have taken it more
 * often than others. But it does not behave like the lock of a queue: threads do not stop taking it
 * at the same time, or they take it about equally often.
 */
struct schedule_role {
	uint64_t lock;
	uint64_t site;
	const unsigned *threads;
	size_t count;
	uint64_t turns;
	bool atomic;
	bool loop;
	bool even;
	bool later;
};

/**
 * struct schedule_lock_wait - The waits of threads for a lock.
 * @lock: address of the lock
 * @site: return address of the first call that took the lock; 0: unknown
 * @turns: number of times that the lock was taken
 * @cycles: cycles for which threads have waited for the lock, added up over all threads
 */
struct schedule_lock_wait {
	uint64_t lock;
	uint64_t site;
	uint64_t turns;
	uint64_t cycles;
};

/**
 * schedule_prepare() - Write the header of a new stream memory. The process that will replay the
 * stream must call this function before the program starts.
 * @memory: STREAM_BYTES bytes, all zero
 */
void schedule_prepare(void *memory);

/**
 * schedule_create() - Create a schedule.
 * @out: receives the schedule
 * @config: the configuration
 * @memory: the memory of include/run/stream.h, STREAM_BYTES long, mapped readable and writable.
 *          schedule_prepare() must have written its header. It must exist longer than the schedule
 *
 * Return: 0; -EINVAL if a value of @config is out of range; -EPROTO if @memory has no valid header;
 * -ENOMEM.
 */
int schedule_create(struct schedule **out, const struct schedule_config *config, void *memory);

/**
 * schedule_destroy() - Free a schedule. The machine and the stream memory are not freed.
 * @schedule: the schedule, or NULL
 */
void schedule_destroy(struct schedule *schedule);

/**
 * schedule_run() - Replay all words that can be replayed now.
 * @max_words: return after about this number of words; 65536 is a good value
 *
 * If the function returns 0, there is nothing to replay now. The caller should then wait with
 * schedule_wait(), check with schedule_dead() for processes that have ended, and call
 * schedule_run() again. The first wait should be 20 us long. After each further call that returns
 * 0, the wait should be doubled, up to a millisecond. schedule_config.patience counts such calls.
 *
 * Return: the number of words that were replayed; -EPROTO if the stream memory is invalid; -ENOMEM;
 * -ENOSPC if more threads exist at the same time than the machine has processors; -EUSERS if there
 * were more than SCHEDULE_PROCESSES_MAX processes; or the machine's first error. After an error,
 * all later calls return the same error.
 */
int64_t schedule_run(struct schedule *schedule, size_t max_words);

/**
 * schedule_stirs() - Check whether there are new words to replay since schedule_run() returned 0.
 *
 * This function takes little time. Before the first schedule_wait(), call it repeatedly for a few
 * microseconds, because a thread that has just received its turn soon writes its next record.
 */
bool schedule_stirs(const struct schedule *schedule);

/**
 * schedule_hurries() - Check whether a thread waits for the replay, or has just received the turn
 * for which it waited.
 *
 * Return: true if there is such a thread; otherwise false, and the caller can process words in
 * larger batches.
 */
bool schedule_hurries(const struct schedule *schedule);

/**
 * schedule_wait() - Sleep until schedule_stirs() is true or a signal arrives, but at most @ns
 * nanoseconds. If no thread waits for the replay, the sleep continues while the new words are only
 * accesses, without control records.
 */
void schedule_wait(struct schedule *schedule, uint64_t ns);

/**
 * schedule_dead() - Record that a process has ended, so that its threads write no more words.
 *
 * The process must have ended. It may not have released its channels, so the schedule makes the
 * channels available to other processes. Before this, all words that the threads of the process
 * have written are replayed, and threads that have not written an END record are ended.
 */
void schedule_dead(struct schedule *schedule, uint32_t pid);

/**
 * schedule_pids() - Get the processes that have threads which have not ended.
 * @pids: receives the ids of the processes, at most @capacity
 *
 * Return: the number of processes, which can be greater than @capacity.
 */
size_t schedule_pids(const struct schedule *schedule, uint32_t *pids, size_t capacity);

/**
 * schedule_finish() - Replay the remaining words. Call this function after the program has ended or
 * was stopped.
 *
 * A thread that has not written an END record ends after its last word. At the end, all processors
 * of the machine pass a barrier, so that all frames are delivered. This function must be called
 * exactly once, even after an error. schedule_run() must not be called after it.
 *
 * Return: 0; the first error, as for schedule_run(), even if schedule_run() has already returned
 * it.
 */
int schedule_finish(struct schedule *schedule);

/**
 * schedule_now() - Get the simulated time, in cycles, that the replay has reached. No further
 * access starts before this time.
 */
uint64_t schedule_now(const struct schedule *schedule);

void schedule_statistics(const struct schedule *schedule, struct schedule_statistics *statistics);

/**
 * schedule_thread() - Get data about thread @number. Threads are numbered from 0, in the order of
 * creation.
 *
 * Return: 0; -EINVAL if the thread does not exist.
 */
int schedule_thread(const struct schedule *schedule, size_t number, struct schedule_thread *thread);

/**
 * schedule_program() - Get data about program @index. Programs are numbered from 0, in the order in
 * which they were executed in simulated time. The data does not include accesses of threads that
 * have not ended.
 *
 * Return: 0; -EINVAL if the program does not exist.
 */
int schedule_program(const struct schedule *schedule, size_t index, struct schedule_program *out);

/**
 * schedule_regions() - Get the number of regions that were reported so far.
 */
size_t schedule_regions(const struct schedule *schedule);

/**
 * schedule_region() - Get region @index. Regions are numbered from 0, in the order in which they
 * appeared in simulated time.
 * @gone: receives whether the region was unmapped later; may be NULL
 *
 * The returned region was checked: its path is terminated, its end is not before its start, and its
 * kind is one of enum stream_region_kind.
 *
 * Return: the region, valid until the next call of schedule_run() or schedule_finish(); NULL if the
 * region does not exist.
 */
const struct stream_region *schedule_region(const struct schedule *schedule, size_t index,
					    bool *gone);

/**
 * schedule_role() - Iterate over the locks that assign the threads their parts of the work, in no
 * particular order.
 * @position: state of the iteration, 0 at first
 *
 * Return: true if @out has received another lock; false at the end.
 */
bool schedule_role(const struct schedule *schedule, size_t *position, struct schedule_role *out);

/**
 * schedule_meetings() - Get the number of times that threads have met, plus 1. During a call of
 * schedule_ops.meet, the present meeting is included.
 */
uint64_t schedule_meetings(const struct schedule *schedule);

/**
 * schedule_hands_out() - Check whether a lock that may assign work was taken between two meetings,
 * while the result of schedule_meetings() was @first to @last. Only locks that schedule_role()
 * reports are considered.
 *
 * Return: true if such a lock was taken, or if it is no longer known whether one was taken;
 * otherwise false.
 */
bool schedule_hands_out(const struct schedule *schedule, uint64_t first, uint64_t last);

/**
 * schedule_lock_waits() - Get the number of cycles for which the threads of a node have waited for
 * locks.
 */
uint64_t schedule_lock_waits(const struct schedule *schedule, unsigned node);

/**
 * schedule_time_waits() - Get the number of cycles for which the threads of a node have waited for
 * a given time, as in sleep(3).
 */
uint64_t schedule_time_waits(const struct schedule *schedule, unsigned node);

/**
 * schedule_lock_wait() - Iterate over the locks for which threads have waited, in no particular
 * order. If there are very many locks, only the first ones are known.
 * @position: state of the iteration, 0 at first
 *
 * Return: true if @out has received another lock; false at the end.
 */
bool schedule_lock_wait(const struct schedule *schedule, size_t *position,
			struct schedule_lock_wait *out);

#endif /* RUN_SCHEDULE_SCHEDULE_H */
