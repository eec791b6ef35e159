/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/source/static_tables.c: the tables of the static array are made, checked and set. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/source/static_tables.h"
#include "tests/unit/lib_fixture.h"

#define READS (SMILE_FILTER_READ | SMILE_FILTER_REQUEST)
#define GLOBAL(event) ((int)SMILE_STATIC_GLOBAL + (event))

static struct smile_static empty(void)
{
	struct smile_static tables;

	memset(&tables, 0x5a, sizeof(tables));
	Monitor_static_default(&tables);
	return tables;
}

static void says(const char *word)
{
	if (!strstr(Monitor_error_message(), word))
		fail_msg("\"%s\" does not say \"%s\"", Monitor_error_message(), word);
}

/* ---- building ------------------------------------------------------------------------------- */

static void static_default_is_empty(void **state)
{
	struct smile_static tables = empty(), zero = {.size = sizeof(zero)};

	assert_memory_equal(&tables, &zero, sizeof(tables));
	assert_int_equal(smile_static_check(&tables), 0);
}

static void static_event_fills_both_tables(void **state)
{
	struct smile_static tables = empty();

	assert_int_equal(Monitor_static_event(&tables, 3, 40 * 4096ULL + 256, 64, READS), 0);
	assert_int_equal(tables.page[0], 0x80000000U | 40);
	assert_int_equal(tables.node[0], 3);
	/* valid, words 64 to 79, request, read, page 0 */
	assert_int_equal(tables.event[0], 0x80000000U | 79U << 20 | 64U << 10 | 1 << 8 | 1 << 5);

	/* The last possible page and word, all types and packets, and another node. */
	assert_int_equal(Monitor_static_event(&tables, 65535, 0xfffffffcULL, 4,
					      SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS),
			 1);
	assert_int_equal(tables.page[1], 0x800fffffU);
	assert_int_equal(tables.node[1], 65535);
	assert_int_equal(tables.event[1], 0x80000000U | 1023U << 20 | 1023U << 10 | 0x3e0 | 1);
	assert_int_equal(smile_static_check(&tables), 0);
}

static void static_event_equal_one_is_found(void **state)
{
	struct smile_static tables = empty();

	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4096, READS), 0);
	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4092, READS), 1);
	assert_int_equal(Monitor_static_event(&tables, 1, 0, 4096, READS), 2);
	assert_int_equal(Monitor_static_event(&tables, 0, 4096, 4096, READS), 3);
	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4096, READS | SMILE_FILTER_LOCK), 4);
	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4096, READS), 0);
	assert_int_equal(Monitor_static_event(&tables, 1, 0, 4096, READS), 2);
	/* Three pages are watched. Two have the same number, but are on different nodes. */
	assert_true(tables.page[2] != 0 && tables.page[3] == 0);
}

static void static_event_impossible_is_refused_and_tables_kept(void **state)
{
	struct smile_static tables = empty(), before = tables;
	static const struct {
		unsigned int node;
		uint64_t address;
		size_t bytes;
		unsigned int filter;
		const char *word;
	} bad[] = {
		{65536, 0, 4, READS, "node 65536"},
		{0, 2, 4, READS, "address 0x2"},
		{0, 0x100000000ULL, 4, READS, "address 0x100000000"},
		{0, UINT64_MAX - 3, 4, READS, "address"},
		{0, 0, 0, READS, "0 bytes"},
		{0, 0, 6, READS, "6 bytes"},
		{0, 4, 4096, READS, "4096 bytes from 0x4"},
		{0, 0, 8192, READS, "8192 bytes"},
		{0, 0, SIZE_MAX - 3, READS, "bytes"},
		{0, 0, 4, SMILE_FILTER_READ, "filter 0x1"},
		{0, 0, 4, SMILE_FILTER_REQUEST, "filter 0x10"},
		{0, 0, 4, READS | SMILE_FILTER_INCOMING, "no direction"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(Monitor_static_event(&tables, bad[i].node, bad[i].address,
						      bad[i].bytes, bad[i].filter),
				 -EINVAL);
		says(bad[i].word);
		assert_memory_equal(&tables, &before, sizeof(tables));
	}
}

static void static_event_full_tables_are_reported(void **state)
{
	struct smile_static tables = empty(), before;

	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(Monitor_static_event(&tables, 0, i * 4096ULL, 4, READS), (int)i);
	before = tables;
	assert_int_equal(Monitor_static_event(&tables, 0, 16 * 4096ULL, 4, READS), -ENOSPC);
	says("16 static events");
	assert_memory_equal(&tables, &before, sizeof(tables));
	assert_int_equal(Monitor_static_event(&tables, 0, 15 * 4096ULL, 4, READS), 15);

	tables = empty();
	for (unsigned int i = 0; i < SMILE_STATIC_PAGES; i++)
		tables.page[i] = SMILE_STATIC_PAGE_VALID | (i + 1);
	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4, READS), -ENOSPC);
	says("32 entries");
	assert_int_equal(Monitor_static_event(&tables, 0, 32 * 4096ULL, 4, READS), 0);
}

