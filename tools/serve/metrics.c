// SPDX-License-Identifier: MIT
/*
 * Serve: answer /metrics, for Prometheus and other readers of OpenMetrics text 1.0.0.
 *
 * What lives here: the metrics and their format. Only the pages with the most accesses are
 * reported, so the number of series does not grow with the program's memory.
 */
#include "tools/serve/serve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "lib/analysis/sampled.h"
#include "lib/analysis/utf8.h"

/*
 * The largest number of pairs of nodes that are reported. They are the pairs with the most
 * transactions. If there are more than METRICS_NODES_MAX nodes, no pairs are reported: see the man
 * page.
 */
#define METRICS_PAIRS_MAX 4096
#define METRICS_NODES_MAX 1024
/*
 * The largest number of nodes that are reported for a page. They are the nodes with the most
 * accesses to the page.
 */
#define METRICS_PAGE_NODES 64

static void family(FILE *out, const char *name, const char *type, const char *unit,
		   const char *help)
{
	fprintf(out, "# TYPE smile_%s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT smile_%s %s\n", name, unit);
	fprintf(out, "# HELP smile_%s %s\n", name, help);
}

/* Write the value of a label as UTF-8 with escapes. @text may contain any bytes. */
static void label(FILE *out, const char *text)
{
	char *copy = utf8_copy(text);

	for (const char *at = copy ? copy : ""; *at; at++) {
		if (*at == '\n')
			fputs("\\n", out);
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else
			fputc(*at, out);
	}
	free(copy);
}

static void counter(FILE *out, const char *name, const char *help, uint64_t value)
{
	family(out, name, "counter", NULL, help);
	fprintf(out, "smile_%s_total %" PRIu64 "\n", name, value);
}

/* ---- about the server and its source ------------------------------------------------------- */

static void about(struct serve *serve, FILE *out)
{
	static const char *const kinds[] = {[LIVE_CARD] = "card",
					    [LIVE_CAPTURE] = "capture",
					    [LIVE_RECORDINGS] = "recordings",
					    [LIVE_STATES] = "state file"};
	static const char *const states[] = {"running", "ended", "failed"};

	family(out, "build", "info", NULL, "Versions of the command and of its library.");
	fprintf(out, "smile_build_info{version=\"%s\",library=\"%s\"} 1\n", SMILE_VERSION,
		Monitor_version());
	family(out, "source", "info", NULL, "The source that is watched.");
	fprintf(out, "smile_source_info{kind=\"%s\",name=\"", kinds[serve->live->kind]);
	label(out, serve->live->name);
	fputs("\"} 1\n", out);
	if (serve->sampled) {
		family(out, "sampled", "info", NULL,
		       "Counts are of samples: estimates, each with its 95 % band.");
		fputs("smile_sampled_info{source=\"", out);
		label(out, serve->sampled->samples.source);
		fputs("\",unit=\"", out);
		label(out, serve->sampled->samples.unit);
		fputs("\"} 1\n", out);
	}
	family(out, "source_state", "stateset", NULL,
	       "Whether the source is running, has ended or has failed.");
	for (size_t i = 0; i < 3; i++)
		fprintf(out, "smile_source_state{smile_source_state=\"%s\"} %d\n", states[i],
			!strcmp(states[i], serve_state(serve)));
	family(out, "nodes", "gauge", NULL, "Nodes seen so far.");
	fprintf(out, "smile_nodes %u\n", serve->live->nodes);
	family(out, "watched_seconds", "gauge", "seconds", "Time since the source was opened.");
	fprintf(out, "smile_watched_seconds %.3f\n",
		(double)live_totals(serve->live)->time_ns / 1e9);
	family(out, "document_seconds", "gauge", "seconds",
	       "Time that the last document of the page took; 0 if none was requested.");
	fprintf(out, "smile_document_seconds %.6f\n", (double)serve->data.took_ns / 1e9);
	family(out, "listeners", "gauge", NULL, "Open web pages that are live.");
	fprintf(out, "smile_listeners %u\n", serve->listener_count);
}

/* ---- totals -------------------------------------------------------------------------------- */

