/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The schedule: a traced program's threads, replayed on the machine in simulated time.
 *
 * What lives here: the reader of the trace stream (include/run/stream.h). It reads the words of all
 * channels, assigns each thread to a processor of a node, and passes the thread's accesses to
 * emu/machine. May use include/, emu/machine and the C library without <stdio.h>; of system calls,
 * only futex(2) to wake producers, and getpid(2). It reads no file, does not use the time of day,
 * and starts no program.
 *
 * Order: synchronisation is replayed in the order of the threads' simulated clocks, and of their
 * numbers if clocks are equal, never in the order in which the host ran the threads. The replay is
 * therefore deterministic; if a thread can run but has no words yet, the replay stops until words
 * arrive. A thread is numbered when its creation is replayed, and begins at its creator's clock. A
 * barrier releases all threads at the clock of the last thread. A lock is given to the thread that
 * requested it first. Barriers and locks cost nothing by themselves.
 *
 * In some cases the host decides: a thread waits in the kernel for an unknown event, the program
 * requests something that only the host knows, or the replay would need more memory or time than
 * allowed to wait for a thread. These cases are counted and, the first time, reported.
 *
 * The program can write anything into the shared memory: every value read from it is checked.
 *
 * Not thread-safe: one caller at a time for each schedule.
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

/* The event id that shows the beginning of a phase on the machine's links. */
#define SCHEDULE_PHASE_EVENT 0U

#define SCHEDULE_THREADS_MAX (1U << 20)
#define SCHEDULE_PROCESSES_MAX 65535U
#define SCHEDULE_SPILL_DEFAULT (256ULL << 20)
#define SCHEDULE_PATIENCE_DEFAULT 32U

/* Notices to the user; the text is a sentence without a full stop. */
enum schedule_notice {
	SCHEDULE_NOTICE_EXEC, /* a process executes a program that is not traced */
	SCHEDULE_NOTICE_EXIT, /* a further process has ended with a status other than 0 */
	SCHEDULE_NOTICE_UNANNOUNCED, /* a thread began that no known thread has created */
	SCHEDULE_NOTICE_REFUSED, /* threads found no channel: their accesses are missing */
	SCHEDULE_NOTICE_HOST_WAIT, /* the host determined the end of a wait; reported once */
	SCHEDULE_NOTICE_HOST_ORDER, /* an order was taken from the host; reported once */
	SCHEDULE_NOTICE_CHANCE, /* the host determined the result of a call; reported once */
	/* in simulated time no thread can continue, but on the host one did; reported once */
	SCHEDULE_NOTICE_DEADLOCK,
	SCHEDULE_NOTICE_PLACE, /* memory cannot be placed as the program requests */
	SCHEDULE_NOTICE_PHASE, /* more phases than are kept separately by name */
	SCHEDULE_NOTICE_REGIONS, /* more regions than there is room for */
	SCHEDULE_NOTICE_PROCESSES, /* the reason for -EUSERS */
	SCHEDULE_NOTICE_ROLE, /* an order was given up */
	SCHEDULE_NOTICE_PROTOCOL, /* the reason for -EPROTO or -ENOSPC */
	SCHEDULE_NOTICE_COUNT,
};

/**
 * struct schedule_block - A block of the program's heap.
 * @address: first byte
 * @bytes: its size; 0: it was freed
 * @sites: return addresses of the call that allocated it, the innermost first; 0 after the last one
 * @time_ns: simulated time
 * @pid: its process
 */
struct schedule_block {
	uint64_t address;
	uint64_t bytes;
	uint64_t sites[STREAM_SITES];
	uint64_t time_ns;
	uint32_t pid;
};

