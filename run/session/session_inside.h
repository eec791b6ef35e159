/* SPDX-License-Identifier: MIT */
/*
 * run/session: what its files share.
 *
 *	execute.c                       the run from its beginning to its end
 *	program.c, tracer.c             the program, and its execution under the tracer
 *	emulator.c                      which QEMU traces it
 *	machine_files.c                 the machine's files under /sys and /proc
 *	asked.c                         data that the host supplied to it
 *	untraced.c                      a program that is not traced, and why
 *	process.c, sleep.c              the program's processes and threads, from /proc
 *	cards.c, captures.c             cards, captures and recordings
 *	leftover.c                      recordings of an earlier run
 *	replay.c                        the loop that drives the schedule
 *	guard.c                         cleanup if the run is killed
 *	map.c, local.c, object.c        the program's memory, for the recordings
 *	program_heap.c                  its heap
 *	stack_frames.c                  its stacks
 *	phase_activity.c, interval.c    its phases and intervals
 *	place.c, place_names.c          the placement file, and its regions by their names
 *	migration.c, budget.h           migration
 *	account.c, json.c               the loss account and the summary
 *	memory.c                        memory for counts
 *	message.c                       messages
 */
#ifndef RUN_SESSION_SESSION_INSIDE_H
#define RUN_SESSION_SESSION_INSIDE_H

#include <run/stream.h>

#include "run/session/session.h"

#define RUN_STREAM_NAME "smile-stream" /* name of the stream's memory in /proc */

/**
 * struct run_program - The program to run.
 * @file: the ELF file that is traced
 * @argv: its arguments, argv[0] first, ended by NULL
 */
struct run_program {
	char *file;
	char **argv;
};

/* ---- message.c ----------------------------------------------------------------------------- */

/* Set the receiver of messages. */
void run_messages_to(const struct run_ops *ops, void *opaque);

