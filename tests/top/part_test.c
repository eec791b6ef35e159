/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the parts of `smile top` that use no terminal: the source, with a clock that the test
 * controls; the effects of keys; and the contents of the screen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"
#include "tests/unit/request_packets.h"
#include "tools/common/tool.h"
#include "tools/top/top.h"

const char *tool_name(void)
{
	return "part_test";
}

/* ---- traffic ------------------------------------------------------------------------------- */

static uint64_t clock_now_ns = 1000000000;

static uint64_t test_clock(void)
{
	return clock_now_ns;
}

/* ---- live ---------------------------------------------------------------------------------- */

static char scratch[64];

static char *grown(const char *name, struct Monitor **mon, unsigned int node)
{
	struct smile_config config;
	char *path;

	assert_true(asprintf(&path, "%s/%s", scratch, name) > 0);
	assert_int_equal(Monitor_open(mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(*mon, &config), 0);
	assert_int_equal(Monitor_save(*mon, path, "test"), 0);
	assert_int_equal(Monitor_start(*mon), 0);
	return path;
}

static void interval_is_of_the_clock_that_was_given(void **state)
{
	struct config_options config;
	struct live_options options = {
		.sources_count = 1, .config = &config, .clock_ns = test_clock};
	struct live_interval interval;
	struct Monitor *mon;
	struct live *live;
	char *path = grown("grow.rec", &mon, 0);

	config_options_init(&config);
	options.sources = &path;
	assert_int_equal(live_open(&live, &options), TOOL_OK);
	assert_int_equal(live->kind, LIVE_RECORDINGS);
	assert_int_equal(live_poll(live, 0), 0);
	request_packets(mon, 10, 1, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_poll(live, 0), LIVE_RECORDS);
	clock_now_ns += 500000000;
	live_look(live, &interval);
	assert_true(interval.seconds == 0.5 && interval.records == 1 && interval.events == 10);
	assert_true(live_rate(interval.events, &interval) == 20.0 && !interval.packets_known);
	/* If no time has passed, there is no rate. */
	live_look(live, &interval);
	assert_true(interval.records == 0 && live_rate(5, &interval) == 0);

	clock_now_ns += 2000000000;
	request_packets(mon, 8, 1, 0, BLINK_WRITESB, 6);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_totals(live)->loss.known, 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(live_poll(live, 0), LIVE_RECORDS | LIVE_PROGRAM | LIVE_STATE);
	assert_int_equal(live->state, LIVE_ENDED);
	live_look(live, &interval);
	assert_true(interval.seconds == 2.0 && interval.events == 8);
	assert_true(live_totals(live)->loss.known && live_totals(live)->loss.accepted == 18);
	assert_int_equal(live_totals(live)->time_ns, 2500000000);
	assert_int_equal(live_poll(live, 100000), 0);
	assert_int_equal(live_end(live), TOOL_OK);
	free(path);
}

static void second_pass(unsigned int seconds)
{
	clock_now_ns += seconds * 1000000000ULL;
}

static const char *note_of(const struct live *live, size_t index)
{
	static char text[LIVE_TEXT_BYTES];

	return live_member_note(live, &live->members[index], text);
}

/* One recording is late and continues later; the other one continues without a pause. */
static void recording_that_is_late_is_named(void **state)
{
	struct config_options config;
	struct live_options options = {
		.sources_count = 2, .config = &config, .clock_ns = test_clock};
	struct Monitor *mon[2];
	char *paths[2], notes[64];
	struct live *live;

	config_options_init(&config);
	paths[0] = grown("grow.rec", &mon[0], 0);
	paths[1] = grown("other.rec", &mon[1], 4);
	options.sources = paths;
	assert_int_equal(live_open(&live, &options), TOOL_OK);
	second_pass(12);
	request_packets(mon[0], 10, 1, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon[0]) > 0);
	assert_int_equal(live_poll(live, 0), LIVE_RECORDS);
	assert_string_equal(note_of(live, 0), "");
	assert_string_equal(note_of(live, 1), "no records for 12 s");
	assert_int_equal(live_quiet(live), 1);
	live_notes(live, notes, sizeof(notes));
	assert_string_equal(notes, "node 4: no records for 12 s");
	live_notes(live, notes, 12);
	assert_string_equal(notes, "node 4: no ");

	request_packets(mon[1], 3, 1, 4, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon[1]) > 0);
	assert_int_equal(live_poll(live, 0), LIVE_RECORDS);
	assert_string_equal(note_of(live, 1), "");
	second_pass(LIVE_QUIET_NS / 1000000000 - 1);
	assert_string_equal(note_of(live, 1), "");
	second_pass(1);
	assert_string_equal(note_of(live, 0), "no records for 5 s");
	assert_int_equal(live_mark(live), LIVE_TROUBLE);
	assert_non_null(strstr(live->trouble, "nothing was marked"));

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(Monitor_stop(mon[i]), 0);
		assert_int_equal(Monitor_swap(mon[i]), 0);
		assert_int_equal(Monitor_close(mon[i]), 0);
		assert_int_equal(live_poll(live, 0), LIVE_PROGRAM | (i ? LIVE_STATE : LIVE_MEMBER));
		assert_int_equal(live->members[i].state, LIVE_ENDED);
		assert_true(live->members[i].closed);
		live_totals(live);
		assert_int_equal(live->members[i].loss.accepted, i ? 3 : 10);
		free(paths[i]);
	}
	second_pass(100);
	assert_string_equal(note_of(live, 1), "");
	assert_int_equal(live_end(live), TOOL_OK);
}

