// SPDX-License-Identifier: MIT
/*
 * Serve: make the document smile.view/1 with live data, for /data.json and for the web page.
 */
#include "tools/serve/serve.h"

#include <base/clock.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/view/view.h"

/*
 * Get the number of seconds by which the advice is older than the document; -1 if there is no
 * advice.
 */
static json_int_t advice_age_ms(const struct serve *serve)
{
	if (!serve->advice.of_ns)
		return -1;
	return (json_int_t)((serve->data.begun_ns - serve->advice.of_ns) / 1000000);
}

static json_t *live_json(const struct serve *serve)
{
	static const char *const kinds[] = {[LIVE_CARD] = "card",
					    [LIVE_CAPTURE] = "capture",
					    [LIVE_RECORDINGS] = "recordings",
					    [LIVE_STATES] = "state file"};

	live_totals(serve->live);
	return json_pack(
		"{s:s, s:I, s:s, s:s, s:o, s:o, s:I, s:I, s:o, s:o}", "instance", serve->instance,
		"document", (json_int_t)serve->data.begun_serial, "kind", kinds[serve->live->kind],
		"state", serve_state(serve), "name", document_text(serve->live->name), "message",
		document_text(serve->live->trouble), "interval_ms",
		(json_int_t)(serve_product_interval(serve, &serve->data) / 1000000),
		"advice_age_ms", advice_age_ms(serve), "history",
		serve_history_json(&serve->history), "sources", live_members_json(serve->live));
}

/*
 * Make the advice for a document, or reuse the last advice. Advice compares all pages with each
 * other, so for many pages it takes longer than the rest of the document. In this case, advice is
 * made less often than documents. Advice is never made for the first document, because a reader
 * waits for this document. Advice is always made for the last document, because no other document
 * follows.
 */
static json_t *advice_make(const struct view *view, void *opaque)
{
	struct serve *serve = opaque;
	uint64_t begun_ns = clock_time_ns(CLOCK_PROCESS_CPUTIME_ID);
	json_t *advice;

	serve->advice.made = serve->live->state != LIVE_RUNNING ||
			     view->model.page_count <= SERVE_ADVICE_PAGES ||
			     (serve->parts_count && serve->data.begun_ns >= serve->advice.next_ns);
	if (!serve->advice.made)
		return serve_parts_advice(serve);
	advice = view_advice_json(view);
	/*
	 * If there are few pages, every document gets new advice, and the time for the advice is
	 * part of the document's time.
	 */
	serve->advice.took_ns = view->model.page_count > SERVE_ADVICE_PAGES
					? clock_time_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_ns
					: 0;
	serve->advice.serial = serve->data.begun_serial;
	serve->advice.of_ns = serve->data.begun_ns;
	serve->advice.next_ns = serve->data.begun_ns + serve->advice.took_ns * SERVE_ADVICE_SHARE;
	return advice;
}

int serve_data_advised(const struct serve *serve)
{
	return serve->advice.serial == serve->data.serial ||
	       (serve->live->state == LIVE_RUNNING && tool_now_ns() < serve->advice.next_ns);
}

void serve_data_begun(struct serve *serve)
{
	/* The model is not valid until the process that makes the document has stored it. */
	serve->kept.valid = 0;
	serve->kept_of = serve->live->mon;
	serve->kept_anew = live_anew(serve->live);
	if (Monitor_changes_begin(serve->live->mon) < 0)
		serve->kept_of = NULL;
}

void serve_data_made(struct serve *serve)
{
	struct serve_product *data = &serve->data;

	serve->kept.valid = view_kept_is(&serve->kept);
	/* Do not count the time for advice, because advice is scheduled separately. */
	if (serve->advice.made)
		data->took_ns -= serve->advice.took_ns < data->took_ns ? serve->advice.took_ns : 0;
}

int serve_data_make(struct serve *serve, FILE *out)
{
	static char card[] = "dev:0";
	char *none[] = {card, NULL};
	const struct live_options *options = &serve->options->live;
	struct view_options view = serve->options->view;
	int count = options->sources_count;
	json_t *document;

	if (serve->kept.rest >= 0)
		view.kept = &serve->kept;
	if (serve->kept_of != serve->live->mon || serve->kept_anew != live_anew(serve->live))
		serve->kept.valid = 0;
	view.recordings = serve->live->members_count;
	view.advice = advice_make;
	view.opaque = serve;
	document = view_document(serve->live->mon, count ? options->sources : none,
				 count ? count : 1, serve->live->state_file, &view);
	if (!document)
		return TOOL_ERROR;
	if (json_object_set_new(document, "live", live_json(serve)) ||
	    serve_parts_write(serve, document, out))
		return tool_error("no memory for the data");
	return TOOL_OK;
}
