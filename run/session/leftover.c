// SPDX-License-Identifier: MIT
/*
 * run/session: recordings of an earlier run.
 *
 * What lives here: the removal of recordings of an earlier run. A run overwrites the recordings of
 * an earlier run with the same name. If the earlier run had more nodes, its other recordings are
 * removed, since a reader would take them for recordings of this run. Only files that `smile run`
 * or `smile sim` has written for that node are removed.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Does the command line begin with this command? It is quoted for a shell. */
static bool is_command(const char *line, const char *command)
{
	size_t word = strcspn(line, " ");

	return line[word] && !strncmp(line + word + 1, command, strlen(command));
}

static bool is_left(const char *file, unsigned node)
{
	struct Monitor_origin origin;
	struct Monitor *mon = NULL;
	struct smile_info info;
	bool left = false;

	if (access(file, F_OK) < 0 || Monitor_open(&mon, file) < 0)
		return false;
	if (Monitor_info(mon, &info) >= 0 && Monitor_origin(mon, &origin) >= 0)
		left = info.config.node == node && (is_command(origin.command_line, "run ") ||
						    is_command(origin.command_line, "sim "));
	Monitor_close(mon);
	return left;
}

/* Return: whether the recording existed, and has been removed. */
static bool leftover_remove(const struct run *run, unsigned node)
{
	bool removed = false;
	char *file;

	if (asprintf(&file, "%s-node%u.rec", run->config.prefix, node) < 0)
		return false;
	if (is_left(file, node)) {
		removed = !unlink(file);
		if (!removed)
			run_message("%s is from an earlier run with more nodes, and cannot be "
				    "removed (%s): leave it out of reports of this run",
				    file, strerror(errno));
	}
	free(file);
	return removed;
}

void run_leftovers_remove(const struct run *run)
{
	unsigned removed = 0, first = 0;

	for (unsigned n = run->config.nodes; n < MACHINE_NODES_MAX; n++) {
		if (!leftover_remove(run, n))
			continue;
		if (!removed++)
			first = n;
	}
	if (removed)
		run_message("removed %u recording%s of an earlier run with more nodes, "
			    "%s-node%u.rec%s",
			    removed, removed == 1 ? "" : "s", run->config.prefix, first,
			    removed == 1 ? "" : " and so on");
}
