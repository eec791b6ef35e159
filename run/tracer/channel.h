/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Channel: write the words of the calling thread into its channel.
 *
 * What lives here: functions that claim a channel, write words into it, publish the words, and end
 * the channel. For each access, the tracer writes a word into shared memory. The state for this is
 * in the first cache line of struct producer. This structure is in the channel itself, so that the
 * number of written words is known even after the process has died. Accesses and work are written
 * without a lock. Control records are written only by the thread itself, during system calls, and
 * with its lock held. May use include/run.
 */
#ifndef RUN_TRACER_CHANNEL_H
#define RUN_TRACER_CHANNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"

/*
 * After this number of words, the producer checks for room. If a thread makes no access, it reports
 * its work after this number of instructions.
 */
#define CHANNEL_BATCH 256U
#define CHANNEL_WORK (1U << 16)

/**
 * struct producer - The members of a channel from stream_channel.written on.
 * @written: number of words that were written
 * @limit: when @written has this value, the producer must publish its words and check for room
 * @words: the ring of words
 * @executed: number of instructions that the thread has executed, including all instructions of the
 *            current block
 * @last: value of @executed at the last record
 * @bound: when @executed reaches this value, the producer must report WORK
 * @control: number of written words that are part of control records
 * @left: number of accesses that were left out, by enum stream_left
 */
struct producer {
	_Atomic uint64_t written;
	uint64_t limit;
	uint64_t *words;
	uint64_t executed;
	uint64_t last;
	uint64_t bound;
	_Atomic uint64_t control;
	uint64_t spare;
	_Atomic uint64_t left[STREAM_LEFT_ROOM];
};

/**
 * struct thread - The part of a thread's state that is not in its channel.
 * @lock: held while control records are written, and while the thread is ended
 * @channel: the thread's channel; NULL: no channel was free
 * @producer: the producer's part of @channel, or separate memory if there is no channel
 * @begun: BEGIN was written
 * @quiet: until the key is known, report nothing but accesses
 * @key: the thread's key, for BEGIN
 * @from: instructions count if the value of @executed is at least this number; 0: instructions
 *        count from BEGIN on
 * @ended: END was written
 * @paused: nesting count; while it is above 0, futexes are not reported
 * @blocked: BLOCK was written, but UNBLOCK was not
 * @limit_ns: if @blocked is set, the longest time in nanoseconds that the call waits; 0: the time
 *            is not limited, or the limit is not known
 * @turns: number of ACQUIRE, SLEEP and WAIT records that were written
 * @awaits: address at which the result of the wait for the last turn must be stored; NULL: it is
 *          not stored
 * @answer: address at which the schedule's answer to the last turn must be stored; NULL: it is not
 *          stored
 * @interrupted: since the thread's last wait for a semaphore began, it has run a signal handler
 *               that can end this wait
 * @looks: name of a futex, if the thread has a turn in order to check whether it must wait at this
 *         futex; otherwise 0
 * @executes: EXEC was written, and the system call has not failed
 * @seen: value of mappings_seen() at the start of the system call
 * @child: key of the process that the system call creates; 0 if the preload library assigns the key
 * @copy: number of the new process; 0 if no number was free
 * @stack: lowest address of the stack; 0 if unknown
 * @stack_end: one past the highest address of the stack
 * @reported: stack frames that were reported: see stack_frames.c. A later thread reuses the memory
 * @callers: callers of the thread's last block: see callers.c. A later thread reuses the memory
 * @atomics: turns at atomic instructions: see atomics.c. A later thread reuses the memory
 * @handler: in rt_sigaction(2), the handler that is replaced; 0: none
 * @handler_before: in rt_sigaction(2), the handler that was set before
 * @args: arguments of the current system call
 */
struct thread {
	pthread_mutex_t lock;
	struct stream_channel *channel;
	struct producer *producer;
	bool begun;
	bool quiet;
	uint64_t key;
	uint64_t from;
	bool ended;
	unsigned int paused;
	bool blocked;
	uint64_t limit_ns;
	uint32_t turns;
	uint32_t *awaits;
	uint32_t *answer;
	bool interrupted;
	uint64_t looks;
	bool executes;
	uint64_t seen;
	uint64_t child;
	uint32_t copy;
	uint64_t stack;
	uint64_t stack_end;
	struct frames_reported *reported;
	struct callers *callers;
	struct atomics *atomics;
	uint64_t handler;
	uint64_t handler_before;
	uint64_t args[6];
};

extern struct stream_header *stream;

/*
 * The producer of the calling thread; never NULL. Before the first block of the thread, it is a
 * dummy, with which each block takes the slow path.
 */
extern __thread struct producer *channel_producer __attribute__((tls_model("initial-exec")));
extern __thread struct thread *channel_thread __attribute__((tls_model("initial-exec")));

/**
 * channel_attach() - Map the stream from file @fd.
 *
 * Return: 0; -EPROTO if the file is not a stream; -EPROTONOSUPPORT if the stream has another
 * version; -errno.
 */
int channel_attach(int fd);

