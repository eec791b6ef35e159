/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The schedule: declarations that only its own files use.
 *
 * What lives here: struct schedule, and the functions by which the source files of the schedule
 * call each other. Other rooms must not include this file.
 */
#ifndef RUN_SCHEDULE_SCHEDULE_INSIDE_H
#define RUN_SCHEDULE_SCHEDULE_INSIDE_H

#include "emu/machine/machine.h"
#include "input.h"
#include "ready.h"
#include "schedule.h"
#include "id_table.h"
#include "thread.h"

/*
 * While the records of a thread are only accesses, the replay may continue with this thread until
 * its clock is this number of cycles ahead of the clock of the next thread. The machine sorts the
 * accesses by time. Without this rule, the replay would change to another thread after each access,
 * and the changes would take more time than the accesses.
 */
#define SCHEDULE_AHEAD_CYCLES 65536U

#define SCHEDULE_WAKES 65536U /* number of wake-ups that are stored; a power of two */
#define SCHEDULE_PHASES_MAX 65536U
#define SCHEDULE_REGIONS_MAX 65536U
#define SCHEDULE_UNMAPPED_MAX 1024U

/**
 * struct region - A region that the program has reported.
 * @region: a copy of the region, which was checked
 * @gone: the region was unmapped
 */
struct region {
	struct stream_region region;
	bool gone;
};

/**
 * struct unmapped - Shared memory that was unmapped. Its pages still have their homes.
 * @start: the first address at which the machine still has the homes of the memory
 * @end: one past the last address
 * @offset: offset of the first byte in the shared memory
 * @device: together with @inode, the identity of the shared memory
 */
struct unmapped {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
};

/**
 * struct wake - A wake-up that was already replayed.
 * @number: number of the wake-up in the stream
 * @cycle: the cycle at which the wake-up happened
 */
struct wake {
	uint64_t number;
	uint64_t cycle;
};

/**
 * struct schedule - The schedule.
 * @config: the configuration; members that the caller did not set have their defaults
 * @list: copy of the configuration's list of nodes
 * @machine: the machine
 * @header: header of the stream memory
 * @table: table of regions in the stream memory
 * @inputs: the channels
 * @inputs_end: one past the last input that was ever in use
 * @pending: number of inputs in state INPUT_PENDING
 * @closing: number of inputs in state INPUT_CLOSING
 * @threads: all threads; shape [@threads_capacity]
 * @threads_count: number of threads
 * @alive: number of threads that have not ended
 * @keys: the threads, by key
 * @processes: the processes, by process id
 * @first: the first process, whose private memory counts
 * @ready: the ready threads
 * @current: the thread that is being replayed, which is the first of @ready; NULL: the thread must
 *           be chosen again
 * @limit: the highest clock that @current may reach before the current thread must be chosen again
 * @ordered: accesses of different threads are replayed in the order of the clocks
 *           (machine_ordered())
 * @epoch: cycle at which the epoch ends; UINT64_MAX: never
 * @late: the threads in state THREAD_LATE
 * @joins: the threads in state THREAD_AT_JOIN
 * @wakes: the threads in state THREAD_AT_WAKE
 * @resting: the threads in state THREAD_AT_REST
 * @woken: wake-ups that were replayed, indexed by their number modulo SCHEDULE_WAKES
 * @locks: locks that are held or requested, by name
 * @roles: locks, by name, with the threads that have taken them
 * @barriers: barriers at which threads wait, by name
 * @conditions: conditions at which threads sleep, by name
 * @semaphores: semaphores, by name
 * @shared: pages of memory that processes share
 * @regions: regions that were reported; shape [@regions_capacity]
 * @regions_count: number of regions
 * @regions_capacity: number of regions for which @regions has room
 * @region_of: for each entry of @table, the number of its region plus 1
 * @idle: processors whose thread has ended; shape [MACHINE_PROCESSORS_MAX]
 * @idle_count: number of processors in @idle
 * @programs: the programs that processes have executed
 * @programs_count: number of entries of @programs
 * @now: the cycle that the replay has reached; no further access starts before it
 * @met: the last cycle at which threads met
 * @meetings: number of times that threads have met, plus 1
 * @lock_waits: by node, cycles for which threads have waited for locks
 * @time_waits: by node, cycles for which threads have waited for a given time
 * @vain: number of consecutive calls of schedule_run() that have found nothing to replay
 * @lost_us: time, in microseconds, for which threads had to wait on the host because the replay
 *           waited for a thread in the kernel
 * @futex_waits: number of waits at futexes so far
 * @silences: number of times that the replay continued without a thread that had written nothing
 *            and was not known to wait
 * @spilled: number of words outside their channels
 * @claimed: value of header->claimed when the channels were last searched
 * @refused: the number of refused threads that was already reported
 * @untaken: value of header->untaken that was last handled
 * @interrupted: value of header->interrupted for which all waits were handled
 * @finishing: no more words will arrive
 * @reported: bit N is set if a notice of kind N was sent that must be sent only once
 * @error: the first error, which all later calls return
 * @statistics: the counts for schedule_statistics()
 */
