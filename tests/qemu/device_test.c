/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device, tested without a guest.
 *
 *	device_test list
 *	device_test CASE SCRATCH QEMU PLUGIN	PLUGIN "": QEMU contains the device
 *
 * What lives here: the table of cases. Each case runs in a separate process (smoke.sh starts it),
 * so that the case can end at the first error. Exit: 0 passed, 1 failed, 2 usage.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/qemu.h"

#define CASE_SECONDS 600 /* for what hangs; see qemu_waits() */

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
	CASE(absent_card_writes_no_records),
	CASE(msi_reports_of_each_full_ring),
	CASE(reset_in_the_middle_leaves_the_rest),
	CASE(unplug_with_data_in_flight_and_plug_again),
	CASE(host_ring_holds_the_same_records),
	CASE(rings_in_turn_keep_what_is_unread),
	CASE(no_bus_master_stalls_and_loses_nothing),
	CASE(host_ring_over_no_memory_is_harmless),
	CASE(host_rings_over_each_other_are_harmless),
	CASE(watermark_and_latency_interrupt),
	CASE(reset_stops_the_latency_timer),
	CASE(static_counters_overflow_and_are_swapped_out),
	CASE(timer_follows_the_capture),
	CASE(long_gap_is_crossed_in_parts),
	CASE(narrow_card_sees_narrow_frames),
	CASE(timer_of_realtime_needs_no_traffic),
	CASE(shortest_period_leaves_the_machine_alive),
	CASE(migration_in_the_middle_changes_nothing),
	CASE(migration_of_a_host_ring_changes_nothing),
	CASE(migration_with_msi_keeps_the_line),
	CASE(migration_keeps_the_latency_timer),
	CASE(migration_of_a_stalled_card_keeps_its_debts),
	CASE(snapshot_brings_everything_back),
	CASE(damaged_card_at_rest_is_refused),
	CASE(damaged_card_that_counts_is_refused),
	CASE(damaged_card_with_timers_is_refused),
	CASE(damaged_power_management_is_refused),
	CASE(damaged_error_log_is_refused),
	CASE(conventional_card_has_its_capabilities),
	CASE(express_card_has_its_capabilities),
	CASE(card_in_d3_is_dark_and_wakes_up_reset),
	CASE(express_card_in_d3_is_dark_and_wakes_up_reset),
	CASE(card_in_d3_gets_nothing_out),
	CASE(frames_pass_a_card_in_d3_by),
	CASE(frames_wait_for_a_card_in_d3),
	CASE(reset_of_the_bus_stops_the_card),
	CASE(reset_of_the_function_stops_the_card),
	CASE(records_over_its_own_configuration_are_harmless),
	CASE(migration_of_an_express_card_changes_nothing),
	CASE(snapshot_of_a_sleeping_card_sleeps),
	CASE(fabric_of_two_reads_and_writes),
	CASE(fabric_of_realtime_accounts_for_losses),
	CASE(fabric_outlives_killed_nodes),
	CASE(fabric_refuses_foreign_processes),
	CASE(trigger_line_stops_another_machine),
	CASE(trigger_line_outlives_a_killed_machine),
	CASE(trigger_line_skips_what_is_no_trigger),
	CASE(trigger_line_waits_for_no_reader),
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], "list")) {
			puts(cases[i].name);
		} else if (argc == 5 && !strcmp(argv[1], cases[i].name)) {
			signal(SIGPIPE, SIG_IGN);
			signal(SIGALRM, qemu_late);
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
