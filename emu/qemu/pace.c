/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: its clock.
 *
 * What lives here: the property "pace". With pace=realtime, the card's clock is the machine's
 * virtual time, and a timer drives the card's actions when there is no traffic. With pace=drain,
 * the frames of a capture drive the card's clock: see feed.c. With pace=drain and an adapter on the
 * card's B-Link, the card's clock is the host's clock, which all nodes of a fabric share. The clock
 * stops while the card has no room for an action that is due. This file also has the latency timer
 * of the ring, for all values of pace.
 *
 * Timers only wake the device's bottom half. The card may write records to an address that the
 * guest has mapped to the card's own registers, and only a guarded bottom half can do this safely.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/timer.h"

#include "emu/qemu/smile_monitor.h"

#define NS_PER_US 1000ULL

/*
 * The shortest time between two wake-ups. A guest may request a period of a microsecond, and a link
 * may carry a million frames a second. Events that are due earlier than this are handled together.
 * If QEMU's main thread woke for each frame, it would rarely release QEMU's lock, which the guest's
 * processors need in order to sleep and to wake up.
 */
#define PACE_REARM_NS (100 * NS_PER_US)

/*
 * If many events are due after a long time, they are handled in parts of this size, with a pause
 * after each part.
 */
#define PACE_EVENTS_AT_ONCE 65536ULL

static uint64_t pace_now(void)
{
	return (uint64_t)qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

int64_t pace_wake(uint64_t due_ns)
{
	uint64_t soonest = pace_now() + PACE_REARM_NS;

	return (int64_t)MIN(MAX(due_ns, soonest), INT64_MAX);
}

uint64_t pace_reach(const SmileMonitor *mon, uint64_t time_ns)
{
	const struct card *card = &mon->card;
	uint64_t timer = card->config.timer_us, time = card->config.time_us;
	uint64_t shorter = timer && (!time || timer < time) ? timer : time;
	uint64_t span = shorter * NS_PER_US * PACE_EVENTS_AT_ONCE;
	uint64_t deadline = card->timer.deadline;

	/* If a period has no deadline (0), it starts with the caller's next step. */
	if (!deadline || deadline >= time_ns || time_ns - deadline <= span)
		return time_ns;
	return deadline + span;
}

void pace_tick(SmileMonitor *mon)
{
	/*
	 * A snapshot may restore an earlier time. The card then ignores this time, because the
	 * card's clock must not go back.
	 */
	if (mon->pace.realtime)
		card_tick(&mon->card, pace_reach(mon, pace_now()));
	else if (!notifier_list_empty(&mon->room))
		card_advance(&mon->card, pace_reach(mon, (uint64_t)get_clock()));
}

void pace_arm(SmileMonitor *mon)
{
	struct SmilePace *pace = &mon->pace;
	uint64_t deadline;

	if (!pace->realtime || !pace->due)
		return;
	deadline = card_deadline(&mon->card);
	if (deadline == UINT64_MAX) {
		timer_del(pace->due);
		return;
	}
	/*
	 * If an earlier deadline is already set, it remains set, and causes one needless wake-up.
	 */
	timer_mod_anticipate_ns(pace->due, pace_wake(deadline));
}

void pace_latency(void *opaque, uint32_t us)
{
	SmileMonitor *mon = opaque;
	struct SmilePace *pace = &mon->pace;

	/*
	 * The timer is missing if a record that was written to a wrong address has unplugged the
	 * card.
	 */
	if (!pace->latency)
		return;
	pace->latency_ns = us ? pace_now() + us * NS_PER_US : 0;
	if (us)
		timer_mod_ns(pace->latency, (int64_t)pace->latency_ns);
	else
		timer_del(pace->latency);
}

void pace_run(SmileMonitor *mon)
{
	struct SmilePace *pace = &mon->pace;

	pace_tick(mon);
	if (pace->latency_ns && pace_now() >= pace->latency_ns) {
		pace->latency_ns = 0;
		card_expire(&mon->card);
	}
}

bool pace_load(SmileMonitor *mon)
{
	struct SmilePace *pace = &mon->pace;
	uint64_t span = mon->card.config.latency_us * NS_PER_US;

	timer_del(pace->due);
	timer_del(pace->latency);
	if (mon->card.latency != !!pace->latency_ns)
		return false;
	if (!pace->latency_ns)
		return true;
	/*
	 * The timer was started before the state was saved, so it cannot expire later than at this
	 * time.
	 */
	if (pace->latency_ns > pace_now() + span)
		return false;
	timer_mod_ns(pace->latency, (int64_t)pace->latency_ns);
	return true;
}

static void pace_due(void *opaque)
{
	smile_monitor_kick(opaque);
}

bool pace_realize(SmileMonitor *mon, Error **errp)
{
	struct SmilePace *pace = &mon->pace;

	if (!pace->name || !strcmp(pace->name, "drain")) {
		pace->realtime = false;
	} else if (!strcmp(pace->name, "realtime")) {
		pace->realtime = true;
	} else {
		error_setg(errp, "pace=%s is unknown: choose drain or realtime", pace->name);
		return false;
	}
	pace->due = timer_new_ns(QEMU_CLOCK_VIRTUAL, pace_due, mon);
	pace->latency = timer_new_ns(QEMU_CLOCK_VIRTUAL, pace_due, mon);
	return true;
}

void pace_unrealize(SmileMonitor *mon)
{
	struct SmilePace *pace = &mon->pace;

	timer_free(pace->due);
	timer_free(pace->latency);
	pace->due = NULL;
	pace->latency = NULL;
}
