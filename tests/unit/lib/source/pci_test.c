/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/source/pci.c: the cards of this machine. The machine that runs the tests has no
 * card.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

static void card_list_is_a_count_or_no_bus(void **state)
{
	struct Monitor_card cards[4];
	int count = Monitor_card_list(cards, 4);

	assert_true(count >= 0 || count == -ENOSYS);
	assert_int_equal(Monitor_card_list(NULL, 0), count);
	for (int i = 0; i < count && i < 4; i++)
		assert_int_equal(strlen(cards[i].address), strlen("0000:00:00.0"));
}

/* This slot has no card. The message says so, and names the remedy, even if there is no PCI bus. */
static void open_without_a_card_fails(void **state)
{
	struct Monitor *mon = NULL;
	int error = Monitor_open(&mon, "pci:ffff:ff:1f.7");

	assert_true(error == -ENODEV || error == -ENOSYS);
	assert_null(mon);
	assert_non_null(
		strstr(Monitor_error_message(), error == -ENODEV ? "smile list" : "smile replay"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(card_list_is_a_count_or_no_bus),
		cmocka_unit_test(open_without_a_card_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
