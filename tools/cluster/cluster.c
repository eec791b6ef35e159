// SPDX-License-Identifier: MIT
/*
 * smile cluster: run the command. See tools/cluster/cluster.h.
 *
 * What lives here: the run. It starts all guests and passes on their output until all guests have
 * ended. The first signal stops the programs in the guests, so that the recordings are complete.
 * Guests that do not stop within a time limit are killed.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"

/* The longest time that a guest may take to stop. */
#define STOP_NS (10 * TOOL_SECOND_NS)

/* The exit status if accesses to other nodes' memory have failed, but nothing else has failed. */
#define STATUS_ACCESSES 1

/**
 * struct run - The state of the run.
 * @nodes: all guests
 * @cluster: the user's options
 * @input: input of node 0
 * @view: live view of the recordings
 * @signal: the first signal that ends the run; 0: no signal has arrived yet
 * @signals: number of SIGINT and SIGTERM that had arrived when @signal was set, including @signal
 * @stopped: the programs were requested to end
 * @until_ns: time at which guests that have not ended are killed
 */
struct run {
	struct node *nodes;
	const struct cluster *cluster;
	struct input input;
	struct live_view view;
	int signal;
	int signals;
	bool stopped;
	uint64_t until_ns;
};

static bool is_open(const struct node *node)
{
	return node->file[CHANNEL_OUT] >= 0 || node->file[CHANNEL_ERROR] >= 0 ||
	       node->file[CHANNEL_RESULT] >= 0;
}

static bool has_ended(const struct run *run)
{
	uint32_t i;

	if (run->cluster->shell)
		return !is_open(&run->nodes[0]);
	for (i = 0; i < run->cluster->nodes; i++) {
		if (is_open(&run->nodes[i]))
			return false;
	}
	return true;
}

/* Stop the programs on all nodes except @but. */
static void stop(struct run *run, const struct node *but)
{
	uint32_t i;

	run->stopped = true;
	run->until_ns = tool_now_ns() + STOP_NS;
	for (i = 0; i < run->cluster->nodes; i++) {
		if (&run->nodes[i] != but)
			node_stop(&run->nodes[i]);
	}
}

static void kill_all(struct run *run)
{
	uint32_t i;

	for (i = 0; i < run->cluster->nodes; i++)
		node_kill(&run->nodes[i]);
}

/* Act on the signals that have arrived. Return: false if the guests have been killed. */
static bool signals_attend(struct run *run)
{
	bool hangup = signals_hangup();
	int count = signals_count();

	if (hangup || count > run->signals) {
		/*
		 * Kill all guests at the second signal. If node 0 runs a shell, kill them at the
		 * first signal, because a signal does not stop a shell.
		 */
		bool at_once = run->signal || run->cluster->terminal;

		run->signals = count;
		if (!run->signal)
			run->signal = hangup ? SIGHUP : signals_terminate() ? SIGTERM : SIGINT;
		if (at_once) {
			kill_all(run);
			return false;
		}
		stop(run, NULL);
	}
	if (!run->stopped || tool_now_ns() < run->until_ns)
		return true;
	tool_message("guests that do not stop are ended; their recordings hold the data that has "
		     "arrived");
	kill_all(run);
	return false;
}

/* End the phase on all nodes if the user has requested it. */
static void mark_attend(struct run *run)
{
	uint32_t i;

	if (!signals_mark())
		return;
	if (!run->cluster->output) {
		tool_message("no phase was ended: nothing is recorded; give -o");
		return;
	}
	for (i = 0; i < run->cluster->nodes; i++)
		node_mark(&run->nodes[i]);
}

/* If --kill-on-bad-exit was given and a program has failed, end all programs. */
static void together(struct run *run)
{
	uint32_t i;

	if (!run->cluster->together || run->stopped)
		return;
	for (i = 0; i < run->cluster->nodes; i++) {
		struct node *node = &run->nodes[i];

		if (node->bad || (!is_open(node) && node->status)) {
			tool_message("the programs of the other nodes are ended, too");
			stop(run, node);
			return;
		}
	}
}

static void wait_and_pass(struct run *run, const sigset_t *before)
{
	struct pollfd files[CHANNELS * CLUSTER_NODES_MAX + 2];
	uint32_t count = CHANNELS * run->cluster->nodes, i;
	/*
	 * Wake up every second, because two changes cause no event: the time limit of a stop
	 * passes, or this job returns to the foreground of the terminal.
	 */
	const struct timespec second = {.tv_sec = 1};

	for (i = 0; i < count; i++)
		files[i] = (struct pollfd){.fd = run->nodes[i / CHANNELS].file[i % CHANNELS],
					   .events = POLLIN};
	input_wait(&run->input, &files[count]);
	files[count + 1] = (struct pollfd){.fd = run->view.address, .events = POLLIN};
	if (ppoll(files, count + 2, &second, before) <= 0)
		return;
	for (i = 0; i < count; i++) {
		if (files[i].revents)
			output_read(&run->nodes[i / CHANNELS], i % CHANNELS, run->cluster);
	}
	if (files[count].revents)
		input_pass(&run->input);
	if (files[count + 1].revents)
		live_view_read(&run->view);
}

/*
 * Start the live view when all nodes record. If a guest has ended, release the lock of its
 * recording, so that the live view detects that the recording no longer grows.
 */
static void live_attend(struct run *run)
{
	uint32_t i;

	if (!run->cluster->live)
		return;
	live_view_attend(&run->view, run->nodes, run->cluster);
	for (i = 0; i < run->cluster->nodes; i++) {
		if (!is_open(&run->nodes[i]))
			keep_release(&run->nodes[i]);
	}
}

