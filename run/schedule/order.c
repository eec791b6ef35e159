/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Order: continues the replay when it cannot follow the order of the clocks, temporarily or
 * permanently.
 *
 * What lives here: the code that handles five cases. The current thread has no words. A thread
 * without which the replay has continued has words again. A signal handler has ended a wait. A
 * resting thread has words again. No thread is ready. This file may use schedule_inside.h, lock.h,
 * condition.h and barrier.h.
 */
#include <errno.h>

#include "barrier.h"
#include "condition.h"
#include "lock.h"
#include "schedule_inside.h"
#include "role.h"

/*
 * The numbers of attempts after which a current thread that has written nothing is assumed to wait
 * on the host for a thread that cannot continue.
 */
#define VAIN_SPILL 64U
#define VAIN_HOST 1024U
/* The number of attempts when the run has used up its time for such waits. */
#define VAIN_HASTY 8U

/*
 * The total time for which threads may wait on the host for threads that wait in the kernel. When
 * this time is used up, the replay continues without a thread that waits in the kernel after only
 * VAIN_BRIEF attempts.
 */
#define LOST_MAX_US 1000000U
#define VAIN_BRIEF 2U

/*
 * The number of successive checks whether the system reports that a thread sleeps. They take some
 * 20 microseconds.
 */
#define LOOKS 16U

void order_from_host(struct schedule *schedule, uint32_t times)
{
	schedule->statistics.host_orders += times;
	notice_once(
		schedule, SCHEDULE_NOTICE_HOST_ORDER,
		"an order was taken from the host, since waiting for a thread would have taken too "
		"much memory or time: another run may differ a little");
}

/* ---- the thread whose turn it is has no words ---- */

/* End @thread, which will not write any more words. */
static int order_end(struct schedule *schedule, struct thread *thread)
{
	ready_remove(&schedule->ready, thread);
	schedule->statistics.unended++;
	thread_end(schedule, thread);
	return 1;
}

static bool thread_over(const struct schedule *schedule, const struct thread *thread)
{
	if (schedule->finishing)
		return true;
	if (thread->input)
		return thread->input->dead;
	/*
	 * A thread that has not begun will never begin if the process of its creator has ended. A
	 * forked thread may still begin, because it belongs to another process.
	 */
	return thread->creator && thread->creator->dead && !thread->forked;
}

/*
 * Some threads were expected again after the replay had continued without them. If they have
 * written nothing since then, continue without them again.
 */
static void order_give_up_reheld(struct schedule *schedule)
{
	schedule_reconsider(schedule);
	for (size_t i = schedule->ready.count; i-- > 0;) {
		struct thread *thread = schedule->ready.items[i];

		if (thread->blocked && thread->reheld && !thread_has_words(schedule, thread)) {
			wait_give_up(schedule, thread);
			/*
			 * The order of the heap has changed, so start again at the end of the heap.
			 */
			i = schedule->ready.count;
		}
	}
}

/*
 * Get the time for which the caller of schedule_run() sleeps after this number of attempts that
 * found nothing to replay.
 */
static uint64_t vain_us(uint64_t attempt)
{
	return attempt < 6 ? 20U << attempt : 1000U;
}

/*
 * Check whether another thread could continue, but waits on the host because @thread precedes it in
 * the order.
 */
static bool order_held_back(struct schedule *schedule, const struct thread *thread)
{
	for (size_t i = 0; i < schedule->ready.count; i++) {
		struct thread *other = schedule->ready.items[i];

		if (other != thread && other->input &&
		    (input_waits(other->input) || input_full(other->input)) &&
		    thread_has_words(schedule, other))
			return true;
	}
	return false;
}

/* Check whether the system can report whether a thread sleeps. */
static bool order_sees(const struct schedule *schedule, const struct thread *thread)
{
	const struct schedule_config *config = &schedule->config;

	return config->ops && config->ops->sleeps && thread->input;
}

static bool order_sleeps(const struct schedule *schedule, const struct thread *thread)
{
	const struct schedule_config *config = &schedule->config;

	return !order_sees(schedule, thread) ||
	       config->ops->sleeps(config->opaque, thread->input->tid);
}

