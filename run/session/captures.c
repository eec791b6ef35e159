// SPDX-License-Identifier: MIT
/* run/session: captures. See run/session/captures.h. */
#include "run/session/captures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/file_lock.h>
#include <smile/monitor.h>

#include "run/session/session_inside.h"

/* Open the file of a capture. @created: the file is new. Return: the descriptor; -errno. */
static int capture_try(const char *prefix, unsigned node, bool *created)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s-node%u.pcap", prefix, node) < 0)
		return run_error(-ENOMEM, "no memory for the name of a capture");
	fd = file_lock_open(path, O_RDWR, created);
	if (fd == -EBUSY)
		run_error(fd,
			  "the capture %s is being written by another program: wait for its end, "
			  "or choose another name; runs at the same time need different names "
			  "(--capture)",
			  path);
	else if (fd < 0)
		run_error(fd, "cannot create the capture %s: %s", path, run_refusal(-fd));
	free(path);
	return fd;
}

/* Close a file of capture_try(), and remove it if it is new. */
static void capture_leave(const char *prefix, unsigned node, int fd, bool created)
{
	char *path;

	if (created && asprintf(&path, "%s-node%u.pcap", prefix, node) >= 0) {
		unlink(path);
		free(path);
	}
	close(fd);
}

int captures_check(const char *prefix, unsigned nodes, int node)
{
	unsigned first = node < 0 ? 0 : (unsigned)node, end = node < 0 ? nodes : first + 1, n;
	bool created[CAPTURES_MAX] = {false};
	int fds[CAPTURES_MAX], err = 0;

	if (!prefix || !strcmp(prefix, "-"))
		return 0;
	for (n = first; n < end; n++) {
		fds[n] = capture_try(prefix, n, &created[n]);
		if (fds[n] < 0) {
			err = fds[n];
			break;
		}
	}
	while (n-- > first)
		capture_leave(prefix, n, fds[n], created[n]);
	return err;
}

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
