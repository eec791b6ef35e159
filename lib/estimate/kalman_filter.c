// SPDX-License-Identifier: MIT
/*
 * Filter: predicts and corrects many independent counters. This is the Kalman filter of chapter 5
 * of the paper of 2006. See smile/estimate.h. May use only libm.
 *
 * Because the counters are independent, the matrices of a Kalman filter consist of one block of 1 x
 * 1 or 2 x 2 numbers for each counter. For each element of a block, an array has this element of
 * all counters. Each step is a loop over these arrays, which a compiler can translate into vector
 * instructions.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <smile/estimate.h>

/* The alignment of arrays, in bytes and in elements. */
#define FILTER_ALIGN 64
#define FILTER_LANES (FILTER_ALIGN / sizeof(double))
#define FILTER_ARRAYS 14

/**
 * struct Estimate_filter - A filter. Each array has the shape [@count].
 * @count: number of counters
 * @model: model of all counters
 * @dt_s: length of the interval for which the transition was computed; 0: not computed yet
 * @memory: memory of all arrays
 * @sigma: sigma of each process
 * @beta: beta of each process
 * @mean: mean of each process; for ESTIMATE_INTEGRATED, the initial value of each counter
 * @r: r of each process
 * @phi12: element 1,2 of the transition over @dt_s
 * @phi22: element 2,2 of the transition
 * @q11: element 1,1 of the process noise over @dt_s
 * @q12: element 1,2 of the process noise
 * @q22: element 2,2 of the process noise
 * @x1: estimate of the reading; for ESTIMATE_GAUSS_MARKOV, of the reading minus its mean
 * @x2: estimate of the rate of change of the reading
 * @p11: element 1,1 of the covariance
 * @p12: element 1,2 of the covariance
 * @p22: element 2,2 of the covariance
 */
struct Estimate_filter {
	size_t count;
	enum Estimate_model model;
	double dt_s;
	double *memory;
	double *sigma, *beta, *mean, *r;
	double *phi12, *phi22, *q11, *q12, *q22;
	double *x1, *x2, *p11, *p12, *p22;
};

static void filter_begin(struct Estimate_filter *filter, size_t i,
			 const struct Estimate_process *process)
{
	int integrated = filter->model == ESTIMATE_INTEGRATED;
	double variance = process->sigma * process->sigma;

	filter->sigma[i] = process->sigma;
	filter->beta[i] = process->beta;
	filter->mean[i] = process->mean;
	filter->r[i] = process->r;
	filter->x1[i] = integrated ? process->mean : 0;
	filter->p11[i] = variance;
	filter->p22[i] = integrated ? variance : 0;
}

int Estimate_filter_new(struct Estimate_filter **out, const struct Estimate_process *processes,
			size_t count, enum Estimate_model model)
{
	size_t lanes = (count + FILTER_LANES - 1) / FILTER_LANES * FILTER_LANES;
	struct Estimate_filter *filter;
	size_t bytes;
	double *next;

	if (!count || (model != ESTIMATE_GAUSS_MARKOV && model != ESTIMATE_INTEGRATED))
		return -EINVAL;
	for (size_t i = 0; i < count; i++)
		if (Estimate_process_check(&processes[i]))
			return -EINVAL;
	if (lanes < count || __builtin_mul_overflow(lanes, FILTER_ARRAYS * sizeof(double), &bytes))
		return -ENOMEM;
	filter = calloc(1, sizeof(*filter));
	if (!filter)
		return -ENOMEM;
	filter->memory = aligned_alloc(FILTER_ALIGN, bytes);
	if (!filter->memory) {
		free(filter);
		return -ENOMEM;
	}
	for (size_t i = 0; i < bytes / sizeof(double); i++)
		filter->memory[i] = 0;
	filter->count = count;
	filter->model = model;
	next = filter->memory;
	double **const arrays[] = {
		&filter->sigma, &filter->beta, &filter->mean, &filter->r,   &filter->phi12,
		&filter->phi22, &filter->q11,  &filter->q12,  &filter->q22, &filter->x1,
		&filter->x2,	&filter->p11,  &filter->p12,  &filter->p22,
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++, next += lanes)
		*arrays[i] = next;
	for (size_t i = 0; i < count; i++)
		filter_begin(filter, i, &processes[i]);
	*out = filter;
	return 0;
}

