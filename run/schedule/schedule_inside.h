/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The schedule, for its own files.
 *
 * What lives here: struct schedule, and the functions that its files call in each other. Other
 * rooms must not include it.
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
 * A thread may run ahead of the others by this many cycles while only its own accesses are
 * replayed: the machine puts accesses in order. Changing threads at every access would cost more
 * than the accesses.
 */
#define SCHEDULE_AHEAD_CYCLES 65536U

#define SCHEDULE_WAKES 65536U /* number of wake-ups that are remembered; a power of two */
#define SCHEDULE_PHASES_MAX 65536U
#define SCHEDULE_REGIONS_MAX 65536U

/**
 * struct region - A region that was reported.
 * @region: a copy of the region, checked
 * @gone: it was unmapped
 */
struct region {
	struct stream_region region;
	bool gone;
};

/**
 * struct wake - A wake-up that was replayed.
 * @number: its number in the stream
 * @cycle: the cycle at which it happened
 */
struct wake {
	uint64_t number;
	uint64_t cycle;
};

/**
 * struct schedule - The schedule.
 * @config: the configuration, with the defaults filled in
 * @list: copy of the configuration's list of nodes
 * @machine: the machine
 * @header: header of the memory
 * @table: table of regions in the memory
 * @inputs: the channels
 * @inputs_end: one past the last input that was ever in use
 * @pending: number of inputs in state INPUT_PENDING
 * @closing: number of inputs in state INPUT_CLOSING
 * @threads: all threads; shape [@threads_capacity]
 * @threads_count: number of threads
 * @alive: number of threads that have not ended
 * @keys: the threads by key
 * @processes: the processes by process id
 * @first: the first process, whose private memory counts
 * @ready: threads that are ready
 * @current: the thread that is being replayed, the first of @ready; NULL: it must be chosen
 * @limit: how far the clock of @current may advance
 * @ordered: accesses are replayed in the order of the clocks: machine_ordered()
 * @epoch: cycle at which the epoch ends; UINT64_MAX: never
 * @late: threads that are late
 * @joins: threads at a join
 * @wakes: threads that wait for a wake-up
 * @resting: threads at rest, whose words no thread waits for
 * @woken: wake-ups that were replayed, by number
 * @locks: locks by name
 * @roles: locks by name, with the threads that have taken them
 * @barriers: barriers by name
 * @conditions: conditions at which threads sleep, by name
 * @semaphores: semaphores by name
 * @shared: pages of memory that processes share
 * @regions: regions that were reported; shape [@regions_capacity]
 * @regions_count: number of regions
 * @regions_capacity: number of regions for which @regions has room
 * @region_of: number of region + 1 by index in the memory's table
 * @idle: processors whose thread has ended; shape [MACHINE_PROCESSORS_MAX]
 * @idle_count: number of these processors
 * @now: no access starts before this cycle any longer
 * @met: the last cycle at which threads met
 * @meetings: how often threads have met, plus 1
 * @lock_waits: cycles for which threads have waited for locks, by node
 * @time_waits: cycles for which threads have waited for a time to pass, by node
 * @vain: successive calls of schedule_run() that found nothing to do
 * @lost_us: microseconds for which other threads have waited for threads that waited in the kernel
 * @futex_waits: number of waits at futexes so far
 * @silences: number of threads that were given up although they were not known to wait
 * @spilled: number of words that wait outside their channels
 * @claimed: the header's value when channels were last searched
 * @refused: the header's value that was last handled
 * @untaken: the header's value that was last handled
 * @finishing: no more words will arrive
 * @reported: bits of the notices that were given, of the kinds that are given only once
 * @error: the first error, which is permanent
 * @statistics: counts
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
	bool finishing;
	uint32_t reported;
	int error;
	struct schedule_statistics statistics;
};

/* Choose the thread whose turn it is again: unexpected threads have begun. */
static inline void schedule_reconsider(struct schedule *schedule)
{
	if (schedule->current)
		ready_moved(&schedule->ready, schedule->current);
	schedule->current = NULL;
}

/* ---- program.c ---- */

/* Assign the process of a thread that begins to the program of the process that created it. */
void program_begin(struct schedule *schedule, struct thread *thread);

/* The thread continues in another program. Return: 1; -EPROTO. */
int program_next(struct schedule *schedule, struct thread *thread, uint64_t number,
		 const char *name);

/*
 * Add a thread's accesses to its program's, when the thread ends or continues in another program.
 */
void program_settle(struct schedule *schedule, struct thread *thread);

/* ---- replay.c ---- */

/*
 * Replay up to @budget words, and a few more. Return: the number of words; 0: nothing to do;
 * -errno.
 */
int64_t replay(struct schedule *schedule, size_t budget);

