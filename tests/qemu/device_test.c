/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device, tried without a guest.
 *
 *	device_test list
 *	device_test CASE SCRATCH QEMU PLUGIN	PLUGIN "": QEMU contains the device
 *
 * What lives here: the table of cases. Each runs in a process of its own (smoke.sh sees to that),
 * so that the first thing that is wrong may end it. Exit: 0 all is well, 1 not, 2 usage.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/qemu.h"

#define CASE_SECONDS 60

#define CASE(name)                                                                                 \
	{                                                                                          \
#name, name                                                                        \
	}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	CASE(file_is_read_whole),
	CASE(fifo_is_read_whole),
	CASE(socket_that_closes_early_is_read_whole),
	CASE(socket_connected_to_is_read_whole),
	CASE(socket_peers_in_turn_make_one_stream),
	CASE(realtime_loses_and_says_so),
	CASE(two_cards_count_apart),
	CASE(refused_command_leaves_the_node),
	CASE(message_of_no_bus_master_is_sent_later),
	CASE(absent_card_reads_all_ones_and_comes_back),
	CASE(msi_tells_of_each_full_ring),
	CASE(reset_in_the_middle_leaves_the_rest),
	CASE(unplug_with_data_in_flight_and_plug_again),
	CASE(migration_in_the_middle_changes_nothing),
	CASE(migration_with_msi_keeps_the_line),
	CASE(migration_of_a_damaged_card_is_refused),
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], "list")) {
			puts(cases[i].name);
		} else if (argc == 5 && !strcmp(argv[1], cases[i].name)) {
			signal(SIGPIPE, SIG_IGN);
			alarm(CASE_SECONDS);
			qemu_set(argv[3], argv[4], argv[2]);
			cases[i].run();
			return 0;
		}
	}
	if (argc == 2 && !strcmp(argv[1], "list"))
		return 0;
	errx(2, "usage: device_test list | CASE SCRATCH QEMU PLUGIN");
}
