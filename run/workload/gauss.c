/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * gauss: Gaussian elimination of a dense system of linear equations, which is GAUSS in table 1 of
 * "Memory access behavior analysis of NUMA-based shared memory programs" (2002). The paper states
 * neither the size of the system nor how the rows are assigned to processors. It states only that
 * GAUSS was optimised like SOR, by a blocked distribution. Therefore this program assigns rows in
 * blocks, or in turn with --rows cyclic. The size of 512 is this project's choice: with this size,
 * a row of doubles fills one page.
 *
 * What lives here: the parallel program and its check. May use workload.h and <math.h>.
 *
 * There are four regions: "matrix" contains the matrix, row by row; "right" and "solution" contain
 * vectors; "globals" contains the barrier. The matrix is diagonally dominant, so the program need
 * not search for pivots. In step k of the elimination, a thread that has rows below row k does the
 * following:
 * - It reads row k from column k on, and the right side of row k, into private memory.
 * - For each of its rows below row k, it reads the element in column k. Then it reads and writes
 *   each element to the right of that element, and at last the row's right side.
 * The program does not set the elements in column k to zero, because no thread reads them again.
 * The substitution follows, from the last row to the first. In step k of the substitution, the
 * thread that has row k reads the row's right side and its diagonal element, and writes element k
 * of the solution. Then each thread that has rows above row k reads that element. For each of these
 * rows, it reads the element in column k, and reads and writes the right side. There is a barrier
 * after each step of the elimination, and one within each step of the substitution. All elements
 * are doubles of 8 bytes.
 *
 * The updates of a row have the same order whichever thread makes them, so the bits of the result
 * do not depend on the number of threads.
 */
#include <math.h>
#include <stdio.h>

#include "workload.h"

/*
 * The limit on the residual, relative to the largest sum of the products in a row.
 */
#define ERROR_MAX 1e-13

struct gauss_globals {
	pthread_barrier_t barrier;
};

/* The addresses of the regions, in private memory. They do not change after they have been set. */
struct gauss {
	double *matrix;
	double *right;
	double *solution;
};

/*
 * The rows of a thread: row @first and every @stride-th row after it, as long as the row is below
 * @end.
 */
struct rows {
	size_t first;
	size_t end;
	size_t stride;
};

static const struct program gauss = {
	.name = "gauss",
	.description = "Gaussian elimination of a dense system of linear equations, in doubles.",
	.size = {"equations", 512, 2, 4096},
	.has_rows = true,
};

static double element_init(size_t row, size_t column, size_t size)
{
	double value = random_real((uint64_t)row * size + column);

	return row == column ? (double)size + value : value;
}

static double right_init(size_t row, size_t size)
{
	return random_real((uint64_t)size * size + row) * (double)size;
}

/* ---- the parallel program ------------------------------------------------------------------ */

static struct rows thread_rows(const struct options *options, unsigned int thread)
{
	struct rows rows = {
		.first = block_first(options->size, thread, options->threads),
		.end = block_first(options->size, thread + 1, options->threads),
		.stride = 1,
	};

	if (options->cyclic)
		rows = (struct rows){thread, options->size, options->threads};
	return rows;
}

/*
 * Get the first of the thread's rows that is not before @row. Return: @end or a greater number if
 * the thread has no such row.
 */
static size_t rows_from(const struct rows *rows, size_t row)
{
	size_t strides;

	if (row <= rows->first)
		return rows->first;
	strides = (row - rows->first + rows->stride - 1) / rows->stride;
	return rows->first + strides * rows->stride;
}

static bool rows_has(const struct rows *rows, size_t row)
{
	return row < rows->end && rows_from(rows, row) == row;
}

/*
 * Subtract a multiple of the pivot row from a row, in the columns to the right of column @k.
 * Return: the factor.
 */
static double row_eliminate(double *at, const double *pivot, size_t k, size_t size)
{
	double factor = SHARED(at[k]) / pivot[k];

	for (size_t column = k + 1; column < size; column++) {
		double value = SHARED(at[column]);

		SHARED(at[column]) = value - factor * pivot[column];
	}
	return factor;
}

/* Take step @k of the elimination. @pivot: private memory for a copy of the pivot row. */
static void thread_forward(const struct gauss *plan, const struct options *options,
			   const struct rows *rows, double *pivot, size_t k)
{
	size_t size = options->size;
	size_t first = rows_from(rows, k + 1);
	double pivot_right;

	if (first >= rows->end)
		return;
	for (size_t column = k; column < size; column++)
		pivot[column] = SHARED(plan->matrix[k * size + column]);
	pivot_right = SHARED(plan->right[k]);

	for (size_t row = first; row < rows->end; row += rows->stride) {
		double factor;
		double value;

		if (options->fault && row == size - 1 && k == 0)
			continue;
		factor = row_eliminate(&plan->matrix[row * size], pivot, k, size);
		value = SHARED(plan->right[row]);
		SHARED(plan->right[row]) = value - factor * pivot_right;
	}
}

