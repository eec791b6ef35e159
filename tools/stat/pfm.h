/* SPDX-License-Identifier: MIT */
/*
 * libpfm4. Only `smile stat -e` loads this library, at run time. `smile` is not linked with it,
 * because the library contains large tables of the events of all processors.
 *
 * What lives here: the functions of libpfm4 that tools/stat calls. Their names have no prefix:
 * stat_pfm.initialize() is pfm_initialize(). May use the headers of libpfm4.
 */
#ifndef TOOLS_STAT_PFM_H
#define TOOLS_STAT_PFM_H

#include <perfmon/pfmlib_perf_event.h>

#include <base/lazy_library.h>

/* clang-format off */
#define STAT_PFM_FUNCTIONS(X) \
	X(pfm_, get_os_event_encoding) X(pfm_, initialize) X(pfm_, strerror)
/* clang-format on */

/**
 * struct stat_pfm - The functions of libpfm4. They are valid after stat_pfm_load() has returned
 * TOOL_OK.
 */
struct stat_pfm {
	STAT_PFM_FUNCTIONS(LAZY_LIBRARY_MEMBER)
};

extern struct stat_pfm stat_pfm;

/**
 * stat_pfm_load() - Load and initialize libpfm4.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the library is not installed, or does not know
 *         this processor.
 */
int stat_pfm_load(void);

#endif /* TOOLS_STAT_PFM_H */