/**
 * struct schedule_frame - A function that a thread is in, or is about to enter: see STREAM_FRAME.
 * @thread: number of the thread, from 0, in order of creation
 * @pid: its process
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
 * struct schedule_ops - Functions of the caller that the schedule calls; each may be NULL.
 * @phase: a phase begins, and the previous one ends; @index counts from 1, since phase 0 precedes
 *         the first phase of the program. The phase mark, event SCHEDULE_PHASE_EVENT, has just
 *         appeared on every link. @name, printable ASCII, is valid during the call
 * @notice: something to report to the user; @text is valid during the call
 * @block: a block of the heap was allocated or freed; called in order of simulated time
 * @frame: a thread is in a function; called in order of simulated time
 * @epoch: an epoch has ended at @cycle: all accesses before it have appeared on the links, and no
 *         access after it. @phase: a phase begins there. @delays: receives cycles for which the
 *         threads of each node stand still; all 0 at first; shape [nodes]
 * @region: region number @index of schedule_region() was added
 * @sleeps: does the system's thread @tid sleep? A thread that has announced a wait at a futex is
 *          given up as soon as it sleeps; without this call, after a short time
 * @meet: threads that waited continue together at @cycle, or a thread becomes the only one, or
 *        stops being the only one: everything that ran before has been replayed. @cycle never
 *        decreases
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
 * struct schedule_order - The required order in which threads first take a lock.
 * @lock: its address in the stream
 * @threads: their numbers; shape [@count]; threads that are not among them take the lock at any
 *           time
 * @count: number of threads
 */
struct schedule_order {
	uint64_t lock;
	const unsigned *threads;
	size_t count;
};

enum schedule_mapping {
	SCHEDULE_ROUND_ROBIN, /* thread t on node t modulo the number of nodes */
	SCHEDULE_IN_BLOCKS, /* the first threads on node 0, as many on node 1, ... */
	SCHEDULE_BY_LIST, /* thread t on node list[t modulo list_count] */
};

/**
 * struct schedule_config - How to replay; zero and NULL select the defaults.
 * @machine: the machine, with room for processors and none added (machine_config.processors); kept
 *           by reference
 * @mapping: which node a thread runs on
 * @threads: for SCHEDULE_IN_BLOCKS: how many threads there will be, including the first one;
 *           further threads run on the last node
 * @list: for SCHEDULE_BY_LIST: the nodes; copied
 * @list_count: number of entries of @list, at least 1
 * @spill_bytes: limit on the memory for words that wait outside their channels; default
 *               SCHEDULE_SPILL_DEFAULT. Only as much as needed is allocated
 * @patience: limit on consecutive calls of schedule_run() without progress because a thread waits
 *            in the kernel; then the others continue without it; default SCHEDULE_PATIENCE_DEFAULT,
 *            which is some 30 ms with the waits that schedule_run() recommends. With less, results
 *            depend on the host more often
 * @orders: orders to enforce, one for each lock, kept by reference; shape [@orders_count]. They
 *          have no effect if locks pass from thread to thread as on the host. An order that would
 *          stop all threads is given up, with a notice
 * @orders_count: number of orders
 * @epoch_cycles: length of an epoch; 0: no epoch ends by time
 * @epoch_phases: an epoch ends when a phase begins
 * @ops: the caller's functions, kept by reference; may be NULL
 * @opaque: passed to these functions
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
 * struct schedule_statistics - Numbers of what was replayed so far.
 * @traced: accesses that ended threads have written, as their tracers counted them
 * @accesses: accesses of the program, by SMILE_TYPE_*
 * @instructions: instructions that were executed
 * @words: words of the stream that were read
 * @threads: threads that were created
 * @threads_most: the largest number of threads at one time
 * @processes: processes that were seen
 * @creations: creations of threads and processes
 * @joins: waits for the end of a thread
 * @barriers: barriers that were passed; each counts once
 * @acquisitions: acquisitions of locks
 * @contended: how many of these acquisitions found the lock not free
 * @wakes: wake-ups
 * @phases: phases that began
 * @blocks: blocks of the heap that were allocated
 * @regions: regions of memory that were reported
 * @host_waits: waits whose end the host determined
 * @host_orders: number of times that an order was taken from the host
 * @chances: calls whose result the host determined
 * @deadlocks: number of times that a thread continued against the order, since no thread could
 *             continue
 * @unannounced: threads that began without being announced
 * @unended: threads that were ended by schedule_dead() or schedule_finish()
 * @refused: threads that found no channel
 * @unknown: accesses to memory that the tracer does not know, which were not counted
 * @left: accesses that are left out by a rule, by enum stream_left
 * @untraced: programs that were executed and not traced
 * @spilled_bytes: the largest memory of words that waited outside their channels
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
 * @node: node on which it runs
 * @processor: its processor of the machine; another thread may use the processor after this
 *             thread's end
 * @pid: its process
 * @began: its first record was replayed; otherwise only its creation was
 * @ended: it has ended
 * @begin_cycle: its clock at the beginning
 * @cycle: its clock now, or at its end
 * @instructions: instructions that it has executed
 * @accesses: its accesses, by SMILE_TYPE_*
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
 * struct schedule_program - A program that a process executed, or in which it was forked.
 * @number: its number in the stream; 0: the program that was started
 * @process: number of the process, from 0, in the order of beginning
 * @forked: the process was forked in it
 * @accesses: accesses of the process in this program
 * @name: the end of its path; "" for the program that was started, and for its copies
 */