/*
 * Check whether the last system call by which a thread woke others has returned on the host. It
 * must have returned if the thread has written a word after it.
 */
static bool order_is_past(struct schedule *schedule, struct thread *waker)
{
	return !waker->waking || thread_has_words(schedule, waker);
}

/*
 * Get the number of times to check for words of a thread that waits in the kernel. The number is
 * limited. Otherwise, these checks would take most of the time of a program that polls, or whose
 * threads wait for each other in the kernel.
 */
static uint64_t order_patience(struct schedule *schedule, const struct thread *thread)
{
	uint64_t patience = thread->reheld ? 1 : schedule->config.patience;

	/*
	 * The wake-up at the futex was not replayed yet. Its replay will end the thread's wait, if
	 * the wait has not ended before. For this reason, it is not necessary to wait for words of
	 * this thread now.
	 */
	if (thread->futex && thread->blocked && !thread->expected)
		return order_sees(schedule, thread) ? 0 : VAIN_BRIEF;
	/*
	 * The wake-up that should have ended this wait has returned on the host. It has woken no
	 * thread there, because this thread was not waiting yet.
	 */
	if (thread->futex && thread->blocked && order_sees(schedule, thread) &&
	    order_is_past(schedule, thread->waker))
		return 0;
	if (patience <= VAIN_BRIEF || !thread->blocked || !order_held_back(schedule, thread))
		return patience;
	if (schedule->lost_us < LOST_MAX_US) {
		schedule->lost_us += vain_us(schedule->vain);
		return patience;
	}
	if (schedule->vain >= VAIN_BRIEF)
		order_from_host(schedule, 1);
	return VAIN_BRIEF;
}

/*
 * Check whether the thread sleeps. A thread that has just reported a wait may not have entered the
 * kernel yet. For this reason, check several times, which takes less time than waiting for the
 * thread's words.
 */
static bool order_falls_asleep(struct schedule *schedule, struct thread *thread)
{
	unsigned looks = schedule->vain == 0 && order_sees(schedule, thread) ? LOOKS : 1;

	while (looks-- > 0 && !thread_has_words(schedule, thread)) {
		if (order_sleeps(schedule, thread))
			return true;
	}
	return false;
}

/*
 * Handle a thread that waits in the kernel, or that may have ended. Return: the same as
 * order_starved().
 */
static int order_blocked(struct schedule *schedule, struct thread *thread)
{
	bool had = thread->input && input_available(thread->input) > 0;

	if (schedule->vain < order_patience(schedule, thread))
		return 0;
	/*
	 * The thread does not sleep. It was woken and only needs a processor, or it has not begun
	 * to wait. If words have arrived during the check, continue immediately. A call of
	 * schedule_wait() would not return for words that were already seen.
	 */
	if (thread->blocked && !order_falls_asleep(schedule, thread))
		return !had && thread_has_words(schedule, thread);
	/*
	 * The thread may have continued and fallen asleep again since the last check. If it had
	 * words before the check, these can be an incomplete record in a corrupted channel.
	 */
	if (thread_has_words(schedule, thread))
		return !had;
	schedule->vain = 0;
	if (thread->reheld)
		order_give_up_reheld(schedule);
	else
		wait_give_up(schedule, thread);
	return 1;
}

/*
 * Get the number of times to check for words of a thread that should write words, but does not. The
 * highest number is returned only once in a run.
 */
static uint64_t order_patience_silent(const struct schedule *schedule)
{
	uint64_t patience = VAIN_HOST >> (2 * schedule->silences);

	return schedule->silences > 3 || patience < VAIN_HASTY ? VAIN_HASTY : patience;
}

/*
 * Check whether any thread waits for its turn. If so, the current thread, which writes nothing, may
 * be waiting for that thread on the host.
 */
static bool order_awaited(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		const struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_ATTACHED && input_waits(input))
			return true;
	}
	return false;
}

/*
 * Handle a current thread that writes no words because it waits for another thread on the host. The
 * other thread cannot continue either, because its words follow the words of the current thread in
 * the order, so they are not replayed.
 */
