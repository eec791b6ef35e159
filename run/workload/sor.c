/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sor: successive over-relaxation of a square grid. This is the sample program of "Memory access
 * behavior analysis of NUMA-based shared memory programs" (2002), section 4.2, which has a grid of
 * 512 by 512 points in about 1 MB, and makes 10 iterations on 4 nodes. In this program, a point is
 * a 4-byte float.
 *
 * What lives here: the parallel program, and the sequential program that checks its result. May use
 * workload.h and <math.h>.
 *
 * The region "grid" contains 64 bytes of global variables, followed by the points, row by row. So
 * the first page of the grid is the page that all threads use. Each thread has a block of rows.
 *
 * An iteration consists of two half-sweeps, each with a barrier at its end. The first half-sweep
 * updates the points whose row and column add up to an even number, and the second updates the
 * other points. In a half-sweep, a thread does the following:
 * - It reads the size and the number of iterations, 4 bytes each.
 * - For each inner point of this half-sweep in its block, by rows and columns, it reads the points
 *   above, to the left, to the right and below, and the point itself. Then it writes the point.
 *   Each of these accesses has 4 bytes.
 * So with 512 x 512 points, an iteration makes 260100 x 6 accesses, and 4 more in each thread. A
 * half-sweep computes its points only from points that the other half-sweep updates, so the result
 * does not depend on the order of the threads.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workload.h"

#define OMEGA 1.5f
#define HEADER_BYTES 64

/**
 * struct sor_shared - The contents of the region.
 *
 * @size: the number of rows, and of columns
 * @iterations: the number of iterations to make
 * @barrier: the barrier of all threads
 * @reserved: fills the header up to HEADER_BYTES
 * @grid: the points
 */
struct sor_shared {
	uint32_t size;
	uint32_t iterations;
	pthread_barrier_t barrier;
	uint8_t reserved[HEADER_BYTES - 8 - sizeof(pthread_barrier_t)];
	float grid[];
};

_Static_assert(offsetof(struct sor_shared, grid) == HEADER_BYTES, "header size");

static const struct program sor = {
	.name = "sor",
	.description = "Successive over-relaxation of a square grid of 4-byte floats, red-black.",
	.size = {"rows and columns of the grid", 512, 3, 4096},
	.iterations = {"sweeps over the grid", 10, 1, 1000000},
};

/* ---- arithmetic ---------------------------------------------------------------------------- */

/*
 * Get the difference between a point and the mean of its neighbours. Each sum is rounded to float,
 * and the multiplication by 0.25 is exact. Therefore the result has the same bits whether or not
 * the compiler fuses multiplications and additions.
 */
static float point_error(float self, float up, float left, float right, float down)
{
	float vertical = up + down;
	float horizontal = left + right;
	float sum = vertical + horizontal;

	return 0.25f * sum - self;
}

/*
 * Get the new value of a point. In double precision, the product of two floats is exact. So the
 * result does not depend on whether the compiler fuses operations.
 */
static float point_relax(float self, float error)
{
	return (float)((double)self + (double)OMEGA * (double)error);
}

/*
 * Get the initial value of a point. The upper border is hot, the other borders are cold, and the
 * points between them have a rough pattern.
 */
static float point_init(unsigned int row, unsigned int column, unsigned int size)
{
	if (row == 0)
		return 1.0f;
	if (row == size - 1 || column == 0 || column == size - 1)
		return 0.0f;
	return (float)((row * 7 + column * 13) % 17) / 16.0f;
}

/* Get the root of the mean square error of the inner points. */
static double grid_residual(const float *grid, unsigned int size)
{
	double inner = (double)(size - 2) * (size - 2);
	double sum = 0;

	for (unsigned int row = 1; row < size - 1; row++) {
		for (unsigned int column = 1; column < size - 1; column++) {
			const float *at = grid + (size_t)row * size + column;
			double error =
				(double)point_error(at[0], *(at - size), at[-1], at[1], at[size]);

			sum += error * error;
		}
	}
	return sqrt(sum / inner);
}

static void grid_sequential(float *grid, unsigned int size, unsigned int iterations)
{
	for (unsigned int half = 0; half < 2 * iterations; half++) {
		for (unsigned int row = 1; row < size - 1; row++) {
			for (unsigned int column = 1; column < size - 1; column++) {
				float *at = grid + (size_t)row * size + column;

				if ((row + column) % 2 != half % 2)
					continue;
				*at = point_relax(*at, point_error(*at, *(at - size), at[-1], at[1],
								   at[size]));
			}
		}
	}
}

