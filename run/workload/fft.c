/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fft: the Fourier transform of n complex numbers in six steps. "Exploiting Spatial and Temporal
 * Locality of Accesses" (1998), section 4, runs the FFT program of SPLASH-2 with 16K points. This
 * program uses the same method, but was written for this project.
 *
 * What lives here: the parallel program, and the inverse transform that checks its result. May use
 * workload.h and <math.h>.
 *
 * The numbers form a matrix of m x m complex doubles, where m is the square root of n. Each thread
 * has a block of rows. There are five regions:
 * - "data" contains the matrix;
 * - "transposed" has room for the transposed matrix;
 * - "twiddles" contains a matrix of the powers of the n-th root of unity;
 * - "roots" contains m/2 powers of the m-th root of unity;
 * - "globals" contains the barrier.
 * A thread takes the following steps:
 * - It reads all roots once, into private memory.
 * - It transposes the data. For each element of its rows of the target, tile by tile, it reads the
 *   element of the source, which is mostly in another thread's rows, and writes the element of the
 *   target.
 * - It transforms its rows in place. It first reorders each row by reversing the bits of the
 *   indices, and then reads and writes every element in each of log2(m) rounds.
 * - It multiplies each element of its rows by the element's twiddle: it reads both, and writes the
 *   product.
 * - It transposes again, transforms its rows again, this time without twiddles, and transposes once
 *   more. The result is in "transposed". In each transpose, every thread begins with a different
 *   partner, so that the threads do not all read from the same thread at the same time. Reading or
 *   writing a complex number takes two accesses of 8 bytes, the real part first. So at n = 16384
 *   there are 3 n x 4 accesses for the transposes, 2 n x 7 x 4 for the rounds, 2 (n - 16 m) x 4 for
 *   the reordering, n x 6 for the twiddles, and m in each thread for the roots. There is a barrier
 *   after each transpose and after each pass over the rows, five barriers in all.
 */
#include <math.h>
#include <stdio.h>

#include "workload.h"

#define TILE 8U /* the number of rows, and of columns, of a tile in a transpose */
#define ROW_MAX 1024U
#define PI 3.14159265358979323846
#define ERROR_MAX 1e-12 /* one or two rounding errors for each of log2(n) rounds */

struct complex_number {
	double re;
	double im;
};

struct fft_globals {
	pthread_barrier_t barrier;
};

/* The addresses of the regions, in private memory. They do not change after they have been set. */
struct fft {
	struct complex_number *data;
	struct complex_number *transposed;
	struct complex_number *twiddles;
	struct complex_number *roots;
	unsigned int row; /* m: the number of rows, and of elements in a row */
};

static const struct program fft = {
	.name = "fft",
	.description = "Six-step Fourier transform of complex doubles.",
	.size = {"points, a power of 4", 16384, 4, ROW_MAX *ROW_MAX},
};

/*
 * Get a root of unity: the point at the fraction @part/@parts of a full turn, in the negative
 * direction.
 */
static struct complex_number unity(uint64_t part, uint64_t parts)
{
	double angle = -2.0 * PI * (double)part / (double)parts;

	return (struct complex_number){cos(angle), sin(angle)};
}

static struct complex_number point_init(size_t index)
{
	return (struct complex_number){random_real(2 * index), random_real(2 * index + 1)};
}

static struct complex_number point_load(const struct complex_number *at)
{
	double re = SHARED(at->re);
	double im = SHARED(at->im);

	return (struct complex_number){re, im};
}

static void point_store(struct complex_number *at, struct complex_number value)
{
	SHARED(at->re) = value.re;
	SHARED(at->im) = value.im;
}

