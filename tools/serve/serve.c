// SPDX-License-Identifier: MIT
/*
 * smile serve: serve the web page of `smile view` over HTTP, with live data.
 *
 * What lives here: the options, and the main loop, which reads records, answers requests, and sends
 * events.
 */
#include "tools/serve/serve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/common/config_options.h"
#include "tools/common/hot_option.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/live/control.h"
#include "tools/serve/packets.h"
#include "tools/view/view.h"

static const char *const serve_help[] = {
#include "tools/help/serve.h"
	NULL,
};

#define SERVE_TOP_DEFAULT 20
#define SERVE_TOP_MAX 1000
#define SERVE_DETAILS_MAX 1000000
#define SERVE_INTERVAL_LEAST_NS 100000000ULL
/*
 * The longest wait for records, during which requests also wait; and the longest wait for requests,
 * if no records are awaited.
 */
#define SERVE_RECORDS_MS 20
#define SERVE_IDLE_MS 200
/*
 * The two times for which a server that ends still sends data, in ms: to clients that read the last
 * event, and to clients that receive recordings.
 */
#define SERVE_FAREWELL_MS 200
#define SERVE_FAREWELL_STREAMS_MS 2000

/* ---- the loop ------------------------------------------------------------------------------ */

/*
 * Read the facts about samples. A recording of samples has them at its end, so they are read again
 * when the recording has ended.
 */
static void sampled_read(struct serve *serve)
{
	run_facts_sampled_free(serve->sampled);
	serve->sampled = run_facts_sampled(serve->live->mon);
}

/* Read records and answer requests, once. */
static void turn(struct serve *serve)
{
	const unsigned int all =
		LIVE_RECORDS | LIVE_PROGRAM | LIVE_STATE | LIVE_TROUBLE | LIVE_MEMBER;
	int running = serve->live->state == LIVE_RUNNING;
	int making = serve->data.child || serve->metrics.child;
	int idle = making ? SERVE_RECORDS_MS : SERVE_IDLE_MS;
	int busy = serve_http_run(serve, running ? 0 : idle);
	unsigned int changes;

	if (signals_mark() && control_mark(serve->live))
		serve->serial++;
	if (live_attend(serve->live)) {
		/*
		 * The recordings were replaced, so all counts begin at 0 again. Therefore also
		 * reset the counts of the last sample.
		 */
		memset(serve->history.before, 0, sizeof(serve->history.before));
		serve->serial++;
		sampled_read(serve);
	}
	if (!running)
		return;
	changes = live_poll(serve->live, busy ? 0 : SERVE_RECORDS_MS);
	serve->behind = live_behind(serve->live) ||
			(changes & LIVE_MORE && serve->live->totals.records < serve->live->backlog);
	if (changes & all)
		serve->serial++;
	if (changes & LIVE_PROGRAM)
		sampled_read(serve);
}

/* Get the processor time of this thread. */
static uint64_t processor_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000ULL + (uint64_t)used.tv_nsec;
}

/* Take a sample of the history if it is due. Return: 1 if a change must be reported; 0. */
static int sample(struct serve *serve, enum live_state *state)
{
	uint64_t now = tool_now_ns(), took;
	int changed = *state != serve->live->state, news;

	*state = serve->live->state;
	/*
	 * Check each time whether a member is late, because a member becomes late by the passing of
	 * time, without any event.
	 */
	if (live_quiet(serve->live) != serve->quiet) {
		serve->quiet = live_quiet(serve->live);
		serve->serial++;
		changed = 1;
	}
	if (now < serve->sample_ns)
		return changed;
	took = processor_ns();
	news = serve_history_sample(serve) || changed;
	/*
	 * When the source has ended, take one more sample, which covers the rest of the last
	 * interval.
	 */
	serve->sample_ns = *state == LIVE_RUNNING ? now + serve_pace(serve, processor_ns() - took)
						  : UINT64_MAX;
	return news;
}

/*
 * If there is a change, send an event. If a document that shows the change is almost complete, wait
 * for the document first.
 */
static void report(struct serve *serve, int news, int at_once)
{
	uint64_t now = tool_now_ns(), interval = serve->options->interval_ns;
	int nearly = serve->data.child && now < serve->data.begun_ns + interval / 2;

	serve->unreported |= news;
	if (!serve->unreported || (!at_once && (nearly || now < serve->report_ns)))
		return;
	serve->unreported = 0;
	serve->report_ns = now + interval;
	serve_events_report(serve);
}

static void serve_until_signal(struct serve *serve)
{
	enum live_state state = serve->live->state, before = state;

	serve->began_ns = tool_now_ns();
	serve->behind = serve->live->backlog > 0;
	serve->sample_ns = serve->began_ns + serve->options->interval_ns;
	while (!signals_count()) {
		int news;

		turn(serve);
		news = sample(serve, &state);
		if (serve->listeners && serve->data.response && !serve->data.child &&
		    (serve->data.serial != serve->serial || !serve_data_advised(serve)))
			serve->data.wanted = 1;
		news |= serve_product_run(serve, &serve->data);
		serve_product_run(serve, &serve->metrics);
		report(serve, news, state != before);
		before = state;
		serve_events_look(serve);
		serve_recordings_look(serve);
		serve_http_sweep(serve);
	}
}

/*
 * The live source has ended, so the recordings are complete. Let clients read the rest of them. Do
 * not wait for a client that has stopped reading.
 */