struct schedule_program {
	unsigned number;
	unsigned process;
	bool forked;
	uint64_t accesses;
	char name[STREAM_NAME_BYTES];
};

/**
 * struct schedule_role - A lock that two or more threads took before any other lock and before any
 * barrier, or an atomic instruction of which the same is true: it probably gives them their roles.
 * It can also be a later lock that may hand out work, or the source of the chunks of a loop of
 * OpenMP.
 * @lock: its address
 * @site: return address of the first call that took it; 0: unknown
 * @threads: numbers of threads in the order in which they first took it; shape [@count]; valid
 *           until the next call of schedule_run()
 * @count: number of threads
 * @turns: how often it was taken; for an atomic instruction, how many of its executions were turns
 * @atomic: it is an atomic instruction
 * @loop: it gives threads the chunks of loops, or sections
 * @even: all threads took it equally often
 * @later: it may hand out work, or protect something else. In the first case threads took other
 *         locks before it, or met; it is one of several locks at one place in the program, at most
 *         as many as threads, or threads stop taking it together, as when a queue is empty; some
 *         threads take it more often than others, and several of them do between two meetings,
 *         without waking another thread each time. In the second case threads took it first, and do
 *         not stop taking it together, or take it about equally often
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
 * struct schedule_lock_wait - A lock for which threads have waited.
 * @lock: its address
 * @site: return address of the first call that took it; 0: unknown
 * @turns: how often it was taken
 * @cycles: cycles for which all threads together have waited for it
 */
struct schedule_lock_wait {
	uint64_t lock;
	uint64_t site;
	uint64_t turns;
	uint64_t cycles;
};

/**
 * schedule_prepare() - Write the header of a fresh memory, before the program starts; the process
 * that will replay must call it.
 * @memory: STREAM_BYTES bytes, all zero
 */
void schedule_prepare(void *memory);

/**
 * schedule_create() - Start the replay.
 * @out: receives the schedule
 * @config: the configuration
 * @memory: the memory of include/run/stream.h, mapped readable and writable, STREAM_BYTES long,
 *          prepared; kept by reference
 *
 * Return: 0; -EINVAL for a value out of range; -EPROTO if @memory was not prepared; -ENOMEM.
 */
int schedule_create(struct schedule **out, const struct schedule_config *config, void *memory);

/**
 * schedule_destroy() - Free a schedule, but not the machine or the memory.
 * @schedule: the schedule, or NULL
 */
void schedule_destroy(struct schedule *schedule);

/**
 * schedule_run() - Replay everything that can be replayed now.
 * @max_words: return after about this many words; 65536 is a good number
 *
 * Return: the number of words replayed; 0 if there is nothing to do now: wait a little
 * (schedule_wait(): for 20 us at first, twice as long each time, at most a millisecond; @patience
 * counts such calls in a row), check for processes that have ended (schedule_dead()), and call
 * again; -EPROTO if the memory is invalid; -ENOMEM; -ENOSPC if more threads run at the same time
 * than the machine has processors for; -EUSERS if there were more processes than
 * SCHEDULE_PROCESSES_MAX; or the machine's first error. An error is permanent.
 */
int64_t schedule_run(struct schedule *schedule, size_t max_words);

/**
 * schedule_stirs() - Is there something new to replay, since schedule_run() found nothing to do?
 *
 * This call is cheap. Make it for a few microseconds before the first wait, since a thread that has
 * just got its turn soon writes its next record.
 */
bool schedule_stirs(const struct schedule *schedule);

/**
 * schedule_hurries() - Does a thread wait for the replay, or has it just got the turn for which it
 * waited? Otherwise words can be processed in larger batches.
 */
bool schedule_hurries(const struct schedule *schedule);

