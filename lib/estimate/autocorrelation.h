/* SPDX-License-Identifier: MIT */
/*
 * Autocorrelation: the autocorrelation of samples, and the line through its logarithm. Source: the
 * paper of 2006, section 5.2. Only lib/estimate/fit.c uses this file; the public call is in
 * smile/estimate/fit.h.
 */
#ifndef LIB_ESTIMATE_AUTOCORRELATION_H
#define LIB_ESTIMATE_AUTOCORRELATION_H

#include <smile/estimate.h>

/**
 * autocorrelation_samples() - Get the number of samples in all sets.
 */
size_t autocorrelation_samples(const struct Estimate_samples *samples);

/**
 * autocorrelation_mean() - Get the mean of the @count samples of all sets.
 */
double autocorrelation_mean(const struct Estimate_samples *samples, size_t count);

/**
 * autocorrelation_line() - Fit a line to the logarithm of the autocorrelation: ln C = a tau + b,
 * with beta = -a and sigma^2 = e^b. Only lags at which the autocorrelation is above the noise are
 * used.
 * @fit: has the number of samples and the mean; receives the parameters of the line
 */
void autocorrelation_line(const struct Estimate_samples *samples, struct Estimate_fit *fit);

#endif /* LIB_ESTIMATE_AUTOCORRELATION_H */
