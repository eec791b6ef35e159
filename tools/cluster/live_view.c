// SPDX-License-Identifier: MIT
/*
 * smile cluster --live: show the recordings while they grow.
 *
 * What lives here: the process of `smile serve`, which reads the recordings. It is started when all
 * recordings can be read, and it ends with the run. It listens on a free port of the loopback
 * address.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/common/tool.h"

#define ADDRESS_BYTES 256

/* A guest's recording can be read as soon as `smile record` has written its header. */
static bool is_readable(const struct cluster *cluster, uint32_t id)
{
	char *name = keep_name(cluster, id), *source = NULL;
	struct Monitor *mon = NULL;
	bool readable;

	if (!name || asprintf(&source, "file:%s", name) < 0)
		source = NULL;
	readable = source && Monitor_open(&mon, source) >= 0;
	Monitor_close(mon);
	free(source);
	free(name);
	return readable;
}

/* In the child: execute `smile serve`, with the pipe as its standard output. */
static void become_serve(const struct cluster *cluster, int pipe, pid_t parent)
{
	static char name[] = "smile", serve[] = "serve", listen[] = "--listen",
		    address[] = "127.0.0.1:0";
	char *arguments[CLUSTER_NODES_MAX + 5] = {name, serve, listen, address};
	int nothing = open("/dev/null", O_RDONLY);
	sigset_t none;
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	/*
	 * In a new session, this process does not receive Ctrl-C of the terminal. Only smile
	 * cluster must receive Ctrl-C; smile cluster then ends this process last.
	 */
	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(nothing, STDIN_FILENO);
	dup2(pipe, STDOUT_FILENO);
	for (i = 0; i < cluster->nodes; i++)
		arguments[4 + i] = keep_name(cluster, i);
	execv("/proc/self/exe", arguments);
	_exit(127);
}

static void start(struct live_view *view, const struct cluster *cluster)
{
	pid_t parent = getpid();
	int pair[2];

	view->begun = true;
	if (pipe2(pair, O_CLOEXEC)) {
		tool_message("--live: %s", strerror(errno));
		return;
	}
	fflush(NULL);
	view->serve = fork();
	if (view->serve == 0)
		become_serve(cluster, pair[1], parent);
	close(pair[1]);
	view->address = pair[0];
	if (view->serve > 0)
		return;
	view->serve = 0;
	tool_message("--live: %s", strerror(errno));
}

void live_view_attend(struct live_view *view, const struct node *nodes,
		      const struct cluster *cluster)
{
	uint32_t i;

	if (!cluster->live || view->begun)
		return;
	for (i = 0; i < cluster->nodes; i++)
		if (!nodes[i].begun)
			return;
	for (i = 0; i < cluster->nodes; i++)
		if (!is_readable(cluster, i))
			return;
	start(view, cluster);
}

void live_view_read(struct live_view *view)
{
	char address[ADDRESS_BYTES];
	ssize_t got = read(view->address, address, sizeof(address) - 1);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	/*
	 * `smile serve` writes its address as one line, in one call. If the pipe is closed without
	 * a line, `smile serve` has printed the reason.
	 */
	if (got > 0) {
		address[got] = '\0';
		address[strcspn(address, "\n")] = '\0';
		tool_message("live view: %s", address);
	}
	close(view->address);
	view->address = -1;
}

void live_view_end(struct live_view *view, const struct cluster *cluster)
{
	if (cluster->live && !view->begun)
		tool_message("--live: there was no view, since not all nodes have begun to record");
	if (view->address >= 0)
		close(view->address);
	view->address = -1;
	if (view->serve <= 0)
		return;
	kill(view->serve, SIGTERM);
	while (waitpid(view->serve, NULL, 0) < 0 && errno == EINTR)
		;
	view->serve = 0;
}
