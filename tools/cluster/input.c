// SPDX-License-Identifier: MIT
/*
 * smile cluster: pass standard input on to node 0.
 *
 * What lives here: the buffer of bytes that were read but not passed on yet. While node 0 accepts
 * no more bytes, this process reads no more bytes.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Check whether another job has the terminal. A background job that reads from the terminal would
 * be stopped.
 */
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