/* Poll until files were searched for several times. @grows: a recording that grows at each turn */
static void looks_pass(struct live *live, struct Monitor *grows)
{
	uint64_t until = tool_now_ns() + 1600000000;

	while (tool_now_ns() < until) {
		request_packets(grows, 1, 1, 0, BLINK_READSB, 5);
		assert_true(Monitor_swap(grows) > 0);
		assert_int_equal(live_attend(live), 0);
		usleep(20000);
	}
}

static void attend_until_anew(struct live *live)
{
	while (!(live_attend(live) & LIVE_ANEW))
		usleep(20000);
}

/* A recording that fits no view, and grows, is tried only once. */
static void recording_that_does_not_fit_is_tried_once(void **state)
{
	struct config_options config;
	struct live_options options = {
		.sources_count = 2, .config = &config, .clock_ns = test_clock};
	struct Monitor *mon[2];
	char *paths[2];
	struct live *live;
	uint64_t anew;

	config_options_init(&config);
	paths[0] = grown("grow.rec", &mon[0], 0);
	assert_true(asprintf(&paths[1], "%s/other.rec", scratch) > 0);
	options.sources = paths;
	assert_int_equal(live_open(&live, &options), TOOL_OK);
	assert_string_equal(note_of(live, 1), "there is no such recording yet");
	free(grown("other.rec", &mon[1], 0));
	attend_until_anew(live);
	assert_non_null(strstr(note_of(live, 1), "both of node 0"));
	anew = live_anew(live);
	looks_pass(live, mon[1]);
	assert_int_equal(live_anew(live), anew);
	/* Another file in its place is tried again, and succeeds. */
	assert_int_equal(Monitor_close(mon[1]), 0);
	free(grown("other.rec", &mon[1], 1));
	attend_until_anew(live);
	assert_string_equal(note_of(live, 1), "");
	looks_pass(live, mon[1]);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(Monitor_close(mon[i]), 0);
		free(paths[i]);
	}
	assert_int_equal(live_end(live), TOOL_OK);
}

static int gone_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		     int timeout_ms)
{
	return Monitor_error_set(ENODEV, "the card is gone");
}

static int gone_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	return Monitor_error_set(ENODEV, "the card is gone");
}

