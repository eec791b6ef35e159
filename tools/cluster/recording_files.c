// SPDX-License-Identifier: MIT
/*
 * smile cluster: the files of the recordings.
 *
 * What lives here: the names of these files, their creation before the guests start, and their
 * comparison at the end. In each guest, `smile record` writes into its own file in a shared
 * directory, so the file grows on this machine during the recording. This process holds the
 * writer's lock of each recording (docs/recording.md), since a lock in a guest has no effect on
 * this machine.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file_lock.h>

#include "lib/analysis/text.h"
#include "tools/common/balance.h"
#include "tools/common/tool.h"

/* The files that this process opens for a node, and for the start of a node. */
#define FILES_OF_NODE 4U
#define FILES_OF_START 8U

char *keep_name(const struct cluster *cluster, uint32_t id)
{
	char *name;

	return asprintf(&name, "%s-node%u.rec", cluster->output, id) < 0 ? NULL : name;
}

char *keep_directory(const struct cluster *cluster)
{
	const char *slash = strrchr(cluster->output, '/');
	char *prefix = slash ? strndup(cluster->output, (size_t)(slash - cluster->output) + 1)
			     : strdup(".");
	char *directory = prefix ? realpath(prefix, NULL) : NULL;

	free(prefix);
	return directory;
}

static int hold(struct node *node, const char *name)
{
	struct stat info;

	node->recording = file_lock_open(name, O_RDWR, NULL);
	if (node->recording == -EBUSY)
		return tool_error("-o: %s is being written by another recorder: end it, or choose "
				  "another name",
				  name);
	if (node->recording < 0 || fstat(node->recording, &info) < 0)
		return tool_error("-o: cannot write the recording %s: %s", name,
				  strerror(node->recording < 0 ? -node->recording : errno));
	if (!S_ISREG(info.st_mode))
		return tool_error("-o: %s is no regular file: a recording must be one", name);
	return TOOL_OK;
}

/*
 * Check that the channels of all nodes can be opened. Return: TOOL_OK; TOOL_ERROR after a message.
 */
static int channels_check(const struct cluster *cluster)
{
	const uint32_t wanted = FILES_OF_NODE * cluster->nodes + FILES_OF_START;
	int files[FILES_OF_NODE * CLUSTER_NODES_MAX + FILES_OF_START];
	uint32_t count = 0;

	while (count < wanted && (files[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
		count++;
	for (uint32_t i = 0; i < count; i++)
		close(files[i]);
	if (count == wanted || errno != EMFILE)
		return TOOL_OK;
	return tool_error(
		"%u nodes need more open files than the limit allows: raise it (ulimit -n)",
		cluster->nodes);
}

/* Close a recording that has not begun. If its file is empty, remove it. */
static void let_go(struct node *node, const struct cluster *cluster)
{
	char *name = keep_name(cluster, node->id);
	struct stat info;

	if (node->recording >= 0) {
		if (name && !fstat(node->recording, &info) && S_ISREG(info.st_mode) &&
		    !info.st_size)
			unlink(name);
		close(node->recording);
	}
	node->recording = -1;
	free(name);
}

int keep_begin(struct node *nodes, const struct cluster *cluster)
{
	int status = TOOL_OK;
	uint32_t i;

	for (i = 0; cluster->output && i < cluster->nodes && status == TOOL_OK; i++) {
		char *name = keep_name(cluster, i);

		status = name ? hold(&nodes[i], name) : tool_error("no memory");
		free(name);
	}
	if (status == TOOL_OK)
		status = channels_check(cluster);
	/* Empty no older recording before all of them can be written, and all nodes can start. */
	for (i = 0; cluster->output && i < cluster->nodes && status == TOOL_OK; i++)
		if (file_lock_empty(nodes[i].recording) < 0)
			status = tool_error("-o: cannot write the recording of node %u: %s", i,
					    strerror(errno));
	for (i = 0; cluster->output && i < cluster->nodes && status != TOOL_OK; i++)
		let_go(&nodes[i], cluster);
	return status;
}

void keep_release(struct node *node)
{
	struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

	if (node->recording >= 0 && !node->released)
		fcntl(node->recording, F_OFD_SETLK, &all);
	node->released = true;
}

/*
 * Report accesses that the card of one node has counted, but the card of the other node has not
 * counted.
 */
static bool pairs_differ(const struct balance_pair *pairs, int count)
{
	char here[TEXT_COUNT_BYTES], there[TEXT_COUNT_BYTES];
	bool differ = false;
	int i;

	for (i = 0; i < count; i++) {
		if (pairs[i].by_source == pairs[i].by_home)
			continue;
		differ = true;
		tool_message(
			"the card of node %u has counted %s accesses to the memory of node %u, but "
			"the card of node %u has counted %s: one of the recordings lacks some",
			pairs[i].source, text_count(here, pairs[i].by_source), pairs[i].home,
			pairs[i].home, text_count(there, pairs[i].by_home));
	}
	return differ;
}

bool keep_compare(const struct node *nodes, const struct cluster *cluster)
{
	char *files[CLUSTER_NODES_MAX];
	struct balance_pair *pairs = NULL;
	size_t count = 0, i;
	bool differ;
	int pairs_count = 0;

	/*
	 * A node without a complete recording has failed or has never begun. A message has already
	 * reported this.
	 */
	for (i = 0; i < cluster->nodes; i++) {
		char *name = nodes[i].status >= 0 ? keep_name(cluster, (uint32_t)i) : NULL;

		if (name && !access(name, R_OK))
			files[count++] = name;
		else
			free(name);
	}
	if (count > 1)
		pairs_count = balance_pairs(files, count, &pairs);
	differ = pairs_differ(pairs, pairs_count);
	free(pairs);
	for (i = 0; i < count; i++)
		free(files[i]);
	return differ;
}

void keep_end(struct node *nodes, const struct cluster *cluster)
{
	struct stat info;
	uint32_t i;

	for (i = 0; cluster->output && i < cluster->nodes; i++) {
		char *name = keep_name(cluster, i);

		if (nodes[i].recording < 0 || !name) {
			free(name);
			continue;
		}
		/* Remove the file if it is empty, because no recorder has begun to write it. */
		if (!fstat(nodes[i].recording, &info) && !info.st_size) {
			unlink(name);
			if (nodes[i].qemu != 0 || nodes[i].begun || nodes[i].stopped)
				tool_message("node %u has recorded nothing: there is no %s", i,
					     name);
		} else if (nodes[i].status < 0) {
			tool_message("%s holds the data that node %u recorded before it ended: see "
				     "smile "
				     "report lost %s",
				     name, i, name);
		}
		close(nodes[i].recording);
		free(name);
	}
}
