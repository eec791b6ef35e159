/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the cases, for the table in device_test.c.
 */
#ifndef TESTS_QEMU_CASES_H
#define TESTS_QEMU_CASES_H

/* migration_cases.c */
void migration_in_the_middle_changes_nothing(void);
void migration_of_a_host_ring_changes_nothing(void);
void migration_with_msi_keeps_the_line(void);
void migration_keeps_the_latency_timer(void);
void migration_of_a_stalled_card_keeps_its_debts(void);
void snapshot_brings_everything_back(void);

/* damage_cases.c */
void damaged_card_at_rest_is_refused(void);
void damaged_card_that_counts_is_refused(void);
void damaged_card_with_timers_is_refused(void);
void damaged_power_management_is_refused(void);
void damaged_error_log_is_refused(void);

/* bus_cases.c */
void msi_reports_of_each_full_ring(void);
void reset_in_the_middle_leaves_the_rest(void);
void unplug_with_data_in_flight_and_plug_again(void);

/* host_ring_cases.c */
void host_ring_holds_the_same_records(void);
void rings_in_turn_keep_what_is_unread(void);
void no_bus_master_stalls_and_loses_nothing(void);
void host_ring_over_no_memory_is_harmless(void);
void host_rings_over_each_other_are_harmless(void);

/* interrupt_cases.c */
void watermark_and_latency_interrupt(void);
void reset_stops_the_latency_timer(void);

/* counting_cases.c */
void static_counters_overflow_and_are_swapped_out(void);
void timer_follows_the_capture(void);
void long_gap_is_crossed_in_parts(void);
void narrow_card_sees_narrow_frames(void);

/* timer_cases.c */
void timer_of_realtime_needs_no_traffic(void);
void shortest_period_leaves_the_machine_alive(void);

/* register_cases.c */
void refused_command_leaves_the_node(void);
void message_of_no_bus_master_is_sent_later(void);
void absent_card_reads_all_ones_and_comes_back(void);
void absent_card_writes_no_records(void);

/* slot_cases.c */
void conventional_card_has_its_capabilities(void);
void express_card_has_its_capabilities(void);
void card_in_d3_is_dark_and_wakes_up_reset(void);
void express_card_in_d3_is_dark_and_wakes_up_reset(void);
void card_in_d3_gets_nothing_out(void);
void frames_pass_a_card_in_d3_by(void);
void frames_wait_for_a_card_in_d3(void);
void reset_of_the_bus_stops_the_card(void);
void reset_of_the_function_stops_the_card(void);
void records_over_its_own_configuration_are_harmless(void);
void migration_of_an_express_card_changes_nothing(void);
void snapshot_of_a_sleeping_card_sleeps(void);

/* feed_cases.c */
void file_is_read_whole(void);
void fifo_is_read_whole(void);
void socket_that_closes_early_is_read_whole(void);
void socket_connected_to_is_read_whole(void);
void socket_peers_in_turn_make_one_stream(void);
void realtime_loses_and_says_so(void);
void two_cards_count_apart(void);

/* fabric_cases.c */
void fabric_of_two_reads_and_writes(void);
void fabric_of_realtime_accounts_for_losses(void);
void fabric_outlives_killed_nodes(void);

/* hostile_fabric_cases.c */
void fabric_refuses_foreign_processes(void);

/* line_cases.c */
void trigger_line_stops_another_machine(void);
void trigger_line_outlives_a_killed_machine(void);
void trigger_line_skips_what_is_no_trigger(void);
void trigger_line_waits_for_no_reader(void);

#endif /* TESTS_QEMU_CASES_H */