/**
 * schedule_wait() - Sleep until schedule_stirs() is true, for at most @ns nanoseconds. A signal
 * ends the sleep, too. If no wake-up is urgent, accesses without a control record do not end the
 * sleep.
 */
void schedule_wait(struct schedule *schedule, uint64_t ns);

/**
 * schedule_dead() - Handle the end of a process, which writes no more words.
 *
 * The process must no longer run: its channels are given to other processes, although it has not
 * released them. All words that its threads have written are still replayed; threads that wrote no
 * END end after that. Threads that wrote no END end then.
 */
void schedule_dead(struct schedule *schedule, uint32_t pid);

/**
 * schedule_pids() - Get the processes that have threads which have not ended.
 * @pids: receives up to @capacity of them
 *
 * Return: the number of such processes.
 */
size_t schedule_pids(const struct schedule *schedule, uint32_t *pids, size_t capacity);

/**
 * schedule_finish() - Replay the rest, after the program has ended or was stopped.
 *
 * Threads that wrote no END are ended where their words end. At the end the machine passes a
 * barrier, so that every frame has been delivered. Call this function in any case, once, and do not
 * call schedule_run() after it.
 *
 * Return: 0, or the first error, as from schedule_run(), even if that was reported already.
 */
int schedule_finish(struct schedule *schedule);

/**
 * schedule_now() - Get the simulated time in cycles that the replay has reached: no access starts
 * before it any longer.
 */
uint64_t schedule_now(const struct schedule *schedule);

void schedule_statistics(const struct schedule *schedule, struct schedule_statistics *statistics);

/**
 * schedule_thread() - Get the facts about thread @number, from 0, in order of creation.
 *
 * Return: 0; -EINVAL if the thread does not exist.
 */
int schedule_thread(const struct schedule *schedule, size_t number, struct schedule_thread *thread);

/**
 * schedule_program() - Get the facts about program @index, from 0, in the order of execution in
 * simulated time. The accesses of threads that have not ended are not known.
 *
 * Return: 0; -EINVAL if the program does not exist.
 */
int schedule_program(const struct schedule *schedule, size_t index, struct schedule_program *out);

/**
 * schedule_regions() - Get the number of regions reported so far.
 */
size_t schedule_regions(const struct schedule *schedule);

/**
 * schedule_region() - Get region @index, from 0, in the order in which the regions appeared in
 * simulated time; @gone receives whether it was unmapped since.
 *
 * Its path is terminated, its end is not before its start, and its kind is one of enum
 * stream_region_kind. Return: the region, valid until the next call of schedule_run() or
 * schedule_finish(); NULL if the region does not exist.
 */
const struct stream_region *schedule_region(const struct schedule *schedule, size_t index,
					    bool *gone);

/**
 * schedule_role() - Iterate over the locks that give threads their roles, in no particular order.
 * @position: 0 at first
 *
 * Return: whether there is another lock.
 */
bool schedule_role(const struct schedule *schedule, size_t *position, struct schedule_role *out);

/**
 * schedule_meetings() - Get the number of times that threads have met, plus 1; a meeting is already
 * counted when ops.meet is called for it.
 */
uint64_t schedule_meetings(const struct schedule *schedule);

/**
 * schedule_hands_out() - Was there a turn at a lock of schedule_role() that hands out work, or may
 * hand out work, while the number of meetings was @first to @last? The answer is also true if that
 * is no longer known.
 */
bool schedule_hands_out(const struct schedule *schedule, uint64_t first, uint64_t last);

/**
 * schedule_lock_waits() - Get the cycles for which threads of a node have waited for locks.
 */
uint64_t schedule_lock_waits(const struct schedule *schedule, unsigned node);

/**
 * schedule_time_waits() - Get the cycles for which threads of a node have waited for a time to
 * pass.
 */
uint64_t schedule_time_waits(const struct schedule *schedule, unsigned node);

/**
 * schedule_lock_wait() - Iterate over the locks for which threads have waited, in no particular
 * order. If there are very many locks, only the first are known.
 * @position: 0 at first
 *
 * Return: whether there is another lock.
 */
bool schedule_lock_wait(const struct schedule *schedule, size_t *position,
			struct schedule_lock_wait *out);

#endif /* RUN_SCHEDULE_SCHEDULE_H */
