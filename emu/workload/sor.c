/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SOR, parallel and sequential. It may use what sor.h names.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "emu/machine/machine.h"
#include "sor.h"

#define SOR_OMEGA 1.5f
#define POINT_BYTES sizeof(float)

/**
 * struct sor_shared - The shared region.
 * @size: rows, and columns
 * @iterations: iterations to run
 * @barrier: where nodes meet
 * @reserved: up to SOR_HEADER_BYTES
 * @grid: the points, row by row
 */
struct sor_shared {
	uint32_t size;
	uint32_t iterations;
	struct barrier_words barrier;
	uint32_t reserved[11];
	float grid[];
};

_Static_assert(offsetof(struct sor_shared, grid) == SOR_HEADER_BYTES, "header size");

/*
 * How far a point is from the mean of its neighbours. Every sum is rounded to float, and the
 * quarter is exact, so that a compiler may fuse operations or not: the bits are the same.
 */
static float point_error(float self, float up, float left, float right, float down)
{
	float vertical = up + down;
	float horizontal = left + right;
	float sum = vertical + horizontal;

	return 0.25f * sum - self;
}

/* The new value of a point. The product of two floats is exact in double: see above. */
static float point_relax(float self, float error)
{
	return (float)((double)self + (double)SOR_OMEGA * (double)error);
}

/* A hot upper border, cold other ones, and something rough to smooth between them. */
static void grid_init(float *grid, unsigned size)
{
	for (unsigned row = 0; row < size; row++) {
		for (unsigned column = 0; column < size; column++) {
			float value = (float)((row * 7 + column * 13) % 17) / 16.0f;

			if (row == 0)
				value = 1.0f;
			else if (row == size - 1 || column == 0 || column == size - 1)
				value = 0.0f;
			grid[(size_t)row * size + column] = value;
		}
	}
}

/* Root of the mean square error of the inner points. */
static double grid_residual(const float *grid, unsigned size)
{
	double inner = (double)(size - 2) * (size - 2);
	double sum = 0;

	for (unsigned row = 1; row < size - 1; row++) {
		for (unsigned column = 1; column < size - 1; column++) {
			const float *at = grid + (size_t)row * size + column;
			double error =
				(double)point_error(at[0], *(at - size), at[-1], at[1], at[size]);

			sum += error * error;
		}
	}
	return sqrt(sum / inner);
}

/* ---- the sequential program ---------------------------------------------------------------- */

static void sor_sequential(float *grid, unsigned size, unsigned iterations)
{
	for (unsigned half = 0; half < 2 * iterations; half++) {
		for (unsigned row = 1; row < size - 1; row++) {
			for (unsigned column = 1; column < size - 1; column++) {
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

/* A node loads a point. */
static float point_load(struct machine *machine, unsigned node, const struct sor_shared *shared,
			size_t point)
{
	machine_read(machine, node, SOR_HEADER_BYTES + point * POINT_BYTES, POINT_BYTES);
	return shared->grid[point];
}

/* A node stores a point. */
static void point_store(struct machine *machine, unsigned node, struct sor_shared *shared,
			size_t point, float value)
{
	machine_write(machine, node, SOR_HEADER_BYTES + point * POINT_BYTES, POINT_BYTES);
	shared->grid[point] = value;
}

/* A node relaxes the points of one colour in one row; size is its own copy of the shared one. */
static void node_row(struct machine *machine, unsigned node, struct sor_shared *shared,
		     unsigned size, unsigned row, unsigned colour)
{
	for (unsigned column = 1 + (row + 1 + colour) % 2; column < size - 1; column += 2) {
		size_t point = (size_t)row * size + column;
		float up = point_load(machine, node, shared, point - size);
		float left = point_load(machine, node, shared, point - 1);
		float right = point_load(machine, node, shared, point + 1);
		float down = point_load(machine, node, shared, point + size);
		float self = point_load(machine, node, shared, point);

		point_store(machine, node, shared, point,
			    point_relax(self, point_error(self, up, left, right, down)));
	}
}

/* First row of a node's block; that of the node after the last is the number of rows. */
static unsigned block_first(unsigned node, unsigned nodes, unsigned size)
{
	return (unsigned)((uint64_t)size * node / nodes);
}

/* A half-sweep, up to and with its barrier. */
static int sor_half(struct machine *machine, struct sor_shared *shared, unsigned colour)
{
	unsigned nodes = machine_nodes(machine);
	unsigned size = shared->size;
	unsigned turns = (size + nodes - 1) / nodes; /* rows of the largest block */

	for (unsigned node = 0; node < nodes; node++) {
		machine_read(machine, node, offsetof(struct sor_shared, size), sizeof(uint32_t));
		machine_read(machine, node, offsetof(struct sor_shared, iterations),
			     sizeof(uint32_t));
	}
	for (unsigned turn = 0; turn < turns; turn++) {
		for (unsigned node = 0; node < nodes; node++) {
			unsigned row = block_first(node, nodes, size) + turn;

			if (row == 0 || row >= size - 1 ||
			    row >= block_first(node + 1, nodes, size))
				continue;
			node_row(machine, node, shared, size, row, colour);
		}
	}
	return barrier_pass(machine, &shared->barrier, offsetof(struct sor_shared, barrier));
}

static int sor_parallel(struct machine *machine, struct sor_shared *shared,
			const struct workload_request *request)
{
	for (unsigned done = 0; done < request->iterations;) {
		int err = sor_half(machine, shared, 0);

		if (err == 0)
			err = sor_half(machine, shared, 1);
		if (err == 0)
			err = machine_mark(machine, SOR_EVENT);
		if (err < 0)
			return err;
		done++;
		if (request->progress)
			request->progress(request->opaque, done, request->iterations);
	}
	return 0;
}

static int sor_run(struct machine *machine, const struct workload_request *request,
		   struct workload_result *result)
{
	size_t points = (size_t)request->size * request->size;
	size_t bytes = points * POINT_BYTES;
	struct sor_shared *shared = calloc(1, sizeof(*shared) + bytes);
	float *expected = malloc(bytes);
	double residual_start;
	int err = -ENOMEM;

	if (!shared || !expected)
		goto out_free;
	shared->size = request->size;
	shared->iterations = request->iterations;
	grid_init(shared->grid, request->size);
	grid_init(expected, request->size);
	residual_start = grid_residual(expected, request->size);

	err = sor_parallel(machine, shared, request);
	if (err < 0)
		goto out_free;

	sor_sequential(expected, request->size, request->iterations);
	*result = (struct workload_result){
		.size = request->size,
		.iterations = request->iterations,
		.shared_bytes = SOR_HEADER_BYTES + bytes,
		.checksum = workload_checksum(shared->grid, points),
		.equal = memcmp(shared->grid, expected, bytes) == 0,
		.residual_start = residual_start,
		.residual_end = grid_residual(shared->grid, request->size),
	};
out_free:
	free(expected);
	free(shared);
	return err;
}

const struct workload workload_sor = {
	.name = "sor",
	.description = "successive over-relaxation of a square grid of 4-byte floats, red-black",
	.size = {.means = "rows and columns of the grid", .standard = 512, .min = 3, .max = 4096},
	.iterations = {.means = "sweeps over the grid", .standard = 10, .min = 1, .max = 1000000},
	.run = sor_run,
};
