// SPDX-License-Identifier: MIT
/*
 * libmicrohttpd. See tools/serve/mhd.h. What lives here: the function that loads the library and
 * looks up the addresses of its functions.
 */
#include "tools/serve/mhd.h"

#include "tools/common/tool.h"

#define MHD_FILE "libmicrohttpd.so.12"

struct serve_mhd serve_mhd;

int serve_mhd_load(void)
{
	static const char *const names[] = {SERVE_MHD_FUNCTIONS(LAZY_LIBRARY_NAME)};

	if (lazy_library_open(MHD_FILE, names, sizeof(names) / sizeof(names[0]), &serve_mhd))
		return tool_error("%s is missing: install the package libmicrohttpd12", MHD_FILE);
	return TOOL_OK;
}
