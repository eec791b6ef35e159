/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The physics of water. May use water_model.h. */
#include <math.h>

#include "workload.h"
#include "water_model.h"

#define ATOMS 3U
/* the distance between two molecules at the beginning, which gives about the density of water */
#define SPACING 3.1
#define SPEED 0.004 /* the largest initial speed along an axis, which is about the thermal speed */

#define BOND 1.0 /* the distance between the oxygen and a hydrogen */
#define BOND_STIFFNESS 4600.0 /* kJ/mol/angstrom^2 */
#define WIDTH 1.633 /* the distance between the two hydrogens */
#define WIDTH_STIFFNESS 1150.0
#define CHARGE_OXYGEN (-0.82)
#define CHARGE_HYDROGEN 0.41
#define COULOMB 1389.35 /* The force constant of two unit charges, in kJ/mol angstrom. */
#define LENNARD_JONES_DEPTH 0.65
#define LENNARD_JONES_WIDTH 3.166
#define REACH_MAX 12.0
#define FADE 0.8 /* The distance at which the fading starts, as a fraction of the reach. */

/*
 * The acceleration that 1 kJ/mol/angstrom causes on 1 u, in angstrom/fs^2.
 */
#define ACCELERATION 1e-4
#define FORCE_UNITS 0x1p32 /* the number of units in 1 kJ/mol/angstrom */
#define ENERGY_UNITS 0x1p24 /* the number of units in 1 kJ/mol */

static const double masses[ATOMS] = {15.9994, 1.008, 1.008};
static const double charges[ATOMS] = {CHARGE_OXYGEN, CHARGE_HYDROGEN, CHARGE_HYDROGEN};

/*
 * Convert a value to whole units. The value is rounded towards zero, so that a force and its
 * opposite have the same amount.
 */
static int64_t units(double value, double scale)
{
	return (int64_t)(value * scale);
}

double water_energy(int64_t energy)
{
	return (double)energy / ENERGY_UNITS;
}

double water_mass(unsigned int coordinate)
{
	return masses[coordinate / 3];
}

double water_kick(int64_t force, unsigned int coordinate)
{
	return (double)force / FORCE_UNITS / masses[coordinate / 3] *
	       (ACCELERATION * WATER_STEP_FS / 2);
}

/* ---- at first ------------------------------------------------------------------------------ */

/* Get the number of molecules along an edge of the initial lattice. */
static size_t lattice_edge(size_t molecules)
{
	size_t edge = 1;

	while (edge * edge * edge < molecules)
		edge++;
	return edge;
}

double water_box(size_t molecules)
{
	return (double)lattice_edge(molecules) * SPACING;
}

/* Get a coordinate's initial velocity, before the drift is subtracted. */
static double velocity_raw(size_t index, unsigned int coordinate)
{
	return SPEED * random_real(index * 32 + coordinate);
}

void water_drift(size_t molecules, double *drift)
{
	for (unsigned int axis = 0; axis < 3; axis++) {
		double momentum = 0;
		double mass = 0;

		for (size_t i = 0; i < molecules; i++) {
			for (unsigned int atom = 0; atom < ATOMS; atom++) {
				momentum += masses[atom] * velocity_raw(i, atom * 3 + axis);
				mass += masses[atom];
			}
		}
		drift[axis] = momentum / mass;
	}
}

/* Choose two directions at a right angle to each other. The choice depends only on @index. */
static void directions(size_t index, double *one, double *other)
{
	double length = 0;
	double along = 0;

	for (unsigned int axis = 0; axis < 3; axis++) {
		one[axis] = random_real(index * 32 + 16 + axis) + (axis == 0 ? 1.5 : 0);
		other[axis] = random_real(index * 32 + 20 + axis) + (axis == 1 ? 1.5 : 0);
		length += one[axis] * one[axis];
	}
	for (unsigned int axis = 0; axis < 3; axis++) {
		one[axis] /= sqrt(length);
		along += one[axis] * other[axis];
	}
	length = 0;
	for (unsigned int axis = 0; axis < 3; axis++) {
		other[axis] -= along * one[axis];
		length += other[axis] * other[axis];
	}
	for (unsigned int axis = 0; axis < 3; axis++)
		other[axis] /= sqrt(length);
}

void water_init(size_t index, size_t molecules, const double *drift, double *position,
		double *velocity)
{
	size_t edge = lattice_edge(molecules);
	size_t place[3] = {index % edge, index / edge % edge, index / edge / edge};
	double height = sqrt(BOND * BOND - WIDTH * WIDTH / 4);
	double up[3];
	double across[3];

	directions(index, up, across);
	for (unsigned int axis = 0; axis < 3; axis++) {
		double oxygen = ((double)place[axis] + 0.5) * SPACING;

		position[axis] = oxygen;
		position[3 + axis] = oxygen + height * up[axis] + WIDTH / 2 * across[axis];
		position[6 + axis] = oxygen + height * up[axis] - WIDTH / 2 * across[axis];
	}
	for (unsigned int c = 0; c < ATOM_COORDINATES; c++)
		velocity[c] = velocity_raw(index, c) - drift[c % 3];
}

/* ---- motion -------------------------------------------------------------------------------- */

