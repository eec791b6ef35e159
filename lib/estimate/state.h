/* SPDX-License-Identifier: MIT */
/*
 * State: without means and sums, for lib/estimate/joint.c.
 */
#ifndef LIB_ESTIMATE_STATE_H
#define LIB_ESTIMATE_STATE_H

#include <smile/state.h>

/**
 * state_new() - As Monitor_state_new().
 * @whole: 0: means are as in @joint, and there are no totals; a step costs a quarter
 */
int state_new(struct Monitor_state **out, const struct Monitor_joint *joint, int whole);

/**
 * state_scores() - Sum of the squared innovations by their variances.
 */
double state_scores(const struct Monitor_state *state);

#endif /* LIB_ESTIMATE_STATE_H */