/* ---- the parallel program ------------------------------------------------------------------ */

static void thread_row(struct sor_shared *shared, unsigned int size, unsigned int row,
		       unsigned int colour)
{
	for (unsigned int column = 1 + (row + 1 + colour) % 2; column < size - 1; column += 2) {
		float *at = shared->grid + (size_t)row * size + column;
		float up = SHARED(*(at - size));
		float left = SHARED(at[-1]);
		float right = SHARED(at[1]);
		float down = SHARED(at[size]);
		float self = SHARED(at[0]);

		SHARED(at[0]) = point_relax(self, point_error(self, up, left, right, down));
	}
}

/*
 * Make a half-sweep, and wait at the barrier at its end. Return: the number of iterations to make.
 */
static unsigned int thread_half(const struct team *team, unsigned int thread, unsigned int colour)
{
	struct sor_shared *shared = team->data;
	unsigned int size = SHARED(shared->size);
	unsigned int iterations = SHARED(shared->iterations);
	unsigned int first = (unsigned int)block_first(size, thread, team->options->threads);
	unsigned int end = (unsigned int)block_first(size, thread + 1, team->options->threads);

	if (first == 0)
		first = 1;
	if (end > size - 1)
		end = size - 1;
	if (team->options->fault && thread == team->options->threads - 1)
		end--;
	for (unsigned int row = first; row < end; row++)
		thread_row(shared, size, row, colour);
	team_wait(team);
	return iterations;
}

static void thread_body(const struct team *team, unsigned int thread)
{
	unsigned int iterations = team->options->iterations;

	for (unsigned int done = 0; done < iterations; done++) {
		team_step(team, thread, "iteration %u", done + 1);
		thread_half(team, thread, 0);
		iterations = thread_half(team, thread, 1);
	}
}

/* ---- the whole program --------------------------------------------------------------------- */

static struct sor_shared *shared_make(const struct options *options)
{
	unsigned int size = options->size;
	struct sor_shared *shared =
		shared_alloc(options, HEADER_BYTES + (size_t)size * size * sizeof(float), "grid");

	for (unsigned int t = 0; t < options->threads; t++) {
		size_t first = block_first(size, t, options->threads) * size;
		size_t end = block_first(size, t + 1, options->threads) * size;

		shared_place(options, shared->grid + first, (end - first) * sizeof(float), t);
	}
	/*
	 * The first page also contains the global variables. Thread 0 has the first rows, so it
	 * uses this page even without the global variables.
	 */
	shared_place(options, shared, HEADER_BYTES, 0);
	return shared;
}

static void grid_init(const struct team *team)
{
	struct sor_shared *shared = team->data;
	unsigned int size = team->options->size;

	SHARED(shared->size) = size;
	SHARED(shared->iterations) = team->options->iterations;
	for (unsigned int row = 0; row < size; row++) {
		for (unsigned int column = 0; column < size; column++)
			SHARED(shared->grid[(size_t)row * size + column]) =
				point_init(row, column, size);
	}
}

static int grid_check(const struct team *team)
{
	const struct options *options = team->options;
	const struct sor_shared *shared = team->data;
	unsigned int size = options->size;
	size_t bytes = (size_t)size * size * sizeof(float);
	float *result = private_alloc(options, bytes);
	float *expected = private_alloc(options, bytes);
	double start;
	double end;
	bool equal;

	shared_fetch(result, shared->grid, bytes);
	for (unsigned int row = 0; row < size; row++) {
		for (unsigned int column = 0; column < size; column++)
			expected[(size_t)row * size + column] = point_init(row, column, size);
	}
	start = grid_residual(expected, size);
	grid_sequential(expected, size, options->iterations);
	equal = memcmp(result, expected, bytes) == 0;
	end = grid_residual(result, size);

	printf("sor: mean error %g at first, %g at the end\n", start, end);
	printf("sor: %s the sequential program, bit for bit\n",
	       equal ? "equal to" : "DIFFERS from");
	return report_end(options, checksum(result, bytes), equal && end < start);
}

int main(int argc, char **argv)
{
	struct options options;
	struct team team = {
		.options = &options, .init = grid_init, .body = thread_body, .check = grid_check};
	struct sor_shared *shared;

	options_parse(&sor, argc, argv, &options);
	report_start(&options, "rows and columns");
	shared = shared_make(&options);
	team.barrier = &shared->barrier;
	team.data = shared;
	return team_run(&team);
}
