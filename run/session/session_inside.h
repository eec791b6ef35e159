/* SPDX-License-Identifier: MIT */
/*
 * run/session: declarations that the source files of this room share.
 *
 *	run.c                       the run from its beginning to its end
 *	program.c, tracer.c             the program, and its execution under the tracer
 *	emulator.c                      the choice of the QEMU that traces the program
 *	machine_files.c                 the machine's files under /sys and /proc
 *	host_data.c                     data that the host supplied to the program
 *	unsupported.c                   system calls that QEMU did not execute
 *	untraced.c                      a program that is not traced, and the reasons
 *	process.c, sleeping_threads.c   the program's processes and threads, from /proc
 *	cards.c, captures.c             cards, captures and recordings
 *	stale_recordings.c                      recordings of an earlier run
 *	replay.c                        the loop that drives the schedule
 *	gather.c                        the host's processor for threads that wait for turns
 *	guard.c                         cleanup if the run is killed
 *	map.c, local_accesses.c, object.c        the program's memory, for the recordings
 *	program_heap.c                  the program's heap
 *	stack_frames.c                  the stacks of the program's threads
 *	phase_activity.c, interval.c    the program's phases and intervals
 *	place.c, place_names.c          the placement file, and its regions by their names
 *	migration.c, budget.h           migration of pages
 *	network.c, network_json.c       the network between the nodes
 *	account.c, json.c               the loss account and the summary
 *	memory_limit.c                  memory for counts
 *	message.c                       messages
 */
#ifndef RUN_SESSION_SESSION_INSIDE_H
#define RUN_SESSION_SESSION_INSIDE_H

#include <run/stream.h>

#include "run/session/session.h"

#define RUN_STREAM_NAME "smile-stream" /* name of the stream's memory in /proc */

/**
 * struct run_program - The program to run.
 * @file: path of the ELF file that is traced
 * @argv: its arguments, from argv[0] on, ended by NULL
 */
struct run_program {
	char *file;
	char **argv;
};

/* ---- message.c ----------------------------------------------------------------------------- */

/* Set the functions to which messages are passed. */
void run_messages_to(const struct run_ops *ops, void *opaque);

