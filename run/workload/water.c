/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * water: molecular dynamics of water, each molecule with each other: the WATER-NSQUARED of table 1
 * of "Memory access behavior analysis of NUMA-based shared memory programs" (2002). The paper uses
 * the program of SPLASH-2 and names no size. This one has the same structure and is written for
 * this project; 512 molecules and 3 steps are chosen here. water_model.c has the physics.
 *
 * What lives here: the parallel program and its check. May use common.h, water_model.h and
 * <math.h>.
 *
 * Each thread has a block of molecules. Regions: "molecules", 16 to a page, each with its lock;
 * "workspace", for each thread the positions of all molecules as it knows them and the forces on
 * them that it has found; "globals", the barrier, a lock, and the sums of a step. In each step a
 * thread
 *   moves: for each of its molecules reads and writes 9 velocities, with the forces that it reads,
 *   and 9 positions, and sets 9 forces to zero; barrier;
 *   copies: for each molecule reads 9 positions, writes them to its workspace, and writes 9 zeros
 *   there;
 *   computes: for each of its molecules i reads 9 positions from its workspace; for each of the
 *   following half of all molecules j reads there the 3 of the oxygen and, if that is near enough,
 *   the other 6, and reads and writes 9 forces; at the end reads and writes the 9 forces of i;
 *   merges: for each molecule that it had to do with, its own first, locks it, reads 9 forces from
 *   its workspace, reads and writes the molecule's 9, and unlocks it; barrier;
 *   finishes: for each of its molecules reads 9 forces, reads and writes 9 velocities; then locks
 *   the globals and reads and writes each of their sums; barrier.
 * All these are 8 bytes. Before the first step, the forces are found in the same way.
 *
 * The locks are taken in the order in which the threads arrive, but the result does not depend on
 * it: forces and energies are summed as whole numbers of a small unit, and the order does not
 * change sums of whole numbers. So neither the bits of the result nor any thread's accesses depend
 * on the number of threads or on chance, other than through the assignment of molecules.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "water_model.h"

#define ENERGY_ERROR_MAX 5e-3 /* relative to the kinetic energy */
#define MOMENTUM_ERROR_MAX 1e-9 /* relative to the sum of the molecules' own values */

/**
 * struct molecule - A molecule, in shared memory.
 * @position: x, y, z of each of its three atoms
 * @velocity: velocities of its atoms, in the same order
 * @force: forces on its atoms, in the same order, in whole units
 * @lock: protects @force
 */
struct molecule {
	double position[ATOM_COORDINATES];
	double velocity[ATOM_COORDINATES];
	int64_t force[ATOM_COORDINATES];
	pthread_mutex_t lock;
};

_Static_assert(PAGE_BYTES % sizeof(struct molecule) == 0, "a molecule is in one page");

/* struct known - A thread's copy of a molecule. */
struct known {
	double position[ATOM_COORDINATES];
	int64_t force[ATOM_COORDINATES];
};

#define KNOWN_PAGES (9 * PAGE_BYTES) /* whole pages with a whole number of them */

_Static_assert(KNOWN_PAGES % sizeof(struct known) == 0, "workspaces begin at pages");

struct water_globals {
	pthread_barrier_t barrier;
	pthread_mutex_t lock;
	int64_t potential; /* at the end of the last step, in whole units of energy */
	int64_t kinetic;
	int64_t pairs; /* pairs that were compared, over all steps */
	int64_t potential_start; /* before the first step */
	int64_t kinetic_start;
};

/* The addresses of the regions; private, and constant after they are set. */
struct water {
	struct molecule *molecules;
	struct known *workspace; /* the workspace of thread t starts at t * stride */
	size_t stride;
	struct water_globals *globals;
	double box; /* length of its edges */
};

/* The sums that a thread makes of its own values. */
struct sums {
	int64_t potential;
	int64_t kinetic;
	int64_t pairs;
};

static const struct program water = {
	.name = "water",
	.description = "Molecular dynamics of water, each molecule with each other.",
	.size = {"molecules", 512, 2, 32768},
	.iterations = {"time steps", 3, 1, 1000000},
};