static void attend(struct run *run)
{
	sigset_t before, mark;

	/*
	 * Signals are blocked except while this process waits for events, so no signal is missed.
	 */
	signals_hold(&before);
	sigemptyset(&mark);
	sigaddset(&mark, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mark, NULL);
	while (!has_ended(run)) {
		if (!signals_attend(run))
			break;
		mark_attend(run);
		together(run);
		live_attend(run);
		wait_and_pass(run, &before);
	}
	signals_release(&before);
}

/* Finish the run, after all guests have ended or must be ended. Return: the exit status. */
static int finish(struct run *run)
{
	const struct cluster *cluster = run->cluster;
	int status = TOOL_OK, ended;
	uint32_t i;

	for (i = 0; i < cluster->nodes; i++) {
		struct node *node = &run->nodes[i];

		if (cluster->shell && i)
			node_kill(node);
		ended = node_finish(node, cluster);
		if (node->failed) {
			tool_message("node %u: %llu accesses to nodes' memory have failed: loads "
				     "returned ones, stores changed nothing",
				     i, (unsigned long long)node->failed);
			ended = ended > STATUS_ACCESSES ? ended : STATUS_ACCESSES;
		}
		if (ended > status)
			status = ended;
	}
	return run->signal ? 128 + run->signal : status;
}

/**
 * struct wires - The connections between the guests, other than the fabric.
 * @line: one end of the trigger line for each node; -1: there is no trigger line, or QEMU has taken
 *        over this end
 * @net: one end of the network for each node; -1: there is no network, or QEMU has taken over this
 *       end
 * @line_hub, @net_hub: the processes of the hubs of the trigger line and of the network; 0: no
 *                      process
 */
struct wires {
	int line[CLUSTER_NODES_MAX];
	int net[CLUSTER_NODES_MAX];
	pid_t line_hub;
	pid_t net_hub;
};

static int wires_begin(struct wires *wires, const struct cluster *cluster)
{
	int status = TOOL_OK;
	uint32_t i;

	for (i = 0; i < CLUSTER_NODES_MAX; i++)
		wires->line[i] = wires->net[i] = -1;
	if (cluster->trace.levels.count)
		status = hub_begin(wires->line, cluster->nodes, false, &wires->line_hub);
	if (cluster->ethernet && status == TOOL_OK)
		status = hub_begin(wires->net, cluster->nodes, true, &wires->net_hub);
	return status;
}

static int nodes_run(struct run *run)
{
	const struct cluster *cluster = run->cluster;
	struct node *nodes = run->nodes;
	struct wires wires = {.line_hub = 0};
	int status;
	uint32_t i;

	for (i = 0; i < cluster->nodes; i++) {
		struct node *node = &nodes[i];

		node->id = i;
		node->input = node->recording = node->status = -1;
		node->file[CHANNEL_OUT] = node->file[CHANNEL_ERROR] = -1;
		node->file[CHANNEL_RESULT] = -1;
	}
	status = wires_begin(&wires, cluster);
	for (i = 0; i < cluster->nodes; i++) {
		nodes[i].trigger = wires.line[i];
		nodes[i].net = wires.net[i];
	}
	if (status == TOOL_OK)
		status = keep_begin(nodes, cluster);
	for (i = 0; i < cluster->nodes && status == TOOL_OK; i++)
		status = node_start(&nodes[i], cluster);
	if (status == TOOL_OK) {
		run->input.to = nodes[0].input;
		attend(run);
		status = finish(run);
	} else {
		kill_all(run);
	}
	live_view_end(&run->view, cluster);
	hub_end(wires.line, cluster->nodes, wires.line_hub);
	hub_end(wires.net, cluster->nodes, wires.net_hub);
	if (cluster->output) {
		keep_end(nodes, cluster);
		if (keep_compare(nodes, cluster) && status == TOOL_OK)
			status = STATUS_ACCESSES;
	}
	for (i = 0; i < cluster->nodes; i++)
		free(nodes[i].missing);
	return status;
}

static void cluster_free(struct cluster *cluster)
{
	directory_remove(cluster);
	if (cluster->initrd >= 0)
		close(cluster->initrd);
	words_free(&cluster->copies);
	words_free(&cluster->environment);
	words_free(&cluster->record);
	words_free(&cluster->trace.levels);
	words_free(&cluster->trace.filters);
	free(cluster->kernel);
	free(cluster->image);
	free(cluster->plugin);
}

static int mark_make(struct cluster *cluster)
{
	uint64_t number[2];

	if (getrandom(number, sizeof(number), 0) != sizeof(number))
		return tool_error("no random number: %s", strerror(errno));
	snprintf(cluster->mark, sizeof(cluster->mark), "%016" PRIx64 "%016" PRIx64, number[0],
		 number[1]);
	return TOOL_OK;
}

int cluster_main(int argc, char **argv)
{
	struct cluster cluster = {.owner = -1, .initrd = -1};
	struct run run = {.cluster = &cluster, .input = {.to = -1}, .view = {.address = -1}};
	const char *guest = NULL;
	int status = options_parse(&cluster, &guest, argc, argv);

	if (status == TOOL_OK) {
		run.nodes = calloc(cluster.nodes, sizeof(*run.nodes));
		status = run.nodes ? image_find(&cluster, guest) : tool_error("no memory");
	}
	if (status == TOOL_OK)
		status = mark_make(&cluster);
	if (status == TOOL_OK)
		status = image_make(&cluster);
	if (status == TOOL_OK) {
		signals_catch_guarded(0);
		signals_catch_mark();
		status = directory_make(&cluster);
	}
	if (status == TOOL_OK)
		status = nodes_run(&run);
	cluster_free(&cluster);
	free(run.nodes);
	return status < 0 ? TOOL_OK : status;
}