struct schedule {
	struct schedule_config config;
	unsigned *list;
	struct machine *machine;
	struct stream_header *header;
	struct stream_region *table;
	struct input *inputs;
	size_t inputs_end;
	size_t pending;
	size_t closing;
	struct thread **threads;
	size_t threads_count;
	size_t threads_capacity;
	size_t alive;
	struct hash_table keys;
	struct hash_table processes;
	struct process *first;
	struct ready ready;
	struct thread *current;
	uint64_t limit;
	bool ordered;
	uint64_t epoch;
	struct thread *late;
	struct thread *joins;
	struct thread *wakes;
	struct thread *resting;
	struct wake *woken;
	struct hash_table locks;
	struct hash_table roles;
	struct hash_table barriers;
	struct hash_table conditions;
	struct hash_table semaphores;
	struct page_ranges shared;
	struct region *regions;
	size_t regions_count;
	size_t regions_capacity;
	struct unmapped *unmapped;
	size_t unmapped_count;
	size_t unmapped_capacity;
	uint32_t *region_of;
	unsigned *idle;
	size_t idle_count;
	struct schedule_program programs[STREAM_PROGRAMS];
	size_t programs_count;
	uint64_t now;
	uint64_t met;
	uint64_t meetings;
	uint64_t lock_waits[MACHINE_NODES_MAX];
	uint64_t time_waits[MACHINE_NODES_MAX];
	uint64_t vain;
	uint64_t lost_us;
	uint64_t futex_waits;
	unsigned silences;
	uint64_t spilled;
	uint32_t claimed;
	uint32_t refused;
	uint32_t untaken;
	uint32_t interrupted;
	bool finishing;
	uint32_t reported;
	int error;
	struct schedule_statistics statistics;
};

/*
 * Make the replay choose the current thread again, because another thread may now precede it in the
 * order.
 */
static inline void schedule_reconsider(struct schedule *schedule)
{
	if (schedule->current)
		ready_moved(&schedule->ready, schedule->current);
	schedule->current = NULL;
}

/* ---- program.c ---- */

/*
 * Assign a program to a thread that begins. The first thread of a forked process gets the program
 * of the process that has forked it.
 */
void program_begin(struct schedule *schedule, struct thread *thread);

/*
 * Record that the thread continues in program @number. @name: end of the program's path; NULL: the
 * process is a forked copy, and keeps its present program. Return: 1 or -EPROTO.
 */
int program_next(struct schedule *schedule, struct thread *thread, uint64_t number,
		 const char *name);

/*
 * Add the thread's accesses since the last call to the accesses of its program. Call this function
 * when the thread ends or continues in another program.
 */
void program_settle(struct schedule *schedule, struct thread *thread);

/* ---- replay.c ---- */

/*
 * Replay about @budget words. Return: the number of words that were replayed; 0 if there is nothing
 * to replay now; -errno.
 */
int64_t replay(struct schedule *schedule, size_t budget);

/*
 * Report the end of an epoch at @cycle to the caller of the schedule. Stop threads for the cycles
 * that the caller returns.
 */
void epoch_report(struct schedule *schedule, uint64_t cycle, bool phase);

/* Update schedule->now from the lowest clock of the ready threads. */
void replay_settle(struct schedule *schedule);

/*
 * Detect that threads have met. Call this function when a thread lets waiting threads continue at
 * @cycle, or when a thread ends for whose end others wait. If at most @running threads are ready,
 * all other threads wait, so the threads have met. In this case, the function counts the meeting,
 * and reports it to the caller of the schedule.
 */
void threads_meet(struct schedule *schedule, uint64_t cycle, size_t running);

/* ---- notice.c ---- */

/* Send a notice to the user. */
void notice(struct schedule *schedule, enum schedule_notice kind, const char *text);

/* Send a notice to the user, unless a notice of this kind was sent before. */
void notice_once(struct schedule *schedule, enum schedule_notice kind, const char *text);

/* Report that the stream memory is invalid. Return: -EPROTO. */
int notice_protocol(struct schedule *schedule, const struct thread *thread, const char *text);

/* ---- channels.c ---- */

/*
 * Find the channels that threads have claimed, and assign the channels to the threads. Release the
 * channels whose words were all read.
 */
int channels_scan(struct schedule *schedule);

/* If a thread that was just created already has a channel, assign the channel to the thread. */
int channels_attach(struct schedule *schedule, struct thread *thread);

/*
 * Create a thread for a channel that was claimed by a thread whose creation was not reported.
 * Return: 1 if a thread was created; 0 if there is no such channel; -errno.
 */
