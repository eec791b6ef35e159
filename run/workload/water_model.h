/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The physics of water: compute the forces and energies of molecules.
 *
 * What lives here: a flexible three-site model, as functions that access only private data. Within
 * a molecule, springs connect the atoms. Between two molecules, there are forces between the
 * charges of all atoms, and a Lennard-Jones force between the oxygens. Both kinds of forces fade
 * out as the distance approaches half the length of the box. The parameters are close to those of
 * the common SPC models. May use workload.h and <math.h>.
 *
 * Lengths are in angstrom, times in fs, masses in u, and energies in kJ/mol. The nine coordinates
 * of a molecule are x, y and z of the oxygen, followed by x, y and z of each of the two hydrogens.
 * Forces and energies are whole numbers of a small unit, so that a sum does not depend on the order
 * of its terms.
 */
#ifndef RUN_WORKLOAD_WATER_MODEL_H
#define RUN_WORKLOAD_WATER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATOM_COORDINATES 9U
#define WATER_STEP_FS 0.5

/*
 * Get the length of an edge of the box. In a box of this size, the given number of molecules has
 * the density of water.
 */
double water_box(size_t molecules);

/*
 * Get the mean initial velocity of all molecules, by axis. water_init() subtracts this velocity
 * from the velocity of each molecule.
 */
void water_drift(size_t molecules, double *drift);

/* Get the initial position and velocity of a molecule. */
void water_init(size_t index, size_t molecules, const double *drift, double *position,
		double *velocity);

/* Get the mass of the atom to which a coordinate belongs. */
double water_mass(unsigned int coordinate);

/* Get the change of velocity that a force on a coordinate causes in half a time step. */
double water_kick(int64_t force, unsigned int coordinate);

/*
 * If the oxygen of a molecule has left the box, move the molecule back into the box at the opposite
 * side.
 */
void water_wrap(double *position, double box);

/* Get the kinetic energy of a molecule, in whole units. */
int64_t water_kinetic(const double *velocity);

/*
 * Compute the forces within a molecule, and add them to @force. Return: the potential energy, in
 * whole units.
 */
int64_t water_within(const double *position, int64_t *force);

/*
 * Check whether two molecules are close enough to exert forces on each other. Only the positions of
 * their oxygens are compared. @shift: receives a vector. If this vector is added to the coordinates
 * of @other, the result is the image of @other that is nearest to @one.
 */
bool water_near(const double *one, const double *other, double box, double *shift);

/*
 * Compute the forces between two molecules for which water_near() is true, and add them to the
 * forces on both molecules. Return: the potential energy, in whole units.
 */
int64_t water_between(const double *one, const double *other, const double *shift, double box,
		      int64_t *force_one, int64_t *force_other);

/* Convert whole units of energy to kJ/mol. */
double water_energy(int64_t units);

#endif /* RUN_WORKLOAD_WATER_MODEL_H */
