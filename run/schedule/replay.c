/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replay: replays the words of the threads. At any time, it replays the words of the thread that is
 * first in the order. This file may use schedule_inside.h.
 */
#include "schedule_inside.h"

/*
 * Update the cycle that the replay has reached. The cycle is the lower of two clocks: the clock of
 * the first thread in the order, and the clock of @second, the second thread in the order.
 */
static inline void now_settle(struct schedule *schedule, const struct thread *second)
{
	uint64_t now = schedule->ready.items[0]->clock;

	if (second && second->clock < now)
		now = second->clock;
	if (now > schedule->now)
		schedule->now = now;
	machine_reached(schedule->machine, schedule->now);
}

void replay_settle(struct schedule *schedule)
{
	if (schedule->ready.count > 0)
		now_settle(schedule, ready_second(&schedule->ready));
}

/*
 * Set schedule->limit, which is the clock up to which the first thread may run before the current
 * thread is chosen again.
 */
static inline void limit_settle(struct schedule *schedule, const struct thread *second)
{
	const struct thread *first = schedule->ready.items[0];

	if (!second)
		schedule->limit = UINT64_MAX;
	else if (!schedule->ordered)
		schedule->limit = second->clock + SCHEDULE_AHEAD_CYCLES;
	else
		schedule->limit = second->clock - (first->number > second->number);
	if (schedule->limit >= schedule->epoch)
		schedule->limit = schedule->epoch - 1;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

/*
 * Stop the threads of each node for a number of cycles. @delays: the number of cycles for each
 * node.
 */
static void epoch_delay(struct schedule *schedule, const uint64_t *delays)
{
	for (size_t i = 0; i < schedule->threads_count; i++) {
		struct thread *thread = schedule->threads[i];

		if (thread->state == THREAD_READY && thread->began && delays[thread->node])
			thread_wait_cycle(schedule, thread, thread->clock + delays[thread->node]);
	}
}

void epoch_report(struct schedule *schedule, uint64_t cycle, bool phase)
{
	const struct schedule_config *config = &schedule->config;
	uint64_t delays[MACHINE_NODES_MAX] = {0};

	if (config->ops && config->ops->epoch)
		config->ops->epoch(config->opaque, cycle, phase, delays);
	epoch_delay(schedule, delays);
}

void threads_meet(struct schedule *schedule, uint64_t cycle, size_t running)
{
	const struct schedule_config *config = &schedule->config;

	if (cycle > schedule->met)
		schedule->met = cycle;
	if (schedule->ready.count > running)
		return;
	schedule->meetings++;
	if (config->ops && config->ops->meet)
		config->ops->meet(config->opaque, schedule->met);
}

/* When all clocks have reached the end of the epoch, report the end, and begin the next epoch. */
static void epoch_end(struct schedule *schedule)
{
	const struct schedule_config *config = &schedule->config;
	uint64_t cycle = schedule->epoch;

	if (machine_show(schedule->machine, cycle) < 0)
		return;
	epoch_report(schedule, cycle, false);
	/* If all threads waited during an epoch, it had no accesses. Skip such an epoch. */
	cycle = schedule->ready.items[0]->clock;
	schedule->epoch = cycle - cycle % config->epoch_cycles + config->epoch_cycles;
	machine_hold(schedule->machine, schedule->epoch);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Update a thread after @done of its words were replayed. All of them were accesses. */
static void thread_took(struct schedule *schedule, struct thread *thread,
			const struct machine_steps *steps, size_t done)
{
	if (done == 0)
		return;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++) {
		thread->accesses[type] += steps->accesses[type];
		schedule->statistics.accesses[type] += steps->accesses[type];
	}
	thread->instructions += steps->cycles;
	schedule->statistics.instructions += steps->cycles;
	thread->clock = steps->clock;
	thread->fresh = 0;
	thread->waking = false;
	thread->blocked = false;
	channels_taken(schedule, thread->input, done);
}

/*
 * Replay accesses of a thread until a control record follows, or until its clock has passed the
 * limit. Return: the number of words; -EPROTO.
 */
static int64_t accesses_replay(struct schedule *schedule, struct thread *thread,
			       const uint64_t *words, size_t count)
{
	struct machine_steps steps;
	size_t done = machine_steps(schedule->machine, thread->processor, words, count,
				    schedule->limit, &steps);

	thread_took(schedule, thread, &steps, done);
	if (steps.wrong)
		return notice_protocol(schedule, thread, "makes an access that is not possible");
	return (int64_t)done;
}

/*
 * Replay a control record of the current thread, if the thread is still first in the order. Return:
 * the number of words; 0 if the thread is not first, or if words of the record are missing; -errno.
 */
static int64_t current_control(struct schedule *schedule, struct thread *thread, uint64_t first)
{
	uint64_t words[STREAM_OP_WORDS_MAX];
	const struct thread *second = ready_second(&schedule->ready);
	unsigned count = control_words(first);
	int result;

	if (count == 0)
		return notice_protocol(schedule, thread, "reports something unknown");
	if (second && !thread_before(thread, second)) {
		schedule_reconsider(schedule);
		return 0;
	}
	if (input_available(thread->input) < count && input_refresh(thread->input) < 0)
		return notice_protocol(schedule, thread, "has a channel that runs backwards");
	if (input_available(thread->input) < count)
		return 0;
	input_peek(thread->input, words, count);
	/*
	 * Use the value of the first word that was loaded before, because the program may have
	 * overwritten the word.
	 */
	words[0] = first;
	channels_taken(schedule, thread->input, count);
	replay_settle(schedule);
	result = control_replay(schedule, thread, words);
	if (result < 0)
		return result;
	if (result == 0 || schedule->ready.items[0] != thread)
		schedule->current = NULL;
	else
		limit_settle(schedule, ready_second(&schedule->ready));
	return count;
}

/*
 * Replay accesses, or one control record, of the current thread. Return: the number of words; 0 if
 * there are no words, or if another thread is now first in the order; -errno.
 */
static int64_t current_piece(struct schedule *schedule, struct thread *thread, size_t budget)
{
	const uint64_t *span;
	size_t count;
	int64_t done = 0;

	if (!thread->input)
		return 0;
	span = input_span(thread->input, &count);
	if (count == 0) {
		if (input_refresh(thread->input) < 0)
			return notice_protocol(schedule, thread,
					       "has a channel that runs backwards");
		span = input_span(thread->input, &count);
	}
	if (count > budget)
		count = budget;
	if (count == 0)
		return 0;
	if (thread->began)
		done = accesses_replay(schedule, thread, span, count);
	if (done < 0)
		return done;
	if (thread->clock > schedule->limit) {
		schedule_reconsider(schedule);
	} else if (done == 0) {
		uint64_t word = input_load(span);

		/*
		 * The word must be a control record. Either it was one when it was loaded before,
		 * or it is the first word of the thread, which must be one.
		 */
		if ((word >> STREAM_KIND_SHIFT & STREAM_KIND) != STREAM_CONTROL)
			return notice_protocol(schedule, thread, "changes what it has reported");
		return current_control(schedule, thread, word);
	}
	return done;
}

static void current_choose(struct schedule *schedule)
{
	const struct thread *second;

	while (schedule->ready.items[0]->clock >= schedule->epoch &&
	       machine_error(schedule->machine) >= 0)
		epoch_end(schedule);
	schedule->current = schedule->ready.items[0];
	second = ready_second(&schedule->ready);
	now_settle(schedule, second);
	limit_settle(schedule, second);
}

/* ---- accesses of several threads ------------------------------------------------------------- */

/*
 * The largest number of words of a thread that are replayed in one step. With a higher number, a
 * producer that needs room would wait longer.
 */
#define TURN_WORDS (STREAM_CHANNEL_WORDS / 8)

/* Get the next words of a thread, if the thread has begun. The words need not be accesses. */
static const uint64_t *thread_span(struct thread *thread, size_t *count)
{
	const uint64_t *span;

	*count = 0;
	if (!thread->began || !thread->input)
		return NULL;
	span = input_span(thread->input, count);
	/* An invalid channel is reported later, when the thread becomes the current thread. */
	if (*count == 0 && input_refresh(thread->input) == 0)
		span = input_span(thread->input, count);
	return span;
}

/* Insert a thread into @threads, which has @count entries in the order of the threads' numbers. */
static void threads_insert(struct thread **threads, size_t count, struct thread *thread)
{
	size_t place = count;

	for (; place > 0 && threads[place - 1]->number > thread->number; place--)
		threads[place] = threads[place - 1];
	threads[place] = thread;
}

/*
 * Find the ready threads that have words. @other: receives the first ready thread in the order that
 * has no words; NULL if all ready threads have words. Return: the number of threads.
 */
static size_t threads_choose(const struct schedule *schedule, struct thread **threads,
			     const struct thread **other)
{
	size_t count = 0;

	*other = NULL;
	for (size_t i = 0; i < schedule->ready.count; i++) {
		struct thread *thread = schedule->ready.items[i];
		size_t words;

		thread_span(thread, &words);
		if (words > 0)
			threads_insert(threads, count++, thread);
		else if (!*other || thread_before(thread, *other))
			*other = thread;
	}
	return count;
}

/*
 * Get the cycle before which the accesses of a thread can be replayed. At this cycle or later,
 * accesses of @other that are not known yet could be first in the order.
 */
static uint64_t turn_end(const struct schedule *schedule, const struct thread *thread,
			 const struct thread *other)
{
	uint64_t end = schedule->epoch;

	if (other && other->clock + (thread->number < other->number) < end)
		end = other->clock + (thread->number < other->number);
	return end;
}

/* Describe the accesses that a thread may replay in this step, at most @most words. */
static struct machine_turn turn_of(const struct schedule *schedule, struct thread *thread,
				   const struct thread *other, size_t most)
{
	struct machine_turn turn = {.processor = thread->processor};
	uint64_t end = turn_end(schedule, thread, other);

	turn.words = thread_span(thread, &turn.count);
	if (turn.count > most)
		turn.count = most;
	if (end == 0)
		turn.count = 0;
	else
		turn.limit = end - 1;
	return turn;
}

/*
 * Replay the accesses of all threads that have words, in the order of the clocks. Return: the
 * number of words; 0 if a control record of the current thread must be replayed first.
 */
static size_t turns_replay(struct schedule *schedule, size_t budget)
{
	struct machine_turn turns[MACHINE_TURNS];
	struct thread *threads[MACHINE_TURNS];
	const struct thread *other;
	size_t count, done, words, most = budget / schedule->ready.count;
	const uint64_t *span = thread_span(schedule->current, &words);

	if (words == 0 || (input_load(span) >> STREAM_KIND_SHIFT & STREAM_KIND) == STREAM_CONTROL)
		return 0;
	count = threads_choose(schedule, threads, &other);
	if (most > TURN_WORDS)
		most = TURN_WORDS;
	for (size_t i = 0; i < count; i++)
		turns[i] = turn_of(schedule, threads[i], other, most);
	done = machine_turns(schedule->machine, turns, count);
	for (size_t i = 0; i < count; i++)
		thread_took(schedule, threads[i], &turns[i].steps, turns[i].done);
	if (done == 0)
		return 0;
	schedule->current = NULL;
	ready_moved_all(&schedule->ready);
	return done;
}

/*
 * Replay the words that are next in the order. Return: the number of words; 0 if there are no
 * words, or if another thread is now first in the order; -errno.
 */
static int64_t next_replay(struct schedule *schedule, size_t budget)
{
	size_t count = schedule->ready.count, done = 0;

	if (schedule->ordered && count > 1 && count <= MACHINE_TURNS && count <= budget) {
		schedule_reconsider(schedule);
		current_choose(schedule);
		done = turns_replay(schedule, budget);
	} else if (!schedule->current) {
		current_choose(schedule);
	}
	return done > 0 ? (int64_t)done : current_piece(schedule, schedule->current, budget);
}

int64_t replay(struct schedule *schedule, size_t budget)
{
	int64_t total = 0;

	while ((size_t)total < budget) {
		int64_t done;

		if (schedule->ready.count == 0) {
			schedule->current = NULL;
			done = order_nobody(schedule);
			if (done <= 0)
				return done < 0 ? done : total;
			continue;
		}
		done = next_replay(schedule, budget - (size_t)total);
		if (done < 0)
			return done;
		if (machine_error(schedule->machine) < 0)
			return machine_error(schedule->machine);
		total += done;
		/*
		 * If there is no current thread now, another thread has become first in the order.
		 */
		if (done > 0 || !schedule->current)
			continue;
		/*
		 * Return the number of words that were replayed. The next call of replay() handles
		 * this thread.
		 */
		if (total > 0)
			break;
		done = order_starved(schedule, schedule->current);
		if (done <= 0)
			return done;
	}
	return total;
}