/* Pass a warning or an error to the caller. */
void run_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Pass a message to the caller, and return @error. */
int run_error(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Read the host's monotonic clock, in nanoseconds. */
uint64_t run_now_ns(void);

/* ---- memory_limit.c ------------------------------------------------------------------------ */

/* Prepare the heap. Call this function before large amounts of memory are allocated. */
void run_memory_begin(void);

/*
 * Get the number of bytes that the run may still allocate; UINT64_MAX if this number is not known.
 */
uint64_t run_memory_left(void);

/*
 * Report that no memory is left, and how the user can reduce the amount of memory that the run
 * needs.
 */
void run_memory_none(void);

/* ---- network_json.c ------------------------------------------------------------------------ */

/*
 * Get the description of the network for the summary. Call this function only if there is a
 * network. Return: a new reference.
 */
json_t *run_network_json(const struct run *run);

/* ---- place.c ------------------------------------------------------------------------------- */

/* Apply a placement file to the run's machine and orders. Return: 0 or -errno after a message. */
int run_place_apply(const char *file, struct run *run);
void run_orders_free(struct run_orders *orders);

/* ---- place_names.c ------------------------------------------------------------------------- */

/*
 * Read the placement file, and check whether it was recorded from the same build of the program
 * with the same arguments. Return: 0 or -errno after a message.
 */
int run_names_begin(struct run *run, const char *file);

/*
 * Return: true if regions are placed by their names. This is so if the placement was recorded from
 * another build or with other arguments, because other data may now be at the recorded addresses.
 */
bool run_names_follow(const struct run *run);

/* Check whether the constants of the program's files are at the recorded addresses. */
bool run_names_stay(const struct run *run);

/*
 * Check whether a lock has the same address as in the recorded run, as far as this is known. @lock:
 * address of the lock in the recorded run.
 */
bool run_names_keep_order(const struct run *run, uint64_t lock);

/*
 * Place new memory of the program: a region (a function of struct schedule_ops), or a block of the
 * heap.
 */
void run_names_region(void *opaque, unsigned index);
void run_names_block(struct run *run, const struct schedule_block *block);

/*
 * Report the regions that could not be placed as the placement file requests. Call this function
 * after the program has ended.
 */
void run_names_end(struct run *run);
void run_names_free(struct run *run);

/* ---- program.c ----------------------------------------------------------------------------- */

/*
 * Find the program, and check that it can be traced. Return: 0; one of enum run_status after a
 * message.
 */
int run_program_find(struct run_program *program, char **command);
void run_program_free(struct run_program *program);

/* ---- tracer.c ------------------------------------------------------------------------------ */

/* Create the shared memory for the stream. Return: 0 or -errno after a message. */
int run_stream_create(struct run *run);
void run_stream_free(struct run *run);

/*
 * Stop the stream. Threads of the program that wait for room in their channels continue, and no
 * thread waits for room from now on.
 */
void run_stream_stop(struct run *run);

/* Let the program continue. The tracer holds it before its first instruction. */
void run_stream_go(struct run *run);

/* Start the program. Return: 0 or -errno after a message. */
int run_tracer_start(struct run *run, const struct run_program *program);

/* ---- machine_files.c ------------------------------------------------------------------------ */

/*
 * Create the folder for the files that describe the machine, and write these files. This can be
 * done while QEMU starts, because the program does not run before run_stream_go(). Return: 0;
 * -errno after a message.
 */
int run_files_make(struct run *run);
int run_files_write(struct run *run);
void run_files_free(struct run *run);

/* ---- untraced.c ---------------------------------------------------------------------------- */

/* The end of each message about a program that is not traced. */
extern const char run_nothing[];

/*
 * Get the text for an errno value of the host. If the host has rejected a call, the text has the
 * probable cause.
 */
const char *run_refusal(int error);

/*
 * Wait until the program's own code is about to start under the tracer.
 *
 * Return: 0; RUN_FAILED after a message with the reason why the program is not traced, and the
 * remedy.
 */
int run_tracer_await(struct run *run);

/*
 * If the program was killed before it could report its last accesses, report this to the user, and
 * mark the run as failed. Call this function after the program has ended.
 */
void run_tracer_broken(struct run *run);

/*
 * Report the tracer's notes to the user. If the program was ended by an instruction that QEMU does
 * not support, also report this.
 */
void run_notes(const struct run *run);
/*
 * Return: true if a forked process, or an executed program, used more memory areas than can have
 * separate addresses in the stream. In this case, the addresses of different areas can be equal.
 */
bool run_beyond(const struct run *run);

/* ---- process.c ----------------------------------------------------------------------------- */

/*
 * Check whether the process has ended. A zombie counts as ended, although its parent has not waited
 * for it yet.
 */
int run_process_is_dead(uint32_t pid);

/* Check whether the process is a descendant of the calling process. */
int run_process_is_ours(uint32_t pid);

/*
 * Get the number of descendants of the calling process that can write to the stream because they
 * have mapped it.
 */
size_t run_process_traced(void);

/*
 * Reserve the descriptors that run_process_kill_all() needs. Without them, a run that has reached
 * the limit on open files could not end its program. Return: 0; -errno.
 */
int run_process_reserve(void);

/*
 * Kill all descendants that the calling process has at this moment. This closes the reserved
 * descriptors.
 */
void run_process_kill_all(void);

/*
 * Wait for children that have ended. If other children still run, sleep for a moment. Return: true
 * if children are left.
 */
bool run_process_reap(void);

/* ---- sleeping_threads.c -------------------------------------------------------------------- */

/* Check whether the thread sleeps in the kernel. This function is schedule_ops.sleeps. */
bool run_process_sleeps(void *opaque, uint32_t tid);

/* ---- guard.c ------------------------------------------------------------------------------- */

typedef int run_work(struct run *run, const struct run_program *program);

/**
 * run_guard() - Call @work in a child process. If one of the two processes is killed, the other
 * process ends the program.
 *
 * Return: the exit status, in both processes. In the child, @run->works is set.
 */
int run_guard(struct run *run, const struct run_program *program, run_work *work);

/* ---- cards.c ------------------------------------------------------------------------------- */

/* Open and configure the cards. Return: 0 or -errno after a message. */
int run_cards_open(struct run *run);

/*
 * Open and lock the files of the recordings. Older recordings are not changed yet. Return: 0 or
 * -errno after a message.
 */
int run_cards_save(struct run *run);

/* After an error, close the cards, and remove the recordings that did not exist before. */
void run_cards_remove(struct run *run);

/* Start the cards, and so begin the recordings. Return: 0 or -errno after a message. */
int run_cards_begin(struct run *run);

/*
 * When a phase has ended, write all counts so far into the recordings, for readers that follow the
 * recordings.
 */
void run_cards_show(struct run *run);

/*
 * Poll all cards that have received frames since their last poll, and write their counts into the
 * recordings. Each card is polled at most ten times a second.
 */
void run_cards_rest(struct run *run);

/* Receive frames that pass on a node's B-Link. This is a function of struct machine_ops. */
void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames,
		      size_t count);

/*
 * Get the size, in bytes, of the blocks for which the machine counts requests; 0: the cards count
 * the requests instead.
 */
unsigned run_counted_bytes(struct run *run);

/*
 * Pass requests that the machine has counted to the card of a node. This is a function of struct
 * machine_ops.
 */