/* A card is unplugged while two cards count: its name and its counts are shown. */
static void card_that_is_gone_is_named_and_the_other_goes_on(void **state)
{
	struct Monitor *parts[2];
	struct live_member members[2] = {{.name = "dev:0"}, {.name = "dev:1"}};
	struct live live = {.members = members, .members_count = 2, .kind = LIVE_CARD};
	struct live_interval interval;
	struct smile_source_ops ops;
	struct smile_config config;
	char notes[LIVE_TEXT_BYTES];

	Monitor_config_default(&config);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(Monitor_open(&parts[i], "emu:"), 0);
		config.node = (__u32)i;
		assert_int_equal(Monitor_config_set(parts[i], &config), 0);
		members[i].mon = parts[i];
	}
	assert_int_equal(Monitor_merge(&live.mon, parts, 2), 0);
	live_begin(&live, test_clock);
	assert_int_equal(Monitor_start(live.mon), 0);
	request_packets(parts[0], 10, 1, 0, BLINK_READSB, 5);
	request_packets(parts[1], 20, 0, 1, BLINK_READSB, 6);
	assert_int_equal(live_look(&live, &interval), LIVE_RECORDS);
	assert_true(interval.events == 30);

	ops = *parts[1]->streams[0].source->ops;
	ops.read = gone_read;
	ops.statistics = gone_statistics;
	parts[1]->streams[0].source->ops = &ops;
	assert_int_equal(live_poll(&live, 0), LIVE_TROUBLE | LIVE_MEMBER);
	assert_string_equal(live.trouble, "node 1 (dev:1): the card is gone");
	assert_string_equal(live.members[1].trouble, "the card is gone");
	request_packets(parts[0], 7, 1, 0, BLINK_READSB, 5);
	assert_int_equal(live_look(&live, &interval), LIVE_RECORDS);
	assert_true(interval.events == 7 && live.state == LIVE_RUNNING);
	live_notes(&live, notes, sizeof(notes));
	assert_string_equal(notes, "node 1: failed with 20 delivered + 0 lost: the card is gone");
	assert_true(live_totals(&live)->loss.known && live_totals(&live)->loss.accepted == 37);

	parts[0]->streams[0].source->ops = &ops;
	assert_int_equal(live_poll(&live, 0), LIVE_TROUBLE | LIVE_STATE);
	assert_int_equal(live.state, LIVE_FAILED);
	Monitor_close(live.mon);
	for (size_t i = 0; i < 2; i++)
		Monitor_close(parts[i]);
}

/* ---- screen -------------------------------------------------------------------------------- */

