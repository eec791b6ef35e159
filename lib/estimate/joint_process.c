// SPDX-License-Identifier: MIT
/*
 * Joint process: finds the parameters of a joint process from readings that have gaps. See
 * lib/estimate/joint_process.h. May use only libm.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/estimate/eigen.h"
#include "lib/estimate/joint_process.h"

/* The largest distance, in intervals, between two readings that are compared. */
#define LAGS_MAX 40

/*
 * The smallest shares of an event's variance: FAST_LEAST of the part that is independent in each
 * interval, and SLOW_LEAST of the part that decays slowly.
 */
#define FAST_LEAST 1e-4
#define SLOW_LEAST 1e-6

/* The variance of an unknown mean, divided by the variance of the event. */
#define MEAN_WIDTH 4.0

/* The standard deviation of a mean that is known from an earlier run, divided by the mean. */
#define MEAN_SHARE 0.2

/* At least this share of each part of an event's variance is independent of all other events. */
#define OWN_LEAST 0.02

/*
 * For each enum joint_sharing, the evidence that is needed before two events count as correlated.
 * It is the number of products of readings that have the same weight as the assumption that the two
 * events are independent.
 */
static const double doubts[] = {
	[JOINT_SHARE_NONE] = INFINITY,
	[JOINT_SHARE_CAUTIOUS] = 64,
	[JOINT_SHARE_FREELY] = 8,
};

int joint_new(struct joint **out, size_t events)
{
	struct joint *joint;

	if (!events || events > ESTIMATE_EVENTS_MAX)
		return -EINVAL;
	joint = calloc(1, sizeof(*joint));
	if (!joint)
		return -ENOMEM;
	joint->events = events;
	joint->mean = calloc(events * (2 * events + 2), sizeof(double));
	if (!joint->mean) {
		free(joint);
		return -ENOMEM;
	}
	joint->mean_variance = joint->mean + events;
	joint->slow = joint->mean_variance + events;
	joint->fast = joint->slow + events * events;
	*out = joint;
	return 0;
}

void joint_free(struct joint *joint)
{
	if (!joint)
		return;
	free(joint->mean);
	free(joint);
}

/**
 * struct moments - Sums over the readings. Matrices have the shape [events][events].
 * @n: number of events
 * @bridge: twice the mean number of intervals between two readings of the same event, plus one
 * @memory: memory of all arrays
 * @deviation: standard deviation of each event, shape [@n]
 * @apart: weighted sums of the products of readings in different intervals. The weight of a product
 *         is rho to the power of the distance between the intervals
 * @weight: sums of the squares of the weights in @apart
 * @together: sums of the products of readings in the same interval
 * @times: number of products in @together
 * @centred: readings of an interval minus their means, divided by their deviations, shape
 *           [lags][@n]
 */
struct moments {
	size_t n;
	size_t bridge;
	double *memory;
	double *deviation, *apart, *weight, *together, *times, *centred, *work;
};

static int moments_new(struct moments *moments, size_t n)
{
	size_t square = n * n;
	double *next = calloc(n + 4 * square + LAGS_MAX * n + 2 * square + n, sizeof(double));

	if (!next)
		return -ENOMEM;
	*moments = (struct moments){.n = n, .memory = next};
	moments->deviation = next;
	moments->apart = moments->deviation + n;
	moments->weight = moments->apart + square;
	moments->together = moments->weight + square;
	moments->times = moments->together + square;
	moments->centred = moments->times + square;
	moments->work = moments->centred + LAGS_MAX * n;
	return 0;
}

/* Compute the means and the deviations of the readings. Return: 0; -ENODATA. */
static int moments_first(struct moments *moments, const struct joint_readings *readings,
			 double *mean)
{
	double all = 0;

	for (size_t i = 0; i < moments->n; i++) {
		double sum = 0, squares = 0, count = 0;

		for (size_t t = 0; t < readings->intervals; t++) {
			double value = readings->values[t * moments->n + i];

			if (isnan(value))
				continue;
			sum += value;
			count++;
		}
		if (count < 2)
			return -ENODATA;
		all += count;
		mean[i] = sum / count;
		for (size_t t = 0; t < readings->intervals; t++) {
			double value = readings->values[t * moments->n + i] - mean[i];

			if (!isnan(value))
				squares += value * value;
		}
		moments->deviation[i] = sqrt(squares / count);
		/*
		 * All readings of the event were equal. It can still change, so assume the variance
		 * of a Poisson process.
		 */
		if (!(moments->deviation[i] > 0))
			moments->deviation[i] = sqrt(fmax(mean[i], 0) + 1);
	}
	moments->bridge = (size_t)(2 * (double)(readings->intervals * moments->n) / all) + 1;
	return 0;
}