/* ---- the parallel program ------------------------------------------------------------------ */

/*
 * The partners of molecule i are the ones after it, round the end, up to the one opposite: so each
 * pair belongs to one molecule, and all molecules have equally many partners.
 */
static size_t partners(size_t i, size_t molecules)
{
	size_t half = molecules / 2;

	return molecules % 2 == 0 && i >= half ? half - 1 : half;
}

static void thread_move(const struct water *plan, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		struct molecule *molecule = &plan->molecules[i];
		double position[ATOM_COORDINATES];

		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			int64_t force = SHARED(molecule->force[c]);
			double velocity = SHARED(molecule->velocity[c]) + water_kick(force, c);

			SHARED(molecule->velocity[c]) = velocity;
			position[c] = SHARED(molecule->position[c]) + velocity * WATER_STEP_FS;
			SHARED(molecule->force[c]) = 0;
		}
		water_wrap(position, plan->box);
		for (unsigned int c = 0; c < ATOM_COORDINATES; c++)
			SHARED(molecule->position[c]) = position[c];
	}
}

static void thread_copy(const struct water *plan, struct known *known, size_t molecules)
{
	for (size_t i = 0; i < molecules; i++) {
		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			double position = SHARED(plan->molecules[i].position[c]);

			SHARED(known[i].position[c]) = position;
			SHARED(known[i].force[c]) = 0;
		}
	}
}

static void known_add(struct known *known, const int64_t *force)
{
	for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
		int64_t sum = SHARED(known->force[c]);

		SHARED(known->force[c]) = sum + force[c];
	}
}

/* Compute the forces between a molecule and its partners, and within the molecule. */
static void molecule_compute(struct known *known, size_t i, size_t molecules, double box,
			     struct sums *sums)
{
	double here[ATOM_COORDINATES];
	double there[ATOM_COORDINATES];
	int64_t force[ATOM_COORDINATES] = {0};

	for (unsigned int c = 0; c < ATOM_COORDINATES; c++)
		here[c] = SHARED(known[i].position[c]);
	sums->potential += water_within(here, force);
	for (size_t d = 1; d <= partners(i, molecules); d++) {
		struct known *other = &known[(i + d) % molecules];
		int64_t back[ATOM_COORDINATES] = {0};
		double shift[3];

		sums->pairs++;
		for (unsigned int c = 0; c < 3; c++)
			there[c] = SHARED(other->position[c]);
		if (!water_near(here, there, box, shift))
			continue;
		for (unsigned int c = 3; c < ATOM_COORDINATES; c++)
			there[c] = SHARED(other->position[c]);
		sums->potential += water_between(here, there, shift, box, force, back);
		known_add(other, back);
	}
	known_add(&known[i], force);
}

/*
 * Merge the forces of the molecules from the thread's first one to the last partner of its last
 * one.
 */
static void thread_merge(const struct water *plan, const struct options *options,
			 struct known *known, size_t first, size_t end)
{
	size_t molecules = options->size;
	size_t touched = end - first + molecules / 2;

	for (size_t n = options->fault ? 1 : 0; n < touched && n < molecules; n++) {
		size_t i = (first + n) % molecules;
		struct molecule *molecule = &plan->molecules[i];

		pthread_mutex_lock(&molecule->lock);
		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			int64_t found = SHARED(known[i].force[c]);
			int64_t sum = SHARED(molecule->force[c]);

			SHARED(molecule->force[c]) = sum + found;
		}
		pthread_mutex_unlock(&molecule->lock);
	}
}

/* Compute the forces for the present positions, from copying to the barrier after merging. */
static void thread_forces(const struct team *team, unsigned int thread, struct sums *sums)
{
	const struct water *plan = team->data;
	size_t molecules = team->options->size;
	size_t first = block_first(molecules, thread, team->options->threads);
	size_t end = block_first(molecules, thread + 1, team->options->threads);
	struct known *known = &plan->workspace[thread * plan->stride];

	if (first < end) {
		thread_copy(plan, known, molecules);
		for (size_t i = first; i < end; i++)
			molecule_compute(known, i, molecules, plan->box, sums);
		thread_merge(plan, team->options, known, first, end);
	}
	team_wait(team);
}

