/* SPDX-License-Identifier: MIT */
/*
 * Rate: what the parts of lib/estimate share of smile/estimate/rate.h.
 */
#ifndef LIB_ESTIMATE_RATE_H
#define LIB_ESTIMATE_RATE_H

#include <smile/estimate/rate.h>

/**
 * rate_is_possible() - Is a rate valid for @events events?
 */
int rate_is_possible(const struct Estimate_rate *rate, size_t events);

/**
 * band_make() - A band that does not go below a number; -INFINITY: as low as it comes.
 */
void band_make(struct Estimate_band *band, double value, double deviation, double least);

#endif /* LIB_ESTIMATE_RATE_H */