/*
 * Add the products of the readings of two intervals. @now: readings of the later interval. @before:
 * readings of the earlier interval.
 * @share: weight of the products.
 */
static void moments_add(struct moments *moments, const double *now, const double *before,
			double share)
{
	size_t n = moments->n;

	for (size_t i = 0; i < n; i++) {
		if (isnan(now[i]))
			continue;
		for (size_t j = 0; j < n; j++) {
			if (isnan(before[j]))
				continue;
			moments->apart[i * n + j] += share * now[i] * before[j];
			moments->weight[i * n + j] += share * share;
		}
	}
}

static void moments_second(struct moments *moments, const struct joint_readings *readings,
			   const double *mean, double rho)
{
	size_t n = moments->n, lags = 1;

	/* The largest lag must be at least the time between two readings of an event. */
	while (lags < LAGS_MAX - 1 && lags < moments->bridge)
		lags++;
	for (size_t t = 0; t < readings->intervals; t++) {
		double *now = moments->centred + t % LAGS_MAX * n, share = rho;

		for (size_t i = 0; i < n; i++)
			now[i] = (readings->values[t * n + i] - mean[i]) / moments->deviation[i];
		for (size_t lag = 1; lag <= lags && lag <= t; lag++, share *= rho)
			moments_add(moments, now, moments->centred + (t - lag) % LAGS_MAX * n,
				    share);
		for (size_t i = 0; i < n; i++) {
			if (isnan(now[i]))
				continue;
			for (size_t j = 0; j <= i; j++) {
				if (isnan(now[j]))
					continue;
				moments->together[i * n + j] += now[i] * now[j];
				moments->times[i * n + j]++;
			}
		}
	}
}

static double clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

/* Compute the slow and the fast covariance of a pair of events. */
static void pair_fit(const struct moments *moments, struct joint *joint, size_t i, size_t j,
		     double doubt)
{
	size_t n = moments->n, ij = i * n + j, ji = j * n + i;
	double weight = moments->weight[ij] + (i == j ? 0 : moments->weight[ji]);
	double apart = moments->apart[ij] + (i == j ? 0 : moments->apart[ji]);
	double times = moments->times[ij], slow, fast;

	slow = weight > 0 ? apart / weight : 0;
	if (i == j) {
		slow = clamp(slow * weight / (weight + 2), SLOW_LEAST, 1 - FAST_LEAST);
		fast = 1 - slow;
	} else {
		slow = isinf(doubt) ? 0 : clamp(slow * weight / (weight + doubt), -1, 1);
		fast = isinf(doubt) || !(times > 0)
			       ? 0
			       : (moments->together[ij] / times - slow) * times / (times + doubt);
	}
	joint->slow[ij] = joint->slow[ji] = slow;
	joint->fast[ij] = joint->fast[ji] = fast;
}

/* Change the matrix into a covariance matrix with the same diagonal, and convert its units. */
static void covariance_make(double *matrix, const struct moments *moments)
{
	size_t n = moments->n;
	double *had = moments->work + 2 * n * n;

	for (size_t i = 0; i < n; i++)
		had[i] = matrix[i * n + i];
	eigen_clip(matrix, n, moments->work);
	for (size_t i = 0; i < n; i++)
		matrix[i * n + i] += OWN_LEAST * had[i] + 1e-9;
	for (size_t i = 0; i < n; i++)
		had[i] = sqrt(had[i] / matrix[i * n + i]) * moments->deviation[i];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix[i * n + j] *= had[i] * had[j];
}

/*
 * Compute the parameters of a process from the products of readings that are at most a few
 * intervals apart. @rho: joint->rho of the process. @sharing: joint->sharing of the process.
 * Return: 0; -ENODATA; -ENOMEM.
 */
static int fit(struct joint *joint, const struct joint_readings *readings, double rho,
	       enum joint_sharing sharing)
{
	size_t n = joint->events;
	struct moments moments;
	int error;

	if (readings->events != n || !(rho > 0 && rho < 1))
		return -EINVAL;
	error = moments_new(&moments, n);
	if (error < 0)
		return error;
	error = moments_first(&moments, readings, joint->mean);
	if (!error) {
		moments_second(&moments, readings, joint->mean, rho);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j <= i; j++)
				pair_fit(&moments, joint, i, j, doubts[sharing]);
		covariance_make(joint->slow, &moments);
		covariance_make(joint->fast, &moments);
		joint->rho = rho;
		joint->sharing = sharing;
		for (size_t i = 0; i < n; i++)
			joint->mean_variance[i] =
				MEAN_WIDTH * (joint->slow[i * n + i] + joint->fast[i * n + i]);
	}
	free(moments.memory);
	return error;
}

/*
 * If candidates are fitted to the readings, they are judged by other intervals: by every fourth
 * block of BLOCK intervals, to which they are not fitted.
 */