static void totals(struct serve *serve, FILE *out)
{
	const struct live_totals *sums = live_totals(serve->live);
	const struct Monitor_loss *loss = &sums->loss;
	const struct smile_statistics *card = &sums->statistics;
	int phases = Monitor_phases(serve->live->mon, NULL, 0);

	counter(out, "records", "Records taken in.", sums->records);
	counter(out, "events_delivered", "Events that these records count.", loss->delivered);
	counter(out, "events_lost", "Events lost, as the card reports.", loss->lost);
	counter(out, "marks_lost", "Phase marks and other events of programs lost.",
		loss->marks_lost);
	counter(out, "static_delivered", "Events counted by the static counters.",
		loss->static_delivered);
	counter(out, "sleeps", "Times the machine slept while counting.", loss->sleeps);
	counter(out, "resets", "Times a bus error reset the card.", loss->resets);
	counter(out, "phases", "Phases of the program.", phases > 0 ? (uint64_t)phases : 0);
	if (loss->known) {
		counter(out, "events_accepted", "Events that the cards' filters accepted.",
			loss->accepted);
		family(out, "events_pending", "gauge", NULL,
		       "Events accepted and still in the card.");
		fprintf(out, "smile_events_pending %" PRIu64 "\n", loss->pending);
	}
	if (!sums->statistics_known)
		return;
	counter(out, "packets_seen", "Packets that the cards saw.", card->packets_seen);
	counter(out, "packets_filtered", "Packets that the filter rejected.",
		card->packets_filtered);
	counter(out, "packets_malformed", "Packets that could not be decoded.",
		card->packets_malformed);
	counter(out, "packets_unmatched", "Responses without a request.", card->packets_unmatched);
}

/* ---- cards --------------------------------------------------------------------------------- */

/*
 * Check whether the node of a member is known. While a recording is awaited, its node is not known.
 */
static int is_known(const struct live_member *member)
{
	return member->state != LIVE_AWAITED;
}

static void cards_counter(const struct live *live, FILE *out, const char *name, const char *help,
			  uint64_t (*value)(const struct live_member *member))
{
	family(out, name, "counter", NULL, help);
	for (size_t i = 0; i < live->members_count; i++)
		if (is_known(&live->members[i]))
			fprintf(out, "smile_%s_total{node=\"%u\"} %" PRIu64 "\n", name,
				live->members[i].node, value(&live->members[i]));
}

static uint64_t card_records(const struct live_member *member)
{
	return member->records;
}

static uint64_t card_delivered(const struct live_member *member)
{
	return member->loss.delivered;
}

static uint64_t card_lost(const struct live_member *member)
{
	return member->loss.lost;
}

/* Write the metrics of each card or recording. totals() writes their sums. */
static void cards(struct serve *serve, FILE *out)
{
	const struct live *live = serve->live;

	if (!live->members_count)
		return;
	family(out, "card_running", "gauge", NULL,
	       "1 while a card or recording runs, 0 once it has ended or failed.");
	for (size_t i = 0; i < live->members_count; i++)
		if (is_known(&live->members[i]))
			fprintf(out, "smile_card_running{node=\"%u\"} %d\n", live->members[i].node,
				live->members[i].state == LIVE_RUNNING);
	family(out, "card_quiet_seconds", "gauge", "seconds",
	       "Time since records arrived last, of cards and recordings that run.");
	for (size_t i = 0; i < live->members_count; i++)
		if (is_known(&live->members[i]))
			fprintf(out, "smile_card_quiet_seconds{node=\"%u\"} %.3f\n",
				live->members[i].node,
				(double)live_member_quiet_ns(live, &live->members[i]) / 1e9);
	cards_counter(live, out, "card_records", "Records taken in, of each card.", card_records);
	cards_counter(live, out, "card_events_delivered", "Events that these records count.",
		      card_delivered);
	cards_counter(live, out, "card_events_lost", "Events lost, as the card reports.",
		      card_lost);
}

/* ---- confidence intervals -------------------------------------------------------------------- */

