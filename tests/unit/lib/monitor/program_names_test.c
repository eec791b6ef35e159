/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/program_names.c. A program reports its memory; its later accesses are
 * recorded at the program's addresses. An invalid report must never make a recording fail.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

#define CARD_PAGE 0x100022ULL /* page 0x22 of node 1 */
#define BASE 0x200000000000ULL
#define BASE_PAGE (BASE / SMILE_PAGE_BYTES)

struct followed {
	struct Monitor *mon;
	int file;
};

static struct followed follow(void)
{
	struct followed followed = {.file = memfd_create("names", 0)};

	assert_true(followed.file >= 0);
	assert_int_equal(Monitor_open(&followed.mon, "emu:"), 0);
	assert_int_equal(Monitor_names_follow(followed.mon, followed.file), 0);
	assert_int_equal(Monitor_save(followed.mon, scratch_path("names.rec"), "test"), 0);
	assert_int_equal(Monitor_start(followed.mon), 0);
	return followed;
}

static void say(const struct followed *followed, const char *text)
{
	assert_int_equal(write(followed->file, text, strlen(text)), strlen(text));
}

/* Node 0 reads a word of page @page; then the card swaps its counts out. */
static void count(struct Monitor *mon, uint64_t page, unsigned int offset)
{
	uint64_t request = Monitor_request(0, 1, SMILE_TYPE_READ, page * SMILE_PAGE_BYTES + offset);
	uint64_t time_ns = 0;

	assert_int_equal(Monitor_requests(mon, &request, &time_ns, 1), 1);
	assert_true(Monitor_swap(mon) >= 0);
}

static void end(struct followed *followed, int result)
{
	assert_int_equal(Monitor_stop(followed->mon), 0);
	assert_true(Monitor_swap(followed->mon) >= 0);
	assert_int_equal(Monitor_names_end(followed->mon), result);
	assert_int_equal(Monitor_names_end(followed->mon), -ENOENT);
	assert_int_equal(Monitor_close(followed->mon), 0);
	close(followed->file);
}

static struct Monitor *recording(void)
{
	char name[512];
	struct Monitor *mon;

	snprintf(name, sizeof(name), "file:%s", scratch_path("names.rec"));
	assert_int_equal(Monitor_open(&mon, name), 0);
	while (Monitor_poll(mon, 0) > 0)
		;
	return mon;
}

static uint64_t accesses(struct Monitor *mon, uint64_t page)
{
	struct Monitor_histogram_row rows[4];
	int count = Monitor_histogram_page(mon, page, 1, rows, 4);
	uint64_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += rows[i].accesses;
	return sum;
}

static void accesses_have_the_program_s_addresses(void **state)
{
	struct followed followed = follow();
	struct Monitor_variable variable;
	struct Monitor_place place;
	struct Monitor *mon;

	/*
	 * Accesses before the report, and outside the reported memory, keep the addresses of the
	 * card.
	 */
	count(followed.mon, CARD_PAGE, 0);
	say(&followed, "region 200000000000 200000004000 800 grid\n"
		       "pages 100020 4 200000000\npages 200020 4 200000000\n"
		       "homes 200000000 00010100\n");
	count(followed.mon, CARD_PAGE, 8);
	count(followed.mon, CARD_PAGE, 0xff8);
	count(followed.mon, CARD_PAGE + 2, 8);
	/* A page frame of another node contains the same page of the program. */
	count(followed.mon, CARD_PAGE + 0x100000, 8);
	end(&followed, 0);

	mon = recording();
	assert_int_equal(accesses(mon, CARD_PAGE), 1);
	assert_int_equal(accesses(mon, CARD_PAGE + 2), 1);
	assert_int_equal(accesses(mon, BASE_PAGE + 2), 3);
	assert_int_equal(Monitor_page_home(mon, BASE_PAGE + 1), 1);
	assert_int_equal(Monitor_page_home(mon, BASE_PAGE + 3), 0);
	assert_int_equal(Monitor_variables(mon, &variable, 1), 1);
	assert_string_equal(variable.name, "grid");
	assert_int_equal(variable.item_bytes, 0x800);
	assert_int_equal(Monitor_variable_find(mon, BASE + 0x2810, &place), 0);
	assert_string_equal(place.name, "grid[5]+16");
	assert_int_equal(place.start, BASE + 0x2800);
	assert_int_equal(place.bytes, 0x800);
	Monitor_close(mon);
}

static void a_page_that_has_moved_has_no_home(void **state)
{
	struct followed followed = follow();
	struct Monitor *mon;

	say(&followed, "homes 10 00010203\nmoved 11 2\nhomes 13 03\n");
	end(&followed, 0);
	mon = recording();
	assert_int_equal(Monitor_page_home(mon, 0x10), 0);
	assert_int_equal(Monitor_page_home(mon, 0x11), -ENOENT);
	assert_int_equal(Monitor_page_home(mon, 0x12), -ENOENT);
	assert_int_equal(Monitor_page_home(mon, 0x13), 3);
	Monitor_close(mon);

	/* If two spaces have placed a page on different nodes, the page has no home either. */
	followed = follow();
	say(&followed, "homes 10 0001\nhomes 10 0002\n");
	end(&followed, 0);
	mon = recording();
	assert_int_equal(Monitor_page_home(mon, 0x10), 0);
	assert_int_equal(Monitor_page_home(mon, 0x11), -ENOENT);
	Monitor_close(mon);
}