static void farewell(struct serve *serve)
{
	uint64_t now = serve->streamed_ns = tool_now_ns();
	uint64_t until = now + SERVE_FAREWELL_MS * 1000000ULL;

	serve_recordings_end(serve);
	while ((serve->listeners && now < until) ||
	       (serve->streams &&
		now < serve->streamed_ns + SERVE_FAREWELL_STREAMS_MS * 1000000ULL)) {
		serve_http_run(serve, 10);
		now = tool_now_ns();
	}
	if (serve->streams)
		tool_message("%u readers of the recordings had not taken all of them, and took "
			     "nothing for %d seconds",
			     serve->stream_count, SERVE_FAREWELL_STREAMS_MS / 1000);
	serve_recordings_free(serve);
	serve_http_run(serve, 0);
}

static void serve_end(struct serve *serve)
{
	serve_events_end(serve);
	serve_product_end(serve, &serve->data);
	serve_product_end(serve, &serve->metrics);
}

static void serve_close(struct serve *serve)
{
	farewell(serve);
	serve_http_end(serve);
	serve_listen_end(serve);
	if (serve->page)
		serve_mhd.destroy_response(serve->page);
	if (serve->data.response)
		serve_mhd.destroy_response(serve->data.response);
	serve_parts_end(serve);
	view_kept_close(&serve->kept);
	if (serve->metrics.response)
		serve_mhd.destroy_response(serve->metrics.response);
}

static int serve_run(const struct serve_options *options)
{
	struct serve *serve;
	struct timespec now;
	char url[512];
	int status;

	if (serve_mhd_load() != TOOL_OK)
		return TOOL_ERROR;
	serve = calloc(1, sizeof(*serve));
	if (!serve)
		return tool_error("no memory");
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(serve->instance, sizeof(serve->instance), "%lld.%09ld", (long long)now.tv_sec,
		 now.tv_nsec);
	serve->options = options;
	serve->kept = (struct view_kept){.pages = -1, .rows = -1, .rest = -1};
	serve->serial = 1;
	serve->data.path = "/data.json";
	serve->data.type = "application/json";
	serve->data.make = serve_data_make;
	serve->data.take = serve_parts_take;
	serve->data.begun = serve_data_begun;
	serve->data.made = serve_data_made;
	serve->metrics.path = "/metrics";
	serve->metrics.type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	serve->metrics.make = serve_metrics_make;
	serve->metrics.timed = 1;
	/* Listen first, so that no card is started if the address is in use. */
	status = serve_listen(serve, url, sizeof(url));
	if (status != TOOL_OK) {
		free(serve);
		return status;
	}
	signals_catch();
	signals_catch_mark();
	status = live_open(&serve->live, &options->live);
	if (status == TOOL_OK) {
		sampled_read(serve);
		view_kept_open(&serve->kept);
		/* No counts exist yet, so this call takes no time. */
		serve_data_begun(serve);
		serve->page = serve_page();
		status = serve->page ? serve_http_begin(serve) : tool_error("no memory");
		if (status == TOOL_OK) {
			status = serve_url_print(url);
			if (status == TOOL_OK)
				serve_until_signal(serve);
		}
	}
	serve_end(serve);
	if (serve->live && live_end(serve->live) != TOOL_OK)
		status = TOOL_ERROR;
	serve->live = NULL;
	run_facts_sampled_free(serve->sampled);
	serve_close(serve);
	free(serve);
	return status;
}

/* ---- options ------------------------------------------------------------------------------- */

static int interval_take(void *interval_ns, const char *text)
{
	if (tool_seconds("--interval", text, interval_ns))
		return TOOL_ERROR;
	if (*(uint64_t *)interval_ns < SERVE_INTERVAL_LEAST_NS)
		return tool_usage("--interval: give at least 0.1 seconds");
	return TOOL_OK;
}

int serve_main(int argc, char **argv)
{
	struct serve_options options = {
		.interval_ns = 1000000000, .top = SERVE_TOP_DEFAULT, .view.details = VIEW_DETAILS};
	struct config_options config;
	const struct tool_option table[] = {
		OPTION_TEXT("listen", 'l', &options.listen),
		OPTION_TAKE("interval", 0, interval_take, &options.interval_ns),
		OPTION_OUTPUT("output", 'o', &options.live.output),
		OPTION_NUMBER("top", 0, 0, SERVE_TOP_MAX, &options.top),
		OPTION_NUMBER("details", 0, 0, SERVE_DETAILS_MAX, &options.view.details),
		OPTION_TAKE("hot", 0, hot_option_take, &options.view.hot),
		OPTION_HELP(serve_help),
		OPTION_CARD(&config),
		OPTION_END,
	};
	char *name = argv[0], *line;
	int status;

	config_options_init(&config);
	if (!option_table_parse(argc, argv, "", table, &status))
		return status;
	options.live.configured = config.given;
	if (config_options_check(&config) != TOOL_OK)
		return TOOL_ERROR;
	/*
	 * In recordings, store "serve" as the command, instead of the whole name that precedes
	 * messages.
	 */
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	line = tool_command_line(argc, argv);
	if (argc == optind + 1 && packets_is_database(argv[optind])) {
		free(line);
		if (option_form_only("a trace database", "listen") != TOOL_OK)
			return TOOL_ERROR;
		return packets_serve(argv[optind], &options);
	}
	if (argc == optind + 1 && state_file_is(argv[optind]) &&
	    option_form_idle("a state file", "top details hot") != TOOL_OK) {
		free(line);
		return TOOL_ERROR;
	}
	options.live.sources = argv + optind;
	options.live.sources_count = argc - optind;
	options.live.config = &config;
	options.live.offered = options.listen && !strncmp(options.listen, "unix:", 5);
	options.live.command_line = line;
	status = serve_run(&options);
	free(line);
	return status;
}
