/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations for smile_alloc() and the related functions of include/smile/trace.h, as implemented
 * for programs under the tracer.
 */
#ifndef RUN_PRELOAD_MEMORY_SHARED_REGIONS_H
#define RUN_PRELOAD_MEMORY_SHARED_REGIONS_H

/**
 * region_start() - Create the memory that the processes of the program share. Call this function
 * before the program's code runs.
 */
void region_start(void);

#endif /* RUN_PRELOAD_MEMORY_SHARED_REGIONS_H */