static int order_stuck(struct schedule *schedule, struct thread *thread)
{
	bool known = thread->fresh || !thread->input;
	int moved;

	if (!known && schedule->vain < VAIN_SPILL)
		return 0;
	moved = channels_spill(schedule);
	if (moved != 0)
		return moved < 0 ? moved : 0;
	/*
	 * Threads wait for room in their channels, and no memory is left for words outside the
	 * channels. On the host, one of these threads may hold the lock that the current thread has
	 * received in simulated time. If so, give the lock to that thread.
	 */
	if (thread->fresh && schedule->spilled * 8 >= schedule->config.spill_bytes) {
		order_from_host(schedule, 1);
		if (lock_yield(schedule, thread))
			schedule->current = NULL;
		else
			wait_give_up(schedule, thread);
		return 1;
	}
	/*
	 * There is still unused room. The current thread may only be slow, or may not have begun.
	 */
	if (schedule->vain < order_patience_silent(schedule) ||
	    (thread->input && schedule->spilled * 8 < schedule->config.spill_bytes &&
	     !order_awaited(schedule)))
		return 0;
	schedule->vain = 0;
	schedule->silences++;
	order_from_host(schedule, 1);
	wait_give_up(schedule, thread);
	return 1;
}

int order_starved(struct schedule *schedule, struct thread *thread)
{
	uint32_t refused = atomic_load_explicit(&schedule->header->refused, memory_order_relaxed);

	if (thread_over(schedule, thread))
		return order_end(schedule, thread);
	if (thread->blocked || (thread->process && thread->process->doubtful))
		return order_blocked(schedule, thread);
	if (!thread->input && refused > schedule->refused && schedule->vain >= VAIN_SPILL) {
		schedule->refused++;
		return order_end(schedule, thread);
	}
	return order_stuck(schedule, thread);
}

/* ---- threads that were given up ---- */

static bool word_is(uint64_t word, enum stream_op op)
{
	return (word >> STREAM_KIND_SHIFT & STREAM_KIND) == STREAM_CONTROL &&
	       (word >> STREAM_OP_SHIFT & STREAM_OP) == op;
}

/*
 * End a thread that will never have words again. The thread must not be in the heap or in any list.
 */
static void order_gone(struct schedule *schedule, struct thread *thread)
{
	schedule->statistics.unended++;
	thread_end(schedule, thread);
}

/*
 * Check whether a wake-up that was not replayed yet has ended the thread's wait at a futex. If so,
 * the thread need not continue now: when the wake-up is replayed, the thread that has waited
 * longest continues.
 */
static bool order_woken(const struct schedule *schedule, const struct thread *thread)
{
	uint64_t word, number;

	if (!thread->blocked || !thread->futex)
		return false;
	input_peek(thread->input, &word, 1);
	number = word & STREAM_ADDRESS;
	return word_is(word, STREAM_UNBLOCK) && number != 0 &&
	       schedule->woken[number % SCHEDULE_WAKES].number < number;
}

/*
 * Handle the case that the kernel has woken this thread on the host instead of the expected thread.
 * The expected thread still waits, so no longer expect it to continue.
 */
static void order_mistaken(struct schedule *schedule, const struct thread *thread)
{
	for (size_t i = 0; i < schedule->ready.count; i++) {
		struct thread *other = schedule->ready.items[i];

		if (other->blocked && other->expected && other->futex == thread->futex &&
		    !thread_has_words(schedule, other)) {
			other->expected = false;
			return;
		}
	}
}

/*
 * Check whether the thread's wait has ended by its time limit, at a cycle that the replay has not
 * passed.
 */
static bool order_on_time(const struct schedule *schedule, const struct thread *thread)
{
	uint64_t word;

	input_peek(thread->input, &word, 1);
	return word_is(word, STREAM_PASS) &&
	       wait_end(schedule, thread, word & STREAM_ADDRESS) >= schedule->now;
}

