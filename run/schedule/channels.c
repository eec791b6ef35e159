/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Channels: assigns channels to threads, and releases them. This file may use schedule_inside.h. */
#include <errno.h>
#include <string.h>

#include "schedule_inside.h"
#include "text.h"

#define BEGIN_WORDS 3U

/*
 * The limits of process ids. Process 1 of a system is never a traced program, and no system has ids
 * above PID_MAX.
 */
#define PID_MIN 2U
#define PID_MAX 4194304U

static int channel_broken(struct schedule *schedule, const struct input *input)
{
	struct text text = {{0}, 0};

	text_add(&text, "channel ");
	text_number(&text, (uint64_t)(input - schedule->inputs));
	text_add(&text, " is invalid");
	return notice_protocol(schedule, NULL, text.bytes);
}

void channels_close(struct schedule *schedule, struct input *input)
{
	if (input->use == INPUT_PENDING)
		schedule->pending--;
	schedule->spilled -= input->spill_end - input->spill_first;
	input->spill_first = 0;
	input->spill_end = 0;
	input->thread = NULL;
	if (!input_close(input))
		schedule->closing++;
}

/* Assign a channel to a thread. Return: 0; -ENOMEM; -EUSERS if there are too many processes. */
static int input_attach(struct schedule *schedule, struct input *input, struct thread *thread)
{
	struct process *process = process_find(schedule, input->pid);

	if (!process)
		return schedule->processes.used > SCHEDULE_PROCESSES_MAX ? processes_full(schedule)
									 : -ENOMEM;
	input->use = INPUT_ATTACHED;
	input->thread = thread;
	thread->input = input;
	thread->process = process;
	process->alive++;
	thread_came(thread);
	/* The system may have used the id of a process that has ended for a new process. */
	if (!input->dead) {
		process->dead = false;
		process->exited = false;
	}
	schedule->pending--;
	return 0;
}

/* If the first record of a channel has arrived, read it. Return: 0 or -errno. */
static int input_announce(struct schedule *schedule, struct input *input)
{
	uint64_t words[BEGIN_WORDS], pid;

	if (input_available(input) < BEGIN_WORDS)
		return 0;
	input_peek(input, words, BEGIN_WORDS);
	if ((words[0] >> STREAM_KIND_SHIFT & STREAM_KIND) != STREAM_CONTROL ||
	    (words[0] >> STREAM_OP_SHIFT & STREAM_OP) != STREAM_BEGIN)
		return channel_broken(schedule, input);
	pid = words[0] & STREAM_ADDRESS;
	/*
	 * The key must not be larger than a key that the record of the thread's creation can
	 * contain.
	 */
	if (pid < PID_MIN || pid > PID_MAX || words[1] > STREAM_ADDRESS)
		return channel_broken(schedule, input);
	input->announced = true;
	input->pid = (uint32_t)pid;
	input->key = words[1];
	input->tid = (uint32_t)words[2];
	return 0;
}

/* Create a thread for a channel whose thread's creation was not reported. */
static int input_adopt(struct schedule *schedule, struct input *input)
{
	bool first = schedule->threads_count == 0;
	struct thread *thread;
	int err;

	schedule_reconsider(schedule);
	err = thread_create(schedule, input->key, NULL, false, schedule->now, &thread);
	if (err == 0)
		err = input_attach(schedule, input, thread);
	if (err < 0)
		return err;
	if (first) {
		schedule->first = thread->process;
		return 0;
	}
	thread->adopted = input->key != 0;
	schedule->statistics.unannounced++;
	notice_once(
		schedule, SCHEDULE_NOTICE_UNANNOUNCED,
		"a thread began that the program did not create by pthread_create() or fork(): the "
		"host determines its position in the order");
	return 0;
}