static void thread_finish(const struct water *plan, size_t first, size_t end, struct sums *sums)
{
	for (size_t i = first; i < end; i++) {
		struct molecule *molecule = &plan->molecules[i];
		double velocity[ATOM_COORDINATES];

		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			int64_t force = SHARED(molecule->force[c]);

			velocity[c] = SHARED(molecule->velocity[c]) + water_kick(force, c);
			SHARED(molecule->velocity[c]) = velocity[c];
		}
		sums->kinetic += water_kinetic(velocity);
	}
}

static void sum_add(int64_t *sum, int64_t value)
{
	int64_t before = SHARED(*sum);

	SHARED(*sum) = before + value;
}

static void globals_add(struct water_globals *globals, const struct sums *sums)
{
	pthread_mutex_lock(&globals->lock);
	sum_add(&globals->potential, sums->potential);
	sum_add(&globals->kinetic, sums->kinetic);
	sum_add(&globals->pairs, sums->pairs);
	pthread_mutex_unlock(&globals->lock);
}

static void thread_body(const struct team *team, unsigned int thread)
{
	const struct water *plan = team->data;
	struct water_globals *globals = plan->globals;
	size_t molecules = team->options->size;
	size_t first = block_first(molecules, thread, team->options->threads);
	size_t end = block_first(molecules, thread + 1, team->options->threads);
	struct sums sums = {0};

	team_step(team, thread, "start");
	thread_forces(team, thread, &sums);
	pthread_mutex_lock(&globals->lock);
	sum_add(&globals->potential_start, sums.potential);
	sum_add(&globals->pairs, sums.pairs);
	pthread_mutex_unlock(&globals->lock);

	for (unsigned int step = 1; step <= team->options->iterations; step++) {
		sums = (struct sums){0};
		team_step(team, thread, "step %u", step);
		thread_move(plan, first, end);
		/* No thread adds to the energies before the barrier. */
		if (thread == 0) {
			SHARED(globals->potential) = 0;
			SHARED(globals->kinetic) = 0;
		}
		team_wait(team);
		thread_forces(team, thread, &sums);
		thread_finish(plan, first, end, &sums);
		globals_add(globals, &sums);
		team_wait(team);
	}
}

/* ---- the whole program --------------------------------------------------------------------- */

static void plan_make(const struct options *options, struct water *plan)
{
	size_t molecules = options->size;
	size_t known_bytes = molecules * sizeof(struct known);
	struct water_globals *globals = shared_alloc(options, sizeof(*globals), "globals");

	/* Each thread's workspace begins at a page. */
	known_bytes = (known_bytes + KNOWN_PAGES - 1) / KNOWN_PAGES * KNOWN_PAGES;
	plan->stride = known_bytes / sizeof(struct known);
	plan->globals = globals;
	plan->molecules = shared_alloc(options, molecules * sizeof(*plan->molecules), "molecules");
	plan->workspace = shared_alloc(options, options->threads * known_bytes, "workspace");
	plan->box = water_box(molecules);
	shared_place(options, globals, sizeof(*globals), 0);
	for (unsigned int t = 0; t < options->threads; t++) {
		size_t first = block_first(molecules, t, options->threads);
		size_t end = block_first(molecules, t + 1, options->threads);

		shared_place(options, &plan->molecules[first],
			     (end - first) * sizeof(*plan->molecules), t);
		shared_place(options, &plan->workspace[t * plan->stride], known_bytes, t);
	}
}

static void plan_init(const struct team *team)
{
	const struct water *plan = team->data;
	struct water_globals *globals = plan->globals;
	size_t molecules = team->options->size;
	double drift[3];
	int64_t kinetic = 0;

	pthread_mutex_init(&globals->lock, NULL);
	water_drift(molecules, drift);
	for (size_t i = 0; i < molecules; i++) {
		double position[ATOM_COORDINATES];
		double velocity[ATOM_COORDINATES];

		water_init(i, molecules, drift, position, velocity);
		kinetic += water_kinetic(velocity);
		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			SHARED(plan->molecules[i].position[c]) = position[c];
			SHARED(plan->molecules[i].velocity[c]) = velocity[c];
		}
		pthread_mutex_init(&plan->molecules[i].lock, NULL);
	}
	SHARED(globals->kinetic_start) = kinetic;
}

