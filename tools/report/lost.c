// SPDX-License-Identifier: MIT
/*
 * smile report lost: print the loss account. The card's own counters are compared with the contents
 * of the recording, to check that no loss is unreported. For a run, the accesses of the program
 * that were not counted are also printed.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <base/sum.h>

#include "lib/analysis/text.h"
#include "tools/common/balance.h"
#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

/**
 * struct lost_check - Two numbers that must be equal.
 * @name: name of the check in JSON and CSV
 * @text: description of the check for people
 * @is: the number that the recording contains
 * @should_be: the number that the card has counted
 */
struct lost_check {
	const char *name;
	const char *text;
	uint64_t is;
	uint64_t should_be;
};

#define LOST_CHECKS 7
#define LOST_CHECKS_MAX (LOST_CHECKS + 1)

/**
 * struct lost - The loss account.
 * @loss: the loss account, computed from the records
 * @statistics: the counters of the card; valid if @loss.known
 * @counting: the recording contains exact counts instead of the card's records
 * @until_ns: if the recording was not closed: the time of the card's clock up to which the exact
 *            counts are complete
 * @sampled: the result of sampled_mark() for recordings of samples; NULL: the counts are exact
 * @run: facts about the run from the recording, including the account of its accesses
 * @failed: number of failed accesses of all nodes whose number is known
 * @failed_known: the number is known for at least one node
 * @checks: checks that must hold, shape [@checks_count]
 * @checks_count: number of checks
 * @broken: number of checks that do not hold
 */
struct lost {
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int counting;
	uint64_t until_ns;
	const struct run_facts *sampled;
	const struct run_facts *run;
	uint64_t failed;
	int failed_known;
	struct lost_check checks[LOST_CHECKS_MAX];
	size_t checks_count;
	int broken;
};

static int lost_holds(const struct lost_check *check)
{
	return sum_equal(check->is, check->should_be);
}

static void lost_check_all(struct lost *lost)
{
	const struct smile_statistics *card = &lost->statistics;
	const struct Monitor_loss *loss = &lost->loss;
	const struct lost_check checks[LOST_CHECKS] = {
		{"events", "delivered + lost = accepted", sum_counts(loss->delivered, loss->lost),
		 loss->accepted},
		{"packets", "malformed + unmatched + filtered + events + accepted = seen",
		 sum_counts(sum_counts(card->packets_malformed, card->packets_unmatched),
			    sum_counts(sum_counts(card->packets_filtered, card->packets_event),
				       card->events_accepted)),
		 card->packets_seen},
		{"delivered", "counts in the recording = counts that the card has written",
		 loss->delivered, card->events_delivered},
		{"lost", "events reported as lost = events that the card has lost", loss->lost,
		 card->events_lost},
		{"marks", "marks reported as lost = marks that the card has lost", loss->marks_lost,
		 card->marks_lost},
		{"static", "static delivered = static counted", loss->static_delivered,
		 loss->static_counted},
		{"records", "records in the recording = records that the card has written",
		 loss->records, loss->records_written},
	};

	memcpy(lost->checks, checks, sizeof(checks));
	/*
	 * The last check compares numbers of the card's records. Leave it out if exact counts
	 * replace the records.
	 */
	lost->checks_count = LOST_CHECKS - (lost->counting != 0);
	for (size_t i = 0; i < lost->checks_count; i++)
		lost->broken += !lost_holds(&checks[i]);
}

/*
 * Check that the cards of both nodes have counted the same accesses, if there are several
 * recordings. Each pair of nodes is compared by itself, so that missing accesses of one pair are
 * not offset by another pair.
 */
static int lost_check_pairs(struct lost *lost, const struct report *report)
{
	struct lost_check check = {
		.name = "pairs",
		.text = "accesses between nodes: counted by both cards = counted by either",
	};
	struct balance_pair *pairs;
	int count = balance_pairs(report->files, (size_t)report->file_count, &pairs);

	for (int i = 0; i < count; i++) {
		uint64_t source = pairs[i].by_source, home = pairs[i].by_home;

		check.is = sum_counts(check.is, source < home ? source : home);
		check.should_be = sum_counts(check.should_be, source < home ? home : source);
	}
	free(pairs);
	if (count <= 0)
		return count ? TOOL_ERROR : TOOL_OK;
	lost->checks[lost->checks_count++] = check;
	lost->broken += !lost_holds(&check);
	return TOOL_OK;
}

/*
 * The values for JSON and CSV, in this order. The arguments of @value are the key, the number, and
 * whether the number is known.
 */
