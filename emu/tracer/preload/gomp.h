/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * libgomp's functions behind ours. Their types are those that GCC's compiled code calls; no header
 * of GCC has them.
 */
#ifndef TRACER_PRELOAD_GOMP_H
#define TRACER_PRELOAD_GOMP_H

#include "emu/tracer/preload/next.h"

/* GOMP(function): libgomp's own, which must have a prototype. */
#define GOMP(function)                                                                             \
	(__extension__({                                                                           \
		static void *known;                                                                \
		(__typeof__(&function))next_lookup(&known, #function, "libgomp.so.1");             \
	}))

int omp_get_num_threads(void);
int omp_get_cancellation(void);

#endif /* TRACER_PRELOAD_GOMP_H */
