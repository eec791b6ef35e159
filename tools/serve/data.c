// SPDX-License-Identifier: MIT
/*
 * Serve: the document smile.view/1 with live data, for /data.json and for the page.
 */
#include "tools/serve/serve.h"

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/view/view.h"

static json_t *live_json(const struct serve *serve)
{
	static const char *const kinds[] = {[LIVE_CARD] = "card",
					    [LIVE_CAPTURE] = "capture",
					    [LIVE_RECORDINGS] = "recordings",
					    [LIVE_STATES] = "state file"};

	live_totals(serve->live);
	return json_pack(
		"{s:s, s:I, s:s, s:s, s:o, s:o, s:I, s:o, s:o}", "instance", serve->instance,
		"document", (json_int_t)serve->data.begun_serial, "kind", kinds[serve->live->kind],
		"state", serve_state(serve), "name", document_text(serve->live->name), "message",
		document_text(serve->live->trouble), "interval_ms",
		(json_int_t)(serve_product_interval(serve, &serve->data) / 1000000), "history",
		serve_history_json(&serve->history), "sources", live_members_json(serve->live));
}

int serve_data_make(struct serve *serve, FILE *out)
{
	static char card[] = "dev:0";
	char *none[] = {card, NULL};
	const struct live_options *options = &serve->options->live;
	int count = options->sources_count;
	json_t *document;

	document = view_document(serve->live->mon, count ? options->sources : none,
				 count ? count : 1, serve->live->state_file, &serve->options->view);
	if (!document)
		return TOOL_ERROR;
	if (json_object_set_new(document, "live", live_json(serve)) ||
	    serve_parts_write(document, out))
		return tool_error("no memory for the data");
	return TOOL_OK;
}