static void counts_take_six_columns(void **state)
{
	const struct {
		double count;
		const char *text;
	} cases[] = {
		{0, "0"},	   {0.25, "0.2"},	{9.96, "10"},	   {7, "7"},
		{99999, "99999"},  {99999.7, "100k"},	{123456, "123k"},  {999499, "999k"},
		{999500, "1.00M"}, {1234567, "1.23M"},	{99.96e6, "100M"}, {5e9, "5.00G"},
		{1.8e19, "18.0E"}, {1.8e23, "180000E"},
	};
	char text[TOP_COUNT_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(top_count(text, cases[i].count), cases[i].text);
}

static void screen_keeps_to_itself(void **state)
{
	struct top_screen screen;
	char *line;

	assert_int_equal(top_screen_new(&screen, 3, 10), 0);
	top_put(&screen, 0, 7, TOP_PLAIN, "abcdef");
	top_put(&screen, 5, 0, TOP_PLAIN, "nowhere");
	top_put(&screen, 1, 12, TOP_PLAIN, "nowhere");
	top_put_right(&screen, 1, 3, TOP_PLAIN, "long");
	top_put(&screen, 1, 0, TOP_PLAIN, "\x1b[2J\xff");
	top_put(&screen, 1, 6, TOP_PLAIN,
		"\xe4\xb8\xad"
		"e\xcc\x81");
	line = top_screen_line(&screen, 0);
	assert_string_equal(line, "       ab~");
	free(line);
	line = top_screen_line(&screen, 1);
	assert_string_equal(line, "?[2J? \xe4\xb8\xad"
				  "e\xcc\x81");
	free(line);
	/*
	 * U+0080, U+009B (the start of a terminal's control sequence) and U+009F; U+00A0 and above
	 * are text.
	 */
	top_put(&screen, 2, 0, TOP_PLAIN,
		"\xc2\x80\xc2\x9b"
		"2J\xc2\x9f\xc2\xa0\xc3\x9b");
	line = top_screen_line(&screen, 2);
	assert_string_equal(line, "??2J?\xc2\xa0\xc3\x9b");
	free(line);
	top_screen_free(&screen);
}

static void matrix_folds_by_powers_of_two(void **state)
{
	struct top_fold fold = top_matrix_fold(4, false, 8, 80);

	assert_true(fold.nodes == 1 && fold.groups == 4);
	fold = top_matrix_fold(64, false, 8, 80);
	assert_true(fold.nodes == 8 && fold.groups == 8);
	fold = top_matrix_fold(64, false, 8, 30);
	assert_true(fold.nodes == 32 && fold.groups == 2);
	fold = top_matrix_fold(9, false, 8, 80);
	assert_true(fold.nodes == 2 && fold.groups == 5);
	assert_int_equal(top_matrix_fold(64, false, 8, 20).groups, 0);
	assert_int_equal(top_matrix_fold(0, false, 8, 80).groups, 0);
	assert_int_equal(top_matrix_fold(1, false, 8, 80).groups, 0);
}

/*
 * Samples: cells are wider and have two lines, and a node's own samples are not part of the mean.
 */
static void matrix_of_samples(void **state)
{
	const uint64_t counts[] = {1000, 60, 3, 30, 0, 0, 20, 0, 900};
	struct top_fold fold = top_matrix_fold(4, true, 8, 80);
	struct top_limit limit = top_matrix_limit(counts, 3, true, 1.2);
	char text[TOP_BAND_BYTES];

	assert_true(fold.nodes == 1 && fold.groups == 4 && fold.lines == 2);
	fold = top_matrix_fold(4, true, 7, 80);
	assert_true(fold.nodes == 2 && fold.groups == 2);
	fold = top_matrix_fold(5, true, 100, 80);
	assert_true(fold.nodes == 2 && fold.groups == 3);
	/*
	 * The mean is 28.25, the limit 33.9: the band of 60 starts at 45.8, the band of 30 at 20.2.
	 */
	assert_true(limit.mean == 28.25);
	for (size_t i = 0; i < 9; i++)
		assert_int_equal(top_matrix_exceeds(&limit, counts, 3, i), i == 1);
	assert_string_equal(top_band(text, 0), "[0-4]");
	assert_string_equal(top_band(text, 500), "[457-546]");
	/* Rounded outwards from 122768.1 to 124147.8, and from 1232391.1 to 1236746.7. */
	assert_string_equal(top_band(text, 123456), "[122k-125k]");
	assert_string_equal(top_band(text, 1234567), "[1.23M-1.24M]");
}

/* A snapshot without a source: 16 nodes, one pair of which is a bottleneck. */
static struct top_snapshot *made_up(void)
{
	static struct top_snapshot snapshot;
	static struct top_page pages[3];
	static uint64_t now[256], total[256];

	memset(now, 0, sizeof(now));
	memset(total, 0, sizeof(total));
	now[1 * 16 + 0] = 1000;
	now[2 * 16 + 9] = 10;
	now[3 * 16 + 9] = 30;
	total[15 * 16 + 14] = 123456;
	pages[0] = (struct top_page){
		.live = {.page = 65536,
			 .home = 0,
			 .dominant = 1,
			 .dominant_accesses = 75,
			 .nodes_accesses = 100,
			 .total = {110, 100, 10, 0},
			 .now = {50, 50, 0, 0},
			 .cost = 100200,
			 .cost_now = 50000},
		.where = "grid+0x0",
	};
	pages[1] = (struct top_page){
		.live = {.page = 68719476735,
			 .home = 9,
			 .dominant = 15,
			 .dominant_accesses = 1,
			 .nodes_accesses = 1,
			 .total = {7, 0, 0, 7},
			 .now = {1, 0, 0, 1},
			 .cost = 7000,
			 .cost_now = 1000},
		.where = "a_very_long_name_of_a_variable[130][17].position.x",
	};
	pages[2] = pages[0];
	pages[2].live.page = 1;
	snapshot = (struct top_snapshot){
		.name = "dev:0",
		.kind = LIVE_CARD,
		.trouble = "",
		.node = 3,
		.nodes = 16,
		.cards = 1,
		.phases = 2,
		.phase_name = "solve",
		.interval = {.seconds = 2,
			     .records = 20,
			     .events = 1040,
			     .packets = 4000,
			     .packets_known = 1},
		.totals =
			{.records = 1234,
			 .time_ns = 3723000000000,
			 .loss = {.accepted = 5000, .delivered = 4900, .pending = 100, .known = 1},
			 .statistics_known = 1},
		.transfers = now,
		.transfers_total = total,
		.transfers_nodes = 16,
		.pages = pages,
		.pages_count = 3,
		.pages_all = 40,
		.pages_active = 3,
	};
	snapshot.totals.statistics.packets_seen = 20000;
	return &snapshot;
}

static void shows(const struct top_state *state, const struct top_snapshot *snapshot, size_t rows,
		  size_t columns, const char *expected)
{
	struct top_screen screen;
	char text[16384] = "";

	assert_int_equal(top_screen_new(&screen, rows, columns), 0);
	top_layout(&screen, state, snapshot);
	for (size_t row = 0; row < rows; row++) {
		char *line = top_screen_line(&screen, row);

		strcat(text, line);
		strcat(text, "\n");
		free(line);
	}
	top_screen_free(&screen);
	/* The text is the whole screen: update it when the layout changes. */
	if (strcmp(text, expected))
		fail_msg("it shows:\n%s", text);
}

static const struct top_state usual = {.interval_ns = 2000000000, .threshold = 2};

static void screen_of_80_columns(void **state)
{
	shows(&usual, made_up(), 24, 80,
	      "smile top  dev:0  node 3  counting                            every 2 s  1:02:03\n"
	      "now      packets 2000/s  records 10/s  accesses 520/s  lost 0/s\n"
	      "total    packets 20,000  records 1,234  pages 40 (3 now)  phases 2 (solve)\n"
	      "events   5,000 accepted = 4,900 delivered + 0 lost + 100 to come\n"
	      "\n"
	      "Run-time transfer, accesses/s now; * = more than 2 x the mean of 173\n"
	      "from \\ to    0-1     2-3     4-5     6-7     8-9   10-11   12-13   14-15\n"
	      "     0-1     500*      .       .       .       .       .       .       .\n"
	      "     2-3       .       .       .       .      20       .       .       .\n"
	      "     4-5       .       .       .       .       .       .       .       .\n"
	      "     6-7       .       .       .       .       .       .       .       .\n"
	      "     8-9       .       .       .       .       .       .       .       .\n"
	      "   10-11       .       .       .       .       .       .       .       .\n"
	      "   12-13       .       .       .       .       .       .       .       .\n"
	      "   14-15       .       .       .       .       .       .       .       .\n"
	      "\n"
	      "         PAGE HOME  NOW/S  TOTAL   RD/S   WR/S   LK/S COST/S NODE ITS%  WHERE\n"
	      ">       65536    0     25    110     25      0      0  25000    1  75%  grid+0x0\n"
	      "  68719476735    9    0.5      7      0      0    0.5    500   15 100%  a_ver~.x\n"
	      "            1    0     25    110     25      0      0  25000    1  75%  grid+0x0\n"
	      "\n"
	      "\n"
	      "\n"
	      "q quit  h help  s sort  t total/now  p pause  Enter sections  r reset  +/- time\n");
}

static void screen_that_is_narrow(void **state)
{
	struct top_snapshot *snapshot = made_up();

	snapshot->first = 1;
	snapshot->totals.loss.lost = 12;
	snapshot->trouble = "the disk is full";
	shows(&usual, snapshot, 14, 40,
	      "smile top  dev:0  node 3  counting\n"
	      "now      the first interval is not over\n"
	      "total    packets 20,000  records 1,234 ~\n"
	      "events   5,000 != 4,900 + 12 lost + 100~\n"
	      "the disk is full\n"
	      "Run-time transfer, accesses in total; *~\n"
	      "from \\ to    0-7    8-15\n"
	      "     0-7       .       .\n"
	      "    8-15       .    123k\n"
	      "\n"
	      "         PAGE HOME  TOTAL NODE ITS%\n"
	      ">       65536    0    110    1  75%\n"
	      "  68719476735    9      7   15 100%\n"
	      "q quit  h help  s sort  t total/now  p ~\n");
}

/* An error is shown even on a screen without a row for it. */
static void screen_that_is_low(void **state)
{
	struct top_snapshot *snapshot = made_up();

	snapshot->kind = LIVE_RECORDINGS;
	snapshot->state = LIVE_ENDED;
	snapshot->unclosed = 1;
	snapshot->trouble = "the disk is full";
	snprintf(snapshot->notes, sizeof(snapshot->notes), "node 1: its recording was not closed");
	shows(&usual, snapshot, 5, 60,
	      "smile top  dev:0  node 3  recording not closed\n"
	      "the disk is full; node 1: its recording was not closed\n"
	      "total    packets 20,000  records 1,234  pages 40 (3 now)  p~\n"
	      "events   5,000 = 4,900 + 0 lost + 100 to come\n"
	      "q quit  h help  s sort  t total/now  p pause  Enter section~\n");
}

/* Any size can be drawn, in any state, and nothing is written outside of the screen. */
static void screen_of_any_size(void **state)
{
	struct top_snapshot *snapshot = made_up();
	const struct run_facts faults = {.samples.source = "faults"};

	snapshot->sections_count = 64;
	snapshot->section_bytes = 64;
	snapshot->straddling = 3;
	for (size_t rows = 0; rows < 30; rows++) {
		for (size_t columns = 0; columns < 90; columns += 1 + columns / 8) {
			for (unsigned int what = 0; what < 16; what++) {
				struct top_state one = usual;
				struct top_screen screen;

				snapshot->sampled = what & 8 ? &faults : NULL;
				one.help = what % 8 == 1;
				one.section.open = what % 8 == 2;
				one.paper = what % 8 == 3;
				one.sort = what % TOP_SORTS;
				one.selected = what & 4 ? 2 : 0;
				assert_int_equal(top_screen_new(&screen, rows, columns), 0);
				top_layout(&screen, &one, snapshot);
				top_screen_free(&screen);
			}
		}
	}
}

static void sections_show_reads_and_writes(void **state)
{
	struct top_state one = usual;
	struct top_snapshot *snapshot = made_up();

	one.section.open = 1;
	snapshot->sections_page = 65536;
	snapshot->sections_count = 2;
	snapshot->section_bytes = top_sections_size(4);
	assert_int_equal(snapshot->section_bytes, 2048);
	snapshot->sections[0] = (struct top_section){.accesses = 8, .reads = 6, .writes = 2};
	snapshot->sections[1] = (struct top_section){.accesses = 4, .writes = 4, .dominant = 2};
	snapshot->straddling = 5;
	shows(&one, snapshot, 10, 60,
	      "smile top  dev:0  node 3  counting        every 2 s  1:02:03\n"
	      "now      packets 2000/s  records 10/s  accesses 520/s  lost~\n"
	      "total    packets 20,000  records 1,234  pages 40 (3 now)  p~\n"
	      "events   5,000 = 4,900 + 0 lost + 100 to come\n"
	      "\n"
	      "Page 65536 of node 0, sections of 2048 bytes, in total; 5 a~\n"
	      "   OFFSET ACCESSES    READS   WRITES   NODE     r reads, w ~\n"
	      "        0        8        6        2      0     rrrrrrrrrwww\n"
	      "     2048        4        0        4      2     wwwwww\n"
	      "Enter back  p pause  r reset  +/- interval  h help  q quit\n");
	assert_int_equal(top_sections_size(0), 4096);
	assert_int_equal(top_sections_size(1000), 64);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void keys_move_and_sort(void **state)
{
	struct top_snapshot *snapshot = made_up();
	struct top_state one = usual;

	top_key(&one, snapshot, 'j', 2);
	assert_int_equal(one.selected, 1);
	top_key(&one, snapshot, TOP_KEY_END, 2);
	top_key(&one, snapshot, TOP_KEY_DOWN, 2);
	assert_int_equal(one.selected, 2);
	top_key(&one, snapshot, TOP_KEY_UP, 2);
	top_key(&one, snapshot, TOP_KEY_PAGE_UP, 2);
	top_key(&one, snapshot, 'k', 2);
	assert_int_equal(one.selected, 0);
	top_key(&one, snapshot, 's', 2);
	assert_true(one.sort == TOP_SORT_TOTAL && one.again);
	top_key(&one, snapshot, 's', 2);
	top_key(&one, snapshot, 's', 2);
	assert_int_equal(one.sort, TOP_SORT_RATE);
	top_key(&one, snapshot, 't', 2);
	assert_int_equal(one.totals, 1);
	snapshot->pages_count = 0;
	top_key(&one, snapshot, TOP_KEY_END, 2);
	top_key(&one, snapshot, TOP_KEY_ENTER, 2);
	assert_true(one.selected == 0 && !one.section.open);
}

static void keys_set_the_interval(void **state)
{
	struct top_snapshot *snapshot = made_up();
	struct top_state one = usual;

	top_key(&one, snapshot, '+', 2);
	assert_int_equal(one.interval_ns, 5000000000);
	for (int i = 0; i < 20; i++)
		top_key(&one, snapshot, '-', 2);
	assert_int_equal(one.interval_ns, 100000000);
	for (int i = 0; i < 20; i++)
		top_key(&one, snapshot, '=', 2);
	assert_int_equal(one.interval_ns, 60000000000);
	top_key(&one, snapshot, 'p', 2);
	assert_int_equal(one.paused, 1);
	top_key(&one, snapshot, ' ', 2);
	assert_int_equal(one.paused, 0);
	top_key(&one, snapshot, 'r', 2);
	assert_int_equal(one.reset, 1);
}

static void keys_open_and_close(void **state)
{
	struct top_snapshot *snapshot = made_up();
	struct top_state one = usual;

	top_key(&one, snapshot, TOP_KEY_DOWN, 2);
	top_key(&one, snapshot, TOP_KEY_ENTER, 2);
	assert_true(one.section.open && one.section.page == 68719476735 && one.section.home == 9);
	/* The list is not shown, so the selection must not move. */
	top_key(&one, snapshot, TOP_KEY_DOWN, 2);
	assert_int_equal(one.selected, 1);
	top_key(&one, snapshot, TOP_KEY_BACK, 2);
	assert_int_equal(one.section.open, 0);
	top_key(&one, snapshot, '?', 2);
	assert_int_equal(one.help, 1);
	top_key(&one, snapshot, 's', 2);
	assert_true(!one.help && one.sort == TOP_SORT_RATE && !one.quit);
	top_key(&one, snapshot, 'h', 2);
	top_key(&one, snapshot, 'q', 2);
	assert_int_equal(one.quit, 1);
}

static int scratch_make(void **state)
{
	snprintf(scratch, sizeof(scratch), "/tmp/smile-top-XXXXXX");
	return mkdtemp(scratch) ? 0 : -1;
}

static int scratch_remove(void **state)
{
	static const char *const names[] = {"grow.rec", "other.rec"};
	char path[96];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", scratch, names[i]);
		unlink(path);
	}
	return rmdir(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(interval_is_of_the_clock_that_was_given,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(recording_that_is_late_is_named, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(recording_that_does_not_fit_is_tried_once,
						scratch_make, scratch_remove),
		cmocka_unit_test(card_that_is_gone_is_named_and_the_other_goes_on),
		cmocka_unit_test(counts_take_six_columns),
		cmocka_unit_test(screen_keeps_to_itself),
		cmocka_unit_test(matrix_folds_by_powers_of_two),
		cmocka_unit_test(matrix_of_samples),
		cmocka_unit_test(screen_of_80_columns),
		cmocka_unit_test(screen_that_is_narrow),
		cmocka_unit_test(screen_that_is_low),
		cmocka_unit_test(screen_of_any_size),
		cmocka_unit_test(sections_show_reads_and_writes),
		cmocka_unit_test(keys_move_and_sort),
		cmocka_unit_test(keys_set_the_interval),
		cmocka_unit_test(keys_open_and_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
