/* SPDX-License-Identifier: MIT */
/*
 * The state of a program's events while they are read. Part of <smile/estimate.h>.
 *
 * What lives here: events that rise and fall together, so that a reading of one says something of
 * the others. The state learns from the latest readings, again and again, how much one event says
 * of another, so it adapts to the program's present work. The estimate of an interval depends on
 * the readings up to that interval alone.
 * Units: events and seconds; time stamps are of any clock that only goes forward.
 */
#ifndef SMILE_ESTIMATE_STATE_H
#define SMILE_ESTIMATE_STATE_H

#include <stddef.h>

#include <smile/estimate/rate.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Events of one state, at most. */
#define ESTIMATE_EVENTS_MAX 128

/*
 * It is learned from at most this many intervals, and from fewer if there are many events: learning
 * takes time.
 */
#define ESTIMATE_WINDOW 512

/* Nothing is learned of an event with fewer readings than this. */
#define ESTIMATE_READINGS 4

struct Estimate_state;

/**
 * Estimate_state_new() - Create a state without events.
 * @out: receives it
 *
 * Return: 0.
 * Errors: -ENOMEM.
 */
int Estimate_state_new(struct Estimate_state **out);

/**
 * Estimate_state_free() - Free a state.
 * @state: NULL does nothing
 */
void Estimate_state_free(struct Estimate_state *state);

/**
 * Estimate_state_event() - Add an event.
 * @name: of it, copied
 *
 * Events can be added at any time. One that comes later was not read until then.
 *
 * Return: its index: the first is 0.
 * Errors: -EEXIST if there is one of that name; -E2BIG if there are ESTIMATE_EVENTS_MAX; -EINVAL
 * for an empty name; -ENOMEM.
 */
int Estimate_state_event(struct Estimate_state *state, const char *name);

/**
 * Estimate_state_find() - The index of an event.
 * @name: of the event
 *
 * Return: the index.
 * Errors: -ENOENT if no event has that name.
 */
int Estimate_state_find(const struct Estimate_state *state, const char *name);

/**
 * Estimate_state_rate() - Add a rate that follows from events.
 * @rate: copied
 *
 * Return: its index: the first is 0.
 * Errors: -EINVAL for a rate that cannot be, or of events that are not there; -ENOMEM.
 */
int Estimate_state_rate(struct Estimate_state *state, const struct Estimate_rate *rate);

/**
 * Estimate_state_predict() - Predict all events over an interval.
 * @time_s: end of the interval, which begins where the last one ended; the first call says where
 *          the first interval begins
 *
 * Intervals need not be equally long. For a gap in which nothing can be read, call it twice.
 *
 * Return: 0.
 * Errors: -EINVAL for a time that is not after the last one.
 */
int Estimate_state_predict(struct Estimate_state *state, double time_s);

/**
 * Estimate_state_reading() - Correct the state by a reading of the last interval.
 * @event: index of the event
 * @begin_s: when counting began
 * @end_s: when it ended
 * @count: events between the two
 *
 * A reading of the whole interval is exact. One of another time belongs to the interval if its
 * middle does; it is scaled to the length of the interval, and has a band.
 *
 * Return: 0.
 * Errors: -ERANGE if the middle of the reading is not in the last interval; -EALREADY if the event
 * was read in this interval; -EINVAL if there is no such event, or @count is not a number.
 */
int Estimate_state_reading(struct Estimate_state *state, size_t event, double begin_s, double end_s,
			   double count);

/**
 * Estimate_state_learn() - Learn from the readings if that is due.
 *
 * It is due after 16, 32, 64, ... intervals, and then each time that the window of ESTIMATE_WINDOW
 * has been filled again. Call it when the readings of an interval are there. Unlike a step, it
 * allocates, and it takes as long as many steps.
 *
 * Return: 1 if it has learned; 0.
 * Errors: -ENOMEM: the state is as before.
 */
int Estimate_state_learn(struct Estimate_state *state);

/**
 * Estimate_state_band() - What is known of an event in the last interval.
 * @event: index of the event
 * @band: receives events in the interval
 *
 * Between Estimate_state_predict() and the readings it is the prediction. If recent readings were
 * further from their predictions than expected, as after a change of phase, bands are wider.
 *
 * Return: 1 if the event was read in this interval; 0 if it is estimated.
 * Errors: -ENODATA if nothing is known yet; -EINVAL for an event that is not there.
 */
int Estimate_state_band(const struct Estimate_state *state, size_t event,
			struct Estimate_band *band);

/**
 * Estimate_state_rate_band() - What is known of a rate in the last interval.
 * @rate: index of the rate
 * @band: receives it
 *
 * Return: 0.
 * Errors: -ENODATA if nothing is known yet of one of its events; -EDOM if the sum that it is
 * divided by is not above 0; -EINVAL for a rate that is not there.
 */
int Estimate_state_rate_band(const struct Estimate_state *state, size_t rate,
			     struct Estimate_band *band);

/**
 * Estimate_state_next() - What an event will be in the interval to come.
 * @event: index of the event
 * @length_s: of that interval, above 0
 * @band: receives events in that interval
 *
 * Return: 0.
 * Errors: -ENODATA if nothing is known of the event yet; -EINVAL if there is no such event, or
 * @length_s is not above 0.
 */
int Estimate_state_next(const struct Estimate_state *state, size_t event, double length_s,
			struct Estimate_band *band);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_STATE_H */
