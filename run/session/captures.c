// SPDX-License-Identifier: MIT
/* run/session: captures. See run/session/captures.h. */
#include "run/session/captures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "run/session/session_inside.h"

int captures_create(struct captures *captures, const char *prefix, unsigned nodes, int node)
{
	for (unsigned n = 0; prefix && n < nodes; n++) {
		char *path;
		int err;

		if (node >= 0 && n != (unsigned)node)
			continue;
		if (strcmp(prefix, "-") == 0)
			err = Monitor_capture_create(&captures->node[n], "-");
		else if (asprintf(&path, "%s-node%u.pcap", prefix, n) < 0)
			return run_error(-ENOMEM, "no memory for the name of a capture");
		else {
			err = Monitor_capture_create(&captures->node[n], path);
			free(path);
		}
		if (err < 0)
			return run_error(err, "%s", Monitor_error_message());
	}
	return 0;
}

int captures_write(struct captures *captures, unsigned node, const void *frame, size_t bytes,
		   uint64_t time_ns)
{
	int err;

	if (captures->failed || !captures->node[node])
		return 0;
	err = Monitor_capture_write(captures->node[node], frame, bytes, time_ns);
	captures->failed = err < 0;
	return err < 0 ? err : 0;
}

int captures_close(struct captures *captures)
{
	int result = 0, err;

	for (unsigned n = 0; n < CAPTURES_MAX; n++) {
		if (!captures->node[n])
			continue;
		err = Monitor_capture_close(captures->node[n]);
		if (err < 0 && !result)
			result = run_error(err, "%s", Monitor_error_message());
		captures->node[n] = NULL;
	}
	return result;
}
