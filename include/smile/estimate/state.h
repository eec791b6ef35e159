/* SPDX-License-Identifier: MIT */
/*
 * The state of a program's events while they are read. Part of <smile/estimate.h>.
 *
 * What lives here: the joint estimate of a program's events. If events rise and fall together, a
 * reading of one event contains information about the other events. From the latest readings, the
 * state repeatedly learns how much information one event contains about another, so that it adapts
 * to the present behaviour of the program. The estimate for an interval depends only on the
 * readings up to that interval. Counts are in events, and times in seconds. The time stamps can be
 * those of any monotonic clock.
 */
#ifndef SMILE_ESTIMATE_STATE_H
#define SMILE_ESTIMATE_STATE_H

#include <stddef.h>

#include <smile/estimate/rate.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* The largest number of events of one state. */
#define ESTIMATE_EVENTS_MAX 128

/*
 * The largest number of intervals from which the state learns. If there are many events, it learns
 * from fewer intervals, because learning takes time.
 */
#define ESTIMATE_WINDOW 512

/* The state learns nothing about an event that has fewer readings than this. */
#define ESTIMATE_READINGS 4

struct Estimate_state;

/**
 * Estimate_state_new() - Create a state without events.
 * @out: receives the state
 *
 * Return: 0.
 * Errors: -ENOMEM.
 */
int Estimate_state_new(struct Estimate_state **out);

/**
 * Estimate_state_free() - Free a state.
 * @state: state, or NULL
 */
void Estimate_state_free(struct Estimate_state *state);

/**
 * Estimate_state_event() - Add an event.
 * @name: name of the event, copied
 *
 * Events can be added at any time. In the intervals before it was added, an event counts as not
 * read.
 *
 * Return: the index of the event; the first event has index 0.
 * Errors: -EEXIST if an event has that name already; -E2BIG if the state has ESTIMATE_EVENTS_MAX
 * events; -EINVAL for an empty name; -ENOMEM.
 */
int Estimate_state_event(struct Estimate_state *state, const char *name);

/**
 * Estimate_state_find() - Get the index of an event.
 * @name: name of the event
 *
 * Return: the index.
 * Errors: -ENOENT if no event has that name.
 */
int Estimate_state_find(const struct Estimate_state *state, const char *name);

/**
 * Estimate_state_rate() - Add a rate that is computed from events.
 * @rate: the rate, copied
 *
 * Return: the index of the rate; the first rate has index 0.
 * Errors: -EINVAL for an impossible rate, or for events that do not exist; -ENOMEM.
 */
int Estimate_state_rate(struct Estimate_state *state, const struct Estimate_rate *rate);

/**
 * Estimate_state_predict() - Predict all events over an interval.
 * @time_s: end of the interval. The interval starts at the end of the previous interval; the first
 *          call only sets the start of the first interval
 *
 * Intervals need not be equally long. If nothing can be read for some time, call this function at
 * the beginning and at the end of that time.
 *
 * Return: 0.
 * Errors: -EINVAL for a time that is not after the previous one.
 */
int Estimate_state_predict(struct Estimate_state *state, double time_s);

/**
 * Estimate_state_reading() - Correct the state by a reading of the last interval.
 * @event: index of the event
 * @begin_s: time at which counting started
 * @end_s: time at which counting ended
 * @count: events between @begin_s and @end_s
 *
 * If an event was counted during exactly the whole interval, its reading is exact. If it was
 * counted during another period, the middle of which is in the interval, the state scales the
 * reading to the length of the interval, and the result has a confidence band.
 *
 * Return: 0.
 * Errors: -ERANGE if the middle of the reading's period is not in the last interval; -EALREADY if
 * the event was read in this interval; -EINVAL if the event does not exist, or @count is not a
 * number.
 */
int Estimate_state_reading(struct Estimate_state *state, size_t event, double begin_s, double end_s,
			   double count);

/**
 * Estimate_state_learn() - Learn from the readings if learning is due.
 *
 * Learning is due after 16, 32, 64, ... intervals, and then each time that the window of
 * ESTIMATE_WINDOW intervals has been filled again. Call this function after the readings of an
 * interval. This function allocates memory, and it takes much longer than Estimate_state_predict()
 * and Estimate_state_reading().
 *
 * Return: 1 if the state has learned; 0 if learning was not due.
 * Errors: -ENOMEM: memory is missing, and the state is unchanged.
 */
int Estimate_state_learn(struct Estimate_state *state);

/**
 * Estimate_state_band() - Get the estimate of an event in the last interval.
 * @event: index of the event
 * @band: receives the number of events in the interval
 *
 * After Estimate_state_predict() and before the readings, the estimate is the prediction. If recent
 * readings differed from their predictions by more than expected, for example after a change of
 * phase, the bands are wider.
 *
 * Return: 1 if the event was read in this interval; 0 if it is estimated.
 * Errors: -ENODATA if nothing is known yet; -EINVAL for an event that does not exist.
 */
int Estimate_state_band(const struct Estimate_state *state, size_t event,
			struct Estimate_band *band);

/**
 * Estimate_state_rate_band() - Get the estimate of a rate in the last interval.
 * @rate: index of the rate
 * @band: receives the rate
 *
 * Return: 0.
 * Errors: -ENODATA if nothing is known yet about one of the rate's events; -EDOM if the divisor is
 * not above 0; -EINVAL for a rate that does not exist.
 */
int Estimate_state_rate_band(const struct Estimate_state *state, size_t rate,
			     struct Estimate_band *band);

/**
 * Estimate_state_next() - Get the prediction of an event in the next interval.
 * @event: index of the event
 * @length_s: length of the next interval, above 0
 * @band: receives the number of events in the next interval
 *
 * Return: 0.
 * Errors: -ENODATA if nothing is known about the event yet; -EINVAL if the event does not exist, or
 * @length_s is not above 0.
 */
int Estimate_state_next(const struct Estimate_state *state, size_t event, double length_s,
			struct Estimate_band *band);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_STATE_H */
