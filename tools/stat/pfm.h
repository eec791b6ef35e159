/* SPDX-License-Identifier: MIT */
/*
 * libpfm4. Only `smile stat -e` loads it, since its tables of all processors' events are large.
 *
 * What lives here: the functions of libpfm4 that tools/stat calls, without their prefix:
 * stat_pfm.initialize() is pfm_initialize(). It may use libpfm4's headers.
 */
#ifndef TOOLS_STAT_PFM_H
#define TOOLS_STAT_PFM_H

#include <perfmon/pfmlib_perf_event.h>

#include <base/loaded.h>

/* clang-format off */
#define STAT_PFM_FUNCTIONS(X) \
	X(pfm_, get_os_event_encoding) X(pfm_, initialize) X(pfm_, strerror)
/* clang-format on */

/**
 * struct stat_pfm - libpfm4's functions; valid after stat_pfm_load() has returned TOOL_OK.
 */
struct stat_pfm {
	STAT_PFM_FUNCTIONS(LOADED_MEMBER)
};

extern struct stat_pfm stat_pfm;

/**
 * stat_pfm_load() - Load libpfm4 and initialize it.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if it is not installed, or does not know this
 * processor.
 */
int stat_pfm_load(void);

#endif /* TOOLS_STAT_PFM_H */