/* Compute the forces at the end again, by one thread. Return: whether they have the same bits. */
static bool forces_equal(const struct options *options, const struct water *plan,
			 const struct molecule *result, int64_t potential)
{
	size_t molecules = options->size;
	struct known *known = private_alloc(options, molecules * sizeof(*known));
	struct sums sums = {0};

	for (size_t i = 0; i < molecules; i++)
		memcpy(known[i].position, result[i].position, sizeof(known[i].position));
	for (size_t i = 0; i < molecules; i++)
		molecule_compute(known, i, molecules, plan->box, &sums);
	for (size_t i = 0; i < molecules; i++) {
		if (memcmp(known[i].force, result[i].force, sizeof(known[i].force)) != 0)
			return false;
	}
	return sums.potential == potential;
}

/*
 * The largest component of the total momentum, relative to the sum of the molecules' own
 * components.
 */
static double momentum_error(const struct molecule *result, size_t molecules)
{
	double total[3] = {0};
	double all = 0;
	double worst = 0;

	for (size_t i = 0; i < molecules; i++) {
		for (unsigned int c = 0; c < ATOM_COORDINATES; c++) {
			double momentum = water_mass(c) * result[i].velocity[c];

			total[c % 3] += momentum;
			all += fabs(momentum);
		}
	}
	for (unsigned int axis = 0; axis < 3; axis++)
		worst = fabs(total[axis]) > worst ? fabs(total[axis]) : worst;
	return worst / all;
}

static int state_check(const struct team *team)
{
	const struct options *options = team->options;
	const struct water *plan = team->data;
	size_t molecules = options->size;
	struct molecule *result = private_alloc(options, molecules * sizeof(*result));
	struct water_globals *globals = plan->globals;
	int64_t potential = SHARED(globals->potential);
	int64_t kinetic = SHARED(globals->kinetic);
	int64_t found = SHARED(globals->pairs);
	double start;
	double end;
	double energy_error;
	double momentum;
	int64_t pairs = (int64_t)(molecules * (molecules - 1) / 2) * (options->iterations + 1);
	bool forces;
	uint64_t sum = 0;

	for (size_t i = 0; i < molecules; i++) {
		const size_t bytes = offsetof(struct molecule, lock);

		shared_fetch(&result[i], &plan->molecules[i], bytes);
		sum = random_bits(sum ^ checksum(&result[i], bytes));
	}
	start = water_energy(SHARED(globals->potential_start) + SHARED(globals->kinetic_start));
	end = water_energy(potential + kinetic);
	energy_error = fabs(end - start) / water_energy(kinetic);
	momentum = momentum_error(result, molecules);
	forces = forces_equal(options, plan, result, potential);

	printf("water: energy %.6f kJ/mol at first, %.6f at the end, kinetic %.6f: error %g, at "
	       "most "
	       "%g allowed\n",
	       start, end, water_energy(kinetic), energy_error, ENERGY_ERROR_MAX);
	printf("water: momentum error %g, at most %g allowed\n", momentum, MOMENTUM_ERROR_MAX);
	printf("water: %lld pairs of %lld; forces %s those of one thread, bit for bit\n",
	       (long long)found, (long long)pairs, forces ? "equal to" : "DIFFER from");
	return report_end(options, sum,
			  energy_error <= ENERGY_ERROR_MAX && momentum <= MOMENTUM_ERROR_MAX &&
				  found == pairs && forces);
}

int main(int argc, char **argv)
{
	struct options options;
	struct water plan = {.molecules = NULL};
	struct team team = {.options = &options,
			    .init = plan_init,
			    .body = thread_body,
			    .check = state_check,
			    .data = &plan};

	options_parse(&water, argc, argv, &options);
	report_start(&options, "molecules");
	plan_make(&options, &plan);
	team.barrier = &plan.globals->barrier;
	return team_run(&team);
}
