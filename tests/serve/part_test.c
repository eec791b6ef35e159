/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the parts of `smile serve` that need no client, or only a client that the test controls.
 * They test counts that stay in a card until they are read, the history while nodes are added,
 * answers that are sent in parts, processes that fail to make a document, and the texts of
 * documents that are not the newest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/request_packets.h"
#include "tools/serve/serve.h"
#include "tools/common/tool.h"

const char *tool_name(void)
{
	return "part_test";
}

/* ---- a server of an emulated card ---------------------------------------------------------- */

static uint64_t clock_now_ns = 1000000000;

static uint64_t test_clock(void)
{
	return clock_now_ns;
}

static const struct serve_options options = {
	.listen = "127.0.0.1:0", .interval_ns = 100000000, .top = 3};

struct fixture {
	struct live live;
	struct live_member member;
	struct serve serve;
};

static int begin(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	fixture->member.news_ns = clock_now_ns;
	fixture->live = (struct live){.kind = LIVE_CARD,
				      .members = &fixture->member,
				      .members_count = 1,
				      .state = LIVE_RUNNING,
				      .name = "dev:0",
				      .nodes = 1,
				      .clock_ns = test_clock,
				      .opened_ns = clock_now_ns,
				      .looked_ns = clock_now_ns};
	fixture->serve = (struct serve){.options = &options, .live = &fixture->live, .serial = 1};
	if (serve_mhd_load() != TOOL_OK || Monitor_open(&fixture->live.mon, "emu:") < 0)
		return -1;
	fixture->member.mon = fixture->live.mon;
	return Monitor_start(fixture->live.mon);
}

static int end(void **state)
{
	struct fixture *fixture = *state;

	Monitor_close(fixture->live.mon);
	free(fixture);
	return 0;
}

static void reads(struct fixture *fixture, unsigned int count, unsigned int source,
		  unsigned int home, uint64_t page)
{
	request_packets(fixture->live.mon, count, source, home, BLINK_READSB, page);
}

static int sample(struct fixture *fixture)
{
	clock_now_ns += 1000000000;
	return serve_history_sample(&fixture->serve);
}

/* ---- counts and history -------------------------------------------------------------------- */

/* A poll of the card gave no record, since all events fit in its counters. */
static void what_a_card_kept_is_new(void **state)
{
	struct fixture *fixture = *state;
	const struct serve_column *column = fixture->serve.history.columns;
	struct live_interval interval;

	reads(fixture, 10, 1, 0, 5);
	assert_int_equal(live_poll(&fixture->live, 0), 0);
	assert_int_equal(sample(fixture), 1);
	assert_int_equal(fixture->serve.serial, 2);
	assert_true(column->events == 10 && column->packets[1] == 10 && column->ms == 1000);
	/*
	 * The first interval without events causes an update, although no count has changed. Later
	 * intervals without events do not.
	 */
	assert_int_equal(sample(fixture), 1);
	assert_int_equal(sample(fixture), 0);
	assert_int_equal(fixture->serve.serial, 2);

	reads(fixture, 1, 1, 0, 5);
	assert_int_equal(live_look(&fixture->live, &interval), LIVE_RECORDS);
	assert_int_equal(live_look(&fixture->live, &interval), 0);
}

static void too_many_nodes_are_summed_up(void **state)
{
	struct fixture *fixture = *state;
	const struct serve_history *history = &fixture->serve.history;
	const struct serve_column *columns = history->columns;
	json_t *json;

	reads(fixture, 10, 1, 0, 5);
	reads(fixture, 20, 3, 0, 6);
	sample(fixture);
	reads(fixture, 5, 2, 0, 5);
	sample(fixture);
	assert_int_equal(history->nodes, 4);
	assert_true(columns[0].packets[1] == 10 && columns[0].packets[3] == 20 &&
		    columns[1].packets[2] == 5);
	reads(fixture, 7, SERVE_NODES_MAX, 0, 5);
	reads(fixture, 1, 3, 0, 5);
	sample(fixture);
	assert_int_equal(history->nodes, 1);
	assert_int_equal(columns[0].packets[0], 30);
	assert_int_equal(columns[1].packets[0], 5);
	assert_int_equal(columns[2].packets[0], 8);
	reads(fixture, 2, 200, 7, 5);
	sample(fixture);
	assert_int_equal(columns[3].packets[0], 2);
	json = serve_history_json(history);
	assert_int_equal(json_integer_value(json_object_get(json, "nodes")), 1);
	assert_int_equal(json_integer_value(json_object_get(json, "columns")), 4);
	json_decref(json);
}

/* ---- metrics ------------------------------------------------------------------------------- */

