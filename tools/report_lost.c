// SPDX-License-Identifier: MIT
/*
 * smile report lost: the loss account. Nothing is lost silently, and here it is checked.
 */
#include "tools/report.h"

#include <stdio.h>
#include <string.h>

#include "tools/output.h"
#include "tools/smile.h"

static int lost_json(const struct Monitor_loss *loss, const struct smile_statistics *statistics)
{
	json_t *document = json_pack("{s:s,s:b,s:b}", "schema", "smile.lost/1", "closed",
				     loss->known, "balanced", loss->balanced);

	/* What is not known is null, and never 0. */
#define LOST_SET(key, value, known)                                                                \
	json_object_set_new(document, key,                                                         \
			    (known) ? json_integer((json_int_t)(value)) : json_null())
	LOST_SET("packets_seen", statistics->packets_seen, loss->known);
	LOST_SET("packets_malformed", statistics->packets_malformed, loss->known);
	LOST_SET("packets_unmatched", statistics->packets_unmatched, loss->known);
	LOST_SET("packets_filtered", statistics->packets_filtered, loss->known);
	LOST_SET("packets_event", statistics->packets_event, loss->known);
	LOST_SET("events_accepted", loss->accepted, loss->known);
	LOST_SET("events_delivered", loss->delivered, 1);
	LOST_SET("events_lost", loss->lost, 1);
	LOST_SET("events_pending", loss->pending, loss->known);
	LOST_SET("marks_lost", loss->marks_lost, 1);
	LOST_SET("extensions", statistics->extensions, loss->known);
#undef LOST_SET
	return output_json(document);
}

static void lost_row(struct output_table *table, const char *what, uint64_t count, int known,
		     enum output_style style, const char *meaning)
{
	output_table_cell(table, OUTPUT_PLAIN, "%s", what);
	if (known)
		output_table_count(table, style, count);
	else
		output_table_cell(table, OUTPUT_PLAIN, "?");
	output_table_cell(table, OUTPUT_PLAIN, "%s", meaning);
}

static void lost_table(const struct Monitor_loss *loss, const struct smile_statistics *statistics)
{
	enum output_style style = loss->balanced ? OUTPUT_GOOD : OUTPUT_BAD;
	struct output_table *table = output_table_new();
	char accepted[OUTPUT_COUNT_BYTES], delivered[OUTPUT_COUNT_BYTES], lost[OUTPUT_COUNT_BYTES];
	int known = loss->known;

	output_table_column(table, "WHAT", 'l');
	output_table_column(table, "COUNT", 'r');
	output_table_column(table, "MEANING", 'l');
	lost_row(table, "packets seen", statistics->packets_seen, known, OUTPUT_PLAIN,
		 "frames on the B-Link while the card was running");
	lost_row(table, "  malformed", statistics->packets_malformed, known, OUTPUT_PLAIN,
		 "no frame, or an unknown command");
	lost_row(table, "  unmatched", statistics->packets_unmatched, known, OUTPUT_PLAIN,
		 "responses without a request");
	lost_row(table, "  filtered", statistics->packets_filtered, known, OUTPUT_PLAIN,
		 "rejected by the filter");
	lost_row(table, "  events", statistics->packets_event, known, OUTPUT_PLAIN,
		 "global events, such as phase marks");
	lost_row(table, "  accepted", loss->accepted, known, OUTPUT_STRONG,
		 "memory events to be counted");
	lost_row(table, "delivered", loss->delivered, 1, OUTPUT_STRONG,
		 "sum of the counts in the recording");
	lost_row(table, "lost", loss->lost, 1, loss->lost ? OUTPUT_BAD : OUTPUT_PLAIN,
		 "neither counted nor stored: the ring was full");
	lost_row(table, "pending", loss->pending, known, OUTPUT_PLAIN,
		 "accepted, but still in the card");
	lost_row(table, "marks lost", loss->marks_lost, 1,
		 loss->marks_lost ? OUTPUT_BAD : OUTPUT_PLAIN, "global events not recorded");
	output_table_print(table);
	if (!known) {
		printf("\n%sthe account cannot be checked%s: the recording was not closed, so that "
		       "the card's counters at its\nend are unknown (?). What it holds is exact; "
		       "its last counts are missing.\n",
		       output_begin(style), output_end(style));
		return;
	}
	printf("\n%sthe account %s%s: %s delivered + %s lost %s %s accepted\n", output_begin(style),
	       loss->balanced ? "holds" : "does not hold", output_end(style),
	       output_count(delivered, loss->delivered), output_count(lost, loss->lost),
	       loss->balanced ? "=" : "!=", output_count(accepted, loss->accepted));
}

int report_lost(const struct report *report)
{
	struct smile_statistics statistics;
	struct Monitor_loss loss;
	int status = TOOL_OK;

	if (Monitor_loss(report->mon, &loss) < 0 ||
	    (loss.known && Monitor_statistics(report->mon, &statistics) < 0))
		return tool_error("%s", Monitor_error_message());
	if (report->json)
		status = lost_json(&loss, &statistics);
	else
		lost_table(&loss, &statistics);
	if (status == TOOL_OK && !loss.balanced)
		status = TOOL_FINDING;
	return status;
}