#define BLOCK 24
#define BLOCKS 4

/*
 * The largest number of intervals times events by which a candidate is judged. More would take too
 * much time if there are many events.
 */
#define JUDGED_MAX 65536

/*
 * The largest factor by which covariances are enlarged. It limits the effect of a few outliers of
 * rarely read events on all confidence intervals.
 */
#define SPREAD_MAX 4.0

static int is_held_out(size_t interval)
{
	return interval / BLOCK % BLOCKS == BLOCKS - 1;
}

/**
 * struct judged - The quality of a candidate's predictions.
 * @likelihood: logarithm of the likelihood of the readings to which the candidate was not fitted
 * @spread: mean of the squared innovations, each divided by its variance. An innovation is the
 *          difference between a reading and its prediction. The mean is 1 if the predicted
 *          variances are correct
 */
struct judged {
	double likelihood;
	double spread;
};

/* Judge a candidate by readings to which it was not fitted. Return: 0; -errno. */
static int judge(const struct joint *joint, const struct joint_readings *readings,
		 struct judged *judged)
{
	size_t n = readings->events, end = readings->intervals;
	struct joint_state *state;
	double likelihood, score, scores = 0, count = 0;
	int error = joint_state_make(&state, joint, 0);

	if (error < 0)
		return error;
	*judged = (struct judged){0};
	if (end * n > JUDGED_MAX)
		end = JUDGED_MAX / n;
	for (size_t t = 0; t < end; t++) {
		const double *values = readings->values + t * n;

		likelihood = joint_state_likelihood(state);
		score = joint_state_scores(state);
		joint_state_step(state, values, readings->lengths ? readings->lengths[t] : 1);
		if (!is_held_out(t))
			continue;
		judged->likelihood += joint_state_likelihood(state) - likelihood;
		scores += joint_state_scores(state) - score;
		for (size_t i = 0; i < n; i++)
			count += !isnan(values[i]);
	}
	judged->spread = count > 0 ? fmin(scores / count, SPREAD_MAX) : 1;
	joint_state_free(state);
	return 0;
}

/*
 * Judge all candidates. @rho, @sharing and @best: receive the parameters and the quality of the
 * best candidate. Return: 0; -errno.
 */
static int candidates_judge(struct joint *joint, const struct joint_readings *samples,
			    const struct joint_readings *readings, double *rho,
			    enum joint_sharing *sharing, struct judged *best)
{
	static const double rhos[] = {0.3, 0.6, 0.9, 0.97};
	struct judged judged;
	int error;

	*best = (struct judged){.likelihood = -INFINITY, .spread = 1};
	for (size_t k = 0; k < sizeof(rhos) / sizeof(rhos[0]); k++) {
		for (int s = JOINT_SHARE_NONE; s <= JOINT_SHARE_FREELY; s++) {
			error = fit(joint, samples, rhos[k], (enum joint_sharing)s);
			if (!error)
				error = judge(joint, readings, &judged);
			if (error == -ENOMEM)
				return error;
			if (error || !(judged.likelihood > best->likelihood))
				continue;
			*best = judged;
			*rho = rhos[k];
			*sharing = (enum joint_sharing)s;
		}
	}
	return 0;
}

/* Enlarge the covariances if the innovations were larger than predicted. */
static void covariance_widen(struct joint *joint, double spread)
{
	size_t square = joint->events * joint->events;

	for (size_t i = 0; spread > 1 && i < square; i++) {
		joint->slow[i] *= spread;
		joint->fast[i] *= spread;
	}
}

int joint_learn(struct joint *joint, const struct joint_readings *samples,
		const struct joint_readings *readings)
{
	size_t n = readings->events;
	struct joint_readings part = *samples;
	enum joint_sharing sharing = JOINT_SHARE_NONE;
	double rho = 0.6, *kept = NULL;
	struct judged best;
	int error;

	if (samples == readings) {
		kept = malloc(readings->intervals * n * sizeof(*kept) + 1);
		if (!kept)
			return -ENOMEM;
		for (size_t t = 0; t < readings->intervals; t++)
			for (size_t i = 0; i < n; i++)
				kept[t * n + i] =
					is_held_out(t) ? NAN : readings->values[t * n + i];
		part.values = kept;
	}
	error = candidates_judge(joint, &part, readings, &rho, &sharing, &best);
	free(kept);
	if (!error)
		error = fit(joint, samples, rho, sharing);
	if (!error)
		covariance_widen(joint, best.spread);
	for (size_t i = 0; i < n && samples != readings && !error; i++) {
		double share = MEAN_SHARE * joint->mean[i];

		joint->mean_variance[i] = fmin(joint->mean_variance[i], share * share);
	}
	return error;
}
