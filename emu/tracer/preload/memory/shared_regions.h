/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * smile_alloc() and the like under the tracer: see include/smile/trace.h for what a program calls.
 */
#ifndef TRACER_PRELOAD_MEMORY_SHARED_REGIONS_H
#define TRACER_PRELOAD_MEMORY_SHARED_REGIONS_H

/**
 * region_start() - Before the program's code runs: make what its processes will share.
 */
void region_start(void);

#endif /* TRACER_PRELOAD_MEMORY_SHARED_REGIONS_H */
