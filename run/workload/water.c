/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * water: molecular dynamics of water, in which each molecule interacts with each other molecule.
 * This is WATER-NSQUARED in table 1 of "Memory access behavior analysis of NUMA-based shared memory
 * programs" (2002). The paper uses the program of SPLASH-2 and does not state its size. This
 * program has the same structure, but was written for this project; 512 molecules and 3 steps are
 * this project's choice. The physics is in water_model.c.
 *
 * What lives here: the parallel program and its check. May use workload.h, water_model.h and
 * <math.h>.
 *
 * Each thread has a block of molecules. There are three regions:
 * - "molecules" contains the molecules, 16 to a page, each with its lock;
 * - "workspace" contains, for each thread, a copy of the positions of all molecules, and the forces
 *   on these molecules that the thread has computed;
 * - "globals" contains the barrier, a lock, and the sums of a step.
 * In each step, a thread does the following:
 * - It moves its molecules. For each of them it reads the 9 forces, reads and writes the 9
 *   velocities and the 9 positions, and sets the 9 forces to zero. A barrier follows.
 * - It copies the positions. For each molecule it reads 9 positions, writes them to its workspace,
 *   and writes 9 zeros there as the forces.
 * - It computes the forces. For each of its molecules i it reads 9 positions from its workspace.
 *   The partners j of molecule i are the molecules after i, half of all molecules. For each partner
 *   it reads the 3 positions of the oxygen from its workspace. If the oxygen is near enough, it
 *   also reads the other 6 positions, and reads and writes the 9 forces of j. At the end it reads
 *   and writes the 9 forces of i.
 * - It merges the forces. For each molecule whose forces it may have changed, beginning with the
 *   first molecule of its block, it locks the molecule, reads 9 forces from its workspace, reads
 *   and writes the 9 forces of the molecule, and unlocks it. A barrier follows.
 * - It finishes the step. For each of its molecules it reads the 9 forces, and reads and writes the
 *   9 velocities. Then it locks the globals, and reads and writes each of their sums. A barrier
 *   follows.
 * Each of these accesses has 8 bytes. Before the first step, the threads compute the forces in the
 * same way.
 *
 * The threads take the locks in the order in which they arrive, but the result does not depend on
 * this order: forces and energies are whole numbers of a small unit, and a sum of whole numbers
 * does not depend on the order of its terms. So the bits of the result do not depend on the number
 * of threads or on chance. Which accesses a thread makes depends only on which molecules are
 * assigned to it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workload.h"
#include "water_model.h"

#define ENERGY_ERROR_MAX 5e-3 /* The limit relative to the kinetic energy. */
#define MOMENTUM_ERROR_MAX 1e-9 /* The limit relative to the sum of the atoms' absolute momenta. */

/**
 * struct molecule - A molecule, in shared memory.
 *
 * @position: x, y and z of each of its three atoms
 * @velocity: the velocities of the atoms, in the same order
 * @force: the forces on the atoms, in the same order, in whole units
 * @lock: the lock that protects @force
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

/* the smallest number of whole pages that a whole number of copies fills */
#define KNOWN_PAGES (9 * PAGE_BYTES)

_Static_assert(KNOWN_PAGES % sizeof(struct known) == 0, "workspaces begin at pages");

struct water_globals {
	pthread_barrier_t barrier;
	pthread_mutex_t lock;
	/*
	 * the potential energy after the last step, in whole units; the other energies have the
	 * same unit
	 */
	int64_t potential;
	int64_t kinetic;
	int64_t pairs; /* the number of pairs that were compared, in all steps */
	int64_t potential_start; /* the potential energy before the first step */
	int64_t kinetic_start;
};

/* The addresses of the regions, in private memory. They do not change after they have been set. */
struct water {
	struct molecule *molecules;
	struct known *workspace; /* the workspace of thread t starts at element t * stride */
	size_t stride;
	struct water_globals *globals;
	double box; /* the length of the edges of the box */
};

/* The sums over the thread's own molecules. */
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
 * Get the number of partners of molecule @i. Its partners are the molecules after it, up to the
 * molecule that is half of all molecules away. The first molecule follows after the last one. So
 * each pair is computed only once, and all molecules have equally many partners, or one fewer.
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

/* Compute the forces between a molecule and its partners, and the forces within the molecule. */
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
 * Merge the forces of the molecules from the thread's first molecule to the last partner of its
 * last molecule.
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

/*
 * Compute the forces for the present positions: copy the positions, compute, merge, and wait at the
 * barrier.
 */
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
		/*
		 * Between the previous barrier and the next one, no other thread uses these sums.
		 */
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

/*
 * Compute the forces at the end again, in one thread. Return: whether the forces have the same
 * bits.
 */
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
 * Get the largest component of the total momentum, relative to the sum of the absolute momenta of
 * the single atoms.
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
