/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Input: reads the words of a channel. This file may use input.h. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <base/array.h>

#include "input.h"

/*
 * A producer can wait for room in its channel. As long as the reader still has words to read, it
 * wakes the producer only if there is room for at least this number of words.
 */
#define ROOM_WORTH (STREAM_CHANNEL_WORDS / 4)

void input_begin(struct input *input)
{
	input->use = INPUT_PENDING;
	input->dead = false;
	input->announced = false;
	input->thread = NULL;
	input->turned = false;
	input->head = 0;
	input->tail = 0;
	input->published = 0;
	input->spill_first = 0;
	input->spill_end = 0;
}

int input_refresh(struct input *input)
{
	/*
	 * This load pairs with the producer's release store of head. After it, all words before
	 * head are visible.
	 */
	uint64_t head = atomic_load_explicit(&input->channel->head, memory_order_acquire);

	/* The process has ended. Read the words that it has written but not published too. */
	if (input->dead) {
		uint64_t written =
			atomic_load_explicit(&input->channel->written, memory_order_acquire);

		if (written > head && written - input->tail <= STREAM_CHANNEL_WORDS)
			head = written;
	}
	if (head < input->head || head - input->tail > STREAM_CHANNEL_WORDS)
		return -EPROTO;
	input->head = head;
	return 0;
}

void input_peek(const struct input *input, uint64_t *words, size_t count)
{
	size_t spilled = input->spill_end - input->spill_first;

	for (size_t i = 0; i < count; i++)
		words[i] =
			i < spilled
				? input->spill[input->spill_first + i]
				: input_load(
					  &input->ring[(input->tail + i - spilled) & INPUT_MASK]);
}

static void producer_wake(struct input *input)
{
	atomic_store_explicit(&input->channel->full, 0, memory_order_seq_cst);
	syscall(SYS_futex, &input->channel->full, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool input_full(const struct input *input)
{
	return atomic_load_explicit(&input->channel->full, memory_order_relaxed) != 0;
}

void input_publish(struct input *input)
{
	if (input->published != input->tail) {
		/*
		 * This store allows the producer to overwrite the words, so they must be read
		 * before it.
		 */
		atomic_store_explicit(&input->channel->tail, input->tail, memory_order_release);
		input->published = input->tail;
	}
	/*
	 * The producer stores full and after that loads tail. This thread stores tail and after
	 * that loads full. With this fence, either the producer sees the new tail, or this thread
	 * sees full.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (input_full(input) && (input->head == input->tail ||
				  STREAM_CHANNEL_WORDS - (input->head - input->tail) >= ROOM_WORTH))
		producer_wake(input);
}

/* Make sure that input->spill has space for @count more words. */
static int spill_make_room(struct input *input, size_t count)
{
	size_t used = input->spill_end - input->spill_first;

	if (input->spill_first > 0) {
		memmove(input->spill, input->spill + input->spill_first,
			used * sizeof(*input->spill));
		input->spill_first = 0;
		input->spill_end = used;
	}
	return array_reserve(&input->spill, &input->spill_capacity, used + count,
			     sizeof(*input->spill));
}

int64_t input_spill(struct input *input, uint64_t limit)
{
	uint64_t count = input->head - input->tail;

	if (count > limit)
		count = limit;
	if (count == 0)
		return 0;
	if (spill_make_room(input, count) < 0)
		return -ENOMEM;
	for (uint64_t i = 0; i < count; i++)
		input->spill[input->spill_end++] =
			input_load(&input->ring[input->tail++ & INPUT_MASK]);
	input_publish(input);
	return (int64_t)count;
}

void input_turn(struct input *input, uint32_t turn, enum stream_answer answer)
{
	/* A producer that is the only thread does not wait for its turn. */
	input->turned = !atomic_load_explicit(&input->channel->alone, memory_order_relaxed);
	atomic_store_explicit(&input->channel->answer, answer, memory_order_relaxed);
	atomic_store_explicit(&input->channel->turn, turn, memory_order_seq_cst);
	/*
	 * The producer stores waits and after that loads turn. This thread stores turn and after
	 * that loads waits. Either the producer sees the new turn, or this thread sees waits.
	 */
	if (atomic_load_explicit(&input->channel->waits, memory_order_seq_cst) != 0)
		syscall(SYS_futex, &input->channel->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void input_alone(const struct input *input, uint32_t alone)
{
	atomic_store_explicit(&input->channel->alone, alone, memory_order_relaxed);
}

void input_want(const struct input *input, enum stream_wanted wanted)
{
	/*
	 * Store the value only if it has changed, because a store causes a cache miss in the
	 * producer.
	 */
	if (atomic_load_explicit(&input->channel->wanted, memory_order_relaxed) != wanted)
		atomic_store_explicit(&input->channel->wanted, wanted, memory_order_relaxed);
}

bool input_waits(const struct input *input)
{
	return atomic_load_explicit(&input->channel->waits, memory_order_relaxed) != 0;
}

uint32_t input_interrupted(const struct input *input)
{
	return atomic_load_explicit(&input->channel->interrupted, memory_order_relaxed);
}

uint64_t input_accesses(const struct input *input)
{
	uint64_t written = atomic_load_explicit(&input->channel->written, memory_order_acquire);
	uint64_t control = atomic_load_explicit(&input->channel->control, memory_order_acquire);

	return written > control ? written - control : 0;
}

bool input_close(struct input *input)
{
	struct stream_channel *channel = input->channel;

	input->use = INPUT_CLOSING;
	/*
	 * The producer may be waiting for room, although its words will not be read. Remove all
	 * words, so that the producer continues.
	 */
	if (input_refresh(input) == 0)
		input->tail = input->head;
	input_publish(input);
	if (!input->dead &&
	    atomic_load_explicit(&channel->state, memory_order_acquire) == STREAM_OPEN)
		return false;
	free(input->spill);
	input->spill = NULL;
	input->spill_capacity = 0;
	input->use = INPUT_UNUSED;
	atomic_store_explicit(&channel->full, 0, memory_order_relaxed);
	atomic_store_explicit(&channel->pid, 0, memory_order_relaxed);
	atomic_store_explicit(&channel->head, 0, memory_order_relaxed);
	atomic_store_explicit(&channel->tail, 0, memory_order_relaxed);
	atomic_store_explicit(&channel->written, 0, memory_order_relaxed);
	atomic_store_explicit(&channel->control, 0, memory_order_relaxed);
	/* Free the channel last, because a thread that claims the channel must find it empty. */
	atomic_store_explicit(&channel->state, STREAM_FREE_CHANNEL, memory_order_release);
	return true;
}

void input_free(struct input *input)
{
	free(input->spill);
	input->spill = NULL;
}
