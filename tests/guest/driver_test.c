/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The driver's tests, a program for the guest. driver_test GROUP... runs these groups. If the
 * environment contains DRIVER_CASE, only the cases that match this pattern run.
 *
 * What lives here: the table of groups. Exit status: 0 if all tests passed, 1 if a test failed, 2
 * if a group does not exist.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

static const struct {
	const char *name;
	int (*run)(void);
} groups[] = {
	{"ioctl", driver_ioctl_tests},
	{"stream", driver_stream_tests},
	{"read", driver_read_tests},
	{"mmap", driver_mmap_tests},
	{"full", driver_full_tests},
	{"host", driver_host_tests},
	{"pieces", driver_pieces_tests},
	{"mapped", driver_mapped_tests},
	{"wake", driver_wake_tests},
	{"static", driver_static_tests},
	{"timer", driver_timer_tests},
	{"owner", driver_owner_tests},
	{"life", driver_life_tests},
	{"poll", driver_poll_tests},
	{"hostile", driver_hostile_tests},
	{"cycle", driver_cycle_tests},
	{"unbind", driver_unbind_tests},
	{"interrupt", driver_interrupt_tests},
	{"power", driver_power_tests},
	{"pmu", driver_pmu_tests},
	{"pmu_life", driver_pmu_life_tests},
	{"pmu_slot", driver_pmu_slot_tests},
	{"trace", driver_trace_tests},
	{"fault", driver_fault_tests},
	{"hotplug", driver_hotplug_tests},
	{"recovery", driver_recovery_tests},
	{"unrecovered", driver_unrecovered_tests},
};

int main(int argc, char **argv)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	cmocka_set_test_filter(getenv("DRIVER_CASE"));
	signal(SIGPIPE, SIG_IGN);
	for (int i = 1; i < argc; i++) {
		size_t group = 0;

		while (group < sizeof(groups) / sizeof(groups[0]) &&
		       strcmp(argv[i], groups[group].name))
			group++;
		if (group == sizeof(groups) / sizeof(groups[0])) {
			fprintf(stderr, "driver_test: no group '%s'\n", argv[i]);
			return 2;
		}
		driver_watchdog();
		failed += groups[group].run();
	}
	return argc < 2 ? 2 : failed ? 1 : 0;
}