void water_wrap(double *position, double box)
{
	for (unsigned int axis = 0; axis < 3; axis++) {
		double shift = 0;

		if (position[axis] < 0)
			shift = box;
		else if (position[axis] >= box)
			shift = -box;
		for (unsigned int atom = 0; atom < ATOMS; atom++)
			position[atom * 3 + axis] += shift;
	}
}

int64_t water_kinetic(const double *velocity)
{
	double energy = 0;

	for (unsigned int c = 0; c < ATOM_COORDINATES; c++)
		energy += masses[c / 3] * velocity[c] * velocity[c] / (2 * ACCELERATION);
	return units(energy, ENERGY_UNITS);
}

/* ---- forces -------------------------------------------------------------------------------- */

/* Add the forces of a spring between two atoms of a molecule. Return: the energy of the spring. */
static double spring(const double *position, unsigned int one, unsigned int other, double length,
		     double stiffness, int64_t *force)
{
	double apart[3];
	double square = 0;
	double stretch;

	for (unsigned int axis = 0; axis < 3; axis++) {
		apart[axis] = position[other * 3 + axis] - position[one * 3 + axis];
		square += apart[axis] * apart[axis];
	}
	stretch = sqrt(square) - length;
	for (unsigned int axis = 0; axis < 3; axis++) {
		int64_t pull = units(stiffness * stretch * apart[axis] / sqrt(square), FORCE_UNITS);

		force[one * 3 + axis] += pull;
		force[other * 3 + axis] -= pull;
	}
	return stiffness * stretch * stretch / 2;
}

int64_t water_within(const double *position, int64_t *force)
{
	double energy = spring(position, 0, 1, BOND, BOND_STIFFNESS, force);

	energy += spring(position, 0, 2, BOND, BOND_STIFFNESS, force);
	energy += spring(position, 1, 2, WIDTH, WIDTH_STIFFNESS, force);
	return units(energy, ENERGY_UNITS);
}

/* Get the largest distance at which two oxygens act on each other. */
static double reach(double box)
{
	return box / 2 < REACH_MAX ? box / 2 : REACH_MAX;
}

bool water_near(const double *one, const double *other, double box, double *shift)
{
	double square = 0;

	for (unsigned int axis = 0; axis < 3; axis++) {
		double apart = one[axis] - other[axis];

		shift[axis] = 0;
		if (apart > box / 2)
			shift[axis] = box;
		else if (apart < -box / 2)
			shift[axis] = -box;
		apart -= shift[axis];
		square += apart * apart;
	}
	return square < reach(box) * reach(box);
}

/*
 * Get the factor by which the forces fade at a distance. The factor is 1 up to the start of the
 * fading and 0 at the reach, and it is smooth between them, so that energy is conserved. @slope:
 * receives the derivative of the factor with respect to the distance.
 */
static double fade(double distance, double end, double *slope)
{
	double start = FADE * end;
	double x = (distance - start) / (end - start);

	*slope = 0;
	if (x <= 0)
		return 1;
	*slope = -30 * x * x * (1 - x) * (1 - x) / (end - start);
	return 1 - x * x * x * (10 - x * (15 - 6 * x));
}

/*
 * Add a force between an atom of one molecule and an atom of another. @apart: the vector from the
 * second atom to the first.
 */
static void push(const double *apart, double strength, int64_t *force_one, int64_t *force_other)
{
	for (unsigned int axis = 0; axis < 3; axis++) {
		int64_t force = units(strength * apart[axis], FORCE_UNITS);

		force_one[axis] += force;
		force_other[axis] -= force;
	}
}

int64_t water_between(const double *one, const double *other, const double *shift, double box,
		      int64_t *force_one, int64_t *force_other)
{
	double oxygens[3];
	double left = 1;
	double slope = 0;
	double energy = 0;
	double distance = 0;

	for (unsigned int a = 0; a < ATOMS; a++) {
		for (unsigned int b = 0; b < ATOMS; b++) {
			double apart[3];
			double square = 0;
			double pair;
			double strength;

			for (unsigned int axis = 0; axis < 3; axis++) {
				apart[axis] = one[a * 3 + axis] - other[b * 3 + axis] - shift[axis];
				square += apart[axis] * apart[axis];
			}
			pair = COULOMB * charges[a] * charges[b] / sqrt(square);
			strength = pair / square;
			if (a == 0 && b == 0) {
				double ratio = LENNARD_JONES_WIDTH * LENNARD_JONES_WIDTH / square;
				double sixth = ratio * ratio * ratio;

				pair += 4 * LENNARD_JONES_DEPTH * sixth * (sixth - 1);
				strength +=
					24 * LENNARD_JONES_DEPTH * sixth * (2 * sixth - 1) / square;
				distance = sqrt(square);
				left = fade(distance, reach(box), &slope);
				for (unsigned int axis = 0; axis < 3; axis++)
					oxygens[axis] = apart[axis];
			}
			energy += pair;
			push(apart, left * strength, &force_one[a * 3], &force_other[b * 3]);
		}
	}
	if (slope != 0)
		push(oxygens, -slope * energy / distance, force_one, force_other);
	return units(left * energy, ENERGY_UNITS);
}
