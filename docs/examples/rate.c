/* SPDX-License-Identifier: MIT */
/* Compute a miss rate from two counts. The counts rise and fall together, so the band is narrow. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

int main(void)
{
	static const double counts[2] = {2000, 50000};
	static const double covariance[2 * 2] = {1e4, 2.4e5, 2.4e5, 6.25e6};
	struct Estimate_rate rate = {
		.kind = ESTIMATE_SHARE, .of = {0}, .of_count = 1, .by = {1}, .by_count = 1};
	struct Estimate_band band;

	if (Estimate_rate_derive(&rate, counts, covariance, 2, 0.01, &band) < 0)
		errx(2, "no such rate");
	printf("%.2f %%, %.2f to %.2f\n", 100 * band.value, 100 * band.low, 100 * band.high);
}
