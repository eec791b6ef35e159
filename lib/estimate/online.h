/* SPDX-License-Identifier: MIT */
/*
 * Online: the state of a program's events while they are read.
 *
 * What lives here: a joint process whose parameters are learned from the last readings, again and
 * again, so that they adapt to what the program does now; and its state, which gives an estimate as
 * soon as an interval ends. The estimates of an interval depend on the readings up to it alone.
 * Units: events and seconds. Errors and threads: as in lib/estimate/estimate.h.
 */
#ifndef LIB_ESTIMATE_ONLINE_H
#define LIB_ESTIMATE_ONLINE_H

#include <stddef.h>

/*
 * Parameters are learned from at most this many intervals, and fewer if there are many events:
 * learning takes time.
 */
#define MONITOR_ONLINE_WINDOW 512

/* An event with fewer readings than this has no process. */
#define MONITOR_ONLINE_READINGS 4

struct Monitor_online;

/**
 * Monitor_online_new() - Create a state, before the first interval.
 * @out: receives it
 * @events: 1 to MONITOR_STATE_MAX
 *
 * Return: 0.
 * Errors: -EINVAL for no events, or too many; -ENOMEM.
 */
int Monitor_online_new(struct Monitor_online **out, size_t events);

/* NULL does nothing. */
void Monitor_online_free(struct Monitor_online *online);

/**
 * Monitor_online_step() - One interval.
 * @values: what was read, events in the interval, shape [events]; NAN: not read
 * @length_s: of it, above 0
 * @estimates: receives events in the interval; NAN: nothing is known; shape [events]
 * @deviations: receives their standard deviations, 0 for what was read; the same shape
 *
 * Return: 0.
 * Errors: -EINVAL for a length that is not above 0.
 */
int Monitor_online_step(struct Monitor_online *online, const double *values, double length_s,
			double *estimates, double *deviations);

/**
 * Monitor_online_learn() - Fit the parameters again if that is due.
 *
 * It is due after 16, 32, 64, ... intervals, and then each time that the window has been filled
 * again. Call it after each step; unlike a step, it allocates.
 *
 * Return: 1: learned; 0.
 * Errors: -ENOMEM: the state is as before.
 */
int Monitor_online_learn(struct Monitor_online *online);

#endif /* LIB_ESTIMATE_ONLINE_H */