#define LOST_VALUES(value)                                                                         \
	value("packets_seen", statistics->packets_seen, loss->known);                              \
	value("packets_malformed", statistics->packets_malformed, loss->known);                    \
	value("packets_unmatched", statistics->packets_unmatched, loss->known);                    \
	value("packets_filtered", statistics->packets_filtered, loss->known);                      \
	value("packets_event", statistics->packets_event, loss->known);                            \
	value("events_accepted", loss->accepted, loss->known);                                     \
	value("events_delivered", loss->delivered, 1);                                             \
	value("events_lost", loss->lost, 1);                                                       \
	value("events_pending", loss->pending, loss->known);                                       \
	value("marks_lost", loss->marks_lost, 1);                                                  \
	value("extensions", statistics->extensions, loss->known && !lost->counting);               \
	value("static_counted", loss->static_counted, loss->known);                                \
	value("static_delivered", loss->static_delivered, 1);                                      \
	value("records_written", loss->records_written, loss->known && !lost->counting);           \
	value("records", loss->records, 1);                                                        \
	value("sleeps", loss->sleeps, 1);                                                          \
	value("resets", loss->resets, 1);                                                          \
	value("card_delivered", statistics->events_delivered, loss->known);                        \
	value("card_lost", statistics->events_lost, loss->known);                                  \
	value("card_marks_lost", statistics->marks_lost, loss->known);                             \
	value("clock_ns", statistics->clock_ns, loss->known);                                      \
	value("accesses_failed", lost->failed, lost->failed_known);

/* ---- the account of a run -------------------------------------------------------------------- */

/*
 * Get the reason why accesses were not counted. The recording may come from another version of this
 * program, so the reason may be missing.
 */
static const char *run_reason(const struct run_facts_left *left)
{
	return left->reason ? left->reason : "?";
}

