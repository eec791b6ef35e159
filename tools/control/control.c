// SPDX-License-Identifier: MIT
/*
 * smile control: start, stop or configure the cards of all machines of a view, or end a phase on
 * all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/config_options.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/live/address.h"
#include "tools/live/control.h"

static const char *const control_help[] = {
#include "tools/help/control.h"
	NULL,
};

static int action_find(const char *text, struct control *control)
{
	for (unsigned int i = 0; i < CONTROL_ACTIONS; i++)
		if (!strcmp(text, control_name((enum control_action)i))) {
			control->action = (enum control_action)i;
			return TOOL_OK;
		}
	return tool_usage("'%s' is none of mark, start, stop and configure", text);
}

/*
 * Send the request to all servers, and print each answer. If a server fails, continue with the next
 * one.
 */
static int send_all(char **sources, size_t count, const struct control *control)
{
	struct control_answer *answers = tool_memory(count, sizeof(*answers));
	int status = TOOL_OK;

	control_send(sources, count, control, answers);
	for (size_t i = 0; i < count; i++) {
		if (answers[i].done)
			printf("%s: %s\n", output_name(sources[i]), output_name(answers[i].text));
		else
			status = tool_error("%s: %s", sources[i], answers[i].text);
	}
	free(answers);
	return status;
}

int control_main(int argc, char **argv)
{
	struct config_options config;
	struct control control = {.action = CONTROL_MARK};
	const struct tool_option table[] = {
		OPTION_HELP(control_help),
		OPTION_GROUP_NOTED(config_event_lines, &config, config_options_note, &config),
		OPTION_GROUP_NOTED(config_ring_lines, &config, config_options_note, &config),
		OPTION_PERIOD("latency", &config.config.latency_us),
		OPTION_END,
	};
	int status;

	config_options_init(&config);
	if (!option_table_parse(argc, argv, "", table, &status))
		return status;
	config.given |= option_given("latency");
	if (optind == argc)
		return tool_usage("give mark, start, stop or configure, and the servers");
	if (action_find(argv[optind], &control) != TOOL_OK)
		return TOOL_ERROR;
	if (++optind == argc)
		return tool_usage("give the servers: unix:PATH...");
	if (config.given != (control.action == CONTROL_CONFIGURE))
		return tool_usage(config.given ? "a configuration can be given only with configure"
					       : "configure needs a configuration");
	if (config_options_check(&config) != TOOL_OK)
		return TOOL_ERROR;
	for (int i = optind; i < argc; i++) {
		struct address address;

		if (address_parse(&address, argv[i]) != TOOL_OK)
			return TOOL_ERROR;
	}
	control.config = config.config;
	return send_all(argv + optind, (size_t)(argc - optind), &control);
}