/* Handle the end of an epoch at @cycle: report it, and let threads stand still. */
void epoch_report(struct schedule *schedule, uint64_t cycle, bool phase);

/* Set the time before which no access starts any longer: the least clock of the ready threads. */
void replay_settle(struct schedule *schedule);

/*
 * At @cycle a thread lets others continue, or the last thread ends for which it waited. The threads
 * meet at that moment if at most @running threads are ready, since all others wait then.
 */
void threads_meet(struct schedule *schedule, uint64_t cycle, size_t running);

/* ---- notice.c ---- */

/* Send a message to the user. */
void notice(struct schedule *schedule, enum schedule_notice kind, const char *text);

/* Send a message to the user, if its kind was not reported yet. */
void notice_once(struct schedule *schedule, enum schedule_notice kind, const char *text);

/* Report that the memory is invalid. Return: -EPROTO. */
int notice_protocol(struct schedule *schedule, const struct thread *thread, const char *text);

/* ---- channels.c ---- */

/*
 * Find channels that were claimed, and their threads; give back channels of which all words were
 * read.
 */
int channels_scan(struct schedule *schedule);

/* Attach the channel of a thread that was just created, if it has one already. */
int channels_attach(struct schedule *schedule, struct thread *thread);

/*
 * Take in channels whose threads were not announced. Return: the number of such channels; -errno.
 */
int channels_adopt(struct schedule *schedule);

/* Count words of an input that were read outside its channel. */
void channels_taken(struct schedule *schedule, struct input *input, size_t count);

/* Make room in channels whose producers wait. Return: whether room was made; -errno. */
int channels_spill(struct schedule *schedule);

/* Close an input, which will not be read any longer. */
void channels_close(struct schedule *schedule, struct input *input);

/* Publish to producers all room that was made. */
void channels_publish(struct schedule *schedule);

/* ---- control.c ---- */

/*
 * Replay a control record, all of whose words are available. Return: 1; 0 if the thread is no
 * longer ready; -errno.
 */
int control_replay(struct schedule *schedule, struct thread *thread, const uint64_t *words);

/* Get the number of words of a control record. Return: the number; 0 if there is no such record. */
unsigned control_words(uint64_t word);

/* ---- order.c ---- */

/*
 * Handle the current thread, which has no words. Return: 1 if the replay continues; 0 if the replay
 * must wait; -errno.
 */
int order_starved(struct schedule *schedule, struct thread *thread);

/* Report that an order was taken from the host, this many times. */
void order_from_host(struct schedule *schedule, uint32_t times);

/* Handle the state in which no thread is ready. Return: see order_starved(). */
int order_nobody(struct schedule *schedule);

/* Let late threads that have words continue. */
int order_late(struct schedule *schedule);

/* Let resting threads that have words continue. Return: the number of these threads. */
int order_rested(struct schedule *schedule);

/* ---- wait.c ---- */

/* A thread starts to wait in the kernel. */
void wait_block(struct schedule *schedule, struct thread *thread);

/* Return: see control_replay(). */
int wait_unblock(struct schedule *schedule, struct thread *thread, uint64_t number);

/* Return: the cycle at which a wait of @thread ends that has a limit of @ns. */
uint64_t wait_end(const struct schedule *schedule, const struct thread *thread, uint64_t ns);

/* The thread's wait has ended by its time limit. */
void wait_pass(struct schedule *schedule, struct thread *thread, uint64_t ns);

void wait_wake(struct schedule *schedule, struct thread *thread, uint64_t number);

/* Give up the thread temporarily: the other threads continue. */
void wait_give_up(struct schedule *schedule, struct thread *thread);

/* ---- alone.c ---- */

/* A thread has begun or ended, or was created: inform threads whether they are alone now. */
void alone_settle(const struct schedule *schedule);

/* ---- region.c ---- */

int region_add(struct schedule *schedule, const struct thread *thread, uint64_t index);
int region_remove(struct schedule *schedule, const struct thread *thread, uint64_t index);
int region_discard(struct schedule *schedule, const struct thread *thread, uint64_t start,
		   uint64_t bytes, uint64_t to);
int region_place(struct schedule *schedule, uint64_t start, uint64_t bytes, uint64_t node);

/*
 * Get the name of a lock or barrier: its address, and its process unless processes share it; 0
 * stands for the first process.
 */
uint64_t region_name(const struct schedule *schedule, const struct thread *thread,
		     uint64_t address);

/* ---- phase.c ---- */

/* Read text that the program wrote into @count words; @text has @count * 8 bytes. */
void phase_text(char *text, const uint64_t *words, size_t count);

int phase_begin(struct schedule *schedule, const struct thread *thread, const uint64_t *words);

#endif /* RUN_SCHEDULE_SCHEDULE_INSIDE_H */
