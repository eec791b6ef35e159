/* SPDX-License-Identifier: MIT */
/*
 * Rate: the functions for smile/estimate/rate.h that several files of lib/estimate use.
 */
#ifndef LIB_ESTIMATE_RATE_H
#define LIB_ESTIMATE_RATE_H

#include <smile/estimate/rate.h>

/**
 * rate_is_possible() - Return whether a rate is valid for @events events.
 */
int rate_is_possible(const struct Estimate_rate *rate, size_t events);

/**
 * band_make() - Make a band. @least: the lowest possible lower end; -INFINITY: no limit
 */
void band_make(struct Estimate_band *band, double value, double deviation, double least);

#endif /* LIB_ESTIMATE_RATE_H */