static void metrics(struct fixture *fixture, char *text, size_t bytes)
{
	FILE *out = fmemopen(text, bytes, "w");

	assert_true(Monitor_swap(fixture->live.mon) > 0);
	fixture->live.nodes = (unsigned int)Monitor_nodes(fixture->live.mon);
	assert_int_equal(serve_metrics_make(&fixture->serve, out), TOOL_OK);
	assert_int_equal(fclose(out), 0);
}

static size_t times(const char *text, const char *word)
{
	size_t found = 0;

	while ((text = strstr(text, word)) != NULL) {
		found++;
		text += strlen(word);
	}
	return found;
}

/*
 * These pages are not in the order of their numbers, and one page is accessed by more nodes than
 * are reported.
 */
static void metrics_report_the_top_pages(void **state)
{
	static const char top[] =
		"smile_pages 7\n"
		"# TYPE smile_page_accesses counter\n"
		"# HELP smile_page_accesses Accesses to the pages with the most accesses, by home "
		"and by the node that makes them.\n"
		"smile_page_accesses_total{page=\"9\",home=\"1\",node=\"69\"} 170\n";
	static const char last[] =
		"smile_page_accesses_total{page=\"3\",home=\"0\",node=\"1\"} 60\n"
		"smile_page_accesses_total{page=\"7\",home=\"0\",node=\"2\"} 50\n"
		"smile_page_accesses_total{page=\"7\",home=\"0\",node=\"1\"} 10\n"
		"# EOF\n";
	struct fixture *fixture = *state;
	static char text[1 << 16];
	const char *page;

	reads(fixture, 5, 1, 0, 2);
	reads(fixture, 60, 1, 0, 3);
	reads(fixture, 10, 1, 0, 7);
	reads(fixture, 50, 2, 0, 7);
	reads(fixture, 59, 2, 1, 7);
	for (unsigned int node = 0; node < 70; node++)
		reads(fixture, 101 + node, node, 1, 9);
	reads(fixture, 4, 1, 0, 10);
	reads(fixture, 60, 1, 0, 11);
	/* Three values are equal: the first two pages are reported, 3 of node 0 and 7. */
	metrics(fixture, text, sizeof(text));
	page = strstr(text, top);
	assert_non_null(page);
	assert_int_equal(times(text, "{page=\"9\",home=\"1\""), 64);
	assert_non_null(strstr(page, "node=\"6\"} 107\n"));
	assert_null(strstr(page, "node=\"5\"} 106\n"));
	page = strstr(page, "smile_page_accesses_total{page=\"3\"");
	assert_non_null(page);
	assert_string_equal(page, last);
}

/* ---- sending ------------------------------------------------------------------------------- */

#define PAGE_BYTES (4U << 20)
/* Long enough for any machine: this time passes only if the test fails. */
#define PATIENCE_MS 300000

static int reader(const struct serve *serve)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)serve->addresses[0].port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char request[128];
	int length =
		snprintf(request, sizeof(request), "GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n",
			 serve->addresses[0].port);

	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(write(fd, request, (size_t)length), length);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

/* The server has work until everything has been sent. */
static void sending_goes_on(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	static char some[1 << 20];
	size_t got = 0;
	char url[64];
	int file, fd;

	assert_int_equal(serve_listen(serve, url, sizeof(url)), TOOL_OK);
	/*
	 * Documents are files, too: a file is sent in parts, even if there is room for all of it.
	 */
	file = memfd_create("page", 0);
	assert_int_equal(ftruncate(file, PAGE_BYTES), 0);
	serve->page = MHD_create_response_from_fd64(PAGE_BYTES, file);
	assert_int_equal(serve_http_begin(serve), TOOL_OK);
	fd = reader(serve);
	while (got < PAGE_BYTES) {
		ssize_t bytes;

		assert_int_equal(serve_http_run(serve, PATIENCE_MS), 1);
		while ((bytes = read(fd, some, sizeof(some))) > 0)
			got += (size_t)bytes;
		assert_int_equal(bytes, -1);
	}
	close(fd);
	serve_http_end(serve);
	MHD_destroy_response(serve->page);
}

/* ---- processes ----------------------------------------------------------------------------- */

static int killed(struct serve *serve, FILE *out)
{
	raise(SIGKILL);
	return TOOL_OK;
}

/* End the process as tool_memory() does. */
static int leaves(struct serve *serve, FILE *out)
{
	exit(tool_error("it leaves"));
}

static int writes(struct serve *serve, FILE *out)
{
	fputs("made", out);
	return TOOL_OK;
}

