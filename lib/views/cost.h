/* SPDX-License-Identifier: MIT */
/*
 * Cost: computes the cycles that accesses take, with the weights of a latency model.
 *
 * What lives here: functions that check the weights, and that compute costs from the weights.
 */
#ifndef LIB_VIEWS_COST_H
#define LIB_VIEWS_COST_H

#include "lib/monitor/monitor.h"

/* Check the weights. Return: 0; -EINVAL with a message. */
int smile_weights_check(const struct Monitor_weights *weights);

/* Get the cost of accesses of a type by another node; UINT64_MAX if the cost exceeds 64 bits. */
uint64_t smile_weights_remote(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

/* Get the cost of accesses of a type by the home node of the page. */
uint64_t smile_weights_local(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

#endif /* LIB_VIEWS_COST_H */
