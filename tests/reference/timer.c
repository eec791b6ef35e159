/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's clock and its two timers. See sections 8 and 13 of the datasheet. It may use
 * reference.h.
 */
#include "tests/reference/reference.h"

#define NS_PER_US 1000U

static uint64_t period_ns(const struct reference *ref, uint32_t offset)
{
	return (uint64_t)reference_get(ref, offset) * NS_PER_US;
}

static void timer_start(struct reference_timer *timer, uint64_t now_ns, uint64_t period)
{
	timer->running = period != 0;
	timer->due_ns = now_ns + period;
}

void reference_timer_stop(struct reference *ref)
{
	ref->timers_started = false;
	ref->time_record.running = false;
	ref->timer_event.running = false;
}

/* "the clock's first step with CONTROL.ENABLE set" */
static void step(struct reference *ref, uint64_t now_ns)
{
	if (!reference_enabled(ref) || ref->timers_started || now_ns == ref->clock_ns)
		return;
	ref->timers_started = true;
	timer_start(&ref->time_record, now_ns, period_ns(ref, SMILE_REG_TIME_PERIOD));
	timer_start(&ref->timer_event, now_ns, period_ns(ref, SMILE_REG_TIMER_PERIOD));
}

uint64_t reference_deadline(const struct reference *ref)
{
	uint64_t due = UINT64_MAX;

	/* The timers start with the next step: just after now. */
	if (reference_enabled(ref) && !ref->timers_started &&
	    (period_ns(ref, SMILE_REG_TIME_PERIOD) || period_ns(ref, SMILE_REG_TIMER_PERIOD)))
		return ref->clock_ns + 1;
	if (ref->time_record.running)
		due = ref->time_record.due_ns;
	if (ref->timer_event.running && ref->timer_event.due_ns < due)
		due = ref->timer_event.due_ns;
	return due;
}

/* Execute the next due action; if two are due at the same time, the TIME record is first. */
static void happen(struct reference *ref)
{
	uint64_t due = reference_deadline(ref);

	ref->clock_ns = due;
	if (ref->time_record.running && ref->time_record.due_ns == due) {
		ref->time_record.due_ns += period_ns(ref, SMILE_REG_TIME_PERIOD);
		/* A TIME record that still waits is replaced by this one. */
		ref->time_waits = true;
		ref->time_ns = due;
		reference_work(ref);
		return;
	}
	ref->timer_event.due_ns += period_ns(ref, SMILE_REG_TIMER_PERIOD);
	reference_raise(ref, reference_get(ref, SMILE_REG_TIMER_EVENT),
			reference_get(ref, SMILE_REG_NODE), SMILE_RAISED_TIMER);
}

void reference_tick(struct reference *ref, uint64_t now_ns)
{
	if (now_ns < ref->clock_ns)
		return;
	step(ref, now_ns);
	while (ref->timers_started && reference_deadline(ref) <= now_ns)
		happen(ref);
	ref->clock_ns = now_ns;
	reference_interrupt(ref);
}

bool reference_advance(struct reference *ref, uint64_t now_ns)
{
	if (now_ns < ref->clock_ns)
		return true;
	step(ref, now_ns);
	while (ref->timers_started && reference_deadline(ref) <= now_ns) {
		/* "CLOCK stops at the due time until the ring has room" */
		ref->clock_ns = reference_deadline(ref);
		if (!reference_ready(ref))
			return false;
		happen(ref);
		reference_interrupt(ref);
	}
	ref->clock_ns = now_ns;
	return true;
}