static void order_host_wait(struct schedule *schedule)
{
	schedule->statistics.host_waits++;
	notice_once(schedule, SCHEDULE_NOTICE_HOST_WAIT,
		    "a thread waited in the kernel for an event that the tracer does not see: the "
		    "host determines how long, and another run may differ slightly");
}

static void order_late_on(struct schedule *schedule, struct thread *thread)
{
	schedule_reconsider(schedule);
	list_remove(&schedule->late, thread);
	if (thread->blocked && !order_on_time(schedule, thread)) {
		if (thread->futex)
			order_mistaken(schedule, thread);
		order_host_wait(schedule);
	}
	thread_resume(schedule, thread, schedule->now);
}

static void order_late_one(struct schedule *schedule, struct thread *thread)
{
	bool words = thread_has_words(schedule, thread);

	if (words && !order_woken(schedule, thread)) {
		order_late_on(schedule, thread);
	} else if (!words && thread_over(schedule, thread)) {
		schedule_reconsider(schedule);
		list_remove(&schedule->late, thread);
		order_gone(schedule, thread);
	}
}

/*
 * If no other thread can continue, choose a thread that has words, although the wake-up that ended
 * its wait was not replayed, and let it continue. Return: true if there was such a thread.
 */
static bool order_late_any(struct schedule *schedule)
{
	for (struct thread *thread = schedule->late; thread; thread = thread->next) {
		if (thread_has_words(schedule, thread)) {
			order_late_on(schedule, thread);
			return true;
		}
	}
	return false;
}

int order_late(struct schedule *schedule)
{
	struct thread *thread = schedule->late;

	while (thread) {
		struct thread *next = thread->next;

		order_late_one(schedule, thread);
		if (schedule->error < 0)
			return schedule->error;
		thread = next;
	}
	return 0;
}

/* ---- threads whose wait a signal handler has ended ------------------------------------------- */

/*
 * If a signal handler has ended the thread's wait for a semaphore, let the thread continue. The
 * thread will give the semaphore back. Return: true if the wait must be handled later, because the
 * thread has not reached it in the replay, or has not written its next words.
 */
static bool order_interrupted_one(struct schedule *schedule, struct thread *thread)
{
	int32_t ahead = (int32_t)(input_interrupted(thread->input) - thread->turns);

	if (ahead != 0 || thread->state != THREAD_AT_SEMAPHORE)
		return input_interrupted(thread->input) && ahead > 0;
	if (!thread_has_words(schedule, thread))
		return true;
	schedule_reconsider(schedule);
	order_host_wait(schedule);
	semaphore_force(schedule, thread);
	return false;
}

void order_interrupted(struct schedule *schedule)
{
	uint32_t count = atomic_load(&schedule->header->interrupted);
	bool remains = false;

	if (count == schedule->interrupted)
		return;
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		const struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_PENDING)
			remains = true;
		else if (input->use == INPUT_ATTACHED && input->thread &&
			 order_interrupted_one(schedule, input->thread))
			remains = true;
	}
	if (!remains)
		schedule->interrupted = count;
}

/* ---- threads at rest ---- */

/*
 * Get the cycle at which a resting thread continues. If the next record of the thread is a barrier
 * or its end, the cycle is the thread's own clock, because the thread has done nothing before this
 * record. Otherwise, it is the present cycle, because the thread had work to do.
 */
static uint64_t order_rest_ends(const struct schedule *schedule, const struct thread *thread)
{
	uint64_t word;

	input_peek(thread->input, &word, 1);
	return word_is(word, STREAM_BARRIER) || word_is(word, STREAM_END) ? thread->clock
									  : schedule->now;
}

int order_rested(struct schedule *schedule)
{
	struct thread *thread = schedule->resting;
	int count = 0;

	while (thread) {
		struct thread *next = thread->next;
		bool words = thread_has_words(schedule, thread);

		if (words || thread_over(schedule, thread)) {
			schedule_reconsider(schedule);
			list_remove(&schedule->resting, thread);
			count++;
			if (words)
				thread_resume(schedule, thread, order_rest_ends(schedule, thread));
			else
				order_gone(schedule, thread);
		}
		thread = next;
	}
	return count;
}