static void static_counter_fills_the_first_that_is_free(void **state)
{
	struct smile_static tables = empty();

	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4, READS), 0);
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, -1), 0);
	assert_int_equal(tables.counter[0], 0x20);
	assert_int_equal(Monitor_static_counter(&tables, GLOBAL(15), 0, GLOBAL(2)), 1);
	assert_int_equal(tables.counter[1], 0x20U | 31 | 0x2000 | 0x200000 | 18U << 16);
	assert_int_equal(Monitor_static_counter(&tables, 0, GLOBAL(0), -1), 2);
	assert_int_equal(tables.counter[2], 0x20U | 0x2000 | 16U << 8);
	assert_int_equal(smile_static_check(&tables), 0);
	tables.counter[1] = 0;
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, 0), 1);
	for (int i = 3; i < 16; i++)
		assert_int_equal(Monitor_static_counter(&tables, GLOBAL(0), -1, -1), i);
	assert_int_equal(Monitor_static_counter(&tables, GLOBAL(0), -1, -1), -ENOSPC);
}

static void static_counter_of_an_event_that_is_not_there_is_refused(void **state)
{
	struct smile_static tables = empty(), before;
	static const int bad[] = {1, 15, 32, 1000, -2, INT32_MIN, INT32_MAX};

	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4, READS), 0);
	before = tables;
	assert_int_equal(Monitor_static_counter(&tables, -1, -1, -1), -EINVAL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(Monitor_static_counter(&tables, bad[i], -1, -1), -EINVAL);
		assert_int_equal(Monitor_static_counter(&tables, 0, bad[i], -1), -EINVAL);
		assert_int_equal(Monitor_static_counter(&tables, 0, -1, bad[i]), -EINVAL);
		says("there is no event");
	}
	assert_memory_equal(&tables, &before, sizeof(tables));
}

/* ---- check ---------------------------------------------------------------------------------- */

/* Make valid tables that use each part, and change one number. They must be refused. */
static void refused(size_t offset, uint32_t value, const char *word)
{
	struct smile_static tables = empty();

	assert_int_equal(Monitor_static_event(&tables, 2, 0, 8, READS), 0);
	assert_int_equal(Monitor_static_counter(&tables, 0, GLOBAL(1), -1), 0);
	assert_int_equal(smile_static_check(&tables), 0);
	memcpy((char *)&tables + offset, &value, sizeof(value));
	assert_int_equal(smile_static_check(&tables), -EINVAL);
	says(word);
}

static void static_check_senseless_names_the_entry(void **state)
{
	const uint32_t event = 0x80000000U | 1U << 20 | 1 << 8 | 1 << 5;

	refused(offsetof(struct smile_static, size), 8, "Monitor_static_default");
	refused(offsetof(struct smile_static, reserved), 1, "reserved");
	refused(offsetof(struct smile_static, page[31]), 1 << 20, "static page 31");
	refused(offsetof(struct smile_static, node[7]), 65536, "static page 7");
	refused(offsetof(struct smile_static, page[0]), 0, "event 0 watches static page 0");
	refused(offsetof(struct smile_static, event[0]), event | 5, "watches static page 5");
	refused(offsetof(struct smile_static, event[15]), 1 << 30, "static event 15");
	refused(offsetof(struct smile_static, event[0]), event | 2 << 10, "word 1, before");
	refused(offsetof(struct smile_static, event[0]), event & ~0x20U, "can never happen");
	refused(offsetof(struct smile_static, event[0]), event & ~0x100U, "can never happen");
	refused(offsetof(struct smile_static, event[0]), 0, "counter 0 counts event 0");
	refused(offsetof(struct smile_static, counter[15]), 1 << 6, "static counter 15");
	refused(offsetof(struct smile_static, counter[3]), 0x20 | 1, "counter 3 counts event 1");
	refused(offsetof(struct smile_static, counter[3]), 0x2000 | 4 << 8, "activated by event 4");
	refused(offsetof(struct smile_static, counter[3]), 0x200000 | 9 << 16,
		"deactivated by event 9");
}

/* ---- set ------------------------------------------------------------------------------------ */

static void pass(struct Monitor *mon, uint64_t address)
{
	uint64_t words[3] = {htole64(1ULL | 3ULL << 16), htole64(address), 0};

	assert_int_equal(Monitor_packet(mon, words, sizeof(words), 0), 0);
}

static struct Monitor *with_static(uint32_t mode)
{
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.mode |= SMILE_MODE_STATIC | mode;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	return mon;
}

static void static_set_gives_back_what_was_set(void **state)
{
	struct Monitor *mon = with_static(0);
	struct smile_static tables = empty(), read;

	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	for (unsigned int i = 0; i < 16; i++) {
		assert_int_equal(Monitor_static_event(&tables, i, i * 4096ULL, 64 + 4 * i, READS),
				 (int)i);
		assert_int_equal(Monitor_static_counter(&tables, (int)i, GLOBAL((int)i), 0),
				 (int)i);
	}
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	tables.counter[4] = 0x20 | 1 << 12 | 99;
	assert_int_equal(Monitor_static_set(mon, &tables), -EINVAL);
	tables.counter[4] = 0;
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), -EBUSY);
	says("stop it");
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

