// SPDX-License-Identifier: MIT
/*
 * run/session: recordings of an earlier run.
 *
 * What lives here: the removal of recordings that a run of the same name has left. A run overwrites
 * the recordings of its own nodes. If the earlier run had more nodes, the recordings of the other
 * nodes are removed, because a reader would take them for recordings of this run. A file is removed
 * only if `smile run` or `smile sim` has written it for this node.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Check whether @command is the first argument of the command line @line, which is quoted for a
 * shell.
 */
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

/* Remove the recording of a node. Return: whether it existed and was removed. */
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