/*
 * Take step @k of the substitution. One barrier is enough, because only the thread that owns a row
 * uses the row's right side.
 */
static void thread_back(const struct team *team, const struct rows *rows, size_t k)
{
	const struct gauss *plan = team->data;
	size_t size = team->options->size;
	double known;

	if (rows_has(rows, k)) {
		double right = SHARED(plan->right[k]);

		SHARED(plan->solution[k]) = right / SHARED(plan->matrix[k * size + k]);
	}
	team_wait(team);
	if (rows->first < rows->end && rows->first < k) {
		known = SHARED(plan->solution[k]);
		for (size_t row = rows->first; row < rows->end && row < k; row += rows->stride) {
			double element = SHARED(plan->matrix[row * size + k]);
			double right = SHARED(plan->right[row]);

			SHARED(plan->right[row]) = right - element * known;
		}
	}
}

static void thread_body(const struct team *team, unsigned int thread)
{
	const struct options *options = team->options;
	struct rows rows = thread_rows(options, thread);
	double *pivot = private_alloc(options, options->size * sizeof(double));

	team_step(team, thread, "forward");
	for (size_t k = 0; k + 1 < options->size; k++) {
		thread_forward(team->data, options, &rows, pivot, k);
		team_wait(team);
	}
	team_step(team, thread, "back");
	for (size_t k = options->size; k-- > 0;)
		thread_back(team, &rows, k);
}

/* ---- the whole program --------------------------------------------------------------------- */

static void plan_make(const struct options *options, struct gauss *plan)
{
	size_t size = options->size;
	size_t row_bytes = size * sizeof(double);

	plan->matrix = shared_alloc(options, size * row_bytes, "matrix");
	plan->right = shared_alloc(options, row_bytes, "right");
	plan->solution = shared_alloc(options, row_bytes, "solution");
	for (unsigned int t = 0; t < options->threads; t++) {
		struct rows rows = thread_rows(options, t);
		size_t bytes = rows.end > rows.first ? (rows.end - rows.first) * sizeof(double) : 0;

		for (size_t row = rows.first; row < rows.end; row += rows.stride)
			shared_place(options, plan->matrix + row * size, row_bytes, t);
		/* If rows are assigned in turn, all threads use each page of a vector equally. */
		if (options->cyclic)
			continue;
		shared_place(options, plan->right + rows.first, bytes, t);
		shared_place(options, plan->solution + rows.first, bytes, t);
	}
}

static void plan_init(const struct team *team)
{
	const struct gauss *plan = team->data;
	size_t size = team->options->size;

	for (size_t row = 0; row < size; row++) {
		for (size_t column = 0; column < size; column++)
			SHARED(plan->matrix[row * size + column]) = element_init(row, column, size);
		SHARED(plan->right[row]) = right_init(row, size);
	}
}

/* Check how well the solution solves the original system. */
static int solution_check(const struct team *team)
{
	const struct options *options = team->options;
	const struct gauss *plan = team->data;
	size_t size = options->size;
	double *solution = private_alloc(options, size * sizeof(double));
	double worst = 0;
	double scale = 0;
	double residual;
	bool numbers = true;

	shared_fetch(solution, plan->solution, size * sizeof(double));
	for (size_t row = 0; row < size; row++) {
		double error = -right_init(row, size);
		double products = fabs(error);

		for (size_t column = 0; column < size; column++) {
			double product = element_init(row, column, size) * solution[column];

			error += product;
			products += fabs(product);
		}
		numbers = numbers && isfinite(error);
		worst = fabs(error) > worst ? fabs(error) : worst;
		scale = products > scale ? products : scale;
	}
	residual = worst / scale;
	printf("gauss: relative residual %g, at most %g allowed\n", residual, ERROR_MAX);
	return report_end(options, checksum(solution, size * sizeof(double)),
			  numbers && residual <= ERROR_MAX);
}

int main(int argc, char **argv)
{
	struct options options;
	struct gauss plan = {.matrix = NULL};
	struct team team = {.options = &options,
			    .init = plan_init,
			    .body = thread_body,
			    .check = solution_check,
			    .data = &plan};
	struct gauss_globals *globals;

	options_parse(&gauss, argc, argv, &options);
	report_start(&options, "equations");
	globals = shared_alloc(&options, sizeof(*globals), "globals");
	shared_place(&options, globals, sizeof(*globals), 0);
	plan_make(&options, &plan);
	team.barrier = &globals->barrier;
	return team_run(&team);
}