/* ---- no thread is ready ---- */

static bool thread_waits(const struct thread *thread)
{
	return thread->state == THREAD_AT_LOCK || thread->state == THREAD_AT_BARRIER ||
	       thread->state == THREAD_AT_JOIN || thread->state == THREAD_AT_WAKE ||
	       thread->state == THREAD_ASLEEP || thread->state == THREAD_AT_SEMAPHORE;
}

/*
 * Get the first waiting thread in the order of the clocks. @words: consider only threads that have
 * words.
 */
static struct thread *order_first(struct schedule *schedule, bool words)
{
	struct thread *first = NULL;

	for (size_t i = 0; i < schedule->threads_count; i++) {
		struct thread *thread = schedule->threads[i];

		if (!thread_waits(thread) || (words && !thread_has_words(schedule, thread)))
			continue;
		if (!first || thread_before(thread, first))
			first = thread;
	}
	return first;
}

/*
 * Check whether the thread continues only in order to end. Such a thread was waiting when its
 * process ended, for example in a thread pool. Because the program itself has ended the wait, this
 * is not an error.
 */
static bool thread_ends(const struct thread *thread)
{
	uint64_t word;

	if (!thread->process || !thread->process->exited)
		return false;
	input_peek(thread->input, &word, 1);
	return word_is(word, STREAM_END);
}

/* Make a thread continue, although the event for which it waits has not occurred. */
static void order_force(struct schedule *schedule, struct thread *thread)
{
	switch (thread->state) {
	case THREAD_AT_LOCK:
		lock_force(schedule, thread);
		break;
	case THREAD_AT_BARRIER:
		barrier_force(schedule, thread);
		break;
	case THREAD_ASLEEP:
		condition_force(schedule, thread);
		break;
	case THREAD_AT_SEMAPHORE:
		semaphore_force(schedule, thread);
		break;
	default:
		list_remove(thread->state == THREAD_AT_JOIN ? &schedule->joins : &schedule->wakes,
			    thread);
		thread_resume(schedule, thread, schedule->now);
	}
}

/* Make a thread continue that has continued on the host, although it still waits in the replay. */
static void order_diverged(struct schedule *schedule, struct thread *thread)
{
	if (!thread_ends(thread)) {
		schedule->statistics.deadlocks++;
		notice_once(schedule, SCHEDULE_NOTICE_DEADLOCK,
			    "in simulated time no thread could continue, but on the host a thread "
			    "did, because it was cancelled, ran a signal handler, or had another "
			    "order there; this thread continues, and another run may differ");
	}
	order_force(schedule, thread);
}

int order_nobody(struct schedule *schedule)
{
	struct thread *thread;

	if (order_rested(schedule) > 0)
		return 1;
	if (schedule->pending > 0 &&
	    (schedule->finishing || schedule->vain >= schedule->config.patience)) {
		int adopted = channels_adopt(schedule);

		if (adopted != 0)
			return adopted;
	}
	if (schedule->alive == 0)
		return 0;
	for (thread = schedule->late; thread; thread = thread->next) {
		if (thread->fresh && lock_yield(schedule, thread))
			return 1;
	}
	if (order_late_any(schedule))
		return 1;
	if (schedule->late) {
		int moved = schedule->vain >= VAIN_SPILL ? channels_spill(schedule) : 0;

		if (moved < 0)
			return moved;
		thread = order_first(schedule, true);
		if (!thread || schedule->vain < schedule->config.patience)
			return 0;
		order_diverged(schedule, thread);
		return 1;
	}
	/* Wait a little, because a resting thread may write words soon. */
	if (!schedule->finishing &&
	    schedule->vain < (schedule->resting ? order_patience_silent(schedule)
						: schedule->config.patience))
		return 0;
	if (roles_drop(schedule))
		return 1;
	thread = order_first(schedule, true);
	if (thread) {
		order_diverged(schedule, thread);
		return 1;
	}
	thread = schedule->finishing ? order_first(schedule, false) : NULL;
	if (!thread)
		return 0;
	order_force(schedule, thread);
	return 1;
}
