// SPDX-License-Identifier: MIT
/*
 * smile cluster: standard input reaches node 0.
 *
 * What lives here: the buffer of bytes that were read and not yet passed on. No more bytes are read
 * while node 0 has no room for them.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Does another job use the terminal? Reading from it would then stop this job. */
static bool is_others(void)
{
	pid_t front = tcgetpgrp(STDIN_FILENO);

	return front > 0 && front != getpgrp();
}

void input_wait(const struct input *input, struct pollfd *file)
{
	*file = (struct pollfd){.fd = -1};
	if (input->to < 0)
		return;
	if (input->first < input->end)
		*file = (struct pollfd){.fd = input->to, .events = POLLOUT};
	else if (!input->ended && !is_others())
		*file = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
}

static void end(struct input *input)
{
	close(input->to);
	input->to = -1;
}

static void take(struct input *input)
{
	ssize_t got = read(STDIN_FILENO, input->buffer, sizeof(input->buffer));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		input->ended = true;
		end(input);
		return;
	}
	input->first = 0;
	input->end = (size_t)got;
}

void input_pass(struct input *input)
{
	ssize_t sent;

	if (input->first == input->end) {
		take(input);
		return;
	}
	sent = send(input->to, input->buffer + input->first, input->end - input->first,
		    MSG_NOSIGNAL | MSG_DONTWAIT);
	if (sent > 0)
		input->first += (size_t)sent;
	else if (sent < 0 && errno != EINTR && errno != EAGAIN)
		end(input);
}
