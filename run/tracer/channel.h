/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The calling thread's channel: how it is claimed, written, published and ended.
 *
 * What lives here: the path of an access to a word in shared memory. The state that an access needs
 * is in one cache line, the first of struct producer. It is in the channel itself, so that the
 * number of written words survives the process. Only the thread itself writes control records, from
 * system calls, with its lock held. Accesses and work need no lock. May use include/run.
 */
#ifndef RUN_TRACER_CHANNEL_H
#define RUN_TRACER_CHANNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"

/*
 * The number of words written between two checks for room, and the number of instructions without
 * an access before WORK is reported.
 */
#define CHANNEL_BATCH 256U
#define CHANNEL_WORK (1U << 16)

/**
 * struct producer - The layout of a channel from stream_channel.written on.
 * @written: number of words that were written
 * @limit: value of @written at which to publish and to check for room
 * @words: the ring
 * @executed: instructions executed, including all of the current block
 * @last: value of @executed at the last record
 * @bound: value of @executed at which to report WORK
 * @control: number of words in control records
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
 * struct thread - The rest of a thread's state.
 * @lock: held while control records are written, and by the code that ends the thread
 * @channel: the thread's channel; NULL if none was available
 * @producer: its state in the channel, or in a scratch area if it has no channel
 * @begun: BEGIN has been written
 * @quiet: report only accesses until the key is known
 * @key: the thread's key, for BEGIN
 * @from: value of @executed where counting began; 0: counting begins at BEGIN
 * @ended: END has been written
 * @paused: do not report futexes while this nesting count is above 0
 * @blocked: BLOCK has been written and UNBLOCK has not
 * @limit_ns: the longest time that the call waits, if @blocked; 0: no limit, or unknown
 * @turns: number of ACQUIRE, SLEEP and WAIT records that were written
 * @awaits: where to store how the wait for the turn of the last of these records ended, or NULL
 * @answer: where to store the answer to the last of these records, or NULL
 * @looks: name of the futex at which the thread has its turn to check whether it must wait; 0: it
 *         has no such turn
 * @executes: EXEC has been written and the system call has not failed
 * @seen: value of mappings_seen() at the start of the system call
 * @child: key of the process that the system call creates; 0 if the preload library assigns the key
 * @copy: number of the new process; 0 if no number is left
 * @stack: lowest address of the stack; 0 if unknown
 * @stack_end: one past the highest address of the stack
 * @reported: frames that were reported: see stack_frames.c; the next thread reuses the memory
 * @callers: callers of its blocks: see callers.c; the next thread reuses the memory
 * @atomics: turns at atomic instructions: see atomics.c; the next thread reuses the memory
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
	/* Arguments of the current system call. */
	uint64_t args[6];
};

extern struct stream_header *stream;

/*
 * Never NULL. Before a thread's first block this points to a producer for which every block takes
 * the slow path.
 */
extern __thread struct producer *channel_producer __attribute__((tls_model("initial-exec")));
extern __thread struct thread *channel_thread __attribute__((tls_model("initial-exec")));

/**
 * channel_attach() - Map the stream in file @fd. Return: 0, -EPROTO if the file is not a stream,
 * -EPROTONOSUPPORT if the stream has another version, or -errno.
 */
int channel_attach(int fd);

/**
 * channel_claim() - Assign a channel to the calling thread unless it has one.
 * @quiet: see struct thread
 */
struct thread *channel_claim(bool quiet);

/**
 * channel_init() - Forget all channels: at the start, and in a child process, which inherits its
 * parent's channels.
 */
void channel_init(void);

/**
 * channel_continue() - The calling thread, the only one of its process, continues in channel @index
 * after an execve(2). The other channels that its process has left end.
 * @turns: see struct thread
 */
void channel_continue(uint32_t index, uint32_t turns);

/**
 * channel_index() - Get the number of the thread's channel, which must exist.
 */
uint32_t channel_index(const struct thread *thread);

/**
 * channel_begin() - Write BEGIN with the thread's key unless it has been written.
 */
void channel_begin(struct thread *thread);

/**
 * channel_record() - Write BEGIN if it is missing, the work since the last record, and a control
 * record. Publish all of them.
 * @words: the words of the record after the first
 */
void channel_record(struct thread *thread, enum stream_op op, uint64_t value,
		    const uint64_t *words);

/**
 * channel_note() - The same, but the words become visible only with the words that follow: no other
 * thread waits for them.
 */
void channel_note(struct thread *thread, enum stream_op op, uint64_t value, const uint64_t *words);

/**
 * channel_work() - Write WORK for the instructions executed since the last record, if any.
 */
void channel_work(struct thread *thread);

/**
 * channel_forget() - Do not count the instructions executed since the last record.
 */
void channel_forget(struct thread *thread);

/**
 * channel_end() - Write END and release the channel.
 */
void channel_end(struct thread *thread);

/**
 * channel_end_others() - End the channels of all other threads of the process, which no longer run.
 */
void channel_end_others(void);

/* Wait until the reader lets the program start. */
void channel_hold(void);

/**
 * channel_await() - Wait for the turn of the thread's last ACQUIRE, SLEEP or WAIT, and write the
 * answer.
 *
 * The caller must not hold the thread's lock. Return: enum stream_turn; 0 if a signal has arrived
 * first, or may have arrived.
 */
uint32_t channel_await(struct thread *thread);

/**
 * channels_written() - Get the number of words that all threads of the run have written: it changes
 * as long as one of them runs.
 */
uint64_t channels_written(void);

/**
 * channel_alone() - Has the reader reported that the thread is the only one of its process
 * (STREAM_ALONE_PROCESS), or of the run (STREAM_ALONE_RUN)? Then no other thread can get a lock
 * before it.
 */
bool channel_alone(const struct thread *thread, enum stream_alone level);

/**
 * channel_publish() - Make all words visible to the reader, and ensure room for CHANNEL_BATCH
 * words.
 *
 * The function may wait for the reader.
 */
void channel_publish(struct producer *p);

/**
 * channel_block_slow() - Handle a thread's first block, or a block after many instructions without
 * a record.
 */
void channel_block_slow(void);

/**
 * channel_access_slow() - Write a thread's first access, or an access after more work than its word
 * can hold.
 * @word: the access without its work field
 * @at: value of @executed at the access
 */
void channel_access_slow(struct producer *p, uint64_t word, uint64_t at);

/* Count an access to memory that is unknown to the tracer. */
void channel_unknown(uint64_t address);

/* Count accesses of the thread that are left out. */
static inline void channel_left(struct producer *p, enum stream_left reason, uint64_t accesses)
{
	uint64_t before = atomic_load_explicit(&p->left[reason], memory_order_relaxed);

	atomic_store_explicit(&p->left[reason], before + accesses, memory_order_relaxed);
}

/* Append a word that changes only @p's memory. */
static inline void channel_append(struct producer *p, uint64_t word)
{
	uint64_t at = atomic_load_explicit(&p->written, memory_order_relaxed);

	p->words[at & (STREAM_CHANNEL_WORDS - 1)] = word;
	atomic_store_explicit(&p->written, ++at, memory_order_relaxed);
	if (__builtin_expect(at == p->limit, 0))
		channel_publish(p);
}

/**
 * channel_written() - Return the number of words in the thread's channel.
 */
static inline uint64_t channel_written(void)
{
	return atomic_load_explicit(&channel_producer->written, memory_order_relaxed);
}

#endif /* RUN_TRACER_CHANNEL_H */