/**
 * channel_claim() - If the calling thread has no channel, claim one.
 * @quiet: see struct thread
 *
 * Return: the thread.
 */
struct thread *channel_claim(bool quiet);

/**
 * channel_init() - Forget all channels. Call this function when the tracer starts, and in a forked
 * child, which inherits the state of its parent's channels.
 */
void channel_init(void);

/**
 * channel_continue() - After an execve(2), let the calling thread, which is the only thread of its
 * process, continue in channel @index. The other channels of this process end.
 * @turns: see struct thread
 */
void channel_continue(uint32_t index, uint32_t turns);

/**
 * channel_index() - Get the index of the thread's channel. The thread must have a channel.
 */
uint32_t channel_index(const struct thread *thread);

/**
 * channel_begin() - Write a BEGIN record with the thread's key, unless it was already written.
 */
void channel_begin(struct thread *thread);

/**
 * channel_record() - Write a control record, and publish it. If BEGIN was not written yet, it is
 * written first. Before the record, the work since the last record is written.
 * @words: the words of the record after the first one
 */
void channel_record(struct thread *thread, enum stream_op op, uint64_t value,
		    const uint64_t *words);

/**
 * channel_note() - Write a control record as channel_record() does, but do not publish it. It
 * becomes visible together with later words. Use this function for records for which no other
 * thread waits.
 */
void channel_note(struct thread *thread, enum stream_op op, uint64_t value, const uint64_t *words);

/**
 * channel_work() - Write a WORK record if the thread has executed instructions since the last
 * record.
 */
void channel_work(struct thread *thread);

/**
 * channel_forget() - Drop the count of the instructions that were executed since the last record.
 */
void channel_forget(struct thread *thread);

/**
 * channel_end() - Write an END record, and release the channel.
 */
void channel_end(struct thread *thread);

/**
 * channel_end_others() - End the channels of all other threads of the process. Call this function
 * after these threads have stopped running.
 */
void channel_end_others(void);

/* Hold the program until the reader lets it start. */
void channel_hold(void);

/**
 * channel_turn_given() - Check whether the reader has given the turn that the thread requested
 * last.
 */
bool channel_turn_given(const struct thread *thread);

/**
 * channel_await() - Wait for the turn that the thread requested with its last ACQUIRE, SLEEP or
 * WAIT, and store the answer in @thread->answer. The caller must not hold the thread's lock.
 * @optional: end the wait if a thread of this process is about to fork
 *
 * Return: enum stream_turn; 0 if a signal has arrived first, or may have arrived first, or if the
 * wait has ended because of a fork.
 */
uint32_t channel_await(struct thread *thread, bool optional);

/**
 * channels_wake() - Wake the threads of this process that wait for their turns, so that they check
 * again whether they may wait.
 */
void channels_wake(void);

/**
 * channels_written() - Get the number of words that all threads of the run have published. This
 * number changes as long as at least one of these threads runs.
 */
uint64_t channels_written(void);

/**
 * channel_alone() - Check whether the thread is the only thread of its process
 * (STREAM_ALONE_PROCESS), or the only thread of the run (STREAM_ALONE_RUN), as the reader has
 * reported. No other thread can then get a lock before this thread.
 */
bool channel_alone(const struct thread *thread, enum stream_alone level);

/**
 * channel_publish() - Make all written words visible to the reader, and make sure that there is
 * room for CHANNEL_BATCH more words. If there is no room, the function waits for the reader.
 *
 */
void channel_publish(struct producer *p);

/**
 * channel_block_slow() - Handle the first block of a thread, or a block that follows many
 * instructions for which the thread has written no record.
 */
void channel_block_slow(void);

/**
 * channel_access_slow() - Write the first access of a thread, or an access before which there was
 * more work than its word can hold.
 * @word: the word of the access, without the work
 * @at: value of @executed at the access
 */
void channel_access_slow(struct producer *p, uint64_t word, uint64_t at);

/* Count an access to memory that the tracer does not know. */
void channel_unknown(uint64_t address);

/* Count accesses of the thread that a rule excludes. */
static inline void channel_left(struct producer *p, enum stream_left reason, uint64_t accesses)
{
	uint64_t before = atomic_load_explicit(&p->left[reason], memory_order_relaxed);

	atomic_store_explicit(&p->left[reason], before + accesses, memory_order_relaxed);
}

/* Append a word to the ring. If @p->limit is reached, publish all words. */
static inline void channel_append(struct producer *p, uint64_t word)
{
	uint64_t at = atomic_load_explicit(&p->written, memory_order_relaxed);

	p->words[at & (STREAM_CHANNEL_WORDS - 1)] = word;
	atomic_store_explicit(&p->written, ++at, memory_order_relaxed);
	if (__builtin_expect(at == p->limit, 0))
		channel_publish(p);
}

/**
 * channel_written() - Get the number of words that the thread has written into its channel.
 */
static inline uint64_t channel_written(void)
{
	return atomic_load_explicit(&channel_producer->written, memory_order_relaxed);
}

#endif /* RUN_TRACER_CHANNEL_H */
