// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether `smile stat -e` works on this machine. It needs the counters of the
 * processors, and the permission to use them.
 *
 * What lives here: this check. May use: doctor.h.
 */
#include "tools/doctor/doctor.h"

#include <stdlib.h>
#include <unistd.h>

/* Names of the kernel's PMUs for the processors: on x86, on hybrid x86 processors, and on Arm. */
static const char *const units[] = {"cpu", "cpu_core", "armv8_pmuv3_0", "armv8_pmuv3"};

void doctor_counters(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "perf counters", CHECK_OK);
	char text[64], type[64];
	long paranoid;

	if (!doctor_line(text, sizeof(text), "/proc/sys/kernel/perf_event_paranoid")) {
		check->state = CHECK_OPTIONAL;
		doctor_detail(check, "the kernel has no perf events");
		doctor_fix(check, "only for `smile stat -e`: a kernel with CONFIG_PERF_EVENTS");
		return;
	}
	paranoid = strtol(text, NULL, 10);
	if (paranoid > 2 && geteuid() != 0) {
		check->state = CHECK_OPTIONAL;
		doctor_detail(check, "kernel.perf_event_paranoid is %ld: only root may count",
			      paranoid);
		doctor_fix(check, "only for `smile stat -e`: sudo sysctl "
				  "kernel.perf_event_paranoid=2");
		return;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!doctor_line(type, sizeof(type), "/sys/bus/event_source/devices/%s/type",
				 units[i]))
			continue;
		doctor_detail(check, "the processors have counters (%s)", units[i]);
		return;
	}
	check->state = CHECK_OPTIONAL;
	doctor_detail(check, "no counters of the processors: a virtual machine seldom has them");
	doctor_fix(check,
		   "only for hardware events of `smile stat -e`; software events (task-clock, "
		   "page-faults, context-switches) work, and `smile run` counts memory "
		   "accesses exactly");
}
