// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Rivals. See tests/bench/state_rivals.h.
 */
#include "tests/bench/state_rivals.h"

#include <math.h>

/**
 * struct gap - The readings of an event around an interval without a reading.
 * @before: value of the last reading; NAN if there is no such reading
 * @after: value of the next reading
 * @from: intervals since the last reading
 * @to: intervals until the next reading
 */
struct gap {
	double before;
	double after;
	size_t from;
	size_t to;
};

/* The readings on both sides of interval @t of the event whose column is @seen. */
static struct gap gap_of(const double *seen, size_t events, size_t intervals, size_t t)
{
	struct gap gap = {.before = NAN, .after = NAN};

	for (size_t k = t; k-- > 0 && isnan(gap.before); gap.from = t - k)
		gap.before = seen[k * events];
	for (size_t k = t + 1; k < intervals && isnan(gap.after); gap.to = k - t, k++)
		gap.after = seen[k * events];
	if (isnan(gap.before))
		gap.before = isnan(gap.after) ? 0 : gap.after;
	if (isnan(gap.after))
		gap.after = gap.before;
	return gap;
}

void rival_trapezoid(const double *seen, size_t events, size_t intervals, double *estimates)
{
	for (size_t at = 0; at < events * intervals; at++) {
		struct gap gap = gap_of(seen + at % events, events, intervals, at / events);
		double share = (double)gap.from / (double)(gap.from + gap.to);

		estimates[at] =
			isnan(seen[at]) ? gap.before + share * (gap.after - gap.before) : seen[at];
	}
}

void rival_divided(const double *seen, size_t events, size_t intervals, double *estimates)
{
	for (size_t at = 0; at < events * intervals; at++) {
		struct gap gap = gap_of(seen + at % events, events, intervals, at / events);

		if (!isnan(seen[at]))
			estimates[at] = seen[at];
		else if (gap.from == gap.to)
			estimates[at] = (gap.before + gap.after) / 2;
		else
			estimates[at] = gap.from < gap.to ? gap.before : gap.after;
	}
}

/**
 * struct plane - value = mean + slope_before (before - mean) + slope_after (after - mean).
 * @deviation: standard deviation of the residuals
 */
struct plane {
	double mean;
	double before;
	double after;
	double deviation;
};

/*
 * Fit a plane by sums over the readings of a column that have a reading on both sides, after
 * subtracting their mean.
 */
static struct plane plane_fit(const double *seen, size_t events, size_t intervals)
{
	double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, zz = 0, sum = 0, readings = 0, determinant;
	double last[2] = {NAN, NAN};
	struct plane plane = {0};
	size_t count = 0;

	for (size_t t = 0; t < intervals; t++) {
		sum += isnan(seen[t * events]) ? 0 : seen[t * events];
		readings += !isnan(seen[t * events]);
	}
	plane.mean = readings > 0 ? sum / readings : 0;
	for (size_t t = 0; t < intervals; t++) {
		double y = seen[t * events] - plane.mean, x = last[0], z = last[1];

		if (isnan(y))
			continue;
		last[0] = last[1];
		last[1] = y;
		if (isnan(x) || isnan(z))
			continue;
		xx += x * x;
		xy += x * y;
		yy += y * y;
		xz += x * z;
		yz += y * z;
		zz += z * z;
		count++;
	}
	determinant = xx * yy - xy * xy;
	if (count > 3 && determinant > 1e-9 * xx * yy) {
		plane.before = (xz * yy - yz * xy) / determinant;
		plane.after = (yz * xx - xz * xy) / determinant;
	}
	plane.deviation = zz - plane.before * xz - plane.after * yz;
	plane.deviation = count > 3 ? sqrt(fmax(plane.deviation, 0) / (double)(count - 3)) : 0;
	return plane;
}

void rival_regression(const double *seen, size_t events, size_t intervals, double *estimates,
		      double *deviations)
{
	for (size_t i = 0; i < events; i++) {
		struct plane plane = plane_fit(seen + i, events, intervals);

		for (size_t t = 0; t < intervals; t++) {
			struct gap gap = gap_of(seen + i, events, intervals, t);
			size_t at = t * events + i;
			int read = !isnan(seen[at]);

			estimates[at] =
				read ? seen[at]
				     : fmax(plane.mean + plane.before * (gap.before - plane.mean) +
						    plane.after * (gap.after - plane.mean),
					    0);
			deviations[at] = read ? 0 : plane.deviation;
		}
	}
}