void Estimate_filter_free(struct Estimate_filter *filter)
{
	if (!filter)
		return;
	free(filter->memory);
	free(filter);
}

/* ---- predict --------------------------------------------------------------------------------- */

static void filter_transition(struct Estimate_filter *filter, double dt_s)
{
	for (size_t i = 0; i < filter->count; i++) {
		struct Estimate_process process = {.sigma = filter->sigma[i],
						   .beta = filter->beta[i]};
		struct Estimate_transition step = Estimate_process_transition(&process, dt_s);

		filter->phi12[i] = step.phi12;
		filter->phi22[i] = step.phi22;
		filter->q11[i] = step.q11;
		filter->q12[i] = step.q12;
		filter->q22[i] = step.q22;
	}
	filter->dt_s = dt_s;
}

/* x = phi x, p = phi^2 p + q */
static void predict_one_state(size_t count, const double *restrict phi, const double *restrict q,
			      double *restrict x, double *restrict p)
{
	for (size_t i = 0; i < count; i++) {
		x[i] = phi[i] * x[i];
		p[i] = phi[i] * phi[i] * p[i] + q[i];
	}
}

/* x = Phi x, P = Phi P Phi^T + Q with Phi = (1 phi12, 0 phi22) */
static void predict_two_states(struct Estimate_filter *filter)
{
	const double *restrict phi12 = filter->phi12, *restrict phi22 = filter->phi22;
	const double *restrict q11 = filter->q11, *restrict q12 = filter->q12;
	const double *restrict q22 = filter->q22;
	double *restrict x1 = filter->x1, *restrict x2 = filter->x2;
	double *restrict p11 = filter->p11, *restrict p12 = filter->p12;
	double *restrict p22 = filter->p22;

	for (size_t i = 0; i < filter->count; i++) {
		double a = phi12[i], f = phi22[i];
		double c12 = p12[i] + a * p22[i];

		x1[i] = x1[i] + a * x2[i];
		x2[i] = f * x2[i];
		p11[i] = p11[i] + a * (p12[i] + c12) + q11[i];
		p12[i] = f * c12 + q12[i];
		p22[i] = f * f * p22[i] + q22[i];
	}
}

int Estimate_filter_predict(struct Estimate_filter *filter, double dt_s)
{
	if (!(dt_s > 0) || dt_s > ESTIMATE_NUMBER_MAX)
		return -EINVAL;
	if (dt_s < filter->dt_s || dt_s > filter->dt_s)
		filter_transition(filter, dt_s);
	if (filter->model == ESTIMATE_INTEGRATED)
		predict_two_states(filter);
	else
		predict_one_state(filter->count, filter->phi22, filter->q22, filter->x1,
				  filter->p11);
	return 0;
}

/* ---- correct --------------------------------------------------------------------------------- */

/*
 * Correct the state by a reading of x1. The covariance is computed in Joseph's form: P = (I - K H)
 * P (I - K H)^T + K R K^T. P11 and P12 are products. P22 is a sum of terms that only rounding can
 * make negative. If the variance of the prediction and r are both 0, the reading contains no
 * information, and the gain is 0.
 */
static inline void correct_two_states(struct Estimate_filter *filter, size_t i, double value)
{
	double p11 = filter->p11[i], p12 = filter->p12[i], r = filter->r[i];
	double s = p11 + r, inverse = s > 0 ? 1 / s : 0;
	double k1 = p11 * inverse, k2 = p12 * inverse, y = value - filter->x1[i];
	double p22 = filter->p22[i] - 2 * k2 * p12 + k2 * k2 * s;

	filter->x1[i] += k1 * y;
	filter->x2[i] += k2 * y;
	filter->p11[i] = k1 * r;
	filter->p12[i] = k2 * r;
	filter->p22[i] = p22 > 0 ? p22 : 0;
}

