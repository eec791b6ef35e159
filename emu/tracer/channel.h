/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The calling thread's channel: claimed, written, published, ended.
 *
 * What lives here: the path of an access to a word in shared memory. The state that an access needs
 * is one cache line (struct producer) in the channel itself, so that the number of written words
 * survives the process. Only the thread itself writes control records, from system calls, with its
 * lock held; accesses and work need no lock. May use include/trace.
 */
#ifndef TRACER_CHANNEL_H
#define TRACER_CHANNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

/*
 * Words between two looks at the room left; and instructions without an access until WORK is
 * reported.
 */
#define CHANNEL_BATCH 256U
#define CHANNEL_WORK (1U << 16)

/**
 * struct producer - What lies from stream_channel.written on.
 * @written: words
 * @limit: words at which to publish and to look for room
 * @words: the ring
 * @executed: instructions, those of the block included that is just being executed
 * @last: instructions up to the last record
 * @bound: instructions at which to report WORK
 * @control: of the words, those of control records
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
};

/**
 * struct thread - What else is to be known of a thread.
 * @lock: held while control records are written, and by the code that ends the thread
 * @channel: its channel, NULL if there was none available
 * @producer: in the channel, or of no channel
 * @begun: BEGIN is written
 * @quiet: nothing but accesses is reported until its key is known
 * @key: of the thread, for BEGIN
 * @from: instructions before those that count, 0: those before BEGIN
 * @ended: END is written
 * @paused: futexes are not reported; a count
 * @blocked: BLOCK is written and UNBLOCK is not
 * @turns: ACQUIRE, SLEEP and WAIT records written
 * @awaits: where to say how waiting for the turn of the last of them ended, or NULL
 * @answer: where to write the answer to that, or NULL
 * @executes: EXEC is written, and the system call has not failed yet
 * @seen: mappings_seen() when the system call began
 * @child: key of the process that the system call makes, 0 if the program's side gives it one
 * @stack: lowest address of its stack, 0 if not known
 * @stack_end: one past the highest
 * @reported: frames that were reported: see stack_frames.c; kept for the next thread
 * @atomics: turns that it had at atomic instructions: see atomics.c; likewise
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
	uint32_t turns;
	uint32_t *awaits;
	uint32_t *answer;
	bool executes;
	uint64_t seen;
	uint64_t child;
	uint64_t stack;
	uint64_t stack_end;
	struct frames_reported *reported;
	struct atomics *atomics;
	/* The system call that the thread is in. */
	uint64_t args[6];
};

extern struct stream_header *stream;

/* Never NULL: before a thread's first block a producer whose every block takes the slow way. */
extern __thread struct producer *channel_producer __attribute__((tls_model("initial-exec")));
extern __thread struct thread *channel_thread __attribute__((tls_model("initial-exec")));

/**
 * channel_attach() - Map the memory of file @fd. Return: 0, -errno, or -EPROTO if it is not a
 * stream, -EPROTONOSUPPORT if it is one of another version.
 */
int channel_attach(int fd);

/**
 * channel_claim() - Get a channel for the calling thread, if it has none.
 * @quiet: see struct thread
 */
struct thread *channel_claim(bool quiet);

/**
 * channel_init() - No thread has a channel: at the start, and in a child process, which has
 * inherited what is its parent's.
 */
void channel_init(void);

/**
 * channel_begin() - Write BEGIN, if it is not yet written, with the thread's key.
 */
void channel_begin(struct thread *thread);

/**
 * channel_record() - Write a control record, with the work before it and BEGIN if need be, and
 * publish it.
 * @words: those after the first, as many as the record has
 */
void channel_record(struct thread *thread, enum stream_op op, uint64_t value,
		    const uint64_t *words);

/**
 * channel_work() - Write WORK for what was executed since the last record, if anything.
 */
void channel_work(struct thread *thread);

/**
 * channel_forget() - What was executed since the last record is not counted.
 */
void channel_forget(struct thread *thread);

/**
 * channel_end() - Write END and give the channel back.
 */
void channel_end(struct thread *thread);

/**
 * channel_end_others() - The same for all others of the process, none of which executes any more.
 */
void channel_end_others(void);

/**
 * channel_await() - Wait for the turn of the thread's last ACQUIRE, SLEEP or WAIT, and write the
 * answer.
 *
 * Must be called without its lock. Return: enum stream_turn; 0 if a signal came first, or may have.
 */
uint32_t channel_await(struct thread *thread);

/**
 * channel_publish() - Make all words visible, and have room for CHANNEL_BATCH.
 *
 * May wait for the reader.
 */
void channel_publish(struct producer *p);

/**
 * channel_block_slow() - A thread's first block, or one after a long time without a record.
 */
void channel_block_slow(void);

/**
 * channel_access_slow() - A thread's first access, or one after more work than its word can report.
 * @word: without work
 * @at: instructions up to the access
 */
void channel_access_slow(struct producer *p, uint64_t word, uint64_t at);

/* Append a word that accesses @p's memory only. */
static inline void channel_append(struct producer *p, uint64_t word)
{
	uint64_t at = atomic_load_explicit(&p->written, memory_order_relaxed);

	p->words[at & (STREAM_CHANNEL_WORDS - 1)] = word;
	atomic_store_explicit(&p->written, ++at, memory_order_relaxed);
	if (__builtin_expect(at == p->limit, 0))
		channel_publish(p);
}

#endif /* TRACER_CHANNEL_H */
