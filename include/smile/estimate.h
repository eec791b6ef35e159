/* SPDX-License-Identifier: MIT */
/*
 * Estimate: the state of multiplexed counters, with its uncertainty.
 *
 * What lives here: the public interface of libsmile-estimate, with one header for each subject. The
 * library models a counter as a random process. A state holds the events of a program. In each
 * interval, the state predicts all events, and then corrects the predictions by the readings of
 * those events that were read. The state reports an estimate and its 95 % confidence interval for
 * each event, even if the event was not read, and for rates that are computed from events. In this
 * interface, a confidence interval is called a band.
 *
 *	struct Estimate_state *state;
 *	struct Estimate_band band;
 *	if (Estimate_state_new(&state) < 0)
 *		errx(2, "no memory");
 *	for (size_t i = 0; i < events; i++)
 *		Estimate_state_event(state, names[i]);
 *	Estimate_state_predict(state, now_s());
 *	for (size_t k = 0; running; k++) {
 *		count = count_one_interval(k % events);
 *		Estimate_state_predict(state, now_s());
 *		Estimate_state_reading(state, k % events, begin_s, end_s, count);
 *		if (Estimate_state_band(state, 0, &band) >= 0)
 *			printf("%g, %g to %g\n", band.value, band.low, band.high);
 *		Estimate_state_learn(state);
 *	}
 *	Estimate_state_free(state);
 *
 * Memory: handles are opaque. Calls that create, add or learn allocate memory. Calls that make a
 * step (predict, correct, reading) or that read the state do not allocate memory. No function does
 * I/O.
 *
 * Errors: on success, every int function returns 0 or its documented result. On failure, it returns
 * a negative errno value and leaves its outputs unchanged.
 *
 * Threads: only one thread at a time may use a handle. Different handles are independent.
 *
 * Sources cited below: [2006] "Distributed Shared Memory Architectures and Global Performance State
 * Estimation", chapters 5, 6 and 8. The formulas for the process noise in this source contain
 * errors, which the library corrects.
 */
#ifndef SMILE_ESTIMATE_H
#define SMILE_ESTIMATE_H

#include <smile/estimate/cluster.h>
#include <smile/estimate/filter.h>
#include <smile/estimate/fit.h>
#include <smile/estimate/process.h>
#include <smile/estimate/rate.h>
#include <smile/estimate/state.h>

#endif /* SMILE_ESTIMATE_H */
