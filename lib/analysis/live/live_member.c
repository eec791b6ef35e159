// SPDX-License-Identifier: MIT
/* Live members: writes the notes on each card or recording of a source. See live_source.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/document.h"
#include "lib/analysis/live/live_source.h"
#include "lib/analysis/text.h"

uint64_t live_member_quiet_ns(const struct live *live, const struct live_member *member)
{
	uint64_t now = live->clock_ns();

	return member->state == LIVE_RUNNING && now > member->news_ns ? now - member->news_ns : 0;
}

size_t live_quiet(const struct live *live)
{
	size_t quiet = 0;

	for (size_t i = 0; i < live->members_count; i++)
		quiet += live_member_quiet_ns(live, &live->members[i]) >= LIVE_QUIET_NS;
	return quiet;
}

const char *live_member_note(const struct live *live, const struct live_member *member, char *text)
{
	uint64_t quiet_ns = live_member_quiet_ns(live, member);
	char delivered[TEXT_COUNT_BYTES], lost[TEXT_COUNT_BYTES];

	*text = '\0';
	if (member->state == LIVE_FAILED)
		snprintf(text, LIVE_TEXT_BYTES, "failed with %s delivered + %s lost: %.400s",
			 text_count(delivered, member->loss.delivered),
			 text_count(lost, member->loss.lost), member->trouble);
	else if (member->state == LIVE_ENDED && live->kind == LIVE_RECORDINGS && !member->closed)
		snprintf(text, LIVE_TEXT_BYTES, "its recording was not closed");
	else if (*member->incomplete)
		snprintf(text, LIVE_TEXT_BYTES, "not all of the run is counted: %s",
			 member->incomplete);
	else if (quiet_ns >= LIVE_QUIET_NS)
		snprintf(text, LIVE_TEXT_BYTES, "no records for %" PRIu64 " s",
			 quiet_ns / 1000000000);
	if (*member->remark) {
		size_t used = strlen(text);

		snprintf(text + used, LIVE_TEXT_BYTES - used, "%s%.*s", used ? "; " : "",
			 LIVE_TEXT_BYTES / 2, member->remark);
	}
	return text;
}

void live_notes(const struct live *live, char *text, size_t bytes)
{
	char note[LIVE_TEXT_BYTES];
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < live->members_count; i++) {
		const struct live_member *member = &live->members[i];

		/* If the source has only one member, its state needs no note. */
		if (live->members_count == 1 && !*member->remark && !*member->incomplete)
			continue;
		if (!*live_member_note(live, member, note) || used >= bytes)
			continue;
		if (member->state == LIVE_AWAITED)
			used += (size_t)snprintf(text + used, bytes - used, "%s%s: %s",
						 used ? "; " : "", member->name, note);
		else
			used += (size_t)snprintf(text + used, bytes - used, "%snode %u: %s",
						 used ? "; " : "", member->node, note);
	}
}

const char *live_state_name(enum live_state state)
{
	static const char *const names[] = {
		[LIVE_RUNNING] = "running",
		[LIVE_ENDED] = "ended",
		[LIVE_FAILED] = "failed",
		[LIVE_AWAITED] = "awaited",
	};

	return names[state];
}

static json_t *number_if(int known, uint64_t count)
{
	return known ? json_integer(document_int(count)) : json_null();
}

json_t *live_account_json(const struct Monitor_loss *loss)
{
	return json_pack("{s:o,s:I,s:I,s:o,s:I,s:b}", "accepted",
			 number_if(loss->known, loss->accepted), "delivered",
			 document_int(loss->delivered), "lost", document_int(loss->lost), "pending",
			 number_if(loss->known, loss->pending), "marks_lost",
			 document_int(loss->marks_lost), "balanced", loss->balanced);
}

json_t *live_members_json(const struct live *live)
{
	json_t *members = json_array();
	char note[LIVE_TEXT_BYTES];

	for (size_t i = 0; i < live->members_count; i++) {
		const struct live_member *member = &live->members[i];

		live_member_note(live, member, note);
		json_array_append_new(
			members,
			json_pack("{s:o,s:o,s:s,s:o,s:I,s:o}", "node",
				  number_if(member->state != LIVE_AWAITED, member->node), "source",
				  document_text(member->name), "state",
				  live_state_name(member->state), "note", document_text(note),
				  "records", document_int(member->records), "account",
				  live_account_json(&member->loss)));
	}
	return members;
}
