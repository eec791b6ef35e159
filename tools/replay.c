// SPDX-License-Identifier: MIT
/*
 * smile replay: feed a B-Link capture to a card emulated in this process, and record its counts.
 */
#include "tools/common/option_table.h"
#include "tools/common/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/config_options.h"
#include "tools/common/output.h"
#include "tools/common/recording_session.h"
#include "tools/common/signals.h"

static const char *const replay_help[] = {
#include "tools/help/replay.h"
	NULL,
};

/* The largest number of nodes for which a matrix is made to check --node. */
#define REPLAY_NODES_MAX 1024

/* Count the transactions in which the node took part, and all other transactions. */
static int replay_directions(struct recording_session *session, unsigned int node, uint64_t *own,
			     uint64_t *foreign)
{
	int nodes = Monitor_nodes(session->mon);
	uint64_t *counts;
	size_t n, i, j;

	if (nodes <= 0 || nodes > REPLAY_NODES_MAX)
		return -1;
	n = (size_t)nodes;
	counts = calloc(n * n, sizeof(*counts));
	if (!counts)
		return -1;
	*own = 0;
	*foreign = 0;
	if (Monitor_get_packets(session->mon, counts, n) >= 0)
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				*(i == node || j == node ? own : foreign) += counts[i * n + j];
	free(counts);
	return 0;
}

/* Print a warning if the results are probably not what the user wants. */
static void replay_advise(struct recording_session *session, const struct config_options *options)
{
	const struct smile_statistics *statistics = &session->statistics;
	const struct smile_config *config = &options->config;
	uint64_t own, foreign;

	if (!session->known)
		return;
	if (!statistics->packets_seen) {
		tool_message("warning: the capture holds no frame");
		return;
	}
	if (statistics->packets_malformed == statistics->packets_seen) {
		tool_message("warning: every frame was malformed; is this a capture of a B-Link, "
			     "words in little-endian byte order, BD1 first?");
		return;
	}
	if (statistics->packets_malformed)
		tool_message("warning: %" PRIu64 " of %" PRIu64 " frames were malformed",
			     (uint64_t)statistics->packets_malformed,
			     (uint64_t)statistics->packets_seen);
	if (options->specs_count && !statistics->static_counted)
		tool_message("warning: no static counter has counted anything; see node, page, "
			     "types and packets of --static, and `smile report static %s`",
			     session->file);
	if (config->mode & SMILE_MODE_NO_DYNAMIC)
		return;
	if (!replay_directions(session, config->node, &own, &foreign) && foreign > own)
		tool_message("warning: %" PRIu64 " transactions are between other nodes, %" PRIu64
			     " from or to node %u; was another node's B-Link captured? Give its id "
			     "with --node",
			     foreign, own, config->node);
	else if (statistics->packets_filtered && !statistics->events_accepted)
		tool_message("warning: the filter has rejected everything; see --types, --packets, "
			     "--direction and --node (now %u)",
			     config->node);
}

static int replay_run(const char *capture, const char *file, const struct config_options *options,
		      int json, int argc, char **argv)
{
	struct recording_session session;
	char *source, *line;
	int status;

	if (asprintf(&source, "emu:%s", capture) < 0)
		return tool_error("no memory");
	line = tool_command_line(argc, argv);
	signals_catch();
	status = session_open(&session, source, file, options, line);
	free(line);
	if (status != TOOL_OK) {
		free(source);
		return status;
	}
	if (Monitor_start(session.mon) < 0) {
		tool_error("%s", Monitor_error_message());
		session.failed = 1;
	}
	while (!session.failed && !signals_count() && !Monitor_ended(session.mon))
		if (session_poll(&session, 1000) < 0)
			break;
	session_stop(&session);
	if (signals_count()) {
		tool_error("interrupted; %s has the records up to this point", file);
		session.failed = 1;
	} else {
		replay_advise(&session, options);
	}
	status = session_close(&session, json);
	free(source);
	return status;
}

int replay_main(int argc, char **argv)
{
	const char *file = "smile.rec";
	struct config_options options;
	char *name = argv[0];
	int json = 0, status;
	const struct tool_option table[] = {
		OPTION_OUTPUT("output", 'o', &file),
		OPTION_FLAG("counts", 0, &options.counts),
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(replay_help),
		OPTION_CARD(&options),
		OPTION_END,
	};

	config_options_init(&options);
	if (!option_table_parse(argc, argv, "", table, &status))
		return status;
	if (optind == argc)
		return tool_usage("which capture? Give a file, or - for standard input");
	if (!*argv[optind])
		return tool_usage("which capture? The name given is empty: give a file, or - for "
				  "standard input");
	if (optind + 1 < argc)
		return tool_usage("'%s' is one argument too many: one capture at a time",
				  argv[optind + 1]);
	if (config_options_check(&options) != TOOL_OK)
		return TOOL_ERROR;
	/*
	 * In the recording, store "replay" as the command, instead of the whole name that precedes
	 * messages.
	 */
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	return replay_run(argv[optind], file, &options, json, argc, argv);
}
