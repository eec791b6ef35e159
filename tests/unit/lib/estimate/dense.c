// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The filter of dense.h. Matrices are stored row by row. */
#include "tests/unit/lib/estimate/dense.h"

#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

/**
 * struct dense - A filter with n counters and s states.
 * @phi: s x s; @q, @p, @a and @b also have this size, @a and @b for intermediate results
 * @x: vector of s elements
 * @h: n x s: the state of each reading
 * @ph: s x n
 * @hp: n x n; replaced first by its Cholesky factor, then by its inverse
 * @k: s x n
 * @y: vector of n elements
 */
struct dense {
	size_t count, states, each;
	struct Estimate_process *processes;
	double *phi, *q, *p, *a, *b, *x, *h, *ph, *hp, *k, *y;
};

static double *zeros(size_t count)
{
	double *memory = calloc(count, sizeof(*memory));

	if (!memory)
		abort();
	return memory;
}

struct dense *dense_new(const struct Estimate_process *processes, size_t count,
			enum Estimate_model model, double dt_s)
{
	struct dense *dense = calloc(1, sizeof(*dense));
	size_t each = model == ESTIMATE_INTEGRATED ? 2 : 1, s = count * each;

	/*
	 * One thread: further threads of OpenBLAS would take processor time from other tests, even
	 * while they wait.
	 */
	openblas_set_num_threads(1);
	*dense = (struct dense){.count = count, .states = s, .each = each};
	dense->processes = malloc(count * sizeof(*processes));
	memcpy(dense->processes, processes, count * sizeof(*processes));
	dense->phi = zeros(s * s);
	dense->q = zeros(s * s);
	dense->p = zeros(s * s);
	dense->a = zeros(s * s);
	dense->b = zeros(s * s);
	dense->x = zeros(s);
	dense->h = zeros(count * s);
	dense->ph = zeros(s * count);
	dense->hp = zeros(count * count);
	dense->k = zeros(s * count);
	dense->y = zeros(count);
	for (size_t i = 0; i < count; i++) {
		struct Estimate_transition step = Estimate_process_transition(&processes[i], dt_s);
		double variance = processes[i].sigma * processes[i].sigma;
		size_t at = i * each * (s + 1);

		dense->p[at] = variance;
		if (each == 1) {
			dense->phi[at] = step.phi22;
			dense->q[at] = step.q22;
			continue;
		}
		dense->x[2 * i] = processes[i].mean;
		dense->p[at + s + 1] = variance;
		dense->phi[at] = 1;
		dense->phi[at + 1] = step.phi12;
		dense->phi[at + s + 1] = step.phi22;
		dense->q[at] = step.q11;
		dense->q[at + 1] = dense->q[at + s] = step.q12;
		dense->q[at + s + 1] = step.q22;
	}
	return dense;
}

void dense_free(struct dense *dense)
{
	double *all[] = {dense->phi, dense->q,	dense->p,  dense->a, dense->b, dense->x,
			 dense->h,   dense->ph, dense->hp, dense->k, dense->y};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
	free(dense->processes);
	free(dense);
}

/* c = alpha a b + beta c, where a is m x k. If @ta or @tb is 'T', that matrix is transposed. */
static void multiply(char ta, char tb, size_t m, size_t n, size_t k, double alpha, const double *a,
		     const double *b, double beta, double *c)
{
	cblas_dgemm(CblasRowMajor, ta == 'T' ? CblasTrans : CblasNoTrans,
		    tb == 'T' ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, alpha, a,
		    (int)(ta == 'T' ? m : k), b, (int)(tb == 'T' ? k : n), beta, c, (int)n);
}

void dense_predict(struct dense *dense)
{
	size_t s = dense->states;

	/* x = Phi x; P = Phi P Phi^T + Q */
	multiply('N', 'N', s, 1, s, 1, dense->phi, dense->x, 0, dense->a);
	memcpy(dense->x, dense->a, s * sizeof(double));
	multiply('N', 'N', s, s, s, 1, dense->phi, dense->p, 0, dense->a);
	memcpy(dense->p, dense->q, s * s * sizeof(double));
	multiply('N', 'T', s, s, s, 1, dense->a, dense->phi, 1, dense->p);
}

int dense_correct(struct dense *dense, const size_t *counters, const double *values, size_t count)
{
	size_t s = dense->states, n = count;
	int info;

	memset(dense->h, 0, n * s * sizeof(double));
	for (size_t i = 0; i < n; i++)
		dense->h[i * s + counters[i] * dense->each] = 1;
	/* K = P H^T (H P H^T + R)^-1 */
	multiply('N', 'T', s, n, s, 1, dense->p, dense->h, 0, dense->ph);
	multiply('N', 'N', n, n, s, 1, dense->h, dense->ph, 0, dense->hp);
	for (size_t i = 0; i < n; i++)
		dense->hp[i * (n + 1)] += dense->processes[counters[i]].r;
	info = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', (int)n, dense->hp, (int)n);
	if (!info)
		info = LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'U', (int)n, dense->hp, (int)n);
	if (info)
		return info;
	cblas_dsymm(CblasRowMajor, CblasRight, CblasUpper, (int)s, (int)n, 1, dense->hp, (int)n,
		    dense->ph, (int)n, 0, dense->k, (int)n);
	/* x = x + K (z - H x) */
	for (size_t i = 0; i < n; i++)
		dense->y[i] =
			values[i] - (dense->each == 1 ? dense->processes[counters[i]].mean : 0);
	multiply('N', 'N', n, 1, s, -1, dense->h, dense->x, 1, dense->y);
	multiply('N', 'N', s, 1, n, 1, dense->k, dense->y, 1, dense->x);
	/* P = (I - K H) P (I - K H)^T + K R K^T */
	multiply('N', 'N', s, s, n, -1, dense->k, dense->h, 0, dense->a);
	for (size_t i = 0; i < s; i++)
		dense->a[i * (s + 1)] += 1;
	multiply('N', 'N', s, s, s, 1, dense->a, dense->p, 0, dense->b);
	multiply('N', 'T', s, s, s, 1, dense->b, dense->a, 0, dense->p);
	for (size_t i = 0; i < s; i++)
		for (size_t j = 0; j < n; j++)
			dense->ph[i * n + j] =
				dense->k[i * n + j] * dense->processes[counters[j]].r;
	multiply('N', 'T', s, s, n, 1, dense->ph, dense->k, 1, dense->p);
	return 0;
}

double dense_state(const struct dense *dense, size_t counter, double p[3])
{
	size_t s = dense->states, at = counter * dense->each * (s + 1);

	p[0] = dense->p[at];
	p[1] = dense->each == 2 ? dense->p[at + 1] : 0;
	p[2] = dense->each == 2 ? dense->p[at + s + 1] : 0;
	return dense->x[counter * dense->each] +
	       (dense->each == 1 ? dense->processes[counter].mean : 0);
}
