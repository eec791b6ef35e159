/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * SOR: successive over-relaxation of a square grid, the sample program of "Memory access behavior
 * analysis of NUMA-based shared memory programs" (2002), section 4.2.
 *
 * What lives here: the grid in shared memory, the parallel program and the sequential one it is
 * checked against. It may use emu/machine, barrier.h and <math.h>.
 *
 * Shared region: SOR_HEADER_BYTES of global variables, then the grid, row by row, 4-byte floats. So
 * the first page holds both, and is the one that all nodes use. Each node has an equal block of
 * rows.
 *
 * Program: an iteration is two half-sweeps, one over the points whose row and column add up to an
 * even number, one over the others, with a barrier after each and global event 0 at the end. At the
 * start of a half-sweep a node reads the size and the number of iterations. A point costs six
 * accesses: its four neighbours and itself are read, and itself is written. The border is fixed. A
 * half-sweep reads the neighbours from the other half alone, so its result does not depend on the
 * order in which nodes run: here they take turns, row by row.
 */
#ifndef EMU_WORKLOAD_SOR_H
#define EMU_WORKLOAD_SOR_H

#include "workload.h"

#define SOR_HEADER_BYTES 64U
#define SOR_EVENT 0U /* global event at the end of an iteration */

extern const struct workload workload_sor;

#endif /* EMU_WORKLOAD_SOR_H */
