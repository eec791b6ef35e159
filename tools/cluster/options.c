// SPDX-License-Identifier: MIT
/*
 * smile cluster: parse the command line.
 *
 * What lives here: the options of this command, the options for `smile record` in each guest, the
 * programs of the nodes, and their environment.
 */
#include "tools/cluster/cluster.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/config_options.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/static_reads.h"
#include "tools/common/tool.h"
#include "tools/common/topology_option.h"

static const char *const cluster_help[] = {
#include "tools/help/cluster.h"
	NULL,
};

#define MEMORY_MB 256
#define MEMORY_MB_MIN 192
#define MEMORY_MB_MAX 65536
#define SEPARATOR ":"

/* The default of --range for exact counts: the size of a page. */
#define RANGE "4096"

/* With --live, the number of seconds between two swaps of the counters. */
#define LIVE_SWAP_S "1"

/* ---- words ---- */

int words_add(struct words *words, const char *word)
{
	char **more = realloc(words->word, (words->count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	words->word = more;
	words->word[words->count] = strdup(word);
	if (!words->word[words->count])
		return -ENOMEM;
	words->count++;
	return 0;
}

void words_free(struct words *words)
{
	while (words->count)
		free(words->word[--words->count]);
	free(words->word);
	words->word = NULL;
}

/* ---- the environment ---- */

/*
 * Variables that the guests do not get. They name files, services or the terminal of this machine,
 * or the guests set their own values. A '*' at the end stands for any text.
 */
static const char *const kept_back[] = {
	"PATH",	  "HOME",     "PWD",	"OLDPWD",  "SHELL",   "SHLVL",	   "_",
	"TMPDIR", "ENV",      "BASH_*", "USER",	   "LOGNAME", "MAIL",	   "HOSTNAME",
	"LANG",	  "LANGUAGE", "LC_*",	"LD_*",	   "LOCPATH", "DISPLAY",   "WAYLAND_*",
	"XDG_*",  "DBUS_*",   "SSH_*",	"GPG_*",   "SUDO_*",  "SYSTEMD_*", "INVOCATION_ID",
	"TERM",	  "COLUMNS",  "LINES",	"SMILE_*", "MAKE*",   "MFLAGS",	   "PKG_CONFIG*",
	"EDITOR", "PAGER",    "CDPATH", "IFS",	   "PS1",     "PS2",	   "PS4",
};

static bool is_name(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] != '_' && !isalnum((unsigned char)text[i]))
			return false;
	}
	return length && !isdigit((unsigned char)text[0]);
}

static bool is_kept_back(const char *variable, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(kept_back) / sizeof(kept_back[0]); i++) {
		size_t same = strcspn(kept_back[i], "*");

		if (!strncmp(variable, kept_back[i], same) &&
		    (kept_back[i][same] ? length >= same : length == same))
			return true;
	}
	return false;
}

/*
 * Parse the argument of --env: NAME=VALUE, or only NAME for the value that this variable has in
 * this process.
 */
static int env_take(void *given, const char *text)
{
	size_t length = strcspn(text, "=");
	char *variable;
	int err;

	if (!is_name(text, length))
		return tool_usage("--env: '%s' is neither NAME=VALUE nor NAME", text);
	if (text[length])
		return words_add(given, text) ? tool_error("no memory") : TOOL_OK;
	if (!getenv(text))
		return tool_usage("--env: there is no variable %s here: give it a value with %s=",
				  text, text);
	if (asprintf(&variable, "%s=%s", text, getenv(text)) < 0)
		return tool_error("no memory");
	err = words_add(given, variable);
	free(variable);
	return err ? tool_error("no memory") : TOOL_OK;
}

/*
 * Add the variables of this command first. The variables of --env follow, and replace variables of
 * the same name.
 */
static int environment_make(struct words *environment, const struct words *given)
{
	char **variable;
	int err = 0;
	size_t i;

	/*
	 * In the guests, standard output is always a terminal, even if the output of this command
	 * is not.
	 */
	if (!isatty(STDOUT_FILENO))
		err = words_add(environment, "NO_COLOR=1");
	for (variable = environ; *variable && !err; variable++) {
		size_t length = strcspn(*variable, "=");

		if (is_name(*variable, length) && !is_kept_back(*variable, length))
			err = words_add(environment, *variable);
	}
	for (i = 0; i < given->count && !err; i++)
		err = words_add(environment, given->word[i]);
	return err ? tool_error("no memory") : TOOL_OK;
}

