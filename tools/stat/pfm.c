// SPDX-License-Identifier: MIT
/*
 * libpfm4. See tools/stat/pfm.h. What lives here: the function that loads the library and looks up
 * the addresses of its functions.
 */
#include "tools/stat/pfm.h"

#include "tools/common/tool.h"

#define PFM_FILE "libpfm.so.4"

struct stat_pfm stat_pfm;

int stat_pfm_load(void)
{
	static const char *const names[] = {STAT_PFM_FUNCTIONS(LAZY_LIBRARY_NAME)};

	if (lazy_library_open(PFM_FILE, names, sizeof(names) / sizeof(names[0]), &stat_pfm))
		return tool_error("%s is missing: install the package libpfm4", PFM_FILE);
	if (stat_pfm.initialize() != PFM_SUCCESS)
		return tool_error("libpfm4 does not know this processor");
	return TOOL_OK;
}
