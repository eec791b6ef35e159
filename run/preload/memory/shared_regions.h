/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * smile_alloc() and related functions under the tracer. The program's side is
 * include/smile/trace.h.
 */
#ifndef RUN_PRELOAD_MEMORY_SHARED_REGIONS_H
#define RUN_PRELOAD_MEMORY_SHARED_REGIONS_H

/**
 * region_start() - Create the memory that the program's processes share, before its code runs.
 */
void region_start(void);

#endif /* RUN_PRELOAD_MEMORY_SHARED_REGIONS_H */