/* Wait for the end of a child that was started. */
static void await(struct serve *serve, struct serve_product *product)
{
	assert_true(product->child > 0);
	for (unsigned int tries = 0; product->child; tries++) {
		if (tries == PATIENCE_MS)
			fail_msg("the end of the child that makes %s does not come", product->path);
		usleep(1000);
		serve_product_run(serve, product);
	}
}

/* Make a document. Return: the messages that were printed meanwhile; the caller frees them. */
static char *make(struct serve *serve, struct serve_product *product)
{
	FILE *said = tmpfile();
	int kept = dup(STDERR_FILENO);
	char *text = calloc(1, 4096);

	dup2(fileno(said), STDERR_FILENO);
	product->wanted = 1;
	product->next_ns = 0;
	serve_product_run(serve, product);
	await(serve, product);
	dup2(kept, STDERR_FILENO);
	close(kept);
	assert_true(pread(fileno(said), text, 4095, 0) >= 0);
	fclose(said);
	return text;
}

static void one_that_is_killed_is_reported_once(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	struct serve_product product = {.path = "/data.json", .type = "text/plain", .make = killed};
	char *said = make(serve, &product);

	assert_true(product.failed && !product.response);
	assert_non_null(strstr(said, "/data.json"));
	assert_non_null(strstr(said, "signal 9 ("));
	assert_non_null(strstr(said, "no memory"));
	free(said);
	said = make(serve, &product);
	assert_true(product.failed);
	assert_string_equal(said, "");
	free(said);
	product.make = writes;
	said = make(serve, &product);
	assert_true(!product.failed && product.response);
	assert_string_equal(said, "");
	free(said);
	MHD_destroy_response(product.response);
}

static int writes_all(struct serve *serve, FILE *out)
{
	return fputs(serve->behind ? "a part" : "all", out) < 0;
}

/* If recordings are long, neither the first nor the second document is made later than necessary.
 * */
static void what_recordings_held_is_there_at_once(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	struct serve_product product = {
		.path = "/data.json", .type = "text/plain", .make = writes_all, .wanted = 1};

	serve->behind = 1;
	serve->began_ns = tool_now_ns() + 3600 * 1000000000ULL;
	serve_product_run(serve, &product);
	assert_true(!product.child && product.wanted);
	/* The maximum time to wait has passed. */
	serve->began_ns = 0;
	serve_product_run(serve, &product);
	await(serve, &product);
	assert_true(product.response && product.begun_behind);
	product.wanted = 1;
	product.next_ns = UINT64_MAX;
	serve_product_run(serve, &product);
	assert_true(!product.child);
	serve->behind = 0;
	serve_product_run(serve, &product);
	await(serve, &product);
	/* From now on it waits for its turn. */
	product.wanted = 1;
	product.next_ns = UINT64_MAX;
	serve_product_run(serve, &product);
	assert_true(!product.child && !product.begun_behind);
	MHD_destroy_response(product.response);
}

/* A child must not write the data that the server has buffered, for example for a recording. */
static void one_that_leaves_writes_nothing_else(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	struct serve_product product = {.path = "/metrics", .type = "text/plain", .make = leaves};
	FILE *of_the_parent = tmpfile();
	char text[32] = "";
	char *said;

	fputs("once", of_the_parent);
	said = make(serve, &product);
	assert_true(product.failed && strstr(said, "it leaves"));
	free(said);
	fflush(of_the_parent);
	assert_int_equal(pread(fileno(of_the_parent), text, sizeof(text) - 1, 0), 4);
	assert_string_equal(text, "once");
	fclose(of_the_parent);
}

/* ---- texts of documents -------------------------------------------------------------------- */

#define KEY_BYTES 17

/* Store a document of two texts that no other document has; return their keys. */
static void document_take(struct serve *serve, unsigned int number, char keys[2][KEY_BYTES])
{
	json_t *document =
		json_pack("{s:i, s:{s:[o, o]}}", "number", (int)number, "pages", "chunks",
			  json_sprintf("first%u", number), json_sprintf("second%u", number));
	int file = memfd_create("part_test", MFD_CLOEXEC);
	FILE *out = fdopen(dup(file), "w");
	struct MHD_Response *whole;
	char text[4096] = "";
	ssize_t bytes;

	assert_int_equal(serve_parts_write(serve, document, out), 0);
	fclose(out);
	json_decref(document);
	bytes = pread(file, text, sizeof(text) - 1, 0);
	assert_true(bytes > 0 && bytes < (ssize_t)sizeof(text) - 1);
	assert_int_equal(
		sscanf(strstr(text, "\"keys\""), "\"keys\":[\"%16s\",\"%16s\"", keys[0], keys[1]),
		2);
	serve->data.type = "text/plain";
	whole = serve_parts_take(serve, file, (uint64_t)bytes);
	assert_non_null(whole);
	MHD_destroy_response(whole);
}