static struct complex_number product(struct complex_number a, struct complex_number b)
{
	return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- the parallel program ------------------------------------------------------------------ */

/* Set target[r][c] = source[c][r] for all rows r and columns c of a tile of the target. */
static void tile_transpose(struct complex_number *target, const struct complex_number *source,
			   size_t row, const size_t rows[2], const size_t columns[2])
{
	for (size_t r = rows[0]; r < rows[1]; r++) {
		for (size_t c = columns[0]; c < columns[1]; c++)
			point_store(&target[r * row + c], point_load(&source[c * row + r]));
	}
}

/*
 * Write those elements of the thread's rows of the target that are in one partner's rows of the
 * source.
 */
static void block_transpose(struct complex_number *target, const struct complex_number *source,
			    size_t row, const size_t rows[2], const size_t columns[2])
{
	for (size_t r = rows[0]; r < rows[1]; r += TILE) {
		size_t tile_rows[2] = {r, r + TILE < rows[1] ? r + TILE : rows[1]};

		for (size_t c = columns[0]; c < columns[1]; c += TILE) {
			size_t tile_columns[2] = {c, c + TILE < columns[1] ? c + TILE : columns[1]};

			tile_transpose(target, source, row, tile_rows, tile_columns);
		}
	}
}

static void thread_transpose(const struct team *team, unsigned int thread,
			     struct complex_number *target, const struct complex_number *source)
{
	const struct fft *plan = team->data;
	unsigned int threads = team->options->threads;
	size_t rows[2] = {block_first(plan->row, thread, threads),
			  block_first(plan->row, thread + 1, threads)};