/* Counts under the old tables are read before the new tables are set. */
static void static_set_takes_counts_in_first(void **state)
{
	struct Monitor *mon = with_static(SMILE_MODE_NO_DYNAMIC);
	struct smile_static tables = empty();
	uint64_t counts[SMILE_STATIC_COUNTERS];
	struct Monitor_loss loss;

	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4096, READS), 0);
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, -1), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_start(mon), 0);
	pass(mon, 0);
	pass(mon, 4092);
	pass(mon, 4096);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_static_counts(mon, counts, 1), 0);
	tables = empty();
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_static_counts(mon, counts, 1), 1);
	assert_true(counts[0] == 2 && counts[1] == 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.balanced && loss.static_counted == 2 && loss.accepted == 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static void static_set_with_counts_in_the_recording_is_refused(void **state)
{
	struct Monitor *mon = with_static(0);
	struct smile_static tables = empty(), read;

	assert_int_equal(Monitor_static_event(&tables, 0, 0, 4096, READS), 0);
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, -1), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("static.rec"), NULL), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_start(mon), 0);
	pass(mon, 0);
	assert_int_equal(Monitor_stop(mon), 0);
	tables = empty();
	assert_int_equal(Monitor_static_set(mon, &tables), -EBUSY);
	says("in the recording");
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_int_equal(read.counter[0], SMILE_STATIC_COUNTER_COUNT_VALID);
	assert_int_equal(Monitor_close(mon), 0);
}

/* ---- narrow node ids ------------------------------------------------------------------------ */

static struct smile_static watching(unsigned int node, uint64_t page)
{
	struct smile_static tables = empty();

	assert_int_equal(Monitor_static_event(&tables, node, page * 4096, 4, READS), 0);
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, -1), 0);
	return tables;
}

static void static_set_beyond_narrow_ids_is_refused(void **state)
{
	struct smile_static tables = watching(31, 65535), read;
	struct Monitor *mon = with_static(SMILE_MODE_NARROW);

	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	tables = watching(32, 1);
	assert_int_equal(Monitor_static_set(mon, &tables), -EINVAL);
	says("home node 32, and narrow node ids end with 31");
	tables = watching(1, 65536);
	assert_int_equal(Monitor_static_set(mon, &tables), -EINVAL);
	says("pages end with 65535");
	tables = watching(31, 65535);
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	/* Unused entries are not checked. */
	tables.node[7] = 32;
	tables.page[7] = 65536;
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static void static_narrow_ids_below_the_tables_are_refused(void **state)
{
	struct smile_static tables = watching(32, 1);
	struct Monitor *mon = with_static(0);
	struct smile_config config;
	struct smile_info info;

	Monitor_config_default(&config);
	config.mode |= SMILE_MODE_NARROW;
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_config_set(mon, &config), -EINVAL);
	says("home node 32");
	tables = watching(31, 65536);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_config_set(mon, &config), -EINVAL);
	says("page 65536");
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_int_equal(info.config.mode & SMILE_MODE_NARROW, 0);
	tables = watching(31, 65535);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

/* ---- start ---------------------------------------------------------------------------------- */

/* Use the example of smile/monitor.h, but with the default configuration. */
static void static_tables_count_with_the_default_configuration(void **state)
{
	struct smile_static tables = watching(0, 0);
	uint64_t counts[SMILE_STATIC_COUNTERS];
	struct smile_info info;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_start(mon), 0);
	pass(mon, 0);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(Monitor_static_counts(mon, counts, 1), 1);
	assert_true(counts[0] == 1);
	assert_int_equal(Monitor_close(mon), 0);

	/* If the tables contain no counter, the static array is off. */
	tables.counter[0] = 0;
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_int_equal(info.config.mode, SMILE_MODE_DEFAULT);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(static_default_is_empty),
		cmocka_unit_test(static_event_fills_both_tables),
		cmocka_unit_test(static_event_equal_one_is_found),
		cmocka_unit_test(static_event_impossible_is_refused_and_tables_kept),
		cmocka_unit_test(static_event_full_tables_are_reported),
		cmocka_unit_test(static_counter_fills_the_first_that_is_free),
		cmocka_unit_test(static_counter_of_an_event_that_is_not_there_is_refused),
		cmocka_unit_test(static_check_senseless_names_the_entry),
		cmocka_unit_test(static_set_gives_back_what_was_set),
		cmocka_unit_test(static_set_takes_counts_in_first),
		cmocka_unit_test(static_set_with_counts_in_the_recording_is_refused),
		cmocka_unit_test(static_set_beyond_narrow_ids_is_refused),
		cmocka_unit_test(static_narrow_ids_below_the_tables_are_refused),
		cmocka_unit_test(static_tables_count_with_the_default_configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