/* Find the thread that uses a channel, and assign the channel to it. Return: 0 or -errno. */
static int input_match(struct schedule *schedule, struct input *input)
{
	struct thread *thread;
	int err = 0;

	if (!input->announced)
		err = input_announce(schedule, input);
	if (err < 0 || !input->announced)
		return err;
	if (input->key != 0) {
		thread = table_find(&schedule->keys, input->key);
		if (thread && (thread->input || thread->began || thread->state == THREAD_ENDED))
			return channel_broken(schedule, input);
		/*
		 * If the thread is not known, it is the first thread of the run, or its creation
		 * was not replayed yet.
		 */
		if (thread)
			return input_attach(schedule, input, thread);
		return schedule->threads_count == 0 ? input_adopt(schedule, input) : 0;
	}
	return input_adopt(schedule, input);
}

static int input_scan(struct schedule *schedule, struct input *input)
{
	uint32_t state = atomic_load_explicit(&input->channel->state, memory_order_acquire);

	if (input->use == INPUT_UNUSED && state != STREAM_FREE_CHANNEL) {
		input_begin(input);
		schedule->pending++;
		if ((size_t)(input - schedule->inputs) >= schedule->inputs_end)
			schedule->inputs_end = (size_t)(input - schedule->inputs) + 1;
	}
	if (input->use == INPUT_CLOSING && input_close(input))
		schedule->closing--;
	if (input->use != INPUT_PENDING)
		return 0;
	if (input_refresh(input) < 0)
		return channel_broken(schedule, input);
	/* The thread's process has ended after the thread claimed the channel. */
	if (input_available(input) < BEGIN_WORDS && !input->announced &&
	    (input->dead || schedule->finishing)) {
		/* A thread that still runs keeps its channel. */
		channels_close(schedule, input);
		return 0;
	}
	return input_match(schedule, input);
}

int channels_scan(struct schedule *schedule)
{
	uint32_t claimed = atomic_load_explicit(&schedule->header->claimed, memory_order_acquire);

	/*
	 * Search only if a channel has changed, because checking a thousand channels takes longer
	 * than a thread needs to reach its next request.
	 */
	if (claimed == schedule->claimed && schedule->pending == 0 && schedule->closing == 0)
		return 0;
	schedule->claimed = claimed;
	for (size_t i = 0; i < STREAM_CHANNELS; i++) {
		int err = input_scan(schedule, &schedule->inputs[i]);

		if (err < 0)
			return err;
	}
	return 0;
}

int channels_attach(struct schedule *schedule, struct thread *thread)
{
	for (size_t i = 0; schedule->pending > 0 && i < schedule->inputs_end; i++) {
		struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_PENDING && input->announced && input->key == thread->key)
			return input_attach(schedule, input, thread);
	}
	return 0;
}

int channels_adopt(struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_PENDING && input->announced) {
			int err = input_adopt(schedule, input);

			return err < 0 ? err : 1;
		}
	}
	return 0;
}

void channels_taken(struct schedule *schedule, struct input *input, size_t count)
{
	size_t before = input->spill_end - input->spill_first;

	input_take(input, count);
	schedule->spilled -= before - (input->spill_end - input->spill_first);
	/*
	 * Publish the tail only rarely, because each publication causes a cache miss in the
	 * producer.
	 */
	if (input->tail - input->published >= STREAM_CHANNEL_WORDS / 8)
		input_publish(input);
}

int channels_spill(struct schedule *schedule)
{
	uint64_t limit = schedule->config.spill_bytes / 8;
	int64_t moved = 0;

	for (size_t i = 0; i < schedule->inputs_end; i++) {
		struct input *input = &schedule->inputs[i];
		int64_t words;

		if ((input->use != INPUT_ATTACHED && input->use != INPUT_PENDING) ||
		    !input_full(input))
			continue;
		if (input_refresh(input) < 0)
			return channel_broken(schedule, input);
		words = input_spill(input, limit - schedule->spilled);
		if (words < 0)
			return (int)words;
		schedule->spilled += (uint64_t)words;
		moved += words;
	}
	if (schedule->spilled * 8 > schedule->statistics.spilled_bytes)
		schedule->statistics.spilled_bytes = schedule->spilled * 8;
	return moved > 0;
}

void channels_publish(struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		if (schedule->inputs[i].use == INPUT_ATTACHED)
			input_publish(&schedule->inputs[i]);
	}
}
