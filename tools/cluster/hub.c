// SPDX-License-Identifier: MIT
/*
 * smile cluster: the hubs that connect all guests.
 *
 * What lives here: the trigger line of --trace and the network of --ethernet. The trigger line and
 * the network each have a process, which passes on the data of one guest to all other guests
 * without interpreting the data. Each guest uses one end of a socket pair. No process listens on an
 * address, and no connection leads out of the cluster.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/tool.h"

/* Length of a message on the trigger line: docs/trace.md, section 10. */
#define MESSAGE_BYTES 16
#define FRAME_BYTES 65536

/**
 * struct hub - The hub's side of the connections.
 * @file: the hub's socket for each node
 * @message: for each node, the received part of a message; frames are always received whole
 * @bytes: for each node, the length of this part
 * @count: number of nodes
 * @frames: the hub passes on frames of the network; otherwise messages of the trigger line
 */
struct hub {
	struct pollfd file[CLUSTER_NODES_MAX];
	char message[CLUSTER_NODES_MAX][MESSAGE_BYTES];
	size_t bytes[CLUSTER_NODES_MAX];
	uint32_t count;
	bool frames;
};

/*
 * Pass the data on to all nodes except the sender. If a node does not read, the data for this node
 * is lost, as on QEMU's trigger line or at a network switch.
 */
static void pass_on(const struct hub *hub, uint32_t from, const void *data, size_t bytes)
{
	uint32_t i;

	for (i = 0; i < hub->count; i++) {
		if (i != from && hub->file[i].fd >= 0)
			send(hub->file[i].fd, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
}

/*
 * Read data from a node. Return: number of bytes; 0: no data is available now, or the node has
 * ended.
 */
static size_t receive(struct hub *hub, uint32_t from, void *data, size_t size)
{
	ssize_t got = recv(hub->file[from].fd, data, size, MSG_DONTWAIT);

	if (got > 0)
		return (size_t)got;
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	close(hub->file[from].fd);
	hub->file[from].fd = -1;
	return 0;
}

static void hub_read(struct hub *hub, uint32_t from)
{
	static char frame[FRAME_BYTES];
	size_t got;

	if (hub->frames) {
		while ((got = receive(hub, from, frame, sizeof(frame))))
			pass_on(hub, from, frame, got);
		return;
	}
	hub->bytes[from] += receive(hub, from, hub->message[from] + hub->bytes[from],
				    MESSAGE_BYTES - hub->bytes[from]);
	if (hub->bytes[from] < MESSAGE_BYTES)
		return;
	hub->bytes[from] = 0;
	pass_on(hub, from, hub->message[from], MESSAGE_BYTES);
}

/* Run the hub, in a child process, until the parent ends it. */
static _Noreturn void hub_run(struct hub *hub, pid_t parent)
{
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/*
	 * In a new session, the hub does not receive Ctrl-C of the terminal. Only smile cluster
	 * must receive Ctrl-C.
	 */
	setsid();
	for (;;) {
		if (poll(hub->file, hub->count, -1) < 0)
			continue;
		for (i = 0; i < hub->count; i++) {
			if (hub->file[i].fd >= 0 && hub->file[i].revents)
				hub_read(hub, i);
		}
	}
}

int hub_begin(int *ends, uint32_t count, bool frames, pid_t *process)
{
	struct hub hub = {.count = count, .frames = frames};
	pid_t parent = getpid();
	int err = 0, pair[2];
	uint32_t i;

	for (i = 0; i < count; i++)
		hub.file[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	for (i = 0; i < count && !err; i++) {
		if (socketpair(AF_UNIX, (frames ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0,
			       pair)) {
			err = errno;
		} else {
			ends[i] = pair[0];
			hub.file[i].fd = pair[1];
		}
	}
	fflush(NULL);
	*process = err ? 0 : fork();
	if (*process == 0 && !err) {
		for (i = 0; i < count; i++)
			close(ends[i]);
		hub_run(&hub, parent);
	}
	if (*process < 0)
		err = errno;
	for (i = 0; i < count; i++) {
		if (hub.file[i].fd >= 0)
			close(hub.file[i].fd);
	}
	return err ? tool_error("cannot connect the guests: %s", strerror(err)) : TOOL_OK;
}

void hub_end(int *ends, uint32_t count, pid_t process)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
		ends[i] = -1;
	}
	if (process <= 0)
		return;
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}