/* For recordings of samples, the two ends of each count's confidence interval are also reported. */
enum { BANDS = 2 };
static const struct {
	const char *name;
	const char *transfers;
	const char *page_accesses;
	const char *help;
} bands[BANDS] = {
	{"low_95", "transfers_low_95", "page_accesses_low_95",
	 "The lower end of the 95 % band of these counts."},
	{"high_95", "transfers_high_95", "page_accesses_high_95",
	 "The upper end of the 95 % band of these counts."},
};

#define FIGURE_BYTES 32

/*
 * Format a count. If @end is BANDS, format the count itself. Otherwise format the end of the
 * count's confidence interval that @end selects.
 */
static const char *figure(char *text, uint64_t count, int end)
{
	const struct sampled_band band = sampled_count(count);

	if (end == BANDS)
		snprintf(text, FIGURE_BYTES, "%" PRIu64, count);
	else
		snprintf(text, FIGURE_BYTES, "%.6f", end ? band.high : band.low);
	return text;
}

static const char *figure_name(int end)
{
	return end == BANDS ? "total" : bands[end].name;
}

/*
 * Choose the help text of a count: @samples for recordings of samples, @help for other recordings.
 */
static const char *estimate(const struct serve *serve, const char *help, const char *samples)
{
	return serve->sampled ? samples : help;
}

/* ---- transfers ----------------------------------------------------------------------------- */

struct pair {
	uint32_t source;
	uint32_t home;
	uint64_t count;
};

static int by_count(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->source != b->source ? (a->source < b->source ? -1 : 1)
				      : (a->home < b->home ? -1 : a->home > b->home);
}

static void pairs_print(FILE *out, const struct pair *pairs, size_t used, int end)
{
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < used; i++)
		fprintf(out, "smile_transfers_%s{source=\"%" PRIu32 "\",home=\"%" PRIu32 "\"} %s\n",
			figure_name(end), pairs[i].source, pairs[i].home,
			figure(text, pairs[i].count, end));
}

static void transfers(struct serve *serve, FILE *out)
{
	size_t nodes = serve->live->nodes, used = 0;
	uint64_t *counts;
	struct pair *pairs;

	if (nodes > METRICS_NODES_MAX)
		return;
	counts = tool_memory(nodes * nodes, sizeof(*counts));
	pairs = tool_memory(nodes * nodes, sizeof(*pairs));
	Monitor_get_packets(serve->live->mon, counts, nodes);
	for (size_t i = 0; i < nodes * nodes; i++)
		if (counts[i])
			pairs[used++] = (struct pair){(uint32_t)(i / nodes), (uint32_t)(i % nodes),
						      counts[i]};
	qsort(pairs, used, sizeof(*pairs), by_count);
	if (used > METRICS_PAIRS_MAX)
		used = METRICS_PAIRS_MAX;
	family(out, "transfers", "counter", NULL,
	       estimate(serve, "Transactions by the requesting node and the home of the page.",
			"Samples by the requesting node and the home of the page."));
	pairs_print(out, pairs, used, BANDS);
	for (int end = 0; serve->sampled && end < BANDS; end++) {
		family(out, bands[end].transfers, "gauge", NULL, bands[end].help);
		pairs_print(out, pairs, used, end);
	}
	free(counts);
	free(pairs);
}

/* ---- pages --------------------------------------------------------------------------------- */

/**
 * struct top_page - One of the pages with the most accesses.
 * @page: page number
 * @home: home node of the page
 * @accesses: number of accesses by all nodes
 * @nodes: the nodes with the most accesses to the page, in descending order; shape [@nodes_count],
 *         at most METRICS_PAGE_NODES
 */
struct top_page {
	uint64_t page;
	uint32_t home;
	uint64_t accesses;
	struct top_node {
		uint32_t node;
		uint64_t accesses;
	} nodes[METRICS_PAGE_NODES];
	size_t nodes_count;
};

/**
 * struct top_pages - The pages with the most accesses so far, while all pages are visited.
 * @top: these pages, in descending order of their accesses; shape [@room + 1], filled up to @used
 * @all: number of pages that were visited so far
 * @sorted: buffer for the rows of a page, in descending order of accesses
 * @sorted_room: capacity of @sorted
 */
struct top_pages {
	struct top_page **top;
	size_t used;
	size_t room;
	uint64_t all;
	struct Monitor_histogram_row *sorted;
	size_t sorted_room;
};

