/* SPDX-License-Identifier: MIT */
/*
 * Rate: functions that several files of lib/estimate use to implement smile/estimate/rate.h.
 */
#ifndef LIB_ESTIMATE_RATE_H
#define LIB_ESTIMATE_RATE_H

#include <smile/estimate/rate.h>

/**
 * rate_is_possible() - Return whether a rate is valid for @events events.
 */
int rate_is_possible(const struct Estimate_rate *rate, size_t events);

/**
 * band_make() - Make a confidence interval. @least: the lower end of the interval is at least this
 * value; -INFINITY: no limit
 */
void band_make(struct Estimate_band *band, double value, double deviation, double least);

#endif /* LIB_ESTIMATE_RATE_H */