/* Pass a warning or an error to the caller. */
void run_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Pass a message to the caller, and return @error. */
int run_error(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The host's clock, which never goes backward. */
uint64_t run_now_ns(void);

/* ---- memory.c ------------------------------------------------------------------------------ */

/* Prepare the heap, before much memory is allocated. */
void run_memory_begin(void);

/* Bytes that the run may still allocate; UINT64_MAX if their number is not known. */
uint64_t run_memory_left(void);

/* Report that no memory is left, and how to use less. */
void run_memory_none(void);

/* ---- network_json.c ------------------------------------------------------------------------ */

/* The network's member of the summary, if there is a network. Return: a new reference. */
json_t *run_network_json(const struct run *run);

/* ---- place.c ------------------------------------------------------------------------------- */

/* Apply a placement file to the run's machine and orders. Return: 0; -errno after a message. */
int run_place_apply(const char *file, struct run *run);
void run_orders_free(struct run_orders *orders);

/* ---- place_names.c ------------------------------------------------------------------------- */

/*
 * Read the placement, and find out whether it is of this program as it is run now. Return: 0;
 * -errno after a message.
 */
int run_names_begin(struct run *run, const char *file);

/* If it is not, its pages are placed where their names are found. */
bool run_names_follow(const struct run *run);

/* Are constants of files at the recorded addresses? */
bool run_names_stay(const struct run *run);

/* Does the lock at a recorded address still have that address, as far as is known? */
bool run_names_keep_order(const struct run *run, uint64_t lock);

/* Memory has appeared (struct schedule_ops), or a block of the heap. */
void run_names_region(void *opaque, unsigned index);
void run_names_block(struct run *run, const struct schedule_block *block);

/* The program has ended: report the regions that were not placed as recorded. */
void run_names_end(struct run *run);
void run_names_free(struct run *run);

/* ---- program.c ----------------------------------------------------------------------------- */

/*
 * Find the program, and check that it can be traced. Return: 0; enum run_status after a message.
 */
int run_program_find(struct run_program *program, char **command);
void run_program_free(struct run_program *program);

/* ---- tracer.c ------------------------------------------------------------------------------ */

/* Create the memory of the stream. Return: 0; -errno after a message. */
int run_stream_create(struct run *run);
void run_stream_free(struct run *run);

/* Stop the producers' waits. */
void run_stream_stop(struct run *run);

/* Let the program continue, which waits before its first instruction. */
void run_stream_go(struct run *run);

/* Start the program. Return: 0; -errno after a message. */
int run_tracer_start(struct run *run, const struct run_program *program);

/* ---- machine_files.c ------------------------------------------------------------------------ */

/*
 * Create the folder of files that describe the machine, and write them. QEMU starts meanwhile,
 * since the program is held. Return: 0; -errno after a message.
 */
int run_files_make(struct run *run);
int run_files_write(struct run *run);
void run_files_free(struct run *run);

/* ---- untraced.c ---------------------------------------------------------------------------- */

/* The end of each message about a program that is not traced. */
extern const char run_nothing[];

/* The text of the host's errno, and what has probably caused the refusal. */
const char *run_refusal(int error);

/*
 * Wait until the program's code is about to start under the tracer. Return: 0; RUN_FAILED after a
 * message with the reason why it is not traced, and the remedy.
 */
int run_tracer_await(struct run *run);

/*
 * The program has ended: if QEMU ended before the program, report that, and mark the run as failed.
 */
void run_tracer_broken(struct run *run);

/*
 * Print the tracer's notes for the user, and the reason for the program's end if QEMU is the
 * reason.
 */
void run_notes(const struct run *run);
/* Do several processes use the same addresses in the stream? */
bool run_beyond(const struct run *run);

/* ---- process.c ----------------------------------------------------------------------------- */

/* Has the process ended? A zombie whose parent has not waited yet has ended. */
int run_process_is_dead(uint32_t pid);

/* Is the process a descendant of this one? */
int run_process_is_ours(uint32_t pid);

/* How many descendants of this process have the stream, and can write to it? */
size_t run_process_traced(void);

/* Kill all descendants that this process has now. */
void run_process_kill_all(void);

/* Wait for children that are about to end. Return: whether children are left. */
bool run_process_reap(void);

/* ---- sleep.c ------------------------------------------------------------------------------- */

/* schedule_ops.sleeps: does this thread sleep? */
bool run_process_sleeps(void *opaque, uint32_t tid);

/* ---- guard.c ------------------------------------------------------------------------------- */

typedef int run_work(struct run *run, const struct run_program *program);

/**
 * run_guard() - Do the work in a process of its own; if one of the two processes is killed, the
 * other cleans up.
 *
 * Return, in both processes: the exit status; @run->works in the worker.
 */
int run_guard(struct run *run, const struct run_program *program, run_work *work);

/* ---- cards.c ------------------------------------------------------------------------------- */

/* Open and configure the cards. Return: 0; -errno after a message. */
int run_cards_open(struct run *run);

/* Begin the recordings, and start the cards. Return: 0; -errno after a message. */
int run_cards_save(struct run *run);

/* A phase has ended: write all counts so far into the recordings, for the recordings' followers. */
void run_cards_show(struct run *run);

/*
 * Write counts into the recordings of cards that have seen frames since the last time, at most each
 * tenth of a second.
 */
void run_cards_rest(struct run *run);

/* Frames pass on a node's B-Link: struct machine_ops. */
void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames,
		      size_t count);

/*
 * Size of the blocks, in bytes, by which the machine counts requests. 0: the cards count them.
 */
unsigned run_counted_bytes(struct run *run);

/* Pass requests that the machine has counted to a node's card. */
void run_cards_counted(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		       size_t count, uint64_t time_ns);

/* If a checkpoint is due, write what the machine has counted into the recordings. */
void run_cards_checkpoint(struct run *run);