/* ---- the programs ---- */

static int programs_take(struct cluster *cluster, char **argument)
{
	char **begin = argument;

	for (; *begin; argument++) {
		bool end = !*argument;

		if (!end && strcmp(*argument, SEPARATOR))
			continue;
		if (argument == begin)
			return tool_usage("no program before '" SEPARATOR "'");
		if (cluster->programs_count == cluster->nodes)
			return tool_usage("more programs than nodes: --nodes %u", cluster->nodes);
		cluster->programs[cluster->programs_count++] = begin;
		if (end)
			return TOOL_OK;
		*argument = NULL;
		begin = argument + 1;
		if (!*begin)
			return tool_usage("no program after '" SEPARATOR "'");
	}
	return TOOL_OK;
}

/* The forms of the command that run one program, on node 0. */
static const struct option_form forms[] = {
	{"shell", .idle = "kill-on-bad-exit"},
	{0},
};

static int shell_check(struct cluster *cluster)
{
	static char shell[] = "sh";
	static char *command[] = {shell, NULL};

	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (cluster->output)
		return tool_usage(
			"--shell and -o exclude each other: use smile record in the shell");
	cluster->terminal = isatty(STDIN_FILENO);
	cluster->programs[cluster->programs_count++] = command;
	return TOOL_OK;
}

/* ---- options for smile record ---- */

/**
 * struct recording - Options for the recordings.
 * @arguments: arguments for `smile record` in the guests, stored in struct cluster
 * @options: the card's configuration, filled in only to check the options
 * @reads: static counters to read or reset, filled in only to check the options
 * @records: record the records of the card instead of exact counts
 * @given: at least one of these options was given
 */
struct recording {
	struct words *arguments;
	struct config_options options;
	struct static_reads reads;
	bool records;
	bool given;
};

/*
 * A null pointer. The lines of the group use the address of one of its members as the offset of the
 * member that they set.
 */
#define RECORDING ((struct recording *)0)

/*
 * Options for `smile record` in each guest. The options --node and --latency of `smile record` are
 * missing, because they have other meanings in this command.
 */
static const struct tool_option record_lines[] = {
	OPTION_GROUP(config_counting_lines, &RECORDING->options),
	OPTION_NOTED("read", 0),
	OPTION_TAKE("read-static", 0, static_reads_take, &RECORDING->reads),
	OPTION_TAKE("reset-static", 0, static_resets_take, &RECORDING->reads),
	OPTION_GROUP(config_ring_lines, &RECORDING->options),
	OPTION_END,
};

static int record_note(void *to, const char *name, const char *text)
{
	struct recording *recording = to;
	char *word;
	int err;

	recording->given = true;
	if (asprintf(&word, "--%s%s%s", name, text ? "=" : "", text ? text : "") < 0)
		word = NULL;
	err = !word || words_add(recording->arguments, word);
	free(word);
	return err ? tool_error("no memory") : TOOL_OK;
}

static int record_check(struct cluster *cluster, const struct recording *recording)
{
	if (config_options_check(&recording->options) != TOOL_OK ||
	    static_reads_check(&recording->reads, recording->options.specs_count) != TOOL_OK)
		return TOOL_ERROR;
	if (cluster->live && !cluster->output)
		return tool_usage("--live shows the recordings while they grow: give -o, too");
	if (recording->given && !cluster->output)
		return tool_usage("an option of recordings was given, but no recording: give -o");
	if (recording->options.static_map[0])
		return tool_usage("--static: map= is for a program's own memory; a cluster's "
				  "segments have no variables: give page=");
	if (cluster->live && words_add(&cluster->record, "--swap=" LIVE_SWAP_S))
		return tool_error("no memory");
	if (recording->records)
		return TOOL_OK;
	if (words_add(&cluster->record, "--counts") ||
	    (!option_given("range") && words_add(&cluster->record, "--range=" RANGE)))
		return tool_error("no memory");
	return TOOL_OK;
}

/* ---- all options ---- */

