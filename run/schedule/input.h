/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Input: reads the words of one channel.
 *
 * What lives here: the state that the reader keeps for a channel of the stream, and memory for
 * words that the reader has moved out of the channel but not replayed yet. Each channel has only
 * one reader. This file may use include/run/stream.h, futex(2) to wake the producer, and the C
 * library except <stdio.h>.
 *
 * The producer can write anything at any time. For this reason, the reader loads each word only
 * once, and checks the loaded value.
 */
#ifndef RUN_SCHEDULE_INPUT_H
#define RUN_SCHEDULE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <run/stream.h>

struct thread;

#define INPUT_MASK (STREAM_CHANNEL_WORDS - 1) /* mask of an index into the ring */

enum input_use {
	INPUT_UNUSED, /* as far as the reader knows, no thread has claimed the channel */
	/* a thread has claimed the channel, but the reader does not know the thread yet */
	INPUT_PENDING,
	INPUT_ATTACHED, /* the channel belongs to the thread in the member @thread */
	INPUT_CLOSING, /* the last word was read, but the channel is not free yet */
};

/**
 * struct input - A channel, with the state of its reader.
 * @channel: the channel in shared memory
 * @ring: the words of the channel
 * @use: enum input_use
 * @dead: the producer's process has ended, so the producer writes no more words
 * @announced: the thread's BEGIN record was read, so @pid, @tid and @key are known
 * @pid: process id of the thread
 * @tid: the system's id of the thread
 * @key: key of the thread
 * @thread: the thread
 * @head: number of words that the producer had written when the reader last read this number
 * @tail: number of words that were removed from the channel
 * @published: the value of @tail that was last published to the producer
 * @turned: since this member was last set to false, the producer has received a turn for which it
 *          had waited
 * @spill: words that were moved out of the channel; they precede the words in the channel
 * @spill_first: index of the first word in @spill
 * @spill_end: one past the index of the last word in @spill
 * @spill_capacity: number of words for which @spill has room
 */
struct input {
	struct stream_channel *channel;
	uint64_t *ring;
	enum input_use use;
	bool dead;
	bool announced;
	uint32_t pid;
	uint32_t tid;
	uint64_t key;
	struct thread *thread;
	uint64_t head;
	uint64_t tail;
	uint64_t published;
	bool turned;
	uint64_t *spill;
	size_t spill_first;
	size_t spill_end;
	size_t spill_capacity;
};

/* Load a word of shared memory once. */
static inline uint64_t input_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/**
 * input_begin() - Prepare to read a channel that a thread has just claimed.
 */
void input_begin(struct input *input);

/**
 * input_refresh() - Read from shared memory how many words the producer has written.
 *
 * Return: 0; -EPROTO if the number is invalid.
 */
int input_refresh(struct input *input);

/**
 * input_stirs() - Check whether the producer has written more words since the last input_refresh().
 */
static inline bool input_stirs(const struct input *input)
{
	return atomic_load_explicit(&input->channel->head, memory_order_relaxed) != input->head;
}

/**
 * input_available() - Get the number of words that can be read without another input_refresh().
 */
static inline uint64_t input_available(const struct input *input)
{
	return input->spill_end - input->spill_first + (input->head - input->tail);
}

/**
 * input_span() - Get the longest sequence of words to read next that is contiguous in memory.
 * @count: receives the number of words in the sequence, which can be 0
 */
static inline const uint64_t *input_span(const struct input *input, size_t *count)
{
	uint64_t first = input->tail & INPUT_MASK;
	uint64_t words = input->head - input->tail;

	if (input->spill_first < input->spill_end) {
		*count = input->spill_end - input->spill_first;
		return input->spill + input->spill_first;
	}
	*count = words < STREAM_CHANNEL_WORDS - first ? words : STREAM_CHANNEL_WORDS - first;
	return input->ring + first;
}

/**
 * input_peek() - Copy the next @count words, which must be available.
 */
void input_peek(const struct input *input, uint64_t *words, size_t count);

/**
 * input_take() - Remove the next @count words, which must be available.
 */
static inline void input_take(struct input *input, size_t count)
{
	size_t spilled = input->spill_end - input->spill_first;

	if (count < spilled) {
		input->spill_first += count;
		return;
	}
	input->spill_first = 0;
	input->spill_end = 0;
	input->tail += count - spilled;
}

/**
 * input_publish() - Publish to the producer which words were removed. If the producer waits for
 * room, wake it.
 */
void input_publish(struct input *input);

/**
 * input_full() - Check whether the producer waits for room in the channel.
 */
bool input_full(const struct input *input);

/**
 * input_spill() - Move words out of the channel into input->spill, to make room for the producer.
 * @limit: the largest number of words to move
 *
 * Return: the number of words that were moved; -ENOMEM.
 */
int64_t input_spill(struct input *input, uint64_t limit);

/**
 * input_turn() - Give the producer the turn with the number @turn, and an answer.
 */
void input_turn(struct input *input, uint32_t turn, enum stream_answer answer);

/**
 * input_alone() - Report to the producer whether it is the only thread. @alone: STREAM_ALONE(), or
 * 0.
 */
void input_alone(const struct input *input, uint32_t alone);

/**
 * input_want() - Set the kinds of words for which the producer must wake the reader.
 */
void input_want(const struct input *input, enum stream_wanted wanted);

/**
 * input_waits() - Check whether the producer waits for a turn.
 */
bool input_waits(const struct input *input);

/**
 * input_interrupted() - Get the number of the request for a turn whose wait a signal handler has
 * ended; 0: there is no such request.
 */
uint32_t input_interrupted(const struct input *input);

/**
 * input_accesses() - Get the number of accesses that the producer has written, from the producer's
 * own counters.
 */
uint64_t input_accesses(const struct input *input);

/**
 * input_close() - Stop reading the channel, and discard its remaining words.
 *
 * Return: true if the channel is free now; false if the function must be called again later.
 */
bool input_close(struct input *input);

void input_free(struct input *input);

#endif /* RUN_SCHEDULE_INPUT_H */