/* Write all that the machine has counted up to now into the recordings. */
void run_cards_until(struct run *run);

/* Stop the cards, swap out all counters, and read the loss accounts. */
void run_cards_stop(struct run *run);

/* Complete the recordings. */
void run_cards_close(struct run *run);

/* ---- leftover.c ---------------------------------------------------------------------------- */

/* Remove the recordings of an earlier run of nodes that this machine does not have. */
void run_leftovers_remove(const struct run *run);

/* ---- map.c --------------------------------------------------------------------------------- */

/* A phase has begun: struct schedule_ops. */
void run_map_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns);

/*
 * Write the map of the program's memory into every card's recording, and the run's parameters and
 * results.
 */
void run_map_report(struct run *run);

/* ---- phase_activity.c ---------------------------------------------------------------------- */

/* Prepare the phases, before the program starts. Return: 0; -errno after a message. */
int run_phases_begin(struct run *run);

/* A phase has begun. */
void run_phases_next(struct run *run, const char *name);

/* The program has ended. */
void run_phases_end(struct run *run);
void run_phases_free(struct run *run);

/* Must cards and captures see this frame? */
bool run_phases_pass(const struct run *run, const void *frame);

/* ---- local.c ------------------------------------------------------------------------------- */

/* Accesses in front of the caches: struct machine_ops. */
void run_accessed(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		  size_t count);

/*
 * A phase has ended: write into the recordings the nodes' accesses to their own memory in it, and
 * those in front of their caches.
 */
void run_locals_take(struct run *run, unsigned phase);

/* Write the same for the last phase; the recordings then have all local accesses. */
void run_locals_end(struct run *run, unsigned phase);

/* Cycles of work, by phase and node; empty if there are too many. Return: a new reference. */
json_t *run_work_json(const struct run *run);

/* Cycles of accesses that caches served, by phase and node. Return: a new reference. */
json_t *run_cache_json(const struct run *run);

/* ---- interval.c ------------------------------------------------------------------------------ */

/* Threads have met: struct schedule_ops. An interval ends there, and another begins. */
void run_intervals_next(void *opaque, uint64_t cycle);

/* Phase @phase begins: an interval ends there, and another begins. */
void run_intervals_phase(struct run *run, unsigned phase);

/* The last interval has ended: the recordings have all of them. */
void run_intervals_end(struct run *run);
void run_intervals_free(struct run *run);

/*
 * Length, work and threads of each interval; empty if they are not known. Return: a new reference.
 */
json_t *run_intervals_json(const struct run *run);

/* ---- program_heap.c ------------------------------------------------------------------------- */

/* A block of the heap was allocated or freed: struct schedule_ops. */
void run_heap_block(void *opaque, const struct schedule_block *block);

/* Write the program's allocations into every card's recording, and free them here. */
void run_heap_report(struct run *run);

/* ---- stack_frames.c ------------------------------------------------------------------------ */

/* A thread is in a function: struct schedule_ops. */
void run_frames_frame(void *opaque, const struct schedule_frame *frame);

/* Write the functions that the threads were in into every card's recording, and free them here. */
void run_frames_report(struct run *run);
void run_frames_free(struct run *run);

/* ---- object.c ------------------------------------------------------------------------------ */

/* Fill in @run->real and @run->called. */
void run_called_find(struct run *run);

/* The name in recordings of a file in the program's memory: the program has the name by which it
 * was called. */
const char *run_called(const struct run *run, const char *path);

/* Write the builds of the program's files into each card's recording. */
void run_objects_report(struct run *run);

/* ---- replay.c ------------------------------------------------------------------------------ */

/* Replay until the program has ended, or must be ended. */
void run_replay(struct run *run);

/* May this process run on several processors? */
bool run_several_processors(void);

/* End the program, which has not started its own code. */
void run_replay_abandon(struct run *run);

#endif /* RUN_SESSION_SESSION_INSIDE_H */
