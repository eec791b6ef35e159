// SPDX-License-Identifier: MIT
/*
 * smile trace record: print the summary, as messages or as JSON.
 */
#include <inttypes.h>

#include <jansson.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/trace/trace.h"

#define NAME_BYTES 512 /* The size of the buffer for a source's name. A longer name is cut off. */

static const char *const causes[] = {
	[SMILE_TRACE_BY_NONE] = "none",	      [SMILE_TRACE_BY_FRAME] = "packet",
	[SMILE_TRACE_BY_TIMEOUT] = "timeout", [SMILE_TRACE_BY_LINE] = "line",
	[SMILE_TRACE_BY_HOST] = "host",
};

static json_t *show_trigger(const struct smile_trace_status *status)
{
	if (!status->trigger_by)
		return json_null();
	return json_pack("{s:s, s:I, s:I, s:I}", "by", causes[status->trigger_by], "level",
			 (json_int_t)status->trigger_level + 1, "time_ns",
			 (json_int_t)status->trigger_time_ns, "packet",
			 (json_int_t)status->trigger_frame);
}

static int show_json(const struct record *record)
{
	json_t *sources = json_array();

	for (size_t i = 0; i < record->count; i++) {
		const struct record_source *source = &record->sources[i];
		const struct smile_trace_status *status = &source->status;
		json_t *node = source->node < 0 ? json_null() : json_integer(source->node);

		json_array_append_new(
			sources,
			json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
				  "source", source->name, "interface",
				  source->selected < 0 ? json_null() : json_string(source->label),
				  "node", node, "trigger", show_trigger(status), "seen",
				  (json_int_t)status->seen, "stored", (json_int_t)status->stored,
				  "filtered", (json_int_t)status->filtered, "outside",
				  (json_int_t)status->outside, "overwritten",
				  (json_int_t)status->overwritten, "missed",
				  (json_int_t)status->missed, "cut", (json_int_t)status->cut));
	}
	return output_json(json_pack("{s:s, s:s, s:o}", "schema", "smile.trace.record/1", "file",
				     record->path, "sources", sources));
}

/* @name: name of the source */
static void show_trigger_text(const struct record *record, const struct record_source *source,
			      const char *name)
{
	const struct smile_trace_status *status = &source->status;

	if (!record->config.levels)
		return;
	if (!status->trigger_by && status->level >= record->config.levels)
		tool_message("warning: %s: packets were stored to the end: no level has stopped it",
			     name);
	else if (!status->trigger_by)
		tool_message("warning: %s: the trigger has not occurred; level %" PRIu32
			     " was waiting",
			     name, (uint32_t)status->level + 1);
	else
		tool_message("%s: trigger (%s) at packet %" PRIu64 ", %" PRIu64 " ns", name,
			     causes[status->trigger_by], (uint64_t)status->trigger_frame,
			     (uint64_t)status->trigger_time_ns);
}

int record_show(struct record *record, bool json)
{
	if (json)
		return show_json(record);
	for (size_t i = 0; i < record->count; i++) {
		const struct record_source *source = &record->sources[i];
		const struct smile_trace_status *status = &source->status;
		char name[NAME_BYTES];

		snprintf(name, sizeof(name), "%s%s%s", source->name,
			 source->selected < 0 ? "" : ", interface ", source->label);
		show_trigger_text(record, source, name);
		tool_message("%s: %" PRIu64 " packets seen: %" PRIu64 " stored in %s, %" PRIu64
			     " filtered, %" PRIu64 " outside, %" PRIu64 " overwritten, %" PRIu64
			     " missed",
			     name, (uint64_t)status->seen, (uint64_t)status->stored, record->path,
			     (uint64_t)status->filtered, (uint64_t)status->outside,
			     (uint64_t)status->overwritten, (uint64_t)status->missed);
		if (status->cut)
			tool_message("warning: %s: %" PRIu64 " packets were longer than %u bytes, "
				     "and were cut",
				     name, (uint64_t)status->cut, SMILE_TRACE_FRAME_BYTES);
	}
	return TOOL_OK;
}
