// SPDX-License-Identifier: MIT
/*
 * smile cluster: the options --trace and --capture.
 *
 * What lives here: the parser of these options, and the part of a guest's script that traces its
 * B-Link. hub.c implements the trigger line between the guests.
 */
#include "tools/cluster/cluster.h"

#include "tools/common/tool.h"

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
		return tool_usage(
			"an option of traces was given, but no trace: give --trace LEVEL, "
			"or --capture");
	if (trace->capture && trace->levels.count)
		return tool_usage("--capture keeps all packets, and --trace packets around a "
				  "trigger: give one of them");
	if (trace->capture && trace->position != TRACE_POSITION)
		return tool_usage("--trace-position needs a trigger: give --trace LEVEL");
	if (on && !cluster->output)
		return tool_usage("a trace is written beside the recordings: give -o, too");
	return TOOL_OK;
}

/* ---- the guest's script ---- */

/*
 * The script arms the instrument before the program begins, and reads the trace when the program
 * has ended. A shell gives a background command no input. Therefore the script passes the program's
 * input on another descriptor.
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
	      "trap 'kill -USR1 $!' USR1\n"
	      "\"$@\" <&5 4<&- 5<&- &\n"
	      "program=$!\n"
	      "trap 'kill $program' TERM\n"
	      /*
	       * A signal ends the wait, but not the program. Therefore wait again while the program
	       * is alive.
	       */
	      "while wait $program; status=$?; kill -0 $program 2>/dev/null; do :; done\n"
	      "kill $recorder\n"
	      "cat <&4 >&2\n"
	      "wait $recorder || [ $status != 0 ] || status=2\n"
	      "exit $status\n"
	      "SMILE-END\n",
	      to);
}
