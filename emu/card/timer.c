/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card's clock, timer events and TIME records.
 *
 * What lives here: the times at which timer events and TIME records are due, and two functions that
 * advance the clock. card_tick() never waits, like the real B-Link. card_advance() stops when the
 * ring has no room. The periods start with the first step of the clock after CONTROL.ENABLE is set.
 * The clock of a capture starts at the time stamp of its first frame. Timer events are those of
 * "Design and Implementation Aspects" (2000), section IV.A. TIME records are defined in this
 * project.
 */
#include "emu/card/card_inside.h"

/* Convert microseconds to nanoseconds. */
static uint64_t period(uint32_t us)
{
	return (uint64_t)us * 1000;
}

/*
 * Compute the time @ns after @time_ns. Return: 0, which means never, if @ns is 0 or if the clock
 * cannot reach that time.
 */
static uint64_t after(uint64_t time_ns, uint64_t ns)
{
	return ns && time_ns <= UINT64_MAX - ns ? time_ns + ns : 0;
}

static bool is_due(uint64_t next, uint64_t now_ns)
{
	return next && next <= now_ns;
}

/*
 * Skip all due times from @next, which is due, up to @now_ns. Return: the number of skipped times.
 * @last: receives the last of the skipped times.
 */
static uint64_t pass(uint64_t *next, uint64_t ns, uint64_t now_ns, uint64_t *last)
{
	uint64_t more = ns ? (now_ns - *next) / ns : 0;

	*last = *next + more * ns;
	*next = after(*last, ns);
	return more + 1;
}

static void set_deadline(struct card_timer *timer)
{
	timer->deadline = UINT64_MAX;
	if (timer->timer_next)
		timer->deadline = timer->timer_next;
	if (timer->time_next && timer->time_next < timer->deadline)
		timer->deadline = timer->time_next;
}

void timer_reset(struct card_timer *timer)
{
	*timer = (struct card_timer){.deadline = UINT64_MAX};
}

void timer_enable(struct card *card, bool enable)
{
	struct card_timer *timer = &card->timer;
	bool periods = card->config.timer_us || card->config.time_us;

	timer->timer_next = 0;
	timer->time_next = 0;
	timer->deadline = enable && periods ? 0 : UINT64_MAX;
}

/* At the first step of the clock, start the periods. */
static void begin(struct card *card, uint64_t now_ns)
{
	struct card_timer *timer = &card->timer;

	timer->timer_next = after(now_ns, period(card->config.timer_us));
	timer->time_next = after(now_ns, period(card->config.time_us));
	set_deadline(timer);
}

/*
 * Carry out the action that is due next. If another action is due at the same time, the next call
 * carries it out.
 */
static void fire(struct card *card)
{
	struct card_timer *timer = &card->timer;
	uint64_t due = timer->deadline, last;

	card->count.clock_ns = due;
	if (timer->time_next == due) {
		pass(&timer->time_next, period(card->config.time_us), due, &timer->time_ns);
		set_deadline(timer);
		timer->time_waiting = 1;
		card_settle(card);
		return;
	}
	pass(&timer->timer_next, period(card->config.timer_us), due, &last);
	set_deadline(timer);
	card_raise(card, (uint16_t)card->config.timer_event, (uint16_t)card->config.node,
		   SMILE_RAISED_TIMER);
}

/*
 * Handle the actions that are due while the ring has no room. The card keeps the last TIME record
 * and the first EVENT record. It counts the other timer events as lost. The lost events are skipped
 * all together, so that a large step of the clock does not take time for each event.
 */
static void leap(struct card *card, uint64_t now_ns)
{
	struct card_timer *timer = &card->timer;
	uint64_t last;

	if (is_due(timer->time_next, now_ns)) {
		pass(&timer->time_next, period(card->config.time_us), now_ns, &timer->time_ns);
		timer->time_waiting = 1;
	}
	if (is_due(timer->timer_next, now_ns) && !card->mark.valid) {
		card->count.clock_ns = timer->timer_next;
		pass(&timer->timer_next, period(card->config.timer_us), timer->timer_next, &last);
		card_raise(card, (uint16_t)card->config.timer_event, (uint16_t)card->config.node,
			   SMILE_RAISED_TIMER);
	}
	if (is_due(timer->timer_next, now_ns))
		card_lose_marks(
			card, (uint16_t)card->config.timer_event,
			pass(&timer->timer_next, period(card->config.timer_us), now_ns, &last));
	set_deadline(timer);
}

/*
 * Carry out all actions that are due up to @now_ns. @waits: stop the clock at an action for which
 * there is no room. Return: false if the clock has stopped.
 */
static bool run(struct card *card, uint64_t now_ns, bool waits)
{
	struct card_timer *timer = &card->timer;

	if (!timer->deadline) {
		if (now_ns > card->count.clock_ns)
			begin(card, now_ns);
		return true;
	}
	set_deadline(timer);
	while (is_due(timer->timer_next, now_ns) || is_due(timer->time_next, now_ns)) {
		if (ring_room(card)) {
			fire(card);
		} else if (waits) {
			card->count.clock_ns = timer->deadline;
			return false;
		} else {
			leap(card, now_ns);
		}
	}
	return true;
}

void card_tick(struct card *card, uint64_t now_ns)
{
	if (now_ns >= card->timer.deadline)
		run(card, now_ns, false);
	if (now_ns > card->count.clock_ns)
		card->count.clock_ns = now_ns;
}

bool card_advance(struct card *card, uint64_t now_ns)
{
	if (now_ns >= card->timer.deadline && !run(card, now_ns, true))
		return false;
	if (now_ns > card->count.clock_ns)
		card->count.clock_ns = now_ns;
	return true;
}

uint64_t card_deadline(const struct card *card)
{
	uint64_t now_ns = card->count.clock_ns;

	if (card->timer.deadline)
		return card->timer.deadline;
	return now_ns == UINT64_MAX ? now_ns : now_ns + 1;
}