int channels_adopt(struct schedule *schedule);

/* Remove @count words that were already replayed from an input. */
void channels_taken(struct schedule *schedule, struct input *input, size_t count);

/*
 * If a producer waits for room in its channel, move words out of the channel. Return: 1 if words
 * were moved; 0 if no words were moved; -errno.
 */
int channels_spill(struct schedule *schedule);

/* Close an input whose words are no longer needed. */
void channels_close(struct schedule *schedule, struct input *input);

/* Publish the room that was made in the channels to all producers. */
void channels_publish(struct schedule *schedule);

/* ---- control.c ---- */

/*
 * Replay a control record. All words of the record must be available. Return: 1; 0 if the thread is
 * no longer ready; -errno.
 */
int control_replay(struct schedule *schedule, struct thread *thread, const uint64_t *words);

/*
 * Get the number of words of a control record, from the first word of the record. Return: the
 * number; 0 if there is no such record.
 */
unsigned control_words(uint64_t word);

/* ---- order.c ---- */

/*
 * Handle the case that the current thread has no words. Return: 1 if the replay continues; 0 if the
 * replay must wait; -errno.
 */
int order_starved(struct schedule *schedule, struct thread *thread);

/*
 * Count that the order of threads was taken from the host @times times. Report only the first time.
 */
void order_from_host(struct schedule *schedule, uint32_t times);

/*
 * Handle the case that no thread is ready. Return: 1 if the replay continues; 0 if the replay must
 * wait; -errno.
 */
int order_nobody(struct schedule *schedule);

/* Make the late threads that have words continue. */
int order_late(struct schedule *schedule);

/* Make the threads continue whose wait for a semaphore was ended by a signal handler. */
void order_interrupted(struct schedule *schedule);

/* Make the resting threads that have words continue. Return: the number of these threads. */
int order_rested(struct schedule *schedule);

/* ---- wait.c ---- */

/* Replay a BLOCK record, which means that the thread is about to wait in the kernel. */
void wait_block(struct schedule *schedule, struct thread *thread);

/*
 * Replay an UNBLOCK record, which means that the thread's wait has ended, perhaps by wake-up
 * @number. Return: 1; 0 if the thread is no longer ready; -errno.
 */
int wait_unblock(struct schedule *schedule, struct thread *thread, uint64_t number);

/* Get the cycle at which the thread's wait ends if it has a limit of @ns nanoseconds. */
uint64_t wait_end(const struct schedule *schedule, const struct thread *thread, uint64_t ns);

/*
 * Advance the clock of a thread whose wait has ended by its limit of @ns nanoseconds to the end of
 * the wait.
 */
void wait_pass(struct schedule *schedule, struct thread *thread, uint64_t ns);

void wait_wake(struct schedule *schedule, struct thread *thread, uint64_t number);

/* Let the other threads continue without the thread until it has words. */
void wait_give_up(struct schedule *schedule, struct thread *thread);

/* ---- only_thread.c ---- */

/*
 * Inform each thread whether it is now the only thread. Call this function when a thread has begun,
 * has ended or was created.
 */
void alone_settle(const struct schedule *schedule);

/* ---- shared_homes.c ---- */

/*
 * When a region is mapped or unmapped, move or keep the homes of its pages (shared_homes.c).
 * Return: 0 or -ENOMEM.
 */
int shared_homes_map(struct schedule *schedule, const struct stream_region *region);
int shared_homes_unmap(struct schedule *schedule, const struct stream_region *region);

/* ---- region.c ---- */

int region_add(struct schedule *schedule, const struct thread *thread, uint64_t index);
int region_remove(struct schedule *schedule, const struct thread *thread, uint64_t index);
int region_discard(struct schedule *schedule, const struct thread *thread, uint64_t start,
		   uint64_t bytes, uint64_t to);
int region_place(struct schedule *schedule, uint64_t start, uint64_t bytes, uint64_t node);
int region_touch(struct schedule *schedule, const struct thread *thread, uint64_t start,
		 uint64_t bytes);

/*
 * Get the name of a lock or barrier. @word: the address of the lock or barrier, and STREAM_COMMON
 * if processes share the memory. The name consists of the address and the number of the process. If
 * the memory is shared by processes, or belongs to the first process, the number is 0.
 */
uint64_t region_name(const struct schedule *schedule, const struct thread *thread, uint64_t word);

/* ---- phase.c ---- */

/*
 * Convert a text of the program to printable characters. @words: the text; shape [@count]. @text
 * has space for @count * 8 bytes.
 */
void phase_text(char *text, const uint64_t *words, size_t count);

int phase_begin(struct schedule *schedule, const struct thread *thread, const uint64_t *words);

#endif /* RUN_SCHEDULE_SCHEDULE_INSIDE_H */