static void a_later_space_takes_the_pages_over(void **state)
{
	struct followed followed = follow();
	struct Monitor *mon;

	say(&followed, "pages 100020 4 300\n");
	count(followed.mon, CARD_PAGE, 0);
	say(&followed, "pages 100021 4 400\n");
	count(followed.mon, CARD_PAGE, 0);
	count(followed.mon, CARD_PAGE - 2, 0);
	end(&followed, 0);
	mon = recording();
	assert_int_equal(accesses(mon, 0x302), 1);
	assert_int_equal(accesses(mon, 0x401), 1);
	assert_int_equal(accesses(mon, 0x300), 1);
	Monitor_close(mon);
}

static void what_is_not_understood_is_left_out(void **state)
{
	static const char *const bad[] = {
		"pages",
		"pages 1 0 1",
		"pages 1 1",
		"pages 1 1 1 1",
		"pages 1 1 1000000000",
		"pages fffffffff 2 1",
		"pages -1 1 1",
		"pages 11111111111111111 1 1",
		"pages X 1 1",
		"homes 1 0",
		"homes 1 0g",
		"homes 1",
		"homes fffffffff 0000",
		"moved 1",
		"moved 1 0",
		"moved 1 1 1",
		"region 1000 1000 0 a",
		"region 1000 2000 1001 a",
		"region 1000 2000 0 ",
		"region 1000 2000 0",
		"region 1000 1000000000001 0 a",
	};
	struct Monitor *mon;
	char text[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct followed followed = follow();

		/* An unknown word is ignored, because a later release may define it. */
		snprintf(text, sizeof(text), "later 1 2 3\n%s%s\npages 100022 1 7\n", bad[i],
			 strchr(bad[i], ' ') ? "" : " ");
		say(&followed, text);
		count(followed.mon, CARD_PAGE, 0);
		end(&followed, -EPROTO);
		assert_non_null(strstr(Monitor_error_message(), "no names"));
		mon = recording();
		assert_int_equal(accesses(mon, 7), 1);
		Monitor_close(mon);
	}
}

static void a_line_is_taken_when_it_is_whole(void **state)
{
	struct followed followed = follow();
	struct Monitor *mon;
	char *line = malloc(20000);

	say(&followed, "pages 100022 1 7");
	count(followed.mon, CARD_PAGE, 0);
	say(&followed, "7\n");
	count(followed.mon, CARD_PAGE, 0);
	/*
	 * The line is too long to be valid. It begins with a control character, which must not get
	 * into a message.
	 */
	memset(line, 'x', 20000);
	memcpy(line, "\033[31mpages", 10);
	memcpy(line + 19998, "\n", 2);
	say(&followed, line);
	say(&followed, "pages 100023 1 8\n");
	count(followed.mon, CARD_PAGE + 1, 0);
	assert_int_equal(Monitor_stop(followed.mon), 0);
	assert_true(Monitor_swap(followed.mon) >= 0);
	assert_int_equal(Monitor_names_end(followed.mon), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "line 2"));
	assert_non_null(strstr(Monitor_error_message(), "'?[31mpages"));
	assert_int_equal(Monitor_close(followed.mon), 0);
	close(followed.file);
	mon = recording();
	assert_int_equal(accesses(mon, CARD_PAGE), 1);
	assert_int_equal(accesses(mon, 0x77), 1);
	assert_int_equal(accesses(mon, 8), 1);
	Monitor_close(mon);
	free(line);
}

/*
 * The program never stops writing names. The names are ignored from some point on, but the counts
 * continue.
 */
static void too_many_are_reported(void **state)
{
	struct followed followed = follow();
	struct Monitor *mon;
	char text[64];

	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "region %x000 %x000 0 r%d\n", i + 1, i + 2, i);
		say(&followed, text);
	}
	say(&followed, "pages 100022 1 7\n");
	count(followed.mon, CARD_PAGE, 0);
	end(&followed, -E2BIG);
	mon = recording();
	assert_int_equal(Monitor_regions(mon, NULL, 0), 4096);
	assert_int_equal(accesses(mon, 7), 1);
	Monitor_close(mon);
}

static void only_a_card_is_followed_from_its_first_record(void **state)
{
	struct followed followed = follow();
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_names_follow(followed.mon, followed.file), -EBUSY);
	end(&followed, 0);
	mon = recording();
	assert_int_equal(Monitor_names_follow(mon, 0), -EOPNOTSUPP);
	assert_int_equal(Monitor_names_end(mon), -ENOENT);
	Monitor_close(mon);
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.mode |= SMILE_MODE_NARROW;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_names_follow(mon, 0), -EOPNOTSUPP);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_have_the_program_s_addresses),
		cmocka_unit_test(a_page_that_has_moved_has_no_home),
		cmocka_unit_test(a_later_space_takes_the_pages_over),
		cmocka_unit_test(what_is_not_understood_is_left_out),
		cmocka_unit_test(a_line_is_taken_when_it_is_whole),
		cmocka_unit_test(too_many_are_reported),
		cmocka_unit_test(only_a_card_is_followed_from_its_first_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
