/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The groups of the driver's tests, with one file for each group. Each function runs its group.
 * Return: the number of failed tests.
 */
#ifndef TESTS_GUEST_DRIVER_TEST_H
#define TESTS_GUEST_DRIVER_TEST_H

int driver_ioctl_tests(void);
int driver_stream_tests(void);
int driver_read_tests(void);
int driver_mmap_tests(void);
int driver_full_tests(void);
int driver_host_tests(void);
int driver_pieces_tests(void);
int driver_mapped_tests(void);
int driver_wake_tests(void);
int driver_static_tests(void);
int driver_timer_tests(void);
int driver_owner_tests(void);
int driver_life_tests(void);
int driver_poll_tests(void);
int driver_hostile_tests(void);
int driver_cycle_tests(void);
int driver_unbind_tests(void);
int driver_interrupt_tests(void);
int driver_power_tests(void);
int driver_trace_tests(void);
int driver_pmu_tests(void);
int driver_pmu_life_tests(void);
int driver_pmu_slot_tests(void);
int driver_fault_tests(void);
int driver_hotplug_tests(void);
int driver_recovery_tests(void);
int driver_unrecovered_tests(void);

#endif /* TESTS_GUEST_DRIVER_TEST_H */