static int by_accesses(const void *left, const void *right)
{
	const struct Monitor_histogram_row *a = left, *b = right;

	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return a->source < b->source ? -1 : a->source > b->source;
}

static void nodes_take(struct top_pages *pages, struct top_page *page,
		       const struct Monitor_histogram_row *rows, size_t count)
{
	if (pages->sorted_room < count) {
		free(pages->sorted);
		pages->sorted = tool_memory(count, sizeof(*rows));
		pages->sorted_room = count;
	}
	memcpy(pages->sorted, rows, count * sizeof(*rows));
	qsort(pages->sorted, count, sizeof(*rows), by_accesses);
	page->nodes_count = count < METRICS_PAGE_NODES ? count : METRICS_PAGE_NODES;
	for (size_t i = 0; i < page->nodes_count; i++)
		page->nodes[i] =
			(struct top_node){pages->sorted[i].source, pages->sorted[i].accesses};
}

/*
 * Insert a page into the list if it has enough accesses. If two pages have equally many accesses,
 * the page that was visited first comes first.
 */
static int top_insert(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct top_pages *pages = opaque;
	struct top_page *page;
	uint64_t accesses = 0;
	size_t at = pages->used;

	pages->all++;
	for (size_t i = 0; i < count; i++)
		accesses += rows[i].accesses;
	while (at && pages->top[at - 1]->accesses < accesses)
		at--;
	if (at == pages->room)
		return 0;
	/* If the list is full, the last page leaves the list. Reuse the memory of this page. */
	page = pages->used < pages->room ? tool_memory(1, sizeof(*page))
					 : pages->top[--pages->used];
	memmove(&pages->top[at + 1], &pages->top[at], (pages->used - at) * sizeof(*pages->top));
	pages->top[at] = page;
	pages->used++;
	page->page = rows->page;
	page->home = rows->home;
	page->accesses = accesses;
	nodes_take(pages, page, rows, count);
	return 0;
}

static void page_print(FILE *out, const struct top_page *page, int end)
{
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < page->nodes_count; i++)
		fprintf(out,
			"smile_page_accesses_%s{page=\"%" PRIu64 "\",home=\"%" PRIu32
			"\",node=\"%" PRIu32 "\"} %s\n",
			figure_name(end), page->page, page->home, page->nodes[i].node,
			figure(text, page->nodes[i].accesses, end));
}

/*
 * Write the metrics of the pages with the most accesses. Return: TOOL_OK; TOOL_ERROR after a
 * message.
 */
static int pages(struct serve *serve, FILE *out)
{
	struct top_pages pages = {.room = serve->options->top};
	int error;

	pages.top = tool_memory(pages.room + 1, sizeof(struct top_page *));
	error = Monitor_walk_pages(serve->live->mon, top_insert, &pages);
	family(out, "pages", "gauge", NULL, "Pages that were accessed.");
	fprintf(out, "smile_pages %" PRIu64 "\n", pages.all);
	family(out, "page_accesses", "counter", NULL,
	       estimate(serve,
			"Accesses to the pages with the most accesses, by home and by the node "
			"that makes them.",
			"Samples of the pages with the most samples, by home and by node."));
	for (size_t i = 0; i < pages.used; i++)
		page_print(out, pages.top[i], BANDS);
	for (int end = 0; serve->sampled && end < BANDS; end++) {
		family(out, bands[end].page_accesses, "gauge", NULL, bands[end].help);
		for (size_t i = 0; i < pages.used; i++)
			page_print(out, pages.top[i], end);
	}
	for (size_t i = 0; i < pages.used; i++)
		free(pages.top[i]);
	free(pages.top);
	free(pages.sorted);
	return error < 0 ? tool_error("no memory for the metrics") : TOOL_OK;
}

int serve_metrics_make(struct serve *serve, FILE *out)
{
	about(serve, out);
	totals(serve, out);
	cards(serve, out);
	transfers(serve, out);
	if (pages(serve, out) != TOOL_OK)
		return TOOL_ERROR;
	fputs("# EOF\n", out);
	return ferror(out) ? tool_error("no memory for the metrics") : TOOL_OK;
}
