// SPDX-License-Identifier: MIT
/*
 * Static pieces: read the addresses of a variable from a recording. See
 * tools/common/static_pieces.h.
 */
#include "tools/common/static_pieces.h"

#include "tools/common/recordings.h"
#include "tools/common/tool.h"

int static_pieces_find(struct static_pieces *pieces, const char *map, const char *variable)
{
	char *files[] = {(char *)map, NULL};
	struct Monitor *mon;
	int count;

	if (!*map)
		return tool_usage(
			"--static: variable=%s: its address is not known: give map=RECORDING, a "
			"recording of the same program by `smile run`",
			variable);
	mon = recordings_open(files, 1, NULL);
	if (!mon)
		return TOOL_ERROR;
	count = pieces_find(mon, variable, pieces->pieces, SMILE_STATIC_COUNTERS);
	if (count < 0)
		tool_error("--static: %s: %s", map, Monitor_error_message());
	Monitor_close(mon);
	if (count < 0)
		return TOOL_ERROR;
	pieces->count = (size_t)count;
	return TOOL_OK;
}
