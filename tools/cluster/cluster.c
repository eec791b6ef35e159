// SPDX-License-Identifier: MIT
/*
 * smile cluster: the command. See tools/cluster/cluster.h.
 *
 * What lives here: its options, and the run: all guests start, their output is passed on until all
 * have ended, or until a signal ends them.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"

static const char *const cluster_help[] = {
#include "tools/help/cluster.h"
	NULL,
};

enum {
	OPTION_CARD = 256,
	OPTION_ADAPTER,
	OPTION_LATENCY,
	OPTION_SHARE,
	OPTION_SHELL,
	OPTION_MEMORY,
	OPTION_GUEST,
};

static const struct option cluster_options[] = {
	{"nodes", required_argument, NULL, 'n'},
	{"output", required_argument, NULL, 'o'},
	{"card", required_argument, NULL, OPTION_CARD},
	{"adapter", required_argument, NULL, OPTION_ADAPTER},
	{"latency", required_argument, NULL, OPTION_LATENCY},
	{"share", required_argument, NULL, OPTION_SHARE},
	{"shell", no_argument, NULL, OPTION_SHELL},
	{"memory", required_argument, NULL, OPTION_MEMORY},
	{"guest", required_argument, NULL, OPTION_GUEST},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

#define MEMORY_MB 256
#define MEMORY_MB_MIN 192
#define MEMORY_MB_MAX 65536

/* Return: TOOL_OK; TOOL_ERROR after a message; -1: help was asked for. */
static int options_parse(struct cluster *cluster, const char **guest, int argc, char **argv)
{
	uint64_t number;
	int option;

	cluster->nodes = 2;
	cluster->memory_mb = MEMORY_MB;
	/* "+": what follows the program belongs to it. */
	while ((option = getopt_long(argc, argv, "+n:o:h", cluster_options, NULL)) != -1) {
		switch (option) {
		case 'n':
			if (tool_number("--nodes", optarg, 1, CLUSTER_NODES_MAX, &number) < 0)
				return TOOL_ERROR;
			cluster->nodes = (uint32_t)number;
			break;
		case OPTION_MEMORY:
			if (tool_number("--memory", optarg, MEMORY_MB_MIN, MEMORY_MB_MAX, &number) <
			    0)
				return TOOL_ERROR;
			cluster->memory_mb = (uint32_t)number;
			break;
		case 'o':
			cluster->output = optarg;
			break;
		case OPTION_CARD:
			cluster->card = optarg;
			break;
		case OPTION_ADAPTER:
			cluster->adapter = optarg;
			break;
		case OPTION_LATENCY:
			if (latency_parse(&cluster->latency, optarg) < 0)
				return TOOL_ERROR;
			break;
		case OPTION_SHARE:
			cluster->share = optarg;
			break;
		case OPTION_SHELL:
			cluster->shell = true;
			break;
		case OPTION_GUEST:
			*guest = optarg;
			break;
		case 'h':
			tool_help(cluster_help);
			latency_models_print();
			return -1;
		default:
			return tool_unknown_option();
		}
	}
	cluster->command = argv + optind;
	if (!cluster->shell == !argv[optind])
		return tool_usage(cluster->shell ? "--shell takes no program"
						 : "no program: give one after --, or --shell");
	if (cluster->shell && cluster->output)
		return tool_usage(
			"--shell and -o exclude each other: use smile record in the shell");
	return TOOL_OK;
}

/* ---- the run's directory ---- */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	(void)info;
	(void)kind;
	(void)walk;
	return remove(path);
}

static int directory_make(struct cluster *cluster)
{
	const char *where = getenv("TMPDIR");

	/* Short: the fabric's sockets are in it. */
	if (asprintf(&cluster->directory, "%s/smile-cluster-XXXXXX", where ? where : "/tmp") < 0)
		cluster->directory = NULL;
	if (!cluster->directory || !mkdtemp(cluster->directory))
		return tool_error("no temporary directory: %s", strerror(errno));
	return TOOL_OK;
}

static void cluster_free(struct cluster *cluster)
{
	if (cluster->directory)
		nftw(cluster->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(cluster->directory);
	free(cluster->kernel);
	free(cluster->image);
	free(cluster->plugin);
}

/* ---- the run ---- */

/* Pass on output until every node has ended, or node 0 with --shell. Return: false: a signal. */
static bool nodes_attend(struct node *nodes, const struct cluster *cluster)
{
	struct pollfd files[2 * CLUSTER_NODES_MAX];
	uint32_t i;

	for (;;) {
		bool open = false;

		for (i = 0; i < cluster->nodes; i++) {
			files[2 * i] = (struct pollfd){.fd = nodes[i].out, .events = POLLIN};
			files[2 * i + 1] = (struct pollfd){.fd = nodes[i].error, .events = POLLIN};
			open |= nodes[i].out >= 0 || nodes[i].error >= 0;
		}
		if (!open || (cluster->shell && nodes[0].out < 0))
			return true;
		if (signals_count())
			return false;
		if (poll(files, 2 * cluster->nodes, -1) < 0)
			continue;
		for (i = 0; i < 2 * cluster->nodes; i++) {
			if (files[i].revents)
				node_read(&nodes[i / 2], files[i].fd);
		}
	}
}

static int nodes_run(struct node *nodes, const struct cluster *cluster, const char *initrd)
{
	int status = TOOL_OK, ended;
	uint32_t i;
	bool whole;

	for (i = 0; i < cluster->nodes; i++) {
		nodes[i].id = i;
		nodes[i].out = nodes[i].error = -1;
	}
	for (i = 0; i < cluster->nodes && status == TOOL_OK; i++)
		status = node_start(&nodes[i], cluster, initrd);
	whole = status == TOOL_OK && nodes_attend(nodes, cluster);
	for (i = 0; i < cluster->nodes; i++) {
		if (!whole || (cluster->shell && i)) {
			node_kill(&nodes[i]);
			continue;
		}
		ended = node_finish(&nodes[i], cluster);
		if (ended > status)
			status = ended;
	}
	if (!whole && status == TOOL_OK)
		status = 128 + (signals_terminate() ? SIGTERM : SIGINT);
	return status;
}

int cluster_main(int argc, char **argv)
{
	struct cluster cluster = {.nodes = 0};
	const char *guest = NULL;
	struct node *nodes;
	char *initrd = NULL;
	int status = options_parse(&cluster, &guest, argc, argv);

	if (status != TOOL_OK)
		return status < 0 ? TOOL_OK : status;
	nodes = calloc(cluster.nodes, sizeof(*nodes));
	status = nodes ? image_find(&cluster, guest) : tool_error("no memory");
	if (status == TOOL_OK) {
		signals_catch();
		status = directory_make(&cluster);
	}
	if (status == TOOL_OK && asprintf(&initrd, "%s/initrd", cluster.directory) < 0)
		status = tool_error("no memory");
	if (status == TOOL_OK)
		status = image_make(&cluster, initrd);
	if (status == TOOL_OK)
		status = nodes_run(nodes, &cluster, initrd);
	cluster_free(&cluster);
	free(initrd);
	free(nodes);
	return status;
}
