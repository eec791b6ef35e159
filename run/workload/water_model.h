/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The physics of water: forces and energies of molecules, as functions of private data only.
 *
 * What lives here: a flexible three-site model. It has springs within a molecule. Between two
 * molecules it has the charges of all atoms and a Lennard-Jones force of the oxygens, faded out
 * towards half the box. Its parameters are near those of the common SPC models. May use common.h
 * and <math.h>.
 *
 * Lengths are in angstrom, times in fs, masses in u, energies in kJ/mol. A molecule's nine
 * coordinates are x, y, z of the oxygen and of the two hydrogens. Forces and energies are given as
 * whole numbers of a small unit, so that sums of them do not depend on their order.
 */
#ifndef RUN_WORKLOAD_WATER_MODEL_H
#define RUN_WORKLOAD_WATER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATOM_COORDINATES 9U
#define WATER_STEP_FS 0.5

/* Length of the box's edges for this many molecules. */
double water_box(size_t molecules);

/* The mean initial velocity of all molecules, by axis: it is subtracted from each. */
void water_drift(size_t molecules, double *drift);

/* Initial position and velocity of a molecule. */
void water_init(size_t index, size_t molecules, const double *drift, double *position,
		double *velocity);

/* Mass of the atom of a coordinate. */
double water_mass(unsigned int coordinate);

/* The change of a coordinate's velocity by a force in half a step. */
double water_kick(int64_t force, unsigned int coordinate);

/* Move a molecule whose oxygen has left the box back into it at the other side. */
void water_wrap(double *position, double box);

/* Kinetic energy of a molecule, in whole units. */
int64_t water_kinetic(const double *velocity);

/*
 * Compute the forces within a molecule, and add them to the forces on it. Return: potential energy,
 * in whole units.
 */
int64_t water_within(const double *position, int64_t *force);

/*
 * Are two molecules near enough to act on each other? Only their oxygens are compared. Adding the
 * shift to the second's coordinates gives its nearest image.
 */
bool water_near(const double *one, const double *other, double box, double *shift);

/*
 * Compute the forces between two molecules for which water_near() is true, and add them to the
 * forces on both. Return: potential energy, in whole units.
 */
int64_t water_between(const double *one, const double *other, const double *shift, double box,
		      int64_t *force_one, int64_t *force_other);

/* Convert whole units of energy to kJ/mol. */
double water_energy(int64_t units);

#endif /* RUN_WORKLOAD_WATER_MODEL_H */
