/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The accesses of several threads to the same data at the same time: a load and a store, each
 * atomic. Additions can be lost, so tests check only accesses, not sums. For C and C++.
 */
#ifndef TOGETHER_H
#define TOGETHER_H

#define TOGETHER_ADD(cell, number)                                                                 \
	do {                                                                                       \
		__typeof__(cell) sum;                                                              \
                                                                                                   \
		__atomic_load(&(cell), &sum, __ATOMIC_RELAXED);                                    \
		sum += (number);                                                                   \
		__atomic_store(&(cell), &sum, __ATOMIC_RELAXED);                                   \
	} while (0)

#endif /* TOGETHER_H */
