// SPDX-License-Identifier: MIT
/*
 * smile list: list the cards of this machine.
 */
#include "tools/common/option_table.h"
#include "tools/common/tool.h"

#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

#include "tools/common/output.h"

static const char *const list_help[] = {
#include "tools/help/list.h"
	NULL,
};

static int list_json(const struct Monitor_card *cards, int count)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i < count; i++)
		json_array_append_new(array, json_pack("{s:s,s:o,s:o}", "address", cards[i].address,
						       "driver", document_text(cards[i].driver),
						       "device", document_text(cards[i].device)));
	return output_json(json_pack("{s:s,s:o}", "schema", "smile.cards/1", "cards", array));
}

static void list_table(const struct Monitor_card *cards, int count)
{
	struct output_table *table = output_table_new();
	int i;

	output_table_columns(table, "<PCI ADDRESS|<DRIVER|<DEVICE");
	for (i = 0; i < count; i++) {
		output_table_cell(table, OUTPUT_STRONG, "%s", cards[i].address);
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  *cards[i].driver ? cards[i].driver : "none");
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  *cards[i].device ? cards[i].device : "none");
	}
	output_table_print(table);
}

int list_main(int argc, char **argv)
{
	struct Monitor_card *cards;
	int count, json = 0, status;
	const struct tool_option options[] = {
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(list_help),
		OPTION_END,
	};

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (optind < argc)
		return tool_usage("'%s' is one argument too many", argv[optind]);

	count = Monitor_card_list(NULL, 0);
	if (count < 0) {
		/* A machine without a PCI bus has no card. This is a result, not an error. */
		tool_message("%s", Monitor_error_message());
		count = 0;
	}
	cards = calloc((size_t)count + 1, sizeof(*cards));
	if (!cards)
		return tool_error("no memory");
	if (count > 0) {
		int filled = Monitor_card_list(cards, (size_t)count);

		/* The number of cards may have changed between the two calls. */
		count = filled < 0 ? 0 : filled < count ? filled : count;
	}
	if (json)
		status = list_json(cards, count);
	else if (count)
		list_table(cards, count);
	if (!count)
		tool_message("no SMiLE Monitor card in this machine; `smile doctor` shows what "
			     "works without one");
	free(cards);
	return status;
}
