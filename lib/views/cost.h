/* SPDX-License-Identifier: MIT */
/*
 * Cost: the cycles of accesses, by a latency model's weights.
 *
 * What lives here: the weights.
 */
#ifndef LIB_VIEWS_COST_H
#define LIB_VIEWS_COST_H

#include "lib/monitor/monitor.h"

/* Return: 0; -EINVAL with a message. */
int smile_weights_check(const struct Monitor_weights *weights);

/* The cost of accesses of a type by another node; UINT64_MAX if it exceeds 64 bits. */
uint64_t smile_weights_remote(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

/* The cost of accesses by the node on which the page lies. */
uint64_t smile_weights_local(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

#endif /* LIB_VIEWS_COST_H */
