// SPDX-License-Identifier: MIT
/*
 * smile: the main program. What lives here: the table of subcommands.
 */
#include "tools/common/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/common/output.h"

struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
	{"list", "list the cards in this machine", list_main},
	{"doctor", "check the requirements of monitoring, and print the fixes", doctor_main},
	{"record", "record what a card counts, while a command runs", record_main},
	{"replay", "feed a B-Link capture to the emulated card", replay_main},
	{"run", "run a program on the emulated NUMA machine, with a card per node", run_main},
	{"sim", "run one of the papers' programs on the emulated NUMA machine", sim_main},
	{"sample", "run a program here at full speed, and sample its accesses", sample_main},
	{"sweep", "feed the same traffic to cards of many configurations", sweep_main},
	{"report", "show transfers, pages, phases, losses of a recording", report_main},
	{"view", "make a web page that shows the data on the wrong node", view_main},
	{"stat", "estimate multiplexed counters, with bands", stat_main},
	{"top", "show the counts of a card, live in the terminal", top_main},
	{"serve", "serve the counts of a card as a live web page and metrics", serve_main},
	{"control", "start, stop, or end a phase of cards on several machines", control_main},
	{"advise", "find the node on which each page should lie, and the gain", advise_main},
	{"place", "run a program here, with its memory as a placement says", place_main},
	{"cluster", "run a program on guests with adapters and cards", cluster_main},
	{"diff", "compare the recordings of two runs", diff_main},
	{"trace", "keep every packet between two triggers, and examine them", trace_main},
	{"ring", "simulate SCI's ring under load: throughput, latency", ring_main},
	{"dump", "print the records of a recording as JSON lines", dump_main},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static char name_of_command[64] = "smile";

const char *tool_name(void)
{
	return name_of_command;
}

static void help_print(FILE *out)
{
	size_t i;

	fputs("usage: smile COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	      "Exact histograms of the remote memory accesses of a NUMA machine.\n\ncommands:\n",
	      out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
	fputs("\n`smile COMMAND --help` describes a command, `smile --version` prints the\n"
	      "version. Without a card: smile run, smile sim, smile replay. With one: smile\n"
	      "list, smile record. On a NUMA machine, at full speed: smile sample.\n\n"
	      "exit status: 0 ok, 1 a finding that was asked for, 2 usage or error\n",
	      out);
}

/*
 * Open /dev/null for each standard descriptor that is closed. Otherwise the next opened file could
 * get the number of a standard descriptor, and messages would be written into a recording. For
 * standard output /dev/null is opened for reading, so that writing to it is still an error.
 */
static void descriptors_fill(void)
{
	int descriptor;

	for (descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
		if (fcntl(descriptor, F_GETFD) < 0 &&
		    open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(TOOL_ERROR);
}

/*
 * Do nothing. The write that would exceed the limit on the length of files then fails, and the
 * failure is reported.
 */
static void file_too_long(int number)
{
	(void)number;
}

int main(int argc, char **argv)
{
	size_t i;

	descriptors_fill();
	/*
	 * Ignore SIGPIPE. If the reader of a pipe closes it, a recording must still be completed.
	 */
	signal(SIGPIPE, SIG_IGN);
	/*
	 * If a file reaches the limit on its length, a recording must still be completed. SIGXFSZ
	 * is caught and not ignored, so that executed programs get its default action.
	 */
	signal(SIGXFSZ, file_too_long);
	if (argc < 2) {
		help_print(stderr);
		return TOOL_ERROR;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help_print(stdout);
		return output_finish(TOOL_OK);
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("smile %s (libsmile-monitor %s)\n", SMILE_VERSION, Monitor_version());
		return output_finish(TOOL_OK);
	}
	for (i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(name_of_command, sizeof(name_of_command), "smile %s", commands[i].name);
		/* getopt() prints argv[0] at the beginning of its messages. */
		argv[1] = name_of_command;
		return output_finish(commands[i].run(argc - 1, argv + 1));
	}
	return tool_usage("there is no command '%s'", argv[1]);
}
