// SPDX-License-Identifier: MIT
/*
 * Recording session: the steps from an open source to a complete recording. If a step fails, the
 * records that were read before are kept.
 */
#include "tools/common/recording_session.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/tool.h"

/* The number of calls of Monitor_swap() without progress after which the drain fails. */
#define SESSION_SWAP_ATTEMPTS 1000

int session_open(struct recording_session *session, const char *source, const char *file,
		 const struct config_options *options, const char *command_line)
{
	memset(session, 0, sizeof(*session));
	session->source = source;
	session->file = file;
	if (Monitor_open(&session->mon, source) < 0)
		return tool_error("%s", Monitor_error_message());
	if (config_options_apply(options, session->mon) != TOOL_OK) {
		Monitor_close(session->mon);
		return TOOL_ERROR;
	}
	if ((options->counts ? Monitor_save_counts(session->mon, file, command_line)
			     : Monitor_save(session->mon, file, command_line)) < 0) {
		tool_error("%s", Monitor_error_message());
		Monitor_close(session->mon);
		return TOOL_ERROR;
	}
	return TOOL_OK;
}

static int session_fail(struct recording_session *session)
{
	tool_error("%s", Monitor_error_message());
	session->failed = 1;
	return -1;
}

int session_poll(struct recording_session *session, int timeout_ms)
{
	int result = Monitor_poll(session->mon, timeout_ms);

	if (result == -EINTR)
		return 0;
	if (result < 0)
		return session_fail(session);
	session->records += (uint64_t)result;
	if (progress_due()) {
		char text[TEXT_COUNT_BYTES];

		progress_show("%s: %s records", session->file, text_count(text, session->records));
	}
	return result;
}

int session_swap(struct recording_session *session)
{
	int result = Monitor_swap(session->mon);

	/* If the ring is full, the next call of session_swap() writes the remaining counters. */
	if (result == -EINTR || result == -EAGAIN)
		return 0;
	if (result < 0)
		return session_fail(session);
	session->records += (uint64_t)result;
	return result;
}

/* Stop the card, then swap out all counters. If the ring fills up, several swaps are needed. */
static void session_drain(struct recording_session *session)
{
	int attempts = 0, result;

	if (Monitor_stop(session->mon) < 0) {
		session_fail(session);
		return;
	}
	/*
	 * Read the records that have arrived already. If an error is pending, this step reports it.
	 * Otherwise it would be reported as a failure of the swap.
	 */
	while (session_poll(session, 0) > 0)
		;
	do {
		result = Monitor_swap(session->mon);
		if (result > 0) {
			session->records += (uint64_t)result;
			attempts = 0;
		}
	} while (result > 0 ||
		 ((result == -EAGAIN || result == -EINTR) && ++attempts < SESSION_SWAP_ATTEMPTS));
	if (result < 0)
		session_fail(session);
}

static void session_report(const struct recording_session *session)
{
	const struct smile_statistics *statistics = &session->statistics;
	const struct Monitor_loss *loss = &session->loss;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES], c[TEXT_COUNT_BYTES];

	tool_message("%s: %s records; packets: %s seen, %s filtered out, %" PRIu64
		     " malformed, %" PRIu64 " unmatched",
		     session->file, text_count(a, session->records),
		     text_count(b, statistics->packets_seen),
		     text_count(c, statistics->packets_filtered),
		     (uint64_t)statistics->packets_malformed,
		     (uint64_t)statistics->packets_unmatched);
	tool_message("events: %s accepted %s %s delivered + %s lost", text_count(a, loss->accepted),
		     loss->accepted == loss->delivered + loss->lost ? "=" : "!=",
		     text_count(b, loss->delivered), text_count(c, loss->lost));
	if (loss->static_counted || loss->static_delivered)
		tool_message("static counters: %s counted %s %s delivered",
			     text_count(a, loss->static_counted),
			     loss->static_counted == loss->static_delivered ? "=" : "!=",
			     text_count(b, loss->static_delivered));
	if (!loss->balanced)
		tool_message("the account does not hold: `smile report lost %s` shows where",
			     session->file);
	if (loss->lost)
		tool_message("%s events are missing from the counts: the ring was full; see "
			     "`smile report lost %s`",
			     text_count(c, loss->lost), session->file);
}

static json_t *session_json(const struct recording_session *session)
{
	const struct smile_statistics *statistics = &session->statistics;
	const struct Monitor_loss *loss = &session->loss;

	return json_pack("{s:s,s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:b,s:I,s:I}", "schema",
			 "smile.recording/1", "file", document_text(session->file), "source",
			 document_text(session->source), "records", document_int(session->records),
			 "packets_seen", document_int(statistics->packets_seen),
			 "packets_malformed", document_int(statistics->packets_malformed),
			 "packets_unmatched", document_int(statistics->packets_unmatched),
			 "packets_filtered", document_int(statistics->packets_filtered),
			 "events_accepted", document_int(loss->accepted), "events_delivered",
			 document_int(loss->delivered), "events_lost", document_int(loss->lost),
			 "marks_lost", document_int(loss->marks_lost), "balanced", loss->balanced,
			 "static_counted", document_int(loss->static_counted), "static_delivered",
			 document_int(loss->static_delivered));
}

void session_stop(struct recording_session *session)
{
	session_drain(session);
	progress_clear();
	session->known = Monitor_statistics(session->mon, &session->statistics) >= 0 &&
			 Monitor_loss(session->mon, &session->loss) >= 0;
	if (!session->known)
		session_fail(session);
}

int session_close(struct recording_session *session, int json)
{
	if (Monitor_close(session->mon) < 0)
		session_fail(session);
	if (!session->known)
		return TOOL_ERROR;
	if (!json)
		session_report(session);
	else if (output_json(session_json(session)) != TOOL_OK)
		session->failed = 1;
	if (!session->loss.balanced)
		session->failed = 1;
	return session->failed ? TOOL_ERROR : TOOL_OK;
}