static void run_print(const struct lost *lost)
{
	char all[TEXT_COUNT_BYTES], counted[TEXT_COUNT_BYTES], left[TEXT_COUNT_BYTES];
	const char *unit = lost->run->account.unit;
	char what[64], why[256];

	if (!lost->run->account.object)
		return;
	if (lost->run->account.incomplete) {
		snprintf(why, sizeof(why), "%s", lost->run->account.incomplete);
		putchar('\n');
		output_styled(OUTPUT_BAD, "not all of the run is counted", ": %s",
			      text_printable(why));
	}
	snprintf(what, sizeof(what), "%s", unit ? unit : "the program's accesses");
	printf("\n%s: %s, of which counted: %s; not counted:\n", text_printable(what),
	       text_count(all, lost->run->account.accesses),
	       text_count(counted, lost->run->account.counted));
	for (size_t i = 0; i < lost->run->account.left_out.count; i++) {
		const struct run_facts_left *row = &lost->run->account.left_out.at[i];
		const char *number = "not known";
		char reason[256];

		if (row->accesses >= 0)
			number = text_count(left, (uint64_t)row->accesses);
		snprintf(reason, sizeof(reason), "%s", run_reason(row));
		printf("  %14s  %s\n", number, text_printable(reason));
	}
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *checks_array(const struct lost *lost)
{
	json_t *array = json_array();

	for (size_t i = 0; i < lost->checks_count; i++) {
		const struct lost_check *check = &lost->checks[i];

		json_array_append_new(array,
				      json_pack("{s:s,s:b,s:I,s:I}", "check", check->name, "holds",
						lost_holds(check), "is", document_int(check->is),
						"should_be", document_int(check->should_be)));
	}
	return array;
}

static int lost_json(const struct lost *lost)
{
	const struct smile_statistics *statistics = &lost->statistics;
	const struct Monitor_loss *loss = &lost->loss;
	json_t *document = json_pack("{s:s,s:b,s:b,s:b}", "schema", "smile.lost/1", "closed",
				     loss->known, "balanced", loss->balanced, "exact_counts",
				     lost->counting && !lost->sampled);

	/* A value that is not known is null, not 0. */
#define LOST_SET(key, value, known)                                                                \
	json_object_set_new(document, key,                                                         \
			    (known) ? json_integer(document_int(value)) : json_null())
	LOST_VALUES(LOST_SET)
#undef LOST_SET
	/* For recordings of samples, mark the document: the values then count samples. */
	if (lost->sampled)
		json_object_set(document, "sampled", lost->sampled->samples.object);
	json_object_set_new(document, "checks", loss->known ? checks_array(lost) : json_null());
	json_object_set_new(document, "account",
			    lost->run->account.object ? json_incref(lost->run->account.object)
						      : json_null());
	return output_json(document);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

/* Print a CSV row. If the value is not known, its cell is empty. */
static void lost_csv_row(const char *kind, const char *name, uint64_t value, int known)
{
	csv_text(kind);
	csv_text(name);
	if (known)
		csv_count(value);
	else
		csv_empty(1);
	csv_empty(2);
	csv_end();
}

static void lost_csv_value(const char *name, uint64_t value, int known)
{
	lost_csv_row("value", name, value, known);
}

/*
 * Print the account of the program's accesses: a CSV row for each sum, and a row for each reason
 * why accesses were not counted.
 */
static void lost_csv_run(const struct lost *lost)
{
	if (!lost->run->account.object)
		return;
	lost_csv_value("run_accesses", lost->run->account.accesses, 1);
	lost_csv_value("run_counted", lost->run->account.counted, 1);
	if (!lost->sampled)
		lost_csv_value("run_complete", !lost->run->account.incomplete, 1);
	for (size_t i = 0; i < lost->run->account.left_out.count; i++) {
		const struct run_facts_left *row = &lost->run->account.left_out.at[i];

		lost_csv_row("left_out", run_reason(row), (uint64_t)row->accesses,
			     row->accesses >= 0);
	}
}

static int lost_csv(const struct lost *lost)
{
	const struct smile_statistics *statistics = &lost->statistics;
	const struct Monitor_loss *loss = &lost->loss;

	csv_begin("kind,name,count,should_be,holds");
	lost_csv_value("closed", (uint64_t)loss->known, 1);
	lost_csv_value("balanced", (uint64_t)loss->balanced, 1);
	lost_csv_value("exact_counts", lost->counting && !lost->sampled, 1);
	LOST_VALUES(lost_csv_value)
	for (size_t i = 0; i < lost->checks_count && loss->known; i++) {
		const struct lost_check *check = &lost->checks[i];

		csv_text("check");
		csv_text(check->name);
		csv_count(check->is);
		csv_count(check->should_be);
		csv_flag(lost_holds(check));
		csv_end();
	}
	lost_csv_run(lost);
	return TOOL_OK;
}

/* ---- text ---------------------------------------------------------------------------------- */

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

static void lost_table(const struct lost *lost)
{
	const struct smile_statistics *statistics = &lost->statistics;
	const struct Monitor_loss *loss = &lost->loss;
	struct output_table *table = output_table_new();
	int known = loss->known;

	output_table_columns(table, "<WHAT|>COUNT");
	output_table_extra_name(table, "MEANING", 0);
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
	lost_row(table, "static counted", loss->static_counted, known, OUTPUT_PLAIN,
		 "events counted by the static counters");
	lost_row(table, "static delivered", loss->static_delivered, 1, OUTPUT_PLAIN,
		 "sum of their counts in the recording");
	lost_row(table, "records written", loss->records_written, known && !lost->counting,
		 OUTPUT_PLAIN,
		 lost->counting ? "not known of exact counts: see --records"
				: "of every kind, by the card");
	lost_row(table, "records", loss->records, 1, OUTPUT_PLAIN, "in the recording");
	/* Print these rows only if the recording has these values. Few recordings have them. */
	if (lost->failed_known)
		lost_row(table, "accesses failed", lost->failed, 1,
			 lost->failed ? OUTPUT_BAD : OUTPUT_PLAIN,
			 "of the SCI adapter: loads returned ones, stores changed nothing");
	if (loss->sleeps)
		lost_row(table, "sleeps", loss->sleeps, 1, OUTPUT_BAD,
			 "of the machine: nothing was counted in its sleep");
	if (loss->resets)
		lost_row(table, "resets", loss->resets, 1, OUTPUT_BAD,
			 "by a bus error: the counts in the card were lost");
	output_table_print(table);
}

static void checks_print(const struct lost *lost)
{
	char is[TEXT_COUNT_BYTES], should_be[TEXT_COUNT_BYTES];

	putchar('\n');
	for (size_t i = 0; i < lost->checks_count; i++) {
		const struct lost_check *check = &lost->checks[i];
		int holds = lost_holds(check);
		enum output_style style = holds ? OUTPUT_GOOD : OUTPUT_BAD;

		output_styled(style, holds ? "holds" : "BROKEN", "%s  %s: %s %s %s",
			      holds ? " " : "", check->text, text_count(is, check->is),
			      holds ? "=" : "!=", text_count(should_be, check->should_be));
	}
}

static void lost_verdict(const struct lost *lost)
{
	const struct Monitor_loss *loss = &lost->loss;
	enum output_style style = loss->known && !lost->broken ? OUTPUT_GOOD : OUTPUT_BAD;
	char accepted[TEXT_COUNT_BYTES], delivered[TEXT_COUNT_BYTES], reported[TEXT_COUNT_BYTES];

	if (loss->resets) {
		putchar('\n');
		output_styled(
			style, "the account cannot be checked",
			": a bus error has reset the card. The recorded counts are exact, but the "
			"counts that the card held at that time are missing, in unknown number.");
		return;
	}
	if (!loss->known && lost->until_ns) {
		putchar('\n');
		output_styled(style, "the account cannot be checked",
			      ": the recording was not closed. Its counts are exact up to %.6f s "
			      "of the card's clock; later counts are missing.",
			      (double)lost->until_ns / 1e9);
		return;
	}
	if (!loss->known) {
		putchar('\n');
		output_styled(style, "the account cannot be checked",
			      ": the recording was not closed, so the card's counters at its end "
			      "are unknown (?). The counts in the recording are exact, but the "
			      "last counts are missing.");
		return;
	}
	checks_print(lost);
	putchar('\n');
	output_styled(
		style, lost->broken ? "the account does not hold" : "the account holds",
		": %s delivered + %s lost %s %s accepted", text_count(delivered, loss->delivered),
		text_count(reported, loss->lost),
		lost_holds(&lost->checks[0]) ? "=" : "!=", text_count(accepted, loss->accepted));
}

static void lost_legend(void)
{
	putchar('\n');
	output_text(
		"legend: numbers of packets, events (one each for a read, write or lock), marks "
		"and records, as their rows say; green = a check holds; red = it does not, or "
		"something was not counted.");
}

/*
 * Read the numbers of failed accesses. These accesses are not part of the account, because no card
 * counts a failed access.
 */
static int failed_take(struct lost *lost, struct Monitor *mon)
{
	int count = Monitor_failed(mon, NULL, 0);
	struct Monitor_failed *failed = tool_memory(count > 0 ? (size_t)count : 0, sizeof(*failed));

	if (count < 0 || Monitor_failed(mon, failed, (size_t)count) < 0) {
		free(failed);
		return tool_error("%s", Monitor_error_message());
	}
	lost->failed_known = count > 0;
	for (int i = 0; i < count; i++)
		lost->failed = sum_counts(lost->failed, failed[i].accesses);
	free(failed);
	return TOOL_OK;
}

int report_lost(const struct report *report)
{
	struct Monitor_origin origin;
	struct run_facts exact = {.document = NULL};
	struct lost lost = {.run = report->sampled};
	int status = TOOL_OK;

	if (Monitor_loss(report->mon, &lost.loss) < 0 ||
	    (lost.loss.known && Monitor_statistics(report->mon, &lost.statistics) < 0))
		return tool_error("%s", Monitor_error_message());
	if (failed_take(&lost, report->mon) != TOOL_OK)
		return TOOL_ERROR;
	if (!lost.run) {
		if (run_facts_load(report->mon, &exact) < 0)
			return tool_error("%s", Monitor_error_message());
		lost.run = &exact;
	}
	lost.counting = Monitor_counting(report->mon);
	lost.sampled = report->sampled;
	if (lost.counting && Monitor_origin(report->mon, &origin) >= 0)
		lost.until_ns = origin.until_ns;
	if (lost.loss.known)
		lost_check_all(&lost);
	if (report->file_count > 1 && lost.loss.known && !lost.sampled)
		status = lost_check_pairs(&lost, report);
	if (status != TOOL_OK) {
		run_facts_free(&exact);
		return status;
	}
	if (report->csv) {
		status = lost_csv(&lost);
	} else if (report->json) {
		status = lost_json(&lost);
	} else if (lost.sampled) {
		/*
		 * Recordings of samples have no table of packets, because no card has seen packets.
		 */
		lost_verdict(&lost);
		run_print(&lost);
		output_text("This is the account of the samples; each sample is counted. The views "
			    "pages, structures and phases show, with bands, what is estimated from "
			    "the samples.");
	} else {
		lost_table(&lost);
		lost_verdict(&lost);
		run_print(&lost);
		lost_legend();
	}
	if (status == TOOL_OK &&
	    (!lost.loss.balanced || lost.broken || lost.run->account.incomplete))
		status = TOOL_FINDING;
	run_facts_free(&exact);
	return status;
}
