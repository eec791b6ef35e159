/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the cases, for the table in device_test.c.
 */
#ifndef TESTS_QEMU_CASES_H
#define TESTS_QEMU_CASES_H

/* migration_cases.c */
void migration_in_the_middle_changes_nothing(void);
void migration_with_msi_keeps_the_line(void);
void migration_of_a_damaged_card_is_refused(void);

/* bus_cases.c */
void msi_tells_of_each_full_ring(void);
void reset_in_the_middle_leaves_the_rest(void);
void unplug_with_data_in_flight_and_plug_again(void);

/* register_cases.c */
void refused_command_leaves_the_node(void);
void message_of_no_bus_master_is_sent_later(void);
void absent_card_reads_all_ones_and_comes_back(void);

/* feed_cases.c */
void file_is_read_whole(void);
void fifo_is_read_whole(void);
void socket_that_closes_early_is_read_whole(void);
void socket_connected_to_is_read_whole(void);
void socket_peers_in_turn_make_one_stream(void);
void realtime_loses_and_says_so(void);
void two_cards_count_apart(void);

#endif /* TESTS_QEMU_CASES_H */