static int text_ask(struct serve *serve, const char *key)
{
	struct MHD_Response *response = NULL;
	int result = serve_parts_text(serve, key, &response);

	assert_true(!result == !!response);
	if (response)
		MHD_destroy_response(response);
	return result;
}

static void texts_of_the_last_documents_are_there(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	char keys[SERVE_PARTS_NEWEST + 1][2][KEY_BYTES];

	for (unsigned int i = 0; i <= SERVE_PARTS_NEWEST; i++)
		document_take(serve, i, keys[i]);
	assert_int_equal(text_ask(serve, keys[0][0]), -ENOENT);
	for (unsigned int i = 1; i <= SERVE_PARTS_NEWEST; i++)
		for (unsigned int k = 0; k < 2; k++)
			assert_int_equal(text_ask(serve, keys[i][k]), 0);
	serve_parts_end(serve);
	assert_null(serve->parts[0].head);
	assert_int_equal(text_ask(serve, keys[1][0]), -ENOENT);
}

/* A slow reader: many documents are made while it requests the texts of one. */
static void one_that_is_read_stays(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	char read[2][KEY_BYTES], other[2][KEY_BYTES];

	document_take(serve, 0, read);
	assert_int_equal(text_ask(serve, read[0]), 0);
	for (unsigned int i = 1; i < 100; i++)
		document_take(serve, i, other);
	assert_int_equal(text_ask(serve, read[1]), 0);
	assert_int_equal(serve->parts_count, SERVE_PARTS_NEWEST + 1);
	/* Other documents are read, too: the document that was requested last is kept longest. */
	for (unsigned int i = 100; i < 200; i++) {
		document_take(serve, i, other);
		assert_int_equal(text_ask(serve, other[0]), 0);
		assert_int_equal(text_ask(serve, read[0]), 0);
	}
	assert_int_equal(serve->parts_count, SERVE_PARTS_NEWEST + SERVE_PARTS_ASKED);
	for (unsigned int i = 200; i < 210; i++) {
		document_take(serve, i, other);
		assert_int_equal(text_ask(serve, other[0]), 0);
	}
	assert_int_equal(text_ask(serve, read[0]), -ENOENT);
	serve_parts_end(serve);
}

static void large_documents_are_not_kept(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	char small[2][KEY_BYTES], large[2][KEY_BYTES], last[2][KEY_BYTES];

	document_take(serve, 0, large);
	document_take(serve, 1, small);
	assert_int_equal(text_ask(serve, small[0]), 0);
	serve->parts[1].bytes = SERVE_PARTS_BYTES;
	document_take(serve, 2, last);
	assert_int_equal(text_ask(serve, large[0]), -ENOENT);
	assert_int_equal(text_ask(serve, small[0]), 0);
	assert_int_equal(text_ask(serve, last[0]), 0);
	serve_parts_end(serve);
}

/* After the answer "no such text", the reader would give up. In this case, it must try again. */
static void no_files_left_is_not_no_such_text(void **state)
{
	struct serve *serve = &((struct fixture *)*state)->serve;
	struct rlimit before, few;
	char keys[2][KEY_BYTES];
	int there, not_there;

	document_take(serve, 0, keys);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	there = text_ask(serve, keys[0]);
	not_there = text_ask(serve, "0000000000000000");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(there, -EMFILE);
	assert_int_equal(not_there, -ENOENT);
	assert_int_equal(text_ask(serve, keys[0]), 0);
	serve_parts_end(serve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_card_kept_is_new, begin, end),
		cmocka_unit_test_setup_teardown(too_many_nodes_are_summed_up, begin, end),
		cmocka_unit_test_setup_teardown(metrics_report_the_top_pages, begin, end),
		cmocka_unit_test_setup_teardown(sending_goes_on, begin, end),
		cmocka_unit_test_setup_teardown(one_that_is_killed_is_reported_once, begin, end),
		cmocka_unit_test_setup_teardown(what_recordings_held_is_there_at_once, begin, end),
		cmocka_unit_test_setup_teardown(one_that_leaves_writes_nothing_else, begin, end),
		cmocka_unit_test_setup_teardown(texts_of_the_last_documents_are_there, begin, end),
		cmocka_unit_test_setup_teardown(one_that_is_read_stays, begin, end),
		cmocka_unit_test_setup_teardown(large_documents_are_not_kept, begin, end),
		cmocka_unit_test_setup_teardown(no_files_left_is_not_no_such_text, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