	for (unsigned int turn = 0; turn < threads; turn++) {
		unsigned int partner = (thread + turn) % threads;
		size_t columns[2] = {block_first(plan->row, partner, threads),
				     block_first(plan->row, partner + 1, threads)};

		block_transpose(target, source, plan->row, rows, columns);
	}
	team_wait(team);
}

/*
 * Swap each pair of elements of a row for which the bits of one index are the reversed bits of the
 * other.
 */
static void row_reorder(struct complex_number *at, unsigned int row)
{
	unsigned int other = 0;

	for (unsigned int i = 0; i < row; i++) {
		unsigned int bit = row >> 1;

		if (i < other) {
			struct complex_number low = point_load(&at[i]);
			struct complex_number high = point_load(&at[other]);

			point_store(&at[i], high);
			point_store(&at[other], low);
		}
		/* Add 1 to a number whose bits are in reverse order. */
		for (; bit && other & bit; bit >>= 1)
			other ^= bit;
		other |= bit;
	}
}

/* Transform a row of m elements in place. @roots: the thread's private copy of the roots. */
static void row_transform(struct complex_number *at, unsigned int row,
			  const struct complex_number *roots)
{
	row_reorder(at, row);
	for (unsigned int half = 1; half < row; half *= 2) {
		unsigned int stride =
			/* the distance, in @roots, between two roots that this round needs */
			row / (2 * half);

		for (unsigned int group = 0; group < row; group += 2 * half) {
			for (unsigned int i = 0; i < half; i++) {
				struct complex_number *low = &at[group + i];
				struct complex_number *high = &at[group + i + half];
				struct complex_number b =
					product(point_load(high), roots[(size_t)i * stride]);
				struct complex_number a = point_load(low);

				point_store(low, (struct complex_number){a.re + b.re, a.im + b.im});
				point_store(high,
					    (struct complex_number){a.re - b.re, a.im - b.im});
			}
		}
	}
}

/*
 * Transform the thread's own rows. If @twiddles is not NULL, also multiply each element by its
 * twiddle.
 */
static void thread_rows(const struct team *team, unsigned int thread, struct complex_number *data,
			const struct complex_number *twiddles, const struct complex_number *roots)
{
	const struct fft *plan = team->data;
	size_t first = block_first(plan->row, thread, team->options->threads);
	size_t end = block_first(plan->row, thread + 1, team->options->threads);

	for (size_t r = first; r < end; r++) {
		struct complex_number *at = &data[r * plan->row];

		row_transform(at, plan->row, roots);
		for (size_t c = 0; twiddles && c < plan->row; c++) {
			struct complex_number value = point_load(&at[c]);

			point_store(&at[c],
				    product(value, point_load(&twiddles[r * plan->row + c])));
		}
	}
	team_wait(team);
}

static void thread_body(const struct team *team, unsigned int thread)
{
	const struct fft *plan = team->data;
	struct complex_number roots[ROW_MAX / 2];
	const struct complex_number *twiddles = plan->twiddles;

	if (team->options->fault && thread == team->options->threads - 1)
		twiddles = NULL;
	for (unsigned int i = 0; i < plan->row / 2; i++)
		roots[i] = point_load(&plan->roots[i]);

	team_step(team, thread, "transpose 1");
	thread_transpose(team, thread, plan->transposed, plan->data);
	team_step(team, thread, "rows 1");
	thread_rows(team, thread, plan->transposed, twiddles, roots);
	team_step(team, thread, "transpose 2");
	thread_transpose(team, thread, plan->data, plan->transposed);
	team_step(team, thread, "rows 2");
	thread_rows(team, thread, plan->data, NULL, roots);
	team_step(team, thread, "transpose 3");
	thread_transpose(team, thread, plan->transposed, plan->data);
}

/* ---- the whole program --------------------------------------------------------------------- */

static void plan_make(const struct options *options, struct fft *plan)
{
	size_t points = options->size;
	size_t bytes = points * sizeof(struct complex_number);

	plan->data = shared_alloc(options, bytes, "data");
	plan->transposed = shared_alloc(options, bytes, "transposed");
	plan->twiddles = shared_alloc(options, bytes, "twiddles");
	plan->roots = shared_alloc(options, plan->row / 2 * sizeof(*plan->roots), "roots");
	for (unsigned int t = 0; t < options->threads; t++) {
		size_t first = block_first(plan->row, t, options->threads) * plan->row;
		size_t end = block_first(plan->row, t + 1, options->threads) * plan->row;

		bytes = (end - first) * sizeof(struct complex_number);
		shared_place(options, plan->data + first, bytes, t);
		shared_place(options, plan->transposed + first, bytes, t);
		shared_place(options, plan->twiddles + first, bytes, t);
	}
}

static void plan_init(const struct team *team)
{
	const struct fft *plan = team->data;
	size_t points = team->options->size;

	for (size_t i = 0; i < points; i++)
		point_store(&plan->data[i], point_init(i));
	for (size_t r = 0; r < plan->row; r++) {
		for (size_t c = 0; c < plan->row; c++)
			point_store(&plan->twiddles[r * plan->row + c],
				    unity((uint64_t)r * c, points));
	}
	for (unsigned int i = 0; i < plan->row / 2; i++)
		point_store(&plan->roots[i], unity(i, plan->row));
}

/*
 * Compute n times the inverse transform by another method: the function transforms the elements
 * with even indices and those with odd indices separately, by recursion. @out: room for as many
 * elements as @in.
 */
static void inverse(struct complex_number *out, const struct complex_number *in, size_t points,
		    size_t stride)
{
	if (points == 1) {
		out[0] = in[0];
		return;
	}
	inverse(out, in, points / 2, 2 * stride);
	inverse(out + points / 2, in + stride, points / 2, 2 * stride);
	for (size_t i = 0; i < points / 2; i++) {
		struct complex_number root = unity(i, points);
		struct complex_number a = out[i];
		struct complex_number b;

		root.im = -root.im;
		b = product(root, out[i + points / 2]);
		out[i] = (struct complex_number){a.re + b.re, a.im + b.im};
		out[i + points / 2] = (struct complex_number){a.re - b.re, a.im - b.im};
	}
}

static int result_check(const struct team *team)
{
	const struct options *options = team->options;
	const struct fft *plan = team->data;
	size_t points = options->size;
	size_t bytes = points * sizeof(struct complex_number);
	struct complex_number *result = private_alloc(options, bytes);
	struct complex_number *back = private_alloc(options, bytes);
	double worst = 0;
	bool numbers = true;

	shared_fetch(result, plan->transposed, bytes);
	inverse(back, result, points, 1);
	for (size_t i = 0; i < points; i++) {
		struct complex_number expected = point_init(i);
		double error = hypot(back[i].re / (double)points - expected.re,
				     back[i].im / (double)points - expected.im);

		numbers = numbers && isfinite(error);
		worst = error > worst ? error : worst;
	}
	printf("fft: inverse transform gives the data back within %g, at most %g allowed\n", worst,
	       ERROR_MAX);
	return report_end(options, checksum(result, bytes), numbers && worst <= ERROR_MAX);
}

int main(int argc, char **argv)
{
	struct options options;
	struct fft plan = {.row = 1};
	struct team team = {.options = &options,
			    .init = plan_init,
			    .body = thread_body,
			    .check = result_check,
			    .data = &plan};
	struct fft_globals *globals;

	options_parse(&fft, argc, argv, &options);
	while ((uint64_t)plan.row * plan.row < options.size)
		plan.row *= 2;
	if ((uint64_t)plan.row * plan.row != options.size)
		unusable(&options, "--size %u: must be a power of 4, such as 4096 or 16384",
			 options.size);
	report_start(&options, "points");
	globals = shared_alloc(&options, sizeof(*globals), "globals");
	shared_place(&options, globals, sizeof(*globals), 0);
	plan_make(&options, &plan);
	team.barrier = &globals->barrier;
	return team_run(&team);
}