static int share_check(const struct cluster *cluster)
{
	struct stat info;

	if (!cluster->share)
		return TOOL_OK;
	if (stat(cluster->share, &info))
		return tool_error("--share: %s: %s", cluster->share, strerror(errno));
	if (!S_ISDIR(info.st_mode))
		return tool_error("--share: %s is no directory; --copy takes a file",
				  cluster->share);
	return TOOL_OK;
}

static int latency_take(void *latency, const char *text)
{
	return latency_parse(latency, text) < 0 ? TOOL_ERROR : TOOL_OK;
}

static int network_take(void *to, const char *text)
{
	struct cluster *cluster = to;

	cluster->network_name = text;
	cluster->network.ring = ring_defaults(2);
	return topology_parse("network", text, &cluster->network);
}

static int copy_take(void *copies, const char *text)
{
	return words_add(copies, text) ? tool_error("no memory") : TOOL_OK;
}

/* Parse the command line. Return: as options_parse(). */
static int parse(struct cluster *cluster, struct words *given, const char **guest, int argc,
		 char **argv)
{
	struct recording recording = {.arguments = &cluster->record};
	const struct tool_option options[] = {
		OPTION_NUMBER("nodes", 'n', 1, CLUSTER_NODES_MAX, &cluster->nodes),
		OPTION_TEXT("output", 'o', &cluster->output),
		OPTION_FLAG("live", 0, &cluster->live),
		OPTION_TAKE("trace", 0, trace_level_take, &cluster->trace),
		OPTION_TAKE("trace-filter", 0, trace_filter_take, &cluster->trace),
		OPTION_NUMBER("trace-position", 0, 0, 100, &cluster->trace.position),
		OPTION_NUMBER("trace-memory", 0, 1, 1024, &cluster->trace.memory_mb),
		OPTION_FLAG("capture", 0, &cluster->trace.capture),
		OPTION_TEXT("card", 0, &cluster->card),
		OPTION_TEXT("adapter", 0, &cluster->adapter),
		OPTION_TAKE("latency", 0, latency_take, &cluster->latency),
		OPTION_FLAG("ethernet", 0, &cluster->ethernet),
		OPTION_TAKE("network", 0, network_take, cluster),
		OPTION_TEXT("share", 0, &cluster->share),
		OPTION_FLAG("shell", 0, &cluster->shell),
		OPTION_NUMBER("memory", 0, MEMORY_MB_MIN, MEMORY_MB_MAX, &cluster->memory_mb),
		OPTION_TEXT("guest", 0, guest),
		OPTION_TAKE("copy", 0, copy_take, &cluster->copies),
		OPTION_TAKE("env", 0, env_take, given),
		OPTION_FLAG("kill-on-bad-exit", 'K', &cluster->together),
		OPTION_FLAG("records", 0, &recording.records),
		OPTION_HELP(cluster_help),
		OPTION_GROUP_NOTED(record_lines, &recording, record_note, &recording),
		OPTION_END,
	};
	int status;

	cluster->nodes = 2;
	cluster->memory_mb = MEMORY_MB;
	cluster->trace.position = TRACE_POSITION;
	Monitor_trace_config_default(&cluster->trace.config);
	config_options_init(&recording.options);
	/*
	 * Pass "+", so that the parsing stops at the program: the arguments after it belong to the
	 * program.
	 */
	if (!option_table_parse(argc, argv, "+", options, &status)) {
		if (status != TOOL_OK)
			return status;
		latency_models_print();
		return -1;
	}
	recording.given |= recording.records;
	if (cluster->network_name && topology_settle("network", cluster->network_name,
						     cluster->nodes, &cluster->network) != TOOL_OK)
		return TOOL_ERROR;
	if (!cluster->shell == !argv[optind])
		return tool_usage(cluster->shell ? "--shell takes no program"
						 : "no program: give one after --, or --shell");
	status = cluster->shell ? shell_check(cluster) : programs_take(cluster, argv + optind);
	recording.options.counts = !recording.records;
	if (status == TOOL_OK)
		status = record_check(cluster, &recording);
	if (status == TOOL_OK)
		status = trace_check(cluster);
	return status == TOOL_OK ? share_check(cluster) : status;
}

int options_parse(struct cluster *cluster, const char **guest, int argc, char **argv)
{
	struct words given = {.count = 0};
	int status = parse(cluster, &given, guest, argc, argv);

	if (status == TOOL_OK)
		status = environment_make(&cluster->environment, &given);
	words_free(&given);
	return status;
}