static inline void correct_one_state(struct Estimate_filter *filter, size_t i, double value)
{
	double p = filter->p11[i], r = filter->r[i], s = p + r;
	double k = s > 0 ? p / s : 0;

	filter->x1[i] += k * (value - filter->mean[i] - filter->x1[i]);
	filter->p11[i] = k * r;
}

/*
 * If all counters were read, the loop uses no array of indices, so the compiler can vectorise it.
 */
static void correct_one_state_all(size_t count, const double *restrict values,
				  const double *restrict mean, const double *restrict r,
				  double *restrict x, double *restrict p)
{
	for (size_t i = 0; i < count; i++) {
		double s = p[i] + r[i];
		double k = p[i] / (s > 0 ? s : 1);

		x[i] += k * (values[i] - mean[i] - x[i]);
		p[i] = k * r[i];
	}
}

static void correct_two_states_all(struct Estimate_filter *filter, size_t count,
				   const double *restrict values)
{
	const double *restrict r = filter->r;
	double *restrict x1 = filter->x1, *restrict x2 = filter->x2;
	double *restrict p11 = filter->p11, *restrict p12 = filter->p12;
	double *restrict p22 = filter->p22;

	for (size_t i = 0; i < count; i++) {
		double s = p11[i] + r[i], inverse = 1 / (s > 0 ? s : 1);
		double k1 = p11[i] * inverse, k2 = p12[i] * inverse, y = values[i] - x1[i];
		double left = p22[i] - 2 * k2 * p12[i] + k2 * k2 * s;

		x1[i] += k1 * y;
		x2[i] += k2 * y;
		p11[i] = k1 * r[i];
		p12[i] = k2 * r[i];
		p22[i] = left > 0 ? left : 0;
	}
}

int Estimate_filter_correct(struct Estimate_filter *filter, const size_t *counters,
			    const double *values, size_t count)
{
	int bad = !counters && count > filter->count;

	for (size_t i = 0; i < count && !bad; i++)
		bad = !(fabs(values[i]) <= ESTIMATE_NUMBER_MAX);
	for (size_t i = 0; counters && i < count && !bad; i++)
		bad = counters[i] >= filter->count;
	if (bad)
		return -EINVAL;
	if (!counters && filter->model == ESTIMATE_INTEGRATED)
		correct_two_states_all(filter, count, values);
	else if (!counters)
		correct_one_state_all(count, values, filter->mean, filter->r, filter->x1,
				      filter->p11);
	else if (filter->model == ESTIMATE_INTEGRATED)
		for (size_t i = 0; i < count; i++)
			correct_two_states(filter, counters[i], values[i]);
	else
		for (size_t i = 0; i < count; i++)
			correct_one_state(filter, counters[i], values[i]);
	return 0;
}

/* ---- estimates ------------------------------------------------------------------------------- */

void Estimate_filter_innovation(const struct Estimate_filter *filter, size_t counter, double value,
				double *difference, double *variance)
{
	double known = filter->model == ESTIMATE_INTEGRATED ? 0 : filter->mean[counter];

	*difference = value - known - filter->x1[counter];
	*variance = filter->p11[counter] + filter->r[counter];
}

void Estimate_filter_estimates(const struct Estimate_filter *filter, double *estimates,
			       double *deviations)
{
	int integrated = filter->model == ESTIMATE_INTEGRATED;

	for (size_t i = 0; i < filter->count; i++)
		estimates[i] = filter->x1[i] + (integrated ? 0 : filter->mean[i]);
	for (size_t i = 0; deviations && i < filter->count; i++)
		deviations[i] = sqrt(filter->p11[i]);
}

void Estimate_filter_covariance(const struct Estimate_filter *filter, size_t counter, double p[3])
{
	p[0] = filter->p11[counter];
	p[1] = filter->p12[counter];
	p[2] = filter->p22[counter];
}