void run_cards_counted(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		       size_t count, uint64_t time_ns);

/* If a checkpoint is due, write the machine's counts into the recordings. */
void run_cards_checkpoint(struct run *run);

/* Note in the recordings that they contain all counts up to the present time. */
void run_cards_until(struct run *run);

/* Stop the cards, swap out all counters, and read the loss accounts. */
void run_cards_stop(struct run *run);

/* Complete the recordings, and close the cards. */
void run_cards_close(struct run *run);

/* ---- stale_recordings.c ---------------------------------------------------------------------- */

/*
 * If an earlier run with the same names had more nodes than this machine, remove its recordings of
 * the additional nodes.
 */
void run_leftovers_remove(const struct run *run);

/* ---- map.c --------------------------------------------------------------------------------- */

/* Handle that a phase has begun. This is a function of struct schedule_ops. */
void run_map_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns);

/*
 * Write into the recording of each card the map of the program's memory, and the parameters and
 * results of the run.
 */
void run_map_report(struct run *run);

/* ---- phase_activity.c ---------------------------------------------------------------------- */

/*
 * Begin to record phases. Call this function before the program starts. Return: 0 or -errno after a
 * message.
 */
int run_phases_begin(struct run *run);

/* Record that a phase has begun. */
void run_phases_next(struct run *run, const char *name);

/* Record that the program has ended. */
void run_phases_end(struct run *run);
void run_phases_free(struct run *run);

/* Check whether cards and captures may see this frame. */
bool run_phases_pass(const struct run *run, const void *frame);

/* ---- local_accesses.c ------------------------------------------------------------------------ */

/* Record accesses in front of the caches. This is a function of struct machine_ops. */
void run_accessed(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		  size_t count);

/*
 * Write the accesses of a phase into the recordings: the accesses of each node to its own memory,
 * and the accesses in front of the caches. Call this function when the phase has ended.
 */
void run_locals_take(struct run *run, unsigned phase);

/*
 * Write the accesses of the last phase, as run_locals_take() does, and mark the local accesses in
 * the recordings as complete.
 */
void run_locals_end(struct run *run, unsigned phase);

/*
 * Get the cycles of work, by phase and node. If there are too many phases, the array is empty.
 * Return: a new reference.
 */
json_t *run_work_json(const struct run *run);

/*
 * Get the cycles of accesses that caches have served, by phase and node. If there are too many
 * phases, the array is empty. Return: a new reference.
 */
json_t *run_cache_json(const struct run *run);

/* ---- interval.c ------------------------------------------------------------------------------ */

/*
 * Handle that threads have met: end the interval, and begin the next one. This is a function of
 * struct schedule_ops.
 */
void run_intervals_next(void *opaque, uint64_t cycle);

/* Handle that phase @phase begins: end the interval, and begin the next one. */
void run_intervals_phase(struct run *run, unsigned phase);

/*
 * End the last interval, and note in the recordings that the intervals are complete. Call this
 * function when the program has ended.
 */
void run_intervals_end(struct run *run);
void run_intervals_free(struct run *run);

/*
 * Get the length, the work and the number of threads of each interval. If the intervals are not
 * known, the array is empty. Return: a new reference.
 */
json_t *run_intervals_json(const struct run *run);

/* ---- program_heap.c ------------------------------------------------------------------------- */

/*
 * Record that a block of the heap was allocated or freed. This is a function of struct
 * schedule_ops.
 */
void run_heap_block(void *opaque, const struct schedule_block *block);

/* Write the program's allocations into the recording of each card, and free the data. */
void run_heap_report(struct run *run);

/* ---- stack_frames.c ------------------------------------------------------------------------ */

/* Record that a thread is in a function. This is a function of struct schedule_ops. */
void run_frames_frame(void *opaque, const struct schedule_frame *frame);

/* Write the functions in which threads were into the recording of each card, and free the data. */
void run_frames_report(struct run *run);
void run_frames_free(struct run *run);

/* ---- object.c ------------------------------------------------------------------------------ */

/*
 * Check whether the program was called through a symbolic link, and set @run->real and
 * @run->called.
 */
void run_called_find(struct run *run);

/*
 * Get the name that recordings use for a file in the program's memory. For the program's own file,
 * this is the name by which the program was called.
 */
const char *run_called(const struct run *run, const char *path);

/* Write the build ids of the program's files into the recording of each card. */
void run_objects_report(struct run *run);

/* ---- replay.c ------------------------------------------------------------------------------ */

/* Replay the program until it has ended, or must be ended. */
void run_replay(struct run *run);

/* Check whether this process can use more than one processor. */
bool run_several_processors(void);

/* End the program before its own code has started. */
void run_replay_abandon(struct run *run);

#endif /* RUN_SESSION_SESSION_INSIDE_H */
