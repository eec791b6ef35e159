// SPDX-License-Identifier: MIT
/*
 * smile cluster: --trace and --capture.
 *
 * What lives here: the options, what a guest's script does to trace its B-Link, and the trigger
 * line between the guests: a process that passes each message of an instrument on to all others.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/tool.h"

/* docs/trace.md, section 10: of a message between machines. */
#define MESSAGE_BYTES 16

/* ---- options ---- */

int trace_level_take(void *trace, const char *text)
{
	struct cluster_trace *to = trace;

	to->given = true;
	if (Monitor_trace_level(&to->config, text) < 0)
		return tool_usage("--trace: %s", Monitor_error_message());
	return words_add(&to->levels, text) ? tool_error("no memory") : TOOL_OK;
}

int trace_filter_take(void *trace, const char *text)
{
	struct cluster_trace *to = trace;

	to->given = true;
	if (Monitor_trace_filter(&to->config, text) < 0)
		return tool_usage("--trace-filter: %s", Monitor_error_message());
	return words_add(&to->filters, text) ? tool_error("no memory") : TOOL_OK;
}

int trace_check(const struct cluster *cluster)
{
	const struct cluster_trace *trace = &cluster->trace;
	bool on = trace_is_on(trace);

	if (!on && (trace->given || trace->memory_mb || trace->position != TRACE_POSITION))
		return tool_usage("there are options of a trace, but no trace: give --trace LEVEL, "
				  "or --capture");
	if (trace->capture && trace->levels.count)
		return tool_usage("--capture keeps all packets, and --trace those around a "
				  "trigger: give one of them");
	if (trace->capture && trace->position != TRACE_POSITION)
		return tool_usage("--trace-position needs a trigger: give --trace LEVEL");
	if (on && !cluster->output)
		return tool_usage("a trace is written beside the recordings: give -o, too");
	return TOOL_OK;
}

/* ---- the guest's script ---- */

/*
 * The instrument is armed before the program begins, and read when it has ended. In the background
 * a shell has no input, so the program gets it by another number.
 */
void trace_script_print(FILE *to, const struct cluster_trace *trace)
{
	size_t i;

	fputs("cat >/smile/traced <<'SMILE-END'\n"
	      "mkfifo /smile/armed\n"
	      "smile trace record dev:0 --node \"$SMILE_NODE\" -o \"$trace\"",
	      to);
	for (i = 0; i < trace->levels.count; i++) {
		fputs(" --trigger ", to);
		script_word_print(to, trace->levels.word[i]);
	}
	for (i = 0; i < trace->filters.count; i++) {
		fputs(" --filter ", to);
		script_word_print(to, trace->filters.word[i]);
	}
	if (trace->levels.count)
		fprintf(to, " --position %u", trace->position);
	fputs(" >/smile/armed 2>&1 &\n"
	      "recorder=$! armed=\n"
	      "exec 4</smile/armed 5<&0\n"
	      "while read -r line <&4; do\n"
	      "\tcase $line in *' is armed') armed=yes && break ;; esac\n"
	      "\techo \"$line\" >&2\n"
	      "done\n"
	      "[ \"$armed\" ] || exit 2\n"
	      "\"$@\" <&5 4<&- 5<&- &\n"
	      "program=$!\n"
	      "trap 'kill $program' TERM\n"
	      /* A signal ends the wait, and not the program. */
	      "while wait $program; status=$?; kill -0 $program 2>/dev/null; do :; done\n"
	      "kill $recorder\n"
	      "cat <&4 >&2\n"
	      "wait $recorder || [ $status != 0 ] || status=2\n"
	      "exit $status\n"
	      "SMILE-END\n",
	      to);
}

/* ---- the trigger line ---- */

/**
 * struct hub - The line's ends.
 * @file: by node
 * @message: the beginning of a message of each
 * @bytes: of it
 * @count: how many
 */
struct hub {
	struct pollfd file[CLUSTER_NODES_MAX];
	char message[CLUSTER_NODES_MAX][MESSAGE_BYTES];
	size_t bytes[CLUSTER_NODES_MAX];
	uint32_t count;
};

/* A whole message goes to all others; one that does not read misses it, as on a line of QEMU's. */
static void hub_read(struct hub *hub, uint32_t from)
{
	ssize_t got = read(hub->file[from].fd, hub->message[from] + hub->bytes[from],
			   MESSAGE_BYTES - hub->bytes[from]);
	uint32_t i;

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0) {
		close(hub->file[from].fd);
		hub->file[from].fd = -1;
		return;
	}
	hub->bytes[from] += (size_t)got;
	if (hub->bytes[from] < MESSAGE_BYTES)
		return;
	hub->bytes[from] = 0;
	for (i = 0; i < hub->count; i++) {
		if (i != from && hub->file[i].fd >= 0)
			send(hub->file[i].fd, hub->message[from], MESSAGE_BYTES,
			     MSG_DONTWAIT | MSG_NOSIGNAL);
	}
}

static bool hub_is_open(const struct hub *hub)
{
	uint32_t i = 0;

	while (i < hub->count && hub->file[i].fd < 0)
		i++;
	return i < hub->count;
}

/* Of the child: until all guests have ended. */
static _Noreturn void hub_run(struct hub *hub, pid_t parent)
{
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/* A terminal's Ctrl-C is for smile. */
	setsid();
	while (hub_is_open(hub)) {
		if (poll(hub->file, hub->count, -1) < 0)
			continue;
		for (i = 0; i < hub->count; i++) {
			if (hub->file[i].fd >= 0 && hub->file[i].revents)
				hub_read(hub, i);
		}
	}
	_exit(0);
}

int trace_line_begin(struct node *nodes, const struct cluster *cluster, pid_t *line)
{
	struct hub hub = {.count = cluster->nodes};
	pid_t parent = getpid();
	int err = 0, pair[2];
	uint32_t i;

	*line = 0;
	if (!cluster->trace.levels.count)
		return TOOL_OK;
	for (i = 0; i < cluster->nodes; i++)
		hub.file[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	for (i = 0; i < cluster->nodes && !err; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
			err = errno;
			break;
		}
		nodes[i].line_end = pair[0];
		hub.file[i].fd = pair[1];
	}
	fflush(NULL);
	*line = err ? 0 : fork();
	if (*line == 0 && !err) {
		for (i = 0; i < cluster->nodes; i++)
			close(nodes[i].line_end);
		hub_run(&hub, parent);
	}
	if (*line < 0)
		err = errno;
	for (i = 0; i < cluster->nodes; i++) {
		if (hub.file[i].fd >= 0)
			close(hub.file[i].fd);
	}
	return err ? tool_error("no trigger line: %s", strerror(err)) : TOOL_OK;
}

void trace_line_end(struct node *nodes, const struct cluster *cluster, pid_t line)
{
	uint32_t i;

	for (i = 0; i < cluster->nodes; i++) {
		if (nodes[i].line_end >= 0)
			close(nodes[i].line_end);
		nodes[i].line_end = -1;
	}
	if (line <= 0)
		return;
	kill(line, SIGKILL);
	waitpid(line, NULL, 0);
}
