/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Wait for words: makes the reader wait for new words in the channels.
 *
 * What lives here: the check whether any channel has new words with which the replay can continue,
 * after schedule_run() has found nothing to replay; and the sleep until a channel has such words.
 * This file may use schedule_inside.h and futex(2).
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "schedule_inside.h"

/*
 * The shortest time-out of a sleep, in nanoseconds, after the current thread has received a turn.
 * The thread's words end this sleep. With a time-out that is shorter than the kernel's tick, the
 * kernel would set the processor's timer before and after each sleep. In a virtual machine, this
 * takes longer than both wake-ups of a turn.
 */
#define TURN_NS 10000000U

/*
 * Check whether the replay could continue with new words of a channel. It could not if the channel
 * already has words that the replay cannot use yet.
 */
static bool input_matters(const struct schedule *schedule, const struct input *input)
{
	if (input->use == INPUT_PENDING)
		return !input->announced;
	if (input->use != INPUT_ATTACHED || input_available(input) > 0)
		return false;
	return schedule->current == input->thread || input->thread->state == THREAD_LATE ||
	       input->thread->state == THREAD_AT_REST;
}

bool schedule_stirs(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		const struct input *input = &schedule->inputs[i];

		if (input_stirs(input) && input_matters(schedule, input))
			return true;
	}
	return atomic_load_explicit(&schedule->header->claimed, memory_order_relaxed) !=
	       schedule->claimed;
}

bool schedule_hurries(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		const struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_ATTACHED && (input->turned || input_waits(input)))
			return true;
	}
	return false;
}

/*
 * Inform each producer for which words it must wake the reader. The producer of a channel that is
 * claimed later sets this itself. If no thread waits for the replay, accesses may arrive in
 * batches.
 */
static void inputs_want(const struct schedule *schedule)
{
	enum stream_wanted most =
		schedule_hurries(schedule) ? STREAM_WANTED_ALL : STREAM_WANTED_RECORDS;

	for (size_t i = 0; i < schedule->inputs_end; i++) {
		struct input *input = &schedule->inputs[i];
		enum stream_wanted wanted = STREAM_WANTED_NOT;

		input->turned = false;
		if (input_matters(schedule, input))
			wanted = input->use == INPUT_PENDING ? STREAM_WANTED_ALL : most;
		if (input->use != INPUT_UNUSED)
			input_want(input, wanted);
	}
}

/* Check whether the current thread has just received a turn and does not wait in the kernel. */
static bool current_continues(const struct schedule *schedule)
{
	const struct thread *thread = schedule->current;

	return thread && thread->input && thread->input->turned && !thread->blocked;
}

void schedule_wait(struct schedule *schedule, uint64_t ns)
{
	_Atomic uint32_t *asleep = &schedule->header->asleep;
	struct timespec time;

	if (ns < TURN_NS && current_continues(schedule))
		ns = TURN_NS;
	time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000U),
				 .tv_nsec = (long)(ns % 1000000000U)};

	inputs_want(schedule);
	atomic_store(asleep, 1);
	/*
	 * A producer stores head and after that loads asleep. This thread stores asleep and after
	 * that loads head. With this fence, either the producer sees that the reader sleeps, or
	 * this thread sees the new head.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (!schedule_stirs(schedule))
		syscall(SYS_futex, asleep, FUTEX_WAIT, 1, &time, NULL, 0);
	atomic_store_explicit(asleep, 0, memory_order_relaxed);
}
